"use strict";
// The words of the page, by language.

const TEXTS = {
  en: {
    graph: "Graph", memory: "Memory", search: "search: name, operator, line", fold: "Fold all",
    unfold: "Unfold all", open: "Unfold", close: "Fold", fit: "Fit", theme: "Light / dark", play: "Play", pause: "Pause",
    picture: "graph of the backward pass", slider: "step of the backward pass",
    keys: "arrows move · + − zoom · 0 fit · / search · n p next, previous node · f fold · g module around · Esc clear · space play",
    none: "Choose a node: click it, or press n.", found: (n) => `${n} found`, step: (n, of) => `step ${n} of ${of}`,
    shape: "shape", dtype: "dtype", line: "line", saved: "saved", formula: "formula", group: "module",
    writes: "written by", gradient: "gradient", order: "runs as", kind: "kind", inputs: "goes on to",
    bytes: "bytes", share: "share", operators: "operators", nothing: "nothing is saved", nowhere: "unknown line (explain.watch() notes them)", members: "nodes inside",
    paths: (n) => `${n} nodes lie on paths from the loss to this leaf`, cut: "cut",
    norm: "norm", mean: "mean size", max: "largest size", zeros: "zeros", infinite: "NaN, infinite",
    between: (low, high) => `from ${low} to ${high}`, unseen: "in place (explain.watch() names the line)",
    lost: "saved values", freed: "freed by a backward pass", overwritten: "overwritten in place",
    kinds: { node: "operator", root: "output", custom: "custom Function", double: "of a gradient", cut: "cut",
      leaf: "leaf", parameter: "parameter", saved: "saved" },
    inside: "inside", times: "stands for", copies: (n) => `${n} of the same, this is the first`,
  },
  ko: {
    graph: "그래프", memory: "메모리", search: "찾기: 이름, 연산, 줄", fold: "모두 접기",
    unfold: "모두 펴기", open: "펴기", close: "접기", fit: "전체 보기", theme: "밝게 / 어둡게", play: "재생", pause: "멈춤",
    picture: "역전파 그래프", slider: "역전파의 단계",
    keys: "화살표 이동 · + − 확대 · 0 전체 · / 찾기 · n p 다음, 이전 노드 · f 접기 · g 둘러싼 모듈 · Esc 해제 · 스페이스 재생",
    none: "노드를 누르거나 n 키로 고르세요.", found: (n) => `${n}개 찾음`, step: (n, of) => `${of}단계 중 ${n}단계`,
    shape: "모양", dtype: "자료형", line: "줄", saved: "저장한 값", formula: "식", group: "모듈",
    writes: "제자리에서 쓴 곳", gradient: "기울기", order: "실행 순서", kind: "종류", inputs: "다음",
    bytes: "바이트", share: "비율", operators: "연산", nothing: "저장한 값이 없습니다", nowhere: "알 수 없는 줄 (explain.watch()가 적어 둡니다)", members: "안의 노드",
    paths: (n) => `손실에서 이 잎까지 가는 길에 노드 ${n}개가 있습니다`, cut: "끊김",
    norm: "노름", mean: "평균 크기", max: "최대 크기", zeros: "0의 비율", infinite: "NaN, 무한대",
    between: (low, high) => `${low}부터 ${high}까지`, unseen: "제자리 쓰기 (explain.watch()가 줄을 알려 줍니다)",
    lost: "저장한 값", freed: "역전파가 해제함", overwritten: "제자리에서 덮어씀",
    kinds: { node: "연산", root: "출력", custom: "사용자 Function", double: "기울기의 연산", cut: "끊김",
      leaf: "잎", parameter: "매개변수", saved: "저장한 값" },
    inside: "안", times: "대표", copies: (n) => `같은 것 ${n}개 중 첫째`,
  },
};
