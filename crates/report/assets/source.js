// Source files with line numbers: the current line, where other threads are, what holds at a line.

const KEYWORDS = new Set(
  (
    "auto break case char const continue default do double else enum extern float for goto if inline int long " +
    "register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while " +
    "_Alignas _Alignof _Atomic _Bool _Generic _Noreturn _Static_assert _Thread_local bool true false NULL"
  ).split(" "),
);

const TOKEN =
  /\/\/.*|\/\*.*?(?:\*\/|$)|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|^\s*#\s*\w+|\b\d[\w.]*|[A-Za-z_]\w*/g;

/** Longer files are shown without colours, so that they open at once. */
const MAX_COLOURED_LINES = 5000;

/** Lines that the browser lays out together, when they come into view. */
const CHUNK = 100;

/** The pieces of a line of C, and whether a comment is open after it. */
function colouredLine(text, inComment) {
  const pieces = [];
  let at = 0;
  if (inComment) {
    const end = text.indexOf("*/");
    at = end < 0 ? text.length : end + 2;
    pieces.push(element("span", { class: "comment" }, text.slice(0, at)));
    if (end < 0) {
      return [pieces, true];
    }
  }
  TOKEN.lastIndex = at;
  for (let match = TOKEN.exec(text); match; match = TOKEN.exec(text)) {
    const token = match[0];
    const kind = tokenKind(token);
    if (kind !== null) {
      pieces.push(text.slice(at, match.index), element("span", { class: kind }, token));
      at = match.index + token.length;
    }
    if (token.startsWith("/*") && (token.length < 4 || !token.endsWith("*/"))) {
      return [pieces, true];
    }
  }
  pieces.push(text.slice(at));
  return [pieces, false];
}

function tokenKind(token) {
  if (token.startsWith("/")) {
    return "comment";
  }
  if (token.startsWith('"') || token.startsWith("'")) {
    return "string";
  }
  if (token.trimStart().startsWith("#")) {
    return "directive";
  }
  if (/^\d/.test(token)) {
    return "number";
  }
  return KEYWORDS.has(token) ? "keyword" : null;
}

/** A panel that shows one file at a time. */
class SourcePanel {
  /** `onLine` is told about clicks on lines; `visited` says whether the trace passes a line. */
  constructor(report, { onLine, visited }) {
    this.report = report;
    this.onLine = onLine;
    this.visited = visited;
    this.file = -1;
    this.pages = new Map();
    this.marked = [];
    this.choice = element(
      "select",
      { "aria-label": "Source file", change: () => this.open(Number(this.choice.value)) },
      report.files.map((file, index) => element("option", { value: index }, file.name)),
    );
    const title =
      report.files.length === 1
        ? element("span", { class: "file-name" }, report.files[0].name)
        : this.choice;
    this.code = element("div", {
      class: "code",
      tabindex: 0,
      role: "region",
      "aria-label": "Source text",
    });
    this.root = element(
      "section",
      { class: "panel source", "aria-label": "Source" },
      element("h2", {}, "Source", title),
      this.code,
    );
    if (report.files.length > 0) {
      this.open(0);
    }
  }

  open(file) {
    if (file === this.file) {
      return;
    }
    this.file = file;
    this.choice.value = file;
    if (!this.pages.has(file)) {
      this.pages.set(file, this.page(file));
    }
    this.code.replaceChildren(this.pages.get(file).root);
    this.code.scrollTop = 0;
  }

  page(file) {
    // The last line ends, too; what comes after it is no line.
    const texts = this.report.files[file].text.replace(/\r?\n$/, "").split(/\r?\n/);
    const asides = this.asides(file);
    const coloured = texts.length <= MAX_COLOURED_LINES;
    const lines = [];
    const chunks = [];
    let inComment = false;
    for (const [index, text] of texts.entries()) {
      let pieces = [text];
      if (coloured) {
        [pieces, inComment] = colouredLine(text, inComment);
      }
      const number = index + 1;
      const passed = this.visited(file, number);
      const line = element(
        "div",
        { class: passed ? "line visited" : "line", "data-line": number },
        pieces,
        asides.get(number) ?? [],
      );
      lines.push(line);
      if (index % CHUNK === 0) {
        chunks.push(element("div", { class: "chunk" }));
        chunks.at(-1).style.setProperty("--lines", Math.min(CHUNK, texts.length - index));
      }
      chunks.at(-1).append(line);
    }
    const root = element(
      "div",
      { class: "lines", click: (event) => this.clicked(file, event) },
      chunks,
    );
    return { root, lines };
  }

  /** What is known about the lines of a file, to stand behind their text. */
  asides(file) {
    const found = new Map();
    const add = (line, kind, title, text) => {
      const aside = element("span", { class: `aside ${kind}`, title }, text);
      found.set(line, [...(found.get(line) ?? []), aside]);
    };
    for (const { at, text } of this.report.invariants) {
      if (at.file === file) {
        add(at.line, "invariant", "holds whenever this line is reached", text);
      }
    }
    for (const { at, what } of this.report.precision) {
      if (at?.file === file) {
        add(at.line, "tracked", "tracked by the analysis", what);
      }
    }
    return found;
  }

  clicked(file, event) {
    const line = event.target.closest(".line");
    if (line !== null && getSelection().isCollapsed) {
      this.onLine(file, Number(line.dataset.line));
    }
  }

  /** Shows a place as the current one; `others` are places of other threads in the same file. */
  show(at, thread, others) {
    for (const line of this.marked) {
      line.classList.remove("current");
      line.removeAttribute("aria-current");
      line.querySelectorAll(".stand").forEach((stand) => stand.remove());
    }
    this.marked = [];
    if (at === null) {
      return;
    }
    this.open(at.file);
    const { lines } = this.pages.get(at.file);
    for (const other of others) {
      const line = lines[other.at.line - 1];
      if (other.at.file === at.file && line !== undefined) {
        const title = `${other.name} is here`;
        line.append(
          element("span", { class: "stand", tone: tone(other.thread), title }, other.name),
        );
        this.marked.push(line);
      }
    }
    const line = lines[at.line - 1];
    if (line !== undefined) {
      line.classList.add("current");
      line.setAttribute("aria-current", "step");
      line.style.setProperty("--tone", thread === null ? "var(--accent)" : tone(thread));
      this.marked.push(line);
      bringIntoView(this.code, line);
    }
  }
}
