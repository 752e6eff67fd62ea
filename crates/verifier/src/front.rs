//! From a program's text to an automaton.

use std::fmt;
use std::io;
use std::time::{Duration, Instant};

use ravelin_analysis::{
    Checks, RaceCandidate, RaceChecks, check_races, insert_checks, open_checks, renew_locals,
};
use ravelin_base::Diagnostic;
use ravelin_base::diagnostic::render;
use ravelin_cfa::passes::{self, InlineConfig, PassConfig, PassError, UnrollConfig};
use ravelin_cfa::{AllocKind, Op, Program, Property};
use ravelin_frontend::source::{self, ParsedUnit, TextKind};
use ravelin_frontend::{Built, Reading};
use ravelin_por::Doubt;

use crate::events::Explanation;
use crate::input::{Contents, Input, Unit};
use crate::{Event, Run};

/// Only what fixes the steps of threads: everything else is as it stands in the source.
pub const SOURCE_PASSES: &[&str] = &["split-shared-accesses"];

/// What is put in place of calls where the automaton is about races.
const RACE_INLINING: InlineConfig =
    InlineConfig { small: 120, called_once: 4_000, max_edges: 50_000, max_growth: 300 };

/// Which loops are unrolled where the automaton is about races.
const RACE_UNROLLING: UnrollConfig =
    UnrollConfig { bound: 32, max_edges: 20_000, only_of_threads: true };

/// An automaton and what it took to make it.
#[derive(Debug)]
pub struct Front {
    pub program: Program,
    pub phases: Phases,
    pub warnings: Vec<Diagnostic>,
    /// The pairs of accesses that the static stage leaves to the engines.
    candidates: Vec<RaceCandidate>,
    /// What bars a proof, although no check of the automaton is left for it.
    pub doubt: Option<Doubt>,
}

/// How long each phase took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Phases {
    /// From files to syntax trees.
    pub parse: Duration,
    /// From syntax trees to an automaton.
    pub lower: Duration,
    /// The passes, and the checks of the automaton before and between them.
    pub passes: Duration,
    pub checks: Checks,
    pub races: RaceChecks,
}

/// Why there is no automaton.
#[derive(Debug)]
pub enum FrontError {
    /// The text cannot be read, or is not C.
    Rejected(Vec<Diagnostic>),
    /// There is no memory for a stack to parse on.
    NoStack(io::Error),
    Pass(PassError),
}

impl fmt::Display for FrontError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FrontError::Rejected(diagnostics) => f.write_str(render(diagnostics).trim_end()),
            FrontError::NoStack(error) => write!(f, "no room for a stack: {error}"),
            FrontError::Pass(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for FrontError {}

/// Reads and links the units, lowers them, and runs the named passes.
pub fn build(
    input: &Input,
    pass_names: &[impl AsRef<str>],
    config: &PassConfig,
) -> Result<Front, FrontError> {
    let mut front = lower(input)?;
    front.run(pass_names, config)?;
    Ok(front)
}

/// Reads and links the units, and lowers them.
pub fn lower(input: &Input) -> Result<Front, FrontError> {
    read(input)?.lower(&input.reading)
}

/// The syntax trees of a program. Each question has an automaton of its own, lowered from the same trees.
#[derive(Debug)]
pub struct Parsed {
    units: Vec<ParsedUnit>,
    time: Duration,
}

/// Reads the units into syntax trees.
pub fn read(input: &Input) -> Result<Parsed, FrontError> {
    let begun = Instant::now();
    let units = source::with_deep_stack(|| parse(input)).map_err(FrontError::NoStack)??;
    Ok(Parsed { units, time: begun.elapsed() })
}

impl Parsed {
    /// Links and lowers the units.
    pub fn lower(&self, reading: &Reading) -> Result<Front, FrontError> {
        let begun = Instant::now();
        let lower = || ravelin_frontend::lower_units(&self.units, reading);
        let Built { program, warnings, .. } = source::with_deep_stack(lower)
            .map_err(FrontError::NoStack)?
            .map_err(FrontError::Rejected)?;
        let phases = Phases { parse: self.time, lower: begun.elapsed(), ..Phases::default() };
        Ok(Front { program, phases, warnings, candidates: Vec::new(), doubt: None })
    }
}

impl Front {
    /// Runs the named passes.
    pub fn run(
        &mut self,
        pass_names: &[impl AsRef<str>],
        config: &PassConfig,
    ) -> Result<(), FrontError> {
        let begun = Instant::now();
        passes::run(&mut self.program, pass_names, config).map_err(FrontError::Pass)?;
        self.phases.passes += begun.elapsed();
        Ok(())
    }
}

impl Front {
    /// Brings the program into the form that analyses want: simplified, with checks, and in steps.
    pub fn prepare(&mut self, config: &PassConfig, run: &Run) -> Result<(), FrontError> {
        let about_races = self.program.checked.contains(Property::NoDataRace);
        // Dead code may be an access.
        let simplifying = passes::SIMPLIFYING.iter().copied();
        let names: Vec<&str> = match about_races {
            true => simplifying
                .filter(|&name| name != "remove-dead-code")
                .chain(["unroll-loops"])
                .collect(),
            false => simplifying.collect(),
        };
        let copies = match about_races {
            // The static stage does not tell calls of a procedure apart, nor threads that one operation starts.
            true => PassConfig { inline: RACE_INLINING, unroll: RACE_UNROLLING, ..*config },
            false => *config,
        };
        self.run(&names, &copies)?;
        renew_locals(&mut self.program);
        if about_races {
            self.run(SOURCE_PASSES, config)?;
            let begun = Instant::now();
            let found = check_races(&mut self.program, &run.budget());
            (self.phases.races, self.candidates, self.doubt) =
                (found.checks, found.candidates, found.doubt);
            self.phases.passes += begun.elapsed();
        }
        self.insert_checks(config, run)?;
        let open = || self.open_checks();
        run.listener.hear(&Event::OpenChecks(Explanation(&open)));
        self.run(passes::STEP_MAKING, config)
    }

    /// Leaves out leaks where the program allocates nothing: what is kept for them costs other checks precision.
    pub fn drop_idle_checks(&mut self) {
        let mut allocates = false;
        self.program.for_each_label(|_, label| {
            allocates |= matches!(
                label.op,
                Op::Alloc { kind: AllocKind::Heap | AllocKind::HeapZeroed, .. }
                    | Op::Realloc { .. }
            );
        });
        if !allocates {
            let leaks = [Property::ValidMemtrack, Property::ValidMemcleanup];
            let others = self.program.checked.iter().filter(|property| !leaks.contains(property));
            self.program.checked = others.collect();
        }
    }

    /// Makes violations visible to the analysis, except where they are excluded.
    fn insert_checks(&mut self, config: &PassConfig, run: &Run) -> Result<(), FrontError> {
        if self.program.checked == Property::UnreachCall.into() {
            return Ok(());
        }
        let begun = Instant::now();
        self.phases.checks = insert_checks(&mut self.program, &run.budget());
        self.phases.passes += begun.elapsed();
        self.run(&["propagate-constants", "remove-dead-code"], config)
    }

    /// The checks that are left for the engines, one line each.
    fn open_checks(&self) -> String {
        let program = &self.program;
        let (mut races, mut others) = (Vec::new(), Vec::new());
        for RaceCandidate { accesses } in &self.candidates {
            let [one, other] = accesses.map(|(pos, writes)| {
                let kind = if writes { "write" } else { "read" };
                format!("{kind} at {}", ravelin_cfa::print::position(program, pos))
            });
            races.push(format!("check left: {one} may race with {other}\n"));
        }
        for check in open_checks(program) {
            if check.error().property() != Property::NoDataRace {
                others.push(format!("check left: {check}\n"));
            }
        }
        races.sort();
        races.dedup();
        races.into_iter().chain(others).collect()
    }
}

/// The program as it stands in the source, kept beside the one that passes change.
#[derive(Debug)]
pub struct SourceProgram(Program);

impl SourceProgram {
    /// Of a program before all passes.
    pub fn of(program: &Program) -> Self {
        SourceProgram(program.clone())
    }

    /// The program with the steps of its threads.
    pub fn with_steps(&self) -> Result<Program, PassError> {
        let mut program = self.0.clone();
        passes::run(&mut program, SOURCE_PASSES, &PassConfig::default())?;
        Ok(program)
    }
}

/// Reads the units into syntax trees. Call it where the stack is deep.
pub fn parse(input: &Input) -> Result<Vec<ParsedUnit>, FrontError> {
    let (mut units, mut errors) = (Vec::new(), Vec::new());
    for unit in &input.units {
        match parse_unit(unit) {
            Ok(unit) => units.push(unit),
            Err(diagnostics) => errors.extend(diagnostics),
        }
    }
    if errors.is_empty() { Ok(units) } else { Err(FrontError::Rejected(errors)) }
}

fn parse_unit(Unit { name, contents, options }: &Unit) -> Result<ParsedUnit, Vec<Diagnostic>> {
    match contents {
        Contents::File => source::load(name, options),
        Contents::Source(text) => source::load_text(name, text, options),
        Contents::Preprocessed(text) => {
            source::parse_text(&name.to_string_lossy(), text, TextKind::Preprocessed)
        }
    }
}
