//! Which procedures call which, and what a call may change outside of the caller's frame.

use ravelin_base::{EntityRef, EntitySet, SecondaryMap};
use ravelin_cfa::access::{Access, for_each_access};
use ravelin_cfa::{Callee, Object, ObjectKind, Op, Proc, Program, Term, Var};
use ravelin_pointsto::{PointsTo, Position, Target, TargetSet, for_each_label};
use rustc_hash::FxHashMap;

/// What a call of a procedure may change.
#[derive(Clone, Debug, Default)]
pub(crate) struct Changes {
    vars: EntitySet<Var>,
    memory: EntitySet<Target>,
    /// Objects that may end or begin.
    ended: EntitySet<Target>,
    all_vars: bool,
    all_memory: bool,
    all_ended: bool,
}

impl Changes {
    pub(crate) fn var(&self, var: Var) -> bool {
        self.all_vars || self.vars.contains(var)
    }

    pub(crate) fn memory(&self, target: Target) -> bool {
        self.all_memory || self.memory.contains(target)
    }

    pub(crate) fn life(&self, target: Target) -> bool {
        self.all_ended || self.ended.contains(target)
    }

    /// Adds the changes of another call; says whether there were new ones.
    fn add(&mut self, other: &Changes) -> bool {
        fn add_all<K: EntityRef>(into: &mut EntitySet<K>, from: &EntitySet<K>) -> bool {
            from.keys().fold(false, |changed, key| into.insert(key) | changed)
        }
        let flags = |changes: &Changes| [changes.all_vars, changes.all_memory, changes.all_ended];
        let before = flags(self);
        self.all_vars |= other.all_vars;
        self.all_memory |= other.all_memory;
        self.all_ended |= other.all_ended;
        let changed = flags(self) != before;
        add_all(&mut self.vars, &other.vars)
            | add_all(&mut self.memory, &other.memory)
            | add_all(&mut self.ended, &other.ended)
            | changed
    }
}

/// The calls of a program.
#[derive(Debug)]
pub(crate) struct Calls {
    /// The procedures that a call or the start of a thread may enter; `None` if also others.
    callees: FxHashMap<Position, (Vec<Proc>, bool)>,
    called: SecondaryMap<Proc, Vec<Proc>>,
    /// Where procedures stand in an order in which callees come before callers, as far as possible.
    pub(crate) rank: SecondaryMap<Proc, u32>,
    component: SecondaryMap<Proc, u32>,
    recursive: EntitySet<Proc>,
    changes: SecondaryMap<Proc, Changes>,
}

impl Calls {
    pub(crate) fn of(program: &Program, points_to: &PointsTo) -> Calls {
        let mut callees = FxHashMap::default();
        let mut called: SecondaryMap<Proc, Vec<Proc>> =
            SecondaryMap::with_capacity(program.procs.len());
        for_each_label(program, &mut |position, label| {
            let (Op::Call { callee, .. } | Op::Start { routine: callee, .. }) = &label.op else {
                return;
            };
            let (procs, is_open) = match callee {
                Callee::Direct(proc) => (vec![*proc], false),
                Callee::Pointer(pointer) => {
                    let is_open = points_to.of_term(program, *pointer).is_open();
                    (points_to.callees(position).to_vec(), is_open)
                }
            };
            if let Op::Call { .. } = &label.op {
                called[position.proc].extend(procs.iter().copied());
            }
            callees.insert(position, (procs, is_open));
        });
        for proc in program.procs.keys() {
            called[proc].sort_unstable();
            called[proc].dedup();
        }
        let mut calls = Calls {
            callees,
            called,
            rank: SecondaryMap::with_capacity(program.procs.len()),
            component: SecondaryMap::with_capacity(program.procs.len()),
            recursive: EntitySet::new(),
            changes: SecondaryMap::with_capacity(program.procs.len()),
        };
        calls.find_components(program);
        calls
    }

    /// The procedures that may be entered here, and whether others may be called as well.
    pub(crate) fn callees(&self, position: Position) -> (&[Proc], bool) {
        match self.callees.get(&position) {
            Some((procs, is_open)) => (procs, *is_open),
            None => (&[], true),
        }
    }

    pub(crate) fn is_recursive(&self, proc: Proc) -> bool {
        self.recursive.contains(proc)
    }

    pub(crate) fn changes(&self, proc: Proc) -> &Changes {
        &self.changes[proc]
    }

    /// Strongly connected components (Tarjan), callees first.
    fn find_components(&mut self, program: &Program) {
        const UNSEEN: u32 = u32::MAX;
        let mut index = SecondaryMap::with_default(UNSEEN);
        let mut low: SecondaryMap<Proc, u32> = SecondaryMap::new();
        let mut on_stack = EntitySet::new();
        let (mut stack, mut count, mut rank, mut component) = (Vec::new(), 0, 0, 0);
        for root in program.procs.keys() {
            if index[root] != UNSEEN {
                continue;
            }
            let mut work = vec![(root, 0usize)];
            while let Some((proc, next)) = work.pop() {
                if next == 0 {
                    index[proc] = count;
                    low[proc] = count;
                    count += 1;
                    stack.push(proc);
                    on_stack.insert(proc);
                }
                if let Some(&callee) = self.called[proc].get(next) {
                    work.push((proc, next + 1));
                    if index[callee] == UNSEEN {
                        work.push((callee, 0));
                    } else if on_stack.contains(callee) {
                        low[proc] = low[proc].min(index[callee]);
                    }
                    if callee == proc {
                        self.recursive.insert(proc);
                    }
                    continue;
                }
                if low[proc] == index[proc] {
                    let from = stack.iter().rposition(|&it| it == proc).unwrap_or(0);
                    let members = stack.split_off(from);
                    for &member in &members {
                        on_stack.remove(member);
                        self.component[member] = component;
                        if members.len() > 1 {
                            self.recursive.insert(member);
                        }
                        self.rank[member] = rank;
                        rank += 1;
                    }
                    component += 1;
                }
                if let Some(&(caller, _)) = work.last() {
                    low[caller] = low[caller].min(low[proc]);
                }
            }
        }
    }

    /// Computes what calls may change. `places` are the targets of pointers.
    pub(crate) fn find_changes(
        &mut self,
        program: &Program,
        places: &FxHashMap<Term, TargetSet>,
        of_object: &SecondaryMap<Object, Option<Target>>,
    ) {
        let mut own: SecondaryMap<Proc, Changes> = SecondaryMap::with_capacity(program.procs.len());
        for_each_label(program, &mut |position, label| {
            let changes = &mut own[position.proc];
            for_each_access(&label.op, &mut |access| match access {
                Access::Assign(var) => {
                    changes.vars.insert(var);
                }
                Access::WriteMemory(at) => match places.get(&at).filter(|set| !set.is_unknown()) {
                    Some(set) => set.targets().for_each(|target| {
                        changes.memory.insert(target);
                    }),
                    None => changes.all_memory = true,
                },
                Access::FreeMemory(at) => match places.get(&at).filter(|set| !set.is_unknown()) {
                    Some(set) => set.targets().for_each(|target| {
                        changes.ended.insert(target);
                    }),
                    None => changes.all_ended = true,
                },
                Access::Lifetime(object) => {
                    changes.ended.add_some(of_object[object]);
                    changes.memory.add_some(of_object[object]);
                }
                Access::ReachMemory(_) => {
                    changes.all_memory |= matches!(label.op, Op::HavocMemory { .. });
                }
                Access::Sync(..) | Access::ReadMemory(_) => {}
                Access::Evaluate(_)
                | Access::Join(_)
                | Access::Start
                | Access::Atomic
                | Access::Enter(_) => {}
            });
            // Synchronisation writes to its objects.
            if matches!(label.op, Op::Sync { .. }) {
                for_each_access(&label.op, &mut |access| {
                    if let Some(at) = access.pointer() {
                        match places.get(&at).filter(|set| !set.is_unknown()) {
                            Some(set) => set.targets().for_each(|target| {
                                changes.memory.insert(target);
                            }),
                            None => changes.all_memory = true,
                        }
                    }
                });
            }
            if let Op::Call { .. } = &label.op
                && self.callees.get(&position).is_none_or(|(_, is_open)| *is_open)
            {
                changes.all_vars = true;
                changes.all_memory = true;
                changes.all_ended = true;
            }
        });
        for (object, data) in program.objects.iter() {
            // With a frame its objects end.
            if let ObjectKind::Local(proc) = data.kind {
                own[proc].ended.add_some(of_object[object]);
                own[proc].memory.add_some(of_object[object]);
            }
        }
        self.changes = own;
        let mut order: Vec<Proc> = program.procs.keys().collect();
        order.sort_unstable_by_key(|&proc| self.rank[proc]);
        let mut changed = true;
        while changed {
            changed = false;
            for &proc in &order {
                let mut all = std::mem::take(&mut self.changes[proc]);
                for &callee in &self.called[proc] {
                    if callee != proc {
                        let callee = self.changes[callee].clone();
                        // Below a procedure of the same component, the order does not help.
                        changed |= all.add(&callee);
                    }
                }
                self.changes[proc] = all;
            }
        }
    }
}

trait AddSome<K> {
    fn add_some(&mut self, key: Option<K>);
}

impl<K: EntityRef> AddSome<K> for EntitySet<K> {
    fn add_some(&mut self, key: Option<K>) {
        if let Some(key) = key {
            self.insert(key);
        }
    }
}
