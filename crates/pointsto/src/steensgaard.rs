//! Steensgaard's analysis: a pointer is to one block of memory, and whatever it may be to becomes one.
//!
//! What kinds of values there are besides places does not go both ways: it is found afterwards, along the
//! direction in which values go.

use std::sync::Arc;

use ravelin_base::{Budget, Exhausted, PrimaryMap, SecondaryMap};
use ravelin_cfa::{Proc, Program, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Fields;
use crate::blocks::{Block, Blocks, Point};
use crate::constraint::{CallTarget, Constraint, CopySize, Generator, Node, Value};
use crate::flags::Flags;
use crate::object::{Objects, Target};
use crate::offset::Offset;
use crate::result::{PointsTo, TargetSet, add};
use crate::value::{Shift, Source};

#[derive(Clone, Debug, Default)]
struct NodeState {
    points_to: Option<Point>,
    flags: Flags,
    merged_into: Option<Node>,
}

#[derive(Debug)]
pub(crate) struct Steensgaard<'p> {
    generator: Generator<'p>,
    blocks: Blocks,
    nodes: SecondaryMap<Node, NodeState>,
    of_target: PrimaryMap<Target, Point>,
    constraints: Vec<Constraint>,
    functions: Vec<Proc>,
    fields: Fields,
    is_memory_unknown: bool,
    /// Points in the blocks that functions without body reach.
    outside: Vec<Point>,
}

/// What makes two sets the same: the place in a block, and the kinds of values.
type SetKey = (Option<(Block, i64)>, Flags);

/// Where kinds of values go, and how they change on the way.
type FlagEdges = SecondaryMap<Node, Vec<(Node, FlagEdge)>>;

#[derive(Clone, Copy, Debug)]
enum FlagEdge {
    /// The value goes there, shifted.
    Value(Shift),
    /// What is read through the value, shifted, goes there; if it is unknown, so is what is read.
    Address(Shift),
}

impl<'p> Steensgaard<'p> {
    pub(crate) fn solve(
        program: &'p Program,
        objects: Objects,
        fields: Fields,
        depth: usize,
        budget: &mut Budget,
    ) -> Result<Self, Exhausted> {
        let mut generator = Generator::new(program, objects, depth);
        let mut constraints = Vec::new();
        generator.initial(&mut constraints);
        let functions = generator.all_functions();
        let mut blocks = Blocks::new(fields == Fields::Sensitive);
        let mut of_target = PrimaryMap::with_capacity(generator.objects.len());
        for (target, data) in generator.objects.iter() {
            of_target.push(blocks.add_object(target, data.background));
        }
        let mut solver = Steensgaard {
            generator,
            blocks,
            nodes: SecondaryMap::new(),
            of_target,
            constraints,
            functions,
            fields,
            is_memory_unknown: false,
            outside: Vec::new(),
        };
        solver.run(budget)?;
        Ok(solver)
    }

    fn run(&mut self, budget: &mut Budget) -> Result<(), Exhausted> {
        let mut new = std::mem::take(&mut self.constraints);
        loop {
            while !new.is_empty() {
                let batch = std::mem::take(&mut new);
                for constraint in &batch {
                    budget.tick()?;
                    self.constraint(constraint, &mut new);
                }
                self.constraints.extend(batch);
            }
            if std::mem::take(&mut self.blocks.has_changed) {
                // What was done before a change may have to be done again: copies and calls.
                let all = std::mem::take(&mut self.constraints);
                for constraint in &all {
                    budget.tick()?;
                    self.constraint(constraint, &mut new);
                }
                self.constraints = all;
                continue;
            }
            self.find_flags(&mut new, budget)?;
            if new.is_empty() && !self.blocks.has_changed {
                return Ok(());
            }
        }
    }

    fn find(&self, mut node: Node) -> Node {
        while let Some(into) = self.nodes[node].merged_into {
            node = into;
        }
        node
    }

    /// Where the pointers of a holder are to.
    fn points_to(&mut self, node: Node) -> Point {
        let node = self.find(node);
        let point = match self.nodes[node].points_to {
            Some(point) => point,
            None => {
                let point = self.blocks.add();
                self.nodes[node].points_to = Some(point);
                point
            }
        };
        let point = self.blocks.find(point);
        self.nodes[node].points_to = Some(point);
        point
    }

    /// Makes the pointers of a holder be to this point, too.
    fn point(&mut self, node: Node, to: Point) {
        let node = self.find(node);
        match self.nodes[node].points_to {
            Some(point) => self.blocks.unify(point, to),
            None => self.nodes[node].points_to = Some(to),
        }
        self.settle();
    }

    /// Unites the holders that have become the same.
    fn settle(&mut self) {
        while let Some((a, b)) = self.blocks.to_unite.pop() {
            let (a, b) = (self.find(a), self.find(b));
            if a == b {
                continue;
            }
            let old = std::mem::take(&mut self.nodes[b]);
            self.nodes[b].merged_into = Some(a);
            self.nodes[a].flags |= old.flags;
            match (self.nodes[a].points_to, old.points_to) {
                (Some(point), Some(other)) => self.blocks.unify(point, other),
                (None, other) => self.nodes[a].points_to = other,
                (Some(_), None) => {}
            }
        }
    }

    /// The points of a value, moved as it says.
    fn points_of(&mut self, value: &Value) -> Vec<Point> {
        let mut points = Vec::with_capacity(value.len());
        for source in value {
            let (point, by) = match *source {
                Source::Holder(node, shift) => (self.points_to(node), shift.total()),
                Source::Address(target, offset) => (self.of_target[target], offset),
                Source::Flags(_) => continue,
            };
            if by.stride() != 0 {
                self.blocks.reduce(point, by.stride());
                self.settle();
            }
            points.push(point.plus(by.at()));
        }
        points
    }

    /// The holder of the pointer at a point.
    fn cell(&mut self, point: Point) -> Node {
        self.blocks.add_access(point);
        self.settle();
        if let Some(node) = self.blocks.cell(point) {
            return self.find(node);
        }
        let node = self.generator.new_node();
        self.blocks.set_cell(point, node);
        node
    }

    fn assign(&mut self, dst: Node, value: &Value) {
        for point in self.points_of(value) {
            self.point(dst, point);
        }
    }

    /// Makes what a constraint says true, as far as it is about places.
    fn constraint(&mut self, constraint: &Constraint, new: &mut Vec<Constraint>) {
        match constraint {
            Constraint::Assign { dst, value } => self.assign(*dst, value),
            Constraint::Load { dst, addr } => {
                for point in self.points_of(addr) {
                    let cell = self.cell(point);
                    let to = self.points_to(cell);
                    self.point(*dst, to);
                }
            }
            Constraint::Store { addr, value, width } => {
                for point in self.points_of(addr) {
                    if *width == self.generator.pointer_bytes() {
                        let cell = self.cell(point);
                        self.assign(cell, value);
                    } else {
                        self.blocks.add_number(point, *width);
                        self.settle();
                    }
                }
            }
            Constraint::Copy { dst, src, size } => {
                let sources = self.points_of(src);
                for to in self.points_of(dst) {
                    for &from in &sources {
                        self.copy(to, from, *size);
                    }
                }
            }
            Constraint::Fill { dst, is_zero, size } => {
                for point in self.points_of(dst) {
                    match (is_zero, size.and_then(|size| i64::try_from(size).ok())) {
                        (true, Some(size)) => {
                            self.blocks.add_flags(point, Flags::NULL);
                            self.blocks.add_cut(point);
                            self.blocks.add_cut(point.plus(size));
                            self.settle();
                        }
                        (true, None) | (false, _) => {
                            self.blocks.add_flags(point, Flags::UNKNOWN);
                        }
                    }
                }
            }
            Constraint::Havoc { pointers } => {
                for pointer in pointers {
                    for point in self.points_of(pointer) {
                        self.havoc(point);
                    }
                }
            }
            Constraint::Call(call) => match &call.callee {
                CallTarget::Proc(proc) => self.generator.link(call, *proc, new),
                CallTarget::Pointer(pointer) => {
                    for point in self.points_of(pointer) {
                        for proc in self.functions_at(point) {
                            self.generator.link(call, proc, new);
                        }
                    }
                }
            },
        }
    }

    fn functions_at(&mut self, point: Point) -> Vec<Proc> {
        let at = self.blocks.find(point).at;
        let data = self.blocks.data(point);
        let objects = &self.generator.objects;
        let functions = data.objects().iter().filter_map(|&(target, position)| {
            let offset = data.offset_from(at, position);
            objects.data(target).function.filter(|_| offset.covers(Offset::ZERO))
        });
        functions.collect()
    }

    /// What can be reached from here may be anything.
    fn havoc(&mut self, point: Point) {
        let mut work = vec![point];
        let mut seen = FxHashSet::default();
        while let Some(point) = work.pop() {
            let block = self.blocks.find(point).block;
            if !seen.insert(block) {
                continue;
            }
            self.blocks.add_flags(point, Flags::UNKNOWN);
            self.outside.push(point);
            let cells: Vec<Node> = self.blocks.data(point).cells().map(|(_, node)| node).collect();
            for cell in cells {
                work.extend(self.nodes[self.find(cell)].points_to);
            }
        }
    }

    fn copy(&mut self, to: Point, from: Point, size: CopySize) {
        // A cell of the source may stand for many, and so it must in the destination.
        let modulus = self.blocks.data(from).modulus();
        if modulus != 0 {
            self.blocks.reduce(to, modulus);
            self.settle();
        }
        let (to, from) = (self.blocks.find(to), self.blocks.find(from));
        if to.block != from.block {
            self.copy_contents(to, from);
        } else if to.at != from.at {
            // What is at one offset comes to be at the other.
            self.blocks.reduce(to, to.at.abs_diff(from.at));
            self.settle();
        }
        match size {
            CopySize::All => {}
            CopySize::Unknown => self.blocks.add_flags(to, Flags::UNKNOWN),
            CopySize::Bytes(size) => {
                self.blocks.add_cut(to);
                self.blocks.add_cut(to.plus(i64::try_from(size).unwrap_or(i64::MAX)));
                self.settle();
            }
        }
    }

    fn copy_contents(&mut self, to: Point, from: Point) {
        let data = self.blocks.data(from);
        let cells: Vec<(i64, Node)> = data.cells().collect();
        let accesses: Vec<i64> = data.accesses().collect();
        let numbers: Vec<(i64, u64)> = data.numbers().collect();
        let cuts: Vec<i64> = data.cuts().collect();
        let flags = data.flags();
        let there = |at: i64| to.plus(at.wrapping_sub(from.at));
        self.blocks.add_flags(to, flags);
        for (at, node) in cells {
            let cell = self.cell(there(at));
            let points = self.points_to(node);
            self.point(cell, points);
        }
        for at in accesses {
            self.blocks.add_access(there(at));
        }
        for (at, width) in numbers {
            self.blocks.add_number(there(at), width);
        }
        for at in cuts {
            self.blocks.add_cut(there(at));
        }
        self.settle();
    }

    /// Finds all kinds of values, and the calls that they lead to.
    fn find_flags(
        &mut self,
        new: &mut Vec<Constraint>,
        budget: &mut Budget,
    ) -> Result<(), Exhausted> {
        let all = std::mem::take(&mut self.constraints);
        let (edges, mut work) = self.flag_edges(&all);
        loop {
            while let Some(node) = work.pop() {
                budget.tick()?;
                for &(to, edge) in &edges[node] {
                    let flags = self.flags_along(node, edge);
                    self.add_flags(to, flags, &mut work);
                }
            }
            let outside = self.outside_blocks();
            for constraint in &all {
                self.use_unknown(constraint, new, &mut work);
                self.hand_out_unknown(constraint, &outside, &mut work);
            }
            if work.is_empty() {
                self.constraints = all;
                return Ok(());
            }
        }
    }

    fn flags_along(&mut self, from: Node, edge: FlagEdge) -> Flags {
        let (shift, is_address) = match edge {
            FlagEdge::Value(shift) => (shift, false),
            FlagEdge::Address(shift) => (shift, true),
        };
        let mut flags = shift.flags(self.nodes[from].flags);
        if shift.may_lose() && self.is_lost(from, shift) {
            flags |= Flags::UNKNOWN;
        }
        match is_address {
            true if flags.is_unknown() => Flags::UNKNOWN,
            true => Flags::NONE,
            false => flags,
        }
    }

    fn add_flags(&mut self, node: Node, flags: Flags, work: &mut Vec<Node>) {
        let node = self.find(node);
        let state = &mut self.nodes[node];
        if !state.flags.contains(flags) {
            state.flags |= flags;
            work.push(node);
        }
    }

    /// Whether a place of the holder may be lost when its address is looked up.
    fn is_lost(&mut self, node: Node, shift: Shift) -> bool {
        let Some(point) = self.nodes[self.find(node)].points_to else { return false };
        let at = self.blocks.find(point).at;
        let data = self.blocks.data(point);
        let objects = &self.generator.objects;
        data.objects().iter().any(|&(target, position)| {
            let offset = data.offset_from(at, position);
            shift.place(offset, objects.data(target).size).is_none()
        })
    }

    /// The ways of kinds of values; and where they begin.
    fn flag_edges(&mut self, all: &[Constraint]) -> (FlagEdges, Vec<Node>) {
        let mut edges = FlagEdges::new();
        let mut work = Vec::new();
        let bytes = self.generator.pointer_bytes();
        for block in self.blocks.roots() {
            let data = self.blocks.data(Point { block, at: 0 });
            let (cells, flags) = (data.cells().collect::<Vec<_>>(), data.flags());
            let mixed: Vec<i64> = data.accesses().filter(|&at| data.is_mixed(at, bytes)).collect();
            for (at, node) in cells {
                let is_mixed = match self.fields {
                    Fields::Sensitive => mixed.contains(&at),
                    Fields::Insensitive => !mixed.is_empty(),
                };
                let unknown = if is_mixed { Flags::UNKNOWN } else { Flags::NONE };
                self.add_flags(node, flags | unknown, &mut work);
            }
        }
        for constraint in all {
            match constraint {
                Constraint::Assign { dst, value } => {
                    self.add_flag_edges(*dst, value, FlagEdge::Value, &mut edges, &mut work);
                }
                Constraint::Load { dst, addr } => {
                    let dst = self.find(*dst);
                    self.add_flag_edges(dst, addr, FlagEdge::Address, &mut edges, &mut work);
                    for point in self.points_of(addr) {
                        let cell = self.cell(point);
                        edges[cell].push((dst, FlagEdge::Value(Shift::NONE)));
                        work.push(cell);
                    }
                }
                Constraint::Store { addr, value, width } if *width == bytes => {
                    for point in self.points_of(addr) {
                        let cell = self.cell(point);
                        self.add_flag_edges(cell, value, FlagEdge::Value, &mut edges, &mut work);
                    }
                }
                Constraint::Copy { dst, src, size: _ } => {
                    let sources = self.points_of(src);
                    for to in self.points_of(dst) {
                        for &from in &sources {
                            self.copy_flag_edges(to, from, &mut edges, &mut work);
                        }
                    }
                }
                Constraint::Store { .. }
                | Constraint::Fill { .. }
                | Constraint::Havoc { .. }
                | Constraint::Call(_) => {}
            }
        }
        (edges, work)
    }

    fn copy_flag_edges(
        &mut self,
        to: Point,
        from: Point,
        edges: &mut FlagEdges,
        work: &mut Vec<Node>,
    ) {
        let (to, from) = (self.blocks.find(to), self.blocks.find(from));
        if to.block == from.block {
            return;
        }
        let cells: Vec<(i64, Node)> = self.blocks.data(from).cells().collect();
        for (at, node) in cells {
            let (node, cell) = (self.find(node), self.cell(to.plus(at.wrapping_sub(from.at))));
            edges[node].push((cell, FlagEdge::Value(Shift::NONE)));
            work.push(node);
        }
    }

    fn add_flag_edges(
        &mut self,
        dst: Node,
        value: &Value,
        edge: fn(Shift) -> FlagEdge,
        edges: &mut FlagEdges,
        work: &mut Vec<Node>,
    ) {
        let dst = self.find(dst);
        for source in value {
            match *source {
                Source::Holder(node, shift) => {
                    let node = self.find(node);
                    edges[node].push((dst, edge(shift)));
                    work.push(node);
                }
                Source::Flags(flags) => match edge(Shift::NONE) {
                    FlagEdge::Value(_) => self.add_flags(dst, flags, work),
                    FlagEdge::Address(_) if flags.is_unknown() => {
                        self.add_flags(dst, Flags::UNKNOWN, work);
                    }
                    FlagEdge::Address(_) => {}
                },
                Source::Address(..) => {}
            }
        }
    }

    /// Does what a constraint says if an address may be to anything.
    fn use_unknown(
        &mut self,
        constraint: &Constraint,
        new: &mut Vec<Constraint>,
        work: &mut Vec<Node>,
    ) {
        match constraint {
            Constraint::Store { addr, .. } => self.write_unknown(addr, work),
            Constraint::Fill { dst, .. } => self.write_unknown(dst, work),
            Constraint::Copy { dst, src, size: _ } => {
                self.write_unknown(dst, work);
                if self.is_unknown(src) {
                    for point in self.points_of(dst) {
                        self.blocks.add_flags(point, Flags::UNKNOWN);
                        let cells: Vec<Node> =
                            self.blocks.data(point).cells().map(|(_, node)| node).collect();
                        for cell in cells {
                            self.add_flags(cell, Flags::UNKNOWN, work);
                        }
                    }
                }
            }
            Constraint::Havoc { pointers } => {
                pointers.iter().for_each(|pointer| self.write_unknown(pointer, work));
            }
            Constraint::Call(call) => {
                if let CallTarget::Pointer(pointer) = &call.callee
                    && self.is_unknown(pointer)
                {
                    for index in 0..self.functions.len() {
                        self.generator.link(call, self.functions[index], new);
                    }
                    self.generator.link_outside(call, new);
                }
            }
            // Along the edges of kinds of values.
            Constraint::Assign { .. } | Constraint::Load { .. } => {}
        }
    }

    /// A function without body writes through the pointers that it finds: to anywhere, if one of them may be to
    /// anything. What it leaves there itself leads to nothing that it did not reach before.
    fn hand_out_unknown(
        &mut self,
        constraint: &Constraint,
        outside: &FxHashSet<Block>,
        work: &mut Vec<Node>,
    ) {
        let (to, is_unknown) = match constraint {
            _ if outside.is_empty() || self.is_memory_unknown => return,
            Constraint::Store { addr, value, width: _ } => (addr, self.is_unknown(value)),
            Constraint::Copy { dst, src, size: _ } => (dst, self.holds_unknown(src)),
            Constraint::Fill { .. }
            | Constraint::Havoc { .. }
            | Constraint::Call(_)
            | Constraint::Assign { .. }
            | Constraint::Load { .. } => return,
        };
        if !is_unknown {
            return;
        }
        let points = self.points_of(to);
        if points.into_iter().any(|point| outside.contains(&self.blocks.find(point).block)) {
            self.forget_memory(work);
        }
    }

    /// Whether what lies behind a pointer may be anything.
    fn holds_unknown(&mut self, pointer: &Value) -> bool {
        self.is_unknown(pointer)
            || self.points_of(pointer).into_iter().any(|point| {
                let data = self.blocks.data(point);
                let cells: Vec<Node> = data.cells().map(|(_, node)| node).collect();
                data.flags().is_unknown()
                    || cells.into_iter().any(|cell| {
                        let flags = self.nodes[self.find(cell)].flags;
                        flags.is_unknown()
                    })
            })
    }

    fn outside_blocks(&mut self) -> FxHashSet<Block> {
        let blocks = self.outside.iter().map(|&point| self.blocks.find(point).block);
        blocks.collect()
    }

    fn write_unknown(&mut self, addr: &Value, work: &mut Vec<Node>) {
        if !self.is_memory_unknown && self.is_unknown(addr) {
            self.forget_memory(work);
        }
    }

    fn forget_memory(&mut self, work: &mut Vec<Node>) {
        self.is_memory_unknown = true;
        for block in self.blocks.roots() {
            let data = self.blocks.data(Point { block, at: 0 });
            let cells: Vec<Node> = data.cells().map(|(_, node)| node).collect();
            for cell in cells {
                self.add_flags(cell, Flags::UNKNOWN, work);
            }
        }
    }

    fn is_unknown(&mut self, value: &Value) -> bool {
        value.iter().any(|source| match *source {
            Source::Flags(flags) => flags.is_unknown(),
            Source::Holder(node, shift) => {
                let flags = shift.flags(self.nodes[self.find(node)].flags);
                flags.is_unknown() || (shift.may_lose() && self.is_lost(node, shift))
            }
            Source::Address(..) => false,
        })
    }

    /// The result, in which sets of one block are shared.
    pub(crate) fn into_result(mut self) -> PointsTo {
        let mut shared = FxHashMap::default();
        let mut vars: SecondaryMap<Var, Option<Arc<TargetSet>>> = SecondaryMap::new();
        for (var, _, node) in self.generator.var_nodes() {
            let set = self.set(node, &mut shared);
            add(&mut vars[var], set);
        }
        let bytes = self.generator.pointer_bytes();
        let mut cells: FxHashMap<(Target, Offset), Option<Arc<TargetSet>>> = FxHashMap::default();
        for block in self.blocks.roots() {
            let data = self.blocks.data(Point { block, at: 0 }).clone();
            for at in data.accesses().collect::<Vec<_>>() {
                let Some(node) = self.blocks.cell(Point { block, at }) else { continue };
                let set = self.set(node, &mut shared);
                for &(target, position) in data.objects() {
                    let offset = data.offset_from(at, position);
                    if offset.fits(bytes, self.generator.objects.data(target).size) {
                        add(cells.entry((target, offset)).or_default(), Arc::clone(&set));
                    }
                }
            }
        }
        PointsTo::assemble(self.generator, vars, cells, self.is_memory_unknown)
    }

    fn set(
        &mut self,
        node: Node,
        shared: &mut FxHashMap<SetKey, Arc<TargetSet>>,
    ) -> Arc<TargetSet> {
        let node = self.find(node);
        let flags = self.nodes[node].flags;
        let point = self.nodes[node].points_to.map(|point| self.blocks.find(point));
        let key = (point.map(|point| (point.block, point.at)), flags);
        if let Some(set) = shared.get(&key) {
            return Arc::clone(set);
        }
        let places = match point {
            Some(point) if !flags.contains(Flags::UNKNOWN) => {
                let data = self.blocks.data(point);
                let places = data.objects().iter();
                places.map(|&(target, at)| (target, data.offset_from(point.at, at))).collect()
            }
            Some(_) | None => Vec::new(),
        };
        let set = Arc::new(TargetSet::new(flags, places));
        shared.insert(key, Arc::clone(&set));
        set
    }
}
