// Scores as a table: rows by columns under group heads; a click or an arrow key selects a cell.
class View extends Chooser {
  constructor(parent) {
    super();
    this.root = make("div", "score-table", parent);
    this.root.tabIndex = 0;
    this.root.setAttribute("role", "group");
    this.table = make("table", "", this.root);
    this.live = make("div", "hidden", this.root);
    this.live.setAttribute("aria-live", "polite");
    this.table.addEventListener("click", (event) => {
      const cell = event.target.closest("td");
      if (!cell?.dataset.row) return;
      this.select(Number(cell.dataset.row), Number(cell.dataset.column));
      this.tell();
    });
    this.root.addEventListener("keydown", (event) => this.onKey(event));
  }

  update(data, setStateValue) {
    this.setStateValue = setStateValue;
    this.root.classList.toggle("big", data.big);
    this.root.style.maxHeight = `${data.height}px`;
    this.root.setAttribute("aria-label", `${data.label}; arrow keys move the selection`);
    const content = JSON.stringify([data.corner, data.groups, data.columns, data.rows, data.cells]);
    if (content !== this.content) {
      this.content = content;
      this.build(data);
    }
    if (this.hears(data.event)) this.chosen = data.selected;
    this.mark();
  }

  build({ corner, groups, columns, rows, cells }) {
    const head = make("thead");
    const grouped = groups.some(([title]) => title);
    if (grouped) {
      const line = make("tr", "groups", head);
      make("td", "corner", line, columns.some(([title]) => title) ? "" : corner);
      groups.forEach(([title, span]) => {
        const cell = make("th", "", line, title);
        cell.colSpan = span;
        cell.scope = "colgroup";
      });
    }
    // Where every group is one column there is no second line of titles.
    if (columns.some(([title]) => title)) {
      const line = make("tr", grouped ? "second" : "", head);
      make("td", "corner", line, corner);
      columns.forEach(([title, hint]) => {
        const cell = make("th", "", line, title);
        cell.scope = "col";
        cell.title = hint;
      });
    }
    const body = make("tbody");
    this.cells = rows.map(([title, hint], row) => {
      const line = make("tr", "", body);
      const name = make("th", "", line, title);
      name.scope = "row";
      name.title = hint;
      return columns.map((_, column) => {
        const cell = make("td", "", line);
        const found = cells[row][column];
        if (!found) return null;
        const [value, below, colour, hint] = found;
        cell.dataset.row = row;
        cell.dataset.column = column;
        cell.title = hint;
        const box = make("div", "", cell);
        make("b", "", box, value);
        below.forEach((text) => make("small", "", box, text));
        if (colour) {
          box.style.background = colour;
          box.classList.add("coloured");
        }
        return cell;
      });
    });
    this.table.replaceChildren(head, body);
  }

  mark() {
    this.cells.flat().forEach((cell) => cell?.classList.remove("selected"));
    if (this.chosen) this.cells[this.chosen[0]]?.[this.chosen[1]]?.classList.add("selected");
  }

  select(row, column) {
    const cell = this.cells[row]?.[column];
    if (!cell) return;
    this.chosen = [row, column];
    this.count();
    this.mark();
    this.live.textContent = cell.title;
    this.show(cell);
  }

  // Scroll the frame, never the page.
  show(cell) {
    const head = this.table.tHead.offsetHeight;
    const side = this.table.querySelector("tbody th")?.offsetWidth ?? 0;
    const { root } = this;
    if (root.scrollTop > cell.offsetTop - head) root.scrollTop = cell.offsetTop - head;
    const below = cell.offsetTop + cell.offsetHeight - root.clientHeight;
    if (root.scrollTop < below) root.scrollTop = below;
    if (root.scrollLeft > cell.offsetLeft - side) root.scrollLeft = cell.offsetLeft - side;
    const right = cell.offsetLeft + cell.offsetWidth - root.clientWidth;
    if (root.scrollLeft < right) root.scrollLeft = right;
  }

  step(down, right) {
    let [row, column] = this.chosen ?? [-down, -right];
    do {
      row += down;
      column += right;
    } while (this.cells[row]?.[column] === null);
    this.select(row, column);
  }
}

export default mounted(View, "score-table");
