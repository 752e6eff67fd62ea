//! Facts about objects that hold wherever a pointer leads.

use ravelin_cfa::{ObjectFact, ObjectKind, Op, VarKind};
use ravelin_pointsto::{Flags, ObjectName, Offset, Position, Target, for_each_label};
use ravelin_term::{Object, Term, TermKind, UnOp};

use super::Space;
use crate::model::control_flow::{is_called, on_cycles};

impl Space<'_> {
    /// A fact about the object of a pointer of a label, where the analysis knows it.
    pub fn fact_about(&mut self, pointer: Term, fact: ObjectFact) -> Option<Term> {
        if let Some(known) = self.constant_fact(pointer, fact) {
            return Some(self.terms.offset(known));
        }
        match fact {
            ObjectFact::Size => self.size_where_made(pointer),
            ObjectFact::Offset => Some(self.terms.unary(UnOp::PtrOffset, pointer)),
            ObjectFact::Life => None,
        }
    }

    /// The size that an object was made with, if it is one that is made once, and the size is kept in a variable.
    fn size_where_made(&mut self, pointer: Term) -> Option<Term> {
        let set = self.pointers(pointer);
        let mut targets = set.targets();
        let target = targets.next()?;
        if targets.any(|other| other != target) || !set.flags().is_empty() {
            return None;
        }
        let ObjectName::Allocated(made) = self.points_to()?.name(target) else { return None };
        let Position { proc, edge, label: _ } = made;
        let (mut found, procedure) = (None, &self.program.procs[proc]);
        for_each_label(self.program, &mut |position, label| {
            if let Op::Alloc { size, .. } = label.op
                && position == made
            {
                found = Some(size);
            }
        });
        let size = found?;
        let TermKind::Var(var) = self.program.terms.kind(size) else { return None };
        let is_once = Some(proc) == self.program.entry
            && !is_called(self.program, proc)
            && !on_cycles(procedure).contains(procedure.edges[edge].source);
        let mut assigned = 0;
        self.program.for_each_label(|_, label| {
            assigned += u32::from(label.op.dst() == Some(var));
        });
        let is_global = matches!(self.program.vars[var].kind, VarKind::Global { .. });
        if !is_once || !is_global || assigned != 1 {
            return None;
        }
        Some(self.terms.var(var, self.program.vars[var].sort))
    }

    /// A fact that is the same whenever the label is executed.
    fn constant_fact(&self, pointer: Term, fact: ObjectFact) -> Option<u64> {
        let points_to = self.points_to()?;
        let set = self.pointers(pointer);
        if set.is_open() {
            return None;
        }
        // Near the null pointer there is no object. How near is not known.
        let no_object = match fact {
            ObjectFact::Offset => None,
            ObjectFact::Size | ObjectFact::Life => Some(0),
        };
        let null = set.flags().contains(Flags::NULL).then_some(no_object);
        let of_place = |&(target, offset): &(Target, Offset)| match fact {
            ObjectFact::Offset => offset.as_exact().and_then(|offset| u64::try_from(offset).ok()),
            ObjectFact::Size => match points_to.name(target) {
                ObjectName::Object(object) => self.size_of_object(object),
                ObjectName::Allocated(_) | ObjectName::OfSize(_) => points_to.size(target),
            },
            ObjectFact::Life => {
                let object = (target, points_to.name(target));
                let dangling = &self.lifetimes.dangling;
                let life = self.ends.lasting_life(self.program, dangling, object);
                life.map(|life| life as u64)
            }
        };
        let mut facts = set.places().iter().map(of_place).chain(null);
        let first = facts.next()??;
        facts.all(|fact| fact == Some(first)).then_some(first)
    }

    /// An array that another file defines has a size that is not known here.
    fn size_of_object(&self, object: Object) -> Option<u64> {
        let data = &self.program.objects[object];
        match data.kind {
            ObjectKind::Function(_) => Some(0),
            ObjectKind::Global
            | ObjectKind::Constant
            | ObjectKind::ThreadLocal
            | ObjectKind::Local(_) => Some(data.size).filter(|&size| size > 0),
        }
    }
}
