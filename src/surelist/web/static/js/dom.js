// Elements made from data. Text is always set as text: no value ever becomes markup.

const SVG = "http://www.w3.org/2000/svg";

export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style")
      for (const [key, each] of Object.entries(value)) element.style.setProperty(key, each);
    else if (name === "value" && "value" in element) element.value = value;
    else if (name === "checked" || name === "selected" || name === "disabled")
      element[name] = Boolean(value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

export function append(element, children) {
  for (const child of [children].flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return element;
}

// Hands over the files that are dropped on an element, which shows that it would take them.
export function takeDropped(zone, take) {
  for (const name of ["dragenter", "dragover"])
    zone.addEventListener(name, (event) => {
      event.preventDefault();
      zone.classList.add("over");
    });
  for (const name of ["dragleave", "drop"])
    zone.addEventListener(name, () => zone.classList.remove("over"));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    take(event.dataTransfer.files);
  });
  return zone;
}

export function replace(element, ...children) {
  element.replaceChildren();
  return append(element, children);
}

let counter = 0;
export function uid(prefix = "id") {
  counter += 1;
  return `${prefix}-${counter}`;
}

export function field(label, control, hint) {
  const id = control.id || uid("field");
  control.id = id;
  const parts = [h("label", { for: id }, label), control];
  if (hint) {
    const hintId = `${id}-hint`;
    control.setAttribute("aria-describedby", hintId);
    parts.push(h("p", { class: "hint", id: hintId }, hint));
  }
  return h("div", { class: "field" }, parts);
}

export function select(options, value, attributes = {}) {
  const made = h(
    "select",
    attributes,
    options.map((each) => {
      const [key, text] = Array.isArray(each) ? each : [each, each];
      return h("option", { value: key, selected: String(key) === String(value) }, text);
    }),
  );
  return made;
}

// A part of a page: its heading, what it is for, and what is in it.
export function panel(id, title, hint, ...body) {
  const heading = [h("h2", {}, title), h("p", { class: "hint" }, hint)];
  return h("section", { class: "panel", id }, heading, body);
}

// Rows below their heads: texts, or cells of their own.
export function tableOf(attributes, heads, rows) {
  const cell = (head) => (head instanceof Node ? head : h("th", { scope: "col" }, head));
  const top = h("thead", {}, h("tr", {}, heads.flat().map(cell)));
  return h("table", attributes, top, h("tbody", {}, rows));
}

export function debounce(action, milliseconds) {
  let timer;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...given), milliseconds);
  };
}
