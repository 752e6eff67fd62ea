// The picture of an invalid access: the object, its bounds, and the bytes that were touched.

const MEMORY_WIDTH = 460;
const MEMORY_MARGIN = 34;

/** Objects of up to this many bytes are drawn byte by byte. */
const MAX_BYTES_DRAWN = 64;

const LEAST_WIDTH = 4;

/**
 * From offsets to pixels. Where the access is far away, what is between it and the object is shortened.
 */
function memoryScale({ size, offset, length }) {
  const [first, second] =
    offset < 0
      ? [
          [offset, offset + length],
          [0, size],
        ]
      : [
          [0, size],
          [offset, offset + length],
        ];
  const gap = Math.max(0, second[0] - first[1]);
  const longest = Math.max(first[1] - first[0], second[1] - second[0], 1);
  const left = gap - Math.min(gap, longest);
  const shorten = (at) => (left > 0 && at >= second[0] ? at - left : at);
  const low = first[0];
  const high = Math.max(first[1], shorten(second[1]), low + 1);
  const scale = (at) =>
    MEMORY_MARGIN + ((shorten(at) - low) / (high - low)) * (MEMORY_WIDTH - 2 * MEMORY_MARGIN);
  return { scale, cut: left > 0 ? scale(first[1]) / 2 + scale(second[0]) / 2 : null };
}

/** `null` if there is nothing to draw. */
function memoryFigure(memory, place) {
  if (memory === null) {
    return null;
  }
  const { size, offset, length, state, access } = memory;
  const { scale, cut } = memoryScale(memory);
  const box = (from, to, y, height, kind) =>
    svgElement("rect", {
      x: scale(from),
      y,
      width: Math.max(scale(to) - scale(from), LEAST_WIDTH),
      height,
      class: kind,
    });
  const label = (at, y, text, kind) =>
    svgElement("text", { x: scale(at), y, class: kind, "text-anchor": "middle" }, text);
  const cells = [];
  for (let at = 1; size <= MAX_BYTES_DRAWN && at < size; at++) {
    cells.push(svgElement("line", { x1: scale(at), x2: scale(at), y1: 30, y2: 54, class: "memory-cell" }));
  }
  const end = offset + Math.max(length, 1);
  const ended = memory.ended === null ? "" : ` (${place(memory.ended)})`;
  const states = { alive: "", freed: `freed${ended}`, ended: `its lifetime has ended${ended}` };
  return element(
    "figure",
    { class: "memory" },
    svgElement(
      "svg",
      {
        viewBox: `0 0 ${MEMORY_WIDTH} 92`,
        width: MEMORY_WIDTH,
        height: 92,
        role: "img",
        "aria-label": `${memory.object}: ${access}`,
      },
      box(0, size, 30, 24, `memory-object ${state}`),
      cells,
      box(offset, end, 26, 32, "memory-access"),
      cut !== null && svgElement("text", { x: cut, y: 46, class: "memory-cut", "text-anchor": "middle" }, "…"),
      label(0, 20, "0", "memory-bound"),
      size > 0 && label(size, 20, String(size), "memory-bound"),
      label(offset, 74, String(offset), "memory-touched"),
      end - offset > 1 && scale(end) - scale(offset) > 24 && label(end, 74, String(end), "memory-touched"),
    ),
    element(
      "figcaption",
      {},
      element("span", { class: "memory-key object" }, memory.object),
      states[state] !== "" && element("span", { class: "memory-key gone" }, states[state]),
      element("span", { class: "memory-key access" }, access),
    ),
  );
}
