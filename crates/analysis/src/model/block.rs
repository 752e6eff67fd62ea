//! Pieces of program as terms: what a loop-free piece requires and what it changes.
//!
//! A [`Block`] is a function from the variables at its start, and from inputs, to the variables at
//! its end. Executing statements extends it; where two ways meet, [`Block::merge`] makes one of both.
//! The constructors of terms simplify, so executing from known values is evaluation, and memory
//! accesses at known addresses resolve on the way.

use std::collections::BTreeMap;

use ravelin_cfa::effects::may_trap;
use ravelin_cfa::{AllocKind, FreeKind, HavocKind, ObjectKind};
use ravelin_term::{BinOp, Object, Sort, Term, TermKind, TermPool, UnOp, Var};
use rustc_hash::FxHashMap;

use crate::model::bulk::MAX_BYTES;
use crate::model::space::{ByteRange, DYNAMIC, Freed, InputRole, Role, Space, initial_read};
use crate::model::statement::{Action, Statement, Update};
use crate::model::step::Step;
use crate::model::traps::does_not_trap;

/// What a piece of program requires and does.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Block {
    /// What must hold for this way to be taken, over the variables at the start and inputs.
    pub guards: Vec<Term>,
    /// What must hold for every division on this way to have a result, in the same terms. An execution of which it
    /// does not hold goes on with any result: it may lead to the error, but it is no counterexample.
    pub defined: Vec<Term>,
    /// The variables that changed, in the same terms.
    pub values: BTreeMap<Var, Term>,
    /// How many inputs were taken.
    pub inputs: u32,
}

impl Block {
    /// The value of a variable at the end.
    pub fn value(&self, space: &mut Space<'_>, var: Var) -> Term {
        match self.values.get(&var) {
            Some(&value) => value,
            None => space.read_var(var),
        }
    }

    /// A term over the variables at the end, as one over those at the start.
    pub fn before(&self, space: &mut Space<'_>, term: Term) -> Term {
        space.terms.substitute(term, |_, var| self.values.get(&var).copied())
    }

    /// Whether the block can never be passed; `false` if that is not obvious.
    pub fn is_blocked(&self, space: &Space<'_>) -> bool {
        self.guards.last().is_some_and(|&guard| space.terms.as_bool(guard) == Some(false))
    }

    /// Adds a requirement over the variables at the start. One that is false makes the block blocked.
    pub fn require(&mut self, terms: &TermPool, guard: Term) {
        if let TermKind::Binary(BinOp::And, a, b) = terms.kind(guard) {
            self.require(terms, a);
            return self.require(terms, b);
        }
        match terms.as_bool(guard) {
            Some(true) => {}
            Some(false) => self.guards = vec![guard],
            None if self.guards.contains(&guard) => {}
            None => self.guards.push(guard),
        }
    }

    /// Adds a condition under which what was evaluated has a result.
    fn expect(&mut self, terms: &TermPool, condition: Term) {
        if terms.as_bool(condition) != Some(true) && !self.defined.contains(&condition) {
            self.defined.push(condition);
        }
    }

    /// The requirement as one term.
    pub fn guard(&self, terms: &mut TermPool) -> Term {
        conjunction(terms, &self.guards)
    }

    /// Takes a new input.
    pub fn input(&mut self, space: &mut Space<'_>, sort: Sort) -> Term {
        let input = space.input(self.inputs, sort);
        self.inputs += 1;
        space.read_var(input)
    }

    /// Extends the block by a step.
    pub fn take(&mut self, space: &mut Space<'_>, step: &Step) {
        self.execute(space, &step.statements);
        for &var in &step.uninitialised {
            let input = havoc_input(space, self.inputs, var, HavocKind::Uninitialised);
            self.inputs += 1;
            let value = space.read_var(input);
            self.values.insert(var, value);
        }
    }

    /// Extends the block by statements. What follows a statement has the same input numbers however the statement
    /// came out, so that the inputs of an execution can be told by counting.
    pub fn execute(&mut self, space: &mut Space<'_>, statements: &[Statement]) {
        for statement in statements {
            if self.is_blocked(space) {
                return;
            }
            let inputs = self.inputs + inputs_taken(space, statement);
            match &statement.action {
                Action::Assume(cond) => {
                    let cond = self.evaluate(space, *cond);
                    self.require(&space.terms, cond);
                }
                Action::Choice(branches) => self.choose(space, branches),
                Action::Update(update) => self.update(space, update),
            }
            debug_assert!(self.inputs <= inputs, "inputs are counted in two ways");
            self.inputs = inputs;
        }
    }

    fn update(&mut self, space: &mut Space<'_>, update: &Update) {
        match update {
            Update::Free { addr, kind } => self.free(space, *addr, *kind),
            Update::Assign { dst, value } => {
                let value = self.evaluate(space, *value);
                self.values.insert(*dst, value);
            }
            Update::Havoc { dst, kind } => {
                let input = havoc_input(space, self.inputs, *dst, *kind);
                self.inputs += 1;
                let value = space.read_var(input);
                self.values.insert(*dst, value);
            }
            Update::Load { dst, addr } if space.forgets_memory => {
                self.evaluate(space, *addr);
                let value = self.input(space, space.sort(*dst));
                self.values.insert(*dst, value);
            }
            Update::Load { dst, addr } => {
                let memory = accessed(space, *addr, space.sort(*dst));
                let address = self.evaluate(space, *addr);
                let value = self.read(space, memory, address, space.sort(*dst));
                self.values.insert(*dst, value);
            }
            Update::Store { addr, value } => {
                let memory = accessed(space, *addr, space.terms.sort(*value));
                let address = self.evaluate(space, *addr);
                let value = self.evaluate(space, *value);
                self.write(space, memory, address, value);
            }
            Update::Copy { dst, src, size } => {
                let memory = space.memory_at(*dst, constant(space, *size));
                let labels = (*dst, *src);
                let [dst, src, size] = [dst, src, size].map(|term| self.evaluate(space, *term));
                self.copy(space, memory, labels, (dst, src), size);
            }
            Update::Fill { dst, byte, size } => {
                let start = *dst;
                let memories = space.memories_in(start, constant(space, *size));
                let [dst, byte, size] = [dst, byte, size].map(|term| self.evaluate(space, *term));
                self.fill(space, &memories, (start, dst), byte, size);
            }
            Update::HavocMemory { pointers } => {
                let memories = space.memories_reached(pointers);
                self.forget_memory(space, &memories);
            }
            Update::ScopeBegin(object) | Update::ScopeEnd(object) => {
                if !may_be_read_again(space, update, *object) {
                    return;
                }
                for memory in space.memories_of(*object) {
                    self.forget_object(space, memory, *object);
                }
            }
            Update::Alloc { dst, size, kind } => {
                let size = self.evaluate(space, *size);
                let pointer = self.allocate(space);
                if *kind == AllocKind::HeapZeroed {
                    let zero = space.terms.bv(8, 0);
                    // More than fits is left open: the contents of a new object are any.
                    if self.small_size(space, size).is_some() {
                        let read = space.read_var(*dst);
                        let memories = space.memories_in(read, constant(space, size));
                        self.fill(space, &memories, (read, pointer), zero, size);
                    }
                }
                self.values.insert(*dst, pointer);
            }
            Update::Realloc { dst, addr, size } => {
                self.free(space, *addr, FreeKind::Heap);
                self.evaluate(space, *addr);
                self.evaluate(space, *size);
                let pointer = self.allocate(space);
                self.values.insert(*dst, pointer);
            }
            Update::Inspect { dst, addr, memory } => {
                let address = self.evaluate(space, *addr);
                let sort = space.sort(*dst);
                let value = match memory {
                    Some(memory) => {
                        let (start, memory) =
                            (space.object_start(address), self.value(space, *memory));
                        space.terms.read(memory, start, sort)
                    }
                    None => self.input(space, sort),
                };
                self.values.insert(*dst, value);
            }
            Update::Mark { memory, addr, value } => {
                let address = self.evaluate(space, *addr);
                let value = self.evaluate(space, *value);
                let start = space.object_start(address);
                self.write(space, *memory, start, value);
            }
        }
    }

    /// A term of the program at the end of the block. Where a division in it has no result, C says nothing of what
    /// follows (6.5.5p5-6): the term has any value then, so that errors behind it are found, but bar a proof only.
    fn evaluate(&mut self, space: &mut Space<'_>, term: Term) -> Term {
        // The negation of a condition is the negation of its value: ways that exclude each other still do.
        if let TermKind::Unary(UnOp::Not, inner) = space.terms.kind(term)
            && may_trap(&space.terms, inner)
        {
            let value = self.evaluate(space, inner);
            return space.terms.not(value);
        }
        let value = self.before(space, term);
        if !may_trap(&space.terms, term) {
            return value;
        }
        // Of the term as the program has it: divisions in the values of variables were made
        // earlier, and perhaps on another way to here.
        let safe = does_not_trap(&mut space.terms, term);
        let safe = self.before(space, safe);
        self.expect(&space.terms, safe);
        let any = self.input(space, space.terms.sort(term));
        space.terms.ite(safe, value, any)
    }

    /// The contents of memory at an address, at the end of the block.
    pub fn read(&self, space: &mut Space<'_>, memory: Var, address: Term, sort: Sort) -> Term {
        if let Some(value) = read_constant(space, address, sort) {
            return value;
        }
        let memory = self.value(space, memory);
        let read = space.terms.read(memory, address, sort);
        // Nothing was written there.
        if let TermKind::Read(memory, pointer) = space.terms.kind(read)
            && let TermKind::Var(memory) = space.terms.kind(memory)
            && let Some((always, value)) = space.large_initial_read(memory, pointer, sort)
            && space.terms.as_bool(always) == Some(true)
        {
            return value;
        }
        read
    }

    /// Writes to memory.
    pub fn write(&mut self, space: &mut Space<'_>, memory: Var, address: Term, value: Term) {
        let before = self.value(space, memory);
        let after = space.terms.write(before, address, value);
        self.values.insert(memory, after);
    }

    /// The contents of these memories may be any from here on.
    pub fn forget_memory(&mut self, space: &mut Space<'_>, memories: &[Var]) {
        for &memory in memories {
            let Some(region) = space.memory_region(memory) else { continue };
            let input = space.any_contents(self.inputs, region);
            self.inputs += 1;
            let contents = space.read_var(input);
            self.values.insert(memory, contents);
        }
    }

    /// The contents of an object may be any from here on.
    fn forget_object(&mut self, space: &mut Space<'_>, memory: Var, object: Object) {
        // Memory that nothing in this block has written may still hold what an earlier round wrote.
        let Some(pieces) = forgotten_pieces(space, memory, object) else {
            return self.forget_memory(space, &[memory]);
        };
        let start = space.terms.address(object);
        for ByteRange { offset, bytes } in pieces {
            let value = self.input(space, Sort::Bv(bytes * 8));
            let address = space.terms.ptr_add_const(start, offset);
            self.write(space, memory, address, value);
        }
    }

    /// Who reads a freed object may read anything.
    fn free(&mut self, space: &mut Space<'_>, addr: Term, kind: FreeKind) {
        let freed = space.freed(addr, kind);
        if freed.is_empty() || space.forgets_memory {
            return;
        }
        let start = self.evaluate(space, addr);
        for Freed { memory, pieces } in freed.iter() {
            let Some(pieces) = pieces else {
                self.forget_memory(space, &[*memory]);
                continue;
            };
            for &ByteRange { offset, bytes } in pieces {
                let value = self.input(space, Sort::Bv(bytes * 8));
                let address = space.terms.ptr_add_const(start, offset);
                self.write(space, *memory, address, value);
            }
        }
    }

    fn small_size(&self, space: &Space<'_>, size: Term) -> Option<u64> {
        space
            .terms
            .as_bv(size)
            .filter(|&size| size <= u128::from(MAX_BYTES))
            .map(|size| size as u64)
    }

    /// The address of a new object.
    fn allocate(&mut self, space: &mut Space<'_>) -> Term {
        let next = space.next_object();
        let number = self.value(space, next);
        let zero = space.terms.offset(0);
        let pointer = space.terms.binary(BinOp::PtrMake, number, zero);
        let one = space.terms.bv(32, 1);
        let following = space.terms.binary(BinOp::BvAdd, number, one);
        self.values.insert(next, following);
        // Numbers of dynamic objects are apart from those of named ones, also where the count is
        // not known.
        let bit = space.terms.unary(UnOp::Extract { hi: 31, lo: 31 }, number);
        let set = space.terms.bv(1, 1);
        let dynamic = space.terms.eq(bit, set);
        self.require(&space.terms, dynamic);
        debug_assert_eq!(DYNAMIC, 1 << 31);
        pointer
    }

    fn choose(&mut self, space: &mut Space<'_>, branches: &[Vec<Statement>]) {
        let mut merged: Option<Block> = None;
        for branch in branches {
            let mut way = self.clone();
            way.execute(space, branch);
            if way.is_blocked(space) {
                continue;
            }
            merged = Some(match merged {
                None => way,
                Some(first) => Block::merge(space, &first, &way),
            });
        }
        match merged {
            Some(block) => *self = block,
            None => self.guards = vec![space.terms.bool(false)],
        }
    }

    /// Either of two ways. No execution takes both: their guards exclude each other, given the same
    /// inputs, or one of the blocks was blocked.
    pub fn merge(space: &mut Space<'_>, a: &Block, b: &Block) -> Block {
        if a == b || b.is_blocked(space) {
            return a.clone();
        }
        if a.is_blocked(space) {
            return b.clone();
        }
        let common = a.guards.iter().zip(&b.guards).take_while(|(a, b)| a == b).count();
        let way_a = conjunction(&mut space.terms, &a.guards[common..]);
        let way_b = conjunction(&mut space.terms, &b.guards[common..]);
        // The first guard that differs mostly decides alone.
        let decides = match (a.guards.get(common), b.guards.get(common)) {
            (Some(&x), Some(&y)) if space.terms.not(x) == y => x,
            _ => way_a,
        };
        let mut merged = Block {
            guards: a.guards[..common].to_vec(),
            defined: Vec::new(),
            values: BTreeMap::new(),
            inputs: a.inputs.max(b.inputs),
        };
        let either = if decides == way_a {
            space.terms.or(way_a, way_b)
        } else {
            let rest_a = conjunction(&mut space.terms, &a.guards[common + 1..]);
            let rest_b = conjunction(&mut space.terms, &b.guards[common + 1..]);
            space.terms.ite(decides, rest_a, rest_b)
        };
        merged.require(&space.terms, either);
        let same = a.defined.iter().zip(&b.defined).take_while(|(a, b)| a == b).count();
        merged.defined.extend(&a.defined[..same]);
        let rest_a = conjunction(&mut space.terms, &a.defined[same..]);
        let rest_b = conjunction(&mut space.terms, &b.defined[same..]);
        let rest = space.terms.ite(decides, rest_a, rest_b);
        merged.expect(&space.terms, rest);
        for &var in a.values.keys().chain(b.values.keys()) {
            if merged.values.contains_key(&var) {
                continue;
            }
            let (x, y) = (a.value(space, var), b.value(space, var));
            let value = space.terms.ite(decides, x, y);
            merged.values.insert(var, value);
        }
        merged
    }

    /// This block after `first`, whose inputs come before this block's.
    pub fn after(&self, space: &mut Space<'_>, first: &Block) -> Block {
        let mut whole = first.clone();
        let mut renamed = FxHashMap::default();
        let mut shift = |space: &mut Space<'_>, term: Term| {
            place(space, term, first.inputs, &mut renamed, |var| first.values.get(&var).copied())
        };
        for &guard in &self.guards {
            let guard = shift(space, guard);
            whole.require(&space.terms, guard);
            if whole.is_blocked(space) {
                return whole;
            }
        }
        for &condition in &self.defined {
            let condition = shift(space, condition);
            whole.expect(&space.terms, condition);
        }
        let values: Vec<(Var, Term)> =
            self.values.iter().map(|(&var, &value)| (var, shift(space, value))).collect();
        whole.values.extend(values);
        whole.inputs = first.inputs + self.inputs;
        whole
    }
}

/// `term` with the inputs numbered from `first_input` on, and the other variables as `value` says.
pub fn place(
    space: &mut Space<'_>,
    term: Term,
    first_input: u32,
    renamed: &mut FxHashMap<Var, Term>,
    value: impl Fn(Var) -> Option<Term>,
) -> Term {
    for var in space.terms.vars_of(term) {
        if renamed.contains_key(&var) {
            continue;
        }
        let input = match space.role(var) {
            Role::Input(InputRole::Value(number)) => {
                space.input(number + first_input, space.sort(var))
            }
            Role::Input(InputRole::Foreign(number)) => space.foreign(number + first_input),
            Role::Input(InputRole::Contents { region, number }) => {
                space.any_contents(number + first_input, region)
            }
            Role::Input(InputRole::Start(_))
            | Role::Program { .. }
            | Role::Memory(_)
            | Role::NextObject
            | Role::Thread(..)
            | Role::At { .. }
            | Role::Read(_) => continue,
        };
        let read = space.read_var(input);
        renamed.insert(var, read);
    }
    space.terms.substitute(term, |_, var| renamed.get(&var).copied().or_else(|| value(var)))
}

/// The input with this number that a variable gets.
pub fn havoc_input(space: &mut Space<'_>, number: u32, dst: Var, kind: HavocKind) -> Var {
    match (space.sort(dst), kind) {
        (Sort::Ptr, HavocKind::Input(_) | HavocKind::Uninitialised) => space.foreign(number),
        // What a function without body returns may be what it was given.
        (_, HavocKind::Input(_) | HavocKind::Uninitialised)
        | (_, HavocKind::Extern(_) | HavocKind::Unspecified | HavocKind::NotModelled(_)) => {
            space.input(number, space.sort(dst))
        }
    }
}

/// All of these.
pub fn conjunction(terms: &mut TermPool, parts: &[Term]) -> Term {
    let mut all = terms.bool(true);
    for &part in parts {
        all = terms.and(all, part);
    }
    all
}

/// How many inputs a statement takes.
pub fn inputs_taken(space: &mut Space<'_>, statement: &Statement) -> u32 {
    match &statement.action {
        Action::Assume(condition) => may_trap(&space.terms, *condition).into(),
        Action::Choice(branches) => {
            let of = |branch: &Vec<Statement>| {
                branch.iter().map(|statement| inputs_taken(space, statement)).sum()
            };
            branches.iter().map(of).max().unwrap_or(0)
        }
        Action::Update(update) => inputs_of_update(space, update),
    }
}

fn inputs_of_update(space: &mut Space<'_>, update: &Update) -> u32 {
    match update {
        Update::Free { addr, kind } => inputs_of_freed(space, *addr, *kind),
        Update::Realloc { addr, .. } => {
            inputs_of_freed(space, *addr, FreeKind::Heap) + results_left_open(space, update)
        }
        Update::Assign { .. }
        | Update::Store { .. }
        | Update::Alloc { .. }
        | Update::Mark { .. } => results_left_open(space, update),
        Update::Load { .. } => results_left_open(space, update) + u32::from(space.forgets_memory),
        Update::Havoc { .. } => 1,
        Update::Inspect { .. } => 1 + results_left_open(space, update),
        // At most one for each memory, if nothing is known of it any more.
        Update::Copy { .. } => 1 + results_left_open(space, update),
        Update::Fill { dst, size, .. } => {
            let size = constant(space, *size);
            space.memories_in(*dst, size).len() as u32 + results_left_open(space, update)
        }
        Update::HavocMemory { pointers } => space.memories_reached(pointers).len() as u32,
        Update::ScopeBegin(object) | Update::ScopeEnd(object)
            if !may_be_read_again(space, update, *object) =>
        {
            0
        }
        Update::ScopeBegin(object) | Update::ScopeEnd(object) => {
            let memories = space.memories_of(*object);
            let of = |&memory: &Var| {
                forgotten_pieces(space, memory, *object).map_or(1, |pieces| pieces.len() as u32)
            };
            memories.iter().map(of).sum()
        }
    }
}

/// One for each piece of what is freed, or for a memory of which nothing is known any more.
fn inputs_of_freed(space: &mut Space<'_>, addr: Term, kind: FreeKind) -> u32 {
    let of = |freed: &Freed| freed.pieces.as_ref().map_or(1, |pieces| pieces.len() as u32);
    space.freed(addr, kind).iter().map(of).sum()
}

/// Whether what an object holds may be read though its life begins or ends here: begun again, it must not have the
/// contents it had before, and through a pointer that is left anything may be read.
fn may_be_read_again(space: &Space<'_>, update: &Update, object: Object) -> bool {
    match update {
        Update::ScopeEnd(_) => space.may_dangle(object),
        _ => !space.is_begun_once(object),
    }
}

/// How many terms of an update divide in a way that need not have a result.
fn results_left_open(space: &Space<'_>, update: &Update) -> u32 {
    let mut count = 0;
    update.for_each_term(&mut |term| count += u32::from(may_trap(&space.terms, term)));
    count
}

/// The variable for the region of memory that a load or store touches.
pub fn accessed(space: &mut Space<'_>, address: Term, sort: Sort) -> Var {
    let bytes = space.program.bytes_of(sort);
    space.memory_at(address, bytes)
}

fn constant(space: &Space<'_>, term: Term) -> Option<u64> {
    space.terms.as_bv(term).and_then(|value| u64::try_from(value).ok())
}

/// The pieces of an object that begins anew; `None` if they are too many.
fn forgotten_pieces(space: &Space<'_>, memory: Var, object: Object) -> Option<Vec<ByteRange>> {
    let size = space.program.objects[space.program_object(object)].size;
    (size <= MAX_BYTES).then(|| space.pieces_of(memory, object))
}

/// The value at a constant address of an object that never changes.
pub fn read_constant(space: &mut Space<'_>, address: Term, sort: Sort) -> Option<Term> {
    let (number, offset) = space.constant_pointer(address)?;
    let object = space.object_numbered(number)?;
    match space.program.objects[object].kind {
        ObjectKind::Constant => {}
        ObjectKind::Global
        | ObjectKind::ThreadLocal
        | ObjectKind::Local(_)
        | ObjectKind::Function(_) => return None,
    }
    initial_read(space, object, offset, sort)
}
