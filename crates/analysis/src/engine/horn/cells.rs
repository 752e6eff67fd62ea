//! Words in memory as variables.
//!
//! The clauses speak of variables and know nothing of memory. But a member of a global structure is as good as a variable
//! if whatever writes there writes exactly that word. Whatever else reads there may find anything. Local objects stay
//! memory: after their lifetime they hold nothing that a proof may rest on.

use std::collections::BTreeMap;

use ravelin_cfa::access::{Access, for_each_access};
use ravelin_cfa::{Init, Label, Object, ObjectKind, Op, Program, Sort, VarData, VarKind};
use ravelin_pointsto::{ObjectName, PointsTo, TargetSet};
use ravelin_por::{accessed_bytes, may_overlap};
use ravelin_term::{Term, TermPool, Var};

/// A word of an object: where it begins, and of which sort it is.
type Cell = (Object, u64, Sort);

/// At most this many words become variables.
const MAX_CELLS: usize = 12;

/// The program with variables in place of words; none if there are no such words.
pub(super) fn with_variables(program: &Program, points_to: &PointsTo) -> Option<Program> {
    let words = Words { program, points_to };
    let cells = words.all();
    if cells.is_empty() || cells.len() > MAX_CELLS {
        return None;
    }
    let mut changed = program.clone();
    let mut vars: BTreeMap<Cell, Var> = BTreeMap::new();
    for (cell @ (object, _, sort), Word { signed, .. }) in cells {
        let data = &program.objects[object];
        let kind = VarKind::Global { init: words.initial(&mut changed, cell), atomic: false };
        let var = VarData { name: data.name, sort, signed, kind, pos: data.pos };
        vars.insert(cell, changed.vars.push(var));
    }
    for (proc, procedure) in program.procs.iter() {
        for edge in procedure.edges.keys() {
            for label in &mut changed.procs[proc].edges[edge].labels {
                words.replace(&mut changed.terms, &vars, label);
            }
        }
    }
    Some(changed)
}

/// What is known of a word.
struct Word {
    /// Its place, as that of an address.
    set: TargetSet,
    signed: bool,
}

struct Words<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
}

impl Words<'_> {
    /// The word that an operation reads or writes, if that is sure, and nothing else; and the places of its address.
    fn of(&self, op: &Op) -> Option<(Cell, TargetSet)> {
        let (addr, sort) = match op {
            Op::Load { dst, addr, .. } => (*addr, self.program.vars[*dst].sort),
            Op::Store { addr, value, .. } => (*addr, self.program.terms.sort(*value)),
            _ => return None,
        };
        let set = self.points_to.of_term(self.program, addr);
        let &[(target, offset)] = set.places() else { return None };
        let ObjectName::Object(object) = self.points_to.name(target) else { return None };
        let offset = u64::try_from(offset.as_exact()?).ok()?;
        let fits = offset + self.program.bytes_of(sort)? <= self.program.objects[object].size;
        let is_word = matches!(sort, Sort::Bv(1..=64)) && set.flags().is_empty() && fits;
        is_word.then_some(((object, offset, sort), set))
    }

    /// The words that are written, each as a whole or not at all.
    fn all(&self) -> BTreeMap<Cell, Word> {
        let mut cells: BTreeMap<Cell, Word> = BTreeMap::new();
        self.for_each_op(&mut |op| {
            if let Some((cell, set)) = self.of(op)
                && self.program.objects[cell.0].kind == ObjectKind::Global
            {
                let word = cells.entry(cell).or_insert(Word { set, signed: false });
                if let Op::Load { dst, .. } = op {
                    word.signed |= self.program.vars[*dst].signed;
                }
            }
        });
        if cells.is_empty() {
            return cells;
        }
        self.for_each_op(&mut |op| {
            let own = self.of(op).map(|(cell, _)| cell);
            let bytes = accessed_bytes(self.program, op);
            for_each_access(op, &mut |access| {
                let pointer = match access {
                    Access::WriteMemory(pointer)
                    | Access::Sync(_, pointer)
                    | Access::FreeMemory(pointer) => pointer,
                    // What is printed changes nothing.
                    Access::ReachMemory(_) if matches!(op, Op::Print { .. }) => return,
                    Access::ReachMemory(_) => return cells.clear(),
                    _ => return,
                };
                let written = self.points_to.of_term(self.program, pointer);
                cells.retain(|&cell, word| {
                    let size = self.program.bytes_of(cell.2);
                    own == Some(cell)
                        || (!may_overlap(self.points_to, (&written, bytes), (&word.set, size))
                            && !self.may_reach_past(&written, bytes, cell))
                });
            });
        });
        cells
    }

    fn for_each_op(&self, visit: &mut dyn FnMut(&Op)) {
        self.program.for_each_label(|_, label| {
            if !matches!(label.op, Op::Choice(_)) {
                visit(&label.op);
            }
        });
    }

    /// Whether an access that leaves the object of a word, which is undefined, may touch the word before.
    fn may_reach_past(&self, set: &TargetSet, bytes: Option<u64>, cell: Cell) -> bool {
        let (object, offset, sort) = cell;
        let end = i128::from(offset + self.program.bytes_of(sort).unwrap_or(0));
        let Some(bytes) = bytes else { return false };
        set.places().iter().any(|&(target, at)| {
            self.points_to.name(target) == ObjectName::Object(object)
                && match at.as_exact() {
                    Some(at) => {
                        let at = i128::from(at);
                        at < end && i128::from(offset) < at + i128::from(bytes)
                    }
                    None => bytes > self.program.objects[object].size,
                }
        })
    }

    /// What a word holds when the program begins; none if it may be anything.
    fn initial(&self, changed: &mut Program, (object, offset, sort): Cell) -> Option<Term> {
        let Sort::Bv(width) = sort else { return None };
        let data = &self.program.objects[object];
        match &data.init {
            Init::Indeterminate => None,
            Init::Zero => Some(changed.terms.bv(width, 0)),
            Init::Bytes(bytes) => {
                let from = usize::try_from(offset).ok()?;
                let bytes = bytes.get(from..from + usize::from(width) / 8)?;
                let value = bytes.iter().rev().fold(0, |sum, &byte| sum << 8 | u128::from(byte));
                Some(changed.terms.bv(width, value))
            }
            Init::Values(values) => {
                let end = offset + u64::from(width) / 8;
                let mut found = values.iter().filter(|&&(at, value)| {
                    let bytes = self.program.bytes_of(self.program.terms.sort(value));
                    at < end && bytes.is_none_or(|bytes| offset < at + bytes)
                });
                match (found.next(), found.next()) {
                    (None, _) => Some(changed.terms.bv(width, 0)),
                    (Some(&(at, value)), None)
                        if at == offset && self.program.terms.sort(value) == sort =>
                    {
                        Some(value)
                    }
                    _ => None,
                }
            }
        }
    }

    fn replace(&self, terms: &mut TermPool, vars: &BTreeMap<Cell, Var>, label: &mut Label) {
        if let Op::Choice(branches) = &mut label.op {
            branches.iter_mut().flatten().for_each(|label| self.replace(terms, vars, label));
            return;
        }
        let Some((cell, _)) = self.of(&label.op) else { return };
        let Some(&var) = vars.get(&cell) else { return };
        match label.op {
            Op::Load { dst, .. } => {
                label.op = Op::Assign { dst, value: terms.var(var, cell.2) };
            }
            Op::Store { value, .. } => label.op = Op::Assign { dst: var, value },
            _ => {}
        }
    }
}
