//! The page in a real browser: what it shows, how it moves, and how fast.
//!
//! Without Chromium the tests are left out, unless `RAVELIN_REQUIRE_BROWSER` is set.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use ravelin_report::model::{
    Edge, EdgeKind, Figure, Frame, Graph, Invariant, MemoryError, MemoryState, Node, NodeKind,
    Phase, Position, PrecisionEntry, Report, SourceFile, Step, Thread, Trace, Write,
};
use ravelin_report::render;
use serde_json::{Value, json};

#[path = "support/browser.rs"]
mod browser;
#[path = "support/lost_update.rs"]
mod lost_update;

use browser::Browser;

/// Two browsers at once would spoil each other's times.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Runs checks one after the other in the same browser; each opens a page of its own.
fn in_browser(checks: &[fn(&mut Browser)]) {
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(mut browser) = Browser::start() {
        checks.iter().for_each(|check| check(&mut browser));
    }
}

#[test]
fn reports_are_shown_as_they_are() {
    in_browser(&[
        all_views_open_without_a_complaint,
        an_empty_report_opens_without_a_complaint,
        keys_and_slider_move_through_the_trace,
        what_holds_stands_beside_the_line,
        calls_have_their_own_values,
        a_page_without_an_answer_shows_what_is_in_the_way,
        an_invalid_access_is_drawn,
        pointers_are_drawn_as_they_are_at_the_step,
        hostile_text_is_shown_as_it_is,
    ]);
}

#[test]
fn large_graphs_are_folded_and_quick() {
    in_browser(&[
        a_large_graph_opens_and_moves_quickly,
        a_long_chain_is_one_box_and_comes_apart,
        a_node_far_from_the_start_is_shown_without_it,
    ]);
}

/// The line that is marked, and the thread and the step that the lanes mark.
fn current(browser: &mut Browser) -> Value {
    browser.eval(
        "[Number(document.querySelector('.line.current').dataset.line), \
          document.querySelector('.where .thread').textContent, \
          Number(document.querySelector('.step[aria-selected=true]').dataset.step) + 1, \
          document.querySelectorAll('.line.current, .step[aria-selected=true]').length]",
    )
}

/// Presses a key, and checks where the trace is then.
fn check_key(browser: &mut Browser, key: &str, line: u32, thread: &str, step: u32) {
    browser.press(key);
    check_current(browser, line, thread, step);
}

fn check_current(browser: &mut Browser, line: u32, thread: &str, step: u32) {
    assert_eq!(current(browser), json!([line, thread, step, 2]));
}

fn all_views_open_without_a_complaint(browser: &mut Browser) {
    browser.open(&render(&lost_update::report()));
    let views = browser.eval("[...document.querySelectorAll('#views button')].map((b) => b.id)");
    let views: Vec<String> = serde_json::from_value(views).unwrap();
    assert_eq!(views.len(), 7);
    for view in &views {
        browser.click(&format!("#{view}"));
        browser.settle();
        assert_eq!(browser.text("#views [aria-current]"), browser.text(&format!("#{view}")));
    }
    assert_eq!(browser.text(".verdict"), "FALSE(unreach-call)");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

fn an_empty_report_opens_without_a_complaint(browser: &mut Browser) {
    browser.open(&render(&Report { verdict: "UNKNOWN".to_owned(), ..Report::default() }));
    assert_eq!(browser.text("#views [aria-current]"), "Source");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

fn keys_and_slider_move_through_the_trace(browser: &mut Browser) {
    browser.open(&render(&lost_update::report()));
    check_current(browser, 13, "main", 1);
    check_key(browser, "ArrowRight", 39, "main", 2);
    assert_eq!(browser.text("tr[data-place=start].changed .value"), "0");
    check_key(browser, "j", 42, "main", 3);
    check_key(browser, "k", 39, "main", 2);

    // From one stretch of a thread to the next, and back.
    check_key(browser, "n", 31, "teller", 6);
    check_key(browser, "n", 45, "main", 7);
    check_key(browser, "p", 31, "teller", 6);

    let set = |step: u32| {
        format!(
            "(() => {{ const slider = document.querySelector('#player input'); \
             slider.value = {step}; slider.dispatchEvent(new Event('input')); }})()"
        )
    };
    browser.eval(&set(12));
    check_current(browser, 19, "teller (2)", 12);
    assert_eq!(browser.text("tr[data-lock=m].changed td"), "held by teller (2)");
    assert_eq!(browser.text("tr[data-place='checking.balance'] .value"), "0");
    browser.press("ArrowRight");
    assert_eq!(browser.text("tr[data-place='checking.balance'] .read"), "R");
    browser.eval(&set(16));
    let balance = "tr[data-place='checking.balance'].changed";
    assert_eq!(browser.text(&format!("{balance} .before")), "0");
    assert_eq!(browser.text(&format!("{balance} .value")), "10");
    assert_eq!(browser.text(&format!("{balance} .write")), "W");
    // The other teller waits at the line that it passed last.
    assert_eq!(browser.text(".stand"), "teller");
    browser.press("ArrowRight");
    assert_eq!(browser.text("tr[data-lock=m].changed td"), "free");
    // Locals of a call that has returned are gone, those of the other thread are not.
    let old = "document.querySelectorAll('tr[data-place=old]').length";
    assert_eq!(browser.eval(old), 1);

    check_key(browser, "End", 49, "main", 23);
    check_key(browser, "ArrowRight", 49, "main", 23);
    check_key(browser, "Home", 13, "main", 1);
    // The real slider obeys the real keys, one step for each.
    browser.eval("document.querySelector('#player input').focus()");
    check_key(browser, "ArrowRight", 39, "main", 2);
    // A click on a line goes to the next step there, a click on a step to that step.
    browser.click(".line[data-line='42']");
    check_current(browser, 42, "main", 3);
    browser.click("#step-3 .card");
    check_current(browser, 43, "main", 4);
    browser.eval("document.querySelector('.steps').focus()");
    check_key(browser, "ArrowDown", 44, "main", 5);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

fn what_holds_stands_beside_the_line(browser: &mut Browser) {
    browser.open(&render(&lost_update::report()));
    assert_eq!(browser.text(".line[data-line='19'] .invariant"), "to == &checking");
    assert_eq!(browser.text(".line[data-line='24'] .tracked"), "old");
    browser.click("#view-invariants");
    browser.click("tbody tr:nth-child(2) .link");
    assert_eq!(browser.eval("document.querySelector('.line.current').dataset.line"), "42");
}

/// A thread that calls a function in itself: each call has its own variable, told with what it was given.
fn calls_have_their_own_values(browser: &mut Browser) {
    let frame = |occurrence: u32| Frame {
        thread: 0,
        function: "walk".to_owned(),
        occurrence,
        depth: occurrence as usize - 1,
    };
    let write = |occurrence: u32, value: Option<&str>| Write {
        place: "d".to_owned(),
        local_to: Some(frame(occurrence)),
        value: value.map(str::to_owned),
        shared: false,
    };
    let step = |occurrence: u32, writes: Vec<Write>| Step {
        function: "walk".to_owned(),
        occurrence,
        text: "walk(d - 1);".to_owned(),
        writes,
        ..Step::default()
    };
    let steps = vec![
        step(1, vec![write(1, Some("7"))]),
        step(1, vec![write(2, Some("6"))]),
        step(2, vec![write(2, None)]),
    ];
    let threads = vec![Thread { number: 0, name: "walk".to_owned() }];
    let trace = Some(Trace { threads, steps });
    browser.open(&render(&Report { trace, ..Report::default() }));
    let values = "[...document.querySelectorAll('.state table')].map((table) => \
         [table.caption.textContent, table.querySelector('.value').textContent])";
    assert_eq!(browser.eval(values), json!([["walk in walk", "7"]]));
    browser.press("ArrowRight");
    assert_eq!(browser.eval(values), json!([["walk in walk", "7"], ["walk in walk, call 2", "6"]]));
    assert_eq!(browser.text("#step-1 .private"), "d = 6 in walk#2");
    browser.press("ArrowRight");
    assert_eq!(browser.eval(values), json!([["walk in walk", "7"]]));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

fn a_page_without_an_answer_shows_what_is_in_the_way(browser: &mut Browser) {
    let text = "int main(void) {\n  __asm__(\"nop\");\n}\n".to_owned();
    let file = SourceFile { name: "a.c".to_owned(), text };
    let phase = |name: &str, seconds: f64, part_of: Option<&str>| Phase {
        name: name.to_owned(),
        seconds,
        part_of: part_of.map(str::to_owned),
    };
    let report = Report {
        verdict: "UNKNOWN(unsupported: a.c:2:3 inline assembly)".to_owned(),
        hint: Some("a stub may do".to_owned()),
        place: Some(Position { file: 0, line: 2, column: 3 }),
        files: vec![file],
        phases: vec![phase("work", 1.0, None), phase("detail", 0.75, Some("work"))],
        seconds: 2.5,
        ..Report::default()
    };
    browser.open(&render(&report));
    assert_eq!(browser.text(".hint"), "Next: a stub may do.");
    assert_eq!(browser.text(".line.current"), "  __asm__(\"nop\");");
    // After the end of the last line there is none.
    assert_eq!(browser.eval("document.querySelectorAll('.line').length"), 3);
    browser.click("#view-statistics");
    assert_eq!(browser.text("h2 .dim"), "2.50 s");
    assert_eq!(browser.text(".phase-keys"), "work 1.00 s, of which detail 0.75 s");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

fn an_invalid_access_is_drawn(browser: &mut Browser) {
    let memory = MemoryError {
        object: "heap block of 8 bytes".to_owned(),
        access: "write of 4 bytes in freed memory".to_owned(),
        size: 8,
        offset: 4,
        length: 4,
        state: MemoryState::Freed,
        ended: Some(Position { file: 0, line: 2, column: 1 }),
    };
    let file = SourceFile { name: "a.c".to_owned(), text: "\n\n".to_owned() };
    let report = Report { memory: Some(memory), files: vec![file], ..Report::default() };
    browser.open(&render(&report));
    assert_eq!(browser.text(".memory-key.object"), "heap block of 8 bytes");
    assert_eq!(browser.text(".memory-key.gone"), "freed (a.c:2)");
    let count = |class: &str| format!("document.querySelectorAll('{class}').length");
    assert_eq!(browser.eval(&count("rect.memory-object.freed")), 1);
    assert_eq!(browser.eval(&count("rect.memory-access")), 1);
    assert_eq!(browser.eval(&count("line.memory-cell")), 7);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

fn pointers_are_drawn_as_they_are_at_the_step(browser: &mut Browser) {
    browser.open(&render(&lost_update::report()));
    browser.click("#view-pointers");
    let arrows = "[...document.querySelectorAll('svg .arrow')].map((arrow) => \
         [arrow.dataset.from, arrow.dataset.to, arrow.classList[1]]).sort()";
    let expected = json!([
        ["checking.next", "NULL", "changed"],
        ["first", "savings", "changed"],
        ["savings.next", "NULL", "changed"]
    ]);
    assert_eq!(browser.eval(arrows), expected);
    browser.press("ArrowRight");
    browser.press("ArrowRight");
    let expected = json!([
        ["checking.next", "NULL", "steady"],
        ["first", "savings", "steady"],
        ["savings.next", "NULL", "former"],
        ["savings.next", "checking", "changed"]
    ]);
    assert_eq!(browser.eval(arrows), expected);
    let place = "document.querySelector('[data-object=savings]').getAttribute('transform')";
    let before = browser.eval(place);
    browser.press("End");
    assert_eq!(browser.eval(place), before);
    // Each teller has a pointer of this name.
    let expected = json!([
        ["checking.next", "NULL", "steady"],
        ["first", "savings", "steady"],
        ["savings.next", "checking", "steady"],
        ["to of teller (2)", "checking", "steady"],
        ["to of teller", "checking", "steady"]
    ]);
    assert_eq!(browser.eval(arrows), expected);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

fn hostile_text_is_shown_as_it_is(browser: &mut Browser) {
    let hostile = "</script><img src=x onerror=\"window.broken = 1\"><!-- & &lt; \u{2028}";
    let text = |start: &str| format!("{start}{hostile}");
    let position = Position { file: 0, line: 1, column: 0 };
    let at = Some(position);
    let step = Step { at, function: text("f"), text: text("t"), ..Step::default() };
    let step = Step { notes: vec![text("n")], inputs: vec![(text("i"), text("v"))], ..step };
    let thread = Thread { number: 0, name: text("th") };
    let node = Node { label: text("l"), kind: NodeKind::Entry, detail: text("d"), at };
    let graph = Graph { name: text("g"), nodes: vec![node], edges: Vec::new() };
    let report = Report {
        verdict: text("v"),
        summary: text("s"),
        command: vec![text("c")],
        assumptions: vec![text("a")],
        files: vec![SourceFile { name: text("file"), text: format!("{hostile}\nint x;") }],
        trace: Some(Trace { threads: vec![thread], steps: vec![step] }),
        arg: Some(graph.clone()),
        automata: vec![graph],
        precision: vec![PrecisionEntry { place: text("p"), what: text("w"), at }],
        invariants: vec![Invariant { at: position, text: text("i") }],
        statistics: vec![(text("name"), Figure::Count(1))],
        ..Report::default()
    };
    browser.open(&render(&report));
    assert_eq!(browser.text(".verdict"), text("v"));
    let line = "[...document.querySelector('.line').childNodes] \
         .filter((node) => !node.classList?.contains('aside')).map((node) => node.textContent).join('')";
    assert_eq!(browser.eval(line), hostile);
    assert_eq!(browser.text(".what code"), text("t"));
    for view in ["arg", "automata", "precision", "invariants", "statistics"] {
        browser.click(&format!("#view-{view}"));
        browser.settle();
        assert_eq!(browser.eval("document.querySelectorAll('img').length"), 0);
    }
    assert_eq!(browser.eval("window.broken === undefined"), true);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

fn node(label: String, kind: NodeKind) -> Node {
    Node { label, kind, detail: String::new(), at: None }
}

fn graph_report(nodes: Vec<Node>, edges: Vec<Edge>) -> Report {
    let arg = Graph { name: "ARG".to_owned(), nodes, edges };
    Report { verdict: "TRUE".to_owned(), arg: Some(arg), ..Report::default() }
}

/// A tree in which most nodes have one child and some have many descendants; every eleventh leaf is
/// covered by an earlier node.
fn large_arg(size: usize) -> Report {
    let parent = |at: usize| if at.is_multiple_of(3) { at / 3 } else { at - 1 };
    let mut is_leaf = vec![true; size];
    let mut edges = Vec::new();
    for at in 1..size {
        is_leaf[parent(at)] = false;
        let label = format!("x := {at}");
        edges.push(Edge { from: parent(at), to: at, label, kind: EdgeKind::Plain });
    }
    let mut nodes = Vec::new();
    for (at, &is_leaf) in is_leaf.iter().enumerate() {
        let covered = is_leaf && at % 11 == 0;
        if covered {
            let label = String::new();
            edges.push(Edge { from: at, to: at / 2, label, kind: EdgeKind::Cover });
        }
        let kind = match at {
            0 => NodeKind::Entry,
            _ if covered => NodeKind::Covered,
            _ => NodeKind::Plain,
        };
        nodes.push(node(format!("L{} state {at}", at % 97), kind));
    }
    graph_report(nodes, edges)
}

/// How long it takes until the answer to an action is on the screen.
fn response(browser: &mut Browser, action: impl FnOnce(&mut Browser)) -> Duration {
    let begin = Instant::now();
    action(browser);
    browser.settle();
    begin.elapsed()
}

/// What else the machine does only ever adds time, so the best of a few attempts counts.
const ATTEMPTS: usize = 5;

/// The best times so far.
#[derive(Debug, Default)]
struct Times(BTreeMap<&'static str, Duration>);

impl Times {
    fn measure(
        &mut self,
        browser: &mut Browser,
        what: &'static str,
        action: impl FnOnce(&mut Browser),
    ) {
        let time = response(browser, action);
        self.0.entry(what).and_modify(|best| *best = time.min(*best)).or_insert(time);
    }
}

fn shown_boxes(browser: &mut Browser) -> u32 {
    let status = browser.text(".status");
    let number = status.split(' ').next().unwrap().replace(',', "");
    number.parse().unwrap()
}

/// Types into the search field of the graph.
fn search(browser: &mut Browser, text: &str) {
    browser.eval(&format!(
        "(() => {{ const input = document.querySelector('input[type=search]'); \
         input.value = {}; input.dispatchEvent(new Event('input')); input.focus(); }})()",
        json!(text)
    ));
}

/// Clicks on the button with a text.
fn click_button(browser: &mut Browser, text: &str) {
    browser.eval(&format!(
        "[...document.querySelectorAll('button')].find((b) => b.textContent === {}).click()",
        json!(text)
    ));
}

fn a_large_graph_opens_and_moves_quickly(browser: &mut Browser) {
    let page = render(&large_arg(50_000));
    let opened = browser.open(&page);
    let shown = response(browser, |browser| browser.click("#view-arg"));
    println!("opened in {opened:?}, graph shown in {shown:?}");
    assert!(opened + shown < Duration::from_secs(3), "{opened:?} and {shown:?}");
    assert!(browser.text(".status").ends_with("for 50,000 nodes"));
    let first = shown_boxes(browser);
    assert!((20..=2000).contains(&first), "{first} boxes");

    let drag: Vec<(f64, f64)> = (0..4).map(|at| (400.0 + f64::from(at) * 20.0, 500.0)).collect();
    let tool = |title: &str| format!(".graph-tools button[title^='{title}']");
    let mut times = Times::default();
    for _ in 0..ATTEMPTS {
        times.measure(browser, "unfold", |browser| browser.click(&tool("Unfold")));
        let most = shown_boxes(browser);
        assert!((1000..=2000).contains(&most), "{most} boxes");
        times.measure(browser, "fit", |browser| browser.click(&tool("Show all")));
        times.measure(browser, "pan from afar", |browser| browser.drag(&drag));
        times.measure(browser, "fold", |browser| browser.click(&tool("Fold")));
        assert_eq!(shown_boxes(browser), 1);

        // The root is the first box that keys select.
        browser.eval("document.querySelector('canvas').focus()");
        browser.press("ArrowDown");
        assert_eq!(browser.text(".details h3"), "L0 state 0");
        times.measure(browser, "unfold a box", |browser| browser.press("Enter"));
        let shown = shown_boxes(browser);
        assert!((50..=2000).contains(&shown), "{shown} boxes");
        times.measure(browser, "pan", |browser| browser.drag(&drag));
        times.measure(browser, "fold a box", |browser| browser.press("Enter"));
        assert_eq!(shown_boxes(browser), 1);

        // A node that is folded away is found.
        search(browser, "State 49999");
        assert_eq!(browser.text(".found"), "1 match");
        times.measure(browser, "find", |browser| browser.press("Enter"));
        assert_eq!(browser.text(".details h3"), "L44 state 49999");
        let shown = shown_boxes(browser);
        assert!((10..=2000).contains(&shown), "{shown} boxes");
    }
    println!("{times:?}");
    for (what, best) in &times.0 {
        assert!(*best < Duration::from_millis(200), "{what}: {best:?}");
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

fn a_long_chain_is_one_box_and_comes_apart(browser: &mut Browser) {
    let size = 20_000;
    let kind = |at| if at == 0 { NodeKind::Entry } else { NodeKind::Plain };
    let nodes = (0..size).map(|at| node(format!("N{at}"), kind(at))).collect();
    let edge = |to: usize| Edge { from: to - 1, to, label: String::new(), kind: EdgeKind::Plain };
    let page = render(&graph_report(nodes, (1..size).map(edge).collect()));
    browser.open(&page);
    browser.click("#view-arg");
    assert_eq!(browser.text(".status"), "2 boxes for 20,000 nodes");
    browser.eval("document.querySelector('canvas').focus()");
    browser.press("ArrowDown");
    browser.press("ArrowDown");
    assert_eq!(browser.text(".details h3"), "N1");
    browser.press(" ");
    assert_eq!(browser.text(".status"), "25 boxes for 20,000 nodes");
    click_button(browser, "Put chain together");
    assert_eq!(browser.text(".status"), "2 boxes for 20,000 nodes");
}

fn a_node_far_from_the_start_is_shown_without_it(browser: &mut Browser) {
    // A spine of which every node has a leaf beside it, so that nothing is a chain.
    let length = 5_000;
    let edge = |from, to| Edge { from, to, label: String::new(), kind: EdgeKind::Plain };
    let nodes = (0..2 * length).map(|at| node(format!("N{at} "), NodeKind::Plain)).collect();
    let spine = (1..length).map(|at| edge(at - 1, at));
    let leaves = (0..length).map(|at| edge(at, length + at));
    let page = render(&graph_report(nodes, spine.chain(leaves).collect()));
    browser.open(&page);
    browser.click("#view-arg");
    let is_whole = "[...document.querySelectorAll('.graph-tools button')] \
         .find((b) => b.textContent === 'Show from the start').hidden";
    assert_eq!(browser.eval(is_whole), true);
    search(browser, "N4990 ");
    browser.press("Enter");
    assert_eq!(browser.text(".details h3"), "N4990 ");
    assert_eq!(browser.eval(is_whole), false);
    let shown = shown_boxes(browser);
    assert!((400..=2000).contains(&shown), "{shown} boxes");
    click_button(browser, "Show from the start");
    assert_eq!(browser.eval(is_whole), true);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
