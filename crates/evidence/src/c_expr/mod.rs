//! Terms as C expressions.
//!
//! An expression has the value of its term in C11 with gcc's conversions, provided that signed
//! arithmetic wraps around. Casts stand only where C's own conversions would give another value. The
//! types of objects in memory are not known here, so accesses say the type they read:
//! `((int *)&a)[3]`.
//!
//! What C cannot say (a heap object by its number, a write to memory as a value, a division by what
//! may be zero) has no expression; [`text`] then gives the text format.

mod condition;
mod memory;
mod number;
mod piece;

use std::fmt;

use ravelin_analysis::verdict::Invariant;
use ravelin_base::DataModel;
use ravelin_cfa::Program;
use ravelin_term::text::Names;
use ravelin_term::{Object, Sort, Term, TermKind, TermPool, Var};

use piece::{Level, Piece, Side};

/// Where terms to print come from: an analysis has a pool of its own.
#[derive(Clone, Copy, Debug)]
pub struct Terms<'a> {
    pub program: &'a Program,
    /// Its variables and objects are those of the program, but for `memories`.
    pub pool: &'a TermPool,
    /// The variables that hold the contents of memory, each those of a part of it.
    pub memories: &'a [Var],
}

impl Terms<'_> {
    /// Whether a term is about variables with names in C and about memory, and nothing else.
    fn has_names(self, term: Term) -> bool {
        self.pool.vars_of(term).into_iter().all(|var| match self.program.vars.get(var) {
            Some(data) => is_identifier(self.program.name(data.name)),
            None => self.memories.contains(&var),
        })
    }
}

/// The term as a C expression, and where C has none, in the words of the text format.
pub fn text(terms: Terms<'_>, term: Term) -> String {
    if let Some(text) = expression(terms, term) {
        return text;
    }
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = terms.pool.print(&mut text, term, &terms);
    text
}

/// The term as a C expression, if there is one of a size to read.
pub fn expression(terms: Terms<'_>, term: Term) -> Option<String> {
    let mut writer = Writer { terms, left: MAX_SIZE };
    match terms.pool.sort(term) {
        Sort::Bool => writer.condition(term).map(|piece| piece.text),
        Sort::Bv(_) => writer.integer(term).map(|integer| integer.piece.text),
        Sort::Float(_) => writer.float(term).map(|piece| piece.text),
        Sort::Ptr => writer.pointer(term).map(|piece| piece.text),
        Sort::Mem => None,
    }
}

/// What an invariant says: some conditions, and then one of several cases. It leaves out what is about variables that no
/// reader knows: sizes and lives of objects. Empty if nothing is left.
pub fn invariant(terms: Terms<'_>, invariant: &Invariant) -> String {
    let facts = |facts: &[Term]| -> Vec<Piece> {
        let known = facts.iter().filter(|&&term| terms.has_names(term));
        known.map(|&term| whole(terms, term)).collect()
    };
    let mut parts = facts(&invariant.always);
    let cases: Vec<Vec<Piece>> = invariant.cases.iter().map(|case| facts(case)).collect();
    // A case of which nothing is left says that everything is possible.
    let is_open = cases.iter().any(Vec::is_empty);
    let cases = cases.into_iter().filter(|_| !is_open);
    let cases: Vec<String> =
        cases.map(|case| joined(case, "&&", Level::And).operand(Level::Or, Side::Left)).collect();
    match cases.len() {
        0 => {}
        1 => parts.push(Piece::new(cases.join(""), Level::And)),
        _ => parts.push(Piece::new(cases.join(" || "), Level::Or)),
    }
    if parts.is_empty() { String::new() } else { joined(parts, "&&", Level::And).text }
}

/// What an invariant says in C, condition by condition; what C cannot say is left out.
pub fn conditions(terms: Terms<'_>, invariant: &Invariant) -> Vec<String> {
    let in_c = |&term: &Term| Writer { terms, left: MAX_SIZE }.condition(term);
    let Invariant { always, cases, .. } = invariant;
    let mut texts: Vec<String> = always.iter().filter_map(in_c).map(|piece| piece.text).collect();
    let case = |facts: &Vec<Term>| {
        let facts: Option<Vec<Piece>> = facts.iter().map(in_c).collect();
        facts.filter(|facts| !facts.is_empty()).map(|facts| joined(facts, "&&", Level::And))
    };
    let cases: Option<Vec<Piece>> = cases.iter().map(case).collect();
    if let Some(cases) = cases.filter(|cases| !cases.is_empty()) {
        texts.push(joined(cases, "||", Level::Or).text);
    }
    texts
}

fn whole(terms: Terms<'_>, term: Term) -> Piece {
    let written = Writer { terms, left: MAX_SIZE }.condition(term);
    written.unwrap_or_else(|| Piece::new(text(terms, term), Level::Postfix))
}

fn joined(mut parts: Vec<Piece>, sign: &str, level: Level) -> Piece {
    if parts.len() == 1 {
        return parts.remove(0);
    }
    let parts: Vec<String> =
        parts.into_iter().map(|part| part.operand(level, Side::Right)).collect();
    Piece::new(parts.join(&format!(" {sign} ")), level)
}

/// No more operators are written: larger expressions nobody reads. It bounds the recursion, too.
const MAX_SIZE: usize = 300;

impl Names for Terms<'_> {
    fn write_var(&self, out: &mut dyn fmt::Write, var: Var) -> fmt::Result {
        match self.program.vars.get(var) {
            Some(data) => out.write_str(self.program.name(data.name)),
            None if self.memories.contains(&var) => out.write_str("memory"),
            None => write!(out, "{var}"),
        }
    }

    fn write_object(&self, out: &mut dyn fmt::Write, object: Object) -> fmt::Result {
        match self.program.objects.get(object) {
            Some(data) => out.write_str(self.program.name(data.name)),
            None => write!(out, "{object}"),
        }
    }
}

struct Writer<'a> {
    terms: Terms<'a>,
    left: usize,
}

impl Writer<'_> {
    fn spend(&mut self) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        Some(())
    }

    fn kind(&self, term: Term) -> TermKind {
        self.terms.pool.kind(term)
    }

    fn variable(&self, var: Var) -> Option<Piece> {
        let program = self.terms.program;
        let name = program.name(program.vars.get(var)?.name);
        is_identifier(name).then(|| Piece::new(name, Level::Postfix))
    }

    fn model(&self) -> DataModel {
        self.terms.program.data_model
    }
}

/// Names of Ravelin's own are no C.
fn is_identifier(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(|first| first.is_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_alphanumeric() || letter == '_')
}
