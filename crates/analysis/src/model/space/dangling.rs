//! Objects to which pointers may be left when their life ends: locals, what is allocated on the stack, and
//! thread-local objects.
//!
//! Who reads through such a pointer may read anything, so the contents of these objects are forgotten. The others are
//! out of reach, and what they held does not matter.

use ravelin_base::{EntitySet, SecondaryMap};
use ravelin_cfa::access::{Access, for_each_access, for_each_term};
use ravelin_cfa::flow::liveness::{liveness, step_back};
use ravelin_cfa::flow::locals::Locals;
use ravelin_cfa::{AllocKind, Callee, FreeKind, ObjectKind, Op, Proc, Program, VarKind};
use ravelin_pointsto::{ObjectName, PointsTo, Position, Target, TargetSet, for_each_label};
use ravelin_term::{BinOp, Object, Sort, Term, TermKind, UnOp, Var};
use rustc_hash::FxHashMap;

use crate::model::control_flow::on_cycles;

/// What is pointed to after its life.
#[derive(Debug, Default)]
pub(crate) struct Dangling {
    /// After their block or thread: local and thread-local objects, and variable-length arrays by what points to them.
    pub objects: EntitySet<Object>,
    pub arrays: EntitySet<Target>,
    /// After their procedure.
    pub after_frame: FxHashMap<Proc, Vec<Ending>>,
    /// After their thread.
    pub after_thread: Vec<Object>,
}

/// Something that ends by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    Object(Object),
    /// All that an allocation on the stack made, and where it put the pointer.
    Allocated(Var),
    /// The same of an allocation that a frame makes once at the most: the pointer is still there, or null.
    AllocatedOnce(Var),
}

impl Dangling {
    /// Without a points-to analysis, pointers are left to everything.
    pub fn of(program: &Program, locals: &Locals, points_to: Option<&PointsTo>) -> Dangling {
        let mut finder = Finder::new(program, points_to);
        let Some(points_to) = points_to else {
            finder.keep_all(|_, _| true);
            return finder.finish(FxHashMap::default());
        };
        let calls = reached_by_calls(program);
        // In memory, a pointer is taken to stay; what a procedure has in a variable stays beyond the procedures it calls.
        let are_pointers = numbers_are_pointers(program, points_to);
        for (target, _, set) in points_to.cells() {
            finder.keep(set, are_pointers, |pointed, _| pointed != *target);
        }
        let mut held: SecondaryMap<Proc, Vec<Var>> = SecondaryMap::new();
        for (var, data) in program.vars.iter() {
            let set = points_to.of_var(var);
            let is_pointer = data.sort == Sort::Ptr;
            match data.kind {
                VarKind::Global { .. } | VarKind::ThreadLocal { .. } => {
                    finder.keep(&set, is_pointer, |_, _| true);
                }
                VarKind::Local(proc) => {
                    finder.keep(&set, is_pointer, |_, owner| {
                        owner.is_none_or(|owner| calls[proc].contains(owner))
                    });
                    held[proc].push(var);
                }
            }
        }
        let after_frame = finder.kept_by_frame();
        // Within a procedure, a pointer stays while its variable lives.
        for (proc, procedure) in program.procs.iter() {
            let ends = procedure
                .edges
                .values()
                .any(|edge| edge.labels.iter().any(|label| label.any(&mut |l| is_end(&l.op))));
            if !ends {
                continue;
            }
            let liveness = liveness(program, locals, proc, procedure);
            for edge in procedure.edges.values() {
                let mut live = liveness.at(edge.target);
                for label in edge.labels.iter().rev() {
                    // Within a choice all variables are taken to live.
                    let is_choice = matches!(label.op, Op::Choice(_));
                    label.walk(&mut |label| {
                        if !is_end(&label.op) {
                            return;
                        }
                        let ended = finder.ended(&label.op);
                        for &var in &held[proc] {
                            let number = locals.number(program, var);
                            if is_choice || number.is_some_and(|number| live.contains(number)) {
                                let set = points_to.of_var(var);
                                let is_pointer = program.vars[var].sort == Sort::Ptr;
                                finder.keep(&set, is_pointer, |target, _| ended.contains(&target));
                            }
                        }
                    });
                    step_back(program, locals, label, &mut live);
                }
            }
        }
        finder.finish(after_frame)
    }
}

/// Whether the program makes a pointer of a number that no address went into. The number may be the address of any
/// object, and the pointer may be stored.
fn numbers_are_pointers(program: &Program, points_to: &PointsTo) -> bool {
    let is_guessed = |set: &TargetSet| set.is_unknown() && !set.may_be_any_address();
    let mut vars = program.vars.iter().filter(|(_, data)| data.sort == Sort::Ptr);
    if vars.any(|(var, _)| is_guessed(&points_to.of_var(var))) {
        return true;
    }
    let mut found = false;
    for_each_label(program, &mut |_, label| {
        for_each_term(&label.op, |term| {
            program.terms.for_each_subterm(term, |subterm, kind| {
                found |= matches!(kind, TermKind::Unary(UnOp::IntToPtr, _))
                    && is_guessed(&points_to.of_term(program, subterm));
            });
        });
    });
    found
}

/// Whether an operation ends something that belongs to a block.
fn is_end(op: &Op) -> bool {
    matches!(op, Op::ScopeEnd(_) | Op::Free { kind: FreeKind::Array, .. })
}

struct Finder<'a> {
    program: &'a Program,
    points_to: Option<&'a PointsTo>,
    /// All that ends, with whose it is; none for what belongs to threads.
    endings: Vec<(Option<Target>, Option<Proc>, Ending)>,
    of_target: SecondaryMap<Target, Vec<usize>>,
    /// What a pointer of which nothing is known may lead to.
    exposed: Vec<usize>,
    kept: Vec<bool>,
}

impl<'a> Finder<'a> {
    fn new(program: &'a Program, points_to: Option<&'a PointsTo>) -> Self {
        let target = |name| points_to.and_then(|points_to| points_to.target(name));
        let mut endings = Vec::new();
        for (object, data) in program.objects.iter() {
            let owner = match data.kind {
                ObjectKind::Local(proc) => Some(proc),
                ObjectKind::ThreadLocal => None,
                ObjectKind::Global | ObjectKind::Constant | ObjectKind::Function(_) => continue,
            };
            endings.push((target(ObjectName::Object(object)), owner, Ending::Object(object)));
        }
        for_each_label(program, &mut |position, label| {
            if let Op::Alloc { dst, kind: AllocKind::Stack, .. } = label.op {
                let target = target(ObjectName::Allocated(position));
                let ending = match is_made_once(program, position, dst) {
                    true => Ending::AllocatedOnce(dst),
                    false => Ending::Allocated(dst),
                };
                endings.push((target, Some(position.proc), ending));
            }
        });
        let mut of_target: SecondaryMap<Target, Vec<usize>> = SecondaryMap::new();
        let addresses = exposed(program);
        let mut exposed = Vec::new();
        for (number, &(target, _, ending)) in endings.iter().enumerate() {
            if let Some(target) = target {
                of_target[target].push(number);
            }
            match ending {
                Ending::Object(object) if !addresses.contains(object) => {}
                Ending::Object(_) | Ending::Allocated(_) | Ending::AllocatedOnce(_) => {
                    exposed.push(number);
                }
            }
        }
        let kept = vec![false; endings.len()];
        Finder { program, points_to, endings, of_target, exposed, kept }
    }

    /// Keeps those of a set that pass, by themselves and by whose they are. A number that no address went into leads to
    /// nothing until it is made a pointer.
    fn keep(
        &mut self,
        set: &TargetSet,
        is_pointer: bool,
        passes: impl Fn(Target, Option<Proc>) -> bool,
    ) {
        if set.may_be_any_address() || (is_pointer && set.is_unknown()) {
            return self.keep_all(passes);
        }
        for target in set.targets() {
            for &number in &self.of_target[target] {
                self.kept[number] |= passes(target, self.endings[number].1);
            }
        }
    }

    /// Keeps those to which any pointer may lead and that pass.
    fn keep_all(&mut self, passes: impl Fn(Target, Option<Proc>) -> bool) {
        for &number in &self.exposed {
            let (target, owner, _) = self.endings[number];
            self.kept[number] |= target.is_none_or(|target| passes(target, owner));
        }
    }

    /// What an operation ends.
    fn ended(&self, op: &Op) -> Vec<Target> {
        let Some(points_to) = self.points_to else { return Vec::new() };
        match op {
            Op::ScopeEnd(object) => {
                points_to.target(ObjectName::Object(*object)).into_iter().collect()
            }
            Op::Free { addr, .. } => points_to.of_term(self.program, *addr).targets().collect(),
            _ => Vec::new(),
        }
    }

    fn kept_by_frame(&self) -> FxHashMap<Proc, Vec<Ending>> {
        let mut found: FxHashMap<Proc, Vec<Ending>> = FxHashMap::default();
        for (&(_, owner, ending), _) in self.endings.iter().zip(&self.kept).filter(|it| *it.1) {
            if let Some(proc) = owner {
                found.entry(proc).or_default().push(ending);
            }
        }
        found
    }

    fn finish(self, mut after_frame: FxHashMap<Proc, Vec<Ending>>) -> Dangling {
        if self.points_to.is_none() {
            after_frame = self.kept_by_frame();
        }
        let mut found = Dangling { after_frame, ..Dangling::default() };
        for (&(target, owner, ending), _) in self.endings.iter().zip(&self.kept).filter(|it| *it.1)
        {
            match ending {
                Ending::Object(object) => {
                    found.objects.insert(object);
                    if owner.is_none() {
                        found.after_thread.push(object);
                    }
                }
                Ending::Allocated(_) | Ending::AllocatedOnce(_) => found.arrays.extend(target),
            }
        }
        found
    }
}

/// Whether a frame comes to an allocation at most once, and nothing but null is put over its pointer.
fn is_made_once(program: &Program, at: Position, dst: Var) -> bool {
    let procedure = &program.procs[at.proc];
    let mut is_kept = !on_cycles(procedure).contains(procedure.edges[at.edge].source);
    let mut makes = 0;
    program.for_each_label(|_, label| {
        for_each_access(&label.op, &mut |access| {
            if access != Access::Assign(dst) {
                return;
            }
            match &label.op {
                Op::Alloc { .. } => makes += 1,
                Op::Assign { value, .. } => {
                    is_kept &= program.terms.kind(*value) == TermKind::Null;
                }
                // Its labels are visited by themselves.
                Op::Choice(_) => {}
                _ => is_kept = false,
            }
        });
    });
    is_kept && makes == 1
}

/// The objects whose addresses are used for more than to access them.
pub(crate) fn exposed(program: &Program) -> EntitySet<Object> {
    let mut found = EntitySet::new();
    let mut expose = |term: Term| {
        program.terms.for_each_subterm(term, |_, kind| {
            if let TermKind::Address(object) = kind {
                found.insert(object);
            }
        });
    };
    program.for_each_label(|_, label| {
        let accessed = match &label.op {
            Op::Load { addr, .. } => Some(*addr),
            Op::Store { addr, value, .. } => {
                expose(*value);
                Some(*addr)
            }
            // Its labels come by themselves.
            Op::Choice(_) => return,
            _ => None,
        };
        for_each_term(&label.op, |term| {
            if Some(term) != accessed {
                return expose(term);
            }
            // The object itself, and an offset that may be anything.
            let mut root = term;
            while let TermKind::Binary(BinOp::PtrAdd, base, offset) = program.terms.kind(root) {
                expose(offset);
                root = base;
            }
            if !matches!(program.terms.kind(root), TermKind::Address(_)) {
                expose(root);
            }
        });
    });
    found
}
/// The procedures that each may call, itself or in what it calls. Threads have frames of their own.
fn reached_by_calls(program: &Program) -> SecondaryMap<Proc, EntitySet<Proc>> {
    let mut reached: SecondaryMap<Proc, EntitySet<Proc>> = SecondaryMap::new();
    let mut direct: SecondaryMap<Proc, Vec<Proc>> = SecondaryMap::new();
    program.for_each_label(|proc, label| {
        let (Op::Call { callee, .. } | Op::Start { routine: callee, .. }) = &label.op else {
            return;
        };
        match callee {
            Callee::Direct(callee) => direct[proc].push(*callee),
            Callee::Pointer(_) => {
                direct[proc].extend(program.objects.values().filter_map(|data| match data.kind {
                    ObjectKind::Function(callee) => Some(callee),
                    _ => None,
                }));
            }
        }
    });
    for proc in program.procs.keys() {
        let mut work = direct[proc].clone();
        while let Some(callee) = work.pop() {
            if reached[proc].insert(callee) {
                work.extend(&direct[callee]);
            }
        }
    }
    reached
}
