// The table of problems, the page of one problem, and tables as CSV.

const PROBLEM_COLUMNS = ["name", "difficulty", "platform", "accepted", "judged", "failures", "runs",
  "statement"];

function readProblems(stored) {
  const made = stored.rows.map((values, number) => {
    const problem = Object.fromEntries(PROBLEM_COLUMNS.map((name, at) => [name, values[at]]));
    problem.number = number;
    problem.rate = problem.judged ? problem.accepted / problem.judged : 0;
    const shares = problem.failures.map((count, at) => (count ? count / problem.runs[at] : 0));
    problem.order = shares.map((_, at) => at).filter((at) => shares[at] > 0)
      .sort((a, b) => shares[b] - shares[a] || a - b);
    problem.worst = problem.order.length ? shares[problem.order[0]] : 0;
    return problem;
  });
  made.leftOut = stored.leftOut;
  return made;
}

const percent = (share) => `${(100 * share).toFixed(1)} %`;

function problemLink(name) {
  const number = problemNumbers.get(name);
  const text = element("bdi", {}, name);
  if (number === undefined) return text;
  return element("button", { type: "button", className: "link", "data-problem": number }, text);
}

function bar(share, kind) {
  const shape = { viewBox: "0 0 100 10", preserveAspectRatio: "none", class: "bar",
    "aria-hidden": "true" };
  return svg("svg", shape, svg("rect", { width: 100, height: 10, class: "track" }),
    svg("rect", { width: 100 * share, height: 10, class: kind }));
}

function problemLine(problem) {
  const worst = problem.order.slice(0, 3).map((at) =>
    `${at + 1} (${problem.failures[at]} of ${problem.runs[at]})`).join(", ");
  return element("tr", {},
    element("th", { scope: "row" }, problemLink(problem.name)),
    element("td", { className: "number" },
      `${problem.accepted} of ${problem.judged} (${percent(problem.rate)})`),
    element("td", {}, worst || "none"),
    element("td", {}, element("bdi", {}, problem.difficulty)),
    element("td", {}, element("bdi", {}, problem.platform)));
}

function showProblems() {
  const { key, down, limit } = problemState;
  const sign = down ? -1 : 1;
  const list = [...problems].sort((a, b) => sign * (typeof a[key] === "string"
    ? order.compare(a[key], b[key]) : a[key] - b[key]) || a.number - b.number);
  byId("problem-rows").replaceChildren(...list.slice(0, limit).map(problemLine));
  byId("all-problems").hidden = list.length <= limit;
  byId("all-problems").textContent = `Show all ${list.length}`;
  const left = problems.leftOut ? `; ${problems.leftOut} more are left out of this file` : "";
  byId("problem-count").textContent =
    `${problems.length} problems${left}. A name opens its statement and its tests.`;
  markSorted("problem-grid", key, down);
}

function sortProblems(key) {
  problemState.down = key === problemState.key && !problemState.down;
  problemState.key = key;
  showProblems();
}

// Which column a table is sorted by, for eyes and for screen readers.
function markSorted(id, key, down) {
  for (const button of document.querySelectorAll(`#${id} thead button`)) {
    const way = down ? "descending" : "ascending";
    button.parentElement.setAttribute("aria-sort", button.dataset.key === key ? way : "none");
  }
}

// ---- one problem ----------------------------------------------------------------------------

function problemTests(problem) {
  if (!problem.runs.length) return element("p", { className: "note" }, "No test was run.");
  const lines = problem.runs.map((runs, at) => element("tr", {},
    element("th", { scope: "row" }, `${at + 1}`),
    element("td", { className: "number" }, `${problem.failures[at]} of ${runs}`),
    element("td", {}, bar(runs ? problem.failures[at] / runs : 0, "bad"))));
  const head = ["test", "programs that failed it", ""].map((name, at) =>
    element("th", { scope: "col", className: at === 1 ? "number" : "" }, name));
  return element("div", { className: "scrolled" }, element("table", { className: "tests" },
    element("thead", {}, element("tr", {}, head)), element("tbody", {}, lines)));
}

function openProblem(problem) {
  opened = null;
  const solutions = rows.filter((row) => row.problem === problem.name);
  const items = solutions.slice(0, 500).map((row) => element("li", {}, letters(row.verdict), " ",
    element("button", { type: "button", className: "link", "data-at": row.at },
      element("bdi", {}, row.solution))));
  const statement = problem.statement
    ? [element("pre", { className: "statement", tabIndex: 0, "aria-label": "Statement" },
      visible(problem.statement.text)),
    problem.statement.after
      ? element("p", { className: "note" }, `${problem.statement.after} characters left out`) : ""]
    : element("p", { className: "note" }, "The statement is not known: the tests were not given, " +
      "they have no statement, or it was left out to keep this file small.");
  byId("h-detail").replaceChildren(element("bdi", {}, problem.name));
  byId("body").replaceChildren(
    element("p", {}, `${problem.accepted} of ${problem.judged} solutions accepted ` +
      `(${percent(problem.rate)})`, problem.difficulty ? `; ${problem.difficulty}` : "",
    problem.platform ? `; ${problem.platform}` : ""),
    element("h3", {}, "Statement"), ...[statement].flat().filter(Boolean),
    element("h3", {}, "Tests"), problemTests(problem),
    element("h3", {}, "Solutions"), element("ul", { className: "runs" }, items));
  for (const id of ["before", "after"]) byId(id).hidden = true;
  showDialog(`#p${problem.number}`);
}

function showDialog(anchor) {
  const dialog = byId("detail");
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
  byId("h-detail").focus();
  history.replaceState(null, "", anchor);
}

// ---- CSV ------------------------------------------------------------------------------------

function solutionTable() {
  const names = ["problem", "solution", "verdict", "score", "passed", "tests", "seconds", "memory",
    "failing", "matched", "flags", "difficulty", "platform"];
  const head = ["problem", "solution", "verdict", "score", "tests_passed", "tests", "cpu_s",
    "memory_mb", "first_failing_test", "matched_by", "flags", "difficulty", "platform"];
  return [head, ...state.shown.map((row) => names.map((name) => row[name]))];
}

function problemTable() {
  const head = ["problem", "accepted", "judged", "difficulty", "platform", "test_failed_most"];
  return [head, ...problems.map((problem) => [problem.name, problem.accepted, problem.judged,
    problem.difficulty, problem.platform, problem.order.length ? problem.order[0] + 1 : ""])];
}

// A cell that a spreadsheet would take for a formula begins with an apostrophe.
function cell(value) {
  const text = value === null || value === undefined ? "" : String(value);
  const safe = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}

function download(name, table) {
  const text = table.map((line) => line.map(cell).join(",")).join("\r\n");
  const address = URL.createObjectURL(new Blob([text, "\r\n"], { type: "text/csv" }));
  const link = element("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
