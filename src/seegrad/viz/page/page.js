"use strict";
// One self-contained page: the graph is in the element #graph, everything below only reads it.
// Whatever comes from the user's program is put in by textContent or drawn by fillText: never as HTML.

const graph = JSON.parse(document.getElementById("graph").textContent);
const byId = (id) => document.getElementById(id);
const canvas = byId("picture");
const pen = canvas.getContext("2d");
const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
const groups = new Map((graph.groups || []).map((group) => [group.id, { ...group, members: [] }]));
const ordered = graph.nodes.filter((node) => node.order != null).sort((a, b) => a.order - b.order);
const before = new Map(); // node -> nodes whose gradient arrives there
for (const edge of graph.edges) {
  if (!before.has(edge.to)) before.set(edge.to, []);
  before.get(edge.to).push(edge.from);
}
for (const node of graph.nodes) {
  for (let id = node.group; groups.has(id); id = groups.get(id).parent) groups.get(id).members.push(node);
}

const state = {
  scale: 1, x: 0, y: 0, chosen: null, path: new Set(), onPath: [], onPathSet: new Set(), found: [], foundSet: new Set(), at: -1,
  folded: new Set(), step: ordered.length, timer: null,
  language: graph.language || (navigator.language.startsWith("ko") ? "ko" : "en"),
};
const text = (key) => TEXTS[state.language][key];

// What is shown: nodes, or the outermost folded module around them. What folding frees is closed up.

const GAP = 48; // between rows or columns that nothing fills any more
const TITLE = 20; // of a module
let shown = [];
let lines = [];
for (const one of [...nodes.values(), ...groups.values()]) one.home = { x: one.x, y: one.y, w: one.w, h: one.h };
function holder(node) {
  let outermost = null;
  for (let id = node.group; groups.has(id); id = groups.get(id).parent) if (state.folded.has(id)) outermost = id;
  return outermost;
}
function arrange() {
  const boxes = new Map();
  const places = new Map();
  shown = [];
  for (const node of graph.nodes) {
    const id = holder(node);
    if (id !== null && !boxes.has(id)) boxes.set(id, folded(groups.get(id)));
    const box = id === null ? node : boxes.get(id);
    if (id === null || box.members[0] === node) shown.push(box);
    places.set(node.id, box);
  }
  const x = closed("x", "w"), y = closed("y", "h");
  for (const box of shown) { box.x = x(box.home.x); box.y = y(box.home.y); }
  for (const group of groups.values()) if (isOpen(group)) settle(group, x, y);
  moved = { x, y };
  const known = new Set();
  lines = [];
  graph.edges.forEach((edge, number) => {
    const from = places.get(edge.from), to = places.get(edge.to);
    if (!from || !to || from === to) return;
    const key = `${from.id}>${to.id}>${edge.kind}`;
    if (known.has(key)) return;
    known.add(key);
    lines.push(piece(number, 0, from, to));
  });
  lines.push(...trunks(lines));
  markPath();
}
function folded(group) {
  // The box that stands for a module, in the middle of its frame.
  const { members, label } = group;
  const mean = (key) => members.reduce((sum, one) => sum + one.home[key], 0) / members.length;
  const w = Math.min(40 + 7 * (label.length + 6), group.home.w ?? Infinity), h = 34;
  const [x, y] = group.home.w == null ? [mean("x"), mean("y")] : [group.home.x, group.home.y];
  const orders = members.map((one) => one.order).filter((one) => one != null);
  return { id: `group ${group.id}`, group: group.id, kind: "group", label: `${label} (${members.length})`, members, w, h,
    home: { x, y, w, h }, order: orders.length ? extremeOf(orders, -1) : null };
}
function settle(group, x, y) {
  const { home } = group;
  const left = x(home.x - home.w / 2), right = x(home.x + home.w / 2), top = y(home.y - home.h / 2), bottom = y(home.y + home.h / 2);
  Object.assign(group, { x: (left + right) / 2, y: (top + bottom) / 2, w: right - left, h: bottom - top });
}
function closed(axis, size) {
  // Where a place moves to when every gap without a box is made GAP wide.
  if (!state.folded.size) return (value) => value;
  const span = ({ home }) => [home[axis] - home[size] / 2, home[axis] + home[size] / 2];
  const spans = shown.map(span);
  for (const group of groups.values()) {
    if (!isOpen(group)) continue;
    const [low, high] = span(group);
    spans.push([low, low], [high - (axis === "y" ? TITLE : 0), high]);
  }
  spans.sort((one, other) => one[0] - other[0]);
  const gaps = [];
  let reached = spans[0][0], taken = 0;
  for (const [low, high] of spans) {
    if (low - reached > GAP) {
      gaps.push({ from: reached, to: low, taken });
      taken += low - reached - GAP;
    }
    reached = Math.max(reached, high);
  }
  return (value) => {
    let first = 0, last = gaps.length;
    while (first < last) {
      const middle = (first + last) >> 1;
      if (gaps[middle].from < value) first = middle + 1; else last = middle;
    }
    if (!first) return value;
    const gap = gaps[first - 1];
    const part = Math.min(1, (value - gap.from) / (gap.to - gap.from));
    return value - gap.taken - part * (gap.to - gap.from - GAP);
  };
}
let moved = null; // what `closed` found
function piece(number, at, from, to) {
  // The way of a line past other boxes, from one of its points to where it ends or runs into another
  // line; cut off where it goes into a folded module. Without `from` it is only what others run into.
  const ends = graph.edges[number];
  const frame = (box) => (box?.members && groups.get(box.group).home.w != null ? groups.get(box.group).home : null);
  const within = (home, [x, y]) => home !== null && Math.abs(x - home.x) <= home.w / 2 + 1 && Math.abs(y - home.y) <= home.h / 2 + 1;
  const points = from && (from.members || !ends.way) ? [[from.home.x, from.home.y + from.home.h / 2]] : [];
  const begin = frame(from), end = frame(to);
  let edge = ends;
  while (edge?.way && within(begin, point(edge, at))) {
    at += 1;
    if (at < edge.way.length / 2) continue;
    const next = edge.joins;
    edge = next ? graph.edges[next[0]] : null;
    [number, at] = next || [null, 0];
  }
  const first = at;
  let inside = false;
  for (; edge?.way && at < edge.way.length / 2 && !inside; at++) {
    inside = within(end, point(edge, at));
    if (!inside) points.push(point(edge, at));
  }
  const joins = edge?.joins && !inside ? edge.joins : null;
  if (!joins && (to.members || points.length < 2)) points.push([to.home.x, to.home.y - to.home.h / 2]);
  const way = points.map(([x, y]) => [moved.x(x), moved.y(y)]);
  const [left, right] = range(way, 0), [top, bottom] = range(way, 1);
  return { from: from || to, to, number: edge ? number : null, first, joins, ends, cut: ends.cut || null,
    saved: ends.kind === "saved", way, left, right, top, bottom };
}
const point = (edge, at) => [edge.way[2 * at], edge.way[2 * at + 1]];
function trunks(found) {
  // What lines run into, where that is not drawn itself.
  const drawn = new Map(); // edge -> its first point that is drawn
  for (const { number, first } of found) if (number !== null) drawn.set(number, Math.min(first, drawn.get(number) ?? first));
  const extra = [];
  for (const line of found) {
    for (let next = line.joins; next && !(drawn.get(next[0]) <= next[1]);) {
      drawn.set(next[0], next[1]);
      const trunk = piece(next[0], next[1], null, line.to);
      extra.push(trunk);
      next = trunk.joins;
    }
  }
  return extra;
}
function markPath() {
  // The lines of the paths to the chosen leaf, with what they run into.
  const on = state.path.size ? lines.filter(({ ends }) => state.path.has(ends.from) && state.path.has(ends.to)) : [];
  state.onPath = [...on, ...trunks(on)];
  state.onPathSet = new Set(on);
}
function extremeOf(values, sign) {
  let best = sign > 0 ? -Infinity : Infinity;
  for (const value of values) if (sign > 0 ? value > best : value < best) best = value;
  return best;
}
function range(points, at) {
  const values = points.map((point) => point[at]);
  return [extremeOf(values, -1), extremeOf(values, 1)];
}

// Drawing

let colors = {};
function readColors() {
  const style = getComputedStyle(document.documentElement);
  for (const name of ["ground", "ink", "faint", "line", "edge", "border", "node", "leaf", "parameter", "root", "saved",
    "custom", "double", "cut", "chosen", "path", "panel"]) colors[name] = style.getPropertyValue(`--${name}`).trim();
  colors.group = colors.panel;
}
const FONT = "system-ui, 'Noto Sans KR', sans-serif";
const LEGIBLE = 0.45; // the scale from which on words are drawn
let waiting = false;
function draw() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => { waiting = false; paint(); });
}
function paint() {
  const ratio = window.devicePixelRatio || 1;
  const { clientWidth: width, clientHeight: height } = canvas;
  if (canvas.width !== width * ratio || canvas.height !== height * ratio) {
    canvas.width = width * ratio;
    canvas.height = height * ratio;
  }
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  const { scale } = state;
  pen.setTransform(ratio * scale, 0, 0, ratio * scale, ratio * state.x, ratio * state.y);
  const left = -state.x / scale, top = -state.y / scale;
  const right = left + width / scale, bottom = top + height / scale;
  const inside = (box) => box.x + box.w / 2 > left && box.x - box.w / 2 < right
    && box.y + box.h / 2 > top && box.y - box.h / 2 < bottom;
  const legible = scale > LEGIBLE;
  frames(inside);
  strokes(lines.filter((one) => one.right > left && one.left < right && one.bottom > top && one.top < bottom), legible);
  if (legible) titles(inside);
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  const boxes = shown.filter(inside);
  if (!legible) blocks(boxes);
  for (const box of boxes) if (legible || isMarked(box)) paintBox(box, legible);
  pen.globalAlpha = 1;
}
const any = (box, set) => set.size > 0 && (box.members ? box.members.some((one) => set.has(one.id)) : set.has(box.id));
const isRunning = (box) => box.order != null && state.step < ordered.length && box.order === state.step - 1;
const isMarked = (box) => box.id === state.chosen || isRunning(box) || any(box, state.foundSet) || any(box, state.path);
const isLate = (box) => box.order != null && box.order >= state.step;
const isFaint = (box) => isLate(box) || (state.path.size > 0 && !any(box, state.path));
function strokes(seen, legible) {
  // Lines of one kind in one path: thousands of strokes cost more than one.
  const kinds = { faint: [], plain: [], saved: [], cut: [], path: state.onPath };
  for (const line of seen) {
    if (state.onPathSet.has(line) && !line.cut) continue;
    kinds[line.cut ? "cut" : state.path.size || isLate(line.to) ? "faint" : line.saved ? "saved" : "plain"].push(line);
  }
  const dashes = { cut: [6, 4], saved: [2, 3] };
  for (const [kind, found] of Object.entries(kinds)) {
    pen.beginPath();
    for (const { way } of found) {
      let [x, y] = way[0];
      pen.moveTo(x, y);
      for (const [nextX, nextY] of way) {
        const middle = (y + nextY) / 2;
        if (legible && nextX !== x) pen.bezierCurveTo(x, middle, nextX, middle, nextX, nextY);
        else pen.lineTo(nextX, nextY);
        x = nextX;
        y = nextY;
      }
    }
    pen.globalAlpha = kind === "faint" ? 0.3 : 1;
    pen.strokeStyle = kind === "cut" || kind === "path" ? colors[kind] : colors.edge;
    pen.lineWidth = (kind === "path" ? 2.5 : kind === "cut" ? 1.5 : 1) / Math.min(1, Math.max(state.scale, 0.5));
    pen.setLineDash((legible && dashes[kind]) || []);
    pen.stroke();
  }
  pen.globalAlpha = 1;
  pen.setLineDash([]);
  if (!legible) return;
  pen.font = `11px ${FONT}`;
  for (const { from, to, cut, way } of kinds.cut) {
    if (from.kind === "cut" || to.kind === "cut") continue; // that box says it
    const [x, y] = way[way.length >> 1], [earlierX, earlierY] = way[(way.length >> 1) - 1];
    named(cut, (x + earlierX) / 2, (y + earlierY) / 2);
  }
}
function named(words, x, y) {
  // Words on a line, which is not seen through them.
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  const width = pen.measureText(words).width + 6;
  pen.fillStyle = colors.ground;
  pen.fillRect(x - width / 2, y - 7, width, 14);
  pen.fillStyle = colors.cut;
  pen.fillText(words, x, y);
}
function paintBox(box, legible) {
  const isCut = box.kind === "cut", chosen = box.id === state.chosen || isRunning(box);
  const marked = any(box, state.foundSet), on = any(box, state.path);
  pen.globalAlpha = isFaint(box) && !chosen && !marked ? 0.35 : 1;
  pen.fillStyle = isCut ? colors.ground : colors[box.kind] || colors.node;
  pen.beginPath();
  if (legible && pen.roundRect) pen.roundRect(box.x - box.w / 2, box.y - box.h / 2, box.w, box.h, 6);
  else pen.rect(box.x - box.w / 2, box.y - box.h / 2, box.w, box.h);
  pen.fill();
  pen.strokeStyle = chosen || marked ? colors.chosen : on ? colors.path : isCut ? colors.cut : colors.border;
  pen.setLineDash(isCut ? [4, 3] : []);
  pen.lineWidth = (chosen ? 3 : marked || on ? 2 : 1) / Math.min(1, state.scale);
  pen.stroke();
  pen.setLineDash([]);
  if (!legible) return;
  const [first, second] = words(box);
  pen.fillStyle = isCut ? colors.cut : colors.ink;
  pen.font = `13px ${FONT}`;
  pen.fillText(first, box.x, second ? box.y - 8 : box.y, box.w - 8);
  if (second) {
    pen.font = `11px ${FONT}`;
    pen.fillText(second, box.x, box.y + 9, box.w - 8);
  }
}
function words(box) {
  // The two lines of a box: a node and its operator, or a tensor and its shape.
  if (box.members) return [box.label, null];
  const shape = box.shape ? shapeText(box) : null;
  if (!["leaf", "parameter", "root", "saved", "cut"].includes(box.kind)) {
    return [box.label, box.name && box.name !== box.label ? `${box.name} ${shape || ""}` : shape];
  }
  return [box.name || text("kinds")[box.kind], shape];
}
const isOpen = (group) => group.home.w != null && holder({ group: group.id }) === null;
function frames(inside) {
  // Modules that are not folded, the outer ones first.
  for (const group of groups.values()) {
    if (!isOpen(group) || !inside(group)) continue;
    const x = group.x - group.w / 2, y = group.y - group.h / 2;
    pen.globalAlpha = 0.5;
    pen.fillStyle = colors.panel;
    pen.fillRect(x, y, group.w, group.h);
    pen.globalAlpha = 1;
    const chosen = `group ${group.id}` === state.chosen;
    pen.strokeStyle = chosen ? colors.chosen : colors.line;
    pen.lineWidth = (chosen ? 3 : 1) / state.scale;
    pen.strokeRect(x, y, group.w, group.h);
  }
}
function titles(inside) {
  // Above the lines, which are not seen through them.
  pen.font = `12px ${FONT}`;
  pen.textAlign = "left";
  pen.textBaseline = "top";
  pen.lineWidth = 4;
  pen.strokeStyle = colors.panel;
  pen.fillStyle = colors.faint;
  for (const group of groups.values()) {
    if (!isOpen(group) || !inside(group)) continue;
    const x = group.x - group.w / 2 + 6, y = group.y + group.h / 2 - 16;
    pen.strokeText(group.label, x, y, group.w - 12);
    pen.fillText(group.label, x, y, group.w - 12);
  }
}
function blocks(boxes) {
  // From afar: one fill and one outline for each colour, without words.
  const kinds = new Map();
  for (const box of boxes) {
    const kind = `${isFaint(box) ? "faint " : ""}${box.kind}`;
    if (!kinds.has(kind)) kinds.set(kind, []);
    kinds.get(kind).push(box);
  }
  pen.strokeStyle = colors.border;
  pen.lineWidth = 0.6 / state.scale;
  for (const [kind, found] of kinds) {
    pen.globalAlpha = kind.startsWith("faint ") ? 0.35 : 1;
    pen.fillStyle = colors[kind.replace("faint ", "")] || colors.node;
    pen.beginPath();
    for (const box of found) pen.rect(box.x - box.w / 2, box.y - box.h / 2, box.w, box.h);
    pen.fill();
    pen.stroke();
  }
  pen.globalAlpha = 1;
}
const shapeText = (box) => `(${[].concat(box.shape).join(", ")})`;

// Moving

function fit() {
  if (!shown.length) return;
  const all = [...shown, ...[...groups.values()].filter(isOpen)];
  const low = (key, size) => extreme(all, key, size, -1);
  const high = (key, size) => extreme(all, key, size, 1);
  const left = low("x", "w"), right = high("x", "w"), top = low("y", "h"), bottom = high("y", "h");
  const scale = Math.min(canvas.clientWidth / (right - left + 60), canvas.clientHeight / (bottom - top + 60), 1.5);
  state.scale = Math.max(scale, 0.005);
  state.x = canvas.clientWidth / 2 - state.scale * (left + right) / 2;
  state.y = canvas.clientHeight / 2 - state.scale * (top + bottom) / 2;
  draw();
}
function begin() {
  // The whole, or, where its words would be too small, the loss and what is below it.
  fit();
  if (!shown.length || state.scale > LEGIBLE) return;
  const first = byPlace()[0];
  state.scale = 0.9;
  state.x = canvas.clientWidth / 2 - state.scale * first.x;
  state.y = 24 - state.scale * (first.y - first.h / 2);
  draw();
}
const extreme = (boxes, key, size, sign) => extremeOf(boxes.map((box) => box[key] + sign * box[size] / 2), sign);
function zoom(factor, x = canvas.clientWidth / 2, y = canvas.clientHeight / 2) {
  const scale = Math.min(8, Math.max(0.005, state.scale * factor));
  state.x = x - (x - state.x) * scale / state.scale;
  state.y = y - (y - state.y) * scale / state.scale;
  state.scale = scale;
  draw();
}
function pan(dx, dy) {
  state.x += dx;
  state.y += dy;
  draw();
}
function centre(box) {
  if (state.scale < 0.5) state.scale = 1;
  state.x = canvas.clientWidth / 2 - state.scale * box.x;
  state.y = canvas.clientHeight / 2 - state.scale * box.y;
  draw();
}
function boxAt(event) {
  const frame = canvas.getBoundingClientRect();
  const x = (event.clientX - frame.left - state.x) / state.scale;
  const y = (event.clientY - frame.top - state.y) / state.scale;
  for (let i = shown.length - 1; i >= 0; i--) {
    const box = shown[i];
    if (Math.abs(x - box.x) <= box.w / 2 && Math.abs(y - box.y) <= box.h / 2) return box;
  }
  return null;
}
function frameAt(event) {
  // The innermost open module there.
  const frame = canvas.getBoundingClientRect();
  const x = (event.clientX - frame.left - state.x) / state.scale;
  const y = (event.clientY - frame.top - state.y) / state.scale;
  return [...groups.values()].reverse().find((one) => isOpen(one)
    && Math.abs(x - one.x) <= one.w / 2 && Math.abs(y - one.y) <= one.h / 2)?.id ?? null;
}

// Choosing

const byPlace = () => [...shown].sort((one, other) => one.y - other.y || one.x - other.x);
function choose(id, move = false) {
  state.chosen = id;
  state.path = new Set();
  const node = nodes.get(id);
  if (node && (node.kind === "leaf" || node.kind === "parameter")) {
    const queue = [id];
    state.path.add(id);
    while (queue.length) {
      for (const one of before.get(queue.pop()) || []) {
        if (!state.path.has(one)) { state.path.add(one); queue.push(one); }
      }
    }
  }
  if (node && move) {
    const folded = holder(node);
    if (folded !== null) toggle(folded);
  }
  markPath();
  const box = move && shown.find((one) => one.id === id);
  if (box) centre(box);
  details();
  draw();
}
function toggle(id) {
  if (!state.folded.delete(id)) state.folded.add(id);
  arrange();
  draw();
}
function toggleAndChoose(id) {
  toggle(id);
  choose(state.folded.has(id) ? `group ${id}` : groups.get(id).members[0].id);
}
function element(name, content, className) {
  const made = document.createElement(name);
  if (content != null) made.textContent = content;
  if (className) made.className = className;
  return made;
}
function pathOf(id) {
  const labels = [];
  for (; groups.has(id); id = groups.get(id).parent) labels.unshift(groups.get(id).label);
  return labels.filter((label) => label).join(".");
}
const chosenGroup = () => [...groups.values()].find((one) => `group ${one.id}` === state.chosen);
function details() {
  const panel = byId("details");
  panel.replaceChildren();
  const group = chosenGroup();
  const node = nodes.get(state.chosen);
  if (group) {
    panel.append(element("h2", pathOf(group.id)));
    panel.append(pairs([[text("members"), group.members.length]]));
    const open = element("button", text(state.folded.has(group.id) ? "open" : "close"));
    open.onclick = () => toggleAndChoose(group.id);
    panel.append(open);
    return;
  }
  if (!node) { panel.append(element("p", text("none")), legend()); return; }
  panel.append(element("h2", node.name && node.name !== node.label ? `${node.label}: ${node.name}` : node.label));
  panel.append(pairs([
    [text("kind"), text("kinds")[node.kind] || node.kind], [text("shape"), node.shape && shapeText(node)], [text("dtype"), node.dtype],
    [text("line"), node.place], [text("group"), groups.has(node.group) ? pathOf(node.group) : null],
    [text("order"), node.order != null ? node.order + 1 : null],
    [text("inside"), node.inside], [text("formula"), node.formula && element("code", node.formula)],
    [text("lost"), node.lost && text(node.lost)], [text("times"), node.times && text("copies")(node.times)],
    [text("writes"), !(node.writes || []).length && node.label === "CopySlices" ? text("unseen") : null],
    ...(node.writes || []).map((line) => [text("writes"), line]),
  ]));
  if (node.source) panel.append(element("pre", node.source));
  if (state.path.size) panel.append(element("p", text("paths")(state.path.size)));
  if ((node.saved || []).length) {
    const table = element("table");
    table.append(row(["th", text("saved")], ["th", text("shape")], ["th", text("bytes")]));
    for (const one of node.saved) table.append(row(["td", one.name], ["td", one.shape], ["td", amount(one.bytes), "number"]));
    panel.append(table);
  }
  if (node.grad) {
    panel.append(element("h3", text("gradient")));
    panel.append(pairs(["norm", "mean", "max", "zeros", "infinite"].map((key) => [text(key),
      key === "zeros" ? share(node.grad[key]) : key === "infinite" ? node.grad[key] : number(node.grad[key])])));
    const chart = element("div");
    chart.id = "histogram";
    const most = Math.max(1, ...(node.grad.bins || []));
    for (const bin of node.grad.bins || []) {
      const bar = element("i");
      bar.style.height = `${100 * bin / most}%`;
      bar.title = bin;
      chart.append(bar);
    }
    panel.append(chart);
    if (node.grad.low != null) {
      const range = text("between")(number(node.grad.low), number(node.grad.high));
      chart.setAttribute("role", "img");
      chart.setAttribute("aria-label", range);
      panel.append(element("p", range));
    }
  }
}
function legend() {
  // What the colours say.
  const list = element("ul");
  list.id = "legend";
  for (const [kind, name] of Object.entries(text("kinds"))) {
    if (!graph.nodes.some((node) => node.kind === kind)) continue;
    const made = element("li", name);
    made.dataset.kind = kind;
    list.append(made);
  }
  return list;
}
function pairs(found) {
  const list = element("dl");
  for (const [name, value] of found) {
    if (value == null || value === "") continue;
    const made = element("dd");
    made.append(value); // a text, or an element
    list.append(element("dt", name), made);
  }
  return list;
}
function row(...cells) {
  const made = element("tr");
  for (const [name, content, className] of cells) made.append(element(name, content, className));
  return made;
}
const amount = (bytes) => bytes == null ? "" : bytes.toLocaleString(state.language);
const number = (value) => value == null ? null : typeof value === "string" ? value : value.toPrecision(4);
const share = (value) => value == null ? null : `${(100 * value).toFixed(1)}%`;

// Searching

function search(query) {
  const wanted = query.trim().toLowerCase();
  const holds = (node) => [node.label, node.name, node.place, node.source, node.inside]
    .some((one) => one && one.toLowerCase().includes(wanted));
  state.found = wanted ? graph.nodes.filter(holds).map((node) => node.id) : [];
  state.foundSet = new Set(state.found);
  state.at = -1;
  byId("count").textContent = wanted ? text("found")(state.found.length) : "";
  draw();
}
function nextFound() {
  if (!state.found.length) return;
  state.at = (state.at + 1) % state.found.length;
  tab("graph");
  choose(state.found[state.at], true);
}
function neighbour(step) {
  const all = byPlace();
  if (!all.length) return;
  const first = chosenGroup()?.members[0].id; // of an open module
  let at = all.findIndex((box) => box.id === state.chosen);
  if (at < 0) at = all.findIndex((box) => box.id === first);
  choose(all[at < 0 && step < 0 ? all.length - 1 : (at + step + all.length) % all.length].id, true);
}
function around() {
  // The module around what is chosen.
  const group = chosenGroup();
  const id = group ? group.parent : nodes.get(state.chosen)?.group;
  if (groups.has(id)) choose(`group ${id}`);
}

// Playing

function setStep(step) {
  state.step = Math.max(0, Math.min(ordered.length, step));
  byId("slider").value = state.step;
  const node = ordered[state.step - 1];
  const name = node && state.step < ordered.length ? ` ${words(node)[0]}` : "";
  byId("step").textContent = text("step")(state.step, ordered.length) + name;
  draw();
}
function follow() {
  // Brings the node that runs into sight.
  const box = shown.find(isRunning);
  if (!box) return;
  const x = box.x * state.scale + state.x, y = box.y * state.scale + state.y;
  if (x < 0 || x > canvas.clientWidth || y < 0 || y > canvas.clientHeight) centre(box);
}
function play() {
  if (state.timer) { clearInterval(state.timer); state.timer = null; }
  else {
    if (state.step >= ordered.length) setStep(0);
    const stride = Math.max(1, Math.round(ordered.length / 200));
    state.timer = setInterval(() => {
      setStep(state.step + stride);
      follow();
      if (state.step >= ordered.length) play();
    }, 50);
  }
  byId("play").textContent = text(state.timer ? "pause" : "play");
}

// Memory by line

function memory() {
  const place = byId("memory");
  place.replaceChildren();
  const found = graph.lines || [];
  if (!found.length) { place.append(element("p", text("nothing"))); return; }
  const total = found.reduce((sum, one) => sum + one.bytes, 0) || 1;
  const table = element("table");
  table.append(row(["th", text("line")], ["th", text("operators")], ["th", text("bytes")], ["th", text("share")]));
  for (const one of found) {
    const made = row(["td", null], ["td", one.operators], ["td", amount(one.bytes), "number"], ["td", null]);
    made.firstChild.append(one.place ? element("code", one.source ? `${one.place}  ${one.source}` : one.place) : text("nowhere"));
    const bar = element("span", null, "bar");
    bar.style.width = `${100 * one.bytes / total}%`;
    made.lastChild.append(bar);
    table.append(made);
  }
  place.append(table);
}
function tab(name) {
  for (const one of ["graph", "memory"]) byId(`tab-${one}`).setAttribute("aria-selected", one === name);
  byId("memory").hidden = name !== "memory";
  canvas.hidden = name === "memory";
  draw();
}

// Words and colours

function translate() {
  document.documentElement.lang = state.language;
  for (const one of document.querySelectorAll("[data-text]")) one.textContent = text(one.dataset.text);
  for (const one of document.querySelectorAll("[data-hint]")) one.placeholder = text(one.dataset.hint);
  for (const one of document.querySelectorAll("[data-label]")) one.setAttribute("aria-label", text(one.dataset.label));
  byId("search").setAttribute("aria-label", text("search"));
  byId("language").textContent = state.language === "en" ? "한국어" : "English";
  byId("language").lang = state.language === "en" ? "ko" : "en";
  byId("notice").textContent = (graph.notice && graph.notice[state.language]) || "";
  details();
  memory();
  setStep(state.step);
}
function theme() {
  const root = document.documentElement;
  const dark = root.dataset.theme
    ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  readColors();
  draw();
}

// Events

let drag = null;
canvas.addEventListener("pointerdown", (event) => {
  drag = { x: event.clientX, y: event.clientY, moved: false };
  canvas.setPointerCapture(event.pointerId);
});
canvas.addEventListener("pointermove", (event) => {
  if (!drag) return;
  const dx = event.clientX - drag.x, dy = event.clientY - drag.y;
  if (drag.moved || Math.abs(dx) + Math.abs(dy) > 3) {
    pan(dx, dy);
    drag = { x: event.clientX, y: event.clientY, moved: true };
  }
});
canvas.addEventListener("pointerup", (event) => {
  if (drag && !drag.moved) {
    const frame = frameAt(event);
    choose(boxAt(event)?.id ?? (frame === null ? null : `group ${frame}`));
  }
  drag = null;
});
canvas.addEventListener("dblclick", (event) => {
  const id = boxAt(event)?.group ?? frameAt(event);
  if (id != null) toggleAndChoose(id);
});
canvas.addEventListener("wheel", (event) => {
  event.preventDefault();
  const frame = canvas.getBoundingClientRect();
  zoom(Math.exp(-event.deltaY / 500), event.clientX - frame.left, event.clientY - frame.top);
}, { passive: false });
const foldChosen = () => {
  const id = chosenGroup()?.id ?? nodes.get(state.chosen)?.group;
  if (id != null) toggleAndChoose(id);
};
const KEYS = {
  ArrowLeft: () => pan(60, 0), ArrowRight: () => pan(-60, 0), ArrowUp: () => pan(0, 60), ArrowDown: () => pan(0, -60),
  "+": () => zoom(1.25), "=": () => zoom(1.25), "-": () => zoom(0.8), 0: fit, n: () => neighbour(1), p: () => neighbour(-1),
  f: foldChosen, g: around, " ": play, "/": () => byId("search").focus(), Escape: () => choose(null),
};
function isOwn({ target, key }) {
  // Whether a key means something to the element that has the focus.
  if (target.type === "search") return key !== "Escape";
  if (target.type === "range" || target.closest("#memory")) return key.startsWith("Arrow");
  return target instanceof HTMLButtonElement && (key === " " || (target.role === "tab" && key.startsWith("Arrow")));
}
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") { byId("search").value = ""; search(""); canvas.focus(); }
  if (isOwn(event) || event.ctrlKey || event.metaKey || event.altKey) return;
  const action = KEYS[event.key];
  if (action) { event.preventDefault(); action(); }
});
byId("search").addEventListener("input", (event) => search(event.target.value));
byId("search").addEventListener("keydown", (event) => { if (event.key === "Enter") nextFound(); });
byId("fold").onclick = () => { state.folded = new Set(groups.keys()); arrange(); fit(); };
byId("unfold").onclick = () => { state.folded.clear(); arrange(); fit(); };
byId("fit").onclick = fit;
byId("theme").onclick = theme;
byId("language").onclick = () => { state.language = state.language === "en" ? "ko" : "en"; translate(); };
byId("play").onclick = play;
byId("slider").addEventListener("input", (event) => { setStep(Number(event.target.value)); follow(); });
byId("tab-graph").onclick = () => tab("graph");
byId("tab-memory").onclick = () => tab("memory");
document.querySelector("[role=tablist]").addEventListener("keydown", (event) => {
  if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
  const other = byId("memory").hidden ? "memory" : "graph";
  tab(other);
  byId(`tab-${other}`).focus();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { readColors(); draw(); });
new ResizeObserver(draw).observe(canvas);

document.title = graph.title || "seegrad";
byId("title").textContent = graph.title || "seegrad";
byId("slider").max = ordered.length;
readColors();
arrange();
translate();
begin();
