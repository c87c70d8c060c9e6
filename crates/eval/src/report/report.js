"use strict";
// Tabs, sorting and filtering. The page is whole without them.

const parts = [...document.querySelectorAll(".part")];
const tabs = [...document.querySelectorAll("nav a")];

function partOf(hash) {
  const target = hash && document.getElementById(hash.slice(1));
  return target ? target.closest(".part") : null;
}

function show(part) {
  for (const other of parts) other.hidden = other !== part;
  for (const tab of tabs) {
    const isShown = tab.hash === `#${part.id}`;
    tab.setAttribute("aria-selected", isShown);
    tab.tabIndex = isShown ? 0 : -1;
  }
}

function follow() {
  const part = partOf(location.hash);
  if (!part) return;
  show(part);
  const target = document.getElementById(location.hash.slice(1));
  if (target.matches("details")) target.open = true;
  if (target === part) scrollTo(0, 0);
  else target.scrollIntoView();
}

if (parts.length > 1) {
  document.querySelector("nav").setAttribute("role", "tablist");
  tabs.forEach((tab, n) => {
    tab.id = `tab-${n}`;
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-controls", tab.hash.slice(1));
    tab.addEventListener("click", (event) => {
      event.preventDefault();
      history.replaceState(null, "", tab.hash);
      show(partOf(tab.hash));
    });
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = tabs[(n + step + tabs.length) % tabs.length];
      next.focus();
      next.click();
    });
  });
  parts.forEach((part, n) => {
    part.setAttribute("role", "tabpanel");
    part.setAttribute("aria-labelledby", `tab-${n}`);
  });
  show(partOf(location.hash) || parts[0]);
}
addEventListener("hashchange", follow);
follow();

function sortBy(table, column, isDescending) {
  const key = (row) => {
    const cell = row.cells[column];
    return cell.dataset.order === undefined ? cell.textContent : Number(cell.dataset.order);
  };
  const compare = (a, b) => {
    if (typeof a === "number" && typeof b === "number") return a - b;
    if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
    return a.localeCompare(b, "en", { numeric: true });
  };
  const body = table.tBodies[0];
  const rows = [...body.rows].map((row) => [key(row), row]);
  rows.sort((a, b) => (isDescending ? compare(b[0], a[0]) : compare(a[0], b[0])));
  body.append(...rows.map(([, row]) => row));
}

for (const table of document.querySelectorAll("table")) {
  if (table.tBodies[0].rows.length < 2) continue;
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const sort = () => {
      const isNumber = head.classList.contains("n");
      const before = head.getAttribute("aria-sort");
      const isDescending = before ? before === "ascending" : isNumber;
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", isDescending ? "descending" : "ascending");
      sortBy(table, column, isDescending);
    };
    const button = document.createElement("button");
    button.textContent = head.textContent;
    button.title = "Sort by this column";
    button.addEventListener("click", sort);
    if (button.textContent) head.replaceChildren(button);
  });
}

function choice(name, values) {
  const select = document.createElement("select");
  select.setAttribute("aria-label", name);
  select.append(new Option(`Every ${name.toLowerCase()}`, ""));
  for (const value of values) select.append(new Option(value, value));
  return select;
}

for (const bar of document.querySelectorAll(".filter")) {
  const table = document.getElementById(bar.dataset.for);
  if (!table) continue;
  const rows = [...table.tBodies[0].rows];
  const heads = [...table.tHead.rows[0].cells].map((head) => head.textContent);
  const choices = ["Category", "Repository", "Language"].map((name) => {
    const column = heads.indexOf(name);
    const values = [...new Set(rows.map((row) => row.cells[column].textContent))].sort();
    return [column, choice(name, values)];
  });
  const input = document.createElement("input");
  input.type = "search";
  input.placeholder = "Filter tasks";
  input.setAttribute("aria-label", "Filter tasks");
  const status = document.createElement("span");
  status.className = "muted";
  status.setAttribute("role", "status");
  const filter = () => {
    const words = input.value.toLowerCase().split(/\s+/);
    let n = 0;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      const isShown =
        words.every((word) => text.includes(word)) &&
        choices.every(([column, select]) => !select.value || row.cells[column].textContent === select.value);
      row.hidden = !isShown;
      n += isShown ? 1 : 0;
    }
    status.textContent = `${n.toLocaleString("en")} of ${rows.length.toLocaleString("en")} tasks`;
  };
  input.addEventListener("input", filter);
  for (const [, select] of choices) select.addEventListener("change", filter);
  bar.append(input, ...choices.map(([, select]) => select), status);
  bar.hidden = false;
  filter();
}
