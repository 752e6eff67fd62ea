//! What the operations of a program say about the values of its pointers.
//!
//! The constraints of a procedure are made when a call to it is found, once for every context in which it
//! is called. Both solvers work from the same constraints.

use ravelin_base::{EntityRef, PrimaryMap, entities};
use ravelin_cfa::{Callee, Init, ObjectKind, Op, Proc, Program, Term, Var, VarKind, ops};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};

use crate::flags::Flags;
use crate::object::{Objects, Position, for_each_label_in};
use crate::offset::Offset;
use crate::value::{
    self, Shift, Source, havoc_flags, is_followed, number_flags, value_as_pointer, value_of,
};

entities! {
    /// Something that holds a value: a variable in a context, the result of a procedure, a cell of memory.
    pub(crate) struct Node("n");

    /// The calls that led to a procedure, the innermost last; as many as are told apart.
    pub(crate) struct Context("ctx");
}

pub(crate) type Value = value::Value<Node>;

/// A statement about values. `dst ⊇ …` is meant.
#[derive(Clone, Debug)]
pub(crate) enum Constraint {
    Assign {
        dst: Node,
        value: Value,
    },
    /// Reads as many bytes as a pointer has.
    Load {
        dst: Node,
        addr: Value,
    },
    /// Writes `width` bytes.
    Store {
        addr: Value,
        value: Value,
        width: u64,
    },
    /// Copies bytes as they are; without size: as many as both objects have.
    Copy {
        dst: Value,
        src: Value,
        size: CopySize,
    },
    /// Sets bytes to zero, or to something else.
    Fill {
        dst: Value,
        is_zero: bool,
        size: Option<u64>,
    },
    /// What is reachable may be anything after.
    Havoc {
        pointers: Vec<Value>,
    },
    Call(Box<Call>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum CopySize {
    Bytes(u64),
    Unknown,
    /// As much as there is: `realloc`.
    All,
}

/// A call, or the start of a thread.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) position: Position,
    pub(crate) context: Context,
    pub(crate) callee: CallTarget,
    pub(crate) args: Vec<Value>,
    pub(crate) dst: Option<Node>,
    pub(crate) is_start: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum CallTarget {
    Proc(Proc),
    Pointer(Value),
}

/// The constraints of a program, as far as its procedures were reached.
#[derive(Debug)]
pub(crate) struct Generator<'p> {
    pub(crate) program: &'p Program,
    pub(crate) objects: Objects,
    holders: Holders,
    contexts: PrimaryMap<Context, SmallVec<[Position; 2]>>,
    context_numbers: FxHashMap<SmallVec<[Position; 2]>, Context>,
    depth: usize,
    reached: FxHashSet<(Proc, Context)>,
    /// In the order in which they were reached.
    pub(crate) instances: Vec<(Proc, Context)>,
    /// The values with which threads end.
    pub(crate) thread_results: Node,
    links: FxHashSet<(Position, Context, Proc)>,
    links_outside: FxHashSet<(Position, Context)>,
    /// The callees of each call that was reached.
    pub(crate) callees: Vec<(Position, Proc)>,
}

/// The nodes of variables and results.
#[derive(Debug, Default)]
struct Holders {
    count: u32,
    vars: FxHashMap<(Var, Context), Node>,
    results: FxHashMap<(Proc, Context), Node>,
}

impl Holders {
    fn new_node(&mut self) -> Node {
        self.count += 1;
        Node::from_u32(self.count - 1)
    }

    fn var(&mut self, program: &Program, var: Var, context: Context) -> Node {
        let context = match program.vars[var].kind {
            VarKind::Global { .. } | VarKind::ThreadLocal { .. } => NO_CALLS,
            VarKind::Local(_) => context,
        };
        if let Some(&node) = self.vars.get(&(var, context)) {
            return node;
        }
        let node = self.new_node();
        self.vars.insert((var, context), node);
        node
    }

    fn result(&mut self, proc: Proc, context: Context) -> Node {
        if let Some(&node) = self.results.get(&(proc, context)) {
            return node;
        }
        let node = self.new_node();
        self.results.insert((proc, context), node);
        node
    }
}

/// The context without calls.
const NO_CALLS: Context = Context(0);

/// So many procedures, each counted once per context, are analysed at most; further calls share the
/// context without calls.
const MAX_INSTANCES: usize = 20_000;

impl<'p> Generator<'p> {
    pub(crate) fn new(program: &'p Program, objects: Objects, depth: usize) -> Self {
        let mut contexts = PrimaryMap::new();
        let none = contexts.push(SmallVec::new());
        Generator {
            program,
            objects,
            holders: Holders { count: 1, ..Holders::default() },
            contexts,
            context_numbers: FxHashMap::from_iter([(SmallVec::new(), none)]),
            depth,
            reached: FxHashSet::default(),
            instances: Vec::new(),
            thread_results: Node::new(0),
            links: FxHashSet::default(),
            links_outside: FxHashSet::default(),
            callees: Vec::new(),
        }
    }

    pub(crate) fn new_node(&mut self) -> Node {
        self.holders.new_node()
    }

    pub(crate) fn node_count(&self) -> usize {
        self.holders.count as usize
    }

    /// What holds the value of a variable.
    pub(crate) fn var(&mut self, var: Var, context: Context) -> Node {
        self.holders.var(self.program, var, context)
    }

    /// All variables with a node, in order.
    pub(crate) fn var_nodes(&self) -> Vec<(Var, Context, Node)> {
        let vars = self.holders.vars.iter();
        let mut nodes: Vec<_> = vars.map(|(&(var, context), &node)| (var, context, node)).collect();
        nodes.sort_unstable();
        nodes
    }

    fn result(&mut self, proc: Proc, context: Context) -> Node {
        self.holders.result(proc, context)
    }

    /// What holds before the first step: the initial values, and that the program begins.
    pub(crate) fn initial(&mut self, out: &mut Vec<Constraint>) {
        let program = self.program;
        let none = NO_CALLS;
        for (var, data) in program.vars.iter() {
            if !is_followed(program, data.sort) {
                continue;
            }
            let init = match data.kind {
                VarKind::Global { init, .. } | VarKind::ThreadLocal { init } => init,
                VarKind::Local(_) => continue,
            };
            let dst = self.var(var, none);
            let value = match init {
                Some(term) => self.value(term, none),
                None => smallvec![Source::Flags(Flags::UNKNOWN)],
            };
            out.push(Constraint::Assign { dst, value });
        }
        for (object, data) in program.objects.iter() {
            let (Init::Values(values), Some(target)) = (&data.init, self.objects.of_object(object))
            else {
                continue;
            };
            for &(offset, term) in values {
                let at = Offset::exact(i64::try_from(offset).unwrap_or(i64::MAX));
                let addr = smallvec![Source::Address(target, at)];
                self.store(addr, term, none, out);
            }
        }
        let dst = self.thread_results;
        // Of threads that ended without one, and of those that cannot be joined.
        out.push(Constraint::Assign { dst, value: smallvec![Source::Flags(Flags::NULL)] });
        match program.entry {
            Some(entry) => self.enter_from_outside(entry, out),
            // A library: whoever uses it may call anything with anything.
            None => program.procs.keys().for_each(|proc| self.enter_from_outside(proc, out)),
        }
    }

    fn enter_from_outside(&mut self, proc: Proc, out: &mut Vec<Constraint>) {
        let none = NO_CALLS;
        self.enter(proc, none, out);
        for &param in &self.program.procs[proc].params {
            if is_followed(self.program, self.program.vars[param].sort) {
                let dst = self.var(param, none);
                let value = smallvec![Source::Flags(Flags::UNKNOWN)];
                out.push(Constraint::Assign { dst, value });
            }
        }
    }

    fn value(&mut self, term: Term, context: Context) -> Value {
        let Generator { program, objects, holders, .. } = self;
        value_of(program, objects, term, &mut |var| holders.var(program, var, context))
    }

    fn pointer_value(&mut self, term: Term, context: Context) -> Value {
        let Generator { program, objects, holders, .. } = self;
        value_as_pointer(program, objects, term, &mut |var| holders.var(program, var, context))
    }

    fn store(&mut self, addr: Value, term: Term, context: Context, out: &mut Vec<Constraint>) {
        let program = self.program;
        let width = program.bytes_of(program.terms.sort(term)).unwrap_or(1);
        let value = if width == program.data_model.pointer_bytes() {
            self.pointer_value(term, context)
        } else {
            smallvec![Source::Flags(Flags::UNKNOWN)]
        };
        out.push(Constraint::Store { addr, value, width });
    }

    /// The constraints of a call that reaches `callee`, and of the callee if it is reached for the first
    /// time in its context.
    pub(crate) fn link(&mut self, call: &Call, callee: Proc, out: &mut Vec<Constraint>) {
        if !self.links.insert((call.position, call.context, callee)) {
            return;
        }
        self.callees.push((call.position, callee));
        let program = self.program;
        let context = self.extend(call.context, call.position, callee);
        for (index, &param) in program.procs[callee].params.iter().enumerate() {
            if !is_followed(program, program.vars[param].sort) {
                continue;
            }
            let dst = self.var(param, context);
            let value = match call.args.get(index) {
                Some(arg) => arg.clone(),
                None => smallvec![Source::Flags(Flags::UNINITIALISED)],
            };
            out.push(Constraint::Assign { dst, value });
        }
        let result = self.result(callee, context);
        let dst = if call.is_start { Some(self.thread_results) } else { call.dst };
        if let Some(dst) = dst {
            let value = smallvec![Source::Holder(result, Shift::NONE)];
            out.push(Constraint::Assign { dst, value });
        }
        self.enter(callee, context, out);
    }

    fn extend(&mut self, context: Context, site: Position, callee: Proc) -> Context {
        if self.depth == 0 {
            return context;
        }
        let mut calls = self.contexts[context].clone();
        calls.push(site);
        while calls.len() > self.depth {
            calls.remove(0);
        }
        let found = self.context_numbers.get(&calls).copied();
        let is_new = found.is_none_or(|found| !self.reached.contains(&(callee, found)));
        if is_new && self.instances.len() >= MAX_INSTANCES {
            return NO_CALLS;
        }
        found.unwrap_or_else(|| {
            let context = self.contexts.push(calls.clone());
            self.context_numbers.insert(calls, context);
            context
        })
    }

    /// The constraints of a procedure in a context.
    fn enter(&mut self, proc: Proc, context: Context, out: &mut Vec<Constraint>) {
        if !self.reached.insert((proc, context)) {
            return;
        }
        self.instances.push((proc, context));
        let program = self.program;
        for_each_label_in(program, proc, &mut |position, label| {
            self.op(position, context, &label.op, out);
        });
        let exit = program.procs[proc].exit;
        let falls_off = program.procs[proc].edges.values().any(|edge| {
            let is_return = |op: &Op| matches!(op, Op::Return { value: Some(_) });
            edge.target == exit && !edge.labels.iter().any(|l| l.any(&mut |l| is_return(&l.op)))
        });
        if falls_off {
            // C11 6.9.1p12: to use the value of a call that returned none is undefined.
            let dst = self.result(proc, context);
            let value = smallvec![Source::Flags(Flags::UNINITIALISED)];
            out.push(Constraint::Assign { dst, value });
        }
    }

    fn op(&mut self, position: Position, context: Context, op: &Op, out: &mut Vec<Constraint>) {
        let program = self.program;
        let is_followed = |var: Var| is_followed(program, program.vars[var].sort);
        let flags = |flags: Flags| -> Value { smallvec![Source::Flags(flags)] };
        match op {
            Op::Assign { dst, value } if is_followed(*dst) => {
                let value = self.value(*value, context);
                out.push(Constraint::Assign { dst: self.var(*dst, context), value });
            }
            Op::Havoc { dst, kind } if is_followed(*dst) => {
                let value = flags(havoc_flags(program, *dst, kind));
                out.push(Constraint::Assign { dst: self.var(*dst, context), value });
            }
            Op::Load { dst, addr, order: _ } if is_followed(*dst) => {
                let sort = program.vars[*dst].sort;
                let node = self.var(*dst, context);
                if program.bytes_of(sort) == Some(program.data_model.pointer_bytes()) {
                    let addr = self.value(*addr, context);
                    out.push(Constraint::Load { dst: node, addr });
                } else {
                    let value = flags(Flags::UNKNOWN);
                    out.push(Constraint::Assign { dst: node, value });
                }
            }
            Op::Store { addr, value, order: _ } => {
                let addr = self.value(*addr, context);
                self.store(addr, *value, context, out);
            }
            Op::Copy { dst, src, size } => {
                let size = match program.terms.as_bv(*size) {
                    Some(size) => u64::try_from(size).map_or(CopySize::Unknown, CopySize::Bytes),
                    None => CopySize::Unknown,
                };
                let (dst, src) = (self.value(*dst, context), self.value(*src, context));
                out.push(Constraint::Copy { dst, src, size });
            }
            Op::Fill { dst, byte, size } => {
                let is_zero = program.terms.as_bv(*byte) == Some(0);
                let size = program.terms.as_bv(*size).and_then(|size| u64::try_from(size).ok());
                let dst = self.value(*dst, context);
                out.push(Constraint::Fill { dst, is_zero, size });
            }
            Op::HavocMemory { pointers } => {
                let pointers = pointers.iter().map(|&term| self.pointer_value(term, context));
                out.push(Constraint::Havoc { pointers: pointers.collect() });
            }
            Op::Alloc { dst, size: _, kind: _ } => {
                let value = self.allocated(position);
                out.push(Constraint::Assign { dst: self.var(*dst, context), value });
            }
            Op::Realloc { dst, addr, size: _ } => {
                let value = self.allocated(position);
                let src = self.value(*addr, context);
                let copy = Constraint::Copy { dst: value.clone(), src, size: CopySize::All };
                out.extend([copy, Constraint::Assign { dst: self.var(*dst, context), value }]);
            }
            Op::Call { dst, callee, args } => {
                let dst = dst.filter(|&dst| is_followed(dst));
                let dst = dst.map(|dst| self.var(dst, context));
                let (callee, args) = self.callee_and_args(callee, args, context);
                let call = Call { position, context, callee, args, dst, is_start: false };
                out.push(Constraint::Call(Box::new(call)));
            }
            Op::Start { dst, routine, args } => {
                let (callee, args) = self.callee_and_args(routine, args, context);
                let call = Call { position, context, callee, args, dst: None, is_start: true };
                out.push(Constraint::Call(Box::new(call)));
                if is_followed(*dst) {
                    let value = flags(number_flags(program, *dst));
                    out.push(Constraint::Assign { dst: self.var(*dst, context), value });
                }
            }
            Op::Return { value: Some(value) } => {
                let value = self.pointer_value(*value, context);
                out.push(Constraint::Assign { dst: self.result(position.proc, context), value });
            }
            Op::Join { handle: _, dst: Some(dst) } if is_followed(*dst) => {
                let value = smallvec![Source::Holder(self.thread_results, Shift::NONE)];
                out.push(Constraint::Assign { dst: self.var(*dst, context), value });
            }
            Op::ThreadExit { value } => {
                let value = self.pointer_value(*value, context);
                out.push(Constraint::Assign { dst: self.thread_results, value });
            }
            Op::ThreadSelf { dst }
            | Op::Inspect { dst, .. }
            | Op::Sync { op: _, args: _, dst: Some(dst) }
                if is_followed(*dst) =>
            {
                let value = flags(number_flags(program, *dst));
                out.push(Constraint::Assign { dst: self.var(*dst, context), value });
            }
            // What is left writes nothing that is followed.
            ops!(data, scope, section, remark, end)
            | Op::Claim(_)
            | Op::Load { .. }
            | Op::Free { .. }
            | Op::Return { value: None }
            | Op::Join { .. }
            | Op::ThreadSelf { .. }
            | Op::Inspect { .. }
            | Op::Sync { .. } => {}
            // The labels inside are visited one by one.
            Op::Choice(_) => {}
        }
    }

    fn allocated(&self, position: Position) -> Value {
        match self.objects.of_position(position) {
            Some(target) => smallvec![Source::Address(target, Offset::ZERO)],
            None => smallvec![Source::Flags(Flags::UNKNOWN)],
        }
    }

    fn callee_and_args(
        &mut self,
        callee: &Callee,
        args: &[Term],
        context: Context,
    ) -> (CallTarget, Vec<Value>) {
        let callee = match callee {
            Callee::Direct(proc) => CallTarget::Proc(*proc),
            Callee::Pointer(term) => CallTarget::Pointer(self.value(*term, context)),
        };
        (callee, args.iter().map(|&arg| self.pointer_value(arg, context)).collect())
    }

    /// The functions that a pointer to anything may be to.
    pub(crate) fn all_functions(&self) -> Vec<Proc> {
        let functions = self.program.objects.values().filter_map(|data| match data.kind {
            ObjectKind::Function(proc) => Some(proc),
            ObjectKind::Global
            | ObjectKind::Constant
            | ObjectKind::ThreadLocal
            | ObjectKind::Local(_) => None,
        });
        functions.collect()
    }

    /// The arguments of a call of a function that is none of the program's, and what it returns.
    pub(crate) fn link_outside(&mut self, call: &Call, out: &mut Vec<Constraint>) {
        if !self.links_outside.insert((call.position, call.context)) {
            return;
        }
        // A number that is given is no pointer: flags alone lead nowhere.
        let is_place = |source: &Source<Node>| match source {
            Source::Holder(..) | Source::Address(..) => true,
            Source::Flags(_) => false,
        };
        let pointers = call.args.iter().filter(|arg| arg.iter().any(is_place)).cloned().collect();
        out.push(Constraint::Havoc { pointers });
        if let Some(dst) = call.dst {
            out.push(Constraint::Assign { dst, value: smallvec![Source::Flags(Flags::UNKNOWN)] });
        }
    }

    /// How many bytes a pointer has.
    pub(crate) fn pointer_bytes(&self) -> u64 {
        self.program.data_model.pointer_bytes()
    }
}
