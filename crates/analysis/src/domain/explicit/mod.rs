//! The explicit-value domain: for some variables and memory cells the value, for the others nothing.
//!
//! Successors are found by evaluation. The solver is asked only about conditions that stay open, and
//! only once for each.

mod cells;
pub mod refine;
pub mod targets;
pub mod transfer;
pub mod valuation;

use std::collections::BTreeSet;

use ravelin_cfa::{Loc, Proc};
use ravelin_pointsto::Region;
use ravelin_smt::Answer;
use ravelin_term::{BinOp, Sort, Term, TermKind, UnOp, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use self::cells::initial;
use self::targets::{PointsToMap, Style, Targets};
use self::transfer::{OpenGuard, Outcome, Solutions, Way, execute_step};
use self::valuation::{Valuation, ValuePlace};
use crate::algorithm::graph::{Listed, What};
use crate::domain::{Analysis, Context, States, Stop};
use crate::model::control_flow::ControlFlowFacts;
use crate::model::space::Space;
use crate::model::statement::Update;
use crate::model::step::{Control, Site, Step, Target};
use crate::solver::SolverFacade;

/// Where a precision holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// At the locations for which it was found.
    Local,
    /// Everywhere.
    Global,
}

/// Which variables and cells are tracked.
#[derive(Clone, Debug)]
pub struct Precision {
    scope: Scope,
    /// Variables of the program. What is tracked in one frame of a procedure is tracked in all: a
    /// recursion that is followed to some depth is followed to the next in the same way.
    everywhere: FxHashSet<Var>,
    at: FxHashMap<(Proc, Loc), FxHashSet<Var>>,
    /// Cells are tracked everywhere: they change at many places and are looked at from many.
    cells: BTreeSet<ValuePlace>,
    /// Variables and cells with too many values.
    banned: FxHashSet<ValuePlace>,
    /// Whether all pointers are tracked, and the count of dynamic objects: where accesses go is then
    /// mostly known, and what they read and write is found without asking about aliases.
    pub pointers: bool,
    /// Whether states say what pointers may be, tracked or not.
    has_maps: bool,
    /// Whether nothing else is ever tracked: states are then points-to graphs.
    pub is_fixed: bool,
}

impl Precision {
    pub fn new(scope: Scope) -> Self {
        Precision {
            scope,
            everywhere: FxHashSet::default(),
            at: FxHashMap::default(),
            cells: BTreeSet::new(),
            banned: FxHashSet::default(),
            pointers: false,
            has_maps: false,
            is_fixed: false,
        }
    }

    /// Tracks a place at a site; says whether that is new.
    pub fn add(&mut self, space: &Space<'_>, site: Site, place: ValuePlace) -> bool {
        if self.is_banned(place) {
            return false;
        }
        match place {
            ValuePlace::Var(var) => match self.scope {
                Scope::Local => {
                    let here = self.at.entry((site.proc, site.loc)).or_default();
                    here.insert(space.program_var(var))
                }
                Scope::Global => self.everywhere.insert(space.program_var(var)),
            },
            ValuePlace::Cell { .. } => self.cells.insert(place),
        }
    }

    /// Never tracks a place again.
    pub fn ban(&mut self, place: ValuePlace) {
        self.banned.insert(place);
        if let ValuePlace::Cell { .. } = place {
            self.cells.remove(&place);
        }
    }

    pub fn is_banned(&self, place: ValuePlace) -> bool {
        self.is_fixed || self.banned.contains(&place)
    }

    fn keeps_var(&self, space: &Space<'_>, site: Site, var: Var) -> bool {
        let program_var = space.program_var(var);
        let points = || space.sort(var) == Sort::Ptr || var == space.next_object();
        let tracked = (self.pointers && points())
            || match self.scope {
                Scope::Local => {
                    let here = self.at.get(&(site.proc, site.loc));
                    here.is_some_and(|vars| vars.contains(&program_var))
                }
                Scope::Global => self.everywhere.contains(&program_var),
            };
        tracked && !self.banned.contains(&ValuePlace::Var(var))
    }

    fn keeps_cell(&self, space: &Space<'_>, place: ValuePlace, value: Term) -> bool {
        let points = self.pointers && space.terms.sort(value) == Sort::Ptr;
        (points && !self.banned.contains(&place)) || self.cells.contains(&place)
    }

    /// The variables and regions that are tracked somewhere, one by one.
    pub fn tracked(&self, space: &Space<'_>) -> Vec<(Vec<Var>, Vec<Region>)> {
        let mut vars: BTreeSet<Var> = self.everywhere.iter().copied().collect();
        vars.extend(self.at.values().flatten());
        let memory = |place: &ValuePlace| match place {
            ValuePlace::Cell { memory, .. } => space.region_of(*memory),
            ValuePlace::Var(_) => None,
        };
        // States from before a ban still say what is in the cell.
        let cells = self.cells.iter().chain(&self.banned);
        let mut regions: BTreeSet<Region> = cells.filter_map(memory).collect();
        if self.pointers || self.has_maps {
            let program_vars = space.program.vars.iter();
            vars.extend(
                program_vars.filter(|(_, data)| data.sort == Sort::Ptr).map(|(var, _)| var),
            );
            regions.extend(space.regions_with_pointers());
        }
        let vars = vars.into_iter().map(|var| (vec![var], Vec::new()));
        vars.chain(regions.into_iter().map(|region| (Vec::new(), vec![region]))).collect()
    }

    /// What is tracked, and where if not everywhere, in order.
    pub fn listed(&self, space: &mut Space<'_>) -> Vec<Listed> {
        let vars = self.everywhere.iter().map(|&var| (None, var));
        let here =
            self.at.iter().flat_map(|(&at, vars)| vars.iter().map(move |&it| (Some(at), it)));
        let mut vars: Vec<_> = vars.chain(here).collect();
        vars.retain(|&(_, var)| !self.is_banned(ValuePlace::Var(var)));
        vars.sort_unstable();
        let vars = vars.into_iter().map(|(at, var)| (at, ValuePlace::Var(var)));
        let cells = self.cells.iter().map(|&cell| (None, cell));
        let pointers = self.pointers.then_some(Listed { at: None, what: What::Pointers });
        let places: Vec<_> = vars.chain(cells).collect();
        let values = places.into_iter().map(|(at, place)| {
            let sort = match place {
                ValuePlace::Var(var) => space.sort(var),
                ValuePlace::Cell { bytes, .. } => Sort::Bv((8 * bytes) as u16),
            };
            Listed { at, what: What::Value(place.read(space, sort)) }
        });
        pointers.into_iter().chain(values).collect()
    }

    /// How many variables and cells are tracked somewhere.
    pub fn size(&self) -> usize {
        let local: FxHashSet<Var> = self.at.values().flatten().copied().collect();
        local.len() + self.everywhere.len() + self.cells.len()
    }
}

/// What is known, and the way the last step took.
#[derive(Clone, Debug)]
pub struct ExplicitState {
    pub values: Valuation,
    pub way: Way,
    /// Whether a condition stayed open since the last loop head.
    open: bool,
}

impl PartialEq for ExplicitState {
    fn eq(&self, other: &Self) -> bool {
        self.values == other.values
    }
}

impl Eq for ExplicitState {}

/// The analysis.
#[derive(Debug)]
pub struct Explicit<'g> {
    pub precision: Precision,
    /// A place that has more values than this at a loop head, in rounds that conditions left open, is
    /// tracked no more: the loop has no bound that values would find.
    pub max_values: Option<usize>,
    seen: FxHashMap<(Site, ValuePlace), FxHashSet<Term>>,
    control_flow: &'g ControlFlowFacts,
    /// How many solutions of an open condition are followed one by one.
    pub max_enum: usize,
    /// What open conditions say, as far as was asked.
    solutions: FxHashMap<Term, Option<Solutions>>,
    /// How states follow pointers that are not tracked, if they do.
    maps: Option<Style>,
}

impl<'g> Explicit<'g> {
    pub fn new(scope: Scope, max_enum: usize, control_flow: &'g ControlFlowFacts) -> Self {
        Explicit {
            precision: Precision::new(scope),
            max_values: None,
            seen: FxHashMap::default(),
            control_flow,
            max_enum,
            solutions: FxHashMap::default(),
            maps: None,
        }
    }

    /// From here on, states have points-to maps, which say what pointers may be.
    pub fn map_pointers(&mut self, style: Style) {
        self.maps = Some(style);
        self.precision.has_maps = true;
    }

    /// The points-to map in which a program starts.
    fn initial_map(space: &mut Space<'_>, style: Style) -> PointsToMap {
        let mut map = PointsToMap::new(style);
        let program = space.program;
        for var in program.vars.keys().filter(|&var| program.vars[var].sort == Sort::Ptr) {
            if let Some(value) =
                initial(space, ValuePlace::Var(var)).filter(|&it| space.is_value(it))
            {
                map.insert(ValuePlace::Var(var), Targets::from_slice(&[value]));
            }
        }
        for object in program.objects.keys() {
            for memory in space.memories_of(object) {
                for (offset, value) in space.initial_contents_in(object, memory) {
                    if space.terms.sort(value) == Sort::Ptr
                        && let Some(bytes) = program.bytes_of(Sort::Ptr)
                        && space.is_value(value)
                    {
                        let object = object.as_u32() + 1;
                        let place = ValuePlace::Cell { memory, object, offset, bytes };
                        map.insert(place, Targets::from_slice(&[value]));
                    }
                }
            }
        }
        map
    }

    /// The places that refute a path, before each of its steps ([`refine::needed_places`]).
    pub fn needed_places(
        &mut self,
        cx: &mut Context<'_, '_>,
        path: &[refine::Taken],
    ) -> Option<Vec<BTreeSet<ValuePlace>>> {
        let Context { space, solver, budget, .. } = cx;
        let mut open = AskSolver { solver, max_enum: self.max_enum, known: &mut self.solutions };
        refine::needed_places(space, budget, path, &mut open)
    }

    /// Counts the values at a loop head, and stops tracking what has too many.
    fn limit_values(&mut self, state: &mut ExplicitState, site: Site, limit: usize) {
        let mut banned = Vec::new();
        for (place, value) in state.values.iter() {
            let seen = self.seen.entry((site, place)).or_default();
            seen.insert(value);
            if seen.len() > limit {
                banned.push(place);
            }
        }
        for place in banned {
            self.precision.ban(place);
            state.values.untrack(place);
        }
    }
}

/// Asks the solver about open conditions.
struct AskSolver<'a> {
    solver: &'a mut SolverFacade,
    max_enum: usize,
    known: &'a mut FxHashMap<Term, Option<Solutions>>,
}

impl OpenGuard for AskSolver<'_> {
    fn solutions(&mut self, space: &mut Space<'_>, guard: Term) -> Option<Solutions> {
        if self.max_enum == 0 || says_little(space, guard) {
            return Some(Vec::new());
        }
        if let Some(known) = self.known.get(&guard) {
            return known.clone();
        }
        let found = enumerate(space, self.solver, guard, self.max_enum);
        self.known.insert(guard, found.clone());
        found
    }
}

/// Whether a condition compares a variable with a constant: then it can hold, and of what it says,
/// equalities are learned without the solver.
fn says_little(space: &Space<'_>, guard: Term) -> bool {
    let terms = &space.terms;
    let is_var = |term: Term| match terms.kind(term) {
        TermKind::Var(_) => true,
        TermKind::Unary(UnOp::ZeroExt(_) | UnOp::SignExt(_), inner) => {
            matches!(terms.kind(inner), TermKind::Var(_))
        }
        _ => false,
    };
    match terms.kind(guard) {
        TermKind::Var(_) => true,
        TermKind::Unary(UnOp::Not, inner) => says_little(space, inner),
        TermKind::Binary(
            BinOp::Eq | BinOp::BvUlt | BinOp::BvUle | BinOp::BvSlt | BinOp::BvSle,
            a,
            b,
        ) => (is_var(a) && space.is_value(b)) || (is_var(b) && space.is_value(a)),
        _ => false,
    }
}

/// The solutions of a condition in all its variables, if there are at most `limit`; an empty list if
/// there are more, or if it is not known; `None` if there is none.
fn enumerate(
    space: &mut Space<'_>,
    solver: &mut SolverFacade,
    guard: Term,
    limit: usize,
) -> Option<Solutions> {
    let vars = space.terms.vars_of(guard);
    let mut question = vec![guard];
    let mut solutions = Vec::new();
    loop {
        match solver.check(space, &question) {
            Answer::Unsat if solutions.is_empty() => return None,
            Answer::Unsat => return Some(solutions),
            Answer::Unknown(_) => return Some(Vec::new()),
            Answer::Sat if solutions.len() == limit => return Some(Vec::new()),
            Answer::Sat => {}
        }
        let mut solution = Vec::with_capacity(vars.len());
        let mut same = space.terms.bool(true);
        for &var in &vars {
            let read = space.read_var(var);
            let Some(value) = solver.value(space, read) else {
                return Some(Vec::new());
            };
            if !space.is_value(value) || matches!(space.sort(var), Sort::Float(_)) {
                return Some(Vec::new());
            }
            let is_it = space.terms.eq(read, value);
            same = space.terms.and(same, is_it);
            solution.push((var, value));
        }
        solutions.push(solution);
        question.push(space.terms.not(same));
    }
}

impl Analysis for Explicit<'_> {
    type State = ExplicitState;
    type Shape = (u64, std::rc::Rc<[ValuePlace]>);

    fn initial(&mut self, cx: &mut Context<'_, '_>, at: Control) -> ExplicitState {
        let site = cx.steps.site(at);
        let mut values = Valuation::default();
        values.map = self.maps.map(|style| Self::initial_map(cx.space, style));
        let globals: Vec<Var> = cx.space.program.vars.keys().collect();
        for var in globals.into_iter().chain([cx.space.next_object()]) {
            if self.precision.keeps_var(cx.space, site, var)
                && let Some(value) = initial(cx.space, ValuePlace::Var(var))
            {
                values.set(ValuePlace::Var(var), value);
            }
        }
        // Smaller cells inside larger ones, and the other way round, come of accesses of different
        // sizes; the first of those that overlap is kept.
        let cells: Vec<ValuePlace> = self.precision.cells.iter().copied().collect();
        for place in cells {
            let ValuePlace::Cell { memory, object, offset, bytes } = place else { continue };
            if values.overlapping(memory, object, offset, bytes).is_empty()
                && let Some(value) = initial(cx.space, place)
            {
                values.set(place, value);
            }
        }
        ExplicitState { values, way: Way::new(), open: false }
    }

    fn post(
        &mut self,
        cx: &mut Context<'_, '_>,
        state: &ExplicitState,
        step: &Step,
    ) -> Result<States<ExplicitState>, Stop> {
        cx.space.begin_step(cx.steps.location_of(step));
        let start = Outcome { values: state.values.clone(), way: Way::new(), open: state.open };
        let mut open =
            AskSolver { solver: cx.solver, max_enum: self.max_enum, known: &mut self.solutions };
        let site = match step.target {
            Target::Control(control) => cx.steps.site(control),
            Target::End | Target::Error(_) | Target::Unsupported(_) | Target::StartElsewhere => {
                cx.steps.site(step.source)
            }
        };
        let precision = &self.precision;
        let is_tracked = |space: &Space<'_>, var| precision.keeps_var(space, site, var);
        let outcomes = execute_step(cx.space, start, &step.statements, &mut open, &is_tracked);
        cx.space.begin_step(None);
        let mut states = States::new();
        for Outcome { mut values, way, open } in outcomes {
            for &var in step.left.iter().chain(&step.uninitialised) {
                values.forget(ValuePlace::Var(var));
            }
            states.push(ExplicitState { values, way, open });
        }
        Ok(states)
    }

    fn adjust(
        &mut self,
        cx: &mut Context<'_, '_>,
        mut state: ExplicitState,
        step: &Step,
        site: Site,
    ) -> Result<Option<ExplicitState>, Stop> {
        let precision = &self.precision;
        let space = &*cx.space;
        state.values.retain_vars(|var| precision.keeps_var(space, site, var));
        if touches_memory(step) {
            let untracked: Vec<ValuePlace> = state
                .values
                .iter()
                .filter(|(place, _)| matches!(place, ValuePlace::Cell { .. }))
                .filter(|&(place, value)| !precision.keeps_cell(space, place, value))
                .map(|(place, _)| place)
                .collect();
            for place in untracked {
                state.values.untrack(place);
            }
        }
        if self.control_flow.is_loop_head(site.proc, site.loc) {
            if let Some(limit) = self.max_values
                && state.open
            {
                self.limit_values(&mut state, site, limit);
            }
            state.open = false;
        }
        Ok(Some(state))
    }

    fn merge(
        &mut self,
        _: &mut Context<'_, '_>,
        new: &ExplicitState,
        old: &ExplicitState,
    ) -> Option<ExplicitState> {
        (new == old).then(|| old.clone())
    }

    fn covers(
        &mut self,
        _: &mut Context<'_, '_>,
        larger: &ExplicitState,
        smaller: &ExplicitState,
    ) -> Result<bool, Stop> {
        Ok(larger.values.is_part_of(&smaller.values))
    }

    fn facts(&self, cx: &mut Context<'_, '_>, state: &ExplicitState) -> Vec<Term> {
        let facts: Vec<(ValuePlace, Term)> = state.values.iter().collect();
        let mut terms = Vec::with_capacity(facts.len());
        for (place, value) in facts {
            let read = place.read(cx.space, cx.space.terms.sort(value));
            if !matches!(cx.space.terms.sort(read), Sort::Float(_)) {
                terms.push(cx.space.terms.eq(read, value));
            }
        }
        terms
    }

    fn value_of(
        &self,
        cx: &mut Context<'_, '_>,
        state: &ExplicitState,
        term: Term,
    ) -> Option<Term> {
        let value = state.values.evaluate(cx.space, term);
        cx.space.is_value(value).then_some(value)
    }

    fn ends_block(&self, _: &ExplicitState) -> bool {
        true
    }

    fn shape(&self, state: &ExplicitState) -> Self::Shape {
        (state.values.shape(), state.values.iter().map(|(place, _)| place).collect())
    }

    fn projection(&self, state: &ExplicitState, shape: &Self::Shape) -> Option<u64> {
        if state.values.shape() == shape.0 {
            return Some(state.values.hash_value());
        }
        if shape.1.len() >= state.values.len() {
            return None;
        }
        let mut part = 0;
        for &place in shape.1.iter() {
            let value = state.values.get(place)?;
            part ^= valuation::hash_fact(place, value);
        }
        Some(part)
    }
}

fn touches_memory(step: &Step) -> bool {
    let writes = |update: &Update| {
        matches!(
            update,
            Update::Store { .. } | Update::Copy { .. } | Update::Fill { .. } | Update::Alloc { .. }
        )
    };
    step.statements.iter().any(|statement| statement.any_update(&mut &writes))
}
