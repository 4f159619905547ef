const PAGE = 50;
const COLUMNS = ["at", "problem", "solution", "verdict", "score", "passed", "tests", "seconds",
  "memory", "flags", "matched", "failing", "detail"];

// ---- the rows -------------------------------------------------------------------------------

const stored = data("table");
const MEANINGS = data("meanings");
const LETTERS = Object.keys(MEANINGS);
const rows = stored.rows.map((values) => {
  const row = Object.fromEntries(COLUMNS.map((name, place) => [name, values[place]]));
  [row.problem, row.difficulty, row.platform] = stored.problems[row.problem];
  row.flags = row.flags.map((number) => stored.texts[number]).join(", ");
  row.matched = row.matched.map((number) => stored.texts[number]).join(", ");
  row.sought = [row.problem, row.solution, row.verdict, row.flags, row.matched, row.difficulty,
    row.platform].join("\n").toLowerCase();
  return row;
});
const problems = readProblems(data("problems"));
const problemNumbers = new Map(problems.map((problem, number) => [problem.name, number]));
const problemState = { key: "number", down: false, limit: 25 };
const byPosition = new Map(rows.map((row) => [row.at, row]));
const state = { shown: rows, page: 0, key: "at", down: false };

const order = new Intl.Collator(undefined, { numeric: true });
const VALUES = {
  verdict: (row) => LETTERS.indexOf(row.verdict),
  passed: (row) => (row.tests ? row.passed / row.tests : -1),
};

function sorted(list) {
  const value = VALUES[state.key] || ((row) => row[state.key]);
  const sign = state.down ? -1 : 1;
  return list
    .map((row) => [value(row), row])
    .sort(([a, one], [b, other]) => {
      // What is not known comes last, whichever way.
      if (a === null || b === null) return (a === null) - (b === null) || one.at - other.at;
      const found = typeof a === "string" ? order.compare(a, b) : a - b;
      return sign * found || one.at - other.at;
    })
    .map(([, row]) => row);
}

function select() {
  const sought = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const fixed = ["verdict", "difficulty", "platform"]
    .map((name) => [name, byId(name).value])
    .filter(([, value]) => value !== "");
  const fits = (row) =>
    fixed.every(([name, value]) => row[name] === value) &&
    sought.every((word) => row.sought.includes(word));
  state.shown = sorted(rows.filter(fits));
  state.page = 0;
  show();
}

const number = (value, digits, unit) => (value === null ? "–" : `${value.toFixed(digits)} ${unit}`);
const letters = (verdict) =>
  element("span", {
    className: `verdict ${LETTERS.includes(verdict) ? verdict : "JE"}`,
    title: MEANINGS[verdict] || "",
  }, verdict);

function line(row) {
  const open = element("button", { type: "button", className: "link", "data-at": row.at },
    element("bdi", {}, row.solution));
  return element("tr", {},
    element("td", {}, problemLink(row.problem)),
    element("th", { scope: "row" }, open),
    element("td", {}, letters(row.verdict)),
    element("td", { className: "number" }, `${row.passed} / ${row.tests}`),
    element("td", { className: "number" }, number(row.seconds, 3, "s")),
    element("td", { className: "number" }, number(row.memory, 1, "MiB")),
    element("td", { className: "number" }, row.failing ? `${row.failing}` : "–"),
    element("td", {}, row.matched),
    element("td", {}, row.flags));
}

function show() {
  const pages = Math.max(1, Math.ceil(state.shown.length / PAGE));
  state.page = Math.min(Math.max(state.page, 0), pages - 1);
  const start = state.page * PAGE;
  byId("rows").replaceChildren(...state.shown.slice(start, start + PAGE).map(line));
  const left = stored.leftOut ? `; ${stored.leftOut} more are in the figures only` : "";
  byId("found").textContent = `${state.shown.length} of ${rows.length} solutions${left}`;
  byId("place").textContent = `Page ${state.page + 1} of ${pages}`;
  for (const id of ["first", "previous"]) byId(id).disabled = state.page === 0;
  for (const id of ["next", "last"]) byId(id).disabled = state.page === pages - 1;
  markSorted("grid", state.key, state.down);
}

function choices(name) {
  const found = [...new Set(rows.map((row) => row[name]))].filter(Boolean);
  if (name === "verdict") found.sort((a, b) => LETTERS.indexOf(a) - LETTERS.indexOf(b));
  else found.sort(order.compare);
  const select = byId(name);
  if (found.length > 500 || !found.length) select.parentElement.hidden = true;
  else select.append(...found.map((value) => element("option", { value }, value)));
}

// ---- one solution ---------------------------------------------------------------------------

const blocks = new Map();

function detailOf(row) {
  if (row.detail < 0) return null;
  const at = Math.floor(row.detail / stored.inBlock);
  if (!blocks.has(at)) blocks.set(at, data(`d${at}`));
  const { texts, details } = blocks.get(at);
  return { texts, detail: details[row.detail % stored.inBlock] };
}

function code(text, language, cut) {
  const lines = [element("span", { className: "line" })];
  for (const [kind, part] of tokens(text, language)) {
    part.split("\n").forEach((piece, place) => {
      if (place) lines.push(element("span", { className: "line" }));
      if (piece) lines.at(-1).append(kind ? element("span", { className: `k-${kind}` }, piece) : visible(piece));
    });
  }
  if (lines.length > 1 && !lines.at(-1).hasChildNodes()) lines.pop();
  const block = element("pre", { className: "code", tabIndex: 0, "aria-label": "Program" }, lines);
  return [block, cut ? element("p", { className: "note" }, `${cut} characters left out`) : ""];
}

// Of a piece of text: its lines, numbered, what is marked in them, blanks made visible there.
function piece(title, found, texts, kind) {
  if (!found) return "";
  const text = texts[found.text];
  const [start, end] = found.mark || [-1, -1];
  const out = element("pre", { className: `piece ${kind}`, tabIndex: 0, "aria-label": title });
  if (found.before) out.append(element("span", { className: "gap" }, `… ${found.before} left out\n`));
  let at = 0;
  const all = text.split("\n");
  if (all.length > 1 && all.at(-1) === "" && start < text.length) all.pop();
  out.style.counterReset = `line ${found.line - 1}`;
  for (const one of all) {
    const stop = at + one.length;
    const whole = element("span", { className: "line" });
    if (start >= 0 && start <= stop && end >= at && (start >= at || end > at)) {
      const from = Math.max(start, at) - at;
      const to = Math.min(end, stop) - at;
      const inside = one.slice(from, to).replace(/ /g, "·").replace(/\t/g, "→");
      const sign = inside || (end > stop ? "⏎" : "∅");
      whole.classList.add("differs");
      whole.append(visible(one.slice(0, from)), element("mark", {}, sign), visible(one.slice(to)));
    } else {
      whole.append(visible(one));
    }
    out.append(whole);
    at = stop + 1;
  }
  if (found.after) out.append(element("span", { className: "gap" }, `… ${found.after} left out`));
  return element("figure", {}, element("figcaption", {}, title), out);
}

const GIVEN = { stdin: "Input", call: "Call", assert: "Test" };

function failure(fail, texts) {
  const sides = element("div", { className: "sides" },
    piece("Expected", fail.expected, texts, "expected"),
    piece("Got", fail.got, texts, "got"));
  return element("section", {},
    element("h3", {}, `First failing test: number ${fail.number}, `, letters(fail.verdict)),
    fail.detail ? element("p", { className: "said" }, fail.detail) : "",
    element("p", { className: "note" },
      `${number(fail.cpu, 3, "s")} of CPU time, ${number(fail.wall, 3, "s")} on the clock, ` +
      `${number(fail.memory, 1, "MiB")}`),
    piece(GIVEN[fail.kind] || "Input", fail.input, texts, "input"),
    sides,
    piece("Standard error, its end", fail.stderr, texts, "stderr"),
    fail.note ? element("p", { className: "note" }, fail.note) : "");
}

function runs(tests) {
  const named = tests.map(([verdict, count]) =>
    element("li", {}, verdict === null ? "not run" : letters(verdict), ` × ${count}`));
  return element("ul", { className: "runs" }, named);
}

function facts(row, detail) {
  const told = [
    ["Problem", problemLink(row.problem)],
    ["Verdict", [letters(row.verdict), ` ${MEANINGS[row.verdict] || ""}`]],
    ["Status", detail && detail.status],
    ["Score", row.score === null ? "none" : String(row.score)],
    ["Tests", `${row.passed} of ${row.tests} passed`],
    ["Slowest test", number(row.seconds, 3, "s of CPU time")],
    ["Largest test", number(row.memory, 1, "MiB")],
    ["Matched by", detail && detail.matched.map(([name, count]) => `${name} (${count})`).join(", ")],
    ["Flags", row.flags],
    ["Difficulty", row.difficulty],
    ["Platform", row.platform],
    ["Repeats", detail && detail.repeats.join(" ")],
    ["Isolation level", detail && String(detail.level)],
    ["Carried along", detail && detail.meta],
  ];
  return element("dl", { className: "told" },
    told.filter(([, value]) => value && (value instanceof Node || value.length)).map(([name, value]) =>
      element("div", {}, element("dt", {}, name), element("dd", {}, value))));
}

// The program, beside the whole answer that it was taken from; its place there is marked.
function program(detail, texts) {
  const text = detail.code === null ? null : texts[detail.code];
  const parts = [
    element("h3", {}, "Program"),
    detail.note ? element("p", { className: "note" }, detail.note) : "",
    text === null ? "" : code(text, detail.language, detail.cut)];
  if (!detail.answer) return parts;
  const at = text === null ? -1 : texts[detail.answer.text].indexOf(text.trimEnd());
  const lines = element("pre", { className: "answer", tabIndex: 0, "aria-label": "Answer" });
  const whole = texts[detail.answer.text];
  if (at < 0) lines.append(visible(whole));
  else {
    const end = at + text.trimEnd().length;
    lines.append(visible(whole.slice(0, at)),
      element("span", { className: "taken" }, visible(whole.slice(at, end))),
      visible(whole.slice(end)));
  }
  const left = detail.answer.after ? ` (${detail.answer.after} characters left out)` : "";
  return [element("div", { className: "sides" },
    element("div", {}, parts),
    element("div", {}, element("h3", {}, "Whole answer"),
      element("p", { className: "note" }, at < 0 ? `As the model gave it.${left}`
        : `As the model gave it; the program is marked.${left}`), lines))];
}

function fill(row) {
  const found = detailOf(row);
  const { texts, detail } = found || { texts: [], detail: null };
  const parts = [facts(row, detail)];
  if (!detail) {
    parts.push(element("p", { className: "note" },
      "Its program and its first failing test are left out, to keep this file small."));
  } else {
    if (detail.error) parts.push(element("p", { className: "said" }, detail.error));
    if (detail.fail) parts.push(failure(detail.fail, texts));
    parts.push(element("h3", {}, "Tests in order"), runs(detail.tests));
    parts.push(...program(detail, texts));
  }
  byId("body").replaceChildren(...parts.flat());
}

let opened = null;

function open(row) {
  opened = row;
  for (const id of ["before", "after"]) byId(id).hidden = false;
  byId("h-detail").replaceChildren(element("bdi", {}, row.problem), " ",
    element("bdi", {}, row.solution));
  fill(row);
  const place = state.shown.indexOf(row);
  byId("before").disabled = place <= 0;
  byId("after").disabled = place < 0 || place === state.shown.length - 1;
  showDialog(`#s${row.at}`);
}

function step(by) {
  const next = state.shown[state.shown.indexOf(opened) + by];
  if (next) open(next);
}

// ---- wiring ---------------------------------------------------------------------------------

function fromAddress() {
  const found = /^#([sp])(\d+)$/.exec(location.hash);
  if (!found) return;
  const number = Number(found[2]);
  if (found[1] === "p" && problems[number]) openProblem(problems[number]);
  const row = found[1] === "s" && byPosition.get(number);
  if (row) open(row);
}

["verdict", "difficulty", "platform"].forEach((name) => {
  choices(name);
  byId(name).addEventListener("change", select);
});
let typing;
byId("search").addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(select, 120);
});
document.querySelector("#grid thead").addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  state.down = button.dataset.key === state.key && !state.down;
  state.key = button.dataset.key;
  select();
});
document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-at], button[data-problem]");
  if (!button) return;
  const row = byPosition.get(Number(button.dataset.at));
  const problem = problems[Number(button.dataset.problem)];
  if (row) open(row);
  else if (problem) openProblem(problem);
});
document.querySelector("#problem-grid thead").addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button) sortProblems(button.dataset.key);
});
byId("all-problems").addEventListener("click", () => {
  problemState.limit = Infinity;
  showProblems();
});
byId("problem-csv").addEventListener("click", () => download("problems.csv", problemTable()));
byId("csv").addEventListener("click", () => download("solutions.csv", solutionTable()));
const turn = { first: () => 0, previous: () => state.page - 1, next: () => state.page + 1,
  last: () => Infinity };
for (const [id, to] of Object.entries(turn)) {
  byId(id).addEventListener("click", () => {
    state.page = to();
    show();
  });
}
byId("before").addEventListener("click", () => step(-1));
byId("after").addEventListener("click", () => step(1));
byId("close").addEventListener("click", () => byId("detail").close());
byId("detail").addEventListener("close", () => {
  opened = null;
  history.replaceState(null, "", location.pathname + location.search);
});
window.addEventListener("hashchange", fromAddress);
show();
showProblems();
fromAddress();
