// Cards of one molecule. Texts reach the page through textContent only; `svg` is our own drawing.
const HELP = "Arrow keys move through the atoms, Enter selects, Escape clears the selection.";

class View {
  constructor(parent) {
    this.parent = parent;
    this.cards = [];
    this.atoms = [];
    this.hover = null; // {atom, card, keyboard}
    this.selected = null;
    this.event = undefined; // id of the last click told to Python
    this.root = make("div", "molecule-cards");
    this.grid = make("div", "grid", this.root);
    this.tooltip = make("div", "tooltip", this.root);
    this.tooltip.setAttribute("role", "tooltip");
    this.tooltip.popover = "manual"; // the top layer: no ancestor can clip it
    this.live = make("div", "hidden", this.root);
    this.live.setAttribute("aria-live", "polite");
    this.help = make("div", "hidden", this.root);
    this.help.id = "help";
    this.help.textContent = HELP;
    this.root.addEventListener("keydown", (event) => this.onKey(event));
    parent.appendChild(this.root);

    const listeners = new AbortController();
    const options = { signal: listeners.signal, capture: true, passive: true };
    window.addEventListener("scroll", () => this.placeTooltip(), options);
    window.addEventListener("resize", () => this.placeTooltip(), options);
    document.addEventListener("pointerdown", (event) => {
      if (!event.composedPath().includes(this.root)) this.setHover(null);
    }, options);
    this.destroy = () => {
      listeners.abort();
      this.root.remove();
    };
  }

  update(data, setStateValue) {
    this.setStateValue = setStateValue;
    this.atoms = data.atoms;
    this.root.classList.toggle("big", data.big);
    this.root.style.setProperty("--columns", data.columns);
    this.root.style.setProperty("--columns-medium", Math.min(data.columns, 2));
    this.root.style.setProperty("--picture-height", `${data.height}px`);
    while (this.cards.length > data.cards.length) this.cards.pop().element.remove();
    while (this.cards.length < data.cards.length) {
      const card = new Card(this, this.cards.length);
      this.grid.appendChild(card.element);
      this.cards.push(card);
    }
    data.cards.forEach((content, i) => this.cards[i].update(content, this.atoms.length));

    // A click that Python has not heard of yet is newer than this data.
    if (this.event === undefined || this.event === data.event) {
      this.selected = data.selected;
      this.event = data.event;
    }
    if (this.selected >= this.atoms.length) this.selected = null;
    if (this.hover && (this.hover.atom >= this.atoms.length || !this.cards[this.hover.card])) this.hover = null;
    this.mark();
  }

  setHover(atom, card = null, keyboard = false) {
    const hover = atom === null ? null : { atom, card, keyboard };
    if (hover?.atom === this.hover?.atom && hover?.card === this.hover?.card) return;
    this.hover = hover;
    this.mark();
  }

  select(atom) {
    if (atom === this.selected) return;
    this.selected = atom;
    this.event = Math.max(Date.now(), (this.event ?? 0) + 1);
    this.say(atom === null ? "Selection cleared" : `${this.atoms[atom].title} selected`);
    this.mark();
    this.setStateValue("selected", { atom, event: this.event });
  }

  toggle(atom) {
    this.select(atom === this.selected ? null : atom);
  }

  mark() {
    this.cards.forEach((card) => card.mark(this.hover?.atom ?? null, this.selected));
    this.fillTooltip();
    this.placeTooltip();
  }

  say(text) {
    if (this.live.textContent !== text) this.live.textContent = text;
  }

  onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Escape") {
      this.setHover(null);
      this.select(null);
      return;
    }
    const card = this.cards.find((one) => event.composedPath().includes(one.picture));
    if (!card || !this.atoms.length || !card.positions.length) return;
    const last = card.positions.length - 1;
    const at = this.hover?.atom ?? this.selected;
    const next = {
      ArrowRight: at === null ? 0 : at === last ? 0 : at + 1,
      ArrowDown: at === null ? 0 : at === last ? 0 : at + 1,
      ArrowLeft: at === null ? last : at === 0 ? last : at - 1,
      ArrowUp: at === null ? last : at === 0 ? last : at - 1,
      Home: 0,
      End: last,
    }[event.key];
    if (next !== undefined) {
      event.preventDefault();
      this.setHover(next, card.index, true);
      const { title, lines } = this.atoms[next];
      const state = next === this.selected ? ", selected" : "";
      this.say(`${title}${state}: ${lines.map((line) => line.join(" ")).join(", ")}`);
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      if (this.hover) this.toggle(this.hover.atom);
    }
  }

  fillTooltip() {
    const content = this.hover && JSON.stringify(this.atoms[this.hover.atom]);
    if (!content || content === this.content) return;
    this.content = content;
    const { title, lines } = this.atoms[this.hover.atom];
    const rows = lines.flatMap(([name, value]) => [make("span", "name", null, name), make("span", "", null, value)]);
    this.tooltip.replaceChildren(make("strong", "", null, title), ...rows);
  }

  placeTooltip() {
    const spot = this.hover && this.cards[this.hover.card]?.spot(this.hover.atom);
    showPopover(this.tooltip, Boolean(spot));
    if (!spot) return;
    const { width, height } = this.tooltip.getBoundingClientRect();
    const edge = 6;
    const gap = spot.radius + 10;
    const fits = spot.x + gap + width + edge <= window.innerWidth;
    const left = fits ? spot.x + gap : spot.x - gap - width;
    const top = Math.min(spot.y - height / 2, window.innerHeight - height - edge);
    this.tooltip.style.left = `${Math.max(edge, left)}px`;
    this.tooltip.style.top = `${Math.max(edge, top)}px`;
  }
}

class Card {
  constructor(view, index) {
    this.view = view;
    this.index = index;
    this.positions = [];
    this.radius = 0;
    this.shown = {};
    this.element = make("article", "card");
    const head = make("header", "", this.element);
    this.title = make("h3", "", head);
    this.badge = make("span", "badge", head);
    this.picture = make("div", "picture", this.element);
    this.picture.tabIndex = 0;
    this.picture.setAttribute("role", "application");
    this.picture.setAttribute("aria-roledescription", "molecule");
    this.picture.setAttribute("aria-describedby", "help");
    this.instead = make("p", "message", this.element);
    const below = make("footer", "", this.element);
    this.text = make("div", "text", below);
    this.caption = make("div", "caption", this.text);
    this.message = make("p", "message", this.text);
    this.foot = make("span", "foot", below);

    this.overlay = this.picture.appendChild(document.createElementNS(SVG, "svg"));
    this.overlay.setAttribute("class", "overlay");
    this.overlay.setAttribute("aria-hidden", "true");
    this.marks = ["selected halo", "selected", "hover halo", "hover"].map((name) => {
      const circle = this.overlay.appendChild(document.createElementNS(SVG, "circle"));
      circle.setAttribute("class", name);
      return circle;
    });

    const mouse = (event) => event.pointerType !== "touch";
    this.picture.addEventListener("pointermove", (event) => {
      if (mouse(event)) this.point(event);
    });
    this.picture.addEventListener("pointerleave", (event) => {
      if (mouse(event)) view.setHover(null);
    });
    this.picture.addEventListener("click", (event) => {
      const atom = this.point(event);
      if (atom !== null) view.toggle(atom);
    });
    this.picture.addEventListener("blur", () => {
      if (view.hover?.keyboard) view.setHover(null);
    });
  }

  update(content, numAtoms) {
    const { title, badge, svg, positions, radius, caption, foot, message } = content;
    this.positions = positions.slice(0, numAtoms);
    this.radius = radius;
    setText(this.title, title);
    this.badge.className = `badge ${badge?.tone ?? ""}`;
    setText(this.badge, badge?.text ?? "");
    setText(this.foot, foot);
    if (svg !== this.shown.svg) this.draw(svg);
    const drawn = Boolean(this.drawing);
    this.picture.hidden = !drawn;
    this.picture.setAttribute("aria-label", `${title}, ${numAtoms} atoms`);
    this.instead.hidden = drawn;
    setText(this.instead, drawn ? "" : message || (svg ? "This picture cannot be drawn." : ""));
    setText(this.message, drawn ? message : "");
    const key = JSON.stringify(caption);
    if (key !== this.shown.caption) {
      this.shown.caption = key;
      this.caption.replaceChildren(...caption.map(({ label, value, hint }) => {
        const item = make("span", "item");
        if (label) make("span", "", item, label);
        if (value) make("strong", "", item, value);
        if (hint) make("span", "hint", item, hint);
        return item;
      }));
    }
  }

  draw(text) {
    this.shown.svg = text;
    const drawing = text ? parseSvg(text) : null;
    if (drawing) {
      this.overlay.setAttribute("viewBox", drawing.getAttribute("viewBox"));
      drawing.setAttribute("class", "drawing");
      drawing.setAttribute("aria-hidden", "true");
    }
    // One replacement, so that no frame is painted without a picture.
    if (this.drawing && drawing) this.drawing.replaceWith(drawing);
    else if (drawing) this.picture.prepend(drawing);
    else this.drawing?.remove();
    this.drawing = drawing;
  }

  mark(hover, selected) {
    const atoms = [selected, selected, hover, hover];
    this.marks.forEach((circle, i) => {
      const position = atoms[i] === null ? undefined : this.positions[atoms[i]];
      circle.style.display = position ? "" : "none";
      if (!position) return;
      circle.setAttribute("cx", position[0]);
      circle.setAttribute("cy", position[1]);
      circle.setAttribute("r", this.radius * 1.4); // outside a ground-truth ring
    });
    this.picture.dataset.hover = this.positions[hover] ? hover : "";
    this.picture.dataset.selected = this.positions[selected] ? selected : "";
  }

  // Light up the atom under the pointer, or none, and return it.
  point(event) {
    const atom = this.atomAt(event.clientX, event.clientY);
    this.picture.style.cursor = atom === null ? "" : "pointer";
    this.view.setHover(atom, this.index);
    return atom;
  }

  atomAt(clientX, clientY) {
    const matrix = this.overlay.getScreenCTM();
    if (!matrix) return null;
    const at = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
    let nearest = null;
    let best = Math.max(this.radius * 1.3, 9 / matrix.a);
    this.positions.forEach(([x, y], atom) => {
      const distance = Math.hypot(x - at.x, y - at.y);
      if (distance <= best) [nearest, best] = [atom, distance];
    });
    return nearest;
  }

  // Centre and radius of an atom on the screen, or null where this card does not show it.
  spot(atom) {
    const matrix = this.overlay.getScreenCTM();
    const position = this.positions[atom];
    if (!matrix || !position || this.picture.hidden) return null;
    const { x, y } = new DOMPoint(...position).matrixTransform(matrix);
    return { x, y, radius: this.radius * matrix.a };
  }
}

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
  element.classList.toggle("empty", !text);
}

function showPopover(element, open) {
  element.classList.toggle("open", open); // what older browsers go by
  if (element.showPopover && element.matches(":popover-open") !== open) element.togglePopover(open);
}

export default mounted(View, "molecule-cards");
