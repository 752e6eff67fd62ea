//! From C to the automaton: reading and parsing ([`source`]), then lowering.
//!
//! ```text
//! .c/.i → source (preprocess, rewrite, parse) → prescan → lower (types, layout, labels) → Program
//! ```
//!
//! Library functions come from the table in `library`; those modelled in C are parsed when they are
//! called, and lowered as units of their own.

mod errors;
mod families;
mod library;
mod lower;
pub mod outline;
mod prescan;
pub mod source;
mod symbols;
mod types;

use std::path::PathBuf;

use elsa::FrozenVec;
use ravelin_base::{DataModel, Diagnostic};
use ravelin_cfa::{Program, Properties, Property};

pub use errors::{CountedEnd, ErrorCalls, ErrorRole};
pub use library::{CModel, library_aliases, library_conditions, library_models};
use lower::{Lowerer, Unit};
use prescan::Facts;
pub use prescan::Variables;
use source::{ParsedUnit, SourceOptions, TextKind};
use symbols::Symbols;

/// How a program is read, apart from its text.
#[derive(Clone, Debug)]
pub struct Reading {
    pub data_model: DataModel,
    /// Where scalars are stored whose address is never taken.
    pub variables: Variables,
    /// The error calls, in addition to those of the library table.
    pub errors: ErrorCalls,
    /// What functions without body do; `None`: it depends on the program.
    pub external: Option<External>,
    /// The properties whose violations are errors of the automaton.
    pub checked: Properties,
}

impl Default for Reading {
    fn default() -> Reading {
        Reading {
            data_model: DataModel::default(),
            variables: Variables::default(),
            errors: ErrorCalls::default(),
            external: None,
            checked: Property::UnreachCall.into(),
        }
    }
}

impl Reading {
    /// The default configuration for this data model.
    pub fn of(data_model: DataModel) -> Reading {
        Reading { data_model, ..Reading::default() }
    }
}

/// The assumed effects of functions that the program declares and nothing defines. Standard
/// functions are different: they do what libc does, with a model or without.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum External {
    /// They return any result and leave any contents in memory that their pointers reach.
    Havoc,
    /// The same, and functions whose addresses they get may be called at any time.
    #[default]
    Callbacks,
    /// Nothing is assumed: a call is unsupported.
    Reject,
}

/// Whether the program describes its environment itself, with functions of SV-COMP: then there is
/// no other input.
pub fn describes_environment(units: &[ParsedUnit]) -> bool {
    let asts = units.iter().map(|unit| &unit.ast);
    Facts::collect(asts, Symbols::default(), Variables::Pure).describes_environment
}

/// A program and the diagnostics about its source.
#[derive(Debug)]
pub struct Built {
    pub program: Program,
    pub warnings: Vec<Diagnostic>,
}

/// Reads the files, links them into one program and lowers it.
///
/// Call this inside [`source::with_deep_stack`]: it recurses as deep as the source nests.
///
/// # Errors
/// All errors in the source, and the warnings.
pub fn build(paths: &[PathBuf], options: &SourceOptions) -> Result<Built, Vec<Diagnostic>> {
    let mut units = Vec::new();
    let mut errors = Vec::new();
    for path in paths {
        match source::load(path, options) {
            Ok(unit) => units.push(unit),
            Err(diagnostics) => errors.extend(diagnostics),
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    lower_units(&units, &Reading::of(options.data_model))
}

/// Lowers a program given as one preprocessed text.
///
/// # Errors
/// All errors in the source, and the warnings.
pub fn build_text(name: &str, text: &str, data_model: DataModel) -> Result<Built, Vec<Diagnostic>> {
    let unit = source::parse_text(name, text, TextKind::Preprocessed)?;
    lower_units(&[unit], &Reading::of(data_model))
}

/// Lowers parsed units and the library models that they need. Without a setting for functions
/// without body, the calls of the program decide.
///
/// # Errors
/// All errors in the source, and the warnings.
pub fn lower_units(units: &[ParsedUnit], reading: &Reading) -> Result<Built, Vec<Diagnostic>> {
    let Some(first) = units.first() else {
        return Err(vec![Diagnostic::error("no input file")]);
    };
    let mut diagnostics: Vec<Diagnostic> =
        units.iter().flat_map(|unit| unit.warnings.iter().cloned()).collect();
    // Models are added while the trees of others are in use, so they are never moved.
    let models: FrozenVec<Box<ParsedUnit>> = FrozenVec::new();
    let asts = || units.iter().map(|unit| &unit.ast);
    let symbols = Symbols::collect(units.iter().map(|unit| (&unit.ast, &unit.pragmas[..])));
    let facts = Facts::collect(asts(), symbols, reading.variables);
    let mut lowerer = Lowerer::new(reading, facts, &first.map);
    for (index, unit) in units.iter().enumerate() {
        lowerer.unit(Unit { ast: &unit.ast, map: &unit.map, index: Some(index) });
    }
    loop {
        let wanted = lowerer.take_wanted_models();
        if wanted.is_empty() {
            break;
        }
        for model in wanted {
            let unit = models.push_get(Box::new(parse_model(model)?));
            lowerer.model(Unit { ast: &unit.ast, map: &unit.map, index: None });
        }
    }
    let (program, lowering) = lowerer.finish();
    diagnostics.extend(lowering);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Err(diagnostics);
    }
    if program.entry.is_none() {
        let name = first.path.display().to_string();
        diagnostics
            .push(Diagnostic::error("the program has no function 'main'").in_file(name.as_ref()));
        return Err(diagnostics);
    }
    Ok(Built { program, warnings: diagnostics })
}

fn parse_model(model: CModel) -> Result<ParsedUnit, Vec<Diagnostic>> {
    let text = format!("# {} \"<ravelin>/{}\"\n{}", model.line, model.file, model.text);
    source::parse_text(model.file, &text, TextKind::Library)
}
