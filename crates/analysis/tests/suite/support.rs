//! Verdicts under configurations, and the commands that repeat them.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use ravelin_analysis::config::Config;
use ravelin_analysis::control_flow::ControlFlowFacts;
use ravelin_analysis::engine::{Effort, Engine};
use ravelin_analysis::progress::Progress;
use ravelin_analysis::verdict::{Counterexample, Verdict};
use ravelin_analysis::{Analysis, renew_locals};
use ravelin_base::diagnostic::render;
use ravelin_base::{Budget, DataModel};
use ravelin_cfa::Program;
use ravelin_cfa::passes::{self, PassConfig};
use ravelin_frontend::source::{SourceOptions, with_deep_stack};
use ravelin_por::ProgramFacts;
use ravelin_smt::SolverFactory;
use ravelin_smt::z3_backend::{Z3Prover, Z3Solver};
use ravelin_testkit::fixture::Fixture;

pub use ravelin_testkit::tier::{seconds, seeds};

pub use crate::configurations::{
    CORNERS, DOMAINS, ENCODINGS, METHODS, VARIANT_COUNT, configuration, covering, describe,
    reducing,
};

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

/// The engines beside abstraction refinement that take any program.
pub const OTHER_ENGINES: [Engine; 4] =
    [Engine::BoundedUnrolling, Engine::Templates, Engine::HornClauses, Engine::SymbolicExecution];

/// The repository.
pub fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().unwrap_or(root)
}

/// The command that decides some files under a configuration, from the repository.
pub fn command(files: &[PathBuf], data_model: DataModel, config: &Config) -> String {
    let root = root();
    let short = |file: &PathBuf| {
        let file = file.canonicalize().unwrap_or_else(|_| file.clone());
        file.strip_prefix(&root).unwrap_or(&file).display().to_string()
    };
    let files: Vec<String> = files.iter().map(short).collect();
    format!("./ravelin {} --data-model {data_model} {}", files.join(" "), describe(config))
}

/// The command that decides a text under a configuration; it is in a file from now on.
pub fn command_for_text(name: &str, text: &str, data_model: DataModel, config: &Config) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name).with_extension("c");
    std::fs::write(&path, text).expect("the program can be written");
    command(&[path], data_model, config)
}

/// A program that was made from a seed, and what exhaustive interpretation says of it.
#[derive(Debug)]
pub struct Generated<'a> {
    pub seed: u64,
    pub text: &'a str,
    pub data_model: DataModel,
    /// Before any pass.
    pub program: &'a Program,
    pub has_error: bool,
}

impl Generated<'_> {
    /// The answer under a configuration; if it is wrong, with a message that has commands to repeat it.
    pub fn judge(&self, config: &Config, time: Duration) -> (Answer, Option<String>) {
        let refinement = Engine::AbstractionRefinement(config.abstraction());
        self.judge_by(refinement, config, time)
    }

    /// The same for any engine.
    pub fn judge_by(
        &self,
        engine: Engine,
        config: &Config,
        time: Duration,
    ) -> (Answer, Option<String>) {
        let answer = decide_by(engine, &prepare(self.program, config), config, time);
        let is_wrong = match answer {
            Answer::True => self.has_error,
            Answer::False => !self.has_error,
            Answer::Unknown(_) => false,
        };
        let message = is_wrong.then(|| format!("{engine:?}: {}", self.message(&answer, config)));
        (answer, message)
    }

    /// How to repeat an answer.
    pub fn message(&self, answer: &Answer, config: &Config) -> String {
        let Generated { seed, text, data_model, .. } = self;
        // The thread of a test has its name, and so have those of `on_all`.
        let test = std::thread::current().name().unwrap_or_default().to_owned();
        let name = test.rsplit("::").next().unwrap_or_default();
        let decide = command_for_text(&format!("{name}-{seed}"), text, *data_model, config);
        let after = seed + 1;
        format!(
            "seed {seed} is {answer}:\n  {decide}\n  RAVELIN_SEEDS={seed}..{after} \
             cargo test -p ravelin-analysis --test suite {test}\n{text}"
        )
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

/// The data model of a fixture, if it asks for one; else this.
pub fn data_model(fixture: &Fixture, usual: DataModel) -> DataModel {
    match &fixture.options[..] {
        [_, model] => model.parse().expect("a data model"),
        _ => usual,
    }
}

/// The files of a fixture, and their automaton before any pass.
pub fn built(fixture: &Fixture, usual: DataModel) -> (Vec<PathBuf>, Program) {
    let mut files = vec![fixture.path.clone()];
    files.extend(fixture.parts.iter().cloned());
    let program = build(&files, data_model(fixture, usual));
    (files, program)
}

/// Whether an answer is the opposite of a fixture's verdict.
pub fn contradicts(answer: &Answer, verdict: &str) -> bool {
    match answer {
        Answer::True => verdict != "TRUE",
        Answer::False => verdict != "FALSE",
        Answer::Unknown(_) => false,
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

/// The answer of abstraction refinement to a program that [`prepare`] made. FALSE is replayed.
pub fn decide(program: &Program, config: &Config, time: Duration) -> Answer {
    let refinement = Engine::AbstractionRefinement(config.abstraction());
    decide_by(refinement, program, config, time)
}

/// The answer of an engine. FALSE is replayed.
pub fn decide_by(engine: Engine, program: &Program, config: &Config, time: Duration) -> Answer {
    let budget = Budget::unlimited().with_timeout(time).with_steps(200_000);
    let deadline = Instant::now() + time;
    let mut judge = |claim: &Counterexample| {
        let budget = Budget::unlimited().with_steps(20_000_000);
        ravelin_evidence::replay(program, claim, budget).map(drop)
    };
    let facts = ProgramFacts::new(program, budget.clone());
    let control_flow = ControlFlowFacts::new(program);
    let analysis = Analysis::new(&facts, &control_flow, config, Some(deadline), solvers());
    let mut analysis = analysis.expect("the program has an entry");
    let effort = Effort { is_last: true, ..Effort::default() };
    match analysis.run(engine, effort, &budget, &mut judge, &Progress::default()) {
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
    // Messages name the test by the thread that they are made in.
    let name = std::thread::current().name().unwrap_or_default().to_owned();
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
            let builder = std::thread::Builder::new().stack_size(256 << 20).name(name.clone());
            builder.spawn_scoped(scope, run).expect("a thread can be started")
        };
        let workers: Vec<_> = (0..threads).map(spawn).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no panic")).collect()
    });
    results.sort_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, result)| result).collect()
}
