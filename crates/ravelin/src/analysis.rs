//! From the command line to a strategy.

use ravelin_analysis::arg::Order;
use ravelin_analysis::config::{
    Alias, Config, Domain, Encoding, Merge, Reduction, Statements, Strengthening,
};
use ravelin_analysis::explicit::Scope;
use ravelin_analysis::memory::{self, Model};
use ravelin_analysis::predicate::precision::Pieces;
use ravelin_analysis::predicate::{Abstracting, Binding};
use ravelin_analysis::refine::interpolate::Method;
use ravelin_analysis::refine::refinable::{Pruning, Refinement};
use ravelin_pointsto::{self as pointsto, Division};
use ravelin_verifier::{Asked, Reduction as Exploring, Strategy, Symbolic, Verifier};

use crate::args::{
    AbstractionArg, AliasArg, AnalysisArgs, BindingArg, CoiArg, DomainArg, EncodingArg, LimitArgs,
    MemoryArg, MergeArg, OptimisationArg, OrderArg, PiecesArg, PorArg, PruningArg, RefinementArg,
    ScopeArg, StrengtheningArg, SwitchArg, SymbolicArg, VerifyArgs,
};

/// The verifier that the arguments ask for, whatever they ask about the program.
pub fn verifier(args: &VerifyArgs) -> Verifier {
    let LimitArgs { timeout, memory_limit } = args.limits;
    Verifier {
        asked: Asked::default(),
        strategy: strategy(&args.analysis),
        solver: args.solver.choice(),
        timeout,
        memory_megabytes: memory_limit,
    }
}

/// The strategy that the arguments ask for.
pub fn strategy(args: &AnalysisArgs) -> Strategy {
    Strategy {
        config: config(args),
        fallback_encoding: match args.encoding {
            EncodingArg::Auto => Strategy::default().fallback_encoding,
            EncodingArg::Single | EncodingArg::Lbe | EncodingArg::Abe | EncodingArg::LbeAbe => None,
        },
        fallback_refinement: match args.refinement {
            RefinementArg::Auto => Strategy::default().fallback_refinement,
            RefinementArg::Wp
            | RefinementArg::Sp
            | RefinementArg::Spacer
            | RefinementArg::Backward => None,
        },
        unrolling: (!args.unroll.is_zero()).then_some(args.unroll),
        templates: args.templates == SwitchArg::On,
        clauses: args.clauses == SwitchArg::On,
        thread_views: args.crowds == SwitchArg::On,
        symbolic: match args.symbolic {
            SymbolicArg::On => Symbolic::On,
            SymbolicArg::Off => Symbolic::Off,
            SymbolicArg::Only => Symbolic::Only,
        },
        explorer: match args.explore {
            SwitchArg::On => Some(reductions(args.por)),
            SwitchArg::Off => None,
        },
    }
}

/// The reductions of the explorer, one after the other.
fn reductions(por: PorArg) -> &'static [Exploring] {
    match por {
        PorArg::Auto => &[Exploring::Static, Exploring::Dynamic],
        PorArg::None => &[Exploring::None],
        PorArg::Static | PorArg::AbstractionAware => &[Exploring::Static],
        PorArg::Dynamic => &[Exploring::Dynamic],
    }
}

/// The analysis that the arguments ask for.
fn config(args: &AnalysisArgs) -> Config {
    let (calls, max_steps) = (args.block_at_calls, args.block_steps);
    Config {
        domain: match args.domain {
            DomainArg::Explicit => Domain::Explicit,
            DomainArg::Predicate => Domain::Predicate,
            DomainArg::Product => Domain::Product,
        },
        encoding: match args.encoding {
            EncodingArg::Single => Encoding::Single,
            EncodingArg::Auto | EncodingArg::Lbe => Encoding::Large,
            EncodingArg::Abe => Encoding::Adjustable { calls, max_steps },
            EncodingArg::LbeAbe => Encoding::LargeAdjustable { calls, max_steps },
        },
        abstracting: match args.abstraction {
            AbstractionArg::Cartesian => Abstracting::Cartesian,
            AbstractionArg::Boolean => Abstracting::Boolean,
        },
        scope: match args.precision {
            ScopeArg::Local => Scope::Local,
            ScopeArg::Global => Scope::Global,
        },
        order: match args.order {
            OrderArg::Bfs => Order::BreadthFirst,
            OrderArg::Dfs => Order::DepthFirst,
            OrderArg::ErrorDistance => Order::ErrorDistance,
        },
        refinement: Refinement {
            method: match args.refinement {
                RefinementArg::Auto | RefinementArg::Wp => Method::WeakestPrecondition,
                RefinementArg::Sp => Method::StrongestPostcondition,
                RefinementArg::Spacer => Method::Sequence,
                RefinementArg::Backward => Method::Backward,
            },
            pieces: match args.predicates {
                PiecesArg::Atoms => Pieces::Atoms,
                PiecesArg::Whole => Pieces::Whole,
            },
            pruning: match args.pruning {
                PruningArg::Lazy => Pruning::Lazy,
                PruningArg::Full => Pruning::Full,
            },
        },
        memory: memory(args),
        pointers: strengthening(args),
        binding: match args.binding {
            BindingArg::Substitution => Binding::Substitution,
            BindingArg::Equality => Binding::Equality,
        },
        reduction: match args.por {
            PorArg::None => Reduction::None,
            PorArg::Static => Reduction::Static,
            PorArg::Auto | PorArg::AbstractionAware | PorArg::Dynamic => {
                Reduction::AbstractionAware
            }
        },
        alias: match args.alias {
            AliasArg::Static => Alias::Static,
            AliasArg::Exact => Alias::Exact,
            AliasArg::Smt => Alias::Smt,
        },
        statements: match args.coi {
            CoiArg::None => Statements::All,
            CoiArg::Skip => Statements::Tracked,
            CoiArg::Coi => Statements::Observed,
            CoiArg::PorCoi => Statements::ObservedThenReduced,
        },
        max_enum: args.max_enum,
        max_values: args.max_values,
    }
}

fn strengthening(args: &AnalysisArgs) -> Option<Strengthening> {
    let analysis = match args.pointers {
        StrengtheningArg::Andersen => pointsto::Analysis::Andersen,
        StrengtheningArg::Steensgaard => pointsto::Analysis::Steensgaard,
        StrengtheningArg::FlowSensitive => pointsto::Analysis::FlowSensitive,
        StrengtheningArg::Off => return None,
    };
    let options = pointsto::Options {
        analysis,
        fields: args.pointer_fields.into(),
        structs: args.pointer_structs.into(),
        context: usize::from(args.pointer_context),
        ..pointsto::Options::default()
    };
    let merge = match args.pointer_merge {
        MergeArg::Join => Merge::Join,
        MergeArg::Sep => Merge::Sep,
    };
    Some(Strengthening { options, merge })
}

/// What the options ask for, and nothing else: options that do the same give the same.
pub fn effective(args: &AnalysisArgs) -> String {
    format!("{:?}", strategy(args).effective())
}

fn memory(args: &AnalysisArgs) -> memory::Options {
    let with = |optimisation| !args.without.contains(&optimisation);
    memory::Options {
        model: match args.memory {
            MemoryArg::Havoc => Model::Havoc,
            MemoryArg::PointsTo => Model::PointsTo,
            MemoryArg::Deref => Model::Deref,
            MemoryArg::Uf => Model::Uf,
            MemoryArg::Array => Model::Array,
        },
        division: Division {
            fields: with(OptimisationArg::Fields),
            types: with(OptimisationArg::Types),
        },
        bulk: with(OptimisationArg::Constants),
        used: with(OptimisationArg::Offsets),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{self, Command};

    /// The library and the command line have the same defaults.
    #[test]
    fn defaults_are_those_of_the_library() {
        let line = ["ravelin", "a.c"].map(Into::into).to_vec();
        let Command::Verify(args) = args::parse(line).expect("a file").command else {
            panic!("verify is the default");
        };
        assert_eq!(format!("{:?}", verifier(&args)), format!("{:?}", Verifier::default()));
    }
}
