//! Memory models: what questions about memory become before a solver sees them.
//!
//! Terms speak of memory as a value: reads of writes of writes. A [`Model`] says what is read; the
//! [`Translator`] does the rest, the same for all models. A translated question that cannot be satisfied
//! settles the original one; one that can only does if it is [exact](Translated::exact).
//!
//! - `deref`: a read becomes a choice among the values written before it, and where none of these is read,
//!   a variable of its own for each memory and address. These variables are the values of an uninterpreted
//!   function of memory and address, taken apart: equal addresses have equal contents;
//! - `versions`: each write makes a new version of memory, with a variable for each address that is read;
//! - `binding`: only what constant pointers say; the states of analyses have put these in;
//! - arrays are left to the solver, and with [`Model::Havoc`] no term speaks of memory in the first place.

mod access;
mod binding;
mod deref;
mod versions;

use ravelin_pointsto::Division;
use ravelin_term::{Sort, Term, TermKind, TermPool, Var, term_kinds};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::model::space::{ReadRole, Role, Space};
use access::{Overlap, is_uniform, overlap};
use binding::Binding;
use deref::Deref;
use versions::Versions;

/// How memory is modelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Model {
    /// What is read may be anything: the baseline.
    Havoc,
    /// Only pointers of which the state knows where they lead are followed.
    PointsTo,
    /// Reads of an indexed function, resolved where they are asked for.
    Deref,
    /// Versions of a memory function, each defined by the one before.
    Uf,
    /// Arrays of the solver.
    Array,
}

/// A model, and what is done to make it faster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    pub model: Model,
    /// What has a memory of its own.
    pub division: Division,
    /// With versions: writing several constants one after the other makes one version.
    pub bulk: bool,
    /// With versions: only for addresses that are read it is said what a version has there.
    pub used: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { model: Model::Deref, division: Division::default(), bulk: true, used: true }
    }
}

/// Says what reads of memory are.
trait MemoryModel {
    /// What is read from `memory`; `None` if that is too much to say.
    fn read(&self, reading: &mut Reading<'_>, space: &mut Space<'_>, memory: Term) -> Option<Term>;
}

/// Longer chains of writes, or more addresses of one memory, are left to a solver with arrays.
const MAX_WRITES: usize = 1_500;
const MAX_CELLS: usize = 120;

/// Terms without memory.
#[derive(Clone, Debug)]
pub struct Translated {
    /// For each of the terms asked for, the same without memory.
    pub terms: Vec<Term>,
    /// What holds of the variables that stand for memory.
    pub conditions: Vec<Term>,
    /// Whether the translated terms have the same solutions.
    pub exact: bool,
}

/// Takes memory out of terms, and remembers what it did.
pub struct Translator {
    /// None if memory is left to the solver.
    model: Option<Box<dyn MemoryModel>>,
    done: FxHashMap<Term, Term>,
    /// The variables for memory below each term that has any.
    needs: FxHashMap<Term, Vec<Var>>,
    definitions: FxHashMap<Var, Definition>,
    inexact: FxHashSet<Term>,
    /// Terms that are too large to be translated.
    failed: FxHashSet<Term>,
}

/// What holds of a variable for memory, and which others that speaks of.
#[derive(Clone, Debug, Default)]
struct Definition {
    conditions: Vec<Term>,
    needs: Vec<Var>,
    exact: bool,
}

impl std::fmt::Debug for Translator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Translator").field("done", &self.done.len()).finish_non_exhaustive()
    }
}

/// Whether a term speaks of memory.
pub fn has_memory(terms: &TermPool, term: Term) -> bool {
    let mut found = false;
    terms.for_each_subterm(term, |_, kind| {
        found |= matches!(kind, TermKind::Read(..) | TermKind::Write(..));
    });
    found
}

impl Translator {
    pub fn new(options: &Options) -> Self {
        let model: Option<Box<dyn MemoryModel>> = match options.model {
            // Where no term speaks of memory, any model will do.
            Model::Havoc | Model::Deref => Some(Box::new(Deref)),
            Model::PointsTo => Some(Box::new(Binding)),
            Model::Uf => Some(Box::new(Versions { bulk: options.bulk, used: options.used })),
            Model::Array => None,
        };
        Translator {
            model,
            done: FxHashMap::default(),
            needs: FxHashMap::default(),
            definitions: FxHashMap::default(),
            inexact: FxHashSet::default(),
            failed: FxHashSet::default(),
        }
    }

    /// Whether memory is left to the solver.
    pub fn leaves_memory(&self) -> bool {
        self.model.is_none()
    }

    /// The terms without memory, or `None` if that would be too much.
    pub fn translate(&mut self, space: &mut Space<'_>, terms: &[Term]) -> Option<Translated> {
        let mut result = Translated {
            terms: Vec::with_capacity(terms.len()),
            conditions: Vec::new(),
            exact: true,
        };
        for &term in terms {
            self.translate_one(space, term);
            if self.failed.contains(&term) {
                return None;
            }
            result.terms.push(self.done[&term]);
            result.exact &= !self.inexact.contains(&term);
        }
        let mut cells: Vec<Cell> = Vec::new();
        for var in self.all_needs(terms) {
            if let Some(definition) = self.definitions.get(&var) {
                result.conditions.extend(&definition.conditions);
            }
            cells.extend(Cell::of(space, var));
        }
        if cells.len() > MAX_CELLS {
            return None;
        }
        for (number, a) in cells.iter().enumerate() {
            for b in cells[..number].iter().filter(|b| b.memory == a.memory) {
                relate(space, a, b, &mut result);
            }
        }
        Some(result)
    }

    /// The memories, addresses and contents of unwritten memory that translated terms speak of.
    pub fn contents(&self, space: &mut Space<'_>, terms: &[Term]) -> Vec<(Var, Term, Term)> {
        let mut found = Vec::new();
        for var in self.all_needs(terms) {
            if let Some(cell) = Cell::of(space, var) {
                found.push((cell.memory, cell.pointer, space.read_var(var)));
            }
        }
        found
    }

    /// All variables for memory on which terms depend, ascending.
    fn all_needs(&self, terms: &[Term]) -> Vec<Var> {
        let mut work: Vec<Var> =
            terms.iter().filter_map(|term| self.needs.get(term)).flatten().copied().collect();
        let mut seen: FxHashSet<Var> = work.iter().copied().collect();
        let mut all = Vec::new();
        work.sort_unstable();
        work.dedup();
        while let Some(var) = work.pop() {
            all.push(var);
            if let Some(definition) = self.definitions.get(&var) {
                work.extend(definition.needs.iter().copied().filter(|&need| seen.insert(need)));
            }
        }
        all.sort_unstable();
        all
    }

    fn translate_one(&mut self, space: &mut Space<'_>, term: Term) {
        if self.done.contains_key(&term) || self.failed.contains(&term) {
            return;
        }
        // Operands are older than what is made of them, so in order of age each comes after its own.
        let mut subterms = Vec::new();
        space.terms.for_each_subterm(term, |subterm, _| subterms.push(subterm));
        subterms.sort_unstable();
        for subterm in subterms {
            if self.done.contains_key(&subterm) {
                continue;
            }
            if space.terms.sort(subterm) == Sort::Mem {
                continue;
            }
            match self.rebuild(space, subterm) {
                Some(translated) => {
                    self.done.insert(subterm, translated);
                }
                None => {
                    self.failed.insert(term);
                    return;
                }
            }
        }
    }

    fn rebuild(&mut self, space: &mut Space<'_>, term: Term) -> Option<Term> {
        let children: Vec<Term> = space.terms.children(term).collect();
        let mut needs: Vec<Var> = Vec::new();
        for child in &children {
            needs.extend(self.needs.get(child).into_iter().flatten().copied());
            if self.inexact.contains(child) {
                self.inexact.insert(term);
            }
        }
        let done = |child: Term| self.done.get(&child).copied();
        let translated = match space.terms.kind(term) {
            term_kinds!(leaves) => term,
            TermKind::Unary(op, a) => {
                let a = done(a)?;
                space.terms.unary(op, a)
            }
            TermKind::Binary(op, a, b) => {
                let (a, b) = (done(a)?, done(b)?);
                space.terms.binary(op, a, b)
            }
            TermKind::Ite(c, a, b) => {
                let (c, a, b) = (done(c)?, done(a)?, done(b)?);
                space.terms.ite(c, a, b)
            }
            TermKind::Read(memory, pointer) => {
                let pointer = done(pointer)?;
                let sort = space.terms.sort(term);
                let uniform = is_uniform(space, memory);
                let model = self.model.take()?;
                let mut reading = Reading::new(self, pointer, sort, uniform);
                let value = model.read(&mut reading, space, memory);
                let Reading { exact, needs: more, .. } = reading;
                self.model = Some(model);
                let value = value?;
                if !exact {
                    self.inexact.insert(term);
                }
                needs.extend(more);
                value
            }
            TermKind::Write(..) => return None,
        };
        if !needs.is_empty() {
            needs.sort_unstable();
            needs.dedup();
            self.needs.insert(term, needs);
        }
        Some(translated)
    }
}

/// The contents of a memory at an address, before anything was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cell {
    memory: Var,
    pointer: Term,
    content: Var,
}

impl Cell {
    /// The cell whose contents a variable stands for.
    fn of(space: &Space<'_>, content: Var) -> Option<Cell> {
        match space.role(content) {
            Role::Read(ReadRole::Content { memory, pointer }) => {
                Some(Cell { memory, pointer, content })
            }
            Role::Read(ReadRole::Version { .. } | ReadRole::Guess { .. })
            | Role::Program { .. }
            | Role::Memory(_)
            | Role::NextObject
            | Role::Thread(..)
            | Role::Input(_)
            | Role::At { .. } => None,
        }
    }
}

/// Adds what holds of two cells of one memory: at one address there is one value. That cells which
/// overlap in part have bytes in common is left out: it would take many conditions, and hardly ever
/// matters of memory to which nothing was written.
fn relate(space: &mut Space<'_>, a: &Cell, b: &Cell, result: &mut Translated) {
    let (sort_a, sort_b) = (space.sort(a.content), space.sort(b.content));
    let uniform = space.is_uniform(a.memory);
    match overlap(space, (a.pointer, sort_a), (b.pointer, sort_b), uniform) {
        Overlap::No => return,
        Overlap::Whole => {}
        Overlap::Part => result.exact = false,
    }
    if sort_a != sort_b || matches!(sort_a, Sort::Float(_)) {
        result.exact = false;
        return;
    }
    let same_address = space.terms.eq(a.pointer, b.pointer);
    let (x, y) = (space.read_var(a.content), space.read_var(b.content));
    let same_content = space.terms.eq(x, y);
    result.conditions.push(space.terms.implies(same_address, same_content));
}

/// A read on its way through writes.
struct Reading<'a> {
    translator: &'a mut Translator,
    pointer: Term,
    sort: Sort,
    /// Whether accesses to the memory are to the same bytes or to none in common.
    uniform: bool,
    /// What was read of a memory before, by it.
    known: FxHashMap<Term, Term>,
    needs: Vec<Var>,
    exact: bool,
    writes: usize,
}

impl<'a> Reading<'a> {
    fn new(translator: &'a mut Translator, pointer: Term, sort: Sort, uniform: bool) -> Self {
        Reading {
            translator,
            pointer,
            sort,
            uniform,
            known: FxHashMap::default(),
            needs: Vec::new(),
            exact: true,
            writes: 0,
        }
    }

    /// A translated term; the result is made of it, so what is known of it is of the result.
    fn operand(&mut self, term: Term) -> Option<Term> {
        self.needs.extend(self.translator.needs.get(&term).into_iter().flatten());
        self.exact &= !self.translator.inexact.contains(&term);
        self.translator.done.get(&term).copied()
    }

    /// The contents of memory to which nothing was written.
    fn content(&mut self, space: &mut Space<'_>, memory: Var) -> Term {
        let initial = space.large_initial_read(memory, self.pointer, self.sort);
        if let Some((always, value)) = initial
            && space.terms.as_bool(always) == Some(true)
        {
            return value;
        }
        let content = space.content(memory, self.pointer, self.sort);
        self.needs.push(content);
        let content = space.read_var(content);
        match initial {
            Some((is_inside, value)) => space.terms.ite(is_inside, value, content),
            None => content,
        }
    }

    /// Counts a write on the way; `None` if they are too many.
    fn pass_write(&mut self) -> Option<()> {
        self.writes += 1;
        (self.writes <= MAX_WRITES).then_some(())
    }

    /// Anything: what `memory` has at the address is not told.
    fn unknown(&mut self, space: &mut Space<'_>, memory: Term) -> Term {
        self.exact = false;
        let guess = space.guess(memory, self.pointer, self.sort);
        space.read_var(guess)
    }
}
