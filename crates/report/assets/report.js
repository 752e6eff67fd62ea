// Puts the page together: the head, the views, and the keys that work everywhere.

const read = (id) => JSON.parse(document.getElementById(id).textContent);

/** Phases of less than this share of the time get no number in the bar. */
const MIN_LABELLED_SHARE = 0.06;

function shellWord(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function verdictKind(verdict) {
  if (/^TRUE/i.test(verdict)) {
    return "good";
  }
  return /^FALSE/i.test(verdict) ? "bad" : "open";
}

function buildHead(report) {
  const fact = (name, value) =>
    element("div", { class: "fact" }, element("dt", {}, name), element("dd", {}, value));
  const { assumptions, command } = report;
  document.title = `${report.verdict} – Ravelin`;
  document.getElementById("head").append(
    element(
      "div",
      { class: "answer" },
      element("h1", { class: `verdict ${verdictKind(report.verdict)}` }, report.verdict),
      element("p", { class: "summary" }, report.summary),
      memoryFigure(report.memory, (at) => `${report.files[at.file].name}:${at.line}`),
      report.hint !== null && element("p", { class: "hint" }, `Next: ${report.hint}.`),
      element("p", { class: "brand" }, element("strong", {}, "Ravelin"), ` ${report.version}`),
    ),
    element(
      "dl",
      { class: "facts" },
      report.property !== "" && fact("Checked", element("code", {}, report.property)),
      report.data_model !== "" && fact("Data model", report.data_model),
      assumptions.length > 0 &&
        fact(
          "Assuming",
          element(
            "details",
            {},
            element("summary", {}, count(assumptions.length, "assumption")),
            element(
              "ul",
              {},
              assumptions.map((text) => element("li", {}, text)),
            ),
          ),
        ),
      command.length > 0 && fact("Command", element("code", {}, command.map(shellWord).join(" "))),
    ),
  );
}

/** The view of the source, with the steps of the trace and the values if there is one. */
function traceView(report, player) {
  const visited = new Set(
    player?.trace.steps.filter(({ at }) => at !== null).map(({ at }) => `${at.file}:${at.line}`),
  );
  const source = new SourcePanel(report, {
    onLine: (file, line) => player?.goToLine(file, line),
    visited: (file, line) => visited.has(`${file}:${line}`),
  });
  if (player === null) {
    if (report.place !== null) {
      source.show(report.place, null, []);
    }
    return { root: element("div", { class: "trace alone" }, source.root), source };
  }
  player.listen((current) => {
    const { at, thread } = player.trace.steps[current];
    source.show(at, thread, player.others());
  });
  const several = player.trace.threads.length > 1;
  const root = element(
    "div",
    { class: several ? "trace" : "trace single" },
    source.root,
    new LanesPanel(player).root,
    new ValuesPanel(player).root,
  );
  return { root, source };
}

function tableView(title, heads, rows) {
  return element(
    "div",
    { class: "page" },
    element("h2", {}, title),
    element(
      "table",
      { class: "wide" },
      element(
        "thead",
        {},
        element(
          "tr",
          {},
          heads.map((head) => element("th", { scope: "col" }, head)),
        ),
      ),
      element(
        "tbody",
        {},
        rows.map((cells) =>
          element(
            "tr",
            {},
            cells.map((cell) => element("td", {}, cell)),
          ),
        ),
      ),
    ),
  );
}

function statisticsView({ statistics, phases, seconds: whole }) {
  const wholes = phases.filter(({ part_of: of }) => of === null);
  const total = wholes.reduce((sum, { seconds }) => sum + seconds, 0);
  const parts = wholes.map(({ name, seconds }, index) => {
    const share = total > 0 ? seconds / total : 0;
    const part = element(
      "span",
      { tone: tone(index), title: `${name}: ${seconds.toFixed(2)} s` },
      share >= MIN_LABELLED_SHARE ? `${Math.round(share * 100)} %` : "",
    );
    part.style.flexGrow = share;
    return part;
  });
  const within = (name) =>
    phases
      .filter(({ part_of: of }) => of === name)
      .map(({ name: part, seconds }) => `${part} ${seconds.toFixed(2)} s`);
  const keys = wholes.map(({ name, seconds }, index) => {
    const inside = within(name);
    const of = inside.length > 0 ? `, of which ${inside.join(", ")}` : "";
    return element(
      "li",
      { tone: tone(index) },
      name,
      element("span", { class: "dim" }, ` ${seconds.toFixed(2)} s${of}`),
    );
  });
  return element(
    "div",
    { class: "page" },
    phases.length > 0 && [
      element("h2", {}, "Time ", element("span", { class: "dim" }, `${whole.toFixed(2)} s`)),
      element(
        "p",
        { class: "dim" },
        "Phases of analyses that run side by side are added up; what no phase counts is left out.",
      ),
      element("div", { class: "phases", "aria-hidden": "true" }, parts),
      element("ul", { class: "phase-keys" }, keys),
    ],
    statistics.length > 0 && [
      element("h2", {}, "Counts"),
      element(
        "table",
        { class: "wide numbers" },
        element(
          "tbody",
          {},
          statistics.map(([name, value]) =>
            element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, String(value))),
          ),
        ),
      ),
    ],
  );
}

/** All automata, of which one is shown at a time. */
function automataView(graphs, options) {
  const views = new Map();
  const root = element("div", { class: "automata" });
  const choice = element(
    "select",
    { "aria-label": "Procedure", change: () => show() },
    graphs.map(({ name }, index) => element("option", { value: index }, name)),
  );
  const show = () => {
    const index = Number(choice.value);
    if (!views.has(index)) {
      views.set(index, new GraphView(graphs[index], options));
    }
    const view = views.get(index);
    view.toolbar.prepend(choice);
    root.replaceChildren(view.root);
  };
  show();
  return root;
}

/** Views are built when they are first shown. */
class Views {
  constructor() {
    this.list = [];
    this.current = null;
    this.onShow = () => {};
  }

  add(id, title, build, { withPlayer = false } = {}) {
    const button = element(
      "button",
      { type: "button", id: `view-${id}`, click: () => this.show(id) },
      title,
    );
    document.getElementById("views").append(button);
    this.list.push({ id, build, button, withPlayer, root: null });
  }

  show(id) {
    const view = this.list.find((candidate) => candidate.id === id) ?? this.list[0];
    if (view === this.current) {
      return;
    }
    view.root ??= view.build();
    this.current?.button.removeAttribute("aria-current");
    view.button.setAttribute("aria-current", "page");
    this.current = view;
    document.getElementById("main").replaceChildren(view.root);
    document.getElementById("player").hidden = !view.withPlayer;
    this.onShow();
  }
}

function start() {
  const report = read("report");
  const hasSteps = report.trace !== null && report.trace.steps.length > 0;
  const player = hasSteps ? new Player(report.trace, document.getElementById("player")) : null;
  const views = new Views();
  buildHead(report);

  const trace = traceView(report, player);
  views.add("trace", hasSteps ? "Trace" : "Source", () => trace.root, { withPlayer: hasSteps });
  if (report.trace?.steps.some((step) => step.points_to.length > 0)) {
    const pointers = new PointersPanel(player);
    views.add("pointers", "Points-to", () => pointers.root, { withPlayer: true });
  }
  const options = {
    fileName: (file) => report.files[file].name.split("/").at(-1),
    showSource: (at) => {
      views.show("trace");
      trace.source.show(at, null, []);
    },
  };
  // Large graphs are read only when they are wanted.
  if (document.getElementById("arg").textContent !== "null") {
    views.add("arg", "ARG", () => new GraphView(read("arg"), options).root);
  }
  if (document.getElementById("automata").textContent !== "[]") {
    views.add("automata", "Automata", () => automataView(read("automata"), options));
  }
  const place = (at) =>
    at === null
      ? ""
      : element(
          "button",
          { type: "button", class: "link", click: () => options.showSource(at) },
          `${options.fileName(at.file)}:${at.line}`,
        );
  const code = (text) => element("code", {}, text);
  if (report.precision.length > 0) {
    const rows = report.precision.map(({ place: where, what, at }) => [
      code(what),
      where,
      place(at),
    ]);
    views.add("precision", "Precision", () =>
      tableView("What the analysis tracked", ["Tracked", "Where", "Source"], rows),
    );
  }
  if (report.invariants.length > 0) {
    const rows = report.invariants.map(({ at, text }) => [code(text), place(at)]);
    views.add("invariants", "Invariants", () =>
      tableView("What holds whenever a line is reached", ["Invariant", "Source"], rows),
    );
  }
  if (report.statistics.length > 0 || report.phases.length > 0) {
    views.add("statistics", "Statistics", () => statisticsView(report));
  }

  // The address names the view and the step, so that both survive a reload and can be passed on.
  const [wantedView, wantedStep] = location.hash.slice(1).split("/");
  let timer = 0;
  const remember = () => {
    clearTimeout(timer);
    // Browsers limit how often the address may change.
    timer = setTimeout(() => {
      const step = player === null ? "" : `/${player.current + 1}`;
      history.replaceState(null, "", `#${views.current.id}${step}`);
    }, 400);
  };
  views.onShow = () => {
    if (views.current.withPlayer) {
      // Lists cannot scroll to the current step while they are not shown.
      player.refresh();
    }
    remember();
  };
  player?.go(Number.parseInt(wantedStep ?? "1", 10) - 1 || 0);
  player?.listen(remember);
  views.show(wantedView);

  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches("input:not([type=range]), select, textarea");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const number = Number(event.key);
    if (number >= 1 && number <= views.list.length) {
      views.show(views.list[number - 1].id);
    } else if (!views.current.withPlayer || !player.key(event.key)) {
      return;
    }
    event.preventDefault();
  });
  document.documentElement.dataset.ready = "true";
}

start();
