//! Andersen's analysis: inclusion constraints.
//!
//! Every holder of values has a set of places; an edge says that one set includes another, perhaps
//! shifted. What is new in a set travels on along its edges (difference propagation), and brings edges
//! with it where it is the address of a load or store. Holders on a cycle of edges have the same set,
//! and become one holder now and then, when enough has happened.

use ravelin_base::{Budget, Exhausted, SecondaryMap};
use ravelin_cfa::{Proc, Program};
use rustc_hash::FxHashSet;

use crate::Fields;
use crate::constraint::{Call, CallTarget, Constraint, CopySize, Generator, Node, Value};
use crate::cycles::cycles;
use crate::flags::Flags;
use crate::memory::{Cells, Link, Piece};
use crate::object::{Loc, Objects, Target};
use crate::offset::Offset;
use crate::set::IndexSet;
use crate::value::{Shift, Source};

/// The value of a holder: places and kinds of values that are none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Values {
    pub(crate) locs: IndexSet<Loc>,
    pub(crate) flags: Flags,
}

impl Values {
    pub(crate) fn is_empty(&self) -> bool {
        self.locs.is_empty() && self.flags.is_empty()
    }

    pub(crate) fn is_unknown(&self) -> bool {
        self.flags.is_unknown()
    }

    /// Adds a place; new ones go into `new`, too. Where anything may be, no places are listed.
    fn insert(&mut self, loc: Loc, new: &mut Values) -> bool {
        if self.is_unknown() {
            return self.insert_flags(Flags::UNKNOWN, new);
        }
        if !self.locs.insert(loc) {
            return false;
        }
        new.locs.insert(loc);
        true
    }

    fn insert_all(&mut self, other: &Values, new: &mut Values) -> bool {
        let flags = self.insert_flags(other.flags, new);
        if self.is_unknown() {
            return (!other.locs.is_empty() && self.insert_flags(Flags::UNKNOWN, new)) || flags;
        }
        self.locs.insert_all(&other.locs, &mut new.locs) || flags
    }

    pub(crate) fn insert_flags(&mut self, flags: Flags, new: &mut Values) -> bool {
        if self.flags.contains(Flags::UNKNOWN) || (self.is_unknown() && !flags.is_unknown()) {
            return false;
        }
        if flags.is_unknown() {
            let all = match self.locs.is_empty() {
                true => self.flags.both(Flags::INTEGER) | flags.both(Flags::UNKNOWN),
                false => Flags::UNKNOWN,
            };
            if all == self.flags {
                return false;
            }
            *self = Values { locs: IndexSet::default(), flags: all };
            *new = self.clone();
            return true;
        }
        let added = flags.without(self.flags);
        self.flags |= added;
        new.flags |= added;
        !added.is_empty()
    }
}

/// What to do with the places that a holder gets.
#[derive(Clone, Debug)]
enum Use {
    Load {
        dst: Node,
    },
    Store {
        value: Node,
        width: u64,
    },
    /// The source or the destination of a copy.
    Copy {
        copy: usize,
        is_src: bool,
    },
    Fill {
        is_zero: bool,
        size: Option<u64>,
    },
    Havoc,
    Callee {
        call: usize,
    },
}

#[derive(Debug, Default)]
struct CopyState {
    size: Option<CopySize>,
    dst: Vec<(Target, Offset)>,
    src: Vec<(Target, Offset)>,
    /// Whether the source may be anything.
    is_unknown: bool,
}

#[derive(Clone, Debug, Default)]
struct NodeState {
    values: Values,
    /// What has not travelled on yet.
    new: Values,
    edges: Vec<(Node, Shift)>,
    uses: Vec<(Shift, Use)>,
    is_queued: bool,
}

#[derive(Debug)]
pub(crate) struct Andersen<'p> {
    pub(crate) generator: Generator<'p>,
    fields: Fields,
    nodes: SecondaryMap<Node, NodeState>,
    /// The node that stands for this one, if another does.
    merged_into: SecondaryMap<Node, Option<Node>>,
    edges: FxHashSet<(Node, Node, Shift)>,
    cells: Cells,
    copies: Vec<CopyState>,
    calls: Vec<Call>,
    /// What is read where something was stored through a pointer that may be to anything.
    anywhere: Node,
    /// What functions without body can reach.
    outside: Node,
    pending: Vec<Constraint>,
    queue: Vec<Node>,
    visits: usize,
    functions: Vec<Proc>,
}

/// So many places in one object reach a holder by being moved one by one; after that it is a pattern.
const MAX_MOVED: usize = 12;

impl<'p> Andersen<'p> {
    pub(crate) fn solve(
        program: &'p Program,
        objects: Objects,
        fields: Fields,
        depth: usize,
        budget: &mut Budget,
    ) -> Result<Self, Exhausted> {
        let mut generator = Generator::new(program, objects, depth);
        let (anywhere, outside) = (generator.new_node(), generator.new_node());
        let mut pending = Vec::new();
        generator.initial(&mut pending);
        let functions = generator.all_functions();
        let cells = Cells::new(generator.objects.len());
        let mut solver = Andersen {
            generator,
            fields,
            nodes: SecondaryMap::new(),
            merged_into: SecondaryMap::new(),
            edges: FxHashSet::default(),
            cells,
            copies: Vec::new(),
            calls: Vec::new(),
            anywhere,
            outside,
            pending,
            queue: Vec::new(),
            visits: 0,
            functions,
        };
        solver.add_use(outside, Shift::NONE, Use::Havoc);
        solver.run(budget)?;
        // Whoever asks what a cell holds wants to know all of it, also where the program does not look.
        for (target, offset, width, _) in solver.cells.all_writes() {
            if width == solver.generator.pointer_bytes() {
                solver.read(target, offset);
            }
        }
        solver.run(budget)?;
        Ok(solver)
    }

    /// The node that stands for this one.
    fn find(&self, mut node: Node) -> Node {
        while let Some(into) = self.merged_into[node] {
            node = into;
        }
        node
    }

    pub(crate) fn values(&self, node: Node) -> &Values {
        &self.nodes[self.find(node)].values
    }

    /// Whether something is stored through a pointer that may be to anything.
    pub(crate) fn is_memory_unknown(&self) -> bool {
        self.values(self.anywhere).is_unknown()
    }

    pub(crate) fn cells(&self) -> &Cells {
        &self.cells
    }

    fn run(&mut self, budget: &mut Budget) -> Result<(), Exhausted> {
        loop {
            // The latest come last: a procedure's constraints go with those of its caller.
            while let Some(constraint) = self.pending.pop() {
                budget.tick()?;
                self.constraint(constraint);
            }
            let Some(node) = self.queue.pop() else { return Ok(()) };
            budget.tick()?;
            self.visits += 1;
            if self.visits > 2 * self.generator.node_count() {
                self.visits = 0;
                self.eliminate_cycles();
            }
            self.visit(node);
        }
    }

    fn constraint(&mut self, constraint: Constraint) {
        match constraint {
            Constraint::Assign { dst, value } => self.assign(dst, &value),
            Constraint::Load { dst, addr } => self.use_value(&addr, &Use::Load { dst }),
            Constraint::Store { addr, value, width } => {
                let value = self.holder(&value);
                self.use_value(&addr, &Use::Store { value, width });
            }
            Constraint::Copy { dst, src, size } => {
                let copy = self.copies.len();
                self.copies.push(CopyState { size: Some(size), ..CopyState::default() });
                self.use_value(&src, &Use::Copy { copy, is_src: true });
                self.use_value(&dst, &Use::Copy { copy, is_src: false });
            }
            Constraint::Fill { dst, is_zero, size } => {
                self.use_value(&dst, &Use::Fill { is_zero, size });
            }
            Constraint::Havoc { pointers } => {
                for pointer in &pointers {
                    self.assign(self.outside, pointer);
                }
            }
            Constraint::Call(call) => match call.callee.clone() {
                CallTarget::Proc(proc) => self.generator.link(&call, proc, &mut self.pending),
                CallTarget::Pointer(pointer) => {
                    self.calls.push(*call);
                    self.use_value(&pointer, &Use::Callee { call: self.calls.len() - 1 });
                }
            },
        }
    }

    /// A node that holds the value.
    fn holder(&mut self, value: &Value) -> Node {
        if let [Source::Holder(node, shift)] = value.as_slice()
            && shift.is_none()
        {
            return *node;
        }
        let node = self.generator.new_node();
        self.assign(node, value);
        node
    }

    fn assign(&mut self, dst: Node, value: &Value) {
        for source in value {
            match *source {
                Source::Holder(node, shift) => self.add_edge(node, dst, shift),
                Source::Address(target, offset) => self.add_place(dst, target, offset),
                Source::Flags(flags) => self.add_flags(dst, flags),
            }
        }
    }

    fn use_value(&mut self, value: &Value, how: &Use) {
        for source in value {
            match *source {
                Source::Holder(node, shift) => self.add_use(node, shift, how.clone()),
                Source::Address(target, offset) => self.apply(how, target, offset),
                Source::Flags(flags) if flags.is_unknown() => self.apply_anywhere(how),
                Source::Flags(_) => {}
            }
        }
    }

    fn add_use(&mut self, node: Node, shift: Shift, how: Use) {
        let node = self.find(node);
        let values = self.nodes[node].values.clone();
        self.nodes[node].uses.push((shift, how.clone()));
        self.apply_all(&values, shift, &how);
    }

    fn apply_all(&mut self, values: &Values, shift: Shift, how: &Use) {
        let mut is_lost = shift.flags(values.flags).is_unknown();
        for loc in values.locs.iter() {
            let (target, offset) = self.generator.objects.place(loc);
            match shift.place(offset, self.generator.objects.data(target).size) {
                Some(offset) => self.apply(how, target, offset),
                None => is_lost = true,
            }
        }
        if is_lost {
            self.apply_anywhere(how);
        }
    }

    /// A place is used as an address.
    fn apply(&mut self, how: &Use, target: Target, offset: Offset) {
        let bytes = self.generator.pointer_bytes();
        match *how {
            Use::Load { dst } => {
                if let Some(node) = self.read(target, offset) {
                    self.add_edge(node, dst, Shift::NONE);
                }
            }
            Use::Store { value, width } => {
                if let Some(node) = self.written(target, offset, width) {
                    if width == bytes {
                        self.add_edge(value, node, Shift::NONE);
                    } else {
                        self.add_flags(node, Flags::UNKNOWN);
                    }
                }
            }
            Use::Copy { copy, is_src } => {
                let state = &mut self.copies[copy];
                let place = (target, offset);
                let (here, there) = if is_src {
                    (&mut state.src, state.dst.clone())
                } else {
                    (&mut state.dst, state.src.clone())
                };
                if here.contains(&place) {
                    return;
                }
                here.push(place);
                let size = state.size.unwrap_or(CopySize::Unknown);
                if state.is_unknown && !is_src {
                    self.fill(target, Piece::unknown_from(offset));
                }
                for other in there {
                    let (dst, src) = if is_src { (other, place) } else { (place, other) };
                    self.link(Link { dst, src, size });
                }
            }
            Use::Fill { is_zero, size } => {
                let flags = if is_zero { Flags::NULL } else { Flags::UNKNOWN };
                self.fill(target, Piece { offset, size: CopySize::from_size(size), flags });
            }
            Use::Havoc => {
                let all =
                    Piece { offset: Offset::ZERO, size: CopySize::All, flags: Flags::UNKNOWN };
                self.fill(target, all);
                if self.cells.reach(target) {
                    for (node, _, _) in self.cells.writes(target).to_vec() {
                        self.add_edge(node, self.outside, Shift::NONE);
                    }
                }
            }
            Use::Callee { call } => {
                if let Some(proc) = self.generator.objects.data(target).function
                    && offset.covers(Offset::ZERO)
                {
                    let call = self.calls[call].clone();
                    self.generator.link(&call, proc, &mut self.pending);
                }
            }
        }
    }

    /// Any place may be used as an address.
    fn apply_anywhere(&mut self, how: &Use) {
        match *how {
            Use::Load { dst } => self.add_flags(dst, Flags::UNKNOWN),
            // Pointers may be overwritten in part.
            Use::Store { .. } | Use::Fill { .. } | Use::Havoc | Use::Copy { is_src: false, .. } => {
                self.add_flags(self.anywhere, Flags::UNKNOWN);
            }
            Use::Copy { copy, is_src: true } => {
                self.copies[copy].is_unknown = true;
                for (target, offset) in self.copies[copy].dst.clone() {
                    self.fill(target, Piece::unknown_from(offset));
                }
            }
            Use::Callee { call } => {
                let call = self.calls[call].clone();
                for index in 0..self.functions.len() {
                    let proc = self.functions[index];
                    self.generator.link(&call, proc, &mut self.pending);
                }
                self.generator.link_outside(&call, &mut self.pending);
            }
        }
    }

    /// What is read at a place; nothing can be read beyond the end.
    fn read(&mut self, target: Target, offset: Offset) -> Option<Node> {
        let bytes = self.generator.pointer_bytes();
        let data = self.generator.objects.data(target);
        if data.function.is_some() || !offset.fits(bytes, data.size) {
            return None;
        }
        let background = data.background;
        if let Some(node) = self.cells.find_read(target, offset) {
            return Some(node);
        }
        let offset = self.cells.bounded(target, offset);
        let node = self.generator.new_node();
        self.cells.add_read(target, offset, node);
        self.add_flags(node, background);
        self.add_edge(self.anywhere, node, Shift::NONE);
        for (written, at, width) in self.cells.writes(target).to_vec() {
            self.connect(target, (written, at, width), (node, offset));
        }
        for piece in self.cells.pieces(target).to_vec() {
            self.connect_piece(&piece, (node, offset));
        }
        Some(node)
    }

    /// What is written at a place.
    fn written(&mut self, target: Target, offset: Offset, width: u64) -> Option<Node> {
        let data = self.generator.objects.data(target);
        if data.function.is_some() || !offset.fits(width, data.size) {
            return None;
        }
        if let Some(node) = self.cells.find_write(target, offset, width) {
            return Some(node);
        }
        let offset = self.cells.bounded(target, offset);
        let node = self.generator.new_node();
        self.cells.add_write(target, offset, width, node);
        if self.cells.is_reached(target) {
            self.add_edge(node, self.outside, Shift::NONE);
        }
        for (read, at) in self.cells.reads(target).to_vec() {
            self.connect(target, (node, offset, width), (read, at));
        }
        for link in self.cells.links(target).to_vec() {
            self.copy_written(&link, (node, offset, width));
        }
        Some(node)
    }

    /// What is written in one place may be read in another.
    fn connect(
        &mut self,
        target: Target,
        (written, at, width): (Node, Offset, u64),
        (read, from): (Node, Offset),
    ) {
        let bytes = self.generator.pointer_bytes();
        let meeting = at.meeting(width, from, bytes);
        if meeting.partial || (meeting.same && width != bytes) {
            self.add_flags(read, Flags::UNKNOWN);
        }
        if width != bytes {
            return;
        }
        match self.fields {
            Fields::Sensitive if meeting.same => self.add_edge(written, read, Shift::NONE),
            Fields::Sensitive => {}
            Fields::Insensitive => {
                let whole = match self.cells.whole(target) {
                    Some(node) => node,
                    None => {
                        let node = self.generator.new_node();
                        self.cells.set_whole(target, node);
                        node
                    }
                };
                self.add_edge(written, whole, Shift::NONE);
                self.add_edge(whole, read, Shift::NONE);
            }
        }
    }

    fn connect_piece(&mut self, piece: &Piece, (read, from): (Node, Offset)) {
        let flags = piece.flags_at(from, self.generator.pointer_bytes());
        self.add_flags(read, flags);
    }

    /// A range of an object gets contents that are no places.
    fn fill(&mut self, target: Target, piece: Piece) {
        let size = self.generator.objects.data(target).size;
        if !piece.is_inside(size) || !self.cells.add_piece(target, piece) {
            return;
        }
        for read in self.cells.reads(target).to_vec() {
            self.connect_piece(&piece, read);
        }
        for link in self.cells.links(target).to_vec() {
            self.copy_piece(&link, &piece);
        }
    }

    fn link(&mut self, link: Link) {
        let (src, _) = link.src;
        let Some(background) = self.cells.add_link(&link, &self.generator.objects) else { return };
        self.fill(link.dst.0, Piece { offset: link.dst.1, size: link.size, flags: background });
        for written in self.cells.writes(src).to_vec() {
            self.copy_written(&link, written);
        }
        for piece in self.cells.pieces(src).to_vec() {
            self.copy_piece(&link, &piece);
        }
    }

    fn copy_written(&mut self, link: &Link, (written, at, width): (Node, Offset, u64)) {
        if !link.may_take(at, width) {
            return;
        }
        if let Some(node) = self.written(link.dst.0, link.moved(at), width) {
            self.add_edge(written, node, Shift::NONE);
            if !link.takes_whole(at, width) {
                self.add_flags(node, Flags::UNKNOWN);
            }
        }
    }

    fn copy_piece(&mut self, link: &Link, piece: &Piece) {
        // What it claims of the destination beyond what is copied is harmless.
        let copied = Piece { offset: link.moved(piece.offset), ..*piece };
        self.fill(link.dst.0, copied);
    }

    fn add_place(&mut self, node: Node, target: Target, offset: Offset) {
        let loc = self.generator.objects.loc(target, offset);
        let node = self.find(node);
        let state = &mut self.nodes[node];
        if state.values.insert(loc, &mut state.new) {
            self.enqueue(node);
        }
    }

    fn add_flags(&mut self, node: Node, flags: Flags) {
        let node = self.find(node);
        let state = &mut self.nodes[node];
        if state.values.insert_flags(flags, &mut state.new) {
            self.enqueue(node);
        }
    }

    fn enqueue(&mut self, node: Node) {
        let state = &mut self.nodes[node];
        if !state.is_queued {
            state.is_queued = true;
            self.queue.push(node);
        }
    }

    fn add_edge(&mut self, from: Node, to: Node, shift: Shift) {
        let (from, to) = (self.find(from), self.find(to));
        if (from == to && shift.is_none()) || !self.edges.insert((from, to, shift)) {
            return;
        }
        self.nodes[from].edges.push((to, shift));
        let values = self.nodes[from].values.clone();
        self.flow(&values, to, shift);
    }

    fn visit(&mut self, node: Node) {
        let node = self.find(node);
        let state = &mut self.nodes[node];
        state.is_queued = false;
        let new = std::mem::take(&mut state.new);
        if new.is_empty() {
            return;
        }
        for index in 0..self.nodes[node].edges.len() {
            let (to, shift) = self.nodes[node].edges[index];
            self.flow(&new, to, shift);
        }
        for index in 0..self.nodes[node].uses.len() {
            let (shift, how) = self.nodes[node].uses[index].clone();
            self.apply_all(&new, shift, &how);
        }
    }

    /// Values go along an edge.
    fn flow(&mut self, values: &Values, to: Node, shift: Shift) {
        if values.is_empty() {
            return;
        }
        let to = self.find(to);
        if shift.is_none() {
            let state = &mut self.nodes[to];
            if state.values.insert_all(values, &mut state.new) {
                self.enqueue(to);
            }
            return;
        }
        self.add_flags(to, shift.flags(values.flags));
        for loc in values.locs.iter() {
            if self.nodes[to].values.flags.contains(Flags::UNKNOWN) {
                return;
            }
            let (target, offset) = self.generator.objects.place(loc);
            match shift.place(offset, self.generator.objects.data(target).size) {
                Some(offset) if shift.moves() => {
                    let offset = self.widened(to, target, offset);
                    self.add_place(to, target, offset);
                }
                Some(offset) => self.add_place(to, target, offset),
                None => self.add_flags(to, Flags::UNKNOWN),
            }
        }
    }

    /// A pointer that is moved again and again takes ever new places; they become a pattern.
    fn widened(&mut self, node: Node, target: Target, offset: Offset) -> Offset {
        let objects = &self.generator.objects;
        let size = objects.data(target).size;
        let mut joined = offset;
        let mut count = 0;
        for loc in self.nodes[node].values.locs.iter() {
            let (other, at) = objects.place(loc);
            if other == target {
                if at.covers(offset) {
                    return at;
                }
                count += 1;
                joined = joined.join(at);
            }
        }
        // One that leaves its object is about to.
        let stays = offset.stride() != 0 || size.is_none() || offset.is_inside(size);
        if count == 0 || (stays && count < MAX_MOVED) { offset } else { joined }
    }

    /// Cycle elimination: makes one node of the members of each cycle.
    fn eliminate_cycles(&mut self) {
        let edges = |node: Node, index: usize| {
            let &(to, shift) = self.nodes[node].edges.get(index)?;
            // A node's edge to itself changes nothing.
            Some(if shift.is_none() { self.find(to) } else { node })
        };
        let found = cycles(self.generator.node_count(), &edges);
        for members in found {
            let Some((&first, others)) = members.split_first() else { continue };
            for &other in others {
                self.merge(first, other);
            }
        }
    }

    fn merge(&mut self, into: Node, from: Node) {
        let old = std::mem::take(&mut self.nodes[from]);
        self.merged_into[from] = Some(into);
        let state = &mut self.nodes[into];
        state.values.insert_all(&old.values, &mut state.new);
        state
            .edges
            .extend(old.edges.into_iter().filter(|&(to, shift)| to != into || !shift.is_none()));
        state.uses.extend(old.uses);
        // Each has edges and uses now that have not seen what the other had.
        state.new = state.values.clone();
        self.enqueue(into);
    }
}
