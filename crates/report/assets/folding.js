// A large graph in few boxes: chains of nodes stand in one box, and boxes fold what is below them.
//
// "Below" means dominated: every way to those nodes passes the box. In a tree that is the subtree; in
// a graph with joins and loops it is the part that the box is the only entrance of.

/** No more boxes are laid out at a time. */
const MAX_BOXES = 2000;

/** Graphs of no more nodes are unfolded as a whole at the beginning. */
const MAX_WHOLE = 300;

/** Of larger ones so many boxes are shown: enough to see the shape, few enough to read. */
const FIRST_BOXES = 48;

/** The chains of smaller graphs are taken apart at first. */
const MAX_PLAIN_NODES = 80;

/** A box that is unfolded shows so many boxes more. */
const MORE_BOXES = 60;

/** Chains longer than this come apart into shorter chains. */
const CHAIN_PIECES = 24;

/** With more boxes than this above it, a node is shown without the beginning of the graph. */
const MAX_ABOVE = 800;

/** The targets of all nodes in one array, which is much smaller than an array for each node. */
class Neighbours {
  constructor(size, edges, from, to) {
    this.start = new Int32Array(size + 1);
    for (const edge of edges) {
      this.start[edge[from] + 1] += 1;
    }
    for (let node = 0; node < size; node += 1) {
      this.start[node + 1] += this.start[node];
    }
    const next = this.start.slice();
    this.list = new Int32Array(edges.length);
    for (const edge of edges) {
      this.list[next[edge[from]]] = edge[to];
      next[edge[from]] += 1;
    }
  }

  of(node) {
    return this.list.subarray(this.start[node], this.start[node + 1]);
  }

  degree(node) {
    return this.start[node + 1] - this.start[node];
  }
}

/** What is unfolded of a graph, and the boxes that this gives. */
class Folding {
  constructor(graph) {
    this.graph = graph;
    this.size = graph.nodes.length;
    this.steps = graph.edges.filter(({ kind }) => kind !== "cover");
    this.after = new Neighbours(this.size, this.steps, "from", "to");
    this.before = new Neighbours(this.size, this.steps, "to", "from");
    this.findOrder();
    this.findDominators();
    this.findChains();
    /** Nodes whose dominated nodes are shown, those opened last at the end. */
    this.unfolded = new Set();
    /** Nodes inside chains at which a box begins. */
    this.cuts = new Uint8Array(this.size).fill(this.size <= MAX_PLAIN_NODES ? 1 : 0);
    /** The node from which the graph is shown; null for all of it. */
    this.top = null;
    this.unfoldWidely(this.roots, this.size <= MAX_WHOLE ? MAX_WHOLE : FIRST_BOXES);
    const violation = graph.nodes.findIndex(({ kind }) => kind === "error");
    if (violation >= 0) {
      this.reveal(violation);
    }
  }

  /** The roots, and all nodes so that every node comes after one that leads to it. */
  findOrder() {
    const seen = new Uint8Array(this.size);
    const next = this.after.start.slice();
    const finished = [];
    this.roots = [];
    const explore = (root) => {
      if (seen[root]) {
        return;
      }
      this.roots.push(root);
      seen[root] = 1;
      const path = [root];
      while (path.length > 0) {
        const node = path.at(-1);
        if (next[node] === this.after.start[node + 1]) {
          finished.push(path.pop());
          continue;
        }
        const target = this.after.list[next[node]];
        next[node] += 1;
        if (!seen[target]) {
          seen[target] = 1;
          path.push(target);
        }
      }
    };
    const nodes = [...this.graph.nodes.keys()];
    nodes.filter((node) => this.graph.nodes[node].kind === "entry").forEach(explore);
    nodes.filter((node) => this.before.degree(node) === 0).forEach(explore);
    nodes.forEach(explore);
    this.order = finished.reverse();
  }

  /**
   * The dominator of every node, after Cooper, Harvey and Kennedy, "A Simple, Fast Dominance
   * Algorithm". One node more than the graph has stands above all roots.
   */
  findDominators() {
    const above = this.size;
    const rank = new Int32Array(this.size + 1).fill(-1);
    this.order.forEach((node, index) => {
      rank[node] = index;
    });
    const dominator = new Int32Array(this.size + 1).fill(-1);
    dominator[above] = above;
    const isRoot = new Uint8Array(this.size);
    for (const root of this.roots) {
      isRoot[root] = 1;
      dominator[root] = above;
    }
    const common = (one, other) => {
      while (one !== other) {
        while (rank[one] > rank[other]) {
          one = dominator[one];
        }
        while (rank[other] > rank[one]) {
          other = dominator[other];
        }
      }
      return one;
    };
    for (let changed = true; changed;) {
      changed = false;
      for (const node of this.order) {
        if (isRoot[node]) {
          continue;
        }
        let found = -1;
        for (const source of this.before.of(node)) {
          if (dominator[source] >= 0) {
            found = found < 0 ? source : common(found, source);
          }
        }
        if (found !== dominator[node]) {
          dominator[node] = found;
          changed = true;
        }
      }
    }
    this.dominator = dominator;
    this.isRoot = isRoot;
    this.orderChildren(rank);
  }

  /** The children of every node in the tree of dominators: first where its edges lead, then joins. */
  orderChildren(rank) {
    const key = Float64Array.from(
      { length: this.size },
      (_, node) => this.steps.length + rank[node],
    );
    this.isJoin = new Uint8Array(this.size).fill(1);
    this.steps.forEach(({ from, to }, index) => {
      if (this.dominator[to] === from && this.isJoin[to]) {
        this.isJoin[to] = 0;
        key[to] = index;
      }
    });
    this.children = new Map();
    this.weight = new Int32Array(this.size + 1).fill(1);
    for (let index = this.size - 1; index >= 0; index -= 1) {
      const node = this.order[index];
      const parent = this.dominator[node];
      this.weight[parent] += this.weight[node];
      if (!this.isRoot[node]) {
        if (!this.children.has(parent)) {
          this.children.set(parent, []);
        }
        this.children.get(parent).push(node);
      }
    }
    for (const list of this.children.values()) {
      list.sort((one, other) => key[one] - key[other]);
    }
  }

  /** The node after each in its chain: the only way on, and the only way there; -1 if there is none. */
  findChains() {
    const special = new Uint8Array(this.size);
    this.graph.nodes.forEach(({ kind }, node) => {
      special[node] = kind === "plain" ? 0 : 1;
    });
    for (const { from, to, kind } of this.graph.edges) {
      if (kind === "cover") {
        special[from] = 1;
        special[to] = 1;
      }
    }
    this.next = new Int32Array(this.size).fill(-1);
    this.head = Int32Array.from({ length: this.size }, (_, node) => node);
    for (const node of this.order) {
      if (special[node] || this.after.degree(node) !== 1) {
        continue;
      }
      const [target] = this.after.of(node);
      if (
        target !== node &&
        !special[target] &&
        !this.isRoot[target] &&
        this.before.degree(target) === 1
      ) {
        this.next[node] = target;
        // Nodes come in order, so the head of this one is known.
        this.head[target] = this.head[node];
      }
    }
  }

  childrenOf(node) {
    return this.children.get(node) ?? [];
  }

  /** The nodes of the box that begins at a node. */
  chainFrom(node) {
    const chain = [node];
    for (let next = this.next[node]; next >= 0 && !this.cuts[next]; next = this.next[next]) {
      chain.push(next);
    }
    return chain;
  }

  /** The node that the box of a node begins at. */
  boxHead(node) {
    let head = this.head[node];
    for (let at = head; at !== node;) {
      at = this.next[at];
      if (this.cuts[at]) {
        head = at;
      }
    }
    return head;
  }

  /** Where a box goes on: in its chain, which never folds by itself, or below. */
  below(last) {
    return this.next[last] >= 0 ? [this.next[last]] : this.childrenOf(last);
  }

  /** Unfolds below some nodes, level by level, until so many boxes are shown in addition. */
  unfoldWidely(heads, limit) {
    const queue = [...heads];
    let shown = queue.length;
    for (let index = 0; index < queue.length; index += 1) {
      const last = this.chainFrom(queue[index]).at(-1);
      const below = this.below(last);
      if (below.length === 0 || shown + below.length > limit) {
        continue;
      }
      this.unfolded.delete(last);
      this.unfolded.add(last);
      shown += below.length;
      queue.push(...below);
    }
  }

  /** All boxes that are shown, parents before children. */
  boxes() {
    const boxes = [];
    const stack = (this.top === null ? this.roots : [this.top])
      .map((node) => ({ node, parent: null }))
      .reverse();
    while (stack.length > 0) {
      const { node, parent } = stack.pop();
      const nodes = this.chainFrom(node);
      const last = nodes.at(-1);
      const below = this.below(last);
      const isOpen = this.unfolded.has(last);
      const box = {
        index: boxes.length,
        nodes,
        last,
        parent,
        children: [],
        isJoin: parent !== null && this.isJoin[node] === 1,
        isOpen,
      };
      box.hidden = isOpen ? 0 : this.weight[last] - 1;
      box.canFold = below.length > 0;
      parent?.children.push(box);
      boxes.push(box);
      if (isOpen) {
        for (let index = below.length - 1; index >= 0; index -= 1) {
          stack.push({ node: below[index], parent: box });
        }
      }
    }
    return boxes;
  }

  /** Folds or unfolds what is below a box. */
  toggle(box) {
    if (box.isOpen) {
      this.unfolded.delete(box.last);
    } else {
      this.unfolded.add(box.last);
      this.unfoldWidely(this.below(box.last), MORE_BOXES);
      this.keepLimit(box.last);
    }
  }

  /** Takes a chain apart. */
  splitChain(box) {
    const piece = Math.ceil(box.nodes.length / CHAIN_PIECES);
    box.nodes.forEach((node, index) => {
      if (index > 0 && index % piece === 0) {
        this.cuts[node] = 1;
      }
      if ((index + 1) % piece === 0 && index + 1 < box.nodes.length) {
        this.unfolded.add(node);
      }
    });
    this.keepLimit(box.last);
  }

  isInSplitChain(box) {
    const [first] = box.nodes;
    return this.head[first] !== first || this.next[box.last] >= 0;
  }

  /** Puts a chain that was taken apart together again. */
  joinChain(box) {
    for (let node = this.head[box.nodes[0]]; node >= 0; node = this.next[node]) {
      this.cuts[node] = 0;
    }
  }

  foldAll() {
    this.unfolded.clear();
    this.cuts.fill(0);
    this.top = null;
  }

  unfoldAll() {
    this.unfoldWidely(this.top === null ? this.roots : [this.top], MAX_BOXES);
    this.keepLimit(null);
  }

  /** Unfolds whatever hides a node. */
  reveal(node) {
    const above = [];
    let at = this.boxHead(node);
    while (at !== this.top && !this.isRoot[at]) {
      const parent = this.dominator[at];
      above.push(parent);
      at = this.boxHead(parent);
    }
    if (above.length > MAX_ABOVE) {
      above.length = MAX_ABOVE / 2;
      this.top = this.boxHead(above.at(-1));
    } else if (at !== this.top) {
      this.top = null;
    }
    for (const parent of above) {
      this.unfolded.delete(parent);
      this.unfolded.add(parent);
    }
    this.keepLimit(node);
  }

  /** Folds what was unfolded longest ago, but for what is above a node. */
  keepLimit(node) {
    const above = new Set();
    for (let at = node ?? this.size; at !== this.size; at = this.dominator[at]) {
      above.add(at);
    }
    const candidates = [...this.unfolded].filter((candidate) => !above.has(candidate));
    for (let next = 0; next < candidates.length;) {
      const excess = this.boxes().length - MAX_BOXES;
      if (excess <= 0) {
        return;
      }
      // To count after every single one would take too long.
      const end = next + Math.ceil(excess / 8);
      candidates.slice(next, end).forEach((candidate) => this.unfolded.delete(candidate));
      next = end;
    }
  }

  /** The box of every node, by index; -1 for nodes that are out of what is shown. */
  boxOf(boxes) {
    const found = new Int32Array(this.size + 1).fill(-1);
    for (const { nodes, index } of boxes) {
      for (const node of nodes) {
        found[node] = index;
      }
    }
    for (const node of this.order) {
      if (found[node] < 0) {
        found[node] = found[this.dominator[node]];
      }
    }
    return found;
  }
}
