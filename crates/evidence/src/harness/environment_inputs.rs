//! The environment inputs of an execution: results of functions that the program does not define, and contents of
//! memory that it has not written.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use ravelin_base::SrcPos;
use ravelin_cfa::{HavocKind, Init, Object, ObjectKind, Op, Program, Var, VarKind, access, print};
use ravelin_interp::{
    Action, Cell, EnvironmentChoice, Event, ObjectRef, ObservedObject, Value, ValueOrigin, Write,
    WriteTarget,
};
use ravelin_term::TermKind;

use super::Call;
use super::library::Models;
use crate::execution::Execution;

/// The values of functions, variables and objects that the program does not define.
#[derive(Clone, Debug, Default)]
pub(super) struct EnvironmentInputs {
    pub(super) results: Vec<FunctionResult>,
    /// The first values of variables that nothing defines.
    pub(super) variables: BTreeMap<Var, Bits>,
    /// The first contents of objects of the environment, and of those that nothing defines.
    pub(super) environment: BTreeMap<u32, Contents>,
    pub(super) objects: BTreeMap<Object, Contents>,
    /// Of structs that functions return, the chunks of eight bytes that hold only floats: the ABI returns these in other
    /// registers.
    pub(super) floats: BTreeSet<(String, u64)>,
    /// Whether `main` takes arguments.
    pub(super) has_arguments: bool,
    /// Inputs that the harness cannot reproduce, in words.
    pub(super) left_out: Vec<String>,
}

/// A value that a function returns to a thread.
#[derive(Clone, Debug)]
pub(super) struct FunctionResult {
    pub(super) thread: u32,
    pub(super) function: String,
    pub(super) bits: Bits,
}

/// The bits of a value; of a pointer into an object of the environment, the bits of its offset.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bits {
    pub(super) bits: u128,
    pub(super) environment: Option<u32>,
}

/// The contents of bytes, by offset.
#[derive(Clone, Debug, Default)]
pub(super) struct Contents {
    pub(super) bytes: BTreeMap<u64, u8>,
    /// Pointers into the environment; there are no bytes for them.
    pub(super) pointers: BTreeMap<u64, Bits>,
}

impl Contents {
    fn note_byte(&mut self, at: u64, byte: u8) {
        self.bytes.entry(at).or_insert(byte);
    }

    fn note_pointer(&mut self, at: u64, pointer: Bits) {
        self.pointers.entry(at).or_insert(pointer);
    }
}

/// The name that the arguments of `main` have in the list of results: no function has such a name.
pub(super) const COUNT_OF_ARGUMENTS: &str = "%argc";

/// The procedure that calls `main` with any arguments.
const START: &str = "%start";

/// The structs that undefined functions return: the objects that hold them, with the names of the functions.
pub(super) fn struct_results(program: &Program, calls: &[Call]) -> BTreeMap<Object, String> {
    let mut found = BTreeMap::new();
    program.for_each_label(|proc, label| {
        let Op::HavocMemory { pointers } = &label.op else { return };
        let [pointer] = pointers.as_slice() else { return };
        // An object that has a name in the program was passed to a function.
        if let TermKind::Address(object) = program.terms.kind(*pointer)
            && program.objects[object].kind == ObjectKind::Local(proc)
            && program.name(program.objects[object].name).contains('%')
            && let Some(name) = name_of_call(program, calls, label.pos)
        {
            found.insert(object, name.to_owned());
        }
    });
    found
}

/// The function that is called at a place, if only one is.
pub(super) fn name_of_call<'c>(
    program: &Program,
    calls: &'c [Call],
    pos: SrcPos,
) -> Option<&'c str> {
    let file = program.name(pos.file);
    let is_there =
        |call: &&Call| call.line == pos.line && call.column == pos.column && call.file == file;
    let mut found = calls.iter().filter(is_there);
    let first = found.next()?;
    // Macros may call several functions at one place.
    found.all(|other| other.name == first.name).then_some(&first.name)
}

/// Finds the environment inputs of an execution.
pub(super) fn find(execution: &Execution, models: &Models, calls: &[Call]) -> EnvironmentInputs {
    let program = &execution.program;
    let mut finder = Finder {
        program,
        models,
        calls,
        read: variables_that_are_read(program),
        struct_results: struct_results(program, calls),
        found: EnvironmentInputs::default(),
        copied: HashMap::new(),
        written: HashSet::new(),
        results_of_threads: HashMap::new(),
        stale: HashSet::new(),
    };
    for event in &execution.events {
        finder.inputs(event);
        finder.stale_variables(event);
        finder.memory(event);
    }
    finder.found
}

fn variables_that_are_read(program: &Program) -> HashSet<Var> {
    let mut read = HashSet::new();
    program.for_each_label(|_, label| {
        access::for_each_term(&label.op, |term| read.extend(program.terms.vars_of(term)));
    });
    read
}

/// Memory whose first contents are environment inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Piece {
    Environment(u32),
    Object(Object),
    /// A struct that a function returned: its first eight bytes are this result, others follow.
    Result(usize),
}

struct Finder<'p> {
    program: &'p Program,
    models: &'p Models,
    calls: &'p [Call],
    read: HashSet<Var>,
    struct_results: BTreeMap<Object, String>,
    found: EnvironmentInputs,
    /// Bytes that are copies of environment inputs.
    copied: HashMap<(ObjectRef, u64), (Piece, u64)>,
    /// Other bytes that the program wrote.
    written: HashSet<(ObjectRef, u64)>,
    /// The struct that an object of a thread holds.
    results_of_threads: HashMap<(u32, Object), usize>,
    /// Variables of threads that were declared and never assigned.
    stale: HashSet<(u32, Var)>,
}

impl<'p> Finder<'p> {
    fn leave_out(&mut self, what: &str, pos: SrcPos) {
        let what = format!("{what} ({})", print::position(self.program, pos));
        if !self.found.left_out.contains(&what) {
            self.found.left_out.push(what);
        }
    }

    fn bits(&mut self, write: &Write, pos: SrcPos) -> Bits {
        let plain = |bits: u128| Bits { bits, environment: None };
        match write.value {
            Value::Bool(value) => plain(value.into()),
            Value::Bv { bits, .. } | Value::Float(_, bits) => plain(bits),
            Value::Ptr { offset, .. } => {
                let environment = match write.object {
                    Some(ObservedObject::Environment(number)) => {
                        self.found.environment.entry(number).or_default();
                        Some(number)
                    }
                    Some(ObservedObject::Object(_) | ObservedObject::Allocated(_)) => {
                        self.leave_out("a pointer into the program's own memory, as an input", pos);
                        None
                    }
                    None => None,
                };
                Bits { bits: offset.into(), environment }
            }
        }
    }

    /// Finds the results of functions in a step.
    fn inputs(&mut self, event: &Event) {
        let Some(edge) = event.edge else { return };
        let procedure = &self.program.procs[event.proc];
        let is_start = self.program.name(procedure.name) == START;
        for label in &procedure.edges[edge].labels {
            if let Op::HavocMemory { pointers } = &label.op {
                self.begin_result(event, pointers);
            }
            let Op::Havoc { dst, kind } = label.op else { continue };
            let function = match kind {
                HavocKind::Input(_) if is_start => {
                    // The number of arguments comes first.
                    if self.found.has_arguments {
                        continue;
                    }
                    self.found.has_arguments = true;
                    COUNT_OF_ARGUMENTS.to_owned()
                }
                HavocKind::Input(name) | HavocKind::Extern(name) => {
                    self.program.name(name).to_owned()
                }
                HavocKind::Unspecified => match self.models.at(self.program, label.pos) {
                    Some(model) => format!("%{model}"),
                    None if !self.read.contains(&dst) => continue,
                    None => match name_of_call(self.program, self.calls, label.pos) {
                        Some(name) => name.to_owned(),
                        None => {
                            self.leave_out("what a library function gave", label.pos);
                            continue;
                        }
                    },
                },
                HavocKind::Uninitialised | HavocKind::NotModelled(_) => continue,
            };
            let written = event.writes.iter().find(|it| it.target == WriteTarget::Var(dst));
            let bits = written.map_or(Bits::default(), |write| self.bits(write, label.pos));
            self.found.results.push(FunctionResult { thread: event.thread.0, function, bits });
        }
    }

    /// Adds a struct that a function returns: reads of it show its contents.
    fn begin_result(&mut self, event: &Event, pointers: &[ravelin_cfa::Term]) {
        let [pointer] = pointers else { return };
        let TermKind::Address(object) = self.program.terms.kind(*pointer) else { return };
        let Some(function) = self.struct_results.get(&object) else { return };
        self.results_of_threads.insert((event.thread.0, object), self.found.results.len());
        let thread = event.thread.0;
        for _ in 0..self.program.objects[object].size.div_ceil(8) {
            let bits = Bits::default();
            self.found.results.push(FunctionResult { thread, function: function.clone(), bits });
        }
    }

    /// The byte of the environment inputs that a byte holds.
    fn piece_at(&self, thread: u32, cell: &Cell, offset: u64) -> Option<(Piece, u64)> {
        if let Some(&source) = self.copied.get(&(cell.instance, offset)) {
            return Some(source);
        }
        if self.written.contains(&(cell.instance, offset)) {
            return None;
        }
        let piece = match cell.object? {
            ObservedObject::Environment(number) => Piece::Environment(number),
            ObservedObject::Object(object) => {
                let data = &self.program.objects[object];
                let is_elsewhere = data.init == Init::Indeterminate;
                match data.kind {
                    ObjectKind::Global if is_elsewhere => Piece::Object(object),
                    ObjectKind::Local(_) => {
                        Piece::Result(*self.results_of_threads.get(&(thread, object))?)
                    }
                    ObjectKind::Global
                    | ObjectKind::Constant
                    | ObjectKind::ThreadLocal
                    | ObjectKind::Function(_) => return None,
                }
            }
            ObservedObject::Allocated(_) => return None,
        };
        Some((piece, offset))
    }

    /// Finds memory and variables that a step reads and that were never written.
    fn memory(&mut self, event: &Event) {
        let thread = event.thread.0;
        let mut is_found = false;
        let mut source: Option<(Cell, u64)> = None;
        for access in &event.accesses {
            match &access.action {
                Action::ReadMemory { cell, length, value: Some(value) } => {
                    let pieces =
                        (0..*length).map(|at| self.piece_at(thread, cell, cell.offset + at));
                    let Some(pieces) = pieces.collect::<Option<Vec<_>>>() else { continue };
                    is_found = true;
                    self.note_contents(event, &pieces, *value, access.pos);
                }
                Action::ReadMemory { cell, length, value: None } => source = Some((*cell, *length)),
                Action::WriteMemory { cell, length, value } => {
                    let from = source.take().filter(|it| value.is_none() && it.1 == *length);
                    self.overwrite(thread, cell, *length, from.map(|it| it.0));
                }
                Action::ReadVar { .. }
                | Action::WriteVar { .. }
                | Action::Start { .. }
                | Action::Join { .. }
                | Action::End
                | Action::AtomicBegin
                | Action::AtomicEnd
                | Action::Sync(_) => {}
            }
        }
        for choice in &event.choices {
            let EnvironmentChoice::Value { request, .. } = choice else { continue };
            match request.origin {
                ValueOrigin::Havoc(_) => {}
                ValueOrigin::Memory if is_found => {}
                ValueOrigin::Memory => {
                    self.leave_out("what memory holds that nothing was written to", request.pos);
                }
                ValueOrigin::Variable(var) => self.note_variable(event, var, request.pos),
            }
        }
    }

    /// Finds variables that a step reads and that were never assigned.
    fn stale_variables(&mut self, event: &Event) {
        let Some(edge) = event.edge else { return };
        let (program, thread) = (self.program, event.thread.0);
        for label in &program.procs[event.proc].edges[edge].labels {
            if !self.stale.is_empty() {
                access::for_each_term(&label.op, |term| {
                    for var in program.terms.vars_of(term) {
                        if self.stale.remove(&(thread, var)) {
                            self.leave_out_variable(var, label.pos);
                        }
                    }
                });
            }
            match label.op {
                // The harness defines the variables that no file defines.
                Op::Havoc { dst, kind: HavocKind::Uninitialised } | Op::Assign { dst, .. }
                    if program.is_made_up(event.proc) && self.is_undefined(dst) =>
                {
                    self.define_variable(event, dst, label.pos);
                }
                Op::Havoc { dst, kind: HavocKind::Uninitialised } => {
                    self.stale.insert((thread, dst));
                }
                _ => {
                    if let Some(dst) = label.op.dst() {
                        self.stale.remove(&(thread, dst));
                    }
                }
            }
        }
    }

    fn is_undefined(&self, var: Var) -> bool {
        matches!(self.program.vars[var].kind, VarKind::Global { init: None, .. })
    }

    /// The last value that a step assigns to a variable is its first value in the program.
    fn define_variable(&mut self, event: &Event, var: Var, pos: SrcPos) {
        let is_it = |write: &&Write| write.target == WriteTarget::Var(var);
        if let Some(write) = event.writes.iter().rfind(is_it) {
            let bits = self.bits(write, pos);
            self.found.variables.insert(var, bits);
        }
    }

    fn leave_out_variable(&mut self, var: Var, pos: SrcPos) {
        let name = self.program.name(self.program.vars[var].name);
        let what = match name.contains('%') {
            true => "a value that was never assigned".to_owned(),
            false => format!("what '{name}' holds before anything is assigned to it"),
        };
        self.leave_out(&what, pos);
    }

    fn note_variable(&mut self, event: &Event, var: Var, pos: SrcPos) {
        let data = &self.program.vars[var];
        let read = event.accesses.iter().find_map(|access| match access.action {
            Action::ReadVar { var: other, value } if other == var => Some(value),
            _ => None,
        });
        match (data.kind, read) {
            (VarKind::Global { .. }, Some(value)) => {
                let pointer = event.writes.iter().find(|write| write.value == value);
                let object = pointer.and_then(|write| write.object);
                let write = Write { target: WriteTarget::Var(var), value, object, cell: None };
                let bits = self.bits(&write, pos);
                self.found.variables.entry(var).or_insert(bits);
            }
            (VarKind::Global { .. } | VarKind::ThreadLocal { .. } | VarKind::Local(_), _) => {
                self.leave_out_variable(var, pos);
            }
        }
    }

    /// Notes a value that was read from environment inputs.
    fn note_contents(&mut self, event: &Event, pieces: &[(Piece, u64)], value: Value, pos: SrcPos) {
        let object = event.writes.iter().find(|write| write.value == value);
        let object = object.and_then(|write| write.object);
        let write = Write { target: WriteTarget::Memory("".into()), value, object, cell: None };
        let bits = self.bits(&write, pos);
        let Some(&(first, at)) = pieces.first() else { return };
        if let Piece::Result(input) = first
            && let Some(chunk) = self.found.results.get(input + (at / 8) as usize)
        {
            let chunk = (chunk.function.clone(), at / 8);
            match value {
                Value::Float(..) => {
                    self.found.floats.insert(chunk);
                }
                Value::Bool(_) | Value::Bv { .. } | Value::Ptr { .. } => {
                    self.found.floats.remove(&chunk);
                }
            }
        }
        if bits.environment.is_some() {
            match first {
                Piece::Result(input) => {
                    if let Some(chunk) = self.found.results.get_mut(input + (at / 8) as usize)
                        && at.is_multiple_of(8)
                    {
                        chunk.bits = bits;
                    }
                }
                Piece::Environment(number) => {
                    self.found.environment.entry(number).or_default().note_pointer(at, bits);
                }
                Piece::Object(object) => {
                    self.found.objects.entry(object).or_default().note_pointer(at, bits);
                }
            }
            return;
        }
        for (index, &(piece, at)) in pieces.iter().enumerate() {
            let byte = (bits.bits >> (8 * index.min(15))) as u8;
            match piece {
                Piece::Result(input) => {
                    if let Some(chunk) = self.found.results.get_mut(input + (at / 8) as usize) {
                        let shift = 8 * (at % 8);
                        let others = chunk.bits.bits & !(0xff << shift);
                        chunk.bits.bits = others | u128::from(byte) << shift;
                    }
                }
                Piece::Environment(number) => {
                    self.found.environment.entry(number).or_default().note_byte(at, byte);
                }
                Piece::Object(object) => {
                    self.found.objects.entry(object).or_default().note_byte(at, byte);
                }
            }
        }
    }

    fn overwrite(&mut self, thread: u32, cell: &Cell, length: u64, source: Option<Cell>) {
        // A copy may overlap with what it copies.
        let sources: Vec<Option<(Piece, u64)>> = (0..length)
            .map(|at| source.and_then(|it| self.piece_at(thread, &it, it.offset + at)))
            .collect();
        for (at, source) in (cell.offset..).zip(sources) {
            let byte = (cell.instance, at);
            match source {
                Some(source) => {
                    self.copied.insert(byte, source);
                }
                None => {
                    self.copied.remove(&byte);
                    // Other memory holds no environment inputs.
                    if self.piece_at(thread, cell, at).is_some() {
                        self.written.insert(byte);
                    }
                }
            }
        }
    }
}
