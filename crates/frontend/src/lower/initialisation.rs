//! Reads of local variables that have no value yet (C11 6.3.2.1p2: undefined for those whose address is never taken, and these
//! are variables of the automaton).
//!
//! A variable that may be read before it has a value gets a flag beside it, and a branch to the error stands before each
//! such read. Where data flow knows that there is a value, there is neither.
//!
//! Operators without side effects are one term, in which the order of `&&` and `||` is lost. So a term reads a variable if its
//! value depends on it: the branch that an `ite` does not take is not read, nor is the other operand of an `and` that is
//! false. What simplification removed (`x - x`) is not read, and neither is `x` in `x = x`. A function that ends without `return` gives a temporary,
//! which no check is about. A thread of `__CPROVER_ASYNC_…` has copies of local variables; one without value is unsupported.

use ravelin_base::{EntitySet, SecondaryMap, SrcPos};
use ravelin_cfa::access::for_each_term;
use ravelin_cfa::flow::facts::Facts;
use ravelin_cfa::flow::locals::Locals;
use ravelin_cfa::{
    Callee, Edge, ErrorKind, Gap, HavocKind, Label, Loc, Op, Proc, Procedure, Program, Sort, Term,
    VarData, VarKind,
};
use ravelin_term::{BinOp, TermKind, UnOp, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use super::reconcile::replace_edge;

/// Puts the checks before reads of variables that may have no value. Edges have one label each.
pub(crate) fn check_initialisation(program: &mut Program) {
    let locals = Locals::of(program);
    let procs: Vec<Proc> = program.procs.keys().collect();
    for proc in procs {
        let reads = open_reads(program, &locals, proc);
        let mut flags = Flags { program, proc, locals: &locals, flags: FxHashMap::default() };
        let checks: Vec<Check> = reads.iter().filter_map(|read| flags.check(read)).collect();
        let flags: Vec<(Var, Var)> = flags.in_order();
        for check in checks {
            insert_check(program, proc, check);
        }
        keep_flags(program, proc, &flags);
    }
}

/// A location at which variables are read that may have no value.
struct Read {
    at: Loc,
    terms: Vec<Term>,
    /// The variables that may have no value here.
    unset: Facts,
    pos: SrcPos,
    is_copy: bool,
}

struct Check {
    at: Loc,
    holds: Term,
    pos: SrcPos,
    /// A thread gets copies of the variables, whether they have values or not.
    is_copy: bool,
}

/// What an edge does to a variable of the source.
enum Effect {
    None,
    Unsets(Var),
    Sets(Var),
}

/// The edges that make a `_Bool` of the arbitrary bits that its declaration left: no reads. They have the position of the
/// declaration, which no expression has.
fn parts_of_declarations(program: &Program, procedure: &Procedure) -> EntitySet<Edge> {
    let (incoming, mut found) = (procedure.incoming(), EntitySet::new());
    for (edge, data) in procedure.edges.iter() {
        let [Label { op: Op::Assign { dst, value }, pos }] = data.labels[..] else { continue };
        let [before] = incoming[data.source][..] else { continue };
        let is_declared = matches!(procedure.edges[before].labels[..],
            [Label { op: Op::Havoc { dst: declared, kind: HavocKind::Uninitialised }, pos: at }]
                if declared == dst && at == pos);
        let is_low_bit = matches!(program.terms.kind(value), TermKind::Binary(BinOp::BvAnd, ..))
            && program.terms.vars_of(value) == [dst];
        if is_declared && is_low_bit {
            found.insert(edge);
        }
    }
    found
}

fn effect(program: &Program, op: &Op) -> Effect {
    match (op, op.dst()) {
        (_, Some(dst)) if program.is_temporary(dst) => Effect::None,
        (Op::Havoc { dst, kind: HavocKind::Uninitialised }, _) => Effect::Unsets(*dst),
        (_, Some(dst)) => Effect::Sets(dst),
        (_, None) => Effect::None,
    }
}

/// The reads at which data flow does not know that all variables have values.
fn open_reads(program: &Program, locals: &Locals, proc: Proc) -> Vec<Read> {
    let procedure = &program.procs[proc];
    let mut declared = Facts::new(locals.list(proc).len());
    let mut has_any = false;
    for edge in procedure.edges.values() {
        for label in &edge.labels {
            if let Effect::Unsets(var) = effect(program, &label.op)
                && let Some(number) = locals.number(program, var)
            {
                declared.insert(number, 0);
                has_any = true;
            }
        }
    }
    if !has_any {
        return Vec::new();
    }
    let declarations = parts_of_declarations(program, procedure);
    let order = procedure.reverse_postorder();
    let mut states: SecondaryMap<Loc, Option<Facts>> =
        SecondaryMap::with_capacity(procedure.locs.len());
    states[procedure.entry] = Some(declared);
    let mut changed = true;
    while changed {
        changed = false;
        for &loc in &order {
            let Some(here) = states[loc].clone() else { continue };
            for &edge in &procedure.locs[loc].out {
                let data = &procedure.edges[edge];
                let mut state = here.clone();
                // A read that is passed had a value, or it is checked: the error ends the execution.
                if !declarations.contains(edge) {
                    for label in &data.labels {
                        for_each_term(&label.op, |term| passed(program, locals, term, &mut state));
                        step(program, locals, &label.op, &mut state);
                    }
                }
                changed |= match &mut states[data.target] {
                    Some(old) => old.union(&state),
                    slot @ None => {
                        *slot = Some(state);
                        true
                    }
                };
            }
        }
    }
    let mut reads = Vec::new();
    for &loc in &order {
        let Some(unset) = states[loc].clone() else { continue };
        let (mut terms, mut pos, mut is_copy) = (Vec::new(), SrcPos::NONE, false);
        for &edge in &procedure.locs[loc].out {
            let data = &procedure.edges[edge];
            let Some(label) = data.labels.first() else { continue };
            if declarations.contains(edge) {
                continue;
            }
            pos = label.pos;
            is_copy = matches!(label.op, Op::Start { routine: Callee::Direct(routine), .. }
                if program.is_made_up(routine));
            for_each_term(&label.op, |term| {
                let vars = program.terms.vars_of(term);
                let number = |var: Var| locals.number(program, var);
                if vars.into_iter().filter_map(number).any(|number| unset.contains(number)) {
                    terms.push(term);
                }
            });
        }
        if !terms.is_empty() {
            reads.push(Read { at: loc, terms, unset, pos, is_copy });
        }
    }
    reads
}

fn step(program: &Program, locals: &Locals, op: &Op, unset: &mut Facts) {
    match effect(program, op) {
        Effect::Unsets(var) => {
            if let Some(number) = locals.number(program, var) {
                unset.insert(number, 0);
            }
        }
        Effect::Sets(var) => {
            if let Some(number) = locals.number(program, var) {
                unset.remove(number);
            }
        }
        Effect::None => {}
    }
}

/// What a term surely reads has a value behind it.
fn passed(program: &Program, locals: &Locals, term: Term, unset: &mut Facts) {
    let (mut work, mut seen) = (vec![term], FxHashSet::default());
    while let Some(term) = work.pop() {
        if !seen.insert(term) {
            continue;
        }
        match program.terms.kind(term) {
            TermKind::Var(var) => {
                if let Some(number) = locals.number(program, var) {
                    unset.remove(number);
                }
            }
            TermKind::Ite(condition, _, _) => work.push(condition),
            TermKind::Binary(BinOp::And | BinOp::Or, _, _) => {}
            _ => work.extend(program.terms.children(term)),
        }
    }
}

/// The flags of a procedure: whether a variable has a value.
struct Flags<'p> {
    program: &'p mut Program,
    proc: Proc,
    locals: &'p Locals,
    flags: FxHashMap<Var, Var>,
}

impl Flags<'_> {
    /// The check of a read; `None` if it cannot fail.
    fn check(&mut self, read: &Read) -> Option<Check> {
        let mut holds = self.program.terms.bool(true);
        let mut known = FxHashMap::default();
        for &term in &read.terms {
            let has_value = self.has_value(term, &read.unset, &mut known);
            holds = self.program.terms.and(holds, has_value);
        }
        let can_fail = self.program.terms.as_bool(holds) != Some(true);
        let Read { at, pos, is_copy, .. } = *read;
        can_fail.then_some(Check { at, holds, pos, is_copy })
    }

    /// Whether a term depends on no variable without value.
    fn has_value(&mut self, term: Term, unset: &Facts, known: &mut FxHashMap<Term, Term>) -> Term {
        if let Some(&found) = known.get(&term) {
            return found;
        }
        let holds = match self.program.terms.kind(term) {
            TermKind::Var(var) => match self.locals.number(self.program, var) {
                Some(number) if unset.contains(number) => {
                    let flag = self.flag(var);
                    self.program.read(flag)
                }
                Some(_) | None => self.program.terms.bool(true),
            },
            TermKind::Ite(condition, a, b) => {
                let decided = self.has_value(condition, unset, known);
                let (of_a, of_b) =
                    (self.has_value(a, unset, known), self.has_value(b, unset, known));
                let terms = &mut self.program.terms;
                let chosen = terms.ite(condition, of_a, of_b);
                terms.and(decided, chosen)
            }
            TermKind::Binary(op @ (BinOp::And | BinOp::Or), a, b) => {
                let (of_a, of_b) =
                    (self.has_value(a, unset, known), self.has_value(b, unset, known));
                let terms = &mut self.program.terms;
                // One operand is enough if it decides.
                let decides = |terms: &mut ravelin_cfa::TermPool, operand| match op {
                    BinOp::And => terms.unary(UnOp::Not, operand),
                    _ => operand,
                };
                let (by_a, by_b) = (decides(terms, a), decides(terms, b));
                let (by_a, by_b) = (terms.and(of_a, by_a), terms.and(of_b, by_b));
                let (both, one) = (terms.and(of_a, of_b), terms.or(by_a, by_b));
                terms.or(both, one)
            }
            _ => {
                let children: Vec<Term> = self.program.terms.children(term).collect();
                let mut holds = self.program.terms.bool(true);
                for child in children {
                    let has_value = self.has_value(child, unset, known);
                    holds = self.program.terms.and(holds, has_value);
                }
                holds
            }
        };
        known.insert(term, holds);
        holds
    }

    fn flag(&mut self, var: Var) -> Var {
        if let Some(&flag) = self.flags.get(&var) {
            return flag;
        }
        let name = self.program.names.intern("%set");
        let (kind, pos) = (VarKind::Local(self.proc), self.program.vars[var].pos);
        let data = VarData { name, sort: Sort::Bool, signed: false, kind, pos };
        let flag = self.program.vars.push(data);
        self.flags.insert(var, flag);
        flag
    }

    fn in_order(self) -> Vec<(Var, Var)> {
        let mut flags: Vec<(Var, Var)> = self.flags.into_iter().collect();
        flags.sort_unstable_by_key(|(_, flag)| flag.as_u32());
        flags
    }
}

/// Puts a check between a location and what leaves it.
fn insert_check(program: &mut Program, proc: Proc, check: Check) {
    let Check { at, holds, pos, is_copy } = check;
    let fails = program.terms.not(holds);
    let copied = program.names.intern("a thread that copies a variable without value");
    let procedure = &mut program.procs[proc];
    let (good, bad, exit) = (procedure.add_loc(), procedure.add_loc(), procedure.exit);
    let out = std::mem::take(&mut procedure.locs[at].out);
    for &edge in &out {
        procedure.edges[edge].source = good;
    }
    procedure.locs[good].out = out;
    procedure.add_edge(at, good, [Label::new(Op::Assume(holds), pos)]);
    procedure.add_edge(at, bad, [Label::new(Op::Assume(fails), pos)]);
    match is_copy {
        true => procedure.add_edge(
            bad,
            good,
            [Label::new(Op::Unsupported(Gap::NotModelled(copied)), pos)],
        ),
        false => procedure.add_edge(
            bad,
            exit,
            [Label::new(Op::Error(ErrorKind::UninitialisedRead), pos)],
        ),
    };
}

/// Keeps the flags: cleared where the procedure begins and at declarations, set where the variable is written.
fn keep_flags(program: &mut Program, proc: Proc, flags: &[(Var, Var)]) {
    if flags.is_empty() {
        return;
    }
    let (yes, no) = (program.terms.bool(true), program.terms.bool(false));
    let declarations = parts_of_declarations(program, &program.procs[proc]);
    let edges = program.procs[proc].edges.keys();
    let edges: Vec<Edge> = edges.filter(|&edge| !declarations.contains(edge)).collect();
    for edge in edges {
        let [label] = &program.procs[proc].edges[edge].labels[..] else { continue };
        let (var, value) = match effect(program, &label.op) {
            Effect::None => continue,
            Effect::Unsets(var) => (var, no),
            Effect::Sets(var) => (var, yes),
        };
        let Some(&(_, dst)) = flags.iter().find(|(flagged, _)| *flagged == var) else { continue };
        let Label { op, pos } = label.clone();
        replace_edge(program, proc, edge, vec![Op::Assign { dst, value }, op], pos);
    }
    let pos = program.procs[proc].pos;
    let procedure = &mut program.procs[proc];
    for &(_, dst) in flags {
        let (entry, begin) = (procedure.entry, procedure.add_loc());
        procedure.add_edge(begin, entry, [Label::new(Op::Assign { dst, value: no }, pos)]);
        procedure.entry = begin;
    }
}
