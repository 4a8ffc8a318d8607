// Arrow keys, and the page keys of presenters, go through a lesson. No arrows while something else uses them.
const TAKEN = "input, textarea, select, [contenteditable=''], [contenteditable='true'], [role='slider'], " +
  "[role='radio'], [role='tab'], [role='listbox'], [role='combobox'], [role='grid'], [role='dialog'], iframe, canvas";
const STEPS = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 };

// What has the focus may have got it by a click; only after Tab do its own arrows come first.
let tabbed = false;

export default function ({ parentElement, data, setTriggerValue }) {
  const state = parentElement;
  state.lessonPlace = data.place;
  const listeners = new AbortController();
  const options = { signal: listeners.signal, capture: true };

  window.addEventListener("pointerdown", () => { tabbed = false; }, options);
  window.addEventListener("keydown", (event) => {
    if (event.key === "Tab") tabbed = true;
    const step = STEPS[event.key];
    if (!step || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || event.defaultPrevented) return;
    const path = event.composedPath().filter((node) => node instanceof Element);
    if (path.some((node) => node.matches(TAKEN))) return;
    if (tabbed && event.key.startsWith("Arrow") && path.some((node) => node.matches("[role='application']"))) return;
    event.preventDefault();
    event.stopPropagation();
    const next = Math.min(Math.max(state.lessonPlace + step, 0), data.last);
    if (next === state.lessonPlace) return;
    state.lessonPlace = next;
    setTriggerValue("place", next);
  }, options);
  return () => listeners.abort();
}
