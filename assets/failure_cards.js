// Cards of different molecules, with links. Texts reach the page through textContent only; `svg` is our own drawing.
export default function ({ parentElement, data }) {
  let root = parentElement.querySelector(".failure-cards");
  if (!root) {
    root = make("div", "failure-cards", parentElement);
    root.setAttribute("role", "list");
  }
  root.style.setProperty("--least-width", `${data.width}px`);
  root.style.setProperty("--picture-height", `${data.height}px`);
  // A card that says the same as before stays, so that nothing flickers while a search adds others.
  const old = new Map([...root.children].map((element) => [element.content, element]));
  root.replaceChildren(...data.cards.map((content) => {
    const key = JSON.stringify(content);
    return old.get(key) ?? card(content, key);
  }));
}

function card(content, key) {
  const element = make("article", "card");
  element.content = key;
  element.setAttribute("role", "listitem");
  const header = make("header", "", element);
  make("h3", "", header, content.title).title = content.hint;
  if (content.badge) make("span", `badge ${content.badge.tone}`, header, content.badge.text);
  const picture = make("div", "picture", element);
  const drawing = content.svg ? parseSvg(content.svg) : null;
  if (drawing) picture.appendChild(drawing);
  else make("p", "instead", picture, content.instead);
  const text = make("div", "text", element);
  for (const [name, value, hint] of content.scores) {
    const item = make("span", "item", text, name ? `${name} ` : "");
    if (value) make("strong", "", item, value);
    if (hint) make("span", "hint", item, ` ${hint}`);
  }
  for (const line of content.lines) make("p", "", text, line);
  const footer = make("footer", "", element);
  for (const { title, address } of content.links) {
    const link = make("a", "", footer, title);
    link.href = address;
    link.target = "_self";
    link.setAttribute("aria-label", `${title}: ${content.title}`);
  }
  if (content.foot) make("span", "foot", footer, content.foot);
  return element;
}
