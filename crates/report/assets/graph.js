// A graph to look at: moved with the mouse or keys, folded, searched.

const MIN_SCALE = 0.05;
const MAX_SCALE = 2.5;

/** At first a graph is not shown smaller than this, but in part. */
const FIT_SCALE = 0.75;

/** Of the nodes in a chain, and of the edges of a box, no more are listed. */
const MAX_LISTED = 100;

const KIND_NAMES = {
  plain: "node",
  entry: "entry",
  exit: "exit",
  loop_head: "loop head",
  error: "violation",
  covered: "covered",
};

class GraphView {
  /** `showSource` takes the reader to a place in the source. */
  constructor(graph, { showSource, fileName }) {
    this.graph = graph;
    this.showSource = showSource;
    this.fileName = fileName;
    this.folding = new Folding(graph);
    this.painter = new Painter(this);
    this.selected = -1;
    this.matches = [];
    this.match = -1;
    this.place = { x: 0, y: 0, scale: 1 };
    this.build();
    this.layOutAgain();
    this.needsFit = true;
    new ResizeObserver(() => this.resized()).observe(this.canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.redraw());
  }

  build() {
    this.canvas = element("canvas", {
      tabindex: 0,
      role: "application",
      "aria-describedby": "graph-keys",
      keydown: (event) => this.pressed(event),
      wheel: (event) => this.wheeled(event),
      pointerdown: (event) => this.grabbed(event),
      dblclick: (event) => this.doubleClicked(event),
    });
    this.search = element("input", {
      type: "search",
      placeholder: "Search labels",
      "aria-label": "Search labels",
      spellcheck: "false",
      input: () => this.find(),
      keydown: (event) => {
        if (event.key === "Enter") {
          this.showMatch(this.match + (event.shiftKey ? -1 : 1));
        }
      },
    });
    this.found = element("output", { class: "found" });
    this.status = element("span", { class: "status", role: "status" });
    this.wholeButton = element(
      "button",
      { type: "button", click: () => this.showWhole() },
      "Show from the start",
    );
    const button = (text, title, action) =>
      element("button", { type: "button", title, click: action }, text);
    const kinds = [...new Set(this.graph.nodes.map(({ kind }) => kind))].filter(
      (kind) => kind !== "plain",
    );
    this.toolbar = element(
      "div",
      { class: "graph-tools", role: "toolbar", "aria-label": "Graph" },
      this.search,
      this.found,
      button(
        "Unfold",
        `Unfold as much as can be shown, at most ${count(MAX_BOXES, "box", "boxes")}`,
        () => this.changeFolding(() => this.folding.unfoldAll()),
      ),
      button("Fold", "Fold everything", () => this.foldAll()),
      button("Fit", "Show all of it (0)", () => this.fit()),
      button("−", "Smaller (-)", () => this.zoomBy(1 / 1.25)),
      button("+", "Larger (+)", () => this.zoomBy(1.25)),
      this.wholeButton,
      element(
        "span",
        { class: "legend" },
        kinds.map((kind) => element("span", { class: `kind ${kind}` }, KIND_NAMES[kind])),
      ),
      this.status,
    );
    this.details = element("div", { class: "details", "aria-live": "polite" });
    const keys =
      "Arrow keys walk from box to box, Enter folds and unfolds, Space takes a chain apart, " +
      "Shift with arrows moves the picture, + and − zoom, 0 fits.";
    this.root = element(
      "div",
      { class: "split graph" },
      element(
        "section",
        { class: "panel", "aria-label": "Graph" },
        this.toolbar,
        this.canvas,
        element("p", { class: "keys", id: "graph-keys" }, keys),
      ),
      element(
        "section",
        { class: "panel", "aria-label": "Selected box" },
        element("h2", {}, "Selected"),
        this.details,
      ),
    );
  }

  // Folding

  layOutAgain() {
    this.layout = layOut(this.folding);
    const { boxes } = this.layout;
    this.wholeButton.hidden = this.folding.top === null;
    this.status.textContent = `${count(boxes.length, "box", "boxes")} for ${count(this.graph.nodes.length, "node")}`;
    this.canvas.setAttribute("aria-label", `${this.graph.name}: ${this.status.textContent}`);
    this.showDetails();
    this.redraw();
  }

  /** Changes what is folded; the selected box stays where it is on the screen. */
  changeFolding(change) {
    const old = this.selectedBox();
    change();
    this.layOutAgain();
    const box = this.selectedBox();
    if (old !== null && box !== null) {
      this.place.x += (old.x - box.x) * this.place.scale;
      this.place.y += (old.y - box.y) * this.place.scale;
    }
  }

  foldAll() {
    this.folding.foldAll();
    this.select(-1);
    this.layOutAgain();
    this.fit();
  }

  showWhole() {
    this.folding.top = null;
    this.layOutAgain();
    this.centre(this.layout.boxes[0]);
  }

  toggle(box) {
    this.select(box.nodes[0]);
    this.changeFolding(() => this.folding.toggle(box));
  }

  splitChain(box) {
    this.select(box.nodes[0]);
    this.changeFolding(() => this.folding.splitChain(box));
  }

  reveal(node) {
    this.folding.reveal(node);
    this.selected = node;
    this.layOutAgain();
    this.centre(this.selectedBox());
  }

  // Selection

  selectedBox() {
    const index = this.selected < 0 ? -1 : this.layout.boxOf[this.selected];
    return index < 0 ? null : this.layout.boxes[index];
  }

  select(node) {
    this.selected = node;
    this.showDetails();
    this.redraw();
  }

  showDetails() {
    const box = this.selectedBox();
    if (box === null) {
      this.details.replaceChildren(
        element("p", { class: "dim" }, "Select a box to read about it."),
      );
      return;
    }
    const node = this.graph.nodes[this.selected];
    const button = (text, action) => element("button", { type: "button", click: action }, text);
    const { at } = node;
    this.details.replaceChildren(
      element(
        "p",
        { class: "kind-line" },
        element("span", { class: `kind ${node.kind}` }, KIND_NAMES[node.kind]),
      ),
      element("h3", {}, node.label),
      node.detail === "" ? "" : element("pre", {}, node.detail),
      element(
        "p",
        { class: "actions" },
        at !== null && button(`${this.fileName(at.file)}:${at.line}`, () => this.showSource(at)),
        box.canFold &&
          button(box.isOpen ? "Fold below" : `Unfold ${count(box.hidden, "node")}`, () =>
            this.toggle(box),
          ),
        box.nodes.length > 1 &&
          button(`Take apart ${count(box.nodes.length, "node")}`, () => this.splitChain(box)),
        this.folding.isInSplitChain(box) &&
          button("Put chain together", () => this.changeFolding(() => this.folding.joinChain(box))),
      ),
      ...this.chainList(box),
      ...this.edgeList("To", this.selected, "from", "to"),
      ...this.edgeList("From", this.selected, "to", "from"),
    );
  }

  chainList(box) {
    if (box.nodes.length === 1) {
      return [];
    }
    const items = box.nodes
      .slice(0, MAX_LISTED)
      .map((node) => this.link(node, this.graph.nodes[node].label));
    return [
      element("h4", {}, `Chain of ${count(box.nodes.length, "node")}`),
      this.list(items, box.nodes.length),
    ];
  }

  edgeList(title, node, here, there) {
    const edges = this.graph.edges.filter((edge) => edge[here] === node);
    const items = edges
      .slice(0, MAX_LISTED)
      .map((edge) => [
        this.link(edge[there], this.graph.nodes[edge[there]].label),
        element("span", { class: "dim" }, edge.kind === "cover" ? " covers" : ""),
        edge.label === "" ? "" : element("code", {}, edge.label),
      ]);
    return edges.length === 0 ? [] : [element("h4", {}, title), this.list(items, edges.length)];
  }

  list(items, total) {
    const more =
      total > items.length
        ? element("li", { class: "dim" }, `and ${count(total - items.length, "more", "more")}`)
        : "";
    return element(
      "ul",
      {},
      items.map((item) => element("li", {}, item)),
      more,
    );
  }

  link(node, text) {
    return element(
      "button",
      { type: "button", class: "link", click: () => this.reveal(node) },
      text,
    );
  }

  // Search

  find() {
    const wanted = this.search.value.toLowerCase();
    this.labels ??= this.graph.nodes.map(({ label }) => label.toLowerCase());
    this.matches = [];
    if (wanted !== "") {
      this.labels.forEach((label, node) => {
        if (label.includes(wanted)) {
          this.matches.push(node);
        }
      });
    }
    this.isMatch = new Set(this.matches);
    this.match = -1;
    this.found.textContent = wanted === "" ? "" : count(this.matches.length, "match", "matches");
    this.redraw();
  }

  showMatch(index) {
    const total = this.matches.length;
    if (total > 0) {
      this.match = (index + total) % total;
      this.found.textContent = `${this.match + 1} of ${WHOLE_NUMBER.format(total)}`;
      this.reveal(this.matches[this.match]);
    }
  }

  // Movement

  resized() {
    const { clientWidth, clientHeight } = this.canvas;
    if (clientWidth === 0) {
      return;
    }
    this.canvas.width = Math.round(clientWidth * devicePixelRatio);
    this.canvas.height = Math.round(clientHeight * devicePixelRatio);
    if (this.needsFit) {
      this.needsFit = false;
      this.fit();
      if (this.place.scale < FIT_SCALE) {
        this.place.scale = FIT_SCALE;
        this.centre(this.layout.boxes[0]);
      }
    }
    this.painter.draw();
  }

  bounds() {
    const { boxes } = this.layout;
    return {
      left: Math.min(...boxes.map(({ x, width }) => x - width / 2)),
      right: Math.max(...boxes.map(({ x, width }) => x + width / 2)),
      bottom: Math.max(...boxes.map(({ y }) => y + BOX.height)),
    };
  }

  fit() {
    if (this.layout.boxes.length === 0) {
      return;
    }
    const margin = 32;
    const { left, right, bottom } = this.bounds();
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const scale = Math.min(
      (width - 2 * margin) / (right - left),
      (height - 2 * margin) / bottom,
      1,
    );
    this.place.scale = Math.max(MIN_SCALE, scale);
    this.place.x = width / 2 - ((left + right) / 2) * this.place.scale;
    this.place.y = Math.max(margin, (height - bottom * this.place.scale) / 2);
    this.redraw();
  }

  /** Brings a box to the middle; one that nothing leads to, to the upper edge. */
  centre(box) {
    const { clientWidth, clientHeight } = this.canvas;
    this.place.x = clientWidth / 2 - box.x * this.place.scale;
    this.place.y =
      box.layer === 0 ? 48 : clientHeight / 2 - (box.y + BOX.height / 2) * this.place.scale;
    this.redraw();
  }

  zoomBy(factor, x = this.canvas.clientWidth / 2, y = this.canvas.clientHeight / 2) {
    const scale = Math.max(MIN_SCALE, Math.min(MAX_SCALE, this.place.scale * factor));
    this.place.x = x - ((x - this.place.x) * scale) / this.place.scale;
    this.place.y = y - ((y - this.place.y) * scale) / this.place.scale;
    this.place.scale = scale;
    this.redraw();
  }

  panBy(x, y) {
    this.place.x += x;
    this.place.y += y;
    this.redraw();
  }

  wheeled(event) {
    event.preventDefault();
    this.zoomBy(Math.exp(-event.deltaY * 0.0015), event.offsetX, event.offsetY);
  }

  grabbed(event) {
    if (event.button !== 0) {
      return;
    }
    const start = { x: event.clientX, y: event.clientY };
    let last = start;
    let moved = false;
    const drag = new AbortController();
    this.canvas.setPointerCapture(event.pointerId);
    const move = (now) => {
      moved ||= Math.hypot(now.clientX - start.x, now.clientY - start.y) > 4;
      if (moved) {
        this.canvas.classList.add("dragging");
        this.panBy(now.clientX - last.x, now.clientY - last.y);
      }
      last = { x: now.clientX, y: now.clientY };
    };
    const end = (now) => {
      if (now.type === "pointerup") {
        // The browser may not have told about the last movement.
        move(now);
      }
      drag.abort();
      this.canvas.classList.remove("dragging");
      if (!moved && now.type === "pointerup") {
        this.clicked(now);
      }
    };
    this.canvas.addEventListener("pointermove", move, { signal: drag.signal });
    this.canvas.addEventListener("pointerup", end, { signal: drag.signal });
    this.canvas.addEventListener("pointercancel", end, { signal: drag.signal });
  }

  /** The box under the mouse, and which of its handles, if any. */
  hit(event) {
    const x = (event.offsetX - this.place.x) / this.place.scale;
    const y = (event.offsetY - this.place.y) / this.place.scale;
    const inside = ({ left, top, width, height }) =>
      x >= left && x <= left + width && y >= top && y <= top + height;
    for (const box of this.layout.boxes) {
      const [fold, chain] = [foldHandle(box), chainHandle(box)];
      if (fold !== null && inside(fold)) {
        return { box, handle: "fold" };
      }
      if (chain !== null && inside(chain)) {
        return { box, handle: "chain" };
      }
      if (
        inside({ left: box.x - box.width / 2, top: box.y, width: box.width, height: BOX.height })
      ) {
        return { box, handle: null };
      }
    }
    return null;
  }

  clicked(event) {
    const hit = this.hit(event);
    if (hit?.handle === "fold") {
      this.toggle(hit.box);
    } else if (hit?.handle === "chain") {
      this.splitChain(hit.box);
    } else {
      this.select(hit === null ? -1 : hit.box.nodes[0]);
    }
  }

  doubleClicked(event) {
    const hit = this.hit(event);
    if (hit !== null && hit.handle === null && hit.box.canFold) {
      this.toggle(hit.box);
    }
  }

  pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const distance = 60;
    const pans = {
      ArrowLeft: [distance, 0],
      ArrowRight: [-distance, 0],
      ArrowUp: [0, distance],
      ArrowDown: [0, -distance],
    };
    const box = this.selectedBox();
    if (Object.hasOwn(pans, event.key)) {
      if (event.shiftKey) {
        this.panBy(...pans[event.key]);
      } else {
        this.walk(event.key);
      }
    } else if (event.key === "Enter" && box?.canFold) {
      this.toggle(box);
    } else if (event.key === " " && box !== null && box.nodes.length > 1) {
      this.splitChain(box);
    } else if (event.key === "+" || event.key === "=") {
      this.zoomBy(1.25);
    } else if (event.key === "-") {
      this.zoomBy(1 / 1.25);
    } else if (event.key === "0") {
      this.fit();
    } else if (event.key === "/") {
      this.search.focus();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** Selects the box above, below or beside the selected one. */
  walk(key) {
    const box = this.selectedBox();
    if (box === null) {
      this.walkTo(this.layout.boxes[0]);
      return;
    }
    const siblings =
      box.parent?.children ?? this.layout.boxes.filter(({ parent }) => parent === null);
    const at = siblings.indexOf(box);
    const goals = {
      ArrowUp: box.parent,
      ArrowDown: box.children[0],
      ArrowLeft: siblings[at - 1],
      ArrowRight: siblings[at + 1],
    };
    if (goals[key]) {
      this.walkTo(goals[key]);
    }
  }

  walkTo(box) {
    this.select(box.nodes[0]);
    const { clientWidth, clientHeight } = this.canvas;
    const x = box.x * this.place.scale + this.place.x;
    const y = box.y * this.place.scale + this.place.y;
    const margin = 60;
    if (x < margin || x > clientWidth - margin || y < margin || y > clientHeight - margin) {
      this.centre(box);
    }
  }

  redraw() {
    if (!this.isDrawing) {
      this.isDrawing = true;
      requestAnimationFrame(() => {
        this.isDrawing = false;
        this.painter.draw();
      });
    }
  }
}
