// The trace: the steps of all threads in columns, and the values after the current step.

/** What holds after a step: the changes of all steps up to it, added up. */
function stateAfter(steps, last) {
  const variables = new Map();
  const pointers = new Map();
  const locks = new Map();
  const change = (map, key, value, entry, step) => {
    const old = map.get(key);
    const before = old?.step === step ? old.before : old?.value;
    map.delete(key);
    if (value !== null) {
      map.set(key, { ...entry, value, before, step });
    }
  };
  for (let step = 0; step <= last; step += 1) {
    const { writes, points_to: pointings, locks: lockings } = steps[step];
    for (const write of writes) {
      change(variables, variableKey(write), write.value, write, step);
    }
    for (const { from, to } of pointings) {
      change(pointers, placeKey(from), to, { from }, step);
    }
    for (const { lock, local_to: frame, owners } of lockings) {
      change(locks, ownedKey(lock, frame), owners, { lock, local_to: frame }, step);
    }
  }
  return { variables, pointers, locks };
}

/** What tells names apart that stand for different things in different calls. */
function ownedKey(name, frame) {
  return frame === null ? name : `${name} ${frameKey(frame)}`;
}

function frameKey({ thread, function: name, occurrence }) {
  return JSON.stringify([thread, name, occurrence]);
}

function variableKey({ place, local_to: frame }) {
  return ownedKey(place, frame);
}

function objectKey({ object, local_to: frame }) {
  return ownedKey(object, frame);
}

function placeKey(place) {
  return ownedKey(placeText(place), place.local_to);
}

function placeText({ object, part }) {
  return object + part;
}

/** A call in words: the thread where it is the first one, otherwise the function, numbered if need be. */
function frameName(threads, { thread, function: name, occurrence, depth }) {
  if (depth === 0) {
    return threads[thread].name;
  }
  const number = occurrence > 1 ? `#${occurrence}` : "";
  return `${name}${number}${threads.length > 1 ? ` in ${threads[thread].name}` : ""}`;
}

/** Steps through a trace; the panels listen. */
class Player {
  constructor(trace, bar) {
    this.trace = trace;
    this.current = 0;
    this.listeners = [];
    this.slider = element("input", {
      type: "range",
      min: 1,
      max: trace.steps.length,
      value: 1,
      "aria-label": "Step",
      input: () => this.go(Number(this.slider.value) - 1),
    });
    this.position = element("output", { class: "position" });
    this.where = element("span", { class: "where", "aria-live": "polite" });
    const button = (text, label, keys, action) =>
      element(
        "button",
        { type: "button", "aria-label": label, title: `${label} (${keys})`, click: action },
        text,
      );
    const several = trace.threads.length > 1;
    bar.append(
      element(
        "div",
        { class: "buttons" },
        button("⇤", "First step", "Home", () => this.go(0)),
        several && button("«", "Previous switch of thread", "p", () => this.switchThread(-1)),
        button("‹", "Previous step", "← or k", () => this.go(this.current - 1)),
        button("›", "Next step", "→ or j", () => this.go(this.current + 1)),
        several && button("»", "Next switch of thread", "n", () => this.switchThread(1)),
        button("⇥", "Last step", "End", () => this.go(trace.steps.length - 1)),
      ),
      element("div", { class: "track" }, this.ribbon(), this.slider),
      this.position,
      this.where,
    );
  }

  /** Who moves when: a band of colours along the slider. */
  ribbon() {
    const { steps } = this.trace;
    const runs = [];
    for (const step of steps) {
      if (runs.at(-1)?.thread === step.thread) {
        runs.at(-1).length += 1;
      } else {
        runs.push({ thread: step.thread, length: 1 });
      }
    }
    const bands = runs.map(({ thread, length }) => {
      const band = element("span", { tone: tone(thread) });
      band.style.flexGrow = length;
      return band;
    });
    // A band of less than a pixel says nothing.
    return element(
      "div",
      { class: "ribbon", "aria-hidden": "true" },
      bands.length <= 400 ? bands : [],
    );
  }

  listen(listener) {
    this.listeners.push(listener);
  }

  go(step) {
    this.current = Math.max(0, Math.min(step, this.trace.steps.length - 1));
    this.refresh();
  }

  refresh() {
    const { steps, threads } = this.trace;
    const step = steps[this.current];
    this.slider.value = this.current + 1;
    this.slider.setAttribute(
      "aria-valuetext",
      `step ${this.current + 1}, ${threads[step.thread].name}`,
    );
    this.position.textContent = `${this.current + 1} / ${steps.length}`;
    this.where.replaceChildren(
      threadChip(threads, step.thread),
      element("span", { class: "dim" }, `in ${step.function}`),
      element("code", {}, step.text),
    );
    const state = stateAfter(steps, this.current);
    for (const listener of this.listeners) {
      listener(this.current, state);
    }
  }

  /** Goes to the first step of the next stretch of one thread, or of the one before. */
  switchThread(direction) {
    const { steps } = this.trace;
    const begins = (step) =>
      step <= 0 || step >= steps.length || steps[step].thread !== steps[step - 1].thread;
    let step = this.current + direction;
    while (!begins(step)) {
      step += direction;
    }
    this.go(step);
  }

  key(key) {
    const actions = {
      ArrowRight: () => this.go(this.current + 1),
      j: () => this.go(this.current + 1),
      ArrowLeft: () => this.go(this.current - 1),
      k: () => this.go(this.current - 1),
      Home: () => this.go(0),
      End: () => this.go(this.trace.steps.length - 1),
      n: () => this.switchThread(1),
      p: () => this.switchThread(-1),
    };
    if (!Object.hasOwn(actions, key)) {
      return false;
    }
    actions[key]();
    return true;
  }

  /** The next step on a line after the current one, or the first. */
  goToLine(file, line) {
    const here = ({ at }) => at !== null && at.file === file && at.line === line;
    const next = this.trace.steps.findIndex((step, index) => index > this.current && here(step));
    const found = next >= 0 ? next : this.trace.steps.findIndex(here);
    if (found >= 0) {
      this.go(found);
    }
  }

  /** Where all threads but the current one were last seen. */
  others() {
    const { steps, threads } = this.trace;
    const seen = new Map();
    for (let index = this.current; index >= 0 && seen.size < threads.length; index -= 1) {
      const { thread, at } = steps[index];
      if (!seen.has(thread)) {
        seen.set(thread, at);
      }
    }
    seen.delete(steps[this.current].thread);
    return [...seen]
      .filter(([, at]) => at !== null)
      .map(([thread, at]) => ({ thread, at, name: threads[thread].name }));
  }
}

/** The rows of longer traces are laid out only when they come into view. */
const MAX_LAID_OUT = 1000;

/** So often the place of such a row is looked at again. */
const MAX_CORRECTIONS = 5;

/** The steps, one column for each thread, time running down. */
class LanesPanel {
  constructor(player) {
    this.player = player;
    const { threads, steps } = player.trace;
    const last = new Map();
    this.rows = steps.map((step, index) => {
      const entered = last.get(step.thread) !== step.function;
      last.set(step.thread, step.function);
      const switched = index > 0 && steps[index - 1].thread !== step.thread;
      return this.row(step, index, { entered, switched });
    });
    const heads = threads.map((_, index) => element("div", {}, threadChip(threads, index)));
    const guides = threads.map((_, index) => element("div", { tone: tone(index) }));
    this.list = element(
      "div",
      {
        class: steps.length > MAX_LAID_OUT ? "steps many" : "steps",
        role: "listbox",
        tabindex: 0,
        "aria-label": "Steps of all threads, in order",
        click: (event) => this.clicked(event),
        keydown: (event) => this.pressed(event),
      },
      element("div", { class: "guides", "aria-hidden": "true" }, guides),
      this.rows,
    );
    const body = element(
      "div",
      { class: "lanes-body" },
      element("div", { class: "lane-heads" }, heads),
      this.list,
    );
    body.style.setProperty("--threads", threads.length);
    this.body = body;
    const legend = element(
      "span",
      { class: "legend" },
      element("span", { class: "access read" }, "read"),
      element("span", { class: "access write" }, "write"),
      "of shared data",
    );
    const title = threads.length > 1 ? "Threads" : "Steps";
    this.root = element(
      "section",
      { class: "panel lanes", "aria-label": title },
      element("h2", {}, title, threads.length > 1 && legend),
      body,
    );
    player.listen((current) => this.show(current));
  }

  row(step, index, { entered, switched }) {
    const card = element(
      "div",
      { class: "card" },
      entered && element("div", { class: "entered" }, step.function),
      element(
        "div",
        { class: "what", title: step.text },
        step.at !== null && element("span", { class: "line-number" }, step.at.line),
        element("code", {}, step.text),
      ),
      this.deeds(step),
    );
    card.style.gridColumn = step.thread + 2;
    return element(
      "div",
      {
        class: switched ? "step switched" : "step",
        role: "option",
        id: `step-${index}`,
        "data-step": index,
        "aria-selected": "false",
        tone: tone(step.thread),
      },
      element("span", { class: "number" }, index + 1),
      card,
    );
  }

  deeds(step) {
    const reads = step.reads.map(({ place, value, shared }) =>
      element(
        "span",
        { class: shared ? "access read" : "private" },
        `${shared ? "" : "reads "}${place} = ${value}`,
      ),
    );
    // What is another call's, such as parameters and results, is told with that.
    const { threads } = this.player.trace;
    const own = frameKey(step);
    const of = (frame) =>
      frame === null || frameKey(frame) === own ? "" : ` in ${frameName(threads, frame)}`;
    const writes = step.writes
      .filter(({ value }) => value !== null)
      .map(({ place, value, shared, local_to: frame }) =>
        element(
          "span",
          { class: shared ? "access write" : "private" },
          `${place} = ${value}${of(frame)}`,
        ),
      );
    const inputs = step.inputs.map(([from, value]) =>
      element("span", { class: "input" }, `${from} gives ${value}`),
    );
    const notes = step.notes.map((note) => element("span", { class: "note" }, note));
    const all = [...notes, ...inputs, ...reads, ...writes];
    return all.length > 0 && element("div", { class: "deeds" }, all);
  }

  clicked(event) {
    const row = event.target.closest(".step");
    if (row !== null) {
      this.player.go(Number(row.dataset.step));
    }
  }

  /** In a list, people expect these keys too. */
  pressed(event) {
    const steps = { ArrowDown: 1, ArrowUp: -1 };
    if (Object.hasOwn(steps, event.key)) {
      this.player.go(this.player.current + steps[event.key]);
      event.preventDefault();
    }
  }

  show(current) {
    this.rows[this.shown]?.setAttribute("aria-selected", "false");
    this.shown = current;
    this.rows[current].setAttribute("aria-selected", "true");
    this.list.setAttribute("aria-activedescendant", `step-${current}`);
    this.scroll(this.rows.length > MAX_LAID_OUT ? MAX_CORRECTIONS : 0);
  }

  /** Rows that come into view turn out higher or lower than they were taken for, so look again. */
  scroll(corrections) {
    const row = this.rows[this.shown];
    bringIntoView(this.body, row);
    const card = row.querySelector(".card").getBoundingClientRect();
    const { left, right } = this.body.getBoundingClientRect();
    if (card.left < left || card.right > right) {
      this.body.scrollLeft += card.left - left - (right - left - card.width) / 2;
    }
    if (corrections > 0) {
      requestAnimationFrame(() => this.scroll(corrections - 1));
    }
  }
}

/** The values of variables and the owners of locks after the current step. */
class ValuesPanel {
  constructor(player) {
    this.player = player;
    this.body = element("div", {
      class: "values",
      tabindex: 0,
      role: "region",
      "aria-label": "Values after this step",
    });
    this.root = element(
      "section",
      { class: "panel state", "aria-label": "State" },
      element("h2", {}, "After this step"),
      this.body,
    );
    this.shared = new Set();
    for (const { reads, writes } of player.trace.steps) {
      [...reads, ...writes]
        .filter(({ shared }) => shared)
        .forEach((access) => this.shared.add(variableKey(access)));
    }
    player.listen((current, state) => this.show(current, state));
  }

  show(current, { variables, locks }) {
    const { threads } = this.player.trace;
    const parts = [];
    if (locks.size > 0) {
      parts.push(this.lockTable(current, sorted(locks)));
    }
    const all = sorted(variables);
    const globals = all.filter(({ local_to: frame }) => frame === null);
    const isShared = (entry) => this.shared.has(variableKey(entry));
    for (const [title, rows] of [
      ["Shared between threads", globals.filter(isShared)],
      ["Globals and memory", globals.filter((entry) => !isShared(entry))],
    ]) {
      if (rows.length > 0) {
        parts.push(this.table(current, title, rows));
      }
    }
    for (const [index] of threads.entries()) {
      const own = all.filter(({ local_to: frame }) => frame?.thread === index);
      const frames = new Map(own.map(({ local_to: frame }) => [frameKey(frame), frame]));
      for (const [key, { function: name, occurrence }] of [...frames].sort(
        ([, one], [, other]) => one.depth - other.depth,
      )) {
        const rows = own.filter(({ local_to: frame }) => frameKey(frame) === key);
        const number = occurrence > 1 ? `, call ${occurrence}` : "";
        const title = [
          threadChip(threads, index),
          element("span", { class: "dim" }, ` in ${name}${number}`),
        ];
        parts.push(this.table(current, title, rows));
      }
    }
    this.body.replaceChildren(...parts);
    if (parts.length === 0) {
      this.body.append(element("p", { class: "dim" }, "No variable has been written yet."));
    }
  }

  table(current, title, rows) {
    const read = new Set(this.player.trace.steps[current].reads.map(variableKey));
    const isRead = (entry) => read.has(variableKey(entry));
    const row = (entry) => {
      const changed = entry.step === current;
      return element(
        "tr",
        { class: changed ? "changed" : null, "data-place": entry.place },
        element("th", { scope: "row" }, entry.place),
        element(
          "td",
          {},
          element(
            "span",
            { class: "marks" },
            isRead(entry) &&
              element("abbr", { class: "access read", title: "read in this step" }, "R"),
            changed &&
              element("abbr", { class: "access write", title: "written in this step" }, "W"),
          ),
          changed &&
            entry.before !== undefined &&
            element("span", { class: "before", title: "before this step" }, entry.before),
          element("span", { class: "value" }, entry.value),
        ),
      );
    };
    return element("table", {}, element("caption", {}, title), element("tbody", {}, rows.map(row)));
  }

  lockTable(current, locks) {
    const { threads } = this.player.trace;
    const names = locks.map(({ lock }) => lock);
    const isAmbiguous = (lock) => names.indexOf(lock) !== names.lastIndexOf(lock);
    const name = ({ lock, local_to: frame }) =>
      frame !== null && isAmbiguous(lock) ? `${lock} of ${frameName(threads, frame)}` : lock;
    const row = ({ lock, local_to: frame, value, step }) =>
      element(
        "tr",
        { class: step === current ? "changed" : null, "data-lock": lock },
        element("th", { scope: "row" }, name({ lock, local_to: frame })),
        element(
          "td",
          {},
          value.length === 0
            ? element("span", { class: "dim" }, "free")
            : ["held by ", value.map((owner) => threadChip(threads, owner))].flat(),
        ),
      );
    return element(
      "table",
      { class: "locks" },
      element("caption", {}, "Locks"),
      element("tbody", {}, locks.map(row)),
    );
  }
}

/** The entries of a map by their keys, so that rows stay where they are from step to step. */
function sorted(map) {
  const order = new Intl.Collator("en", { numeric: true });
  return [...map].sort(([one], [other]) => order.compare(one, other)).map(([, entry]) => entry);
}
