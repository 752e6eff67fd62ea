// Helpers to build the page. Text of the user becomes text nodes, never markup.

/**
 * An element with attributes and children. Functions among the attributes are event handlers; null,
 * undefined and false mean that an attribute or child is left out.
 */
function element(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function svgElement(tag, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function fill(target, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      target.addEventListener(name, value);
    } else if (name === "tone") {
      target.style.setProperty("--tone", value);
    } else if (value !== null && value !== undefined && value !== false) {
      target.setAttribute(name, value === true ? "" : value);
    }
  }
  target.append(
    ...children
      .flat(Infinity)
      .filter((child) => child !== null && child !== undefined && child !== false),
  );
  return target;
}

const TONES = 8;

/** The colour of a thread. */
function tone(thread) {
  return `var(--tone-${thread % TONES})`;
}

/** A thread by its name, in its colour. */
function threadChip(threads, index) {
  const thread = threads[index];
  return element(
    "span",
    { class: "thread", tone: tone(index), title: `thread ${thread.number}` },
    thread.name,
  );
}

const WHOLE_NUMBER = new Intl.NumberFormat("en");

/** A number with separators, and the noun in its right form. */
function count(number, noun, plural = `${noun}s`) {
  return `${WHOLE_NUMBER.format(number)} ${number === 1 ? noun : plural}`;
}

/** Scrolls only as far as needed, and to the middle if the target was out of sight. */
function bringIntoView(box, target) {
  const margin = 48;
  const outer = box.getBoundingClientRect();
  const inner = target.getBoundingClientRect();
  if (inner.top < outer.top + margin || inner.bottom > outer.bottom - margin) {
    box.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
  }
}
