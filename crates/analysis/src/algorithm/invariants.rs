//! What a finished graph says about loop heads.
//!
//! The states at a location together stand for everything that can be there, so their disjunction
//! holds. Parts that nobody would read or could check are left out, which makes it weaker, never
//! wrong: facts about other frames, and, where there are many states, how the values of several
//! variables go together.

use std::collections::{BTreeMap, BTreeSet};

use ravelin_base::SrcPos;
use ravelin_cfa::{Label, Loc, Op, Proc, Procedure, Program, VarKind};
use ravelin_term::{BinOp, Sort, Term, TermKind, TermPool, Var};

use crate::algorithm::arg::Arg;
use crate::algorithm::refine::refinable::Refinable;
use crate::domain::Context;
use crate::model::control_flow::ControlFlowFacts;
use crate::model::space::{Role, Space};
use crate::model::step::Site;
use crate::verdict::{Invariant, Proof};

/// With more cases, only what holds of single variables is kept.
const MAX_CASES: usize = 6;

/// With more values, only the least and the greatest are kept.
const MAX_VALUES: usize = 6;

/// A state of which more facts are known than this is no help to anyone.
const MAX_FACTS: usize = 200;

/// The invariants of a graph without targets. It takes the terms: the analysis is at its end.
pub(crate) fn proof<A: Refinable>(
    analysis: &A,
    cx: &mut Context<'_, '_>,
    control_flow: &ControlFlowFacts,
    arg: &Arg<A>,
) -> Proof {
    let mut places: BTreeMap<(Proc, Loc), LoopHead> = BTreeMap::new();
    // Of several threads, a state is listed at the location of one only: nothing would be said of the
    // others' loops, and what is said of this one's would be half the truth.
    let is_told = !cx.space.program.is_concurrent();
    for (_, node) in arg.live_nodes().filter(|_| is_told) {
        let site = cx.steps.site(node.control);
        if !control_flow.is_loop_head(site.proc, site.loc)
            || node.target.is_some()
            || node.covered_by.is_some()
        {
            continue;
        }
        let place = places.entry((site.proc, site.loc)).or_default();
        if node.parents.is_empty() {
            place.is_start = true;
        } else if analysis.ends_block(&node.state) {
            let facts = analysis.facts(cx, &node.state);
            place.add(cx.space, site, &facts);
        } else {
            // What its block did is not among its facts.
            place.is_open = true;
        }
    }
    let program = cx.space.program;
    let mut invariants = Vec::new();
    for ((proc, loc), mut place) in places {
        if place.is_open {
            continue;
        }
        if place.is_start {
            place.add_start(cx.space);
        }
        let (always, cases) = simplify(program, &mut cx.space.terms, place.cases);
        if !always.is_empty() || !cases.is_empty() {
            let pos = position(&program.procs[proc], loc);
            invariants.push(Invariant { proc, loc, pos, always, cases });
        }
    }
    let bits = cx.space.terms.pointer_bits();
    let terms = std::mem::replace(&mut cx.space.terms, TermPool::new(bits));
    Proof { invariants, terms, memories: cx.space.memories().into() }
}

/// The states at a loop head.
#[derive(Default)]
struct LoopHead {
    /// What each knows.
    cases: BTreeSet<BTreeSet<Term>>,
    /// Whether something is not known of a state, that is not even an empty list of facts.
    is_open: bool,
    /// Whether the program starts here. Of that state nothing is abstracted, so it has no facts.
    is_start: bool,
}

impl LoopHead {
    /// Adds what holds at the start of all that the other states know.
    fn add_start(&mut self, space: &mut Space<'_>) {
        let mut start = BTreeSet::new();
        let known: BTreeSet<Term> = self.cases.iter().flatten().copied().collect();
        for fact in known {
            let mut values = Vec::new();
            for var in space.terms.vars_of(fact) {
                let Some(value) = space.initial_value(var).filter(|_| space.sort(var) != Sort::Mem)
                else {
                    continue;
                };
                values.push((var, value));
                // Floats have no equality of bits.
                if !matches!(space.sort(var), Sort::Float(_)) {
                    let read = space.read_var(var);
                    start.insert(space.terms.eq(read, value));
                }
            }
            let at_start = space.terms.substitute(fact, |_, var| {
                values.iter().find(|(other, _)| *other == var).map(|(_, value)| *value)
            });
            if space.terms.as_bool(at_start) == Some(true) {
                start.insert(fact);
            }
        }
        self.cases.insert(start);
    }

    fn add(&mut self, space: &mut Space<'_>, site: Site, facts: &[Term]) {
        let mut case = BTreeSet::new();
        let mut work = facts.to_vec();
        while let Some(fact) = work.pop() {
            if case.len() >= MAX_FACTS {
                break;
            }
            match space.terms.kind(fact) {
                TermKind::Binary(BinOp::And, a, b) => work.extend([a, b]),
                TermKind::Bool(true) => {}
                _ => case.extend(in_frame(space, fact, site)),
            }
        }
        self.cases.insert(case);
    }
}

/// A fact about the globals and the frame at a site, in terms of the program's variables; `None` for
/// other facts.
fn in_frame(space: &mut Space<'_>, fact: Term, site: Site) -> Option<Term> {
    let program = space.program;
    let mut renamed: Vec<(Var, Var)> = Vec::new();
    for var in space.terms.vars_of(fact) {
        match space.role(var) {
            Role::Memory(_) => {}
            Role::Program { var: own, of } => {
                let is_here = match program.vars[own].kind {
                    // C has no name for it.
                    _ if program.name(program.vars[own].name).contains('%') => false,
                    VarKind::Global { .. } | VarKind::ThreadLocal { .. } => true,
                    VarKind::Local(proc) => proc == site.proc && of == site.activation,
                };
                if !is_here {
                    return None;
                }
                renamed.push((var, own));
            }
            Role::NextObject
            | Role::Thread(..)
            | Role::Input(_)
            | Role::At { .. }
            | Role::Read(_) => return None,
        }
    }
    let mut is_here = true;
    space.terms.for_each_subterm(fact, |_, kind| {
        // Of which frame the instances are that come after the program's objects is not recorded.
        if let TermKind::Address(object) = kind {
            is_here &= program.objects.is_valid(object);
        }
    });
    if !is_here {
        return None;
    }
    let fact = space.terms.substitute(fact, |terms, var| {
        let (_, own) = renamed.iter().find(|(instance, _)| *instance == var)?;
        Some(terms.var(*own, program.vars[*own].sort))
    });
    Some(fact)
}

type Simplified = (Vec<Term>, Vec<Vec<Term>>);

/// What all cases share, and the cases without it.
fn simplify(
    program: &Program,
    terms: &mut TermPool,
    cases: BTreeSet<BTreeSet<Term>>,
) -> Simplified {
    let mut always: BTreeSet<Term> = cases.first().cloned().unwrap_or_default();
    for case in &cases {
        always.retain(|fact| case.contains(fact));
    }
    let mut rest: Vec<BTreeSet<Term>> =
        cases.iter().map(|case| case.difference(&always).copied().collect()).collect();
    let mut shared: Vec<Term> = always.into_iter().collect();
    if rest.iter().any(BTreeSet::is_empty) {
        return (shared, Vec::new());
    }
    if rest.len() > MAX_CASES {
        shared.extend(by_variable(program, terms, &rest));
        return (shared, Vec::new());
    }
    // A case that says more than another adds nothing.
    let all = rest.clone();
    rest.retain(|case| !all.iter().any(|other| other != case && other.is_subset(case)));
    (shared, rest.into_iter().map(|case| case.into_iter().collect()).collect())
}

/// For what has a value in every case, which values these are.
fn by_variable(program: &Program, terms: &mut TermPool, cases: &[BTreeSet<Term>]) -> Vec<Term> {
    let mut values: BTreeMap<Term, (usize, BTreeSet<u128>)> = BTreeMap::new();
    for case in cases {
        for &fact in case {
            if let TermKind::Binary(BinOp::Eq, left, right) = terms.kind(fact)
                && let Some(value) = terms.as_bv(right)
            {
                let (cases, values) = values.entry(left).or_default();
                *cases += 1;
                values.insert(value);
            }
        }
    }
    let mut facts = Vec::new();
    for (left, (known_in, values)) in values {
        // A case may know two values of one thing, if it cannot be; then there is no harm either.
        if known_in < cases.len() || !cases.iter().all(|case| knows(terms, case, left)) {
            continue;
        }
        facts.extend(if values.len() <= MAX_VALUES {
            one_of(terms, left, &values)
        } else {
            between(program, terms, left, &values)
        });
    }
    // All values of a small type say nothing.
    facts.retain(|&fact| terms.as_bool(fact) != Some(true));
    facts
}

fn knows(terms: &TermPool, case: &BTreeSet<Term>, left: Term) -> bool {
    case.iter().any(|&fact| match terms.kind(fact) {
        TermKind::Binary(BinOp::Eq, other, value) => other == left && terms.as_bv(value).is_some(),
        _ => false,
    })
}

fn one_of(terms: &mut TermPool, left: Term, values: &BTreeSet<u128>) -> Option<Term> {
    let width = terms.sort(left).width()?;
    let mut any = terms.bool(false);
    for &value in values {
        let value = terms.bv(width, value);
        let is = terms.eq(left, value);
        any = terms.or(any, is);
    }
    Some(any)
}

fn between(
    program: &Program,
    terms: &mut TermPool,
    left: Term,
    values: &BTreeSet<u128>,
) -> Option<Term> {
    let Sort::Bv(width) = terms.sort(left) else {
        return None;
    };
    let signed = match terms.kind(left) {
        TermKind::Var(var) => program.vars.get(var).is_some_and(|data| data.signed),
        _ => true,
    };
    let values: Vec<Term> = values.iter().map(|&value| terms.bv(width, value)).collect();
    let key = |terms: &TermPool, value: Term| match signed {
        true => terms.as_signed(value),
        // Below 128 bits nothing is lost, and wider there is nothing.
        false => terms.as_bv(value).map(|value| (value ^ 1 << 127) as i128),
    };
    let least = values.iter().copied().min_by_key(|&value| key(terms, value))?;
    let greatest = values.iter().copied().max_by_key(|&value| key(terms, value))?;
    let op = if signed { BinOp::BvSle } else { BinOp::BvUle };
    let (low, high) = (terms.binary(op, least, left), terms.binary(op, left, greatest));
    Some(terms.and(low, high))
}

/// Where a location stands: the first position of what can be done there.
pub(crate) fn position(procedure: &Procedure, loc: Loc) -> SrcPos {
    fn first(labels: &[Label]) -> Option<SrcPos> {
        labels.iter().find_map(|label| match &label.op {
            _ if !label.pos.is_none() => Some(label.pos),
            Op::Choice(branches) => branches.iter().find_map(|branch| first(branch)),
            _ => None,
        })
    }
    let out = &procedure.locs[loc].out;
    out.iter().find_map(|&edge| first(&procedure.edges[edge].labels)).unwrap_or(procedure.pos)
}

#[cfg(test)]
mod tests {
    use ravelin_base::DataModel;
    use ravelin_cfa::VarData;
    use ravelin_term::text::Indices;

    use super::*;

    /// Simplifies cases that give values to `v0`, which is signed, and to `v1`, which is not.
    fn check(cases: &[&[(u32, i128)]], expected: &str) {
        let mut program = Program::new(DataModel::Ilp32);
        for signed in [true, false] {
            let (name, pos) = (program.names.intern("x"), SrcPos::default());
            let kind = VarKind::Global { init: None, atomic: false };
            program.vars.push(VarData { name, sort: Sort::Bv(8), signed, kind, pos });
        }
        let mut terms = program.terms.clone();
        let cases = cases.iter().map(|case| {
            let facts = case.iter().map(|&(var, value)| {
                let var = terms.var(Var::from_u32(var), Sort::Bv(8));
                let value = terms.bv(8, value as u128);
                terms.eq(var, value)
            });
            facts.collect::<BTreeSet<Term>>()
        });
        let cases = cases.collect();
        let (always, cases) = simplify(&program, &mut terms, cases);
        let text = |fact: &Term| {
            let mut text = String::new();
            terms.print(&mut text, *fact, &Indices).expect("strings take all");
            text
        };
        let list = |facts: &[Term]| facts.iter().map(text).collect::<Vec<_>>().join(" & ");
        let cases: Vec<String> = cases.iter().map(|case| list(case)).collect();
        assert_eq!(format!("{} / {}", list(&always), cases.join(" | ")), expected);
    }

    #[test]
    fn what_all_cases_share_comes_first() {
        check(
            &[&[(0, 1), (1, 5)], &[(0, 2), (1, 5)]],
            "eq(v1, 5:bv8) / eq(v0, 1:bv8) | eq(v0, 2:bv8)",
        );
        check(&[&[(0, 1)]], "eq(v0, 1:bv8) / ");
    }

    #[test]
    fn a_case_without_facts_leaves_nothing_to_say() {
        check(&[&[(0, 1)], &[]], " / ");
        check(&[], " / ");
    }

    #[test]
    fn stronger_cases_are_left_out() {
        check(&[&[(0, 1)], &[(0, 1), (1, 2)], &[(1, 3)]], " / eq(v0, 1:bv8) | eq(v1, 3:bv8)");
    }

    #[test]
    fn many_cases_are_told_by_variable() {
        let cases: Vec<[(u32, i128); 2]> = (-4..4).map(|i| [(0, i), (1, i & 1)]).collect();
        let cases: Vec<&[(u32, i128)]> = cases.iter().map(|case| &case[..]).collect();
        check(
            &cases,
            "and(bvsle(-4:bv8, v0), bvsle(v0, 3:bv8)) & or(eq(v1, 1:bv8), eq(v1, 0:bv8)) / ",
        );
        // Compared without a sign, the numbers below zero are the large ones.
        let cases: Vec<[(u32, i128); 1]> = (-4..4).map(|i| [(1, i)]).collect();
        let cases: Vec<&[(u32, i128)]> = cases.iter().map(|case| &case[..]).collect();
        check(&cases, " / ");
    }
}
