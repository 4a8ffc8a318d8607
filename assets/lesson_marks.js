// One molecule on which atoms are marked. Marks are kept here until Python has heard of them, so no quick click is lost.
const HELP = "Arrow keys move through the atoms, Enter marks the atom or takes its mark away.";

class View {
  constructor(parent) {
    this.marked = [];
    this.event = undefined; // id of the last change told to Python
    this.at = null; // the atom under the pointer or reached by keyboard
    this.root = make("div", "lesson-marks");
    const head = make("header", "", this.root);
    make("h3", "", head, "Mark the atoms");
    this.badge = make("span", "badge", head);
    this.picture = make("div", "picture", this.root);
    this.picture.tabIndex = 0;
    this.picture.setAttribute("role", "application");
    this.picture.setAttribute("aria-roledescription", "molecule");
    this.picture.setAttribute("aria-label", `Molecule. ${HELP}`);
    this.under = this.layer();
    this.over = this.layer();
    this.hover = this.circle(this.over, "hover");
    const foot = make("footer", "", this.root);
    make("span", "", foot, "Click an atom to mark it, again to take the mark away. Tab, arrows and Enter work too.");
    this.all = this.button(foot, "All", () => this.tell(this.positions.map((_, atom) => atom)));
    this.none = this.button(foot, "None", () => this.tell([]));
    this.live = make("div", "hidden", this.root);
    this.live.setAttribute("aria-live", "polite");

    this.picture.addEventListener("pointermove", (event) => this.point(event));
    this.picture.addEventListener("pointerleave", () => this.show(null));
    this.picture.addEventListener("blur", () => this.show(null));
    this.picture.addEventListener("click", (event) => {
      const atom = this.point(event);
      if (atom !== null) this.toggle(atom);
    });
    this.picture.addEventListener("keydown", (event) => this.onKey(event));
    parent.appendChild(this.root);
    this.destroy = () => this.root.remove();
  }

  update(data, setStateValue) {
    this.setStateValue = setStateValue;
    this.positions = data.positions;
    this.labels = data.labels;
    this.radius = data.radius;
    this.root.classList.toggle("big", data.big);
    this.root.style.setProperty("--picture-height", `${data.height}px`);
    if (data.svg !== this.svg) {
      this.svg = data.svg;
      this.drawing?.remove();
      this.drawing = parseSvg(data.svg);
      if (this.drawing) {
        this.drawing.setAttribute("class", "drawing");
        this.drawing.setAttribute("aria-hidden", "true");
        this.picture.prepend(this.drawing);
        for (const layer of [this.under, this.over]) layer.setAttribute("viewBox", this.drawing.getAttribute("viewBox"));
      }
      this.show(null);
    }
    // A change that Python has not heard of yet is newer than this data.
    if (this.event === undefined || this.event === data.event) {
      this.marked = data.marked;
      this.event = data.event ?? undefined;
    }
    this.draw();
  }

  toggle(atom) {
    const had = this.marked.includes(atom);
    this.live.textContent = `${this.labels[atom]} ${had ? "not marked" : "marked"}`;
    this.tell(had ? this.marked.filter((other) => other !== atom) : [...this.marked, atom]);
  }

  tell(marked) {
    this.marked = marked;
    this.event = Math.max(Date.now(), (this.event ?? 0) + 1);
    this.draw();
    this.setStateValue("marked", { atoms: marked, event: this.event });
  }

  draw() {
    this.under.replaceChildren();
    for (const atom of this.marked) this.place(this.circle(this.under, "mark"), atom, 0.95);
    this.badge.textContent = `${this.marked.length} marked`;
    this.badge.classList.toggle("some", this.marked.length > 0);
    this.none.disabled = this.marked.length === 0;
    this.picture.dataset.marked = this.marked.join(",");
  }

  show(atom) {
    this.at = atom;
    this.picture.style.cursor = atom === null ? "" : "pointer";
    this.hover.style.display = atom === null ? "none" : "";
    if (atom !== null) this.place(this.hover, atom, 1.2);
  }

  onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || !this.positions.length) return;
    const last = this.positions.length - 1;
    const on = this.at === null || this.at === last ? 0 : this.at + 1;
    const back = this.at === null || this.at === 0 ? last : this.at - 1;
    const next = { ArrowRight: on, ArrowDown: on, ArrowLeft: back, ArrowUp: back, Home: 0, End: last }[event.key];
    if (next !== undefined) {
      event.preventDefault();
      this.show(next);
      this.live.textContent = `${this.labels[next]}${this.marked.includes(next) ? ", marked" : ""}`;
    } else if ((event.key === "Enter" || event.key === " ") && this.at !== null) {
      event.preventDefault();
      this.toggle(this.at);
    }
  }

  point(event) {
    const matrix = this.over.getScreenCTM();
    if (!matrix) return null;
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    let nearest = null;
    let best = Math.max(this.radius * 1.3, 9 / matrix.a);
    this.positions.forEach(([x, y], atom) => {
      const distance = Math.hypot(x - at.x, y - at.y);
      if (distance <= best) [nearest, best] = [atom, distance];
    });
    this.show(nearest);
    return nearest;
  }

  layer() {
    const svg = this.picture.appendChild(document.createElementNS(SVG, "svg"));
    svg.setAttribute("class", "layer");
    svg.setAttribute("aria-hidden", "true");
    return svg;
  }

  circle(layer, name) {
    const circle = layer.appendChild(document.createElementNS(SVG, "circle"));
    circle.setAttribute("class", name);
    return circle;
  }

  place(circle, atom, size) {
    const [x, y] = this.positions[atom] ?? [-100, -100];
    circle.setAttribute("cx", x);
    circle.setAttribute("cy", y);
    circle.setAttribute("r", this.radius * size);
  }

  button(parent, text, act) {
    const button = make("button", "", parent, text);
    button.type = "button";
    button.addEventListener("click", act);
    return button;
  }
}

export default mounted(View, "lesson-marks");
