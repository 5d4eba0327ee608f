"use strict";
const DATA = JSON.parse(document.getElementById("data").textContent);

// a column is its values, one value of all rows, or words and the place of each row's value in them
function valuesOf(column) {
  if (column.rows !== undefined) return Array(column.rows).fill(column.same);
  return column.words ? column.codes.map(code => code === null ? null : column.words[code]) : column.values;
}
for (const report of DATA.reports) for (const column of report.columns) column.values = valuesOf(column);
for (const figure of DATA.figures) for (const name of ["system", "at", "value"]) figure[name] = valuesOf(figure[name]);
const root = document.getElementById("page");
const SVG = "http://www.w3.org/2000/svg";
const PAGE_ROWS = 100;
const window_ = {from: null, to: null, redraw: []};

// The address holds what is shown: #REPORT&sort=-COLUMN&filter=WORDS&from=TIME&to=TIME
const [asked, ...pairs] = location.hash.slice(1).split("&").map(part => {
  try { return decodeURIComponent(part); } catch { return part; }
});
const view = Object.fromEntries(pairs.map(pair => [pair.split("=")[0], pair.slice(pair.indexOf("=") + 1)]));

function remember(id, changes) {
  if (id !== null) view.id = id;
  Object.assign(view, changes);
  const parts = ["sort", "filter", "from", "to"].filter(name => view[name]);
  const hash = [view.id || "", ...parts.map(name => `${name}=${encodeURIComponent(view[name])}`)].join("&");
  try { history.replaceState(null, "", `#${hash}`); } catch { /* some browsers forbid it to files */ }
}

// --- elements: text only ever becomes text -------------------------------------------------------

function el(name, attributes = {}, ...inner) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "on") for (const [event, act] of Object.entries(value)) made.addEventListener(event, act);
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value);
  }
  made.append(...inner.filter(part => part !== null && part !== undefined));
  return made;
}

// a table that the arrow keys scroll
function scroller(label, table) {
  return el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": label}, table);
}

function shape(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "color") made.style.setProperty(attributes.as || "stroke", value);
    else if (key !== "as") made.setAttribute(key, value);
  }
  if (text !== undefined) made.textContent = text;
  return made;
}

function number(value, digits = 4) {
  if (value === null || value === undefined) return "-";
  if (Number.isInteger(value)) return value.toLocaleString("en-US");
  const size = Math.abs(value);
  if (size >= 1000) return value.toLocaleString("en-US", {maximumFractionDigits: 0});
  return String(Number(value.toPrecision(digits)));
}

const COLORS = 8;
const color = index => `var(--c${index % COLORS})`;
const dash = index => index % (2 * COLORS) < COLORS ? "none" : "5 3";  // a second line of a color
const at = text => Date.parse(text + "Z");
const pad = n => String(n).padStart(2, "0");

function clock(time, withDay, withYear, withSeconds) {
  const date = new Date(time);
  const seconds = withSeconds || date.getUTCSeconds() ? `:${pad(date.getUTCSeconds())}` : "";
  const hours = `${pad(date.getUTCHours())}:${pad(date.getUTCMinutes())}${seconds}`;
  const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
  const year = withYear ? `${date.getUTCFullYear()} ` : "";
  return withDay ? `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${year}${hours}` : hours;
}

function stepOf(low, high, count) {
  const raw = (high - low) / count || 1;
  const ten = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 2.5, 5, 10].map(n => n * ten).find(n => n >= raw * (1 - 1e-9));
}

function steps(low, high, count) {
  const step = stepOf(low, high, count);
  const ticks = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high + step * 1e-9; tick += step) {
    ticks.push(Number(tick.toPrecision(12)));
  }
  return ticks;
}

function timeSteps(low, high, count) {
  const minute = 60000;
  const lengths = [1 / 6, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440, 2880, 10080];
  const step = minute * (lengths.find(n => n * minute * count >= high - low) || 40320);
  const ticks = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high; tick += step) ticks.push(tick);
  return ticks;
}

// --- tip -----------------------------------------------------------------------------------------

const tip = el("div", {class: "tip", role: "status", hidden: ""});
document.body.append(tip);

// `event`: a place in the window, clientX and clientY
function show(event, text) {
  tip.textContent = text;
  tip.hidden = false;
  const wide = tip.offsetWidth;
  const left = event.clientX + 14 + wide > innerWidth ? event.clientX - wide - 14 : event.clientX + 14;
  tip.style.setProperty("left", `${Math.max(0, left)}px`);
  tip.style.setProperty("top", `${event.clientY + 14}px`);
}

// --- lines over time -----------------------------------------------------------------------------

// A line is cut where its points are three times as far apart as they usually are: nothing was
// recorded between them. `drawing.py` cuts its lines so, too.
function piecesOf(line) {
  const known = line.times.map((_, i) => i).filter(i => line.values[i] !== null);
  const steps = known.slice(1).map((i, n) => line.times[i] - line.times[known[n]]).filter(step => step > 0);
  const far = 3 * steps.sort((a, b) => a - b)[(steps.length - 1) >> 1];
  const pieces = [];
  known.forEach((i, n) => {
    if (n === 0 || line.times[i] - line.times[known[n - 1]] > far) pieces.push([]);
    pieces[pieces.length - 1].push(i);
  });
  return pieces;
}

// series: [{name, times, values}]; all charts over time show the same window
function lineChart(series, options) {
  const height = options.height || 170, right = 18, top = options.axis || options.clock ? 20 : 8, bottom = 24;
  const holder = el("div");
  const keys = "arrow keys read it, plus and minus zoom, 0 shows all";
  const svg = shape("svg", {role: "img", tabindex: 0, "aria-label": `${options.label || "chart"}; ${keys}`});
  holder.append(svg);
  const pieces = series.map(piecesOf);
  let read = null;  // the time that the arrow keys have come to
  const every = series.flatMap(one => one.times);
  const first = every.reduce((a, b) => Math.min(a, b), Infinity);
  const last = every.reduce((a, b) => Math.max(a, b), -Infinity);

  function draw() {
    const width = Math.max(300, holder.clientWidth || options.width || 460);
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.replaceChildren();
    let low = window_.from === null ? first : Math.max(first, window_.from);
    let high = window_.to === null ? last : Math.min(last, window_.to);
    if (!(high > low)) { low = first; high = last; }
    if (!(high > low)) { low -= 30000; high += 30000; }
    const inside = series.map((one, s) => pieces[s].map(piece => piece.filter(i => one.times[i] >= low && one.times[i] <= high)));
    const seen = inside.map(some => some.flat());
    let most = 0, least = 0;
    seen.forEach((kept, s) => kept.forEach(i => {
      most = Math.max(most, series[s].values[i]); least = Math.min(least, series[s].values[i]);
    }));
    // a limit far above would press all that is drawn to the ground
    const limits = (options.limits || []).filter(limit => limit.value > 0 && limit.value <= 1.5 * most);
    most = limits.reduce((a, limit) => Math.max(a, limit.value), most);
    if (most === least) most = least + 1;
    const step = stepOf(least, most, 4);  // the axis ends at a number that stands beside it
    most = Math.ceil(most / step - 1e-9) * step;
    least = Math.floor(least / step + 1e-9) * step;
    const ticks = steps(least, most, 4);
    const left = Math.max(40, 12 + 6.5 * ticks.reduce((a, tick) => Math.max(a, number(tick).length), 0));
    const x = time => left + (time - low) / (high - low) * (width - left - right);
    const y = value => height - bottom - (value - least) / (most - least) * (height - top - bottom);
    for (const tick of ticks) {
      svg.append(shape("line", {class: "grid", x1: left, x2: width - right, y1: y(tick), y2: y(tick)}));
      svg.append(shape("text", {x: left - 6, y: y(tick) + 4, "text-anchor": "end"}, number(tick)));
    }
    svg.append(shape("text", {x: 0, y: 10}, options.axis || ""));
    svg.append(shape("text", {x: width - right, y: 10, "text-anchor": "end"}, options.clock || ""));
    for (const limit of limits) {
      svg.append(shape("line", {class: "limit", x1: left, x2: width - right, y1: y(limit.value), y2: y(limit.value)}));
      svg.append(shape("text", {class: "limit", x: left + 4, y: y(limit.value) - 4}, `limit of ${limit.name}: ${number(limit.value)}`));
    }
    const days = new Date(low).toISOString().slice(0, 10) !== new Date(high).toISOString().slice(0, 10);
    const ticksOfTime = timeSteps(low, high, Math.floor(width / (days ? 110 : 70)));
    const short = ticksOfTime.some(tick => tick % 60000);
    for (const tick of ticksOfTime) {
      svg.append(shape("line", {class: "axis", x1: x(tick), x2: x(tick), y1: height - bottom, y2: height - bottom + 4}));
      svg.append(shape("text", {x: x(tick), y: height - 6, "text-anchor": "middle"}, clock(tick, days, false, short)));
    }
    seen.forEach((kept, s) => {
      for (const piece of inside[s]) {
        const points = piece.map(i => `${x(series[s].times[i]).toFixed(1)},${y(series[s].values[i]).toFixed(1)}`);
        svg.append(shape("polyline", {class: "series", points: points.join(" "), color: color(s), "stroke-dasharray": dash(s)}));
      }
      const marked = kept.length <= 60 ? kept : inside[s].filter(piece => piece.length === 1).flat();
      marked.forEach(i => svg.append(shape("circle", {
        cx: x(series[s].times[i]), cy: y(series[s].values[i]), r: 2, color: color(s), as: "fill"})));
    });
    const cursor = shape("line", {class: "cursor", y1: top, y2: height - bottom, visibility: "hidden"});
    const brush = shape("rect", {class: "brush", y: top, height: height - top - bottom, width: 0});
    svg.append(cursor, brush);
    const back = event => {
      const box = svg.getBoundingClientRect();
      const px = (event.clientX - box.left) * width / box.width;
      return low + (px - left) / (width - left - right) * (high - low);
    };
    let begun = null;
    svg.onpointerdown = event => { begun = back(event); svg.setPointerCapture(event.pointerId); };
    const tell = (time, place) => {
      const near = series.map((one, s) => {
        let best = null;
        for (const i of seen[s]) if (best === null || Math.abs(one.times[i] - time) < Math.abs(one.times[best] - time)) best = i;
        return best;
      });
      const one = near.findIndex(i => i !== null);
      if (one < 0) return;
      const when = series[one].times[near[one]];
      cursor.setAttribute("x1", x(when)); cursor.setAttribute("x2", x(when));
      cursor.setAttribute("visibility", "visible");
      const lines = series.map((one, s) => near[s] === null ? null
        : `${one.name ? one.name + "  " : ""}${number(one.values[near[s]])} ${options.unit || ""}`);
      show(place, [clock(when, true), ...lines.filter(Boolean)].join("\n"));
    };
    const tellRead = () => {
      const box = svg.getBoundingClientRect();
      tell(read, {clientX: box.left + x(read) * box.width / width, clientY: box.top + top});
    };
    svg.onpointermove = event => {
      const time = back(event);
      tell(time, event);
      if (begun !== null) {
        const a = x(Math.max(low, Math.min(begun, time))), b = x(Math.min(high, Math.max(begun, time)));
        brush.setAttribute("x", a); brush.setAttribute("width", Math.max(0, b - a));
      }
    };
    svg.onpointerup = event => {
      const time = back(event);
      if (begun !== null && Math.abs(x(time) - x(begun)) > 6) zoom(Math.min(begun, time), Math.max(begun, time));
      begun = null; brush.setAttribute("width", 0);
    };
    svg.onblur = svg.onpointerleave = () => { tip.hidden = true; cursor.setAttribute("visibility", "hidden"); };
    svg.ondblclick = () => zoom(null, null);
    svg.onkeydown = event => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const step = {ArrowLeft: -1, ArrowRight: 1}[event.key];
      const wide = (high - low) * ({"+": 0.5, "=": 0.5, "-": 2}[event.key] || 1);
      const stops = [...new Set(every)].sort((a, b) => a - b);
      if (step) {
        const next = step > 0 ? stops.find(time => time > (read ?? low - 1)) : stops.findLast(time => time < (read ?? high + 1));
        read = next ?? read;
        const beyond = Math.max(0, read - high) || Math.min(0, read - low);
        if (beyond) zoom(low + beyond, high + beyond);
        else tellRead();
      } else if (wide !== high - low) {
        const middle = Math.min(high, Math.max(low, read ?? (low + high) / 2));
        const from = Math.max(first, Math.min(middle - wide / 2, last - wide)), to = Math.min(last, from + wide);
        if (from <= first && to >= last) zoom(null, null);
        else if (stops.filter(time => time >= from && time <= to).length > 1) zoom(from, to);
      } else if (event.key === "0" || event.key === "Escape") {
        read = null;
        zoom(null, null);
      } else {
        return;
      }
      event.preventDefault();
    };
    if (read !== null && document.activeElement === svg) tellRead();
  }
  drawn(holder, draw);
  if (series.length > 1 || (options.named && series.some(one => one.name))) holder.append(legend(series.map(one => one.name)));
  return holder;
}

// a chart is drawn as wide as it stands in the page, and again when that or the time changes
function drawn(holder, draw) {
  window_.redraw.push(() => { if (holder.isConnected) draw(); });
  requestAnimationFrame(draw);
}

function legend(names) {
  return el("div", {class: "legend"}, ...names.map((name, i) => {
    const mark = el("i");
    mark.style.setProperty("border-top", `3px ${dash(i) === "none" ? "solid" : "dashed"} ${color(i)}`);
    return el("span", {}, mark, name || "-");
  }));
}

function zoom(from, to) {
  window_.from = from; window_.to = to;
  for (const draw of window_.redraw) draw();
  const told = time => to - from < 600000 ? time : Math.round(time / 60000) * 60000;
  const words = from === null ? "" : `${clock(told(from), true)} to ${clock(told(to), true)}`;
  const iso = time => time === null ? "" : new Date(time).toISOString().slice(0, 19);
  remember(null, {from: iso(from), to: iso(to)});
  zoomed.textContent = words;
  whole.hidden = from === null;
}

const zoomed = el("span", {class: "soft", "aria-live": "polite"});
const whole = el("button", {hidden: "", on: {click: () => zoom(null, null)}}, "Show all of the time");
addEventListener("resize", () => { for (const draw of window_.redraw) draw(); });

function spark(series) {
  const width = 170, height = 34;
  const svg = shape("svg", {viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true"});
  const all = series.flatMap(one => one.values);
  const most = all.reduce((a, b) => Math.max(a, b), 0) || 1;
  const times = series.flatMap(one => one.times);
  const first = Math.min(...times.slice(0, 1), times.reduce((a, b) => Math.min(a, b), Infinity));
  const last = times.reduce((a, b) => Math.max(a, b), -Infinity);
  series.forEach((one, s) => {
    for (const piece of piecesOf(one)) {
      const points = piece.map(i =>
        `${((one.times[i] - first) / (last - first || 1) * width).toFixed(1)},${(height - 2 - one.values[i] / most * (height - 4)).toFixed(1)}`);
      svg.append(shape("polyline", {class: "series", points: points.join(" "), color: color(s), "stroke-dasharray": dash(s)}));
    }
  });
  svg.append(shape("line", {class: "grid", x1: 0, x2: width, y1: height - 1, y2: height - 1}));
  return svg;
}

// --- bars ----------------------------------------------------------------------------------------

function barChart(chart, panel, most) {
  const rows = [];
  chart.x.forEach((name, i) => { if (chart.panel[i] === panel) rows.push(i); });
  const names = [...new Set(rows.map(i => chart.x[i]))];
  const parts = chart.colored ? [...new Set(chart.color)] : chart.labels;
  const part = i => chart.colored ? chart.color[i] : chart.component[i];
  const lines = chart.stacked ? 1 : parts.length;
  const thick = chart.stacked ? 16 : Math.max(6, 16 / lines), gap = 6, right = chart.printed ? 72 : 24;
  const labels = names.map(name => name === null ? "-" : String(name))
    .map(label => label.length > 20 ? label.slice(0, 19) + "…" : label);
  const left = 14 + 7.2 * labels.reduce((a, label) => Math.max(a, label.length), 0);
  const step = thick * lines + gap, height = names.length * step + 26;
  const svg = shape("svg", {role: "img", "aria-label": chart.title});
  const holder = el("div", {}, svg);
  drawn(holder, () => {
    const width = Math.max(300, holder.clientWidth || 900);
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.replaceChildren();
    const x = value => left + value / most * (width - left - right);
    for (const tick of steps(0, most, Math.min(6, Math.floor((width - left) / 60)))) {
      svg.append(shape("line", {class: "grid", x1: x(tick), x2: x(tick), y1: 0, y2: height - 22}));
      svg.append(shape("text", {x: x(tick), y: height - 6, "text-anchor": "middle"}, number(tick)));
    }
    names.forEach((name, place) => {
      const y = place * step;
      const label = String(name === null ? "-" : name);
      svg.append(shape("text", {x: left - 6, y: y + step / 2 + 1, "text-anchor": "end"}, labels[place]));
      let end = 0;
      rows.filter(i => chart.x[i] === name).forEach(i => {
        const index = parts.indexOf(part(i)), value = chart.value[i] || 0;
        const from = chart.stacked ? end : 0, row = chart.stacked ? 0 : index;
        const bar = shape("rect", {x: x(from), y: y + row * thick, width: Math.max(0, x(from + value) - x(from)),
          height: thick - 1, color: color(index), as: "fill"});
        bar.onpointermove = event => show(event, `${label}\n${part(i) || ""}  ${number(value)} ${chart.unit}`);
        bar.onpointerleave = () => { tip.hidden = true; };
        svg.append(bar);
        end = from + value;
        if (chart.largest && chart.largest[i] !== null) {
          const mark = shape("line", {x1: x(chart.largest[i]), x2: x(chart.largest[i]), y1: y + row * thick - 1,
            y2: y + row * thick + thick, "stroke-width": 2, color: "var(--ink)"});
          mark.onpointermove = event => show(event,
            `${label}\nlargest interval: ${clock(at(chart.largest_at[i]), true)}  ${number(chart.largest[i])} ${chart.unit}`);
          mark.onpointerleave = () => { tip.hidden = true; };
          svg.append(mark);
        }
      });
      if (chart.printed) svg.append(shape("text", {x: x(end) + 4, y: y + step / 2 + 1}, number(end)));
    });
  });
  return holder;
}

function chartOf(chart) {
  for (const [name, column] of Object.entries(chart.columns)) chart[name] = valuesOf(column);
  const holder = el("div", {}, chart.title ? el("h3", {}, chart.title) : null, chart.subtitle ? el("p", {class: "soft"}, chart.subtitle) : null);
  const panels = [...new Set(chart.panel)];
  if (chart.mark === "bar") {
    const sums = new Map(), most = new Map();
    chart.value.forEach((value, i) => {
      const key = chart.panel[i] + "\n" + chart.x[i], scale = chart.ownScale ? chart.panel[i] : "";
      const sum = chart.stacked ? (sums.get(key) || 0) + (value || 0) : value || 0;
      sums.set(key, sum);
      most.set(scale, Math.max(most.get(scale) || 0, sum, chart.largest ? chart.largest[i] || 0 : 0));
    });
    const names = chart.colored ? [...new Set(chart.color)] : chart.labels;
    if (names.length > 1) holder.append(legend(names));
    for (const panel of panels) {
      if (panels.length > 1 && panel) holder.append(el("p", {class: "soft"}, panel));
      holder.append(barChart(chart, panel, most.get(chart.ownScale ? panel : "") || 1));
    }
    return holder;
  }
  for (const panel of panels) {
    const lines = new Map();
    chart.x.forEach((time, i) => {
      if (chart.panel[i] !== panel || time === null) return;
      const name = chart.labels.length > 1 ? chart.component[i] : chart.color[i];
      if (!lines.has(name)) lines.set(name, {name, times: [], values: []});
      lines.get(name).times.push(at(time));
      lines.get(name).values.push(chart.value[i]);
    });
    if (panels.length > 1 && panel) holder.append(el("p", {class: "soft"}, panel));
    holder.append(lineChart([...lines.values()], {unit: chart.unit, clock: chart.xTitle,
      axis: chart.labels.length === 1 && chart.labels[0] || chart.unit, limits: chart.limits,
      height: chart.title ? 230 : 150, named: true, label: chart.title || chart.labels.join(", ")}));
  }
  return holder;
}

// --- tables --------------------------------------------------------------------------------------

function tableOf(report) {
  const columns = report.columns;
  const count = columns.length ? columns[0].values.length : 0;
  const order = Array.from({length: count}, (_, i) => i);
  let shown = order, limit = PAGE_ROWS, sorted = null, down = false;
  const body = el("tbody"), rest = el("button", {on: {click: () => { limit += 1000; fill(); }}});
  const told = el("span", {class: "soft", "aria-live": "polite"});
  const cell = (column, i) => column.number ? number(column.values[i], 6) : column.values[i] === null ? "-"
    : column.time ? column.values[i].replace("T", " ") : String(column.values[i]);

  function fill() {
    body.replaceChildren(...shown.slice(0, limit).map(i => el("tr", {}, ...columns.map(column =>
      el("td", {class: column.number ? "n" : null}, cell(column, i))))));
    rest.hidden = shown.length <= limit;
    rest.textContent = `Show more of ${(shown.length - limit).toLocaleString("en-US")} rows`;
    told.textContent = `${shown.length.toLocaleString("en-US")} of ${count.toLocaleString("en-US")} rows`;
  }
  function sort(place, downwards) {
    down = downwards;
    sorted = place;
    const values = columns[place].values, sign = down ? -1 : 1;
    shown = [...shown].sort((a, b) => {
      const x = values[a], y = values[b];
      if (x === null || y === null) return (x === null) - (y === null) || a - b;
      return (x < y ? -sign : x > y ? sign : 0) || a - b;
    });
    heads.forEach((head, i) => head.setAttribute("aria-sort", i !== place ? "none" : down ? "descending" : "ascending"));
    fill();
  }
  function filter(words) {
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
    shown = order.filter(i => wanted.every(word =>
      columns.some(column => cell(column, i).toLowerCase().includes(word))));
    limit = PAGE_ROWS;
    if (sorted === null) fill();
    else sort(sorted, down);
  }
  function changed() {
    const by = sorted === null ? "" : `${down ? "-" : ""}${columns[sorted].name}`;
    remember(report.id, {sort: by, filter: input.value});
  }
  const heads = columns.map((column, place) => el("th", {class: column.number ? "n" : null, scope: "col", "aria-sort": "none", title: column.doc},
    el("button", {on: {click: () => { sort(place, sorted === place ? !down : column.number); changed(); }}}, column.heading),
    el("span", {class: "unit"}, column.unit || "\u00a0")));
  const input = el("input", {type: "search", placeholder: "Filter rows", "aria-label": `Filter rows of ${report.id}`,
    on: {input: event => { filter(event.target.value); changed(); }}});
  fill();
  if (report.id === asked) {
    const by = columns.findIndex(column => column.name === (view.sort || "").replace(/^-/, ""));
    if (view.filter) { input.value = view.filter; filter(view.filter); }
    if (by >= 0) sort(by, view.sort.startsWith("-"));
  }
  return el("div", {}, el("div", {class: "tools"}, input, told),
    scroller(`Rows of ${report.id}`, el("table", {}, el("thead", {}, el("tr", {}, ...heads)), body)),
    el("p", {}, rest));
}

function guideOf(report) {
  const rows = report.columns.map(column => el("tr", {}, el("td", {}, column.heading), el("td", {}, column.name),
    el("td", {}, column.unit), el("td", {class: "words"}, column.doc + (column.better ? `; ${column.better} is better` : "")),
    el("td", {class: "words"}, column.formula)));
  const heads = ["Heading", "Column", "Unit", "What it says", "Made of"].map(head => el("th", {}, head));
  return el("details", {}, el("summary", {}, "How to read it, and where each column comes from"),
    el("p", {}, `${report.answers} Needs records ${report.needs}.`),
    scroller(`Columns of ${report.id}`, el("table", {}, el("thead", {}, el("tr", {}, ...heads)), el("tbody", {}, ...rows))),
    el("p", {}, "Down to the bytes of a record: ", el("code", {}, `imsperf explain ${report.id}.COLUMN --db FILE`)));
}

// what stands between backticks is a command
function withCode(text) {
  return text.split("`").map((part, i) => i % 2 ? el("code", {}, part) : part);
}

function reportOf(report) {
  const inner = el("div");
  let made = false;
  const section = el("details", {class: "report card", id: report.id},
    el("summary", {}, el("span", {class: "id"}, report.title), el("span", {class: "soft"}, `${report.id}  ${report.answers}`)), inner);
  section.addEventListener("toggle", () => {
    if (made || !section.open) return;
    made = true;
    if (report.note) inner.append(el("p", {class: "note"}, ...withCode(report.note)));
    if (report.chart) inner.append(chartOf(report.chart));
    inner.append(tableOf(report), guideOf(report));
  });
  return section;
}

// a report that is not on this page is text
function linkTo(id) {
  if (!DATA.reports.some(report => report.id === id)) return el("span", {class: "soft"}, id);
  return el("a", {href: `#${id}`, on: {click: () => { document.getElementById(id).open = true; }}}, id);
}

// --- the page ------------------------------------------------------------------------------------

function seriesOf(figure) {
  const lines = new Map();
  figure.system.forEach((system, i) => {
    if (!lines.has(system)) lines.set(system, {name: system, times: [], values: []});
    lines.get(system).times.push(at(figure.at[i]));
    lines.get(system).values.push(figure.value[i]);
  });
  return [...lines.values()];
}

function comparisonOf(comparison) {
  const percent = value => value === null ? "-" : `${value > 0 ? "+" : ""}${number(value, 3)} %`;
  const rows = comparison.rows.map(row => el("tr", {},
    el("td", {class: row.follows ? "follows" : null}, el("span", {class: row.verdict}, row.verdict)),
    el("td", {class: "words", title: row.key}, row.what), el("td", {}, row.column), el("td", {}, row.report),
    ...[number(row.base), number(row.candidate)].map(text => el("td", {class: "n"}, text)), el("td", {}, row.unit),
    ...[percent(row.delta_pct), row.low === null ? "" : `${percent(row.low)} .. ${percent(row.high)}`]
      .map(text => el("td", {class: "n"}, text))));
  const heads = ["Verdict", "What", "Column", "Report", "Base", "Candidate", "Unit", "Change", "95 % interval"];
  const sides = ["topic", "item", "base", "candidate"];
  const others = comparison.differences.map(row => el("tr", {}, ...sides.map(name => el("td", {}, row[name]))));
  return el("section", {}, el("h2", {}, "What changed"), el("div", {class: "card"},
    el("p", {}, el("strong", {}, comparison.sentence)), comparison.caution ? el("p", {class: "soft"}, comparison.caution) : null,
    rows.length ? scroller("What changed", el("table", {}, el("thead", {}, el("tr", {}, ...heads.map((head, i) =>
      el("th", {class: i > 3 && head !== "Unit" ? "n" : null}, head)))), el("tbody", {}, ...rows))) : null,
    others.length ? el("details", {class: "beside"}, el("summary", {}, "What else differs between the sides"),
      el("table", {}, el("thead", {}, el("tr", {}, ...sides.map(name => el("th", {}, name)))),
        el("tbody", {}, ...others))) : null));
}

function build() {
  const times = DATA.figures.flatMap(figure => figure.at.map(at));
  const first = times.reduce((a, b) => Math.min(a, b), Infinity), last = times.reduce((a, b) => Math.max(a, b), -Infinity);
  const until = last > first ? ` to ${clock(last, true)}` : "";
  const span = times.length ? `intervals from ${clock(first, true, true)}${until}, local time` : "";
  const theme = el("button", {on: {click: () => {
    const dark = document.documentElement.classList.contains("dark")
      || (!document.documentElement.classList.contains("light") && matchMedia("(prefers-color-scheme: dark)").matches);
    document.documentElement.className = dark ? "light" : "dark";
  }}}, "Light / dark");
  const [loaded, ...health] = DATA.health;
  const skip = el("a", {class: "skip", href: "#reports", on: {click: event => {
    event.preventDefault();  // the address holds what is shown
    document.getElementById("reports").focus();
  }}}, "Skip to the reports");
  root.append(skip, el("header", {class: "top"}, el("h1", {}, DATA.run), el("span", {class: "soft"}, span), el("span", {class: "grow"}),
    theme, el("button", {on: {click: () => print()}}, "Print")));
  root.append(el("div", {class: DATA.healthy ? "card health" : "card health warn"},
    ...health.map(line => el("p", {}, line)), el("p", {class: "soft"}, loaded)));
  if (DATA.findings.tested) {
    root.append(el("h2", {}, "Findings"), el("div", {class: "card"}, DATA.findings.rows.length
      ? el("ol", {}, ...DATA.findings.rows.map(finding => el("li", {}, el("strong", {}, finding.title), ` (${finding.severity}) `,
        linkTo(finding.report),
        el("p", {}, `${finding.text}.`), el("p", {class: "soft"}, `${finding.reason} Overruled by: ${finding.overruled}`),
        finding.chart ? chartOf(finding.chart) : null)))
      : el("p", {}, `Nothing stands out: ${DATA.findings.tested}.`)));
  }
  if (DATA.comparison) root.append(comparisonOf(DATA.comparison));
  if (DATA.figures.length) {
    root.append(el("h2", {}, "Key figures"), el("p", {class: "soft"}, "Median of the intervals, with the least and the largest."),
      el("div", {class: "cards"}, ...DATA.figures.map(figure => {
        return el("div", {class: "card"}, el("div", {class: "soft"}, figure.label),
          el("div", {class: "value"}, number(figure.middle), el("span", {class: "unit"}, ` ${figure.unit}`)),
          el("div", {class: "soft"}, `${number(figure.least)} to ${number(figure.most)}`),
          spark(seriesOf(figure)));
      })));
    root.append(el("h2", {}, "Timeline"), el("div", {class: "tools"},
      el("span", {class: "soft"}, "Drag over a chart to zoom all of them; double-click shows all. In a chart the arrow keys read, + and - zoom, 0 shows all."), zoomed, whole),
      el("div", {class: "charts"}, ...DATA.figures.map(figure => el("div", {class: "card"},
        el("h3", {}, figure.label + (figure.unit ? `, ${figure.unit}` : "")), lineChart(seriesOf(figure), {unit: figure.unit, label: figure.label}),
        figure.note ? el("p", {class: "soft"}, figure.note) : null, linkTo(figure.report)))));
  }
  root.append(el("h2", {id: "reports", tabindex: -1}, "Reports"));
  const list = el("nav", {"aria-label": "Reports"}, ...DATA.reports.map(report => linkTo(report.id)));
  root.append(list, ...DATA.reports.map(reportOf));
  if (DATA.leftOut) root.append(el("p", {class: "soft"}, DATA.leftOut));
  root.append(el("details", {class: "card report"}, el("summary", {}, `${DATA.absent.length} reports lack the records they need`),
    el("div", {}, ...DATA.absent.map(report => el("p", {}, `${report.id}: ${report.lacks}`)))));
  root.append(el("p", {class: "soft"}, `Made by imsperf, ${DATA.made}. Numbers have six digits; csv has all of them.`));
  const wanted = asked ? document.getElementById(asked) : null;
  if (wanted) { view.id = asked; wanted.open = true; wanted.scrollIntoView(); }
  if (view.from && view.to && at(view.to) > at(view.from)) zoom(at(view.from), at(view.to));
}
// what is closed is not printed, but for this
addEventListener("beforeprint", () => { for (const beside of root.querySelectorAll(".beside")) beside.open = true; });
build();
