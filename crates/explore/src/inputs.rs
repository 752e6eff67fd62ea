//! Which values to try where the program leaves one open.
//!
//! Often a value is only compared with constants. Then it makes no difference which of the values
//! between two such constants it is, and one of them stands for all: the values that are tried are
//! complete. For this, all terms that a value can get into are looked at, through the variables that
//! it is copied to. A value of at most 8 bits is tried with all its values, unless fewer do. Of
//! everything else, a few values are tried, and the result is not complete.

use ravelin_base::{PrimaryMap, SecondaryMap};
use ravelin_cfa::access::{Access, for_each_access};
use ravelin_cfa::{Callee, ObjectKind, Op, Proc, Program, Property, Sort, Term, Var, VarKind};
use ravelin_term::{BinOp, TermKind, UnOp, bin_ops};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::code::Domain;
use crate::compile::VarSet;
use crate::word::{self, ones};

/// More samples than these would cost more than they find.
const MAX_SAMPLES: usize = 6;

/// Deeper terms are not evaluated here.
const MAX_DEPTH: usize = 64;

/// How a variable is used somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Use {
    /// In this term, which mentions no other variable.
    Term(Term),
    /// Copied to this variable.
    Copy(Var),
    /// In another way: every value may matter.
    Value,
}

/// The variables that a term mentions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
enum Mentions {
    #[default]
    Nothing,
    One(Var),
    Many,
}

#[derive(Debug)]
pub(crate) struct Inputs<'p> {
    program: &'p Program,
    mentions: SecondaryMap<Term, Mentions>,
    uses: PrimaryMap<Var, Vec<Use>>,
    /// Pointers to memory that is written and never read.
    written_only: VarSet,
}

impl<'p> Inputs<'p> {
    pub(crate) fn new(program: &'p Program) -> Self {
        let mut inputs = Inputs {
            program,
            mentions: mentions(program),
            uses: program.vars.keys().map(|_| Vec::new()).collect(),
            written_only: written_only(program),
        };
        inputs.collect();
        inputs
    }

    /// Whether the operation has no effect that anybody looks at: it makes or writes memory that is
    /// never read. That such a write may be invalid and end the run is ignored; nothing but the end
    /// is lost. So nothing is ignored where a property of memory is checked.
    pub(crate) fn is_ignored(&self, op: &Op) -> bool {
        let checked = self.program.checked;
        if checked.contains(Property::ValidDeref) || self.program.checks_leaks() {
            return false;
        }
        match op {
            Op::Alloc { dst, .. } => self.written_only.contains(*dst),
            Op::Store { addr, .. } => {
                base_var(self.program, *addr).is_some_and(|var| self.written_only.contains(var))
            }
            _ => false,
        }
    }

    fn collect(&mut self) {
        let program = self.program;
        let mut join_results = Vec::new();
        let mut call_results: FxHashMap<Proc, Vec<Var>> = FxHashMap::default();
        let mut pointer_results = false;
        let mut address_taken: FxHashSet<Proc> = FxHashSet::default();
        let mut started: FxHashSet<Proc> = FxHashSet::default();
        for (_, object) in program.objects.iter() {
            if let ObjectKind::Function(proc) = object.kind {
                address_taken.insert(proc);
            }
        }
        program.for_each_label(|_, label| match &label.op {
            Op::Join { dst: Some(dst), .. } => join_results.push(*dst),
            Op::Call { dst: Some(dst), callee: Callee::Direct(proc), .. } => {
                call_results.entry(*proc).or_default().push(*dst);
            }
            Op::Call { dst: Some(_), callee: Callee::Pointer(_), .. } => pointer_results = true,
            Op::Start { routine: Callee::Direct(proc), .. } => {
                started.insert(*proc);
            }
            _ => {}
        });
        let mut found: Vec<(Var, Use)> = Vec::new();
        let copies = |value: Term, to: Var, found: &mut Vec<(Var, Use)>| -> bool {
            match program.terms.kind(value) {
                TermKind::Var(var) if program.vars[var].sort == program.vars[to].sort => {
                    found.push((var, Use::Copy(to)));
                    true
                }
                _ => false,
            }
        };
        let mentions = &self.mentions;
        let written_only = &self.written_only;
        program.for_each_label(|proc, label| {
            let mut handled: Vec<Term> = Vec::new();
            match &label.op {
                Op::Print { .. } | Op::External { .. } => return,
                Op::Alloc { dst, .. } if written_only.contains(*dst) => return,
                Op::Store { addr, .. }
                    if base_var(program, *addr).is_some_and(|v| written_only.contains(v)) =>
                {
                    return;
                }
                Op::Assign { dst, value } if copies(*value, *dst, &mut found) => {
                    handled.push(*value);
                }
                Op::Call { callee: Callee::Direct(callee), args, .. }
                | Op::Start { routine: Callee::Direct(callee), args, .. } => {
                    for (&arg, &param) in args.iter().zip(&program.procs[*callee].params) {
                        if copies(arg, param, &mut found) {
                            handled.push(arg);
                        }
                    }
                    // What is passed beyond the parameters goes nowhere.
                    handled.extend(args.iter().skip(program.procs[*callee].params.len()));
                }
                Op::Return { value: Some(value) } => {
                    let mut to: Vec<Var> = call_results.get(&proc).cloned().unwrap_or_default();
                    let is_thread = started.contains(&proc) || address_taken.contains(&proc);
                    if is_thread {
                        to.extend(&join_results);
                    }
                    let unknown = address_taken.contains(&proc) && pointer_results;
                    let copied = to.iter().all(|&to| copies(*value, to, &mut found));
                    if copied && !unknown && Some(proc) != program.entry {
                        handled.push(*value);
                    }
                }
                Op::ThreadExit { value }
                    if join_results.iter().all(|&to| copies(*value, to, &mut found)) =>
                {
                    handled.push(*value);
                }
                _ => {}
            }
            for_each_access(&label.op, &mut |access| {
                if let Access::Evaluate(term) = access
                    && !handled.contains(&term)
                {
                    uses_in(program, mentions, term, &mut found);
                }
            });
        });
        found.sort_by_key(|(var, _)| *var);
        for (var, usage) in found {
            if !self.uses[var].contains(&usage) {
                self.uses[var].push(usage);
            }
        }
    }

    /// The values for an input that goes to this variable.
    pub(crate) fn domain(&self, var: Var) -> Domain {
        let sort = self.program.vars[var].sort;
        let (mut terms, mut every) = (Vec::new(), false);
        let mut seen = VarSet::new();
        let mut work = vec![var];
        while let Some(var) = work.pop() {
            if !seen.insert(var) {
                continue;
            }
            for &usage in &self.uses[var] {
                match usage {
                    Use::Term(term) => terms.push(term),
                    Use::Copy(to) => work.push(to),
                    Use::Value => every = true,
                }
            }
        }
        self.domain_of(sort, &terms, every)
    }

    fn domain_of(&self, sort: Sort, terms: &[Term], mut every: bool) -> Domain {
        let mut candidates: Vec<u64> = Vec::new();
        let mut complete = true;
        match sort {
            Sort::Bool => candidates.extend([0, 1]),
            Sort::Bv(width) if width <= 8 => candidates.extend(0..=ones(width)),
            Sort::Bv(width) => {
                let mask = ones(width);
                let mut bounds = vec![0, 1, mask];
                for &term in terms {
                    complete &= self.bounds(term, width, &mut bounds, 0);
                }
                bounds.extend([mask >> 1, (mask >> 1) + 1]);
                candidates.extend(bounds.iter().map(|bound| bound & mask));
            }
            Sort::Ptr => {
                candidates.extend([0, word::pointer(0, 1)]);
                for &term in terms {
                    complete &= self.asks_for_null(term, 0);
                }
            }
            Sort::Float(_) => {
                let one = crate::float::from_unsigned(1, float_kind(sort));
                candidates.extend([0, one]);
                complete = false;
            }
            Sort::Mem => {}
        }
        let small = matches!(sort, Sort::Bool) || matches!(sort, Sort::Bv(width) if width <= 8);
        if every && !small {
            complete = false;
        }
        // Values that nothing tells apart are one.
        let mut kept: Vec<u64> = Vec::new();
        let mut signatures: FxHashSet<Vec<u64>> = FxHashSet::default();
        for candidate in candidates {
            if kept.contains(&candidate) {
                continue;
            }
            let mut signature = Vec::new();
            for &term in terms {
                match self.evaluate(term, candidate, 0) {
                    Some(value) => signature.push(value),
                    None => every = true,
                }
            }
            if every || !complete || signatures.insert(signature) {
                kept.push(candidate);
            }
        }
        if !complete {
            kept.truncate(MAX_SAMPLES);
        }
        Domain { values: kept.into(), complete }
    }

    /// Adds the constants that the variable of `term` is compared with; whether it is used for nothing
    /// else.
    fn bounds(&self, term: Term, width: u16, bounds: &mut Vec<u64>, depth: usize) -> bool {
        let terms = &self.program.terms;
        if depth > MAX_DEPTH {
            return false;
        }
        if self.mentions[term] == Mentions::Nothing {
            return true;
        }
        match terms.kind(term) {
            TermKind::Var(_) => false,
            TermKind::Binary(bin_ops!(bv_order) | BinOp::Eq, a, b) => {
                let constant = match (self.is_plain(a), self.is_plain(b)) {
                    (true, false) => terms.as_bv(b),
                    (false, true) => terms.as_bv(a),
                    (true, true) | (false, false) => None,
                };
                match constant {
                    Some(constant) => {
                        let mask = ones(width);
                        let at = constant as u64 & mask;
                        let near = [at.wrapping_sub(1), at, at.wrapping_add(1)];
                        bounds.extend(near.map(|bound| bound & mask));
                        true
                    }
                    None => {
                        self.bounds(a, width, bounds, depth + 1)
                            && self.bounds(b, width, bounds, depth + 1)
                    }
                }
            }
            _ => {
                let children: Vec<Term> = terms.children(term).collect();
                children.into_iter().all(|child| self.bounds(child, width, bounds, depth + 1))
            }
        }
    }

    /// Whether the term is a variable, perhaps extended: its order is that of the variable.
    fn is_plain(&self, term: Term) -> bool {
        match self.program.terms.kind(term) {
            TermKind::Var(_) => true,
            TermKind::Unary(UnOp::ZeroExt(_) | UnOp::SignExt(_), a) => {
                matches!(self.program.terms.kind(a), TermKind::Var(_))
            }
            _ => false,
        }
    }

    /// Whether the pointer in `term` is compared with null and nothing else.
    fn asks_for_null(&self, term: Term, depth: usize) -> bool {
        let terms = &self.program.terms;
        if depth > MAX_DEPTH {
            return false;
        }
        let is_var = |term: Term| matches!(terms.kind(term), TermKind::Var(_));
        let is_null = |term: Term| terms.kind(term) == TermKind::Null;
        match terms.kind(term) {
            TermKind::Var(_) => false,
            TermKind::Binary(BinOp::Eq, a, b)
                if is_var(a) && is_null(b) || is_null(a) && is_var(b) =>
            {
                true
            }
            _ => {
                let children: Vec<Term> = terms.children(term).collect();
                children.into_iter().all(|child| self.asks_for_null(child, depth + 1))
            }
        }
    }

    /// The value of a term whose only variable has this value; `None` if it is not so simple.
    fn evaluate(&self, term: Term, value: u64, depth: usize) -> Option<u64> {
        let terms = &self.program.terms;
        if depth > MAX_DEPTH || crate::compile::is_wide(terms.sort(term)) {
            return None;
        }
        let again = |term: Term| self.evaluate(term, value, depth + 1);
        match terms.kind(term) {
            TermKind::Bool(bit) => Some(bit.into()),
            TermKind::Bv(bits) => Some(bits as u64),
            TermKind::Null => Some(0),
            TermKind::Var(_) => Some(value),
            TermKind::Unary(op, a) => {
                word::unary(op, terms.sort(a).width().unwrap_or(1), again(a)?)
            }
            TermKind::Binary(BinOp::Eq, a, b) => Some((again(a)? == again(b)?).into()),
            TermKind::Binary(op, a, b) => {
                word::arithmetic(op, terms.sort(a).width().unwrap_or(1), again(a)?, again(b)?)
            }
            TermKind::Ite(cond, a, b) => again(if again(cond)? != 0 { a } else { b }),
            TermKind::Float(_)
            | TermKind::Address(_)
            | TermKind::Read(..)
            | TermKind::Write(..) => None,
        }
    }

    /// The values for something without a value that is read from memory or a variable.
    pub(crate) fn unset(sort: Sort) -> Domain {
        match sort {
            Sort::Bool => Domain { values: [0, 1].into(), complete: true },
            Sort::Bv(width) if width <= 8 => {
                Domain { values: (0..=ones(width)).collect(), complete: true }
            }
            Sort::Bv(width) => Domain { values: [0, 1, ones(width)].into(), complete: false },
            Sort::Float(_) | Sort::Mem => Domain { values: [0].into(), complete: false },
            Sort::Ptr => Domain { values: [0, word::pointer(0, 1)].into(), complete: false },
        }
    }
}

fn float_kind(sort: Sort) -> ravelin_term::FloatKind {
    match sort {
        Sort::Float(kind) => kind,
        Sort::Bool | Sort::Bv(_) | Sort::Ptr | Sort::Mem => ravelin_term::FloatKind::F64,
    }
}

fn mentions(program: &Program) -> SecondaryMap<Term, Mentions> {
    let terms = &program.terms;
    let mut table: SecondaryMap<Term, Mentions> = SecondaryMap::with_capacity(terms.len());
    // Subterms are older than the terms they stand in.
    for term in terms.iter() {
        let all = match terms.kind(term) {
            TermKind::Var(var) => Mentions::One(var),
            TermKind::Address(_) => Mentions::Many,
            _ => terms.children(term).fold(Mentions::Nothing, |all, child| {
                match (all, table[child]) {
                    (Mentions::Nothing, other) | (other, Mentions::Nothing) => other,
                    (Mentions::One(a), Mentions::One(b)) if a == b => all,
                    _ => Mentions::Many,
                }
            }),
        };
        if all != Mentions::Nothing {
            table[term] = all;
        }
    }
    table
}

/// Adds how each variable in `root` is used.
fn uses_in(
    program: &Program,
    mentions: &SecondaryMap<Term, Mentions>,
    root: Term,
    found: &mut Vec<(Var, Use)>,
) {
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut work = vec![root];
    while let Some(term) = work.pop() {
        if !seen.insert(term) {
            continue;
        }
        match (mentions[term], program.terms.kind(term)) {
            (Mentions::Nothing, _) => {}
            (Mentions::One(var), TermKind::Var(_)) => found.push((var, Use::Value)),
            (Mentions::One(var), _) => found.push((var, Use::Term(term))),
            (Mentions::Many, _) => work.extend(program.terms.children(term)),
        }
    }
}

/// The variable that an address is counted from.
fn base_var(program: &Program, mut address: Term) -> Option<Var> {
    loop {
        match program.terms.kind(address) {
            TermKind::Var(var) => return Some(var),
            TermKind::Binary(BinOp::PtrAdd, base, _) => address = base,
            _ => return None,
        }
    }
}

/// The local variables that hold nothing but pointers to allocated memory and are used for nothing but
/// writing to it.
fn written_only(program: &Program) -> VarSet {
    let mut candidates = VarSet::new();
    let mut others = VarSet::new();
    program.for_each_label(|_, label| {
        let dst = label.op.dst();
        match &label.op {
            Op::Alloc { dst, .. } if matches!(program.vars[*dst].kind, VarKind::Local(_)) => {
                candidates.insert(*dst);
            }
            _ => {
                if let Some(dst) = dst {
                    others.insert(dst);
                }
            }
        }
        let mut used = |term: Term| {
            for var in program.terms.vars_of(term) {
                others.insert(var);
            }
        };
        match &label.op {
            Op::Store { addr, value, order: _ } => {
                used(*value);
                let mut address = *addr;
                while let TermKind::Binary(BinOp::PtrAdd, base, offset) =
                    program.terms.kind(address)
                {
                    used(offset);
                    address = base;
                }
                if !matches!(program.terms.kind(address), TermKind::Var(_)) {
                    used(address);
                }
            }
            op => for_each_access(op, &mut |access| {
                if let Access::Evaluate(term) = access {
                    used(term);
                }
            }),
        }
    });
    let mut kept = VarSet::new();
    for var in candidates.iter() {
        let is_param = program.procs.values().any(|procedure| procedure.params.contains(&var));
        if !others.contains(var) && !is_param {
            kept.insert(var);
        }
    }
    kept
}
