// Where pointers lead after the current step: objects as boxes, pointers as arrows.

/** Up to so many objects keep their places from the first step to the last. */
const MAX_STEADY_OBJECTS = 60;

const OBJECT = { row: 24, gapX: 96, gapY: 26, margin: 24, letter: 7.9, padding: 12, minWidth: 72 };

/** Objects with the parts that hold pointers, and arrows between them. */
function objectGraph(pointings, nameOf) {
  const objects = new Map();
  const object = (place) => {
    const key = objectKey(place);
    if (!objects.has(key)) {
      objects.set(key, { key, name: nameOf(place), parts: [], targets: new Set() });
    }
    return objects.get(key);
  };
  for (const { from, to } of pointings) {
    const source = object(from);
    if (!source.parts.includes(from.part)) {
      source.parts.push(from.part);
    }
    if (to) {
      source.targets.add(object(to).key);
    }
  }
  return objects;
}

/** Names for objects: whose they are is said where others have the same name. */
function objectNames(places, threads) {
  const keys = new Map();
  for (const place of places) {
    keys.set(place.object, (keys.get(place.object) ?? new Set()).add(objectKey(place)));
  }
  return ({ object, local_to: frame }) =>
    frame !== null && keys.get(object)?.size > 1
      ? `${object} of ${frameName(threads, frame)}`
      : object;
}

/** Gives every object a place: pointers lead to the right where they can. */
function placeObjects(objects) {
  const layers = new Map();
  const open = new Set();
  const finished = [];
  const visit = (name) => {
    if (layers.has(name)) {
      return;
    }
    layers.set(name, 0);
    open.add(name);
    for (const target of objects.get(name).targets) {
      visit(target);
    }
    open.delete(name);
    finished.push(name);
  };
  [...objects.keys()].forEach(visit);
  const order = new Map(finished.reverse().map((name, index) => [name, index]));
  const columns = [];
  const incoming = new Map();
  for (const name of finished) {
    const object = objects.get(name);
    const layer = layers.get(name);
    (columns[layer] ??= []).push(object);
    for (const target of object.targets) {
      // An arrow against the order closes a circle.
      if (order.get(target) > order.get(name)) {
        layers.set(target, Math.max(layers.get(target), layer + 1));
        incoming.set(target, [...(incoming.get(target) ?? []), object]);
      }
    }
  }
  let x = OBJECT.margin;
  for (const column of columns) {
    placeColumn(column, x, incoming);
    x += Math.max(...column.map(({ width }) => width)) + OBJECT.gapX;
  }
}

/** Stacks the objects of a column, each as near as possible to those that point to it. */
function placeColumn(column, x, incoming) {
  for (const object of column) {
    const texts = [object.name, ...object.parts];
    object.width = Math.max(
      OBJECT.minWidth,
      Math.max(...texts.map((text) => text.length)) * OBJECT.letter + 2 * OBJECT.padding,
    );
    object.height = OBJECT.row * (1 + object.parts.filter((part) => part !== "").length);
    const sources = incoming.get(object.key) ?? [];
    const middles = sources.map(({ y, height }) => y + height / 2);
    object.wish =
      middles.length > 0
        ? middles.reduce((sum, y) => sum + y, 0) / middles.length - object.height / 2
        : null;
  }
  column.sort((one, other) => (one.wish ?? 0) - (other.wish ?? 0));
  let y = OBJECT.margin;
  for (const object of column) {
    object.x = x;
    object.y = Math.max(y, object.wish ?? 0);
    y = object.y + object.height + OBJECT.gapY;
  }
}

/** Where an arrow leaves: the row of the part that holds the pointer. */
function rowMiddle(object, part) {
  const rows = object.parts.filter((other) => other !== "");
  return object.y + OBJECT.row * (part === "" ? 0.5 : rows.indexOf(part) + 1.5);
}

class PointersPanel {
  constructor(player) {
    this.player = player;
    const all = player.trace.steps.flatMap((step) => step.points_to);
    const places = all.flatMap(({ from, to }) => (to ? [from, to] : [from]));
    this.nameOf = objectNames(places, player.trace.threads);
    this.steady = objectGraph(all, this.nameOf);
    if (this.steady.size > MAX_STEADY_OBJECTS) {
      this.steady = null;
    } else {
      placeObjects(this.steady);
    }
    this.drawing = element("div", {
      class: "drawing",
      tabindex: 0,
      role: "region",
      "aria-label": "Graph of pointers",
    });
    this.list = element("div", { class: "values" });
    this.root = element(
      "div",
      { class: "split" },
      element(
        "section",
        { class: "panel", "aria-label": "Graph" },
        element("h2", {}, "Pointers after this step"),
        this.drawing,
      ),
      element(
        "section",
        { class: "panel", "aria-label": "List" },
        element("h2", {}, "As a list"),
        this.list,
      ),
    );
    player.listen((current, state) => this.show(current, sorted(state.pointers)));
  }

  show(current, pointers) {
    this.drawing.replaceChildren(
      pointers.length > 0
        ? this.graph(current, pointers)
        : element("p", { class: "dim" }, "No pointer is set yet."),
    );
    const row = ({ from, value, before, step }) =>
      element(
        "tr",
        { class: step === current ? "changed" : null },
        element("th", { scope: "row" }, this.text(from)),
        element(
          "td",
          {},
          step === current &&
            before &&
            element("span", { class: "before", title: "before this step" }, this.text(before)),
          element("span", { class: "value" }, this.text(value)),
        ),
      );
    this.list.replaceChildren(
      element(
        "table",
        {},
        element("caption", {}, count(pointers.length, "pointer")),
        element("tbody", {}, pointers.map(row)),
      ),
    );
  }

  /** A place in words. */
  text(place) {
    return this.nameOf(place) + place.part;
  }

  graph(current, pointers) {
    const live = objectGraph(
      pointers.map(({ from, value }) => ({ from, to: value })),
      this.nameOf,
    );
    const objects = this.steady ?? live;
    if (this.steady === null) {
      placeObjects(objects);
    }
    const shown = [...objects.values()].filter(({ key }) => live.has(key));
    const changed = (pointer) => pointer.step === current;
    const former = pointers.filter(
      (pointer) => changed(pointer) && pointer.before && live.has(objectKey(pointer.before)),
    );
    const right = Math.max(...[...objects.values()].map(({ x, width }) => x + width)) + OBJECT.gapX;
    const bottom =
      Math.max(...[...objects.values()].map(({ y, height }) => y + height)) +
      OBJECT.gapY +
      OBJECT.margin;
    return svgElement(
      "svg",
      {
        width: right,
        height: bottom,
        viewBox: `0 0 ${right} ${bottom}`,
        role: "img",
        "aria-label": "Objects and the pointers between them; the list beside says the same",
      },
      svgElement(
        "defs",
        {},
        this.arrowhead("arrowhead", "head"),
        this.arrowhead("arrowhead-changed", "head changed"),
      ),
      // Arrows first: they pass behind the boxes between, whose names stay readable.
      this.arrows(objects, [
        ...former.map(({ from, before }) => ({ from, to: before, kind: "former" })),
        ...pointers.map((pointer) => ({
          from: pointer.from,
          to: pointer.value,
          kind: changed(pointer) ? "changed" : "steady",
        })),
      ]),
      shown.map((object) =>
        this.box(
          object,
          pointers.some((pointer) => changed(pointer) && objectKey(pointer.from) === object.key),
        ),
      ),
    );
  }

  /** Arrows into the same object end side by side, in the order in which they come. */
  arrows(objects, arrows) {
    const start = ({ from }) => rowMiddle(objects.get(objectKey(from)), from.part);
    const ordered = [...arrows].sort((one, other) => start(one) - start(other));
    return arrows.map((arrow) => {
      const rivals = ordered.filter(({ to }) => objectKey(to) === objectKey(arrow.to));
      return this.arrow(objects, arrow, (rivals.indexOf(arrow) + 1) / (rivals.length + 1));
    });
  }

  arrowhead(id, style) {
    return svgElement(
      "marker",
      {
        id,
        viewBox: "0 0 10 10",
        refX: 9,
        refY: 5,
        markerWidth: 10,
        markerHeight: 10,
        orient: "auto",
        markerUnits: "userSpaceOnUse",
      },
      svgElement("path", { d: "M0,1 L10,5 L0,9 z", class: style }),
    );
  }

  box({ name, parts, x, y, width, height }, changed) {
    const rows = parts.filter((part) => part !== "");
    const isNull = name === "NULL";
    return svgElement(
      "g",
      {
        class: `object${changed ? " changed" : ""}${isNull ? " null" : ""}`,
        transform: `translate(${x} ${y})`,
        "data-object": name,
      },
      svgElement("rect", { width, height, rx: 6 }),
      svgElement("text", { x: OBJECT.padding, y: OBJECT.row / 2, class: "name" }, name),
      rows.map((part, index) => [
        svgElement("line", {
          x1: 0,
          x2: width,
          y1: OBJECT.row * (index + 1),
          y2: OBJECT.row * (index + 1),
        }),
        svgElement("text", { x: OBJECT.padding, y: OBJECT.row * (index + 1.5) }, part),
      ]),
    );
  }

  /** `share` says how far down the side of the target the arrow ends. */
  arrow(objects, { from, to, kind }, share) {
    const source = objects.get(objectKey(from));
    const target = objects.get(objectKey(to));
    const startX = source.x + source.width;
    const startY = rowMiddle(source, from.part);
    const forward = target.x > startX;
    const endX = forward ? target.x - 2 : target.x + target.width + 2;
    const endY = target.y + target.height * share;
    const bend = forward ? (endX - startX) / 2 : 56;
    const d = `M${startX},${startY} C${startX + bend},${startY} ${forward ? endX - bend : endX + bend},${endY} ${endX},${endY}`;
    const head = kind === "changed" ? "arrowhead-changed" : "arrowhead";
    const title = `${this.text(from)} ${kind === "former" ? "pointed" : "points"} to ${this.text(to)}`;
    return svgElement(
      "g",
      { class: `arrow ${kind}`, "data-from": this.text(from), "data-to": this.text(to) },
      svgElement("title", {}, title),
      svgElement("path", { d, "marker-end": `url(#${head})` }),
      svgElement("circle", { cx: startX, cy: startY, r: 3 }),
      to.part !== "" &&
        svgElement(
          "text",
          { x: endX + (forward ? -6 : 6), y: endY - 10, "text-anchor": forward ? "end" : "start" },
          to.part,
        ),
    );
  }
}
