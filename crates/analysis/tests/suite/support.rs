//! Configurations, and verdicts under them.

use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use ravelin_analysis::algorithm::arg::Order;
use ravelin_analysis::algorithm::refine::interpolate::Method;
use ravelin_analysis::algorithm::refine::refinable::{Pruning, Refinement};
use ravelin_analysis::config::{Config, Domain, Encoding};
use ravelin_analysis::domain::explicit::Scope;
use ravelin_analysis::domain::predicate::precision::Pieces;
use ravelin_analysis::domain::predicate::{Abstracting, Binding};
use ravelin_analysis::progress::Progress;
use ravelin_analysis::renew_locals;
use ravelin_analysis::solver::memory::{self, Model};
use ravelin_analysis::verdict::{Counterexample, Verdict};
use ravelin_base::diagnostic::render;
use ravelin_base::{Budget, DataModel};
use ravelin_cfa::Program;
use ravelin_cfa::passes::{self, PassConfig};
use ravelin_frontend::source::{SourceOptions, with_deep_stack};
use ravelin_pointsto::Division;
use ravelin_smt::SolverFactory;
use ravelin_smt::z3_backend::{Z3Prover, Z3Solver};

pub const DOMAINS: [Domain; 3] = [Domain::Explicit, Domain::Predicate, Domain::Product];

pub const METHODS: [Method; 4] = [
    Method::WeakestPrecondition,
    Method::StrongestPostcondition,
    Method::Sequence,
    Method::Backward,
];

pub const ENCODINGS: [Encoding; 4] = [
    Encoding::Single,
    Encoding::Large,
    Encoding::Adjustable { calls: false, max_steps: None },
    Encoding::LargeAdjustable { calls: false, max_steps: None },
];

/// The settings beside domain, method and encoding, one after the other away from the default.
const VARIANTS: [fn(&mut Config); 17] = [
    |_| {},
    |config| config.unrolling = Some(Duration::from_millis(200)),
    |config| config.templates = true,
    |config| config.abstracting = Abstracting::Boolean,
    |config| config.refinement.pieces = Pieces::Whole,
    |config| config.scope = Scope::Global,
    |config| config.order = Order::DepthFirst,
    |config| config.order = Order::ErrorDistance,
    |config| config.refinement.pruning = Pruning::Full,
    |config| config.memory.model = Model::Havoc,
    |config| config.memory.model = Model::PointsTo,
    |config| config.memory.model = Model::Uf,
    |config| {
        config.memory = memory::Options {
            model: Model::Uf,
            division: Division { fields: false, types: true },
            bulk: false,
            used: false,
        };
    },
    |config| config.memory.model = Model::Array,
    |config| config.memory.division = Division { fields: false, types: false },
    |config| config.binding = Binding::Equality,
    |config| {
        config.max_enum = 3;
        config.encoding = match config.encoding {
            encoding @ (Encoding::Single | Encoding::Large) => encoding,
            Encoding::Adjustable { .. } => Encoding::Adjustable { calls: true, max_steps: Some(7) },
            Encoding::LargeAdjustable { .. } => {
                Encoding::LargeAdjustable { calls: true, max_steps: Some(2) }
            }
        };
    },
];

/// How many configurations there are with the variants left out.
pub const CORNERS: usize = DOMAINS.len() * METHODS.len() * ENCODINGS.len();

/// How many variants there are of each.
pub const VARIANT_COUNT: usize = VARIANTS.len();

/// The configuration of a corner in a variant.
pub fn configuration(corner: usize, variant: usize) -> Config {
    let (domain, rest) = (corner % DOMAINS.len(), corner / DOMAINS.len());
    let (method, encoding) = (rest % METHODS.len(), rest / METHODS.len() % ENCODINGS.len());
    let refinement = Refinement { method: METHODS[method], ..Config::default().refinement };
    let mut config = Config {
        domain: DOMAINS[domain],
        encoding: ENCODINGS[encoding],
        refinement,
        // Unrolling, templates, clauses and thread views would decide most fixtures before the analysis under test does.
        unrolling: None,
        templates: false,
        clauses: false,
        thread_views: false,
        fallback_encoding: None,
        ..Config::default()
    };
    VARIANTS[variant % VARIANTS.len()](&mut config);
    config
}

/// A configuration in a line, in the words of the command line.
pub fn describe(config: &Config) -> String {
    let Config { domain, encoding, abstracting, scope, order, refinement, max_enum, .. } = config;
    let (memory, binding) = (&config.memory, config.binding);
    let (reduction, alias, statements) = (config.reduction, config.alias, config.statements);
    let Refinement { method, pieces, pruning } = refinement;
    format!(
        "{domain:?} {method:?} {encoding:?} ({abstracting:?} {pieces:?} {scope:?} {order:?} \
         {pruning:?} max-enum {max_enum} {memory:?} {binding:?} {reduction:?} {alias:?} \
         {statements:?})"
    )
}

/// The time for one verdict.
pub fn seconds(default: f64) -> Duration {
    let asked = std::env::var("RAVELIN_SECONDS").ok().and_then(|text| text.parse().ok());
    Duration::from_secs_f64(asked.unwrap_or(default))
}

/// An answer, as it would be printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    True,
    /// With a replay that reached the error.
    False,
    Unknown(String),
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::True => f.write_str("TRUE"),
            Answer::False => f.write_str("FALSE"),
            Answer::Unknown(reason) => write!(f, "UNKNOWN({reason})"),
        }
    }
}

/// The automaton of some files, before any pass.
pub fn build(files: &[PathBuf], data_model: DataModel) -> Program {
    let options = SourceOptions { data_model, ..SourceOptions::default() };
    let built = with_deep_stack(|| ravelin_frontend::build(files, &options));
    match built.expect("there is room for a stack") {
        Ok(built) => built.program,
        Err(errors) => panic!("{}", render(&errors)),
    }
}

/// The automaton of a C text, before any pass.
pub fn build_text(text: &str, data_model: DataModel) -> Program {
    let dir = tempfile::tempdir().expect("a directory can be made");
    let path = dir.path().join("program.c");
    std::fs::write(&path, text).expect("the program can be written");
    build(&[path], data_model)
}

/// The automaton as a configuration wants it.
pub fn prepare(program: &Program, config: &Config) -> Program {
    let mut program = program.clone();
    let passes = PassConfig { blocks: config.encoding.blocks(), ..PassConfig::default() };
    let run = |program: &mut Program, names| match passes::run(program, names, &passes) {
        Ok(()) => {}
        Err(error) => panic!("{error}"),
    };
    run(&mut program, passes::SIMPLIFYING);
    renew_locals(&mut program);
    run(&mut program, passes::STEP_MAKING);
    program
}

/// Makes the solvers that the tests use.
pub fn solvers() -> SolverFactory {
    SolverFactory::new(|| Box::new(Z3Solver::new()), Z3Prover)
}

/// The answer to a program that [`prepare`] made. FALSE is replayed.
pub fn decide(program: &Program, config: &Config, time: Duration) -> Answer {
    let mut budget = Budget::unlimited().with_timeout(time).with_steps(200_000);
    let deadline = Instant::now() + time;
    let mut judge = |claim: &Counterexample| {
        let budget = Budget::unlimited().with_steps(20_000_000);
        ravelin_evidence::replay(program, claim, budget).map(drop)
    };
    let report = ravelin_analysis::verify(
        program,
        config,
        &mut budget,
        Some(deadline),
        solvers(),
        &mut judge,
        &Progress::default(),
    );
    match report.verdict {
        Verdict::True(_) => Answer::True,
        Verdict::False(_) => Answer::False,
        Verdict::Unknown(reason) => Answer::Unknown(format!("{reason:?}")),
    }
}

/// Runs `work` on all items, on as many threads as there are processors, each with a large stack;
/// results in the order of the items.
pub fn on_all<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    // One test at a time: verdicts within a time limit depend on what else runs. A test that failed does
    // not keep the others from running.
    static TURN: Mutex<()> = Mutex::new(());
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    let run = || {
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else { return done };
            done.push((at, work(item)));
        }
    };
    let mut results: Vec<(usize, R)> = std::thread::scope(|scope| {
        let spawn = |_| {
            let builder = std::thread::Builder::new().stack_size(256 << 20);
            builder.spawn_scoped(scope, run).expect("a thread can be started")
        };
        let workers: Vec<_> = (0..threads).map(spawn).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no panic")).collect()
    });
    results.sort_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, result)| result).collect()
}
