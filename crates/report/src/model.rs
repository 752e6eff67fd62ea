//! What a report shows, as plain data. Files and threads are named by their index in the lists.

use serde::Serialize;

/// A verification run.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// The answer as the command line prints it, such as `FALSE(unreach-call)`.
    pub verdict: String,
    /// What the answer means here, or why there is none, in a sentence or two.
    pub summary: String,
    /// What may help where there is no answer.
    pub hint: Option<String>,
    /// The place that the answer names: of the error, or of what stands in the way of an answer.
    pub place: Option<Position>,
    /// The arguments of the run, the program's name first.
    pub command: Vec<String>,
    /// The version of Ravelin.
    pub version: String,
    /// The sizes of C types, such as `LP64`.
    pub data_model: String,
    /// What was checked.
    pub property: String,
    /// What the answer relies on, a sentence each.
    pub assumptions: Vec<String>,
    /// The functions that the answer rests on, though they have neither body nor model.
    pub external_functions: Vec<External>,
    /// The source files that anything here refers to.
    pub files: Vec<SourceFile>,
    /// The execution that violates the property.
    pub trace: Option<Trace>,
    /// The invalid access that it ends with.
    pub memory: Option<MemoryError>,
    /// The number of the violation in the Common Weakness Enumeration.
    pub weakness: Option<u16>,
    /// The abstract reachability graph. The page keeps graphs apart, to read them only when shown.
    #[serde(skip)]
    pub arg: Option<Graph>,
    /// The automata of the procedures.
    #[serde(skip)]
    pub automata: Vec<Graph>,
    /// What the analysis tracked.
    pub precision: Vec<PrecisionEntry>,
    /// What holds whenever a line is reached.
    pub invariants: Vec<Invariant>,
    /// Names and values.
    pub statistics: Vec<(String, Figure)>,
    /// Where the time went, in order.
    pub phases: Vec<Phase>,
    /// How long the run took. Phases may go on side by side, or leave some of it over.
    pub seconds: f64,
}

/// An invalid access to an object, or a deallocation of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MemoryError {
    /// The object in words: its name, its size, and where it was made.
    pub object: String,
    /// What is done, in words.
    pub access: String,
    /// The size of the object in bytes.
    pub size: u64,
    /// The first byte that is touched, from the start of the object.
    pub offset: i64,
    /// How many bytes are touched.
    pub length: u64,
    pub state: MemoryState,
    /// Where the object ended, if it did.
    pub ended: Option<Position>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MemoryState {
    Alive,
    Freed,
    /// Its scope or its function ended.
    Ended,
}

/// A count, or a time in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Figure {
    Count(u64),
    Seconds(f64),
}

/// A function that has neither body nor model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct External {
    pub name: String,
    /// Its first call, as `file:line:column`.
    pub place: String,
    /// How many calls there are in the automaton.
    pub calls: usize,
    /// What it is taken to do.
    pub assumed: String,
}

/// A source file with its text.
#[derive(Clone, Debug, Serialize)]
pub struct SourceFile {
    /// The name as the user gave it.
    pub name: String,
    /// The whole text.
    pub text: String,
}

/// A place in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Position {
    /// The index of the file.
    pub file: usize,
    /// The line, counted from 1.
    pub line: u32,
    /// The column in bytes, counted from 1; 0 where it is not known.
    pub column: u32,
}

/// An execution of one or more threads. The page adds up the changes of its steps.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Trace {
    /// The threads, each of which has a column.
    pub threads: Vec<Thread>,
    /// The steps in the order in which they happen.
    pub steps: Vec<Step>,
}

/// A thread of the trace.
#[derive(Clone, Debug, Serialize)]
pub struct Thread {
    /// Its number in the run.
    pub number: u32,
    /// The function it began with, or another name people know it by.
    pub name: String,
}

/// What a thread does without another thread or line in between, mostly a line of source.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Step {
    /// The index of the thread.
    pub thread: usize,
    /// Where it is, if it is in the source at all.
    pub at: Option<Position>,
    /// The function it is in.
    pub function: String,
    /// Which call of this function in this thread it is in, from 1.
    pub occurrence: u32,
    /// The line of source, or the operation.
    pub text: String,
    /// What else happens, such as "locks m" or "starts worker".
    pub notes: Vec<String>,
    /// Environment inputs: the function that returns each, and the value.
    pub inputs: Vec<(String, String)>,
    /// The reads of variables and memory that the page shows.
    pub reads: Vec<Read>,
    /// The changes of variables and memory.
    pub writes: Vec<Write>,
    /// The changes of pointers, which may also stand among the writes.
    pub points_to: Vec<Pointing>,
    /// The changes of locks.
    pub locks: Vec<LockChange>,
}

/// A read of a variable or of memory.
#[derive(Clone, Debug, Serialize)]
pub struct Read {
    /// What is read, named as the writes name it.
    pub place: String,
    /// The call that it is local to, as in writes.
    pub local_to: Option<Frame>,
    /// The value found there.
    pub value: String,
    /// Several threads access it in this trace.
    pub shared: bool,
}

/// A write to a variable or to memory.
#[derive(Clone, Debug, Serialize)]
pub struct Write {
    /// What is written.
    pub place: String,
    /// The call that it is local to, be it a variable or an object; none for globals and allocated memory.
    pub local_to: Option<Frame>,
    /// The new value; none when the place ceases to exist.
    pub value: Option<String>,
    /// Several threads access it in this trace.
    pub shared: bool,
}

/// A call of a function in a thread: no other has the same thread, function and occurrence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Frame {
    /// The index of the thread.
    pub thread: usize,
    /// The function.
    pub function: String,
    /// Which call of this function in this thread it is, from 1.
    pub occurrence: u32,
    /// How many calls of the thread were open when it began.
    pub depth: usize,
}

/// A pointer that changes.
#[derive(Clone, Debug, Serialize)]
pub struct Pointing {
    /// Where the pointer is stored.
    pub from: Place,
    /// Where it leads, null included; none when it ceases to exist or is no pointer any more.
    pub to: Option<Place>,
}

/// A part of an object.
#[derive(Clone, Debug, Serialize)]
pub struct Place {
    /// The object, such as `node#2`.
    pub object: String,
    /// The part, such as `.next` or `[3]`; empty for the whole.
    pub part: String,
    /// The call that the object is local to.
    pub local_to: Option<Frame>,
}

/// A lock is taken or released.
#[derive(Clone, Debug, Serialize)]
pub struct LockChange {
    /// The lock.
    pub lock: String,
    /// The call that the lock is local to.
    pub local_to: Option<Frame>,
    /// The indices of the threads that hold it now; several may hold a lock for reading.
    pub owners: Vec<usize>,
}

/// A directed graph.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Graph {
    /// What it is the graph of, such as a procedure.
    pub name: String,
    /// The nodes.
    pub nodes: Vec<Node>,
    /// The edges.
    pub edges: Vec<Edge>,
}

/// A node of a graph.
#[derive(Clone, Debug, Serialize)]
pub struct Node {
    /// The text in the box: short.
    pub label: String,
    /// How it is drawn.
    pub kind: NodeKind,
    /// The text that the page shows when it is selected.
    pub detail: String,
    /// The place in the source that it belongs to.
    pub at: Option<Position>,
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NodeKind {
    /// Nothing special.
    Plain,
    /// Where everything begins.
    Entry,
    /// Where a procedure ends.
    Exit,
    /// Where a loop comes back to.
    LoopHead,
    /// Where the property is violated.
    Error,
    /// A state that another one covers.
    Covered,
}

/// An edge of a graph.
#[derive(Clone, Debug, Serialize)]
pub struct Edge {
    /// The index of its source.
    pub from: usize,
    /// The index of its target.
    pub to: usize,
    /// The text beside it.
    pub label: String,
    /// How it is drawn.
    pub kind: EdgeKind,
}

/// What an edge is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EdgeKind {
    /// A step.
    Plain,
    /// A step of the trace.
    Trace,
    /// From a covered state to the one that covers it.
    Cover,
}

/// Something that the analysis tracked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PrecisionEntry {
    /// Where it is tracked, such as "everywhere" or "main, loop at line 12".
    pub place: String,
    /// What is tracked: a variable or a predicate.
    pub what: String,
    /// The line to show it beside.
    pub at: Option<Position>,
}

/// Something that holds whenever a line is reached.
#[derive(Clone, Debug, Serialize)]
pub struct Invariant {
    /// The line.
    pub at: Position,
    /// A C expression.
    pub text: String,
}

/// A part of the run.
#[derive(Clone, Debug, Serialize)]
pub struct Phase {
    /// Its name.
    pub name: String,
    /// How long it took.
    pub seconds: f64,
    /// The phase that this is a part of.
    pub part_of: Option<String>,
}
