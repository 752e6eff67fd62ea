//! Drops what cannot be reached or is never read.

use ravelin_base::{EntityRef, EntitySet, PrimaryMap, SecondaryMap};
use ravelin_term::{Object, Term, TermKind, TermPool, Var};

use super::with_procedure;
use crate::access::{Access, Part, for_each_access, for_each_part};
use crate::effects::may_trap;
use crate::flow::facts::Facts;
use crate::flow::liveness::{is_dead, liveness, step_back};
use crate::flow::locals::Locals;
use crate::model::{Init, Loc, ObjectKind, Proc, Procedure, Program, VarKind};
use crate::op::{Label, Op};

/// Removes locations and procedures that cannot be reached, assignments to locals that are not read
/// afterwards, steps that do nothing, branches without a difference, and then the variables, objects
/// and terms that nothing mentions.
///
/// Never removed, for a property or a replay may look at them: accesses to memory, allocations,
/// inputs, what may divide by zero, assignments to globals, calls and everything that acts on threads.
///
/// Sound with threads too: no other thread sees a local, and a step that does nothing can be left out
/// of any schedule. A cycle of such steps keeps one of them, for the thread that goes round in it never
/// ends.
pub fn remove_dead_code(program: &mut Program) {
    let procs: Vec<Proc> = program.procs.keys().collect();
    // A dropped assignment may leave a branch without a difference, whose guard is then not read.
    const ROUNDS: usize = 3;
    let mut pending = procs;
    for _ in 0..ROUNDS {
        let locals = Locals::of(program);
        pending.retain(|&proc| {
            with_procedure(program, proc, |program, procedure| {
                retarget_ends(procedure);
                let dropped = drop_dead_labels(program, &locals, proc, procedure);
                let forwarded = forward_empty_steps(program, procedure);
                procedure.compact();
                dropped || forwarded
            })
        });
    }
    let used = Used::of(program);
    drop_unused_scopes(program, &used);
    renumber(program, &used);
}

/// Makes edges that never continue end in the exit location.
fn retarget_ends(procedure: &mut Procedure) {
    let exit = procedure.exit;
    for edge in procedure.edges.values_mut() {
        if crate::access::sequence_never_continues(&edge.labels) {
            edge.target = exit;
        }
    }
}

/// Turns dead assignments into steps that do nothing; says whether there were any.
fn drop_dead_labels(
    program: &Program,
    locals: &Locals,
    proc: Proc,
    procedure: &mut Procedure,
) -> bool {
    let liveness = liveness(program, locals, proc, procedure);
    let mut dropped = false;
    for edge in procedure.edges.values_mut() {
        let mut live = liveness.at(edge.target);
        for label in edge.labels.iter_mut().rev() {
            dropped |= drop_dead(program, locals, label, &live);
            step_back(program, locals, label, &mut live);
        }
    }
    dropped
}

fn drop_dead(program: &Program, locals: &Locals, label: &mut Label, live: &Facts) -> bool {
    if is_dead(program, locals, &label.op, live) {
        label.op = Op::Skip;
        return true;
    }
    match &mut label.op {
        Op::Call { dst, .. } | Op::Join { dst, .. } | Op::Sync { dst, .. } => {
            let number = dst.and_then(|dst| locals.number(program, dst));
            let is_unread = number.is_some_and(|number| !live.contains(number));
            if is_unread {
                *dst = None;
            }
            is_unread
        }
        _ => false,
    }
}

/// Sends edges to where their target's step that does nothing leads; says whether there were any.
fn forward_empty_steps(program: &Program, procedure: &mut Procedure) -> bool {
    let mut forward: SecondaryMap<Loc, Option<Loc>> =
        SecondaryMap::with_capacity(procedure.locs.len());
    let mut changed = false;
    // Targets first, so that most chains are followed in one step.
    let order = procedure.reverse_postorder();
    for &loc in order.iter().rev() {
        if let Some(next) = empty_step(program, procedure, &forward, loc)
            && next != procedure.exit
            && next != loc
        {
            forward[loc] = Some(next);
            changed = true;
        }
    }
    if !changed {
        return false;
    }
    for edge in procedure.edges.values_mut() {
        edge.target = resolve(&forward, edge.target);
    }
    procedure.entry = resolve(&forward, procedure.entry);
    true
}

/// Where control comes to from `loc` without anything happening.
fn empty_step(
    program: &Program,
    procedure: &Procedure,
    forward: &SecondaryMap<Loc, Option<Loc>>,
    loc: Loc,
) -> Option<Loc> {
    let out = &procedure.locs[loc].out;
    let nothing = |label: &Label| match label.op {
        Op::Skip => true,
        // One of several guards holds; a lone assumption may fail.
        Op::Assume(cond) => {
            program.terms.as_bool(cond) == Some(true)
                || (out.len() > 1 && !may_trap(&program.terms, cond))
        }
        _ => false,
    };
    let mut target = None;
    for &edge in out {
        let edge = &procedure.edges[edge];
        let next = resolve(forward, edge.target);
        if !edge.labels.iter().all(nothing) || target.is_some_and(|target| target != next) {
            return None;
        }
        target = Some(next);
    }
    target
}

/// Follows forwarded locations to the end. Cycles have none, as a location forwards to another only
/// after that one's own way is known, and never to itself.
fn resolve(forward: &SecondaryMap<Loc, Option<Loc>>, mut loc: Loc) -> Loc {
    while let Some(next) = forward[loc] {
        loc = next;
    }
    loc
}

/// What the program uses, from its entry on.
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
            // A library: everything may be called.
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
            // The addresses are evaluated as well. A lifetime alone is no use of an object.
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
                TermKind::Bool(_)
                | TermKind::Bv(_)
                | TermKind::Float(_)
                | TermKind::Null
                | TermKind::Unary(..)
                | TermKind::Binary(..)
                | TermKind::Ite(..) => terms.extend(program.terms.children(term)),
            }
        }
    }
}

/// An object whose address nobody takes needs no lifetime.
fn drop_unused_scopes(program: &mut Program, used: &Used) {
    for procedure in program.procs.values_mut() {
        for edge in procedure.edges.values_mut() {
            for label in &mut edge.labels {
                match label.op {
                    Op::ScopeBegin(object) | Op::ScopeEnd(object)
                        if !used.objects.contains(object) =>
                    {
                        label.op = Op::Skip;
                    }
                    _ => {}
                }
            }
        }
    }
    let procs: Vec<Proc> = program.procs.keys().collect();
    for proc in procs {
        with_procedure(program, proc, |program, procedure| {
            if forward_empty_steps(program, procedure) {
                procedure.compact();
            }
        });
    }
}

/// Drops unused procedures, variables, objects and terms; the others move up.
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

/// Keeps the entries that `keep` holds for; gives the new index of each.
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

/// A new pool with the used terms over the new indices.
fn rebuild_terms(
    program: &mut Program,
    used: &Used,
    vars: &SecondaryMap<Var, Option<Var>>,
    objects: &SecondaryMap<Object, Option<Object>>,
) -> SecondaryMap<Term, Option<Term>> {
    let bits = program.terms.pointer_bits();
    let old = std::mem::replace(&mut program.terms, TermPool::new(bits));
    let pool = &mut program.terms;
    let mut new: SecondaryMap<Term, Option<Term>> = SecondaryMap::with_capacity(old.len());
    // Subterms are older than the terms they stand in, and used if these are.
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
        };
        new[term] = Some(rebuilt);
    }
    new
}
