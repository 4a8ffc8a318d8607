// Stands before the script of every component that has a View: its life on the page, what makes elements, how places are chosen.
const SVG = "http://www.w3.org/2000/svg";

// One View a mount; `update(data, setStateValue)` follows every run, `destroy` ends it.
function mounted(View, className) {
  const views = new WeakMap();
  return ({ parentElement, data, setStateValue }) => {
    let view = views.get(parentElement);
    if (!view) {
      parentElement.querySelectorAll(`.${className}`).forEach((old) => old.remove());
      view = new View(parentElement);
      views.set(parentElement, view);
    }
    view.update(data, setStateValue);
    return () => {
      views.delete(parentElement);
      view.destroy();
    };
  };
}

function make(tag, className = "", parent = null, text = "") {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text) element.textContent = text;
  parent?.appendChild(element);
  return element;
}

function parseSvg(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  const svg = parsed.documentElement;
  if (svg.namespaceURI !== SVG || svg.localName !== "svg" || parsed.querySelector("parsererror")) return null;
  if (!svg.getAttribute("viewBox")) {
    svg.setAttribute("viewBox", `0 0 ${parseFloat(svg.getAttribute("width"))} ${parseFloat(svg.getAttribute("height"))}`);
  }
  return document.importNode(svg, true);
}

const WAIT = 180; // milliseconds after the last arrow key until Python hears of it
const ARROWS = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] };

// A view in which a row and a column are chosen: Python hears of a click at once, of arrow keys when they rest.
// A subclass has `root`, `chosen` ([row, column]), `step(down, right)` and `update`, which sets `setStateValue`.
class Chooser {
  constructor() {
    this.event = undefined;
    this.destroy = () => {
      clearTimeout(this.timer);
      this.root.remove();
    };
  }

  // Whether what Python says is about the last choice here, or the first word of all.
  hears(event) {
    if (this.event !== undefined && this.event !== event) return false;
    this.event = event;
    return true;
  }

  count() {
    this.event = Math.max(Date.now(), (this.event ?? 0) + 1);
    this.changed = true;
  }

  tell() {
    clearTimeout(this.timer);
    if (!this.changed) return;
    this.changed = false;
    const [row, column] = this.chosen;
    this.setStateValue("chosen", { row, column, event: this.event });
  }

  onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const step = ARROWS[event.key];
    if (!step) return;
    event.preventDefault();
    this.step(...step);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.tell(), WAIT);
  }
}
