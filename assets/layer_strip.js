// Layers of one or several whiteboxes, then their readouts. Texts reach the page through textContent only.
const STEP = 1300; // milliseconds a layer is shown while it plays

class View {
  constructor(parent) {
    this.event = undefined; // id of the last choice told to Python
    this.selected = null; // [row id, layer]
    this.buttons = []; // {row, layer, element}, in reading order
    this.root = make("div", "layer-strip", parent);
    this.controls = make("div", "controls", this.root);
    this.back = this.control("◀", "Previous layer", () => this.step(-1));
    this.playing = this.control("▶ Play", "Play through the layers", () => this.toggle());
    this.next = this.control("▶", "Next layer", () => this.step(1));
    this.legend = make("span", "legend", this.controls);
    this.rows = make("div", "rows", this.root);
    this.live = make("div", "hidden", this.root);
    this.live.setAttribute("aria-live", "polite");
    this.root.addEventListener("keydown", (event) => this.onKey(event));
    this.destroy = () => {
      clearTimeout(this.timer);
      this.root.remove();
    };
  }

  control(text, label, action) {
    const button = make("button", "", this.controls, text);
    button.type = "button";
    button.setAttribute("aria-label", label);
    button.addEventListener("click", action);
    return button;
  }

  update(data, setStateValue) {
    this.setStateValue = setStateValue;
    this.root.classList.toggle("big", data.big);
    this.root.classList.toggle("many", data.rows.length > 1);
    for (const button of [this.back, this.playing, this.next]) button.hidden = !data.play;
    const { rows, svg, positions, radius } = data;
    const content = JSON.stringify([rows, svg]);
    if (content !== this.content) {
      if (this.content) this.stop();
      this.content = content;
      this.build(rows, svg, positions, radius);
    }
    // A choice that Python has not heard of yet is newer than this data.
    if (this.event === undefined || this.event === data.event) {
      this.selected = data.selected;
      this.event = data.event;
    }
    this.mark();
    if (this.timer) this.schedule();
  }

  build(rows, svg, positions, radius) {
    const focused = this.buttons.findIndex(({ element }) => element.matches(":focus"));
    this.buttons = [];
    const drawing = svg ? sized(parseSvg(svg)) : null;
    if (drawing && positions.length) crop(drawing, positions, radius);
    const lettered = rows.some((row) => row.lettered);
    const decided = rows.some((row) => row.cells.some((cell) => cell.marks.some((mark) => mark[2])));
    this.legend.replaceChildren();
    make("span", "", this.legend, `${lettered ? "Letters" : "Dots"} mark channels above 0.5`);
    if (decided) {
      make("i", "dot decided", this.legend);
      make("span", "", this.legend, "carried to the readout");
      make("i", "dot", this.legend);
      make("span", "", this.legend, "not carried there");
    }
    this.rows.replaceChildren(...rows.map((row) => {
      const line = make("section", "row");
      if (row.title) {
        const head = make("header", "", line);
        make("strong", "", head, row.title);
        make("span", "", head, row.hint);
      }
      const cells = make("div", "cells", line);
      row.cells.forEach((cell, i) => {
        const button = this.cell(cells, row, i + 1);
        this.title(button, cell.title, cell.hint, cell.missing);
        button.setAttribute("aria-label", `${row.title} ${cell.title}: ${cell.label}${cell.missing ? `, ${cell.missing}` : ""}`);
        const picture = make("div", "picture", button);
        if (drawing) picture.appendChild(marked(drawing, cell.marks, positions, radius));
        else make("p", "", picture, cell.label);
      });
      const button = this.cell(cells, row, 0);
      button.classList.add("readout");
      this.title(button, "readout", "", row.missing);
      const values = make("div", "values", button);
      row.readouts.forEach(([name, value]) => {
        const line = make("div", name === row.used ? "used" : "", values);
        make("span", "", line, name);
        make("strong", "", line, value);
      });
      button.setAttribute("aria-label", `${row.title} readout: ${row.readouts.map((pair) => pair.join(" ")).join(", ")}`);
      return line;
    }));
    if (focused >= 0) this.buttons[Math.min(focused, this.buttons.length - 1)].element.focus();
  }

  title(button, name, hint, missing) {
    const title = make("div", "title", button);
    make("strong", "", title, name);
    make("span", missing ? "missing" : "", title, missing || hint);
  }

  cell(parent, row, layer) {
    const element = make("button", "cell", parent);
    element.type = "button";
    element.addEventListener("click", () => {
      this.stop();
      this.choose(row.id, layer);
    });
    this.buttons.push({ row: row.id, layer, element });
    return element;
  }

  choose(row, layer) {
    if (this.selected && row === this.selected[0] && layer === this.selected[1]) return;
    this.selected = [row, layer];
    this.event = Math.max(Date.now(), (this.event ?? 0) + 1);
    this.mark();
    this.live.textContent = layer ? `Layer ${layer}` : "Readout";
    this.setStateValue("chosen", { row, layer, event: this.event });
  }

  at() {
    return this.buttons.findIndex(({ row, layer }) => this.selected && row === this.selected[0] && layer === this.selected[1]);
  }

  step(by) {
    this.stop();
    this.move(by);
  }

  move(by) {
    const to = this.buttons[this.at() + by];
    if (to) this.choose(to.row, to.layer);
    return Boolean(to);
  }

  toggle() {
    if (this.timer) {
      this.stop();
      return;
    }
    this.timer = -1;
    if (this.at() === this.buttons.length - 1) this.choose(this.buttons[0].row, this.buttons[0].layer);
    else this.move(1);
    this.schedule();
    this.mark();
  }

  schedule() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (this.move(1) && this.at() < this.buttons.length - 1) this.schedule();
      else this.stop();
    }, STEP);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
    this.mark();
  }

  mark() {
    const at = this.at();
    this.buttons.forEach(({ element }, i) => {
      element.classList.toggle("selected", i === at);
      element.setAttribute("aria-pressed", i === at);
    });
    const text = this.timer ? "❚❚ Pause" : "▶ Play";
    if (this.playing.textContent !== text) this.playing.textContent = text;
    this.playing.setAttribute("aria-label", this.timer ? "Pause" : "Play through the layers");
    this.back.disabled = at <= 0;
    this.next.disabled = at === this.buttons.length - 1;
    this.root.dataset.layer = this.selected ? this.selected[1] : "";
    this.root.dataset.playing = Boolean(this.timer);
  }

  onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by || !event.target.closest(".cell")) return;
    event.preventDefault();
    this.step(by);
    this.buttons[this.at()]?.element.focus();
  }
}

// The drawing with a disc and letters on every marked atom.
function marked(drawing, marks, positions, radius) {
  const svg = drawing.cloneNode(true);
  const size = Math.max(radius, 1.6);
  const room = radius > 3.2;
  const sorted = [...marks].sort((a, b) => a[2] - b[2]); // what decided lies on top
  for (const [atom, letters, decided] of sorted) {
    const [x, y] = positions[atom] ?? [];
    if (x === undefined) continue;
    const wide = room && letters.length > 1 ? Math.min(size * (0.75 + 0.35 * letters.length), size * 2.2) : size;
    const disc = svg.appendChild(document.createElementNS(SVG, "rect"));
    const box = { x: x - wide, y: y - size, width: 2 * wide, height: 2 * size, rx: size };
    Object.entries(box).forEach(([name, value]) => disc.setAttribute(name, value.toFixed(2)));
    disc.setAttribute("class", decided ? "mark decided" : "mark");
    if (!room || !letters) continue;
    const text = svg.appendChild(document.createElementNS(SVG, "text"));
    const font = size * (letters.length > 3 ? 1.05 : 1.45);
    text.setAttribute("x", x.toFixed(2));
    text.setAttribute("y", (y + 0.35 * font).toFixed(2));
    text.setAttribute("font-size", font.toFixed(2));
    text.textContent = letters;
  }
  return svg;
}

// Show the molecule and its marks only; a small molecule is not blown up.
function crop(drawing, positions, radius) {
  const [left, right] = extent(positions.map(([x]) => x), 2.4 * radius, 185);
  const [top, bottom] = extent(positions.map(([, y]) => y), 2.2 * radius, 125);
  drawing.setAttribute("viewBox", [left, top, right - left, bottom - top].map((value) => value.toFixed(1)).join(" "));
}

function extent(values, margin, least) {
  const [low, high] = [Math.min(...values) - margin, Math.max(...values) + margin];
  const more = Math.max(0, least - (high - low)) / 2;
  return [low - more, high + more];
}

// The strip is one picture to a reader's ear, and its cells give the drawings their size.
function sized(drawing) {
  drawing?.removeAttribute("width");
  drawing?.removeAttribute("height");
  drawing?.setAttribute("aria-hidden", "true");
  return drawing;
}

export default mounted(View, "layer-strip");
