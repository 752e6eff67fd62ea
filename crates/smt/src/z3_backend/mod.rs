//! Z3 as a library in this process.
//!
//! All solvers of a thread share its Z3 context, so a solver stays on its thread; only an
//! [`Interrupter`] may go to others.

mod decode;
mod encode;
mod float;
mod horn;
mod integers;
mod interpolate;
mod project;
mod prover;

use std::fmt;
use std::time::{Duration, Instant};

use ravelin_term::{Sort, Term, TermKind, TermPool, UnOp};
use rustc_hash::{FxHashMap, FxHashSet};
use z3::ast::{Ast, BV, Bool};
use z3::{Context, ContextHandle, Params, SatResult};

pub use prover::Z3Prover;

use crate::{Answer, Check, Core, Model};
use encode::{Encoded, Encoder, Theories};

/// Bit-vectors, arrays and functions. Without knowing the logic, Z3 takes twice the time.
const LOGIC: &str = "QF_AUFBV";

/// How often a solver was asked, and how long it took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SolverStats {
    pub checks: u64,
    pub time: Duration,
}

/// A solver. It takes the terms of one pool: terms are known by their indices.
///
/// There are two ways to ask. Questions of bit-vectors alone go to an incremental solver. Assumptions that
/// are no literals are defined by literals there, in a scope of their own above those of the user.
/// Z3 looks for a model of those definitions too that the check at hand does not need, and gets slow
/// with a few of them; so definitions stay for the next check only if it needs most of them.
///
/// Questions with floats, memory or addresses go to a new solver each: as what is asserted, and not
/// just assumed, they can be simplified before the circuits are built, and that matters more than
/// what was learnt.
pub struct Z3Solver {
    /// Has what was asserted, but for what has more than bit-vectors.
    incremental: z3::Solver,
    encoder: Encoder,
    scopes: Vec<Scope>,
    /// The definitions in the scope above the user's.
    defined: FxHashMap<Term, Bool>,
    /// Whether that scope is open.
    is_defining: bool,
    last: Question,
    model: Option<z3::Model>,
    timeout: Option<Duration>,
    stats: SolverStats,
}

/// What the user asserted in one scope.
#[derive(Debug, Default)]
struct Scope {
    conditions: Vec<Bool>,
    theories: Theories,
}

/// The last check's assumptions.
#[derive(Debug)]
enum Question {
    /// As literals of the incremental solver.
    Incremental(Vec<Bool>),
    /// As conditions, with the facts that belong to each.
    Once(Vec<(Bool, Vec<Bool>)>),
}

impl fmt::Debug for Z3Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Z3Solver")
            .field("scopes", &(self.scopes.len() - 1))
            .field("stats", &self.stats)
            .finish_non_exhaustive()
    }
}

impl Default for Z3Solver {
    fn default() -> Self {
        Self::new()
    }
}

impl Z3Solver {
    pub fn new() -> Self {
        let incremental = z3::Solver::new_for_logic(LOGIC).unwrap_or_default();
        let solver = Z3Solver {
            incremental,
            encoder: Encoder::new(),
            scopes: vec![Scope::default()],
            defined: FxHashMap::default(),
            is_defining: false,
            last: Question::Incremental(Vec::new()),
            model: None,
            timeout: None,
            stats: SolverStats::default(),
        };
        solver.incremental.set_params(&solver.params());
        solver
    }

    /// How often this solver was asked, and how long it took.
    pub fn stats(&self) -> SolverStats {
        self.stats
    }

    fn params(&self) -> Params {
        let mut params = Params::new();
        params.set_u32("timeout", milliseconds(self.timeout));
        // A check would take the signal SIGINT for itself, and the program would never know.
        params.set_bool("ctrl_c", false);
        params
    }

    /// Drops the definitions, so that what comes next is in the user's scope.
    fn leave_definitions(&mut self) {
        if std::mem::take(&mut self.is_defining) {
            self.incremental.pop(1);
            self.defined.clear();
        }
        self.model = None;
    }

    /// Makes literals of the incremental solver that imply the assumptions.
    fn define(&mut self, pool: &TermPool, assumptions: &[Term], conditions: &[Bool]) -> Vec<Bool> {
        let needed: FxHashSet<Term> = assumptions.iter().copied().collect();
        let idle = self.defined.keys().filter(|term| !needed.contains(term)).count();
        if idle > needed.len() / 4 {
            self.leave_definitions();
        }
        if !std::mem::replace(&mut self.is_defining, true) {
            self.incremental.push();
        }
        let mut literals = Vec::with_capacity(assumptions.len());
        for (&term, condition) in assumptions.iter().zip(conditions) {
            if let Some(literal) = self.defined.get(&term) {
                literals.push(literal.clone());
                continue;
            }
            let literal = if is_literal(pool, term) {
                condition.clone()
            } else {
                let literal = Bool::new_const(format!("p{}", term.as_u32()));
                self.incremental.assert(literal.implies(condition));
                literal
            };
            for fact in self.encoder.facts_of(pool, term) {
                self.incremental.assert(fact);
            }
            self.defined.insert(term, literal.clone());
            literals.push(literal);
        }
        literals
    }

    fn check_incremental(&mut self, literals: Vec<Bool>) -> (SatResult, Option<z3::Model>, String) {
        let result = self.incremental.check_assumptions(&literals);
        self.last = Question::Incremental(literals);
        outcome(&self.incremental, result)
    }

    fn check_once(
        &mut self,
        question: Vec<(Bool, Vec<Bool>)>,
        theories: Theories,
    ) -> (SatResult, Option<z3::Model>, String) {
        let solver = match z3::Solver::new_for_logic(LOGIC) {
            Some(solver) if !theories.floats => solver,
            Some(_) | None => z3::Solver::new(),
        };
        solver.set_params(&self.params());
        self.asserted().for_each(|condition| solver.assert(condition));
        for (condition, facts) in &question {
            solver.assert(condition);
            facts.iter().for_each(|fact| solver.assert(fact));
        }
        let result = solver.check();
        self.last = Question::Once(question);
        outcome(&solver, result)
    }

    fn asserted(&self) -> impl Iterator<Item = &Bool> {
        self.scopes.iter().flat_map(|scope| &scope.conditions)
    }
}

/// The answer, with the model or the reason why there is none.
fn outcome(solver: &z3::Solver, result: SatResult) -> (SatResult, Option<z3::Model>, String) {
    match result {
        SatResult::Sat => (result, solver.get_model(), String::new()),
        SatResult::Unsat => (result, None, String::new()),
        SatResult::Unknown => (result, None, solver.get_reason_unknown().unwrap_or_default()),
    }
}

/// Whether the solver takes the term as an assumption as it is.
fn is_literal(pool: &TermPool, term: Term) -> bool {
    match pool.kind(term) {
        TermKind::Var(_) => true,
        TermKind::Unary(UnOp::Not, inner) => matches!(pool.kind(inner), TermKind::Var(_)),
        _ => false,
    }
}

impl Check for Z3Solver {
    fn assert(&mut self, pool: &TermPool, term: Term) {
        self.leave_definitions();
        let condition = self.encoder.condition(pool, term);
        let theories = self.encoder.theories(term);
        for condition in [condition].into_iter().chain(self.encoder.facts_of(pool, term)) {
            if theories == Theories::default() {
                self.incremental.assert(&condition);
            }
            if let Some(scope) = self.scopes.last_mut() {
                scope.theories = scope.theories.and(theories);
                scope.conditions.push(condition);
            }
        }
    }

    fn push(&mut self) {
        self.leave_definitions();
        self.scopes.push(Scope::default());
        self.incremental.push();
    }

    fn pop(&mut self) {
        self.leave_definitions();
        if self.scopes.len() > 1 {
            self.scopes.pop();
            self.incremental.pop(1);
        }
    }

    fn check(&mut self, pool: &TermPool, assumptions: &[Term]) -> Answer {
        self.model = None;
        let conditions: Vec<Bool> =
            assumptions.iter().map(|&term| self.encoder.condition(pool, term)).collect();
        let asserted = self.scopes.iter().map(|scope| scope.theories);
        let assumed = assumptions.iter().map(|&term| self.encoder.theories(term));
        let theories = asserted.chain(assumed).fold(Theories::default(), Theories::and);
        let start = Instant::now();
        let (result, model, reason) = if theories != Theories::default() {
            let facts = assumptions.iter().map(|&term| self.encoder.facts_of(pool, term));
            let question = conditions.into_iter().zip(facts).collect();
            self.check_once(question, theories)
        } else {
            let literals = self.define(pool, assumptions, &conditions);
            self.check_incremental(literals)
        };
        self.stats.checks += 1;
        self.stats.time += start.elapsed();
        self.model = model;
        match result {
            SatResult::Sat => Answer::Sat,
            SatResult::Unsat => Answer::Unsat,
            SatResult::Unknown => Answer::Unknown(reason.into()),
        }
    }

    fn set_timeout(&mut self, limit: Option<Duration>) {
        if self.timeout != limit {
            self.timeout = limit;
            self.incremental.set_params(&self.params());
        }
    }
}

/// Z3's way to say how long; the largest number is without limit.
fn milliseconds(limit: Option<Duration>) -> u32 {
    match limit {
        Some(limit) => u32::try_from(limit.as_millis()).unwrap_or(u32::MAX).max(1),
        None => u32::MAX,
    }
}

impl Model for Z3Solver {
    fn value(&mut self, pool: &mut TermPool, term: Term) -> Option<Term> {
        let encoded = self.encoder.encode(pool, term);
        let model = self.model.as_ref()?;
        // What the encoder makes up for this term, the check knew nothing of.
        for fact in self.encoder.facts_of(pool, term) {
            if !model.eval(&fact, true)?.as_bool()? {
                return None;
            }
        }
        match (encoded, pool.sort(term)) {
            (Encoded::Bool(expr), _) => {
                let value = model.eval(&expr, true)?.as_bool()?;
                Some(pool.bool(value))
            }
            (Encoded::Bv(expr), Sort::Ptr) => {
                let object = bits_of(&model.eval(&encode::object_of(&expr), true)?)?;
                let offset = bits_of(&model.eval(&encode::offset_of(&expr), true)?)?;
                let object = pool.bv(encode::OBJECT_BITS as u16, object);
                let offset = pool.bv(pool.pointer_bits(), offset);
                Some(pool.binary(ravelin_term::BinOp::PtrMake, object, offset))
            }
            (Encoded::Bv(expr), sort) => {
                let value = bits_of(&model.eval(&expr, true)?)?;
                Some(pool.bv(sort.width()?, value))
            }
            (Encoded::Float(expr), Sort::Float(kind)) => {
                if model.eval(&expr.is_nan(), true)?.as_bool()? {
                    return Some(pool.float(kind, float::nan_bits(kind)));
                }
                let bits = bits_of(&model.eval(&expr.to_ieee_bv(), true)?)?;
                Some(pool.float(kind, float::with_integer_bit(kind, bits)))
            }
            (Encoded::Float(_) | Encoded::Memory { .. }, _) => None,
        }
    }
}

/// The value of a numeral.
fn bits_of(numeral: &BV) -> Option<u128> {
    if let Some(value) = numeral.as_u64() {
        return Some(value.into());
    }
    let text = numeral.simplify().to_string();
    match (text.strip_prefix("#x"), text.strip_prefix("#b")) {
        (Some(digits), _) => u128::from_str_radix(digits, 16).ok(),
        (_, Some(digits)) => u128::from_str_radix(digits, 2).ok(),
        (None, None) => None,
    }
}

impl Core for Z3Solver {
    fn core(&mut self) -> Vec<usize> {
        let (literals, core) = match &self.last {
            Question::Incremental(literals) => {
                (literals.clone(), self.incremental.get_unsat_core())
            }
            Question::Once(question) => {
                // Asked again, now with literals.
                let solver = z3::Solver::new();
                solver.set_params(&self.params());
                self.asserted().for_each(|condition| solver.assert(condition));
                let mut literals = Vec::with_capacity(question.len());
                for (index, (condition, facts)) in question.iter().enumerate() {
                    let literal = Bool::new_const(format!("a{index}"));
                    solver.assert(literal.implies(condition));
                    facts.iter().for_each(|fact| solver.assert(fact));
                    literals.push(literal);
                }
                // All assumptions are a core if that takes too long, or if Z3 keeps no account.
                let core = match solver.check_assumptions(&literals) {
                    SatResult::Unsat => solver.get_unsat_core(),
                    SatResult::Sat | SatResult::Unknown => Vec::new(),
                };
                let core = if core.is_empty() { literals.clone() } else { core };
                (literals, core)
            }
        };
        let in_core = |literal: &Bool| core.iter().any(|other| other.ast_eq(literal));
        (0..literals.len()).filter(|&at| in_core(&literals[at])).collect()
    }
}

/// Stops the check that the solvers of one thread are in, from any thread.
#[derive(Debug)]
pub struct Interrupter(ContextHandle<'static>);

impl Interrupter {
    /// For the solvers of the current thread.
    pub fn for_this_thread() -> Self {
        thread_local! {
            /// Other threads may keep a handle for longer than this one lives, so the context that
            /// it is to stays for good.
            static CONTEXT: &'static Context = Box::leak(Box::new(Context::thread_local()));
        }
        Interrupter(CONTEXT.with(|context| context.handle()))
    }

    /// Makes the check that runs now, if one does, answer [`Answer::Unknown`].
    pub fn interrupt(&self) {
        self.0.interrupt();
    }
}
