// Atoms by channels. A click or an arrow key selects an atom and a channel; texts only through textContent.
class View extends Chooser {
  constructor(parent) {
    super();
    this.row = this.column = 0;
    this.root = make("div", "layer-table", parent);
    this.title = make("h3", "", this.root);
    this.frame = make("div", "frame", this.root);
    this.frame.tabIndex = 0;
    this.frame.setAttribute("role", "group");
    this.frame.setAttribute("aria-label", "Atoms by channels; arrow keys move the selection");
    this.table = make("table", "", this.frame);
    this.live = make("div", "hidden", this.root);
    this.live.setAttribute("aria-live", "polite");
    this.table.addEventListener("click", (event) => {
      const cell = event.target.closest("td, th");
      if (!cell) return;
      const { row, column } = cell.dataset;
      this.select(row === undefined ? this.row : Number(row), column === undefined ? this.column : Number(column));
      this.tell();
    });
    this.frame.addEventListener("keydown", (event) => this.onKey(event));
  }

  update(data, setStateValue) {
    this.setStateValue = setStateValue;
    this.root.classList.toggle("big", data.big);
    this.root.style.setProperty("--height", `${data.height}px`);
    this.title.textContent = data.title;
    const content = JSON.stringify([data.columns, data.rows, data.cells, data.marked]);
    if (content !== this.content) {
      this.content = content;
      this.build(data);
    }
    if (this.hears(data.event)) [this.row, this.column] = data.selected;
    this.row = Math.min(this.row, data.rows.length - 1);
    this.column = Math.min(this.column, data.columns.length - 1);
    this.mark();
  }

  build({ columns, rows, cells, marked }) {
    const head = make("tr", "", make("thead"));
    make("td", "corner", head);
    this.heads = columns.map(([name, sentence], column) => {
      const cell = make("th", "", head);
      make("span", "", cell, name);
      cell.scope = "col";
      cell.title = sentence;
      cell.dataset.column = column;
      return cell;
    });
    const body = make("tbody");
    this.cells = [];
    this.labels = rows.map((label, row) => {
      const line = make("tr", "", body);
      const cell = make("th", "", line, label);
      cell.scope = "row";
      cell.dataset.row = row;
      this.cells.push(columns.map(([name], column) => {
        const value = make("td", "", line);
        value.dataset.row = row;
        value.dataset.column = column;
        value.title = `${name} at ${label}: 0`;
        return value;
      }));
      return cell;
    });
    cells.forEach(([row, column, text, colour]) => {
      const cell = this.cells[row][column];
      make("span", "", cell, text).style.background = colour;
      cell.title = `${columns[column][0]} at ${rows[row]}: ${text}`;
    });
    marked.forEach(([row, column, why]) => {
      const cell = this.cells[row]?.[column];
      if (!cell) return;
      cell.classList.add("missing");
      cell.title += `. ${why}`;
    });
    this.names = { rows, columns: columns.map(([name]) => name) };
    this.table.replaceChildren(head.parentElement, body);
  }

  mark() {
    this.heads.forEach((cell, i) => cell.classList.toggle("selected", i === this.column));
    this.labels.forEach((cell, i) => cell.classList.toggle("selected", i === this.row));
    this.cells.forEach((line, row) => line.forEach((cell, column) => {
      cell.classList.toggle("selected", row === this.row && column === this.column);
      cell.classList.toggle("crossed", (row === this.row) !== (column === this.column));
    }));
    this.root.dataset.row = this.row;
    this.root.dataset.column = this.column;
    this.show();
  }

  // Scroll the frame, never the page, to the selected row.
  show() {
    const line = this.labels[this.row];
    if (!line) return;
    const head = this.table.tHead.offsetHeight;
    const top = line.offsetTop - head;
    const bottom = line.offsetTop + line.offsetHeight - this.frame.clientHeight;
    if (this.frame.scrollTop > top) this.frame.scrollTop = top;
    else if (this.frame.scrollTop < bottom) this.frame.scrollTop = bottom;
  }

  select(row, column) {
    if (row === this.row && column === this.column) return;
    [this.row, this.column] = [row, column];
    this.count();
    this.mark();
    const value = this.cells[row][column].textContent || "0";
    this.live.textContent = `${this.names.columns[column]} at ${this.names.rows[row]}: ${value}`;
  }

  get chosen() {
    return [this.row, this.column];
  }

  step(down, right) {
    this.select(
      Math.max(0, Math.min(this.names.rows.length - 1, this.row + down)),
      Math.max(0, Math.min(this.names.columns.length - 1, this.column + right)),
    );
  }
}

export default mounted(View, "layer-table");
