// Layers of one or several whiteboxes, then their readouts. Texts reach the page through textContent only.
const STEP = 1300; // milliseconds a layer is shown while it plays
const LEAST = 11; // least size of the letters in CSS pixels, and on a projector
const LEAST_BIG = 13;
const FLAT = 0.5; // height of a flat molecule, in its widths
const CROWDED = 5.5; // CSS pixels between marks below which letters cannot be told apart

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
    this.pictures = []; // {picture, marks}
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(this.rows);
    this.destroy = () => {
      clearTimeout(this.timer);
      this.observer.disconnect();
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
    this.pictures = [];
    const drawing = svg ? sized(parseSvg(svg)) : null;
    const box = drawing && positions.length ? crop(drawing, positions, radius) : null;
    this.drawing = { drawing, positions, radius, box };
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
        if (drawing) this.pictures.push({ picture, marks: cell.marks });
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
    this.size = "";
    this.draw();
    if (focused >= 0) this.buttons[Math.min(focused, this.buttons.length - 1)].element.focus();
  }

  // The pictures for the size they have on the page, so that their letters can be read.
  draw() {
    if (!this.pictures.length) return;
    const { clientWidth: width, clientHeight: height } = this.pictures[0].picture;
    const least = this.root.classList.contains("big") ? LEAST_BIG : LEAST;
    const size = `${width} ${height} ${least}`;
    if (size === this.size) return;
    this.size = size;
    const { drawing, positions, radius, box } = this.drawing;
    const scale = box && width && height ? Math.min(width / box[2], height / box[3]) : 1;
    for (const { picture, marks } of this.pictures) picture.replaceChildren(marked(drawing, marks, positions, radius, scale, least / scale, box));
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

// The drawing with a disc and letters on every marked atom; `scale` is CSS pixels a unit of the drawing, `least` the
// least size of letters in its units.
function marked(drawing, marks, positions, radius, scale, least, box) {
  const svg = drawing.cloneNode(true);
  const known = marks.filter(([atom]) => positions[atom]).sort((a, b) => a[2] - b[2]); // what decided lies on top
  const lettered = scale * nearest(known.map(([atom]) => positions[atom])) >= CROWDED;
  const small = Math.max(radius, 1.6);
  // Where discs of the atoms' size have no room for letters, they grow; on a flat molecule letters stand below each other.
  const grown = lettered && small * 1.45 < least;
  const stacked = grown && box && box[3] < FLAT * box[2];
  const texts = [];
  for (const [atom, letters, decided] of known) {
    const [x, y] = positions[atom];
    const lines = !lettered || !letters ? [] : stacked ? [...letters] : [letters];
    const font = Math.max(small * (!stacked && letters.length > 3 ? 1.05 : 1.45), least);
    const size = grown && letters ? 0.56 * font : small;
    const pitch = 0.9 * font;
    const more = Math.max(0, lines.length - 1) * pitch / 2;
    const wide = !stacked && lines.length && letters.length > 1
      ? Math.max(Math.min(size * (0.75 + 0.35 * letters.length), size * 2.2), 0.36 * font * letters.length)
      : size;
    const middle = box ? within(y, box[1] + size + more, box[1] + box[3] - size - more) : y;
    svg.appendChild(shape("rect", {
      x: x - wide, y: middle - size - more, width: 2 * wide, height: 2 * (size + more), rx: size,
    })).setAttribute("class", decided ? "mark decided" : "mark");
    lines.forEach((line, i) => {
      const text = shape("text", { x, y: middle - more + i * pitch + 0.35 * font, "font-size": font });
      text.textContent = line;
      texts.push(text);
    });
  }
  svg.append(...texts); // above all discs, which may overlap
  return svg;
}

function shape(name, numbers) {
  const element = document.createElementNS(SVG, name);
  Object.entries(numbers).forEach(([key, value]) => element.setAttribute(key, value.toFixed(2)));
  return element;
}

// The smallest distance between two of the points.
function nearest(points) {
  let least = Infinity;
  points.forEach(([x, y], i) => {
    for (const [u, v] of points.slice(i + 1)) least = Math.min(least, Math.hypot(x - u, y - v));
  });
  return least;
}

function within(value, low, high) {
  return low > high ? value : Math.min(Math.max(value, low), high);
}

// Show the molecule and its marks only; a small molecule is not blown up. Left, top, width and height of what shows.
function crop(drawing, positions, radius) {
  const [left, right] = extent(positions.map(([x]) => x), 2.4 * radius, 185);
  const [top, bottom] = extent(positions.map(([, y]) => y), 2.2 * radius, 125);
  const box = [left, top, right - left, bottom - top];
  drawing.setAttribute("viewBox", box.map((value) => value.toFixed(1)).join(" "));
  return box;
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
