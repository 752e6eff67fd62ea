//! The steps of a thread along an edge.

use ravelin_base::SrcPos;
use ravelin_cfa::{Callee, Edge, HavocKind, Label, Op, Proc, SyncOp, VarKind, ops};
use ravelin_term::{Sort, Term, Var};

use super::control::{Frame, FrameData, Position, Status};
use super::{Control, Step, Steps, Target};
use crate::model::space::{Activation, Space, Thread};
use crate::model::statement::{Action, Statement, Update};
use crate::model::sync::{Arrival, SyncObjects};

/// Makes the steps of a thread along an edge.
pub(super) struct Maker<'a, 's, 'p> {
    pub(super) steps: &'a mut Steps,
    pub(super) space: &'s mut Space<'p>,
    pub(super) control: Control,
    pub(super) thread: Thread,
    pub(super) frame: Frame,
    pub(super) edge: Edge,
}

/// What a step does before it comes to its end.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) statements: Vec<Statement>,
    /// How much deeper in atomic blocks the thread is after it.
    pub(super) deeper: i32,
}

impl Maker<'_, '_, '_> {
    pub(super) fn make(&mut self, steps: &mut Vec<Step>) {
        let FrameData { proc, activation, .. } = self.steps.states.frames[self.frame];
        let program = self.space.program;
        let data = &program.procs[proc].edges[self.edge];
        let labels: Vec<Label> = data
            .labels
            .iter()
            .map(|label| self.space.instantiate_label(label, activation))
            .collect();
        let first_pos = data.labels.first().map(|label| label.pos).unwrap_or_default();
        let position = Position { frame: self.frame, loc: data.source };
        match waited_for(&labels) {
            // A wait for a condition variable first releases the mutex, and that is all for now.
            Some(Wait::Condition { mutex, pos }) => {
                let mut draft = Draft::default();
                self.sync(SyncOp::MutexUnlock, &[mutex], None, pos, &mut draft.statements);
                let target = self.moved(Status::Waiting(position, self.edge), &draft);
                return steps.push(self.step(draft, target, pos));
            }
            Some(Wait::Barrier { barrier, pos }) if self.has_barriers() => {
                return self.arrive(barrier, pos, &labels, position, steps);
            }
            Some(Wait::Barrier { .. }) | None => {}
        }
        for labels in self.joined(labels) {
            self.make_along(labels, first_pos, steps);
        }
    }

    /// Labels that begin by waiting for the end of a thread, once for each that has ended: with the
    /// condition that it is that one. And once for what is no thread: POSIX says nothing of what happens then, so
    /// that the execution goes on, and is no counterexample.
    fn joined(&mut self, mut labels: Vec<Label>) -> Vec<Vec<Label>> {
        let Some(Label { op: Op::Join { handle, dst }, pos }) = labels.first().cloned() else {
            return vec![labels];
        };
        let threads = self.steps.states.controls[self.control].threads.clone();
        let rest = labels.split_off(1);
        if self.steps.replicated.is_some() {
            // The thread may be one that nobody looks at, and may have ended.
            let any = |dst| Label::new(Op::Havoc { dst, kind: HavocKind::Unspecified }, pos);
            return vec![dst.map(any).into_iter().chain(rest).collect()];
        }
        let mut found = Vec::new();
        let mut none = self.space.terms.bool(true);
        for &(other, status) in &threads {
            let name = self.space.handle(other);
            let is_it = self.space.terms.eq(handle, name);
            let is_other = self.space.terms.not(is_it);
            none = self.space.terms.and(none, is_other);
            if status != Status::Ended {
                continue;
            }
            let mut labels = vec![Label::new(Op::Assume(is_it), pos)];
            if let Some(dst) = dst {
                let result = self.space.result(other);
                let value = self.space.read_var(result);
                labels.push(Label::new(Op::Assign { dst, value }, pos));
            }
            labels.extend(rest.iter().cloned());
            found.push(labels);
        }
        if self.space.terms.as_bool(none) != Some(false) {
            let any = |dst| Label::new(Op::Havoc { dst, kind: HavocKind::Unspecified }, pos);
            let mut labels = vec![Label::new(Op::Assume(none), pos)];
            labels.extend(dst.map(any).into_iter().chain(rest));
            found.push(labels);
        }
        found
    }

    fn make_along(&mut self, mut labels: Vec<Label>, first_pos: SrcPos, steps: &mut Vec<Step>) {
        let FrameData { proc, activation, caller } = self.steps.states.frames[self.frame];
        let program = self.space.program;
        let last = labels.pop();
        let mut draft = self.draft(labels);
        let Some(Label { op, pos }) = last else {
            let target = self.go_on(&draft);
            return steps.push(self.step(draft, target, first_pos));
        };
        match op {
            Op::Call { callee, args, dst } => {
                if let Some(mut conditions) = self.is_elsewhere(&callee, pos) {
                    let mut draft = Draft { statements: draft.statements.clone(), ..draft };
                    draft.statements.append(&mut conditions);
                    self.call_elsewhere(&args, dst, pos, &mut draft.statements);
                    let target = self.go_on(&draft);
                    steps.push(self.step(draft, target, pos));
                }
                for (callee, condition) in self.callees(&callee) {
                    let mut draft = Draft { statements: draft.statements.clone(), ..draft };
                    draft
                        .statements
                        .extend(condition.map(|term| Statement::new(Action::Assume(term), pos)));
                    let (frame, uninitialised) =
                        self.enter(activation.above(), callee, &args, pos, &mut draft.statements);
                    let loc = program.procs[callee].entry;
                    let target = self.moved(Status::At(Position { frame, loc }), &draft);
                    steps.push(Step {
                        uninitialised,
                        enters: true,
                        ..self.step(draft, target, pos)
                    });
                }
            }
            Op::Start { dst, routine, args } => {
                if let Some(mut conditions) = self.is_elsewhere(&routine, pos) {
                    let mut draft = Draft { statements: draft.statements.clone(), ..draft };
                    draft.statements.append(&mut conditions);
                    steps.push(self.step(draft, Target::StartElsewhere, pos));
                }
                for (callee, condition) in self.callees(&routine) {
                    let mut draft = Draft { statements: draft.statements.clone(), ..draft };
                    draft
                        .statements
                        .extend(condition.map(|term| Statement::new(Action::Assume(term), pos)));
                    steps.push(self.start(proc, callee, &args, dst, pos, draft));
                }
            }
            Op::Return { value } => {
                let Some((caller, call)) = caller else {
                    return steps.push(self.end_of_thread(value, pos, draft));
                };
                let left = self.space.locals_of(proc, activation).into();
                let FrameData { proc: caller_proc, activation: of_caller, .. } =
                    self.steps.states.frames[caller];
                let call = &program.procs[caller_proc].edges[call];
                let dst = call.labels.last().and_then(|label| label.op.dst());
                if let Some(dst) = dst {
                    let dst = self.space.instance(dst, of_caller);
                    // C11 6.9.1p12 and 6.5.2.2p9: the value of a call that returned none, or one of
                    // another type than the pointer's, is undefined.
                    draft.statements.push(self.assigned(dst, value, pos));
                }
                draft.statements.extend(self.space.ends_of(proc, activation, pos));
                let position = Position { frame: caller, loc: call.target };
                let target = self.moved(Status::At(position), &draft);
                steps.push(Step { left, leaves: true, ..self.step(draft, target, pos) });
            }
            Op::ThreadExit { value } => steps.push(self.end_of_thread(Some(value), pos, draft)),
            Op::Error(kind) | Op::Claim(kind) => {
                steps.push(self.step(draft, Target::Error(kind), pos))
            }
            Op::Unsupported(gap) => steps.push(self.step(draft, Target::Unsupported(gap), pos)),
            Op::Exit { .. } | Op::Abort => steps.push(self.step(draft, Target::End, pos)),
            op @ (ops!(data, access, scope, object, section, remark)
            | Op::HavocMemory { .. }
            | Op::Join { .. }
            | Op::ThreadSelf { .. }
            | Op::Sync { .. }
            | Op::Choice(_)) => {
                let last = self.draft(vec![Label::new(op, pos)]);
                draft.statements.extend(last.statements);
                draft.deeper += last.deeper;
                let target = self.go_on(&draft);
                steps.push(self.step(draft, target, first_pos));
            }
        }
    }

    /// The second half of a wait. For condition variables signals may come without reason (POSIX), so nothing but the
    /// mutex has to be waited for.
    pub(super) fn make_woken(&mut self, steps: &mut Vec<Step>) {
        let FrameData { proc, activation, .. } = self.steps.states.frames[self.frame];
        let data = &self.space.program.procs[proc].edges[self.edge];
        let labels: Vec<Label> = data
            .labels
            .iter()
            .map(|label| self.space.instantiate_label(label, activation))
            .collect();
        let Some(wait) = waited_for(&labels) else { return };
        let mut draft = Draft::default();
        let dst = labels[0].op.dst();
        let pos = match wait {
            Wait::Condition { mutex, pos } => {
                self.sync(SyncOp::MutexLock, &[mutex], None, pos, &mut draft.statements);
                // Whether it was in time is open.
                draft.statements.extend(dst.map(|dst| Statement::any(dst, pos)));
                pos
            }
            Wait::Barrier { barrier, pos } => {
                let objects = self.sync_objects();
                objects.leave(self.space, self.thread, (barrier, dst, pos), &mut draft.statements);
                pos
            }
        };
        self.finish(draft, &labels, pos, steps);
    }

    /// Goes on behind a wait, which is the first label of the edge.
    fn finish(&mut self, mut draft: Draft, labels: &[Label], pos: SrcPos, steps: &mut Vec<Step>) {
        let rest = self.draft(labels[1..].to_vec());
        draft.statements.extend(rest.statements);
        draft.deeper = rest.deeper;
        let target = self.go_on(&draft);
        steps.push(self.step(draft, target, pos));
    }

    /// Whether barriers keep threads waiting: the same for every step, since an arrival that is not counted would keep
    /// others waiting. Thread views do not know how many of the other threads wait.
    fn has_barriers(&mut self) -> bool {
        self.steps.replicated.is_none() && self.sync_objects().has_barriers()
    }

    /// A thread comes to a barrier: a step for each of what may become of it.
    fn arrive(
        &mut self,
        barrier: Term,
        pos: SrcPos,
        labels: &[Label],
        position: Position,
        steps: &mut Vec<Step>,
    ) {
        let objects = self.sync_objects();
        let dst = labels[0].op.dst();
        for &arrival in objects.arrivals() {
            let mut draft = Draft::default();
            let wait = (barrier, dst, pos);
            objects.arrive(self.space, self.thread, arrival, wait, &mut draft.statements);
            match arrival {
                Arrival::Waits { .. } => {
                    let target = self.moved(Status::Waiting(position, self.edge), &draft);
                    steps.push(self.step(draft, target, pos));
                }
                Arrival::Completes | Arrival::Passes => self.finish(draft, labels, pos, steps),
            }
        }
    }

    fn step(&mut self, draft: Draft, target: Target, pos: SrcPos) -> Step {
        let (body, statements) =
            self.steps.made.bodies.intern(self.frame, self.edge, draft.statements);
        Step {
            source: self.control,
            thread: self.thread,
            starts: None,
            edge: self.edge,
            body,
            statements,
            left: Box::default(),
            uninitialised: Box::default(),
            enters: false,
            leaves: false,
            target,
            pos,
        }
    }

    pub(super) fn sync(
        &mut self,
        op: SyncOp,
        args: &[Term],
        dst: Option<Var>,
        pos: SrcPos,
        statements: &mut Vec<Statement>,
    ) {
        self.sync_objects().lower(self.space, self.thread, (op, args, dst), pos, statements);
    }

    fn sync_objects(&mut self) -> SyncObjects {
        self.steps.made.sync_objects.get_or_insert_with(|| SyncObjects::of(self.space)).clone()
    }

    /// `dst` gets the value if it has its sort, and any value otherwise.
    fn assigned(&self, dst: Var, value: Option<Term>, pos: SrcPos) -> Statement {
        let sort = self.space.sort(dst);
        let value = value.filter(|&value| self.space.terms.sort(value) == sort);
        Statement::assign(dst, value, pos)
    }

    /// The thread goes on behind its edge.
    fn go_on(&mut self, draft: &Draft) -> Target {
        let FrameData { proc, .. } = self.steps.states.frames[self.frame];
        let loc = self.space.program.procs[proc].edges[self.edge].target;
        self.moved(Status::At(Position { frame: self.frame, loc }), draft)
    }

    /// The control state in which this thread is somewhere else.
    fn moved(&mut self, status: Status, draft: &Draft) -> Target {
        let mut data = self.steps.states.controls[self.control].clone();
        for (thread, old) in &mut data.threads {
            if *thread == self.thread {
                *old = status;
            }
        }
        let depth = data.atomic.map_or(0, |(_, depth)| depth as i32) + draft.deeper;
        let is_over = status == Status::Ended || depth <= 0;
        data.atomic = (!is_over).then_some((self.thread, depth as u32));
        Target::Control(self.steps.states.controls.intern(data))
    }

    /// The thread is over, and with it the program, if it is main that returns or nobody is left.
    fn end_of_thread(&mut self, value: Option<Term>, pos: SrcPos, mut draft: Draft) -> Step {
        let FrameData { proc, activation, .. } = self.steps.states.frames[self.frame];
        let others = self.steps.states.controls[self.control].threads.iter();
        let is_last = !others
            .clone()
            .any(|(thread, status)| *thread != self.thread && *status != Status::Ended);
        let data = &self.space.program.procs[proc].edges[self.edge];
        let returns = matches!(data.labels.last().map(|label| &label.op), Some(Op::Return { .. }));
        if is_last || (self.thread == Thread::MAIN && returns) {
            return self.step(draft, Target::End, pos);
        }
        let dst = self.space.result(self.thread);
        draft.statements.push(self.assigned(dst, value, pos));
        // All frames end that the thread has.
        let mut frame = Some(self.frame);
        while let Some(data) = frame.map(|frame| self.steps.states.frames[frame]) {
            draft.statements.extend(self.space.ends_of(data.proc, data.activation, pos));
            frame = data.caller.map(|(caller, _)| caller);
        }
        draft.statements.extend(self.space.ends_of_thread(self.thread, pos));
        let left = self.space.locals_of(proc, activation).into();
        let target = self.moved(Status::Ended, &draft);
        Step { left, leaves: true, ..self.step(draft, target, pos) }
    }

    fn start(
        &mut self,
        proc: Proc,
        callee: Proc,
        args: &[Term],
        dst: Var,
        pos: SrcPos,
        mut draft: Draft,
    ) -> Step {
        let existing = self.steps.states.controls[self.control].threads.clone();
        let occurrence = existing
            .iter()
            .filter(|(thread, _)| {
                let (parent, at, edge, number) = self.steps.states.threads[*thread];
                (parent, at, edge) == (self.thread, proc, self.edge) && number != u32::MAX
            })
            .count() as u32;
        let replicas = self.steps.replicated.as_ref().filter(|it| it.starts_at(proc, self.edge));
        let is_replica = replicas.is_some();
        if replicas.is_some_and(|it| occurrence >= it.limit) {
            // It starts, but never makes a step.
            draft.statements.push(Statement::any(dst, pos));
            let target = self.go_on(&draft);
            return self.step(draft, target, pos);
        }
        let name = (self.thread, proc, self.edge, occurrence);
        let started = self.steps.states.threads.intern(name);
        let first = Activation { thread: started, depth: 0 };
        let (frame, uninitialised) = self.enter(first, callee, args, pos, &mut draft.statements);
        self.begin_thread_locals(first, pos, &mut draft.statements);
        let handle = (!is_replica).then(|| self.space.handle(started));
        draft.statements.push(Statement::assign(dst, handle, pos));
        let Target::Control(moved) = self.go_on(&draft) else {
            return self.step(draft, Target::End, pos);
        };
        let mut data = self.steps.states.controls[moved].clone();
        let loc = self.space.program.procs[callee].entry;
        data.threads.push((started, Status::At(Position { frame, loc })));
        data.threads.sort_unstable_by_key(|(thread, _)| *thread);
        let target = Target::Control(self.steps.states.controls.intern(data));
        Step { uninitialised, starts: Some(started), ..self.step(draft, target, pos) }
    }

    /// A new thread has its own thread-local variables, with their initial values.
    fn begin_thread_locals(
        &mut self,
        of: Activation,
        pos: SrcPos,
        statements: &mut Vec<Statement>,
    ) {
        let program = self.space.program;
        for (var, data) in program.vars.iter() {
            let VarKind::ThreadLocal { init } = data.kind else { continue };
            let dst = self.space.instance(var, of);
            statements.push(Statement::assign(dst, init, pos));
        }
    }

    /// The procedures that a call may enter, each with the condition under which it does.
    fn callees(&mut self, callee: &Callee) -> Vec<(Proc, Option<Term>)> {
        let pointer = match callee {
            Callee::Direct(proc) => return vec![(*proc, None)],
            Callee::Pointer(pointer) => *pointer,
        };
        let mut found = Vec::new();
        for (proc, object) in self.steps.made.functions.clone() {
            if self.space.may_point_to(pointer, object) {
                let address = self.space.terms.address(object);
                found.push((proc, Some(self.space.terms.eq(pointer, address))));
            }
        }
        found
    }

    /// The condition under which a pointer leads to a function that is none of the program's, or to no function at
    /// all, as statements; `None` where it cannot. Of a call of no function C says nothing: the execution goes on as if
    /// there were one, and is no counterexample.
    fn is_elsewhere(&mut self, callee: &Callee, pos: SrcPos) -> Option<Vec<Statement>> {
        let Callee::Pointer(pointer) = *callee else { return None };
        if !self.space.may_point_elsewhere(pointer) {
            return None;
        }
        let mut others = Vec::new();
        for (_, object) in self.steps.made.functions.clone() {
            if self.space.may_point_to(pointer, object) {
                others.push(self.space.terms.address(object));
            }
        }
        let differs = |other: Term| {
            let is_other = self.space.terms.eq(pointer, other);
            Statement::new(Action::Assume(self.space.terms.not(is_other)), pos)
        };
        Some(others.into_iter().map(differs).collect())
    }

    /// Adds what a function does that is none of the program's: what any function without body does.
    fn call_elsewhere(
        &mut self,
        args: &[Term],
        dst: Option<Var>,
        pos: SrcPos,
        statements: &mut Vec<Statement>,
    ) {
        let terms = &self.space.terms;
        let pointers = args.iter().copied().filter(|&arg| terms.sort(arg) == Sort::Ptr).collect();
        statements.push(Statement::new(Update::HavocMemory { pointers }, pos));
        statements.extend(dst.map(|dst| Statement::any(dst, pos)));
    }

    /// Adds what a call assigns to `statements`; gives the new frame, and what has no value there yet.
    fn enter(
        &mut self,
        activation: Activation,
        callee: Proc,
        args: &[Term],
        pos: SrcPos,
        statements: &mut Vec<Statement>,
    ) -> (Frame, Box<[Var]>) {
        let program = self.space.program;
        for (number, &param) in program.procs[callee].params.iter().enumerate() {
            let dst = self.space.instance(param, activation);
            // C11 6.5.2.2p6 and p9: other arguments than the function takes are undefined. Any
            // value is among what may happen.
            statements.push(self.assigned(dst, args.get(number).copied(), pos));
        }
        let uninitialised = self.space.read_uninitialised(callee, activation).into();
        // A thread that begins has no caller.
        let caller = (activation.depth > 0).then_some((self.frame, self.edge));
        let frame = self.steps.states.frames.intern(FrameData { proc: callee, activation, caller });
        (frame, uninitialised)
    }
}

/// What takes two steps: others may move in between.
enum Wait {
    Condition { mutex: Term, pos: SrcPos },
    Barrier { barrier: Term, pos: SrcPos },
}

/// The wait that is the first label of an edge: what may wait is.
fn waited_for(labels: &[Label]) -> Option<Wait> {
    let &Label { ref op, pos } = labels.first()?;
    match op {
        Op::Sync { op: SyncOp::CondWait | SyncOp::CondTimedWait, args, .. } => {
            Some(Wait::Condition { mutex: *args.get(1)?, pos })
        }
        Op::Sync { op: SyncOp::BarrierWait, args, .. } => {
            Some(Wait::Barrier { barrier: *args.first()?, pos })
        }
        _ => None,
    }
}
