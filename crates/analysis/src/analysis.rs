//! A program, prepared once, on which engines run one after the other.

use std::time::{Duration, Instant};

use ravelin_base::{Budget, Deadline};
use ravelin_cfa::Program;
use ravelin_pointsto as pointsto;
use ravelin_por::{Doubt, ProgramFacts};
use ravelin_smt::SolverFactory;
use ravelin_term::Term;

use crate::algorithm::cegar::{Patience, Search, Stuck};
use crate::algorithm::refine::refinable::Refinement;
use crate::config::{Config, Domain, Merge, Reduction, Statements, Strengthening};
use crate::domain::Context;
use crate::domain::explicit::targets::Style;
use crate::domain::explicit::valuation::ValuePlace;
use crate::domain::explicit::{Explicit, Scope};
use crate::domain::predicate::precision::Pieces;
use crate::domain::predicate::{BlockOperator, Predicates};
use crate::engine::{Effort, Engine, horn, symbolic, templates, thread_views};
use crate::model::control_flow::{ControlFlowFacts, thread_counters};
use crate::model::space::{MemoryRegions, Space};
use crate::model::step::{Control, Site, Steps};
use crate::progress::Progress;
use crate::reduction::Reducer;
use crate::solver::memory::Model;
use crate::solver::{MAX_TIME, SolverFacade};
use crate::verdict::{Judge, Proof, Reason, Verdict};

/// A program with all that engines share: its symbolic encoding, its steps, and the answers of the solver so far.
#[derive(Debug)]
pub struct Analysis<'a> {
    program: &'a Program,
    facts: &'a ProgramFacts<'a>,
    control_flow: &'a ControlFlowFacts,
    config: Config,
    deadline: Option<Instant>,
    space: Space<'a>,
    steps: Steps,
    solver: SolverFacade,
    start: Control,
    /// Whether a proof was refused because something bars proofs of this program.
    is_barred: bool,
}

/// A question may take this many times longer if nothing is tried afterwards and no limit says less.
const LONG_QUESTION: u32 = 60;

/// The longest search for predicates from templates, and for solutions of Horn clauses without limit.
const MINING: Duration = Duration::from_secs(5);

impl<'a> Analysis<'a> {
    /// Prepares a program, which has been through the passes that [`crate::config::Encoding::blocks`] of the
    /// configuration names. There is none if the program has no entry.
    pub fn new(
        facts: &'a ProgramFacts<'a>,
        control_flow: &'a ControlFlowFacts,
        config: &Config,
        deadline: Option<Instant>,
        solvers: SolverFactory,
    ) -> Option<Self> {
        let program = facts.program;
        let entry = program.entry?;
        let regions = MemoryRegions::new(facts, config.memory.division);
        let mut space = Space::with(program, regions);
        space.forgets_memory = config.memory.model == Model::Havoc;
        space.strengthen_by(config.pointers.map(|by| match by.merge {
            Merge::Join => by.options,
            // States have maps of their own; where a map has no entry, the division of memory decides.
            Merge::Sep => pointsto::Options::default(),
        }));
        let mut steps = Steps::new(program);
        let is_reduced =
            config.reduction != Reduction::None || config.statements != Statements::All;
        if is_reduced
            && program.is_concurrent()
            && let Some(reducer) = Reducer::new(facts, config)
        {
            steps.reduce(reducer);
        }
        let start = steps.initial(program, entry);
        Some(Analysis {
            program,
            facts,
            control_flow,
            config: *config,
            deadline,
            space,
            steps,
            solver: SolverFacade::new(solvers, deadline, &config.memory),
            start,
            is_barred: false,
        })
    }

    /// Runs an engine. It reports FALSE only for an execution that the judge confirms, and TRUE only if nothing bars a
    /// proof about the automaton from being one about the program.
    pub fn run(
        &mut self,
        engine: Engine,
        effort: Effort,
        budget: &Budget,
        judge: Judge<'_>,
        progress: &Progress,
    ) -> Verdict {
        let mut budget = budget.clone();
        self.solver.deadline = Deadline::at(self.deadline);
        self.solver.question_time = match effort.is_last {
            true => MAX_TIME * LONG_QUESTION,
            false => MAX_TIME,
        };
        if let Some(limit) = effort.limit {
            self.solver.deadline = self.solver.deadline.sooner(limit);
            budget = budget.sooner(limit);
        }
        let verdict = self.run_within(&mut budget, engine, effort, judge, progress);
        match verdict {
            Verdict::True(proof) => self.without_doubt(proof),
            answer @ (Verdict::False(_) | Verdict::Unknown(_)) => answer,
        }
    }

    /// Whether an engine found a proof that is barred: other engines would find no better one.
    pub fn is_barred(&self) -> bool {
        self.is_barred
    }

    /// TRUE, unless something bars a proof about the automaton from being one about the program.
    fn without_doubt(&mut self, proof: Proof) -> Verdict {
        let doubt = match self.facts.doubt() {
            Ok(None) => return Verdict::True(proof),
            Ok(Some(Doubt { what, pos })) => Reason::unsupported(self.program, what.clone(), *pos),
            Err(_) => Reason::Timeout,
        };
        self.is_barred = true;
        Verdict::Unknown(doubt)
    }

    fn context<'c>(&'c mut self, budget: &'c mut Budget) -> Context<'c, 'a> {
        let Analysis { space, steps, solver, .. } = self;
        Context { space, steps, solver, budget }
    }

    fn run_within(
        &mut self,
        budget: &mut Budget,
        engine: Engine,
        effort: Effort,
        judge: Judge<'_>,
        progress: &Progress,
    ) -> Verdict {
        let (config, control_flow) = (self.config, self.control_flow);
        let stuck = Verdict::Unknown(Reason::RefinementStuck);
        let usual = config.refinement;
        let refinement = match engine {
            Engine::AbstractionRefinement(by) => {
                let refinement = Refinement { method: by.method, ..usual };
                let blocks = by.encoding.operator();
                Refining { domain: by.domain, blocks, refinement, seeds: Vec::new() }
            }
            Engine::BoundedUnrolling => Refining {
                domain: Domain::Predicate,
                blocks: BlockOperator::Never,
                refinement: usual,
                seeds: Vec::new(),
            },
            Engine::Templates => {
                let seeds = self.mine(budget, progress);
                if seeds.is_empty() {
                    return stuck;
                }
                // Invariants are about loop heads.
                let blocks = BlockOperator::Adjustable { calls: false, max_steps: None };
                Refining { domain: Domain::Predicate, blocks, refinement: usual, seeds }
            }
            Engine::HornClauses => return self.solve_clauses(budget, progress).unwrap_or(stuck),
            Engine::SymbolicExecution => {
                let found = symbolic::execute(self.program, &self.solver, budget, judge, progress);
                return found.unwrap_or(stuck);
            }
            Engine::ThreadViews => {
                let facts = self.facts;
                let mut cx = self.context(budget);
                let found =
                    thread_views::prove(&mut cx, facts, control_flow, &config, progress, judge);
                return found.unwrap_or(stuck);
            }
        };
        self.refine(budget, refinement, effort, judge, progress)
    }

    /// Finds predicates from templates, if that takes little time: it helps for small programs only.
    fn mine(&mut self, budget: &Budget, progress: &Progress) -> Vec<(Site, Term)> {
        let limit = match self.deadline {
            Some(deadline) => deadline.saturating_duration_since(Instant::now()) / 20,
            None => MINING,
        };
        let (limit, deadline) = (limit.min(MINING), self.solver.deadline);
        self.solver.deadline = deadline.sooner(limit);
        let mut budget = budget.clone().sooner(limit);
        let (begun, control_flow, start) = (Instant::now(), self.control_flow, self.start);
        let found = templates::mine(&mut self.context(&mut budget), control_flow, start);
        progress.spend_elsewhere(begun.elapsed());
        self.solver.deadline = deadline;
        found.unwrap_or_default()
    }

    /// A proof by Horn clauses, if there is one.
    fn solve_clauses(&mut self, budget: &mut Budget, progress: &Progress) -> Option<Verdict> {
        let deadline = match self.solver.deadline.left() {
            Some(_) => self.solver.deadline,
            None => Deadline::default().sooner(MINING),
        };
        let mut solver = self.solver.new_solver();
        let begun = Instant::now();
        let (facts, prover) = (self.facts, self.solver.prover());
        let proof = horn::prove(facts, self.control_flow, &mut *solver, prover, budget, deadline);
        progress.spend_elsewhere(begun.elapsed());
        proof.ok().flatten().map(Verdict::True)
    }

    fn refine(
        &mut self,
        budget: &mut Budget,
        refining: Refining,
        effort: Effort,
        judge: Judge<'_>,
        progress: &Progress,
    ) -> Verdict {
        let Refining { domain, blocks, refinement, seeds } = refining;
        let (config, control_flow, start) = (self.config, self.control_flow, self.start);
        let (program, facts) = (self.program, self.facts);
        let cx = &mut self.context(budget);
        let (scope, counters) = match program.is_concurrent() {
            // The location of one thread says little about what matters there: others are elsewhere.
            true => (Scope::Global, thread_counters(program)),
            false => (config.scope, Vec::new()),
        };
        let mut explicit = Explicit::new(scope, config.max_enum, control_flow);
        if let Some(Strengthening { options, merge: Merge::Sep }) = config.pointers {
            explicit.map_pointers(match options.analysis {
                pointsto::Analysis::Andersen => Style::Inclusion,
                pointsto::Analysis::Steensgaard => Style::Unification,
                pointsto::Analysis::FlowSensitive => Style::Exact,
            });
        }
        for var in counters {
            explicit.precision.add(cx.space, cx.steps.site(start), ValuePlace::Var(var));
        }
        let mut predicates = Predicates::new(scope, config.abstracting, blocks, control_flow);
        for (site, term) in seeds {
            predicates.precision.add(cx.space, site, term, Pieces::Whole);
        }
        predicates.binding = config.binding;
        // The model that follows known pointers has states that know them.
        let binds = config.memory.model == Model::PointsTo;
        let order = config.order;
        let mut patience = effort.patience.map(|length| Patience::begin(cx, length));
        if domain == Domain::Explicit {
            explicit.precision.pointers = binds;
            // With one thread there is nothing to reduce but statements on which nothing depends. Blocks of
            // predicates have all statements; only values follow steps.
            if !program.is_concurrent()
                && config.statements != Statements::All
                && let reducing = (Config { reduction: Reduction::None, ..config })
                && let Some(reducer) = Reducer::new(facts, &reducing)
            {
                cx.steps.reduce(reducer);
            }
            let (first, judge) = (patience.take(), &mut *judge);
            let search =
                Search::new(control_flow, order, &refinement, first, progress, judge, Stuck::Ends);
            let verdict = search.run(&mut explicit, cx, start);
            if !program.is_concurrent() {
                cx.steps.stop_reducing();
            }
            let Verdict::Unknown(Reason::RefinementStuck) = verdict else {
                return verdict;
            };
            patience = effort.patience.map(|length| Patience::begin(cx, length));
        }
        let stuck = if effort.is_last { Stuck::GoesOn } else { Stuck::Ends };
        let search =
            Search::new(control_flow, order, &refinement, patience, progress, judge, stuck);
        match domain {
            // Values do not refute a path: few predicates may.
            Domain::Explicit => {
                explicit.max_values = Some(config.max_values);
                search.run(&mut (explicit, predicates), cx, start)
            }
            Domain::Predicate if !binds => search.run(&mut predicates, cx, start),
            Domain::Predicate | Domain::Product => {
                let mut analysis = (explicit, predicates);
                analysis.0.max_values = Some(config.max_values);
                analysis.0.precision.pointers = true;
                analysis.0.precision.is_fixed = domain == Domain::Predicate;
                search.run(&mut analysis, cx, start)
            }
        }
    }
}

/// One run of abstraction refinement.
struct Refining {
    domain: Domain,
    blocks: BlockOperator,
    refinement: Refinement,
    /// Predicates to begin with.
    seeds: Vec<(Site, Term)>,
}
