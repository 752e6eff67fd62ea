// Where boxes stand: below what leads to them, children side by side.

const BOX = {
  height: 30,
  gapX: 22,
  gapY: 52,
  letter: 7.25,
  padding: 11,
  minWidth: 56,
  maxLetters: 30,
};

/** The text beside an edge is smaller. */
const EDGE_TEXT = { letter: 6.65, maxLetters: 28 };

/** Boxes with places, and the edges between them. */
function layOut(folding) {
  const boxes = folding.boxes();
  const boxOf = folding.boxOf(boxes);
  const edges = edgesBetween(folding.graph.edges, boxOf, boxes);
  for (const box of boxes) {
    box.text = shortened(folding.graph.nodes[box.nodes[0]].label, BOX.maxLetters);
    box.width = Math.max(BOX.minWidth, box.text.length * BOX.letter + 2 * BOX.padding);
  }
  findLayers(boxes, edges);
  reserveLabels(boxes, edges);
  placeBoxes(boxes);
  return { boxes, edges, boxOf };
}

function shortened(text, letters) {
  return text.length > letters ? `${text.slice(0, letters - 1)}…` : text;
}

/**
 * The label of the only edge into a box stands above the box, which needs room for it. The label of an
 * edge that passes layers on the way from parent to child needs room there.
 */
function reserveLabels(boxes, edges) {
  const incoming = new Uint32Array(boxes.length);
  const forward = edges.filter(({ kind, isBack }) => kind !== "cover" && !isBack);
  for (const { target } of forward) {
    incoming[target.index] += 1;
  }
  for (const edge of edges) {
    edge.text = shortened(
      edge.count > 1 ? `${WHOLE_NUMBER.format(edge.count)} edges` : edge.label,
      EDGE_TEXT.maxLetters,
    );
  }
  for (const box of boxes) {
    box.room = box.width;
    box.passage = BOX.gapX;
  }
  for (const edge of forward) {
    const { source, target } = edge;
    const width = edge.text.length * EDGE_TEXT.letter;
    if (incoming[target.index] === 1) {
      edge.isLabelAbove = true;
      target.room = Math.max(target.room, width);
    } else if (target.parent === source) {
      edge.isPassage = target.layer > source.layer + 1;
      target.passage = Math.max(target.passage, width);
    }
  }
}

/** One edge for all edges of the same kind between the same boxes. */
function edgesBetween(edges, boxOf, boxes) {
  const found = new Map();
  for (const { from, to, label, kind } of edges) {
    const source = boxOf[from];
    const target = boxOf[to];
    if (
      source < 0 ||
      target < 0 ||
      (source === target && (from !== to || boxes[source].hidden > 0))
    ) {
      continue;
    }
    const key = (source * boxes.length + target) * 2 + (kind === "cover" ? 1 : 0);
    const old = found.get(key);
    if (old === undefined) {
      found.set(key, {
        source: boxes[source],
        target: boxes[target],
        label,
        kind,
        count: 1,
        isBack: false,
        isLabelAbove: false,
        isPassage: false,
      });
    } else {
      old.count += 1;
      old.kind = kind === "trace" ? kind : old.kind;
    }
  }
  return [...found.values()];
}

/** Puts every box below all that lead to it, but for edges that close a loop. */
function findLayers(boxes, edges) {
  const out = boxes.map(() => []);
  for (const edge of edges) {
    if (edge.kind !== "cover") {
      out[edge.source.index].push(edge);
    }
  }
  const OPEN = 1;
  const DONE = 2;
  const state = new Uint8Array(boxes.length);
  const next = new Int32Array(boxes.length);
  const finished = [];
  for (const { index: root } of boxes) {
    const path = state[root] === 0 ? [root] : [];
    state[root] ||= OPEN;
    while (path.length > 0) {
      const box = path.at(-1);
      const edge = out[box][next[box]];
      next[box] += 1;
      if (edge === undefined) {
        state[box] = DONE;
        finished.push(path.pop());
      } else if (state[edge.target.index] === OPEN) {
        edge.isBack = true;
      } else if (state[edge.target.index] === 0) {
        state[edge.target.index] = OPEN;
        path.push(edge.target.index);
      }
    }
  }
  for (const box of boxes) {
    box.layer = 0;
  }
  for (const index of finished.reverse()) {
    for (const { target, isBack } of out[index]) {
      if (!isBack) {
        target.layer = Math.max(target.layer, boxes[index].layer + 1);
      }
    }
  }
}

/**
 * How far something reaches to both sides, layer by layer. The numbers are kept relative to `shift`,
 * so that moving all of it costs nothing.
 */
class Outline {
  constructor() {
    this.spans = new Map();
    this.shift = 0;
  }

  add(layer, left, right) {
    const span = this.spans.get(layer);
    const [newLeft, newRight] = [left - this.shift, right - this.shift];
    this.spans.set(
      layer,
      span === undefined
        ? [newLeft, newRight]
        : [Math.min(span[0], newLeft), Math.max(span[1], newRight)],
    );
  }

  /** How far another outline must move to stand to the right of this one; null if it need not. */
  distanceTo(other) {
    let distance = null;
    const [small, large] = this.spans.size < other.spans.size ? [this, other] : [other, this];
    for (const layer of small.spans.keys()) {
      if (large.spans.has(layer)) {
        const right = this.spans.get(layer)[1] + this.shift;
        const left = other.spans.get(layer)[0] + other.shift;
        distance = Math.max(distance ?? -Infinity, right - left + BOX.gapX);
      }
    }
    return distance;
  }

  /** Both outlines together; neither may be used afterwards. */
  union(other) {
    const [small, large] = this.spans.size < other.spans.size ? [this, other] : [other, this];
    for (const [layer, [left, right]] of small.spans) {
      large.add(layer, left + small.shift, right + small.shift);
    }
    return large;
  }
}

/** Places boxes along the tree of dominators: children side by side, parents above their middle. */
function placeBoxes(boxes) {
  const outlines = new Map();
  for (const box of [...boxes].reverse()) {
    const outline = placeChildren(box.children, outlines, box.layer);
    outline.add(box.layer, -box.room / 2, box.room / 2);
    outlines.set(box, outline);
  }
  const tops = boxes.filter(({ parent }) => parent === null);
  placeChildren(tops, outlines, -1);
  for (const box of boxes) {
    box.x = box.offset + (box.parent?.x ?? 0);
    box.y = box.layer * (BOX.height + BOX.gapY);
  }
}

/** Gives every child its offset from the parent, and returns the outline of all. */
function placeChildren(children, outlines, layer) {
  let all = new Outline();
  const direct = children.filter(({ isJoin }) => !isJoin);
  const middle = (list) => (list.length === 0 ? 0 : (list[0].offset + list.at(-1).offset) / 2);
  for (const child of [...direct, ...children.filter(({ isJoin }) => isJoin)]) {
    const outline = outlines.get(child);
    outlines.delete(child);
    if (!child.isJoin) {
      // The edge from the parent passes these layers, and its label stands there.
      for (let between = layer + 1; between < child.layer; between += 1) {
        outline.add(between, -child.passage / 2, child.passage / 2);
      }
    }
    const wish = child.isJoin ? middle(direct) : -Infinity;
    const least = all.distanceTo(outline) ?? (child.isJoin ? -Infinity : 0);
    child.offset = Math.max(wish, least);
    outline.shift += child.offset;
    all = all.union(outline);
  }
  const centre = middle(direct.length > 0 ? direct : children);
  for (const child of children) {
    child.offset -= centre;
  }
  all.shift -= centre;
  return all;
}
