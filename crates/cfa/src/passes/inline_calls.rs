//! Replaces calls by the bodies of the procedures they call.

use ravelin_base::{EntityRef, SecondaryMap, SrcPos};
use ravelin_term::{Object, Sort, TermKind, Var};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::with_procedure;
use crate::access::{Access, Part, for_each_access, for_each_part};
use crate::flow::liveness::liveness;
use crate::flow::locals::Locals;
use crate::model::{Edge, EdgeData, Loc, ObjectKind, Proc, Procedure, Program, VarKind};
use crate::op::{AllocKind, Callee, HavocKind, Label, Op};

/// Which calls are replaced.
#[derive(Clone, Copy, Debug)]
pub struct InlineConfig {
    /// A procedure with at most this many edges is inlined wherever it is called.
    pub small: usize,
    /// A procedure that is called once, and used in no other way, is inlined up to this many edges.
    pub called_once: usize,
    /// The maximum number of edges of a procedure.
    pub max_edges: usize,
    /// The maximum growth of the program, in per cent of its edges, plus as many edges.
    pub max_growth: usize,
}

impl Default for InlineConfig {
    fn default() -> Self {
        InlineConfig { small: 20, called_once: 2_000, max_edges: 50_000, max_growth: 200 }
    }
}

/// Inlines procedures that are small or called once, and not recursive; callees first, so that
/// whole chains of calls vanish. The procedures stay: [`super::remove_dead_code`] drops those that
/// are no longer called.
///
/// A call's parameters, locals and local objects become fresh ones of the caller. The single
/// assignment step of a call or a return becomes several steps. Other threads cannot observe this,
/// because they see no locals; globals that the arguments read are read one after the other, as C
/// evaluates arguments (C11 6.5.2.2p10). A local that the callee may read before writing gets a new
/// arbitrary value: it is another object in each call (C11 6.2.4p5-6). The callee's objects end
/// where it returns. Procedures that allocate on their frame (`alloca`) are not inlined, since such
/// memory ends with the frame.
pub fn inline_calls(program: &mut Program, config: &InlineConfig) {
    let graph = CallGraph::of(program);
    let total: usize = program.procs.values().map(|procedure| procedure.edges.len()).sum();
    let mut budget = total / 100 * config.max_growth + config.max_growth;
    // The data for the inlined calls of a procedure is computed once, before its first call.
    let mut templates: SecondaryMap<Proc, Option<Template>> =
        SecondaryMap::with_capacity(program.procs.len());
    let mut locals = Locals::of(program);
    let mut objects = local_objects(program);
    for &caller in &graph.callees_first {
        let calls = calls_of(&program.procs[caller]);
        for (edge, callee) in calls {
            if !graph.may_inline(program, config, caller, callee) {
                continue;
            }
            let size = program.procs[callee].edges.len();
            let grown = program.procs[caller].edges.len() + size;
            let free = graph.is_called_once(callee);
            if grown > config.max_edges || (!free && size > budget) {
                continue;
            }
            if !free {
                budget -= size;
            }
            if templates[callee].is_none() {
                templates[callee] = Some(Template::of(program, &locals, &objects, callee));
            }
            let Some(template) = &templates[callee] else {
                continue;
            };
            with_procedure(program, caller, |program, procedure| {
                let (locals, objects) = (&mut locals, &mut objects);
                let mut inliner = Inliner { program, locals, objects, caller, callee, template };
                inliner.inline(procedure, edge);
            });
        }
        program.procs[caller].compact();
    }
}

/// The edges of a procedure that call others directly.
fn calls_of(procedure: &Procedure) -> Vec<(Edge, Proc)> {
    let direct = |data: &EdgeData| match data.labels.first() {
        Some(Label { op: Op::Call { callee: Callee::Direct(callee), .. }, .. }) => Some(*callee),
        _ => None,
    };
    procedure.edges.iter().filter_map(|(edge, data)| Some((edge, direct(data)?))).collect()
}

/// The call graph with the number of calls.
struct CallGraph {
    /// All procedures on no cycle of calls, each after its callees.
    callees_first: Vec<Proc>,
    recursive: SecondaryMap<Proc, bool>,
    calls: SecondaryMap<Proc, usize>,
    /// Whether a procedure is used other than by a direct call: as a thread's routine, as the
    /// target of a function pointer, or as the entry.
    other_uses: SecondaryMap<Proc, bool>,
    allocates_on_frame: SecondaryMap<Proc, bool>,
}

impl CallGraph {
    fn of(program: &Program) -> CallGraph {
        let mut graph = CallGraph {
            callees_first: Vec::new(),
            recursive: SecondaryMap::new(),
            calls: SecondaryMap::new(),
            other_uses: SecondaryMap::new(),
            allocates_on_frame: SecondaryMap::new(),
        };
        let mut callees: SecondaryMap<Proc, Vec<Proc>> = SecondaryMap::new();
        program.for_each_label(|proc, label| {
            let is_call = matches!(label.op, Op::Call { .. });
            if matches!(label.op, Op::Alloc { kind: AllocKind::Stack, .. }) {
                graph.allocates_on_frame[proc] = true;
            }
            for_each_access(&label.op, &mut |access| {
                if let Access::Enter(callee) = access {
                    if is_call {
                        callees[proc].push(callee);
                        graph.calls[callee] += 1;
                    } else {
                        graph.other_uses[callee] = true;
                    }
                }
            });
        });
        for data in program.objects.values() {
            if let ObjectKind::Function(proc) = data.kind {
                graph.other_uses[proc] = true;
            }
        }
        if let Some(entry) = program.entry {
            graph.other_uses[entry] = true;
        }
        graph.find_cycles(program, &callees);
        graph
    }

    /// Tarjan's algorithm, without recursion. A procedure is recursive if its component has other
    /// members, or if it calls itself.
    fn find_cycles(&mut self, program: &Program, callees: &SecondaryMap<Proc, Vec<Proc>>) {
        const UNSEEN: u32 = u32::MAX;
        let mut number: SecondaryMap<Proc, u32> = SecondaryMap::with_default(UNSEEN);
        let mut low: SecondaryMap<Proc, u32> = SecondaryMap::new();
        let mut on_stack: SecondaryMap<Proc, bool> = SecondaryMap::new();
        let mut stack = Vec::new();
        let mut next_number = 0;
        for root in program.procs.keys() {
            let mut work = vec![(root, 0usize)];
            while let Some((proc, next)) = work.pop() {
                if next == 0 {
                    if number[proc] != UNSEEN {
                        continue;
                    }
                    number[proc] = next_number;
                    low[proc] = next_number;
                    next_number += 1;
                    stack.push(proc);
                    on_stack[proc] = true;
                }
                if let Some(&previous) = next.checked_sub(1).and_then(|i| callees[proc].get(i))
                    && on_stack[previous]
                {
                    low[proc] = low[proc].min(low[previous]);
                }
                if let Some(&callee) = callees[proc].get(next) {
                    work.push((proc, next + 1));
                    if number[callee] == UNSEEN {
                        work.push((callee, 0));
                    }
                    continue;
                }
                if low[proc] == number[proc] {
                    let start = stack.iter().rposition(|&other| other == proc).unwrap_or(0);
                    let component = stack.split_off(start);
                    let is_cycle = component.len() > 1 || callees[proc].contains(&proc);
                    for other in component {
                        on_stack[other] = false;
                        self.recursive[other] = is_cycle;
                        self.callees_first.push(other);
                    }
                }
            }
        }
    }

    fn is_called_once(&self, callee: Proc) -> bool {
        self.calls[callee] == 1 && !self.other_uses[callee]
    }

    fn may_inline(
        &self,
        program: &Program,
        config: &InlineConfig,
        caller: Proc,
        callee: Proc,
    ) -> bool {
        let size = program.procs[callee].edges.len();
        let limit = if self.is_called_once(callee) { config.called_once } else { 0 };
        caller != callee
            && !self.recursive[callee]
            && !self.allocates_on_frame[callee]
            && size <= limit.max(config.small)
    }
}

/// The data that all inlined calls of a procedure share.
#[derive(Clone)]
struct Template {
    vars: Vec<Var>,
    objects: Vec<Object>,
    /// Locals that may be read before they are written.
    read_first: Vec<Var>,
}

/// The local objects of each procedure.
type LocalObjects = SecondaryMap<Proc, Vec<Object>>;

fn local_objects(program: &Program) -> LocalObjects {
    let mut objects = LocalObjects::with_capacity(program.procs.len());
    for (object, data) in program.objects.iter() {
        if let ObjectKind::Local(proc) = data.kind {
            objects[proc].push(object);
        }
    }
    objects
}

impl Template {
    fn of(program: &Program, locals: &Locals, objects: &LocalObjects, callee: Proc) -> Template {
        let procedure = &program.procs[callee];
        let live = liveness(program, locals, callee, procedure).at(procedure.entry);
        let vars = locals.list(callee).to_vec();
        let is_read_first = |var: &&Var| {
            !procedure.params.contains(var)
                && locals.number(program, **var).is_some_and(|number| live.contains(number))
        };
        let read_first = vars.iter().filter(is_read_first).copied().collect();
        Template { objects: objects[callee].clone(), vars, read_first }
    }
}

struct Inliner<'a> {
    program: &'a mut Program,
    locals: &'a mut Locals,
    objects: &'a mut LocalObjects,
    caller: Proc,
    callee: Proc,
    template: &'a Template,
}

impl Inliner<'_> {
    /// Replaces the call on `edge` of the caller.
    fn inline(&mut self, caller: &mut Procedure, edge: Edge) {
        let data = &mut caller.edges[edge];
        let target = data.target;
        let labels = std::mem::take(&mut data.labels);
        let (dst, args, pos) = match labels.into_iter().next() {
            Some(Label { op: Op::Call { dst, args, .. }, pos }) => (dst, args, pos),
            // The caller of this function found a call here.
            other => {
                data.labels = other.into_iter().collect();
                return;
            }
        };
        let vars = self.fresh_vars();
        let objects = self.fresh_objects();

        // The call's edge becomes empty and leads to the assignment of the parameters.
        let mut last = caller.add_loc();
        caller.edges[edge].target = last;
        let params = self.program.procs[self.callee].params.clone();
        let arguments = params.iter().zip(args);
        let mut prologue: Vec<Op> =
            arguments.map(|(param, value)| Op::Assign { dst: vars[param], value }).collect();
        let havoc = |var| Op::Havoc { dst: vars[var], kind: HavocKind::Uninitialised };
        prologue.extend(self.template.read_first.iter().map(havoc));
        for op in prologue {
            let next = caller.add_loc();
            caller.add_edge(last, next, [Label::new(op, pos)]);
            last = next;
        }

        let returned = caller.add_loc();
        let entry = self.copy_body(caller, &vars, &objects, dst, returned);
        caller.add_edge(last, entry, []);

        let mut last = returned;
        for object in &self.template.objects {
            let next = caller.add_loc();
            caller.add_edge(last, next, [Label::new(Op::ScopeEnd(objects[object]), pos)]);
            last = next;
        }
        for op in self.forgotten(&vars, dst) {
            let next = caller.add_loc();
            caller.add_edge(last, next, [Label::new(op, pos)]);
            last = next;
        }
        caller.add_edge(last, target, []);
    }

    /// Takes the pointers from the callee's variables where they track memory: a frame's end takes them, too.
    fn forgotten(&mut self, vars: &FxHashMap<Var, Var>, dst: Option<Var>) -> Vec<Op> {
        if !self.program.tracks_memory() {
            return Vec::new();
        }
        let width = self.program.data_model.pointer_bits();
        let mut ops = Vec::new();
        for var in &self.template.vars {
            let copy = vars[var];
            let value = match self.program.vars[copy].sort {
                Sort::Ptr => self.program.terms.null(),
                Sort::Bv(bits) if bits >= width => self.program.terms.bv(bits, 0),
                Sort::Bv(_) | Sort::Bool | Sort::Float(_) | Sort::Mem => continue,
            };
            if dst != Some(copy) && !self.program.is_temporary(copy) {
                ops.push(Op::Assign { dst: copy, value });
            }
        }
        ops
    }

    /// Copies the callee's graph into the caller; returns the copy of its entry.
    fn copy_body(
        &mut self,
        caller: &mut Procedure,
        vars: &FxHashMap<Var, Var>,
        objects: &FxHashMap<Object, Object>,
        dst: Option<Var>,
        returned: Loc,
    ) -> Loc {
        let first = caller.locs.len();
        let copy = |loc: Loc| Loc::new(first + loc.index());
        // The callee is only taken out of the program to borrow both; it does not change.
        let (name, pos) = (self.program.procs[self.callee].name, SrcPos::NONE);
        let callee =
            std::mem::replace(&mut self.program.procs[self.callee], Procedure::new(name, pos));
        for _ in callee.locs.keys() {
            caller.add_loc();
        }
        for data in callee.locs.values() {
            for &edge in &data.out {
                let edge = &callee.edges[edge];
                let mut labels: SmallVec<[Label; 1]> = edge.labels.clone();
                labels.iter_mut().for_each(|label| self.rename(&mut label.op, vars, objects));
                let mut target =
                    if edge.target == callee.exit { caller.exit } else { copy(edge.target) };
                if let Some(label) = labels.last_mut()
                    && let Op::Return { value } = label.op
                {
                    target = returned;
                    label.op = match (dst, value) {
                        (Some(dst), Some(value)) => Op::Assign { dst, value },
                        _ => Op::Skip,
                    };
                }
                caller.add_edge(copy(edge.source), target, labels);
            }
        }
        let entry = copy(callee.entry);
        self.program.procs[self.callee] = callee;
        entry
    }

    fn rename(
        &mut self,
        op: &mut Op,
        vars: &FxHashMap<Var, Var>,
        objects: &FxHashMap<Object, Object>,
    ) {
        let (terms, declared) = (&mut self.program.terms, &self.program.vars);
        for_each_part(op, &mut |part| match part {
            Part::Term(term) => {
                *term = terms.replace_leaves(*term, |terms, leaf| match leaf {
                    TermKind::Var(var) => {
                        vars.get(&var).map(|&var| terms.var(var, declared[var].sort))
                    }
                    TermKind::Address(object) => {
                        objects.get(&object).map(|&object| terms.address(object))
                    }
                    _ => None,
                });
            }
            Part::Dst(var) => *var = vars.get(var).copied().unwrap_or(*var),
            Part::Object(object) => *object = objects.get(object).copied().unwrap_or(*object),
            Part::Proc(_) => {}
        });
    }

    fn fresh_vars(&mut self) -> FxHashMap<Var, Var> {
        let mut fresh = FxHashMap::default();
        for &var in &self.template.vars {
            let mut data = self.program.vars[var].clone();
            data.kind = VarKind::Local(self.caller);
            let copy = self.program.vars.push(data);
            self.locals.add(self.caller, copy);
            fresh.insert(var, copy);
        }
        fresh
    }

    fn fresh_objects(&mut self) -> FxHashMap<Object, Object> {
        let mut fresh = FxHashMap::default();
        for &object in &self.template.objects {
            let mut data = self.program.objects[object].clone();
            data.kind = ObjectKind::Local(self.caller);
            let copy = self.program.add_object(data);
            self.objects[self.caller].push(copy);
            fresh.insert(object, copy);
        }
        fresh
    }
}
