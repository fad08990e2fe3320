// The pieces, drawn for this project: one set of outlines, coloured by the style sheet.
// Every drawing fits a square of 100 by 100; `body` is filled and outlined, `line` is drawn on top of it.

const SVG = "http://www.w3.org/2000/svg";
const BASE = "M25 89H75Q80 89 80 84Q80 77 73 77H27Q20 77 20 84Q20 89 25 89Z";

const DRAWINGS = {
  p: {
    body: ["M43 43C43 57 37 65 30 77H70C63 65 57 57 57 43Z", BASE, "M37 40H63Q67 40 67 43.500Q67 47 63 47H37Q33 47 33 43.500Q33 40 37 40Z",
           "M50 13A13.500 13.500 0 1 1 49.990 13Z"],
    line: [],
  },
  r: {
    body: ["M36 42H64L67 70L72 77H28L33 70Z", BASE, "M27 15H38V23H45V15H55V23H62V15H73V34L65 42H35L27 34Z"],
    line: ["M35 42H65", "M33 69H67"],
  },
  n: {
    body: ["M30 77C30 62 45 58 47 46C41 51 36 53 31 54C28 56 26 61 22 60C16 58 14 53 17 47C21 39 26 36 28 29C30 23 34 20 39 18L38 8L48 16C66 17 77 33 78 54C78.500 64 76 71 73 77Z", BASE],
    line: ["M56 25C66 33 69 45 67 63", "M21 56L28 52"],
    dots: [[36, 31, 2.8]],
  },
  b: {
    body: ["M41 67C40 72 36 75 30 77H70C64 75 60 72 59 67Z", BASE,
           "M50 20C65 31 71 43 66 55C64 59 61 61 59 62H41C39 61 36 59 34 55C29 43 35 31 50 20Z",
           "M38 61H62Q66 61 66 64.500Q66 68 62 68H38Q34 68 34 64.500Q34 61 38 61Z", "M50 9A6 6 0 1 1 49.990 9Z"],
    line: ["M53 33L60 45"],
  },
  q: {
    body: ["M28 64H72C72 70 73 74 75 77H25C27 74 28 70 28 64Z", BASE,
           "M16 33L28 65H72L84 33L69 50L66 23L56 48L50 18L44 48L34 23L31 50Z",
           "M16 25A4.800 4.800 0 1 1 15.990 25Z", "M34 15A4.800 4.800 0 1 1 33.990 15Z", "M50 10A4.800 4.800 0 1 1 49.990 10Z",
           "M66 15A4.800 4.800 0 1 1 65.990 15Z", "M84 25A4.800 4.800 0 1 1 83.990 25Z"],
    line: ["M29 65H71"],
  },
  k: {
    body: ["M29 64H71C71 70 73 74 75 77H25C27 74 29 70 29 64Z", BASE,
           "M46.500 6H53.500V12H60V19H53.500V29H46.500V19H40V12H46.500Z",
           "M50 37C45 27 31 25 23 34C15 44 22 56 30 65H70C78 56 85 44 77 34C69 25 55 27 50 37Z"],
    line: ["M30 65H70", "M50 38V64"],
  },
};

const NAMES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };

export function colourOf(letter) {
  return letter === letter.toUpperCase() ? "white" : "black";
}

export function roleName(letter) {
  return NAMES[letter.toLowerCase()];
}

// "white knight", for people who hear the board rather than see it.
export function pieceName(letter) {
  return `${colourOf(letter)} ${roleName(letter)}`;
}

export function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

// A drawing of the piece with that FEN letter.
export function drawPiece(letter) {
  const drawing = DRAWINGS[letter.toLowerCase()];
  return svg(
    "svg",
    { viewBox: "0 0 100 100", class: `piece ${colourOf(letter)}`, "aria-hidden": "true", focusable: "false" },
    ...drawing.body.map((d) => svg("path", { d, class: "body", fill: `url(#shade-${colourOf(letter)})` })),
    ...drawing.line.map((d) => svg("path", { d, class: "line" })),
    ...(drawing.dots ?? []).map(([cx, cy, r]) => svg("circle", { cx, cy, r, class: "dot" })),
  );
}

// Light falls from the upper left, on all pieces alike: each drawing is shaded over its whole square.
const SHADES = { white: ["#ffffff", "#fdf8ec", "#ddceb2"], black: ["#6a5d53", "#40372f", "#1e1916"] };

document.body.append(
  svg("svg", { class: "shades", "aria-hidden": "true", focusable: "false" },
    ...Object.entries(SHADES).map(([colour, [top, middle, bottom]]) =>
      svg("linearGradient", { id: `shade-${colour}`, gradientUnits: "userSpaceOnUse", x1: 22, y1: 8, x2: 82, y2: 92 },
        svg("stop", { offset: 0, "stop-color": top }), svg("stop", { offset: 0.45, "stop-color": middle }), svg("stop", { offset: 1, "stop-color": bottom })))),
);
