// Nothing here makes markup out of text: elements are made by name, texts are set as text.

const UNSEEN = new RegExp("[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\xad\\u061c\\u200b-\\u200f" +
  "\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb]|[\\ud800-\\udbff](?![\\udc00-\\udfff])" +
  "|(?<![\\ud800-\\udbff])[\\udc00-\\udfff]", "g");

const byId = (id) => document.getElementById(id);
const data = (id) => JSON.parse(byId(id).textContent);
const visible = (text) =>
  text.replace(UNSEEN, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);

function element(name, properties, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties || {})) {
    if (value === undefined || value === null) continue;
    if (key in made) made[key] = value;
    else made.setAttribute(key, value);
  }
  for (const child of children.flat(Infinity)) {
    if (child !== undefined && child !== null && child !== "") {
      made.append(child instanceof Node ? child : visible(String(child)));
    }
  }
  return made;
}

function svg(name, values, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(values)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function theme() {
  const select = byId("theme");
  const keep = (value) => {
    if (value === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = value;
  };
  let before = "system";
  try {
    before = localStorage.getItem("microcoder-theme") || before;
  } catch { /* a file that may keep nothing */ }
  select.value = ["light", "dark"].includes(before) ? before : "system";
  keep(select.value);
  select.addEventListener("change", () => {
    keep(select.value);
    try {
      localStorage.setItem("microcoder-theme", select.value);
    } catch { /* the same */ }
  });
}

theme();
