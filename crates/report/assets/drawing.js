// The picture of a graph: boxes, edges, and the knobs on boxes.

/** Boxes are drawn with their text from this scale on; smaller it cannot be read. */
const TEXT_SCALE = 0.5;

/** More cover edges than this hide everything else; then only those of the selected box are drawn. */
const MAX_COVERS = 400;

/** Lines that are drawn in one go: fewer calls, but no path that takes long by itself. */
const LINES_AT_ONCE = 100;

const RIMS = {
  plain: "line-strong",
  entry: "accent",
  exit: "accent",
  loop_head: "loop",
  error: "bad",
  covered: "cover",
};

const EDGE_COLOURS = { plain: "edge", trace: "bad", cover: "cover" };

/** Draws what a view shows, where the view is. */
class Painter {
  constructor(view) {
    this.view = view;
  }

  draw() {
    const pen = this.view.canvas.getContext("2d");
    const { x, y, scale } = this.view.place;
    const { width, height } = this.view.canvas;
    const styles = getComputedStyle(this.view.canvas);
    const known = new Map();
    this.colour = (name) => {
      if (!known.has(name)) {
        known.set(name, styles.getPropertyValue(`--${name}`));
      }
      return known.get(name);
    };
    const ratio = devicePixelRatio;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.setTransform(scale * ratio, 0, 0, scale * ratio, x * ratio, y * ratio);
    const margin = 40;
    const seen = {
      left: -x / scale - margin,
      right: (width / ratio - x) / scale + margin,
      top: -y / scale - margin,
      bottom: (height / ratio - y) / scale + margin,
    };
    const isSeen = (box) =>
      box.x + box.width / 2 >= seen.left &&
      box.x - box.width / 2 <= seen.right &&
      box.y + BOX.height >= seen.top &&
      box.y <= seen.bottom;
    const boxes = this.view.layout.boxes.filter(isSeen);
    const edges = this.edgesToDraw().filter((edge) => isEdgeSeen(edge, seen));
    if (scale >= TEXT_SCALE) {
      this.drawNear(pen, boxes, edges);
    } else {
      this.drawFar(pen, boxes, edges);
    }
  }

  edgesToDraw() {
    const { edges } = this.view.layout;
    if (edges.filter(({ kind }) => kind === "cover").length <= MAX_COVERS) {
      return edges;
    }
    const selected = this.view.selectedBox();
    return edges.filter(
      ({ kind, source, target }) => kind !== "cover" || source === selected || target === selected,
    );
  }

  drawNear(pen, boxes, edges) {
    pen.textBaseline = "middle";
    edges.forEach((edge) => this.drawEdge(pen, edge));
    edges.forEach((edge) => this.drawEdgeLabel(pen, edge));
    const selected = this.view.selectedBox();
    boxes.forEach((box) => this.drawBox(pen, box, box === selected));
  }

  /** Too small to read: lines and rectangles, which are drawn much faster. */
  drawFar(pen, boxes, edges) {
    const pixel = 1 / this.view.place.scale;
    for (const [kind, colour] of Object.entries(EDGE_COLOURS)) {
      const lines = edges.filter((edge) => edge.kind === kind);
      pen.strokeStyle = this.colour(colour);
      pen.lineWidth = (kind === "trace" ? 1.8 : 0.8) * pixel;
      for (let first = 0; first < lines.length; first += LINES_AT_ONCE) {
        pen.beginPath();
        for (const { source, target } of lines.slice(first, first + LINES_AT_ONCE)) {
          pen.moveTo(source.x, source.y + BOX.height);
          pen.lineTo(target.x, target.y);
        }
        pen.stroke();
      }
    }
    const selected = this.view.selectedBox();
    const frame = (box, colour, grow) => {
      pen.fillStyle = this.colour(colour);
      pen.fillRect(
        box.x - box.width / 2 - grow,
        box.y - grow,
        box.width + 2 * grow,
        BOX.height + 2 * grow,
      );
    };
    for (const box of boxes) {
      if (this.isFound(box)) {
        frame(box, "found", 4 * pixel);
      }
      if (box === selected) {
        frame(box, "accent", 4 * pixel);
      }
      frame(box, RIMS[this.view.graph.nodes[box.nodes[0]].kind], 0);
    }
  }

  isFound(box) {
    return this.view.matches.length > 0 && box.nodes.some((node) => this.view.isMatch.has(node));
  }

  drawEdge(pen, edge) {
    const { kind } = edge;
    const colour = this.colour(EDGE_COLOURS[kind]);
    const curve = edgeCurve(edge);
    pen.strokeStyle = colour;
    pen.fillStyle = colour;
    pen.lineWidth = kind === "trace" ? 2.2 : 1.2;
    pen.setLineDash(kind === "cover" ? [5, 4] : []);
    pen.beginPath();
    pen.moveTo(...curve[0]);
    pen.bezierCurveTo(...curve[1], ...curve[2], ...curve[3]);
    pen.stroke();
    pen.setLineDash([]);
    const [tipX, tipY] = curve[3];
    const angle = Math.atan2(tipY - curve[2][1], tipX - curve[2][0]);
    const wing = (turn) => [tipX - 8 * Math.cos(angle + turn), tipY - 8 * Math.sin(angle + turn)];
    pen.beginPath();
    pen.moveTo(tipX, tipY);
    pen.lineTo(...wing(0.4));
    pen.lineTo(...wing(-0.4));
    pen.fill();
  }

  drawEdgeLabel(pen, edge) {
    if (edge.text === "") {
      return;
    }
    const curve = edgeCurve(edge);
    const width = edge.text.length * EDGE_TEXT.letter;
    let [x, y] = edge.isLabelAbove
      ? [curve[3][0], curve[3][1] - 17]
      : pointOn(curve, edge.isPassage ? 0.65 : 0.5);
    if (edge.source === edge.target) {
      // Beside the loop, not under the box.
      x += width / 2 + 6;
    }
    pen.font = `11px ${this.colour("mono")}`;
    pen.textAlign = "center";
    pen.fillStyle = this.colour("paper");
    pen.globalAlpha = 0.92;
    pen.fillRect(x - width / 2 - 2, y - 7, width + 4, 14);
    pen.globalAlpha = 1;
    pen.fillStyle = this.colour(edge.kind === "trace" ? "bad" : "dim");
    pen.fillText(edge.text, x, y);
  }

  drawBox(pen, box, isSelected) {
    const { kind } = this.view.graph.nodes[box.nodes[0]];
    const [left, top] = [box.x - box.width / 2, box.y];
    const rim = this.colour(RIMS[kind]);
    const outline = (grow) => {
      pen.beginPath();
      pen.roundRect(left - grow, top - grow, box.width + 2 * grow, BOX.height + 2 * grow, 6 + grow);
    };
    pen.strokeStyle = rim;
    pen.lineWidth = 1.2;
    pen.fillStyle = this.colour(kind === "error" ? "bad-soft" : "paper");
    if (box.nodes.length > 1) {
      // A second sheet below the first one.
      pen.beginPath();
      pen.roundRect(left + 4, top + 4, box.width, BOX.height, 6);
      pen.fill();
      pen.stroke();
    }
    outline(0);
    pen.fill();
    pen.setLineDash(kind === "covered" ? [4, 3] : []);
    pen.lineWidth = kind === "plain" || kind === "covered" ? 1.2 : 2;
    pen.stroke();
    pen.setLineDash([]);
    if (this.isFound(box)) {
      pen.strokeStyle = this.colour("found");
      pen.lineWidth = 3;
      outline(3);
      pen.stroke();
    }
    if (isSelected) {
      pen.strokeStyle = this.colour("accent");
      pen.lineWidth = 2.5;
      outline(5);
      pen.stroke();
    }
    pen.font = `12px ${this.colour("mono")}`;
    pen.textAlign = "center";
    pen.fillStyle = this.colour(kind === "covered" ? "dim" : "ink");
    pen.fillText(box.text, box.x, top + BOX.height / 2 + 0.5);
    this.drawHandle(pen, foldHandle(box));
    this.drawHandle(pen, chainHandle(box));
  }

  drawHandle(pen, handle) {
    if (handle === null) {
      return;
    }
    const { left, top, width, height, text, isQuiet } = handle;
    pen.beginPath();
    pen.roundRect(left, top, width, height, height / 2);
    pen.fillStyle = this.colour(isQuiet ? "paper" : "accent");
    pen.strokeStyle = this.colour(isQuiet ? "line-strong" : "accent");
    pen.lineWidth = 1;
    pen.fill();
    pen.stroke();
    pen.font = `600 10px ${this.colour("mono")}`;
    pen.fillStyle = this.colour(isQuiet ? "dim" : "on-accent");
    pen.fillText(text, left + width / 2, top + height / 2 + 0.5);
  }
}

/** The knob below a box that folds and unfolds. */
function foldHandle(box) {
  if (!box.canFold) {
    return null;
  }
  const text = box.isOpen ? "−" : `+${WHOLE_NUMBER.format(box.hidden)}`;
  const width = 10 + text.length * 6.1;
  return {
    left: box.x - width / 2,
    top: box.y + BOX.height - 7,
    width,
    height: 14,
    text,
    isQuiet: box.isOpen,
  };
}

/** The knob at the corner of a chain that takes it apart. */
function chainHandle(box) {
  if (box.nodes.length === 1) {
    return null;
  }
  const text = `×${WHOLE_NUMBER.format(box.nodes.length)}`;
  const width = 10 + text.length * 6.1;
  return {
    left: box.x + box.width / 2 - width / 2,
    top: box.y - 7,
    width,
    height: 14,
    text,
    isQuiet: true,
  };
}

/** The four points of the curve of an edge. */
function edgeCurve({ source, target, kind, isBack, isPassage }) {
  const half = BOX.height / 2;
  const overlap = Math.abs(source.x - target.x) < (source.width + target.width) / 2;
  if (isBack || (kind === "cover" && overlap)) {
    // Around the outer side, away from the rest of the graph.
    const isLoop = source === target;
    const side = source.x < target.x ? -1 : 1;
    const start = [source.x + (side * source.width) / 2, source.y + half];
    const end = [target.x + side * (target.width / 2 + 2), target.y + half + (isLoop ? 8 : 0)];
    const bulge = 40 + Math.min(160, Math.abs(source.y - target.y) * 0.25);
    const far = side * (Math.max(side * start[0], side * end[0]) + bulge);
    return [start, [far, start[1] - (isLoop ? 24 : 0)], [far, end[1]], end];
  }
  const direction = Math.sign(target.x - source.x);
  if (kind === "cover" && source.layer === target.layer) {
    // Below the boxes that stand between them.
    const bottom = source.y + BOX.height;
    const endX = target.x - (direction * target.width) / 4;
    return [
      [source.x, bottom],
      [source.x, bottom + 44],
      [endX, bottom + 44],
      [endX, bottom + 2],
    ];
  }
  if (kind === "cover") {
    const start = [source.x + (direction * source.width) / 2, source.y + half];
    const end = [target.x - direction * (target.width / 2 + 2), target.y + half];
    return [start, [start[0] + direction * 40, start[1]], [end[0] - direction * 60, end[1]], end];
  }
  const start = [source.x, source.y + BOX.height + (source.canFold ? 7 : 0)];
  const end = [target.x, target.y - 1];
  if (isPassage) {
    // Aside at once, then down beside the boxes between.
    return [start, [start[0], start[1] + 36], [end[0], start[1] + 36], end];
  }
  const bend = Math.max(20, (end[1] - start[1]) / 2);
  return [start, [start[0], start[1] + bend], [end[0], end[1] - bend], end];
}

/** The point of a cubic curve at a share of its way. */
function pointOn(curve, share) {
  const rest = 1 - share;
  const weights = [rest ** 3, 3 * rest ** 2 * share, 3 * rest * share ** 2, share ** 3];
  return [0, 1].map((axis) =>
    weights.reduce((sum, weight, index) => sum + weight * curve[index][axis], 0),
  );
}

function isEdgeSeen(edge, { left, right, top, bottom }) {
  const curve = edgeCurve(edge);
  const xs = curve.map(([x]) => x);
  const ys = curve.map(([, y]) => y);
  return (
    Math.min(...xs) <= right &&
    Math.max(...xs) >= left &&
    Math.min(...ys) <= bottom &&
    Math.max(...ys) >= top
  );
}
