// The address itself is what is copied: it holds the state of the page.
export default function ({ parentElement }) {
  if (parentElement.querySelector(".copy-link")) return;
  const root = document.createElement("div");
  root.className = "copy-link";
  const button = root.appendChild(document.createElement("button"));
  button.type = "button";
  button.textContent = "Copy link";
  const address = root.appendChild(document.createElement("input"));
  address.readOnly = true;
  address.hidden = true;
  address.setAttribute("aria-label", "Link to this page");
  const said = root.appendChild(document.createElement("span"));
  said.setAttribute("aria-live", "polite");
  let timer;

  button.addEventListener("click", async () => {
    const link = window.location.href;
    let copied = true;
    try {
      await navigator.clipboard.writeText(link);
    } catch {
      copied = false;
    }
    address.hidden = copied;
    said.className = "hidden";
    said.textContent = copied ? "Link copied" : "Copy the selected link";
    button.textContent = copied ? "Copied" : "Copy link";
    if (!copied) {
      address.value = link;
      address.focus();
      address.select();
    }
    clearTimeout(timer);
    timer = setTimeout(() => {
      button.textContent = "Copy link";
      said.textContent = "";
    }, 2000);
  });
  address.addEventListener("blur", () => (address.hidden = true));
  parentElement.appendChild(root);
  return () => {
    clearTimeout(timer);
    root.remove();
  };
}
