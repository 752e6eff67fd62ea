//! The graph of a function under construction.

use lang_c::span::Span;
use ravelin_base::{EntityRef, ReservedValue, SecondaryMap, SrcPos, Symbol};
use ravelin_cfa::{
    FreeKind, Label, Loc, Object, Op, Proc, Procedure, Program, Sort, Term, Var, VarData, VarKind,
};
use rustc_hash::FxHashMap;

use super::global::Func;
use super::jumps::SetJump;
use super::labels::{Goto, LabelAddresses, Made, Position};
use super::{Lowerer, Val};
use crate::types::Ty;

/// A function being lowered. Unreachable code is lowered too, and dropped at the end.
#[derive(Debug)]
pub(crate) struct Body {
    pub proc: Proc,
    pub graph: Procedure,
    /// Where the next label starts.
    pub here: Loc,
    /// The source range that the next label belongs to.
    pub span: Span,
    pub name: Symbol,
    pub result: Ty,
    /// The address at which the caller wants a struct result.
    pub result_address: Option<Var>,
    /// The address of the variadic arguments.
    pub varargs: Option<Var>,
    /// `__VERIFIER_atomic_…`: the whole body is one atomic block.
    pub atomic: bool,
    /// Declared as a function that does not return.
    pub noreturn: bool,
    pub labels: FxHashMap<Symbol, LabelInfo>,
    pub addresses: LabelAddresses,
    pub gotos: Vec<Goto>,
    pub targets: Vec<JumpTarget>,
    pub switches: Vec<Switch>,
    /// The blocks around `here`, with the local objects declared in each.
    pub blocks: Vec<Block>,
    blocks_made: u32,
    pub temp_name: Symbol,
    pub set_jumps: Vec<SetJump>,
    /// The target of jumps out of functions, once there may be one.
    pub unwind: Option<Loc>,
}

/// A label of the source.
#[derive(Clone, Debug)]
pub(crate) struct LabelInfo {
    pub loc: Loc,
    /// Its location, once it was seen.
    pub position: Option<Position>,
    pub first_use: Span,
}

/// The targets of `break` and `continue`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JumpTarget {
    pub break_to: Loc,
    /// `None` in a `switch`.
    pub continue_to: Option<Loc>,
    /// The number of blocks around the statement.
    pub depth: usize,
}

/// A `switch` whose body is being lowered.
#[derive(Clone, Debug)]
pub(crate) struct Switch {
    pub ty: Ty,
    pub cases: Vec<Case>,
    pub default: Option<Landing>,
    /// The number of blocks around the statement.
    pub depth: usize,
}

/// The target of a `switch`, past these declarations.
#[derive(Clone, Debug)]
pub(crate) struct Landing {
    pub loc: Loc,
    pub skipped: Vec<Made>,
}

/// `case low ... high`, both inclusive, as values of the switch's type.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub low: i128,
    pub high: i128,
    pub target: Landing,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub id: u32,
    /// The actions when the block is left, last first.
    pub ends: Vec<BlockEnd>,
    /// The declarations in it, in order.
    pub made: Vec<Made>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum BlockEnd {
    /// The lifetime of a local object ends.
    Object(Object),
    /// The lifetime of the variable-length array behind this pointer ends. This many declarations
    /// of the block precede it.
    Array { pointer: Var, before: usize },
    /// GNU `cleanup`: the function is called with the address of the variable.
    Cleanup { func: Func, address: Val },
}

impl Body {
    pub fn new(program: &mut Program, proc: Proc, name: Symbol, result: Ty, pos: SrcPos) -> Self {
        let graph = Procedure::new(name, pos);
        Body {
            proc,
            here: graph.entry,
            graph,
            span: Span::none(),
            name,
            result,
            result_address: None,
            varargs: None,
            atomic: false,
            noreturn: false,
            labels: FxHashMap::default(),
            addresses: LabelAddresses::default(),
            gotos: Vec::new(),
            targets: Vec::new(),
            switches: Vec::new(),
            blocks: Vec::new(),
            blocks_made: 0,
            temp_name: program.names.intern("%"),
            set_jumps: Vec::new(),
            unwind: None,
        }
    }

    /// The graph outside functions: code lowered there must be constant, so the graph is dropped.
    pub fn scratch(program: &mut Program) -> Self {
        let name = program.names.intern("%file");
        Body::new(program, Proc::reserved_value(), name, Ty::new(0), SrcPos::NONE)
    }

    pub fn new_loc(&mut self) -> Loc {
        self.graph.add_loc()
    }

    /// Continues at `loc`.
    pub fn start_at(&mut self, loc: Loc) {
        self.here = loc;
    }

    /// An edge without effect from here to `target`; the code that follows is not reached from
    /// here.
    pub fn jump(&mut self, target: Loc) {
        self.graph.add_edge(self.here, target, []);
        self.here = self.graph.add_loc();
    }

    pub fn enter_block(&mut self) {
        self.blocks.push(Block { id: self.blocks_made, ends: Vec::new(), made: Vec::new() });
        self.blocks_made += 1;
    }
}

impl Lowerer<'_> {
    /// Performs `op` here and continues after it.
    pub fn emit(&mut self, op: Op) {
        let pos = self.position(self.body.span);
        let next = self.body.new_loc();
        let here = self.body.here;
        self.body.graph.add_edge(here, next, [Label::new(op, pos)]);
        self.body.here = next;
    }

    /// Performs `op` here; it never continues.
    pub fn emit_end(&mut self, op: Op) {
        let pos = self.position(self.body.span);
        let (here, exit) = (self.body.here, self.body.graph.exit);
        self.body.graph.add_edge(here, exit, [Label::new(op, pos)]);
        self.body.here = self.body.new_loc();
    }

    /// Goes to `yes` if the condition holds and to `no` otherwise.
    pub fn emit_branch(&mut self, condition: Term, yes: Loc, no: Loc) {
        match self.program.terms.as_bool(condition) {
            Some(true) => return self.body.jump(yes),
            Some(false) => return self.body.jump(no),
            None => {}
        }
        if yes == no {
            return self.body.jump(yes);
        }
        let pos = self.position(self.body.span);
        let negation = self.program.terms.not(condition);
        let here = self.body.here;
        self.body.graph.add_edge(here, yes, [Label::new(Op::Assume(condition), pos)]);
        self.body.graph.add_edge(here, no, [Label::new(Op::Assume(negation), pos)]);
        self.body.here = self.body.new_loc();
    }

    pub fn assign(&mut self, dst: Var, value: Term) {
        self.emit(Op::Assign { dst, value });
    }

    /// A local variable that keeps the current value.
    pub fn snapshot(&mut self, val: Val) -> Val {
        if self.has_parts(val.ty) {
            return self.snapshot_parts(val);
        }
        if self.program.terms.is_literal(val.term) {
            return val;
        }
        let sort = self.program.terms.sort(val.term);
        let dst = self.temp(sort, self.types.is_signed(val.ty));
        self.assign(dst, val.term);
        Val { term: self.program.read(dst), ty: val.ty }
    }

    /// As [`Self::snapshot`], but only where a call in between could change the value.
    pub fn snapshot_if_global(&mut self, val: Val) -> Val {
        if self.has_parts(val.ty) {
            return self.snapshot_parts(val);
        }
        let mut reads_global = false;
        let vars = &self.program.vars;
        self.program.terms.for_each_subterm(val.term, |_, kind| {
            if let ravelin_term::TermKind::Var(var) = kind {
                reads_global |= !matches!(vars[var].kind, VarKind::Local(_));
            }
        });
        if reads_global { self.snapshot(val) } else { val }
    }

    pub fn local(&mut self, name: Symbol, sort: Sort, signed: bool) -> Var {
        let pos = self.position(self.body.span);
        if self.body.proc.is_reserved_value() {
            self.body.proc = self.new_file_proc();
        }
        let kind = VarKind::Local(self.body.proc);
        self.program.vars.push(VarData { name, sort, signed, kind, pos })
    }

    /// The reads of an unevaluated expression at file scope (`sizeof *p`) need an owner, although
    /// nothing executes them.
    fn new_file_proc(&mut self) -> Proc {
        let pos = self.position(self.body.span);
        let mut graph = Procedure::new(self.body.name, pos);
        let (entry, exit) = (graph.entry, graph.exit);
        graph.add_edge(entry, exit, [Label::new(Op::Return { value: None }, pos)]);
        self.program.procs.push(graph)
    }

    /// Leaves the blocks from `depth` on, for this path: their local objects end here.
    pub fn end_blocks(&mut self, depth: usize) {
        let ends: Vec<BlockEnd> = self.body.blocks[depth..]
            .iter()
            .rev()
            .flat_map(|block| block.ends.iter().rev().copied())
            .collect();
        self.emit_ends(ends);
    }

    pub fn emit_ends(&mut self, ends: Vec<BlockEnd>) {
        for end in ends {
            match end {
                BlockEnd::Object(object) => self.emit(Op::ScopeEnd(object)),
                BlockEnd::Array { pointer, .. } => {
                    let addr = self.program.read(pointer);
                    self.emit(Op::Free { addr, kind: FreeKind::Array });
                }
                BlockEnd::Cleanup { func, address } => {
                    let span = self.body.span;
                    // An error in the call is reported; the path continues.
                    let _ = self.call_function(func, vec![address], span);
                }
            }
        }
    }

    /// Runs the cleanups of all blocks, before a return; local objects end with the frame.
    pub fn run_cleanups(&mut self) {
        let cleanups: Vec<BlockEnd> = self
            .body
            .blocks
            .iter()
            .rev()
            .flat_map(|block| block.ends.iter().rev().copied())
            .filter(|end| matches!(end, BlockEnd::Cleanup { .. }))
            .collect();
        self.emit_ends(cleanups);
    }

    /// Leaves the innermost block.
    pub fn leave_block(&mut self) {
        let depth = self.body.blocks.len() - 1;
        self.end_blocks(depth);
        self.body.blocks.pop();
    }
}

/// Drops unreachable code and edges that do nothing: a location with one outgoing edge that has no
/// label is the same as that edge's target.
pub(crate) fn tidy(graph: &mut Procedure) {
    let mut forward: SecondaryMap<Loc, Option<Loc>> = SecondaryMap::new();
    for (loc, data) in graph.locs.iter() {
        if let [edge] = data.out[..]
            && graph.edges[edge].labels.is_empty()
        {
            forward[loc] = Some(graph.edges[edge].target);
        }
    }
    let locs: Vec<Loc> = graph.locs.keys().collect();
    for &start in &locs {
        // Follow the chain; an endless one (`for (;;);`) keeps its edge.
        let (mut end, mut steps) = (start, 0);
        while let Some(next) = forward[end] {
            end = next;
            steps += 1;
            if end == start || steps > locs.len() {
                break;
            }
        }
        let endless = forward[end].is_some();
        // Shorten the chain for later lookups.
        let mut loc = start;
        while loc != end {
            let Some(next) = forward[loc] else { break };
            forward[loc] = if endless { None } else { Some(end) };
            loc = next;
        }
        if endless {
            forward[end] = None;
        }
    }
    for edge in graph.edges.values_mut() {
        if let Some(target) = forward[edge.target] {
            edge.target = target;
        }
    }
    if let Some(entry) = forward[graph.entry] {
        graph.entry = entry;
    }
    let is_error = |label: &Label| matches!(label.op, Op::Error(_));
    graph.has_check = graph.edges.values().any(|edge| edge.labels.iter().any(is_error));
    graph.compact();
}
