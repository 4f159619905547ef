const charts = data("curves");
const answers = data("answers");
const WIDTH = 560, HEIGHT = 220, LEFT = 64, RIGHT = 10, TOP = 10, FOOT = 26, COLOURS = 6;

// ---- curves ---------------------------------------------------------------------------------

const format = (value) => (value === undefined ? "–" : String(Number(value.toPrecision(3))));
const steps = charts.flatMap((chart) => chart.series.flatMap((one) => one.steps));
const first = steps.reduce((a, b) => Math.min(a, b), Infinity);
const last = Math.max(first + 1, steps.reduce((a, b) => Math.max(a, b), -Infinity));
const across = (step) => LEFT + ((step - first) / (last - first)) * (WIDTH - LEFT - RIGHT);
const cursors = [];

// Round numbers between two values, four to six of them.
function ticks(low, high) {
  const rough = (high - low) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= rough);
  const list = [];
  for (let at = Math.ceil(low / step) * step; at <= high + step / 1e6; at += step) list.push(at);
  return list;
}

function draw(chart) {
  const values = chart.series.flatMap((one) => [...one.values, ...one.low, ...one.high]);
  let low = Math.min(...values), high = Math.max(...values);
  if (low === high) [low, high] = [low - (Math.abs(low) || 1) / 2, high + (Math.abs(high) || 1) / 2];
  const up = (value) => HEIGHT - FOOT - ((value - low) / (high - low)) * (HEIGHT - FOOT - TOP);
  const path = (one, list) => one.steps.map((step, at) =>
    `${across(step).toFixed(1)},${up(list[at]).toFixed(1)}`);
  const drawing = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "chart", role: "img",
    "aria-label": `${chart.title} by step` });
  for (const at of ticks(low, high)) {
    drawing.append(svg("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: up(at), y2: up(at), class: "grid" }),
      svg("text", { x: LEFT - 6, y: up(at) + 4, "text-anchor": "end" }, format(at)));
  }
  for (const at of ticks(first, last).filter(Number.isInteger)) {
    drawing.append(svg("text", { x: across(at), y: HEIGHT - 8, "text-anchor": "middle" }, format(at)));
  }
  chart.series.forEach((one, number) => {
    const colour = `c${number % COLOURS}`;
    if (one.low.length) {
      const around = [...path(one, one.low), ...path(one, one.high).reverse()];
      drawing.append(svg("polygon", { points: around.join(" "), class: `band ${colour}` }));
    }
    drawing.append(svg("polyline", { points: path(one, one.values).join(" "),
      class: `curve ${colour}` }));
  });
  const cursor = svg("line", { y1: TOP, y2: HEIGHT - FOOT, class: "cursor", visibility: "hidden" });
  const line = element("p", { className: "values" });
  drawing.append(cursor);
  cursors.push((step) => {
    cursor.setAttribute("visibility", "visible");
    for (const end of ["x1", "x2"]) cursor.setAttribute(end, across(step));
    line.replaceChildren(...chart.series.map((one, number) => {
      const at = nearest(one.steps, step);
      return element("span", {}, element("i", { className: `c${number % COLOURS}` }),
        `${one.name} ${format(one.values[at])} (step ${one.steps[at]})`);
    }));
  });
  const stepAt = (event) => {
    const box = drawing.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * WIDTH;
    const step = first + ((x - LEFT) / (WIDTH - LEFT - RIGHT)) * (last - first);
    return Math.round(Math.min(last, Math.max(first, step)));
  };
  drawing.addEventListener("pointermove", (event) => point(stepAt(event)));
  drawing.addEventListener("click", (event) => showStep(stepAt(event)));
  return element("section", { className: "card" }, element("h2", {}, chart.title), drawing, line);
}

function nearest(list, step) {
  return list.reduce((best, one, at) =>
    (Math.abs(one - step) < Math.abs(list[best] - step) ? at : best), 0);
}

const point = (step) => cursors.forEach((move) => move(step));

// ---- samples --------------------------------------------------------------------------------

const known = () => Object.keys(answers[byId("run").value] || {}).map(Number).sort((a, b) => a - b);

function card(sample) {
  const facts = Object.entries(sample.facts).map(([name, value]) => `${name} ${value}`).join(" · ");
  return element("div", { className: "sample" },
    element("p", {}, element("span", { className: `verdict ${sample.verdict}` }, sample.verdict),
      ` ${sample.problem} · ${facts}`),
    element("div", { className: "sides" }, element("pre", { tabIndex: 0 }, sample.prompt),
      element("pre", { tabIndex: 0 }, sample.answer)));
}

function showSamples() {
  const list = known();
  const range = byId("step");
  range.max = Math.max(0, list.length - 1);
  const at = Number(range.value);
  byId("before").disabled = at <= 0;
  byId("after").disabled = at >= list.length - 1;
  const group = list.length ? answers[byId("run").value][list[at]] : [];
  const passed = group.filter((sample) => sample.verdict === "AC").length;
  byId("place").textContent = list.length
    ? `step ${list[at]}: ${passed} of ${group.length} samples written out pass`
    : "no samples were written out (log.samples)";
  byId("samples").replaceChildren(...group.map(card));
  if (list.length) point(list[at]);
}

function showStep(step) {
  const list = known();
  if (!list.length) return;
  byId("step").value = nearest(list, step);
  showSamples();
}

function move(by) {
  byId("step").value = Number(byId("step").value) + by;
  showSamples();
}

// ---- wiring ---------------------------------------------------------------------------------

byId("charts").append(...charts.map(draw));
byId("step").addEventListener("input", showSamples);
byId("run").addEventListener("change", () => {
  byId("step").value = 0;
  showSamples();
});
byId("before").addEventListener("click", () => move(-1));
byId("after").addEventListener("click", () => move(1));
showSamples();
