// Stands before the script of every component that has a View: its life on the page, and what makes elements.
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
