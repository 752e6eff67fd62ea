//! The result as text, with the names of C.

use std::fmt::{self, Display, Formatter, Write};

use ravelin_base::SrcPos;
use ravelin_cfa::{Callee, Loc, ObjectKind, Op, Proc, Program, Sort, Var, VarKind};

use crate::flags::Flags;
use crate::object::{ObjectName, Target};
use crate::offset::Offset;
use crate::result::{PointsTo, TargetSet};

/// Something in the program that holds a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Holder {
    Var(Var),
    Cell(Target, Offset),
}

/// What pointers may be when a location is reached.
#[derive(Clone, Debug)]
pub struct AtLocation {
    pub procedure: String,
    pub location: Loc,
    /// The position of the first operation after it.
    pub before: Option<SrcPos>,
    pub sets: Vec<(Holder, TargetSet)>,
}

/// A result by locations, ready to be written.
#[derive(Clone, Copy, Debug)]
pub struct ByLocation<'a>(pub Report<'a>);

impl Display for ByLocation<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let ByLocation(report) = self;
        f.write_str("points-to sets by location\n")?;
        for AtLocation { procedure, location, before, sets } in report.by_location() {
            write!(f, "  {procedure} {location}")?;
            match before {
                Some(pos) => writeln!(f, ", before {}:{}", pos.line, pos.column)?,
                None => writeln!(f, ", at the end")?,
            }
            for (holder, set) in sets {
                let names = report.set_names(&set).join(", ");
                writeln!(f, "    {} -> {{{names}}}", report.holder_name(holder))?;
            }
        }
        Ok(())
    }
}

/// A result, ready to be written.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    pub program: &'a Program,
    pub result: &'a PointsTo,
}

type Places = Vec<(Target, Offset)>;

/// So many pairs of aliases are listed; the sets say it all anyway.
pub const MAX_PAIRS: usize = 10_000;

impl<'a> Report<'a> {
    /// The holders that have a name in C and may point somewhere, with their sets.
    pub fn holders(&self) -> Vec<(Holder, TargetSet)> {
        let mut holders = Vec::new();
        for (var, data) in self.program.vars.iter() {
            let set = self.result.of_var(var);
            let is_pointer = data.sort == Sort::Ptr || !set.places().is_empty();
            if is_pointer && !set.is_empty() && !self.is_temporary(var) {
                holders.push((Holder::Var(var), set));
            }
        }
        let pointer_places = self.pointer_places();
        for (target, offset, set) in self.result.cells() {
            let is_pointer = || pointer_places.binary_search(&(*target, *offset)).is_ok();
            if !set.places().is_empty() || (set.is_unknown() && is_pointer()) {
                holders.push((Holder::Cell(*target, *offset), TargetSet::clone(set)));
            }
        }
        holders
    }

    /// What pointers may be at each location that is told apart, in the order of procedures. Locals are listed
    /// in their procedure.
    pub fn by_location(&self) -> Vec<AtLocation> {
        let holders = self.holders();
        let at = |(proc, loc): (Proc, Loc)| {
            let set_of = |&(holder, _): &(Holder, TargetSet)| {
                let set = match holder {
                    Holder::Var(var) => match self.program.vars[var].kind {
                        VarKind::Local(own) if own != proc => return None,
                        VarKind::Local(_)
                        | VarKind::Global { .. }
                        | VarKind::ThreadLocal { .. } => self.result.of_var_at(var, proc, loc),
                    },
                    Holder::Cell(target, offset) => {
                        self.result.of_cell_at(target, offset, proc, loc)
                    }
                };
                (!set.is_empty()).then_some((holder, set))
            };
            let procedure = &self.program.procs[proc];
            let next = procedure.locs[loc].out.first();
            let next = next.and_then(|&edge| procedure.edges[edge].labels.first());
            AtLocation {
                procedure: self.program.name(procedure.name).to_owned(),
                location: loc,
                before: next.map(|label| label.pos),
                sets: holders.iter().filter_map(set_of).collect(),
            }
        };
        self.result.locations().map(at).collect()
    }

    fn is_temporary(&self, var: Var) -> bool {
        self.program.name(self.program.vars[var].name).starts_with('%')
    }

    /// The places where the program reads or writes values as pointers. A cell that holds any number is
    /// worth telling only there.
    fn pointer_places(&self) -> Vec<(Target, Offset)> {
        let mut places = Vec::new();
        crate::object::for_each_label(self.program, &mut |_, label| {
            let addr = if let Op::Load { dst, addr, order: _ } = &label.op
                && self.program.vars[*dst].sort == Sort::Ptr
            {
                *addr
            } else if let Op::Store { addr, value, order: _ } = &label.op
                && self.program.terms.sort(*value) == Sort::Ptr
            {
                *addr
            } else {
                return;
            };
            places.extend_from_slice(self.result.of_term(self.program, addr).places());
        });
        places.sort_unstable();
        places.dedup();
        places
    }

    /// The name of a holder.
    pub fn holder_name(&self, holder: Holder) -> String {
        match holder {
            Holder::Var(var) => self.var_name(var),
            Holder::Cell(target, offset) => self.place_name(target, offset),
        }
    }

    fn var_name(&self, var: Var) -> String {
        let data = &self.program.vars[var];
        let name = self.program.name(data.name);
        match data.kind {
            VarKind::Global { .. } | VarKind::ThreadLocal { .. } => name.to_owned(),
            VarKind::Local(proc) => {
                format!("{}::{name}", self.program.name(self.program.procs[proc].name))
            }
        }
    }

    /// The name of an object.
    pub fn object_name(&self, target: Target) -> String {
        match self.result.name(target) {
            ObjectName::Object(object) => {
                let data = &self.program.objects[object];
                let name = self.program.name(data.name);
                match data.kind {
                    ObjectKind::Local(proc) => {
                        format!("{}::{name}", self.program.name(self.program.procs[proc].name))
                    }
                    // There may be many strings.
                    ObjectKind::Constant if name.starts_with('%') => format!("{name}.{object}"),
                    ObjectKind::Global
                    | ObjectKind::Constant
                    | ObjectKind::ThreadLocal
                    | ObjectKind::Function(_) => name.to_owned(),
                }
            }
            ObjectName::Allocated(position) => {
                let procedure = &self.program.procs[position.proc];
                let mut pos = procedure.pos;
                crate::object::for_each_label_on(
                    self.program,
                    position.proc,
                    position.edge,
                    &mut |at, label| {
                        if at == position {
                            pos = label.pos;
                        }
                    },
                );
                let name = self.program.name(procedure.name);
                format!("allocated@{name}:{}:{}", pos.line, pos.column)
            }
            ObjectName::OfSize(size) => format!("struct[{size}]"),
        }
    }

    /// The name of a place.
    pub fn place_name(&self, target: Target, offset: Offset) -> String {
        let name = self.object_name(target);
        match (offset.as_exact(), offset) {
            (Some(0), _) => name,
            (Some(at), _) => format!("{name}{at:+}"),
            (None, Offset::ANY) => format!("{name}+?"),
            (None, _) => format!("{name}+{}(mod {})", offset.at(), offset.stride()),
        }
    }

    /// The elements of a set, as words.
    pub fn set_names(&self, set: &TargetSet) -> Vec<String> {
        let places = set.places().iter();
        let mut names: Vec<String> =
            places.map(|&(target, offset)| self.place_name(target, offset)).collect();
        let kinds = [
            (Flags::NULL, "NULL"),
            (Flags::UNINITIALISED, "(uninitialised)"),
            (Flags::NUMBER, "(number)"),
            (Flags::INTEGER, "(unknown)"),
        ];
        for (flag, word) in kinds {
            if set.flags().contains(flag) {
                names.push(word.to_owned());
            }
        }
        names
    }

    /// Pairs of expressions that may name the same memory, and whether there are more. Pointers that may be
    /// to anything are left out: they may be aliases of everything.
    pub fn alias_pairs(&self) -> (Vec<(String, String)>, bool) {
        let mut holders = self.holders();
        holders.retain(|(_, set)| !set.is_unknown());
        let mut pairs = Vec::new();
        for (index, (holder, set)) in holders.iter().enumerate() {
            let name = format!("*{}", self.holder_name(*holder));
            for &(target, offset) in set.places() {
                pairs.push((name.clone(), self.place_name(target, offset)));
            }
            for (other, other_set) in &holders[index + 1..] {
                if self.result.may_alias(set, 1, other_set, 1) {
                    pairs.push((name.clone(), format!("*{}", self.holder_name(*other))));
                }
                if pairs.len() > MAX_PAIRS {
                    pairs.truncate(MAX_PAIRS);
                    return (pairs, true);
                }
            }
        }
        (pairs, false)
    }

    /// Sets of expressions that are connected by aliases, each in order; what has no alias is left out.
    pub fn equivalence_sets(&self) -> Vec<Vec<String>> {
        let holders = self.holders();
        // The places of a class and the numbers of its holders.
        let mut classes: Vec<(Places, Vec<usize>)> = Vec::new();
        for (index, (_, set)) in holders.iter().enumerate() {
            let mut places = set.places().to_vec();
            let mut members = vec![index];
            if places.is_empty() {
                continue;
            }
            let meets = |class: &[(Target, Offset)]| {
                places.iter().any(|&(target, at)| {
                    class
                        .iter()
                        .any(|&(other, there)| target == other && at.meeting(1, there, 1).same)
                })
            };
            let (mine, others): (Vec<_>, Vec<_>) =
                classes.into_iter().partition(|(class, _)| meets(class));
            for (class, older) in mine {
                places.extend(class);
                members.extend(older);
            }
            places.sort_unstable();
            places.dedup();
            members.sort_unstable();
            classes = others;
            classes.push((places, members));
        }
        let named = classes.into_iter().map(|(places, members)| {
            let derefs = members.iter().map(|&at| format!("*{}", self.holder_name(holders[at].0)));
            let places = places.iter().map(|&(target, offset)| self.place_name(target, offset));
            derefs.chain(places).collect()
        });
        let mut named: Vec<Vec<String>> = named.collect();
        named.sort();
        named
    }

    /// The calls through pointers: a description of each with its callees.
    pub fn indirect_calls(&self) -> Vec<(String, Vec<String>)> {
        let mut calls = Vec::new();
        crate::object::for_each_label(self.program, &mut |position, label| {
            let (Op::Call { callee, .. } | Op::Start { routine: callee, .. }) = &label.op else {
                return;
            };
            if let Callee::Pointer(_) = callee
                && self.result.is_reached(position.proc)
            {
                let name = self.program.name(self.program.procs[position.proc].name);
                let callees = self.result.callees(position).iter();
                let callees = callees
                    .map(|&proc| self.program.name(self.program.procs[proc].name).to_owned());
                let call = format!("{name}:{}:{}", label.pos.line, label.pos.column);
                calls.push((call, callees.collect()));
            }
        });
        calls
    }
}

impl Display for Report<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("points-to sets\n")?;
        for (holder, set) in self.holders() {
            let names = self.set_names(&set).join(", ");
            writeln!(f, "  {} -> {{{names}}}", self.holder_name(holder))?;
        }
        f.write_str("calls through pointers\n")?;
        for (call, callees) in self.indirect_calls() {
            writeln!(f, "  {call} -> {{{}}}", callees.join(", "))?;
        }
        f.write_str("alias pairs\n")?;
        let (pairs, has_more) = self.alias_pairs();
        for (a, b) in pairs {
            writeln!(f, "  ({a}, {b})")?;
        }
        if has_more {
            writeln!(f, "  and more: only {MAX_PAIRS} are listed")?;
        }
        f.write_str("equivalence sets\n")?;
        for class in self.equivalence_sets() {
            writeln!(f, "  {{{}}}", class.join(", "))?;
        }
        Ok(())
    }
}

/// The graph of the result in Graphviz's language: holders point to objects.
#[derive(Clone, Copy, Debug)]
pub struct Dot<'a>(pub Report<'a>);

impl Display for Dot<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Dot(report) = self;
        f.write_str("digraph points_to {\n  node [shape=box];\n")?;
        for (holder, set) in report.holders() {
            let from = escape(&report.holder_name(holder));
            for to in report.set_names(&set) {
                writeln!(f, "  \"{from}\" -> \"{}\";", escape(&to))?;
            }
        }
        f.write_str("}\n")
    }
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '"' | '\\') {
            escaped.push('\\');
        }
        // Writing to a string cannot fail.
        let _ = escaped.write_char(c);
    }
    escaped
}
