// Making and changing parts of the page. Text is always text: nothing that came from outside is read as HTML.

export const $ = (id) => document.getElementById(id);

export function element(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  const { dataset, aria, ...rest } = properties;
  Object.assign(node, rest);
  Object.assign(node.dataset, dataset ?? {});
  for (const [name, value] of Object.entries(aria ?? {})) node.setAttribute(`aria-${name}`, value);
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

// Put new children in only where they differ, so that focus, selection and screen readers are left alone.
export function update(node, key, make) {
  if (node.dataset.key === key) return;
  node.dataset.key = key;
  node.replaceChildren(...make());
}

export function setText(node, text) {
  node.hidden = !text;
  if (node.textContent !== text) node.textContent = text;
}

// A dialog made when it is first opened: its title, what is in it, and a button that closes it.
export function makeDialog(id, title, ...children) {
  const node = element("dialog", { id, aria: { labelledby: `${id}-title` } },
    element("div", { className: "dialog-head" },
      element("h2", { id: `${id}-title` }, title),
      element("button", { type: "button", className: "quiet", textContent: "Close", onclick: () => node.close() })),
    ...children);
  document.body.append(node);
  return node;
}

// A choice with a label over it; `options` are pairs of value and words.
export function selectField(label, options, properties = {}) {
  const select = element("select", properties, ...options.map(([value, words]) => element("option", { value }, words)));
  return [element("label", { className: "field" }, label, " ", select), select];
}
