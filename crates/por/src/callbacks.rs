//! Functions that are handed out to where no body is known: they may be called at any time, by any thread.

use ravelin_base::{EntitySet, SecondaryMap};
use ravelin_cfa::{
    Assumed, Callee, Init, Label, ObjectKind, Op, Proc, Program, Sort, Term, Var, VarKind, ops,
};
use ravelin_pointsto::{ObjectName, PointsTo, Target, TargetSet};

use crate::doubt::Doubt;

/// Whether a function without body may get anything that leads to code.
pub(crate) fn hands_out(program: &Program) -> bool {
    let mut found = false;
    program.for_each_label(|_, label| {
        if let Op::External { assumed, .. } = label.op {
            found |= matches!(assumed, Assumed::Callbacks | Assumed::ThroughPointer);
        }
    });
    found
}

/// The first call that hands out a function that matters, if there is one.
pub(crate) fn kept_callback(program: &Program, points_to: &PointsTo) -> Option<Doubt> {
    if !hands_out(program) {
        return None;
    }
    let functions: Vec<(Proc, Target)> = program
        .objects
        .iter()
        .filter_map(|(object, data)| match data.kind {
            ObjectKind::Function(proc) => {
                Some((proc, points_to.target(ObjectName::Object(object))?))
            }
            _ => None,
        })
        .collect();
    let mut harmless = Harmless { program, points_to, known: SecondaryMap::new() };
    let matters: Vec<(Proc, Target)> =
        functions.into_iter().filter(|(proc, _)| !harmless.is_harmless(*proc)).collect();
    if matters.is_empty() {
        return None;
    }
    let flows = Flows::of(program, points_to);
    let mut found: Option<Doubt> = None;
    program.for_each_label(|proc, label| {
        let Op::External { function, assumed, args } = &label.op else { return };
        if found.is_some() || !points_to.is_reached(proc) {
            return;
        }
        let handed = match (assumed, args.as_slice()) {
            (Assumed::Callbacks, args) => args,
            (Assumed::ThroughPointer, [pointer, args @ ..])
                if points_to.of_term(program, *pointer).is_unknown() =>
            {
                args
            }
            (Assumed::ThroughPointer | Assumed::Havoc | Assumed::NoModel, _) => return,
        };
        let reached = flows.reached_from(handed);
        let callback = matters.iter().find(|(_, target)| reached.has(*target));
        if let Some((callback, _)) = callback {
            let (function, callback) =
                (program.name(*function), program.name(program.procs[*callback].name));
            let what = format!(
                "'{function}' gets a pointer to '{callback}', which it may call at any time"
            );
            found = Some(Doubt { what, pos: label.pos });
        }
    });
    found
}

/// How pointers get into memory.
struct Flows<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    /// What is stored, and where.
    stores: Vec<(TargetSet, TargetSet)>,
    /// Objects whose contents are copied, and where to.
    copies: Vec<(TargetSet, TargetSet)>,
    /// Variables in memory that another file defines: everybody outside knows them.
    outside: Vec<Target>,
    /// What is assigned to other variables that another file defines.
    assigned: Vec<TargetSet>,
}

/// Objects that somebody may reach.
struct Reached {
    everything: bool,
    found: SecondaryMap<Target, bool>,
}

impl Reached {
    fn has(&self, target: Target) -> bool {
        self.everything || self.found[target]
    }

    fn may_meet(&self, set: &TargetSet) -> bool {
        set.is_unknown() || set.targets().any(|target| self.has(target))
    }
}

impl<'a> Flows<'a> {
    fn of(program: &'a Program, points_to: &'a PointsTo) -> Self {
        let (mut stores, mut copies, mut assigned) = (Vec::new(), Vec::new(), Vec::new());
        let is_outside =
            |var: Var| matches!(program.vars[var].kind, VarKind::Global { init: None, .. });
        let set = |term: Term| points_to.of_term(program, term);
        program.for_each_label(|_, label| match &label.op {
            Op::Store { addr, value, .. } if is_wide(program, *value) => {
                stores.push((set(*addr), set(*value)));
            }
            Op::Copy { dst, src, .. } => copies.push((set(*dst), set(*src))),
            Op::Realloc { dst, addr, .. } => copies.push((points_to.of_var(*dst), set(*addr))),
            Op::Assign { dst, value } if is_outside(*dst) && is_wide(program, *value) => {
                assigned.push(set(*value));
            }
            op => {
                let dst = op.dst().filter(|&dst| is_outside(dst) && is_address(program, dst));
                assigned.extend(dst.map(|dst| points_to.of_var(dst)));
            }
        });
        let outside = program.objects.iter().filter_map(|(object, data)| {
            let is_outside = data.kind == ObjectKind::Global && data.init == Init::Indeterminate;
            points_to.target(ObjectName::Object(object)).filter(|_| is_outside)
        });
        Flows { program, points_to, stores, copies, outside: outside.collect(), assigned }
    }

    /// What can be reached through these values, at any time.
    fn reached_from(&self, values: &[Term]) -> Reached {
        let mut reached = Reached { everything: false, found: SecondaryMap::new() };
        let mut work: Vec<Target> = Vec::new();
        // What these hold from the start comes from outside; what the program stores there counts.
        self.outside.iter().for_each(|&target| reached.found[target] = true);
        self.assigned.iter().for_each(|set| add(&mut reached, set, &mut work));
        for &value in values {
            add(&mut reached, &self.points_to.of_term(self.program, value), &mut work);
        }
        // Every round adds an object, or is the last.
        loop {
            while let Some(target) = work.pop() {
                for set in self.contents(target) {
                    add(&mut reached, &set, &mut work);
                }
            }
            for (at, what) in self.stores.iter().chain(&self.copies) {
                if reached.may_meet(at) {
                    add(&mut reached, what, &mut work);
                }
            }
            if work.is_empty() || reached.everything {
                return reached;
            }
        }
    }

    /// What an object holds from the start, and what is read from it.
    fn contents(&self, target: Target) -> Vec<TargetSet> {
        let cells = self.points_to.cells().iter().filter(|(owner, ..)| *owner == target);
        let mut sets: Vec<TargetSet> = cells.map(|(_, _, set)| TargetSet::clone(set)).collect();
        if let ObjectName::Object(object) = self.points_to.name(target)
            && let Init::Values(values) = &self.program.objects[object].init
        {
            let wide = values.iter().filter(|(_, value)| is_wide(self.program, *value));
            sets.extend(wide.map(|(_, value)| self.points_to.of_term(self.program, *value)));
        }
        sets
    }
}

fn add(reached: &mut Reached, set: &TargetSet, work: &mut Vec<Target>) {
    reached.everything |= set.is_unknown();
    for target in set.targets() {
        if !reached.found[target] {
            reached.found[target] = true;
            work.push(target);
        }
    }
}

fn is_address(program: &Program, var: Var) -> bool {
    program.vars[var].sort == Sort::Ptr
}

/// Whether a value may be a pointer.
fn is_wide(program: &Program, value: Term) -> bool {
    match program.terms.sort(value) {
        Sort::Ptr => true,
        Sort::Bv(width) => width == program.terms.pointer_bits(),
        Sort::Bool | Sort::Float(_) | Sort::Mem => false,
    }
}

/// Which procedures make no difference to anybody: whoever calls them gets a result, and that is all.
struct Harmless<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    known: SecondaryMap<Proc, Option<bool>>,
}

impl Harmless<'_> {
    fn is_harmless(&mut self, proc: Proc) -> bool {
        if let Some(known) = self.known[proc] {
            return known;
        }
        let mut entered: EntitySet<Proc> = EntitySet::new();
        let mut work = vec![proc];
        entered.insert(proc);
        let mut harmless = true;
        while let Some(inner) = work.pop() {
            for edge in self.program.procs[inner].edges.values() {
                for label in &edge.labels {
                    label.walk(&mut |label| {
                        if let Op::Call { callee: Callee::Direct(callee), .. } = &label.op
                            && entered.insert(*callee)
                        {
                            work.push(*callee);
                        }
                        harmless &= self.leaves_nothing(inner, label);
                    });
                }
            }
        }
        self.known[proc] = Some(harmless);
        harmless
    }

    /// Whether an operation changes nothing but what belongs to the frame of its procedure.
    fn leaves_nothing(&self, proc: Proc, label: &Label) -> bool {
        let is_own = |term: Term| {
            let set = self.points_to.of_term(self.program, term);
            // Of a procedure that the program itself never calls nothing is known.
            !set.is_unknown()
                && !set.places().is_empty()
                && set.targets().all(|target| match self.points_to.name(target) {
                    ObjectName::Object(object) => {
                        self.program.objects[object].kind == ObjectKind::Local(proc)
                    }
                    ObjectName::Allocated(_) | ObjectName::OfSize(_) => false,
                })
        };
        let is_local = |var: Var| matches!(self.program.vars[var].kind, VarKind::Local(_));
        match &label.op {
            ops!(scope, section, remark)
            | Op::Claim(_)
            | Op::Skip
            | Op::Assume(_)
            // What is used after it was freed is not checked (A13).
            | Op::Free { .. }
            | Op::Call { callee: Callee::Direct(_), dst: None, .. }
            | Op::Return { .. }
            | Op::Abort => true,
            Op::Assign { dst, .. }
            | Op::Havoc { dst, .. }
            | Op::Load { dst, .. }
            | Op::Alloc { dst, .. }
            | Op::Inspect { dst, .. }
            | Op::ThreadSelf { dst }
            | Op::Call { callee: Callee::Direct(_), dst: Some(dst), .. } => is_local(*dst),
            Op::Store { addr, .. } => is_own(*addr),
            Op::Copy { dst, .. } | Op::Fill { dst, .. } => is_own(*dst),
            Op::HavocMemory { pointers } => pointers.iter().all(|&pointer| is_own(pointer)),
            Op::Realloc { .. }
            | Op::Call { callee: Callee::Pointer(_), .. }
            | Op::Start { .. }
            | Op::Join { .. }
            | Op::ThreadExit { .. }
            | Op::Sync { .. }
            | Op::Error(_)
            | Op::Exit { .. }
            | Op::Unsupported { .. } => false,
            // `walk` goes inside.
            Op::Choice(_) => true,
        }
    }
}
