//! The configurations that tests try, and the options of the command line that ask for them.
//!
//! A test of the command line includes this file, too: it has to accept these options.

use std::fmt;

use ravelin_analysis::algorithm::arg::Order;
use ravelin_analysis::algorithm::refine::interpolate::Method;
use ravelin_analysis::algorithm::refine::refinable::{Pruning, Refinement};
use ravelin_analysis::config::{
    Alias, Config, Domain, Encoding, Merge, Reduction, Statements, Strengthening,
};
use ravelin_analysis::domain::explicit::Scope;
use ravelin_analysis::domain::predicate::precision::Pieces;
use ravelin_analysis::domain::predicate::{Abstracting, Binding};
use ravelin_analysis::solver::memory::{self, Model};
use ravelin_pointsto::{Analysis, Division, Fields, Options, Structs};
use ravelin_testkit::tier::pairwise;

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
const VARIANTS: [fn(&mut Config); 15] = [
    |_| {},
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
        ..Config::default()
    };
    VARIANTS[variant % VARIANTS.len()](&mut config);
    config
}

/// Configurations in which any two settings meet: a domain and an encoding, a method and a variant, ….
pub fn covering() -> Vec<Config> {
    let rows = pairwise(&[DOMAINS.len(), METHODS.len(), ENCODINGS.len(), VARIANTS.len()]);
    let corner = |row: &[usize]| row[0] + DOMAINS.len() * (row[1] + METHODS.len() * row[2]);
    rows.iter().map(|row| configuration(corner(row), row[3])).collect()
}

/// All ways to leave something out.
pub const REDUCTIONS: [(Reduction, Statements); 10] = [
    (Reduction::None, Statements::All),
    (Reduction::None, Statements::Observed),
    (Reduction::Static, Statements::All),
    (Reduction::Static, Statements::Tracked),
    (Reduction::Static, Statements::Observed),
    (Reduction::Static, Statements::ObservedThenReduced),
    (Reduction::AbstractionAware, Statements::All),
    (Reduction::AbstractionAware, Statements::Tracked),
    (Reduction::AbstractionAware, Statements::Observed),
    (Reduction::AbstractionAware, Statements::ObservedThenReduced),
];

/// Every reduction in every domain and every encoding, with the rest as usual.
pub fn reducing(domain: usize, encoding: usize, reduction: usize) -> Config {
    let (reduction, statements) = REDUCTIONS[reduction];
    Config {
        domain: DOMAINS[domain],
        encoding: ENCODINGS[encoding],
        reduction,
        statements,
        ..Config::default()
    }
}

const ANALYSES: [Analysis; 3] =
    [Analysis::Andersen, Analysis::Steensgaard, Analysis::FlowSensitive];

/// What can strengthen values.
fn strengthenings() -> Vec<Option<Strengthening>> {
    let mut all = vec![None];
    for analysis in ANALYSES {
        let options = Options { analysis, ..Options::default() };
        let coarse = Options { fields: Fields::Insensitive, structs: Structs::ByType, ..options };
        let fine = Options { context: 2, ..options };
        let by_type = Options { structs: Structs::ByType, context: 1, ..options };
        all.push(Some(Strengthening { options, merge: Merge::Sep }));
        all.extend(
            [options, coarse, fine, by_type]
                .map(|options| Some(Strengthening { options, merge: Merge::Join })),
        );
    }
    all
}

/// What all of these have in common: every statement is evaluated.
fn pure() -> Config {
    Config { statements: Statements::All, ..Config::default() }
}

/// The configurations that the papers measure, as the presets have them.
fn papers() -> Vec<Config> {
    let spacer = Refinement { method: Method::Sequence, ..pure().refinement };
    let model = |model| memory::Options { model, ..memory::Options::default() };
    let values = Config { domain: Domain::Explicit, pointers: None, ..pure() };
    let predicates = Config { domain: Domain::Predicate, refinement: spacer, ..pure() };
    let coi = |config| Config {
        order: Order::DepthFirst,
        alias: Alias::Static,
        statements: Statements::Observed,
        ..config
    };
    let again = |config| Config { statements: Statements::ObservedThenReduced, ..config };
    let strengthened = Config { domain: Domain::Explicit, ..pure() };
    vec![
        Config { memory: model(Model::PointsTo), ..values },
        Config { alias: Alias::Smt, ..predicates },
        Config { alias: Alias::Smt, ..values },
        Config {
            memory: model(Model::Uf),
            abstracting: Abstracting::Boolean,
            encoding: Encoding::Adjustable { calls: false, max_steps: None },
            reduction: Reduction::None,
            ..predicates
        },
        coi(strengthened),
        again(coi(strengthened)),
        coi(predicates),
        again(coi(predicates)),
    ]
}

/// All configurations: those of the papers, and every strengthening of values, step by step and in large
/// blocks, alone and beside predicates.
pub fn with_pointers() -> Vec<Config> {
    let mut all = papers();
    for (number, pointers) in strengthenings().into_iter().enumerate() {
        let config = Config { pointers, ..pure() };
        let reduced = [Statements::All, Statements::Tracked, Statements::Observed][number % 3];
        all.push(Config { domain: Domain::Explicit, encoding: Encoding::Single, ..config });
        all.push(Config { domain: Domain::Explicit, statements: reduced, ..config });
        let domain = if number % 2 == 0 { Domain::Product } else { Domain::Predicate };
        let memory = memory::Options { model: Model::PointsTo, ..memory::Options::default() };
        all.push(Config { domain, memory, statements: reduced, ..config });
    }
    all
}

/// The options that ask for a configuration and nothing beside it. Settings without effect are left out: the command
/// line refuses them.
pub fn describe(config: &Config) -> String {
    let (it, usual) = (config.effective(false), Config::default());
    let mut words = Words(vec!["--explore off --unroll 0".to_owned()]);
    let tracks_predicates = it.domain != Domain::Explicit;
    words.add(
        it.domain != usual.domain,
        "--domain",
        match it.domain {
            Domain::Explicit => "explicit",
            Domain::Predicate => "predicate",
            Domain::Product => "product",
        },
    );
    let method = match it.refinement.method {
        Method::WeakestPrecondition => "wp",
        Method::StrongestPostcondition => "sp",
        Method::Sequence => "spacer",
        Method::Backward => "backward",
    };
    words.add(tracks_predicates, "--refinement", method);
    let (encoding, calls, max_steps) = match it.encoding {
        Encoding::Single => ("single", false, None),
        Encoding::Large if !tracks_predicates => ("auto", false, None),
        Encoding::Large => ("lbe", false, None),
        Encoding::Adjustable { calls, max_steps } => ("abe", calls, max_steps),
        Encoding::LargeAdjustable { calls, max_steps } => ("lbe-abe", calls, max_steps),
    };
    words.add(encoding != "auto", "--encoding", encoding);
    words.flag(calls, "--block-at-calls");
    words.add(max_steps.is_some(), "--block-steps", max_steps.unwrap_or_default());
    words.add(it.abstracting == Abstracting::Boolean, "--abstraction", "boolean");
    words.add(it.refinement.pieces == Pieces::Whole, "--predicates", "whole");
    words.add(it.refinement.pruning == Pruning::Full, "--pruning", "full");
    words.add(it.scope == Scope::Global, "--precision", "global");
    words.add(
        it.order != usual.order,
        "--order",
        match it.order {
            Order::BreadthFirst => "bfs",
            Order::DepthFirst => "dfs",
            Order::ErrorDistance => "error-distance",
        },
    );
    words.add(it.max_enum != usual.max_enum, "--max-enum", it.max_enum);
    words.add(it.max_values != usual.max_values, "--max-values", it.max_values);
    for name in ["--templates", "--clauses", "--crowds"] {
        words.add(tracks_predicates, name, "off");
    }
    words.memory(&it.memory);
    words.pointers(it.pointers);
    words.add(it.binding == Binding::Equality, "--binding", "equality");
    words.add(
        it.reduction != usual.reduction,
        "--por",
        match it.reduction {
            Reduction::None => "none",
            Reduction::Static => "static",
            Reduction::AbstractionAware => "abstraction-aware",
        },
    );
    words.add(
        it.alias != usual.alias,
        "--alias",
        match it.alias {
            Alias::Static => "static",
            Alias::Exact => "exact",
            Alias::Smt => "smt",
        },
    );
    words.add(
        it.statements != usual.statements,
        "--coi",
        match it.statements {
            Statements::All => "none",
            Statements::Tracked => "skip",
            Statements::Observed => "coi",
            Statements::ObservedThenReduced => "por-coi",
        },
    );
    words.0.join(" ")
}

/// Options of a command line.
struct Words(Vec<String>);

impl Words {
    fn add(&mut self, is_given: bool, name: &str, value: impl fmt::Display) {
        self.flag(is_given, &format!("{name} {value}"));
    }

    fn flag(&mut self, is_given: bool, name: &str) {
        if is_given {
            self.0.push(name.to_owned());
        }
    }

    fn memory(&mut self, options: &memory::Options) {
        self.add(
            options.model != Model::Deref,
            "--memory",
            match options.model {
                Model::Havoc => "havoc",
                Model::PointsTo => "points-to",
                Model::Deref => "deref",
                Model::Uf => "uf",
                Model::Array => "array",
            },
        );
        self.add(!options.division.fields, "--without", "fields");
        self.add(!options.division.types, "--without", "types");
        self.add(!options.bulk, "--without", "constants");
        self.add(!options.used, "--without", "offsets");
    }

    fn pointers(&mut self, by: Option<Strengthening>) {
        let Some(Strengthening { options, merge }) = by else {
            return self.add(true, "--pointers", "off");
        };
        self.add(
            options.analysis != Analysis::Andersen,
            "--pointers",
            match options.analysis {
                Analysis::Andersen => "andersen",
                Analysis::Steensgaard => "steensgaard",
                Analysis::FlowSensitive => "flow-sensitive",
            },
        );
        self.add(options.fields == Fields::Insensitive, "--pointer-fields", "off");
        self.add(options.structs == Structs::ByType, "--pointer-structs", "type");
        self.add(options.context != 0, "--pointer-context", options.context);
        self.add(merge == Merge::Sep, "--pointer-merge", "sep");
    }
}
