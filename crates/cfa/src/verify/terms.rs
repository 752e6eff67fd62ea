//! Invariants of terms and declarations. Each term of the pool is checked once, however many labels
//! use it.

use ravelin_base::{EntityRef, SecondaryMap};
use ravelin_term::{BinOp, Sort, Term, TermKind, un_ops};

use super::{Place, Report, Rule};
use crate::model::{Init, ObjectKind, Proc, Program, VarKind};

/// The facts about a term that the checks of labels need.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TermFacts {
    /// The procedure whose locals or local objects it mentions.
    pub owner: Owner,
    /// Whether its value is the same in every state and thread.
    pub open: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) enum Owner {
    #[default]
    None,
    One(Proc),
    Mixed,
}

impl Owner {
    fn join(self, other: Owner) -> Owner {
        match (self, other) {
            (Owner::None, owner) | (owner, Owner::None) => owner,
            (Owner::One(a), Owner::One(b)) if a == b => self,
            (Owner::One(_) | Owner::Mixed, _) => Owner::Mixed,
        }
    }
}

pub(super) fn check_terms(program: &Program, report: &mut Report) -> SecondaryMap<Term, TermFacts> {
    let terms = &program.terms;
    let mut facts: SecondaryMap<Term, TermFacts> = SecondaryMap::with_capacity(terms.len());
    for term in terms.iter() {
        let sort = terms.sort(term);
        let mut wrong = |rule, message: String| report.add(rule, Place::Term(term), message);
        facts[term] = match terms.kind(term) {
            TermKind::Bool(_) | TermKind::Bv(_) | TermKind::Float(_) | TermKind::Null => {
                TermFacts::default()
            }
            TermKind::Var(var) => match program.vars.get(var) {
                None => {
                    wrong(Rule::References, format!("{var} does not exist"));
                    TermFacts::default()
                }
                Some(data) => {
                    if data.sort != sort {
                        wrong(
                            Rule::Terms,
                            format!("reads {var} as {sort}, but it is {}", data.sort),
                        );
                    }
                    let owner = match data.kind {
                        VarKind::Local(proc) => Owner::One(proc),
                        VarKind::Global { .. } | VarKind::ThreadLocal { .. } => Owner::None,
                    };
                    TermFacts { owner, open: true }
                }
            },
            TermKind::Address(object) => match program.objects.get(object).map(|data| data.kind) {
                None => {
                    wrong(Rule::References, format!("{object} does not exist"));
                    TermFacts::default()
                }
                Some(ObjectKind::Local(proc)) => TermFacts { owner: Owner::One(proc), open: true },
                Some(ObjectKind::ThreadLocal) => TermFacts { owner: Owner::None, open: true },
                Some(ObjectKind::Global | ObjectKind::Constant | ObjectKind::Function(_)) => {
                    TermFacts::default()
                }
            },
            TermKind::Unary(op, a) => {
                if matches!(op, un_ops!(pointer_part)) {
                    wrong(Rule::Terms, format!("{op} is for the terms of analyses"));
                }
                if terms.unary_sort(op, terms.sort(a)) != Some(sort) {
                    wrong(Rule::Terms, format!("{op:?} of {} is not {sort}", terms.sort(a)));
                }
                facts[a]
            }
            TermKind::Binary(op, a, b) => {
                let (sort_a, sort_b) = (terms.sort(a), terms.sort(b));
                if op == BinOp::PtrMake {
                    wrong(Rule::Terms, format!("{op} is for the terms of analyses"));
                }
                if terms.binary_sort(op, sort_a, sort_b) != Some(sort) {
                    wrong(Rule::Terms, format!("{op:?} of {sort_a}, {sort_b} is not {sort}"));
                }
                join(facts[a], facts[b])
            }
            TermKind::Ite(cond, a, b) => {
                if terms.sort(cond) != Sort::Bool || terms.sort(a) != sort || terms.sort(b) != sort
                {
                    wrong(Rule::Terms, format!("the parts of an ite of sort {sort} do not fit"));
                }
                join(facts[cond], join(facts[a], facts[b]))
            }
            TermKind::Read(..) | TermKind::Write(..) => {
                wrong(Rule::Terms, "memory is for the terms of analyses".to_owned());
                TermFacts { owner: Owner::None, open: true }
            }
        };
    }
    facts
}

fn join(a: TermFacts, b: TermFacts) -> TermFacts {
    TermFacts { owner: a.owner.join(b.owner), open: a.open || b.open }
}

pub(super) fn check_declarations(
    program: &Program,
    facts: &SecondaryMap<Term, TermFacts>,
    report: &mut Report,
) {
    if let Some(entry) = program.entry
        && !program.procs.is_valid(entry)
    {
        report.add(Rule::References, Place::Program, format!("the entry {entry} does not exist"));
    }
    for (var, data) in program.vars.iter() {
        let place = Place::Var(var);
        if data.sort == Sort::Mem {
            report.add(Rule::Terms, place, "memory is for the terms of analyses");
        }
        match data.kind {
            VarKind::Global { init: Some(init), .. }
            | VarKind::ThreadLocal { init: Some(init) } => {
                if check_initial(program, facts, init, place, report)
                    && program.terms.sort(init) != data.sort
                {
                    report.add(Rule::Terms, place, "the initial value has another sort");
                }
            }
            VarKind::Global { init: None, .. } | VarKind::ThreadLocal { init: None } => {}
            VarKind::Local(proc) => {
                if !program.procs.is_valid(proc) {
                    report.add(Rule::References, place, format!("{proc} does not exist"));
                }
            }
        }
    }
    for (object, data) in program.objects.iter() {
        let place = Place::Object(object);
        match data.kind {
            ObjectKind::Local(proc) | ObjectKind::Function(proc) => {
                if !program.procs.is_valid(proc) {
                    report.add(Rule::References, place, format!("{proc} does not exist"));
                }
            }
            ObjectKind::Global | ObjectKind::Constant | ObjectKind::ThreadLocal => {}
        }
        match &data.init {
            Init::Indeterminate | Init::Zero => {}
            Init::Bytes(bytes) => {
                if bytes.len() as u64 > data.size {
                    report.add(Rule::Terms, place, "more initial bytes than the object has");
                }
            }
            Init::Values(values) => check_values(program, facts, data.size, values, place, report),
        }
        if !data.align.is_power_of_two() {
            report.add(Rule::Terms, place, "the alignment is no power of two");
        }
    }
}

fn check_values(
    program: &Program,
    facts: &SecondaryMap<Term, TermFacts>,
    size: u64,
    values: &[(u64, Term)],
    place: Place,
    report: &mut Report,
) {
    let mut end = 0;
    for &(offset, value) in values {
        if !check_initial(program, facts, value, place, report) {
            continue;
        }
        let Some(bytes) = program.bytes_of(program.terms.sort(value)) else {
            report.add(Rule::Terms, place, "an initial value has no size in bytes");
            continue;
        };
        if offset < end {
            report.add(Rule::Terms, place, "initial values overlap or do not ascend");
        }
        match offset.checked_add(bytes) {
            Some(next) if next <= size => end = next,
            _ => report.add(Rule::Terms, place, "an initial value lies outside the object"),
        }
    }
}

/// Whether the initial value exists; a value that is not closed is only reported.
fn check_initial(
    program: &Program,
    facts: &SecondaryMap<Term, TermFacts>,
    init: Term,
    place: Place,
    report: &mut Report,
) -> bool {
    if init.index() >= program.terms.len() {
        report.add(Rule::References, place, format!("{init} does not exist"));
        return false;
    }
    if facts[init].open {
        report.add(Rule::Terms, place, "the initial value is not closed");
    }
    true
}
