//! A report written by hand: two tellers deposit into one account, and one deposit is lost.

use ravelin_report::model::{
    Edge, EdgeKind, Figure, Frame, Graph, Invariant, LockChange, Node, NodeKind, Phase, Place,
    Pointing, Position, PrecisionEntry, Read, Report, SourceFile, Step, Thread, Trace, Write,
};

const SOURCE: &str = include_str!("lost_update.c");

const MAIN: usize = 0;
const FIRST: usize = 1;
const SECOND: usize = 2;

/// The report of a run that found the lost update.
pub fn report() -> Report {
    let words = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
    Report {
        verdict: "FALSE(unreach-call)".to_owned(),
        summary: "reach_error() is called in line 49, after a deposit between the read and the \
                  write of another one."
            .to_owned(),
        command: words(&["ravelin", "check", "--property", "unreach-call.prp", "lost_update.c"]),
        version: "0.1.0".to_owned(),
        data_model: "LP64".to_owned(),
        property: "G ! call(reach_error())".to_owned(),
        assumptions: words(&[
            "Threads are interleaved step by step; memory is sequentially consistent.",
            "Allocation never fails.",
            "The file is the whole program: what it only declares has no side effects.",
        ]),
        external_functions: Vec::new(),
        files: vec![SourceFile { name: "lost_update.c".to_owned(), text: SOURCE.to_owned() }],
        trace: Some(trace()),
        memory: None,
        weakness: None,
        arg: Some(arg()),
        automata: vec![deposit_automaton(), main_automaton()],
        precision: vec![
            tracked("everywhere", "checking.balance", None),
            tracked("everywhere", "start", None),
            tracked("deposit", "old", Some(24)),
            tracked("main", "checking.balance == start + 20", Some(48)),
        ],
        invariants: vec![
            Invariant { at: position(19), text: "to == &checking".to_owned() },
            Invariant { at: position(42), text: "0 <= start && start <= 100".to_owned() },
        ],
        statistics: [
            ("Refinements", Figure::Count(4)),
            ("States explored", Figure::Count(1312)),
            ("States covered", Figure::Count(207)),
            ("Queries to the solver", Figure::Count(389)),
            ("Steps of the trace", Figure::Count(23)),
            ("Time in the solver", Figure::Seconds(0.148)),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .to_vec(),
        phases: [
            ("Front end", 0.11),
            ("Exploration", 1.92),
            ("Refinement", 0.84),
            ("Replay", 0.07),
        ]
        .map(|(name, seconds)| Phase { name: name.to_owned(), seconds, part_of: None })
        .to_vec(),
        seconds: 3.25,
        hint: None,
        place: Some(position(49)),
    }
}

fn position(line: u32) -> Position {
    Position { file: 0, line, column: 5 }
}

fn tracked(place: &str, what: &str, line: Option<u32>) -> PrecisionEntry {
    PrecisionEntry { place: place.to_owned(), what: what.to_owned(), at: line.map(position) }
}

/// A step on a line, whose text it shows.
fn step(thread: usize, function: &str, line: u32) -> Step {
    let text = SOURCE.lines().nth(line as usize - 1).unwrap_or_default().trim();
    let (at, text) = (Some(position(line)), text.to_owned());
    Step { thread, at, function: function.to_owned(), occurrence: 1, text, ..Step::default() }
}

/// The call that a step is in.
fn frame(step: &Step) -> Frame {
    let Step { thread, function, occurrence, .. } = step.clone();
    Frame { thread, depth: usize::from(function == "deposit"), function, occurrence }
}

/// What steps do, added one by one.
trait Doing: Sized {
    fn note(self, text: &str) -> Self;
    fn local(self, place: &str, value: &str) -> Self;
    fn global(self, place: &str, value: &str) -> Self;
    fn shared(self, place: &str, value: &str) -> Self;
    fn read(self, place: &str, value: &str) -> Self;
    fn points(self, from: (&str, &str), to: &str) -> Self;
    fn points_from_local(self, object: &str, to: &str) -> Self;
    fn lock(self, owners: &[usize]) -> Self;
    fn leave(self, places: &[&str]) -> Self;
}

impl Doing for Step {
    fn note(mut self, text: &str) -> Self {
        self.notes.push(text.to_owned());
        self
    }

    fn local(mut self, place: &str, value: &str) -> Self {
        let frame = frame(&self);
        let (place, value) = (place.to_owned(), Some(value.to_owned()));
        self.writes.push(Write { place, local_to: Some(frame), value, shared: false });
        self
    }

    fn global(mut self, place: &str, value: &str) -> Self {
        let (place, value) = (place.to_owned(), Some(value.to_owned()));
        self.writes.push(Write { place, local_to: None, value, shared: false });
        self
    }

    fn shared(mut self, place: &str, value: &str) -> Self {
        let (place, value) = (place.to_owned(), Some(value.to_owned()));
        self.writes.push(Write { place, local_to: None, value, shared: true });
        self
    }

    fn read(mut self, place: &str, value: &str) -> Self {
        let (place, value) = (place.to_owned(), value.to_owned());
        self.reads.push(Read { place, local_to: None, value, shared: true });
        self
    }

    fn points(mut self, (object, part): (&str, &str), to: &str) -> Self {
        let from = Place { object: object.to_owned(), part: part.to_owned(), local_to: None };
        let to = Some(Place { object: to.to_owned(), part: String::new(), local_to: None });
        self.points_to.push(Pointing { from, to });
        self
    }

    /// The same for a local of the function.
    fn points_from_local(self, object: &str, to: &str) -> Self {
        let mut step = self.points((object, ""), to);
        let local_to = Some(frame(&step));
        if let Some(pointing) = step.points_to.last_mut() {
            pointing.from.local_to = local_to;
        }
        step
    }

    fn lock(mut self, owners: &[usize]) -> Self {
        self.locks.push(LockChange {
            lock: "m".to_owned(),
            local_to: None,
            owners: owners.to_vec(),
        });
        let what = if owners.is_empty() { "gives back m" } else { "takes m" };
        self.note(what)
    }

    /// Locals of the function cease to exist.
    fn leave(mut self, places: &[&str]) -> Self {
        for place in places {
            let frame = frame(&self);
            let place = (*place).to_owned();
            self.writes.push(Write { place, local_to: Some(frame), value: None, shared: false });
        }
        self
    }
}

fn trace() -> Trace {
    let names = ["main", "teller", "teller (2)"];
    let threads = names.iter().zip(1..);
    let threads = threads.map(|(name, number)| Thread { number, name: (*name).to_owned() });
    let mut given = step(MAIN, "main", 39).local("start", "0");
    given.inputs.push(("__VERIFIER_nondet_int()".to_owned(), "0".to_owned()));
    let deposit = "deposit";
    let steps = vec![
        step(MAIN, "main", 13)
            .global("first", "&savings")
            .points(("first", ""), "savings")
            .points(("savings", ".next"), "NULL")
            .points(("checking", ".next"), "NULL")
            .note("globals are initialised"),
        given,
        step(MAIN, "main", 42)
            .global("savings.next", "&checking")
            .points(("savings", ".next"), "checking"),
        step(MAIN, "main", 43).shared("checking.balance", "0"),
        step(MAIN, "main", 44).note("starts teller").read("savings.next", "&checking"),
        step(FIRST, "teller", 31).local("to", "&checking").points_from_local("to", "checking"),
        step(MAIN, "main", 45).note("starts teller (2)").read("savings.next", "&checking"),
        step(SECOND, "teller", 31).local("to", "&checking").points_from_local("to", "checking"),
        step(FIRST, deposit, 19).local("amount", "10").lock(&[FIRST]),
        step(FIRST, deposit, 20).read("checking.balance", "0").local("old", "0"),
        step(FIRST, deposit, 21).lock(&[]),
        step(SECOND, deposit, 19).local("amount", "10").lock(&[SECOND]),
        step(SECOND, deposit, 20).read("checking.balance", "0").local("old", "0"),
        step(SECOND, deposit, 21).lock(&[]),
        step(SECOND, deposit, 24).lock(&[SECOND]),
        step(SECOND, deposit, 25).shared("checking.balance", "10"),
        step(SECOND, deposit, 26).lock(&[]).leave(&["amount", "old"]),
        step(FIRST, deposit, 24).lock(&[FIRST]),
        step(FIRST, deposit, 25).shared("checking.balance", "10"),
        step(FIRST, deposit, 26).lock(&[]).leave(&["amount", "old"]),
        step(MAIN, "main", 47).note("both tellers have ended"),
        step(MAIN, "main", 48).read("checking.balance", "10"),
        step(MAIN, "main", 49).note("the property is violated"),
    ];
    Trace { threads: threads.collect(), steps }
}

fn node(label: &str, kind: NodeKind, line: u32, detail: &str) -> Node {
    Node { label: label.to_owned(), kind, detail: detail.to_owned(), at: Some(position(line)) }
}

/// Nodes `L0`, `L1`, and so on.
fn numbered(nodes: &[(NodeKind, u32, &str)]) -> Vec<Node> {
    let named = |(number, &(kind, line, detail))| node(&format!("L{number}"), kind, line, detail);
    nodes.iter().enumerate().map(named).collect()
}

fn edge(from: usize, to: usize, label: &str, kind: EdgeKind) -> Edge {
    Edge { from, to, label: label.to_owned(), kind }
}

/// The states of the three threads together, where they matter.
fn arg() -> Graph {
    use EdgeKind::{Cover, Plain, Trace};
    use NodeKind::{Covered, Entry, Error};
    let plain = NodeKind::Plain;
    let nodes = vec![
        node("main:39", Entry, 39, "main at line 39\ntrue"),
        node("main:42", plain, 42, "main at line 42\n0 <= start <= 100"),
        node("main:43", plain, 43, "main at line 43"),
        node("main:44", plain, 44, "main at line 44\nbalance = start"),
        node("main:47 t:19 t:19", plain, 47, "all threads run\nbalance = start"),
        node("main:47 t:21 t:19", plain, 20, "old₁ = start"),
        node("main:47 t:19 t:21", plain, 20, "old₂ = start"),
        node("main:47 t:21 t:21", plain, 21, "old₁ = old₂ = start"),
        node("main:47 t:end t:19", plain, 26, "balance = start + 10"),
        node("main:47 t:21 t:24", plain, 24, "old₁ = old₂ = start\nteller (2) holds m"),
        node("main:47 t:21 t:end", plain, 26, "balance = start + 10\nold₁ = start"),
        node("main:47 t:end t:end", plain, 26, "balance = start + 10"),
        node("main:48", plain, 48, "balance = start + 10"),
        node("main:49", Error, 49, "reach_error() is called"),
        node("main:47 t:21 t:21", Covered, 21, "covered: the tellers are alike"),
        node("main:47 t:end t:24", plain, 24, "old₂ = start + 10"),
        node("main:47 t:end t:end", plain, 26, "balance = start + 20"),
        node("main:48", plain, 48, "balance = start + 20"),
        node("main:50", plain, 50, "balance = start + 20"),
        node("main:47 t:19 t:end", Covered, 26, "covered: the tellers are alike"),
    ];
    let edges = vec![
        edge(0, 1, "start := nondet()", Trace),
        edge(1, 2, "savings.next := &checking", Trace),
        edge(2, 3, "checking.balance := start", Trace),
        edge(3, 4, "start teller, teller (2)", Trace),
        edge(4, 5, "t1: old := balance", Trace),
        edge(4, 6, "t2: old := balance", Plain),
        edge(5, 7, "t2: old := balance", Trace),
        edge(5, 8, "t1: balance := old + 10", Plain),
        edge(7, 9, "t2: lock m", Trace),
        edge(9, 10, "t2: balance := old + 10", Trace),
        edge(10, 11, "t1: balance := old + 10", Trace),
        edge(11, 12, "join", Trace),
        edge(12, 13, "balance != start + 20", Trace),
        edge(6, 14, "t1: old := balance", Plain),
        edge(6, 19, "t2: balance := old + 10", Plain),
        edge(14, 7, "", Cover),
        edge(19, 8, "", Cover),
        edge(8, 15, "t2: old := balance", Plain),
        edge(15, 16, "t2: balance := old + 10", Plain),
        edge(16, 17, "join", Plain),
        edge(17, 18, "balance == start + 20", Plain),
    ];
    Graph { name: "Abstract reachability graph".to_owned(), nodes, edges }
}

fn deposit_automaton() -> Graph {
    use NodeKind::{Entry, Exit, Plain};
    let nodes = numbered(&[
        (Entry, 19, ""),
        (Plain, 20, ""),
        (Plain, 21, ""),
        (Plain, 24, ""),
        (Plain, 25, ""),
        (Plain, 26, ""),
        (Exit, 27, ""),
    ]);
    let labels = [
        "mutex_lock(m)",
        "old := *to.balance",
        "mutex_unlock(m)",
        "mutex_lock(m)",
        "*to.balance := old + amount",
        "mutex_unlock(m)",
    ];
    let edges =
        labels.iter().enumerate().map(|(at, label)| edge(at, at + 1, label, EdgeKind::Plain));
    Graph { name: "deposit".to_owned(), nodes, edges: edges.collect() }
}

fn main_automaton() -> Graph {
    use NodeKind::{Entry, Error, Exit, LoopHead, Plain};
    let nodes = numbered(&[
        (Entry, 39, ""),
        (Plain, 40, ""),
        (Plain, 42, ""),
        (Plain, 44, ""),
        (Plain, 47, ""),
        (LoopHead, 47, "waits for both tellers"),
        (Plain, 48, ""),
        (Error, 49, "reach_error() is called"),
        (Exit, 50, ""),
    ]);
    let edges = [
        (0, 1, "start := nondet()"),
        (1, 2, "0 <= start && start <= 100"),
        (1, 8, "start < 0 || start > 100"),
        (2, 3, "savings.next := &checking"),
        (3, 4, "start teller"),
        (4, 5, "start teller"),
        (5, 5, "join"),
        (5, 6, "all ended"),
        (6, 7, "balance != start + 20"),
        (6, 8, "balance == start + 20"),
    ];
    let edges = edges.map(|(from, to, label)| edge(from, to, label, EdgeKind::Plain)).to_vec();
    Graph { name: "main".to_owned(), nodes, edges }
}
