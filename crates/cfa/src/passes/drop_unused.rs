//! Drops procedures, variables, objects and terms that nothing uses.

use ravelin_base::{EntityRef, EntitySet, PrimaryMap, SecondaryMap};
use ravelin_term::{Object, Term, TermKind, TermPool, Var, term_kinds};

use super::remove_dead_code::{Forwarded, forward_empty_steps};
use super::with_procedure;
use crate::access::{Access, Part, for_each_access, for_each_part};
use crate::model::{Init, ObjectKind, Proc, Program, VarKind};
use crate::op::Op;

/// Keeps what is reachable from the entry: procedures by calls, thread starts and function pointers
/// (every mention of the address is a use); variables and objects by the labels that mention them,
/// and by the initial values of those. The lifetime of an object does not count as a use. A program
/// without an entry keeps all procedures.
///
/// No thread can run or observe what the pass drops.
pub fn drop_unused(program: &mut Program) {
    let used = Used::of(program);
    drop_unused_scopes(program, &used);
    renumber(program, &used);
}

/// Everything that the program uses, starting from its entry.
struct Used {
    procs: EntitySet<Proc>,
    vars: EntitySet<Var>,
    objects: EntitySet<Object>,
    terms: EntitySet<Term>,
}

impl Used {
    fn of(program: &Program) -> Used {
        let mut used = Used {
            procs: EntitySet::with_capacity(program.procs.len()),
            vars: EntitySet::with_capacity(program.vars.len()),
            objects: EntitySet::with_capacity(program.objects.len()),
            terms: EntitySet::with_capacity(program.terms.len()),
        };
        let mut work = Vec::new();
        match program.entry {
            Some(entry) => used.add_proc(entry, &mut work),
            // A library: any procedure may be called.
            None => program.procs.keys().for_each(|proc| used.add_proc(proc, &mut work)),
        }
        while let Some(proc) = work.pop() {
            let procedure = &program.procs[proc];
            for &param in &procedure.params {
                used.vars.insert(param);
            }
            for edge in procedure.edges.values() {
                for label in &edge.labels {
                    for_each_access(&label.op, &mut |access| {
                        used.add_access(program, access, &mut work);
                    });
                }
            }
        }
        used
    }

    fn add_proc(&mut self, proc: Proc, work: &mut Vec<Proc>) {
        if self.procs.insert(proc) {
            work.push(proc);
        }
    }

    fn add_access(&mut self, program: &Program, access: Access, work: &mut Vec<Proc>) {
        match access {
            Access::Evaluate(term) => self.add_term(program, term, work),
            Access::Assign(var) => self.add_var(program, var, work),
            Access::Enter(proc) => self.add_proc(proc, work),
            // The addresses are evaluated as well. A lifetime alone is not a use of an object.
            Access::ReadMemory(_)
            | Access::WriteMemory(_)
            | Access::ReachMemory(_)
            | Access::FreeMemory(_)
            | Access::Lifetime(_)
            | Access::Sync(..)
            | Access::Join(_)
            | Access::Start
            | Access::Atomic => {}
        }
    }

    fn add_var(&mut self, program: &Program, var: Var, work: &mut Vec<Proc>) {
        if !self.vars.insert(var) {
            return;
        }
        match program.vars[var].kind {
            VarKind::Global { init: Some(init), .. }
            | VarKind::ThreadLocal { init: Some(init) } => self.add_term(program, init, work),
            VarKind::Global { init: None, .. }
            | VarKind::ThreadLocal { init: None }
            | VarKind::Local(_) => {}
        }
    }

    /// Without recursion: initial values may chain thousands of objects.
    fn add_term(&mut self, program: &Program, term: Term, work: &mut Vec<Proc>) {
        let mut terms = vec![term];
        while let Some(term) = terms.pop() {
            if !self.terms.insert(term) {
                continue;
            }
            match program.terms.kind(term) {
                TermKind::Var(var) => self.add_var(program, var, work),
                TermKind::Address(object) => {
                    if !self.objects.insert(object) {
                        continue;
                    }
                    let data = &program.objects[object];
                    if let ObjectKind::Function(proc) = data.kind {
                        self.add_proc(proc, work);
                    }
                    match &data.init {
                        Init::Values(values) => terms.extend(values.iter().map(|&(_, term)| term)),
                        Init::Indeterminate | Init::Zero | Init::Bytes(_) => {}
                    }
                }
                term_kinds!(constants, inner) => terms.extend(program.terms.children(term)),
            }
        }
    }
}

/// An object whose address is never taken needs no lifetime.
fn drop_unused_scopes(program: &mut Program, used: &Used) {
    let mut changed: EntitySet<Proc> = EntitySet::new();
    for (proc, procedure) in program.procs.iter_mut() {
        for edge in procedure.edges.values_mut() {
            for label in &mut edge.labels {
                if let Op::ScopeBegin(object) | Op::ScopeEnd(object) = label.op
                    && !used.objects.contains(object)
                {
                    label.op = Op::Skip;
                    changed.insert(proc);
                }
            }
        }
    }
    for proc in changed.iter() {
        with_procedure(program, proc, |program, procedure| {
            if forward_empty_steps(program, procedure) != Forwarded::Nothing {
                procedure.compact();
            }
        });
    }
}

/// Drops unused procedures, variables, objects and terms, and renumbers the others.
fn renumber(program: &mut Program, used: &Used) {
    let procs = compact(&mut program.procs, |proc| used.procs.contains(proc));
    let vars = compact(&mut program.vars, |var| used.vars.contains(var));
    let objects = compact(&mut program.objects, |object| used.objects.contains(object));
    let terms = rebuild_terms(program, used, &vars, &objects);
    program.entry = program.entry.and_then(|entry| procs[entry]);
    for data in program.vars.values_mut() {
        match &mut data.kind {
            VarKind::Global { init: Some(init), .. }
            | VarKind::ThreadLocal { init: Some(init) } => *init = terms[*init].unwrap_or(*init),
            VarKind::Global { init: None, .. } | VarKind::ThreadLocal { init: None } => {}
            VarKind::Local(proc) => *proc = procs[*proc].unwrap_or(*proc),
        }
    }
    for data in program.objects.values_mut() {
        match &mut data.kind {
            ObjectKind::Local(proc) | ObjectKind::Function(proc) => {
                *proc = procs[*proc].unwrap_or(*proc);
            }
            ObjectKind::Global | ObjectKind::Constant | ObjectKind::ThreadLocal => {}
        }
        if let Init::Values(values) = &mut data.init {
            values.iter_mut().for_each(|(_, term)| *term = terms[*term].unwrap_or(*term));
        }
    }
    for procedure in program.procs.values_mut() {
        procedure.params.iter_mut().for_each(|param| *param = vars[*param].unwrap_or(*param));
        for edge in procedure.edges.values_mut() {
            for label in &mut edge.labels {
                for_each_part(&mut label.op, &mut |part| match part {
                    Part::Term(term) => *term = terms[*term].unwrap_or(*term),
                    Part::Dst(var) => *var = vars[*var].unwrap_or(*var),
                    Part::Object(object) => *object = objects[*object].unwrap_or(*object),
                    Part::Proc(proc) => *proc = procs[*proc].unwrap_or(*proc),
                });
            }
        }
    }
}

/// Keeps the entries for which `keep` holds; returns the new index of each.
fn compact<K: EntityRef, V>(
    map: &mut PrimaryMap<K, V>,
    keep: impl Fn(K) -> bool,
) -> SecondaryMap<K, Option<K>> {
    let old = std::mem::take(map);
    let mut new_index = SecondaryMap::with_capacity(old.len());
    for (key, value) in old.into_iter() {
        if keep(key) {
            new_index[key] = Some(map.push(value));
        }
    }
    new_index
}

/// A new pool with the used terms, over the new indices.
fn rebuild_terms(
    program: &mut Program,
    used: &Used,
    vars: &SecondaryMap<Var, Option<Var>>,
    objects: &SecondaryMap<Object, Option<Object>>,
) -> SecondaryMap<Term, Option<Term>> {
    let bits = program.terms.pointer_bits();
    let old = std::mem::replace(&mut program.terms, TermPool::new(bits));
    program.terms.set_made_alignment(old.made_alignment());
    for object in program.objects.keys() {
        program.terms.set_alignment(object, program.alignment(object));
    }
    let pool = &mut program.terms;
    let mut new: SecondaryMap<Term, Option<Term>> = SecondaryMap::with_capacity(old.len());
    // Subterms are older than their parents, and used if their parents are.
    for term in old.iter().filter(|&term| used.terms.contains(term)) {
        let sort = old.sort(term);
        let part = |term: Term| new[term].unwrap_or(term);
        let rebuilt = match old.kind(term) {
            TermKind::Bool(value) => pool.bool(value),
            TermKind::Bv(value) => match sort.width() {
                Some(width) => pool.bv(width, value),
                None => continue,
            },
            TermKind::Float(bits) => match sort {
                ravelin_term::Sort::Float(kind) => pool.float(kind, bits),
                _ => continue,
            },
            TermKind::Null => pool.null(),
            TermKind::Var(var) => pool.var(vars[var].unwrap_or(var), sort),
            TermKind::Address(object) => pool.address(objects[object].unwrap_or(object)),
            TermKind::Unary(op, a) => pool.unary(op, part(a)),
            TermKind::Binary(op, a, b) => pool.binary(op, part(a), part(b)),
            TermKind::Ite(cond, a, b) => pool.ite(part(cond), part(a), part(b)),
            TermKind::Read(mem, pointer) => pool.read(part(mem), part(pointer), sort),
            TermKind::Write(mem, pointer, value) => {
                pool.write(part(mem), part(pointer), part(value))
            }
        };
        new[term] = Some(rebuilt);
    }
    new
}
