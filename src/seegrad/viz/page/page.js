"use strict";
// One self-contained page: the graph is in the element #graph, everything below only reads it.
// Whatever comes from the user's program is put in by textContent or drawn by fillText: never as HTML.

const TEXTS = {
  en: {
    graph: "Graph", memory: "Memory", search: "search: name, operator, line", fold: "Fold all",
    unfold: "Unfold all", open: "Unfold", close: "Fold", fit: "Fit", theme: "Light / dark", play: "Play", pause: "Pause",
    picture: "graph of the backward pass", slider: "step of the backward pass",
    keys: "arrows move · + − zoom · 0 fit · / search · n p next, previous node · f fold · Esc clear · space play",
    none: "Choose a node: click it, or press n.", found: (n) => `${n} found`, step: (n, of) => `step ${n} of ${of}`,
    shape: "shape", dtype: "dtype", line: "line", saved: "saved", formula: "formula", group: "module",
    writes: "written by", gradient: "gradient", order: "runs as", kind: "kind", inputs: "goes on to",
    bytes: "bytes", share: "share", operators: "operators", nothing: "nothing is saved", members: "nodes inside",
    paths: (n) => `${n} nodes lie on paths from the loss to this leaf`, cut: "cut",
    norm: "norm", mean: "mean size", max: "largest size", zeros: "zeros", infinite: "NaN, infinite",
    between: (low, high) => `from ${low} to ${high}`, unseen: "in place (explain.watch() names the line)",
    lost: "saved values", freed: "freed by a backward pass", overwritten: "overwritten in place",
    kinds: { node: "operator", root: "output", custom: "custom Function", double: "of a gradient", cut: "cut",
      leaf: "leaf", parameter: "parameter", saved: "saved" },
    times: "stands for", copies: (n) => `${n} of the same, this is the first`,
  },
  ko: {
    graph: "그래프", memory: "메모리", search: "찾기: 이름, 연산, 줄", fold: "모두 접기",
    unfold: "모두 펴기", open: "펴기", close: "접기", fit: "전체 보기", theme: "밝게 / 어둡게", play: "재생", pause: "멈춤",
    picture: "역전파 그래프", slider: "역전파의 단계",
    keys: "화살표 이동 · + − 확대 · 0 전체 · / 찾기 · n p 다음, 이전 노드 · f 접기 · Esc 해제 · 스페이스 재생",
    none: "노드를 누르거나 n 키로 고르세요.", found: (n) => `${n}개 찾음`, step: (n, of) => `${of}단계 중 ${n}`,
    shape: "모양", dtype: "자료형", line: "줄", saved: "저장한 값", formula: "식", group: "모듈",
    writes: "제자리에서 쓴 곳", gradient: "기울기", order: "실행 순서", kind: "종류", inputs: "다음",
    bytes: "바이트", share: "비율", operators: "연산", nothing: "저장한 값이 없습니다", members: "안의 노드",
    paths: (n) => `손실에서 이 잎까지 가는 길에 노드 ${n}개가 있습니다`, cut: "끊김",
    norm: "노름", mean: "평균 크기", max: "최대 크기", zeros: "0의 비율", infinite: "NaN, 무한대",
    between: (low, high) => `${low}부터 ${high}까지`, unseen: "제자리 쓰기 (explain.watch()가 줄을 알려 줍니다)",
    lost: "저장한 값", freed: "역전파가 비움", overwritten: "제자리에서 덮어씀",
    kinds: { node: "연산", root: "출력", custom: "사용자 Function", double: "기울기의 연산", cut: "끊김",
      leaf: "잎", parameter: "매개변수", saved: "저장한 값" },
    times: "묶음", copies: (n) => `같은 것 ${n}개, 이것은 첫째`,
  },
};

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
  scale: 1, x: 0, y: 0, chosen: null, path: new Set(), found: [], foundSet: new Set(), at: -1,
  folded: new Set((graph.folded || []).filter((id) => groups.has(id))), step: ordered.length, timer: null,
  language: graph.language || (navigator.language.startsWith("ko") ? "ko" : "en"),
};
const text = (key) => TEXTS[state.language][key];

// What is shown: nodes, or the outermost folded module around them.

let shown = [];
let lines = [];
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
    if (id === null) {
      shown.push(node);
      places.set(node.id, node);
      continue;
    }
    if (!boxes.has(id)) {
      const group = groups.get(id);
      const n = group.members.length;
      const mean = (key) => group.members.reduce((sum, one) => sum + one[key], 0) / n;
      const box = { id: `group ${id}`, group: id, kind: "group", label: `${group.label} (${n})`, members: n,
        x: mean("x"), y: mean("y"), w: 40 + 7 * (group.label.length + 6), h: 34 };
      boxes.set(id, box);
      shown.push(box);
    }
    places.set(node.id, boxes.get(id));
  }
  const known = new Set();
  lines = [];
  for (const edge of graph.edges) {
    const from = places.get(edge.from), to = places.get(edge.to);
    if (!from || !to || from === to) continue;
    const key = `${from.id}>${to.id}`;
    if (known.has(key)) continue;
    known.add(key);
    lines.push({ from, to, cut: edge.cut || null, ends: edge });
  }
}

// Drawing

let colors = {};
function readColors() {
  const style = getComputedStyle(document.documentElement);
  for (const name of ["ground", "ink", "faint", "line", "node", "leaf", "parameter", "root", "saved", "custom",
    "double", "cut", "chosen", "path", "panel"]) colors[name] = style.getPropertyValue(`--${name}`).trim();
  colors.group = colors.panel;
}
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
  const spans = (a, b) => Math.max(a.x, b.x) > left && Math.min(a.x, b.x) < right
    && Math.max(a.y, b.y) > top && Math.min(a.y, b.y) < bottom;
  frames(inside);
  // Lines of one kind in one path: thousands of strokes cost more than one.
  const kinds = { plain: [], path: [], cut: [] };
  for (const line of lines) {
    if (!spans(line.from, line.to)) continue;
    const on = state.path.has(line.ends.from) && state.path.has(line.ends.to);
    kinds[line.cut ? "cut" : on ? "path" : "plain"].push(line);
  }
  for (const [kind, found] of Object.entries(kinds)) {
    pen.beginPath();
    for (const { from, to } of found) {
      pen.moveTo(from.x, from.y + from.h / 2);
      const middle = (from.y + from.h / 2 + to.y - to.h / 2) / 2;
      if (scale > 0.35) pen.bezierCurveTo(from.x, middle, to.x, middle, to.x, to.y - to.h / 2);
      else pen.lineTo(to.x, to.y - to.h / 2);
    }
    pen.strokeStyle = kind === "plain" ? colors.faint : colors[kind];
    pen.lineWidth = (kind === "plain" ? 1 : 2) / Math.min(1, Math.max(scale, 0.5));
    pen.setLineDash(kind === "cut" && scale > 0.35 ? [6, 4] : []);
    pen.stroke();
  }
  pen.setLineDash([]);
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  const legible = scale > 0.35;
  const boxes = shown.filter(inside);
  if (!legible) blocks(boxes);
  for (const box of boxes) {
    if (!legible && !(state.foundSet.has(box.id) || box.id === state.chosen || state.path.has(box.id))) continue;
    const late = box.order != null && box.order >= state.step;
    pen.globalAlpha = late ? 0.35 : 1;
    const isCut = box.kind === "cut";
    pen.fillStyle = isCut ? colors.ground : colors[box.kind] || colors.node;
    pen.beginPath();
    if (legible && pen.roundRect) pen.roundRect(box.x - box.w / 2, box.y - box.h / 2, box.w, box.h, 6);
    else pen.rect(box.x - box.w / 2, box.y - box.h / 2, box.w, box.h);
    pen.fill();
    const marked = state.foundSet.has(box.id), chosen = box.id === state.chosen;
    if (legible || marked || chosen || state.path.has(box.id)) {
      pen.strokeStyle = chosen || marked ? colors.chosen : state.path.has(box.id) ? colors.path
        : isCut ? colors.cut : colors.line;
      pen.setLineDash(isCut ? [4, 3] : []);
      pen.lineWidth = (chosen ? 3 : marked || state.path.has(box.id) ? 2 : 1) / Math.min(1, scale);
      pen.stroke();
      pen.setLineDash([]);
    }
    if (legible) {
      pen.fillStyle = isCut ? colors.cut : colors.ink;
      pen.font = "13px system-ui, 'Noto Sans KR', sans-serif";
      const second = box.name ? (box.shape ? `${box.name} ${shapeText(box)}` : box.name) : null;
      pen.fillText(box.label, box.x, second ? box.y - 8 : box.y, box.w - 8);
      if (second) {
        pen.font = "11px system-ui, 'Noto Sans KR', sans-serif";
        pen.fillText(second, box.x, box.y + 9, box.w - 8);
      }
    }
    pen.globalAlpha = 1;
  }
  if (legible) {
    pen.fillStyle = colors.cut;
    pen.font = "11px system-ui, sans-serif";
    for (const { from, to, cut } of kinds.cut) pen.fillText(cut, (from.x + to.x) / 2, (from.y + to.y) / 2);
  }
}
const isOpen = (group) => group.w != null && holder({ group: group.id }) === null;
function frames(inside) {
  // Modules that are not folded, the outer ones first.
  pen.lineWidth = 1 / state.scale;
  pen.font = "12px system-ui, 'Noto Sans KR', sans-serif";
  pen.textAlign = "left";
  pen.textBaseline = "top";
  for (const group of groups.values()) {
    if (!isOpen(group) || !inside(group)) continue;
    const x = group.x - group.w / 2, y = group.y - group.h / 2;
    pen.globalAlpha = 0.5;
    pen.fillStyle = colors.panel;
    pen.fillRect(x, y, group.w, group.h);
    pen.globalAlpha = 1;
    pen.strokeStyle = `group ${group.id}` === state.chosen ? colors.chosen : colors.line;
    pen.strokeRect(x, y, group.w, group.h);
    pen.fillStyle = colors.faint;
    if (state.scale > 0.35) pen.fillText(group.label, x + 6, y + group.h - 16, group.w - 12);
  }
}
function blocks(boxes) {
  // From afar: one fill for each colour, without outlines and words.
  const kinds = new Map();
  for (const box of boxes) {
    const kind = `${box.order != null && box.order >= state.step ? "late " : ""}${box.kind}`;
    if (!kinds.has(kind)) kinds.set(kind, []);
    kinds.get(kind).push(box);
  }
  for (const [kind, found] of kinds) {
    pen.globalAlpha = kind.startsWith("late ") ? 0.35 : 1;
    pen.fillStyle = colors[kind.replace("late ", "")] || colors.node;
    for (const box of found) pen.fillRect(box.x - box.w / 2, box.y - box.h / 2, box.w, box.h);
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
function extreme(boxes, key, size, sign) {
  let best = sign > 0 ? -Infinity : Infinity;
  for (const box of boxes) {
    const value = box[key] + sign * box[size] / 2;
    if (sign > 0 ? value > best : value < best) best = value;
  }
  return best;
}
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
    centre(node);
  }
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
  if (!node) { panel.append(element("p", text("none"))); return; }
  panel.append(element("h2", node.name && node.name !== node.label ? `${node.label}: ${node.name}` : node.label));
  panel.append(pairs([
    [text("kind"), text("kinds")[node.kind] || node.kind], [text("shape"), node.shape && shapeText(node)], [text("dtype"), node.dtype],
    [text("line"), node.place], [text("group"), groups.has(node.group) ? pathOf(node.group) : null],
    [text("order"), node.order != null ? node.order + 1 : null], [text("formula"), node.formula],
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
function pairs(found) {
  const list = element("dl");
  for (const [name, value] of found) {
    if (value == null || value === "") continue;
    list.append(element("dt", name), element("dd", value));
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
  const holds = (node) => [node.label, node.name, node.place, node.source]
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
  choose(state.found[state.at], true);
}
function neighbour(step) {
  const all = ordered.length ? ordered : graph.nodes;
  const at = all.findIndex((node) => node.id === state.chosen);
  choose(all[(at + step + all.length) % all.length].id, true);
}

// Playing

function setStep(step) {
  state.step = Math.max(0, Math.min(ordered.length, step));
  byId("slider").value = state.step;
  byId("step").textContent = text("step")(state.step, ordered.length);
  draw();
}
function play() {
  if (state.timer) { clearInterval(state.timer); state.timer = null; }
  else {
    if (state.step >= ordered.length) setStep(0);
    const stride = Math.max(1, Math.round(ordered.length / 200));
    state.timer = setInterval(() => {
      setStep(state.step + stride);
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
    made.firstChild.append(element("code", one.source ? `${one.place}  ${one.source}` : one.place));
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
  f: foldChosen, " ": play, "/": () => byId("search").focus(), Escape: () => choose(null),
};
document.addEventListener("keydown", (event) => {
  const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLButtonElement;
  if (event.key === "Escape") { byId("search").value = ""; search(""); canvas.focus(); }
  if ((typing && event.key !== "Escape") || event.ctrlKey || event.metaKey || event.altKey) return;
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
byId("slider").addEventListener("input", (event) => setStep(Number(event.target.value)));
byId("tab-graph").onclick = () => tab("graph");
byId("tab-memory").onclick = () => tab("memory");
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { readColors(); draw(); });
new ResizeObserver(draw).observe(canvas);

document.title = graph.title || "seegrad";
byId("title").textContent = graph.title || "seegrad";
byId("slider").max = ordered.length;
readColors();
arrange();
translate();
fit();
