//! The objects of a state: their lifetimes, and the rules of access.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};

use ravelin_base::SrcPos;
use ravelin_cfa::{Object, ObjectFact, Program};

use crate::contents::{Background, Contents, UnknownByte};
use crate::fault::{AccessKind, AccessedObject, InvalidAccess, When};
use crate::layout::{InstanceName, Layout, Naming, Site};
use crate::outcome::{DisplayPos, MemoryFault};
use crate::shared::Shared;
use crate::thread::ThreadId;
use crate::value::{self, Bits, ObjectRef, object_of, offset_of};

/// What an instance is an instance of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Origin {
    Global(Object),
    Constant(Object),
    Function(Object),
    /// A local or thread-local object.
    Local(Object),
    Heap(SrcPos),
    /// `alloca` or a variable-length array.
    Stack(SrcPos),
    /// Given to the program from outside, by a pointer.
    Environment(u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Life {
    Alive,
    ScopeEnded,
    Freed,
}

/// One object at one time of the run.
#[derive(Clone, Debug, Hash)]
pub(crate) struct Instance {
    generation: u32,
    pub(crate) origin: Origin,
    size: u64,
    life: Life,
    contents: Contents,
    history: History,
}

/// What messages say of an instance. States that differ in nothing else are the same.
#[derive(Clone, Copy, Debug)]
struct History {
    made_by: ThreadId,
    ended: Option<When>,
}

impl Hash for History {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl Origin {
    /// The object in words.
    pub(crate) fn describe(self, program: &Program) -> String {
        let made = |what: &str, pos: SrcPos| format!("{what}{}", DisplayPos { pos, program });
        match self {
            Origin::Global(object)
            | Origin::Constant(object)
            | Origin::Function(object)
            | Origin::Local(object) => {
                format!("'{}'", program.name(program.objects[object].name))
            }
            Origin::Heap(pos) => made("object allocated", pos),
            Origin::Stack(pos) => made("stack object allocated", pos),
            Origin::Environment(number) => format!("object {number} of the environment"),
        }
    }
}

/// An access that no C program may make.
pub(crate) type Fault = Box<InvalidAccess>;

#[derive(Clone, Debug)]
pub(crate) struct Memory {
    instances: Vec<Option<Shared<Instance>>>,
    /// Values of bytes that had none when they were copied, since one of the copies was read.
    resolved: BTreeMap<UnknownByte, u8>,
    /// The objects that the program was given from outside, by number.
    environment: BTreeMap<u32, ObjectRef>,
    /// Dead instances to which pointers may still lead, in explorations.
    tombstones: Vec<u32>,
    pointer_bytes: u64,
    /// About how many bytes the alive instances take.
    footprint: u64,
}

/// Why there is no new object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NoAddresses;

/// What an instance takes besides its contents.
const INSTANCE_BYTES: u64 = 256;

/// How large objects of the environment are: larger than any structure a program expects there.
const ENVIRONMENT_BYTES: u64 = 1 << 16;

/// Objects up to this size are searched for numbers that are addresses.
const SEARCHED_BYTES: u64 = 1 << 20;

/// Pointers below this are null pointers with an offset.
const NULL_PAGE: u64 = 4096;

impl Memory {
    pub(crate) fn new(pointer_bytes: u64) -> Self {
        Memory {
            instances: Vec::new(),
            resolved: BTreeMap::new(),
            environment: BTreeMap::new(),
            tombstones: Vec::new(),
            pointer_bytes,
            footprint: 0,
        }
    }

    pub(crate) fn pointer_bytes(&self) -> u64 {
        self.pointer_bytes
    }

    pub(crate) fn footprint(&self) -> u64 {
        self.footprint
    }

    fn address_mask(&self) -> u64 {
        u64::MAX >> (64 - 8 * self.pointer_bytes)
    }

    fn slot(&self, object: ObjectRef) -> Option<&Instance> {
        let instance = self.instances.get(object.index())?.as_ref()?.get();
        (instance.generation == object.generation()).then_some(instance)
    }

    pub(crate) fn origin(&self, object: ObjectRef) -> Option<Origin> {
        self.slot(object).map(|instance| instance.origin)
    }

    /// The address of a pointer; it outlives the object.
    pub(crate) fn address(&self, layout: &Layout, pointer: Bits) -> u64 {
        let base = layout.base(object_of(pointer).index());
        base.wrapping_add(offset_of(pointer)) & self.address_mask()
    }

    /// The pointer to an address: into the object whose range it is in (a dead one too), if any.
    pub(crate) fn pointer_to(&self, layout: &Layout, address: u64) -> Bits {
        if let Some(index) = layout.find(address)
            && let Some(Some(instance)) = self.instances.get(index)
        {
            let (instance, offset) = (instance.get(), address - layout.base(index));
            if offset <= instance.size {
                let object = ObjectRef::new(index as u32, instance.generation);
                return value::pointer(object, offset);
            }
        }
        value::pointer(ObjectRef::NONE, address)
    }

    /// A pointer moved by a number of bytes, which may be negative in two's complement.
    pub(crate) fn moved(&self, pointer: Bits, by: Bits) -> Bits {
        let offset = offset_of(pointer).wrapping_add(by as u64) & self.address_mask();
        value::pointer(object_of(pointer), offset)
    }

    /// What a wrong access was.
    #[cold]
    pub(crate) fn fault(
        &self,
        fault: MemoryFault,
        kind: AccessKind,
        pointer: Bits,
        length: u64,
    ) -> Fault {
        let object = self.slot(object_of(pointer)).map(|instance| {
            let History { made_by, ended } = instance.history;
            AccessedObject::new(instance.origin, instance.size, made_by, ended)
        });
        let offset = self.signed(offset_of(pointer));
        Box::new(InvalidAccess { fault, kind, length, offset, object, library: None })
    }

    /// A new object.
    pub(crate) fn create(
        &mut self,
        layout: &mut Layout,
        name: InstanceName,
        origin: Origin,
        background: Background,
    ) -> Result<ObjectRef, NoAddresses> {
        let instances = &self.instances;
        let is_free = |index: u32| matches!(instances.get(index as usize), None | Some(None));
        let index = layout.place_named(name, is_free).ok_or(NoAddresses)?;
        let at = index as usize;
        if self.instances.len() <= at {
            self.instances.resize(at + 1, None);
        }
        let generation = match (&self.instances[at], layout.naming()) {
            (Some(last), Naming::Fresh) => last.get().generation.wrapping_add(1),
            (None, _) | (_, Naming::Canonical) => 0,
        };
        let contents = Contents::new(name.size, background);
        self.footprint += INSTANCE_BYTES + contents.footprint();
        self.instances[at] = Some(Shared::new(Instance {
            generation,
            origin,
            size: name.size,
            life: Life::Alive,
            contents,
            history: History { made_by: ThreadId(name.thread), ended: None },
        }));
        Ok(ObjectRef::new(index, generation))
    }

    /// The object of the environment with this number, of which nothing is known but that it is there.
    pub(crate) fn environment(
        &mut self,
        layout: &mut Layout,
        number: u32,
    ) -> Result<ObjectRef, NoAddresses> {
        if let Some(&object) = self.environment.get(&number) {
            return Ok(object);
        }
        let site = Site::Environment(number);
        let name = InstanceName { thread: 0, site, depth: 0, size: ENVIRONMENT_BYTES, align: 1 };
        let origin = Origin::Environment(number);
        let object = self.create(layout, name, origin, Background::Indeterminate)?;
        self.environment.insert(number, object);
        Ok(object)
    }

    /// Ends the lifetime of a local object, if it is alive.
    pub(crate) fn end_scope(&mut self, layout: &mut Layout, object: ObjectRef, when: When) {
        if self.slot(object).is_some_and(|instance| instance.life == Life::Alive) {
            self.kill(layout, object, Life::ScopeEnded, when);
        }
    }

    fn kill(&mut self, layout: &mut Layout, object: ObjectRef, life: Life, when: When) {
        if let Some(Some(shared)) = self.instances.get_mut(object.index()) {
            let instance = shared.get();
            self.footprint -= INSTANCE_BYTES + instance.contents.footprint();
            *shared = Shared::new(Instance {
                generation: instance.generation,
                origin: instance.origin,
                size: instance.size,
                life,
                contents: Contents::new(0, Background::Zero),
                history: History { ended: Some(when), ..instance.history },
            });
        }
        match layout.naming() {
            Naming::Fresh => layout.retire(object.index() as u32),
            Naming::Canonical => self.tombstones.push(object.index() as u32),
        }
    }

    /// Frees a heap object, and says which it was; nothing for NULL.
    pub(crate) fn free(
        &mut self,
        layout: &mut Layout,
        pointer: Bits,
        when: When,
    ) -> Result<Option<ObjectRef>, Fault> {
        if pointer == 0 {
            return Ok(None);
        }
        self.check_free(pointer)?;
        let object = object_of(pointer);
        self.kill(layout, object, Life::Freed, when);
        Ok(Some(object))
    }

    /// Checks that a pointer leads to the start of a live heap object.
    pub(crate) fn check_free(&self, pointer: Bits) -> Result<(), Fault> {
        let (object, offset) = (object_of(pointer), offset_of(pointer));
        let fail = |fault| Err(self.fault(fault, AccessKind::Free, pointer, 0));
        let instance = match self.slot(object) {
            Some(instance) => instance,
            None if object == ObjectRef::NONE => return fail(MemoryFault::FreeOfNonHeap),
            // Its place was taken by another object since.
            None => return fail(MemoryFault::DoubleFree),
        };
        match instance.origin {
            Origin::Heap(_) => {}
            Origin::Global(_)
            | Origin::Constant(_)
            | Origin::Function(_)
            | Origin::Local(_)
            | Origin::Stack(_)
            | Origin::Environment(_) => return fail(MemoryFault::FreeOfNonHeap),
        }
        if instance.life != Life::Alive {
            return fail(MemoryFault::DoubleFree);
        }
        match offset {
            0 => Ok(()),
            _ => fail(MemoryFault::FreeInside { offset: self.signed(offset) }),
        }
    }

    fn signed(&self, offset: u64) -> i64 {
        value::to_signed(offset.into(), (8 * self.pointer_bytes) as u16) as i64
    }

    /// Checks an access of `length` bytes.
    fn check(&self, pointer: Bits, length: u64, write: bool) -> Result<&Instance, Fault> {
        let (object, offset) = (object_of(pointer), offset_of(pointer));
        let kind = if write { AccessKind::Write } else { AccessKind::Read };
        let fail = |fault| Err(self.fault(fault, kind, pointer, length));
        let Some(instance) = self.slot(object) else {
            return fail(match object {
                ObjectRef::NONE if offset < NULL_PAGE => MemoryFault::Null,
                ObjectRef::NONE => MemoryFault::NoObject,
                // Its place was taken by another object since.
                _ => MemoryFault::ScopeEnded,
            });
        };
        match instance.life {
            Life::Alive => {}
            Life::ScopeEnded => return fail(MemoryFault::ScopeEnded),
            Life::Freed => return fail(MemoryFault::Freed),
        }
        match instance.origin {
            Origin::Function(_) => return fail(MemoryFault::Function),
            Origin::Constant(_) if write => return fail(MemoryFault::ReadOnly),
            Origin::Constant(_)
            | Origin::Global(_)
            | Origin::Local(_)
            | Origin::Heap(_)
            | Origin::Stack(_)
            | Origin::Environment(_) => {}
        }
        if offset > instance.size || length > instance.size - offset {
            let (offset, size) = (self.signed(offset), instance.size);
            return fail(MemoryFault::OutOfBounds { offset, length, size });
        }
        Ok(instance)
    }

    /// A fact about the object of a pointer; `None` if the state has none: its place was taken by another object
    /// since, or it is of the environment.
    pub(crate) fn inspect(&self, pointer: Bits, fact: ObjectFact) -> Option<u64> {
        let object = object_of(pointer);
        if fact == ObjectFact::Offset {
            return Some(offset_of(pointer));
        }
        if object == ObjectRef::NONE {
            return Some(0);
        }
        let instance = self.slot(object)?;
        let life = match instance.origin {
            Origin::Environment(_) => return None,
            Origin::Function(_) => return Some(0),
            Origin::Constant(_) => ravelin_cfa::Life::Constant,
            Origin::Global(_) | Origin::Local(_) | Origin::Stack(_) => ravelin_cfa::Life::Named,
            Origin::Heap(_) => ravelin_cfa::Life::Heap,
        };
        Some(match (fact, instance.life) {
            (ObjectFact::Offset, _) => offset_of(pointer),
            (ObjectFact::Size, _) => instance.size,
            (ObjectFact::Life, Life::Alive) => life as u64,
            (ObjectFact::Life, Life::ScopeEnded | Life::Freed) => ravelin_cfa::Life::None as u64,
        })
    }

    /// Whether `length` bytes may be read.
    pub(crate) fn check_readable(&self, pointer: Bits, length: u64) -> Result<(), Fault> {
        self.check(pointer, length, false).map(|_| ())
    }

    /// Changes the contents of an object in a range that may be written.
    fn modify(
        &mut self,
        pointer: Bits,
        length: u64,
        change: impl FnOnce(&mut Contents),
    ) -> Result<(), Fault> {
        self.check(pointer, length, true)?;
        self.change(object_of(pointer), change);
        Ok(())
    }

    /// Changes the contents of an object without a question.
    fn change(&mut self, object: ObjectRef, change: impl FnOnce(&mut Contents)) {
        if let Some(Some(shared)) = self.instances.get_mut(object.index()) {
            let contents = &mut shared.get_mut().contents;
            let before = contents.footprint();
            change(contents);
            self.footprint = self.footprint - before + contents.footprint();
        }
    }

    /// The value of up to 16 bytes; `None` if one of them has none yet ([`Memory::settle`]).
    pub(crate) fn read(&self, pointer: Bits, length: u64) -> Result<Option<Bits>, Fault> {
        Ok(self.check(pointer, length, false)?.contents.read(offset_of(pointer), length))
    }

    /// The pointer that was stored whole there.
    pub(crate) fn read_pointer(&self, pointer: Bits) -> Result<Option<Bits>, Fault> {
        Ok(self.check(pointer, self.pointer_bytes, false)?.contents.pointer(offset_of(pointer)))
    }

    /// Gives those of `length` bytes that have no value yet one from `drawn`, and returns all.
    pub(crate) fn settle(
        &mut self,
        pointer: Bits,
        length: u64,
        drawn: Bits,
    ) -> Result<Bits, Fault> {
        self.check(pointer, length, false)?;
        let object = object_of(pointer);
        let Some(Some(shared)) = self.instances.get_mut(object.index()) else {
            return Err(self.fault(MemoryFault::NoObject, AccessKind::Read, pointer, length));
        };
        let contents = &mut shared.get_mut().contents;
        let before = contents.footprint();
        let mut result = 0;
        for index in 0..length {
            let at = offset_of(pointer) + index;
            let byte = contents.byte(at).unwrap_or_else(|| {
                let drawn = (drawn >> (8 * index)) as u8;
                let unknown = contents.unknown(object, at);
                let byte = if contents.lends_unknowns || contents.has_aliases() {
                    *self.resolved.entry(unknown).or_insert(drawn)
                } else {
                    drawn
                };
                contents.write(at, 1, byte.into(), self.pointer_bytes);
                byte
            });
            result |= Bits::from(byte) << (8 * index);
        }
        self.footprint = self.footprint - before + contents.footprint();
        Ok(result)
    }

    /// Whether all of the bytes have values, given those of their copies that were read.
    pub(crate) fn is_settled(&self, pointer: Bits, length: u64) -> Result<bool, Fault> {
        let contents = &self.check(pointer, length, false)?.contents;
        let object = object_of(pointer);
        let mut offsets = offset_of(pointer)..offset_of(pointer) + length;
        Ok(offsets.all(|at| {
            contents.byte(at).is_some() || self.resolved.contains_key(&contents.unknown(object, at))
        }))
    }

    /// Writes up to 16 bytes.
    pub(crate) fn write(&mut self, pointer: Bits, length: u64, bits: Bits) -> Result<(), Fault> {
        let pointer_bytes = self.pointer_bytes;
        self.modify(pointer, length, |contents| {
            contents.write(offset_of(pointer), length, bits, pointer_bytes);
        })
    }

    /// Writes a pointer.
    pub(crate) fn write_pointer(
        &mut self,
        layout: &Layout,
        pointer: Bits,
        stored: Bits,
    ) -> Result<(), Fault> {
        let (pointer_bytes, address) = (self.pointer_bytes, self.address(layout, stored));
        self.modify(pointer, pointer_bytes, |contents| {
            contents.write_pointer(offset_of(pointer), address, stored, pointer_bytes);
        })
    }

    /// Sets all bytes of an object to zero.
    pub(crate) fn make_zero(&mut self, object: ObjectRef) {
        let size = self.size(object).unwrap_or(0);
        self.change(object, |contents| *contents = Contents::new(size, Background::Zero));
    }

    /// Writes initial contents, to constant objects too; what is beyond the end is ignored.
    pub(crate) fn initialise(&mut self, object: ObjectRef, offset: u64, bytes: &[u8]) {
        let room = self.size(object).unwrap_or(0).saturating_sub(offset).min(bytes.len() as u64);
        self.change(object, |contents| contents.write_bytes(offset, &bytes[..room as usize]));
    }

    /// Writes a pointer of the initial contents.
    pub(crate) fn initialise_pointer(
        &mut self,
        layout: &Layout,
        object: ObjectRef,
        offset: u64,
        stored: Bits,
    ) {
        let (pointer_bytes, address) = (self.pointer_bytes, self.address(layout, stored));
        let size = self.size(object).unwrap_or(0);
        if offset.checked_add(pointer_bytes).is_some_and(|end| end <= size) {
            self.change(object, |contents| {
                contents.write_pointer(offset, address, stored, pointer_bytes);
            });
        }
    }

    pub(crate) fn fill(&mut self, pointer: Bits, length: u64, byte: u8) -> Result<(), Fault> {
        if length == 0 {
            return Ok(());
        }
        let pointer_bytes = self.pointer_bytes;
        self.modify(pointer, length, |contents| {
            contents.fill(offset_of(pointer), length, byte, pointer_bytes);
        })
    }

    /// Copies bytes, pointers and their objects, and bytes without value as such. Nothing is
    /// accessed if there is nothing to copy: programs pass null pointers with a size of 0.
    pub(crate) fn copy(&mut self, dst: Bits, src: Bits, length: u64) -> Result<(), Fault> {
        if length == 0 {
            return Ok(());
        }
        let pointer_bytes = self.pointer_bytes;
        let (object, offset) = (object_of(src), offset_of(src));
        let source = &self.check(src, length, false)?.contents;
        let piece = source.copy_out(object, offset, length, pointer_bytes);
        let lends = piece.has_unknowns() && !source.lends_unknowns;
        self.modify(dst, length, |contents| {
            contents.copy_in(offset_of(dst), &piece, pointer_bytes);
        })?;
        if lends {
            self.change(object, |contents| contents.lends_unknowns = true);
        }
        Ok(())
    }

    /// Takes the values of all bytes that can be reached through pointers, and of the environment's objects; gives
    /// what lost some, as a pointer and a size. Constants keep theirs, but lead on.
    pub(crate) fn leave_open(&mut self, roots: &[Bits]) -> Vec<(Bits, u64)> {
        let mut work: Vec<ObjectRef> = roots.iter().map(|&pointer| object_of(pointer)).collect();
        work.extend(self.environment.values());
        let mut seen = BTreeSet::new();
        let mut opened = Vec::new();
        while let Some(object) = work.pop() {
            let Some(instance) = self.slot(object) else { continue };
            if instance.life != Life::Alive || !seen.insert(object.index()) {
                continue;
            }
            work.extend(instance.contents.pointers().map(object_of));
            let size = instance.size;
            let may_change = match instance.origin {
                Origin::Global(_)
                | Origin::Local(_)
                | Origin::Heap(_)
                | Origin::Stack(_)
                | Origin::Environment(_) => true,
                Origin::Constant(_) | Origin::Function(_) => false,
            };
            if may_change && !instance.contents.is_open(size) {
                self.change(object, |contents| contents.open(size));
                opened.push((value::pointer(object, 0), size));
            }
        }
        opened.sort_unstable();
        opened
    }

    /// Calls `visit` on the pointers stored in alive objects, with the object and the offset.
    pub(crate) fn for_each_stored_pointer(&self, visit: &mut dyn FnMut(Origin, u64, Bits)) {
        for instance in self.instances.iter().flatten().map(Shared::get) {
            if instance.life == Life::Alive {
                for (offset, pointer) in instance.contents.stored_pointers() {
                    visit(instance.origin, offset, pointer);
                }
            }
        }
    }

    /// The live blocks of the heap, without those allocated where `is_own` says so.
    pub(crate) fn heap_blocks(&self, is_own: impl Fn(SrcPos) -> bool) -> Vec<u32> {
        let is_block = |instance: &Instance| match instance.origin {
            Origin::Heap(pos) => instance.life == Life::Alive && !is_own(pos),
            Origin::Global(_)
            | Origin::Constant(_)
            | Origin::Function(_)
            | Origin::Local(_)
            | Origin::Stack(_)
            | Origin::Environment(_) => false,
        };
        let instances = (0..).zip(&self.instances);
        let there = instances.filter_map(|(index, it)| Some((index, it.as_ref()?.get())));
        there.filter(|(_, instance)| is_block(instance)).map(|(index, _)| index).collect()
    }

    /// The object with this index, in messages.
    pub(crate) fn described(&self, index: u32) -> Option<AccessedObject> {
        let instance = self.instances.get(index as usize)?.as_ref()?.get();
        let History { made_by, ended } = instance.history;
        Some(AccessedObject::new(instance.origin, instance.size, made_by, ended))
    }

    /// The blocks of the heap to which pointers lead: from these values, from objects that are no blocks, and from
    /// blocks that are reached.
    pub(crate) fn reached(&self, layout: &Layout, roots: &[Bits]) -> BTreeSet<u32> {
        let mut found: Vec<u32> =
            roots.iter().filter_map(|&bits| self.target(layout, bits)).collect();
        let is_block = |instance: &Instance| matches!(instance.origin, Origin::Heap(_));
        for instance in self.instances.iter().flatten().map(Shared::get) {
            if instance.life == Life::Alive && !is_block(instance) {
                self.add_targets(layout, instance, &mut found);
            }
        }
        let mut reached = BTreeSet::new();
        while let Some(index) = found.pop() {
            let Some(Some(shared)) = self.instances.get(index as usize) else { continue };
            let instance = shared.get();
            if instance.life == Life::Alive && is_block(instance) && reached.insert(index) {
                self.add_targets(layout, instance, &mut found);
            }
        }
        reached
    }

    fn add_targets(&self, layout: &Layout, instance: &Instance, found: &mut Vec<u32>) {
        let contents = &instance.contents;
        found.extend(contents.pointers().filter_map(|bits| self.target(layout, bits)));
        // Larger objects are not searched for numbers that are addresses.
        if instance.size > SEARCHED_BYTES {
            return;
        }
        let bytes = self.pointer_bytes;
        for at in (0..instance.size / bytes).map(|index| index * bytes) {
            if contents.pointer(at).is_none()
                && let Some(number) = contents.read(at, bytes)
                && number != 0
            {
                found.extend(self.target(layout, number));
            }
        }
    }

    /// The object that a pointer leads into or one past its end, or that a number is an address of.
    fn target(&self, layout: &Layout, bits: Bits) -> Option<u32> {
        let pointer = match object_of(bits) {
            ObjectRef::NONE => self.pointer_to(layout, bits as u64 & self.address_mask()),
            _ => bits,
        };
        let (object, offset) = (object_of(pointer), offset_of(pointer));
        let instance = self.slot(object).filter(|_| object != ObjectRef::NONE)?;
        (offset <= instance.size).then_some(object.index() as u32)
    }

    /// The size of an alive object.
    pub(crate) fn size(&self, object: ObjectRef) -> Option<u64> {
        self.slot(object).filter(|instance| instance.life == Life::Alive).map(|it| it.size)
    }

    /// Forgets dead instances to which no pointer leads any more, so that their names can be used
    /// again; `is_referenced` looks at everything but the memory.
    pub(crate) fn bury(&mut self, is_referenced: impl Fn(u32) -> bool) {
        if self.tombstones.is_empty() {
            return;
        }
        let mut tombstones = std::mem::take(&mut self.tombstones);
        tombstones.retain(|&index| {
            let keep = is_referenced(index) || self.points_to(index);
            if !keep {
                self.instances[index as usize] = None;
                self.resolved.retain(|unknown, _| unknown.object.index() != index as usize);
            }
            keep
        });
        self.tombstones = tombstones;
        while let Some(None) = self.instances.last() {
            self.instances.pop();
        }
    }

    fn points_to(&self, index: u32) -> bool {
        let index = index as usize;
        self.instances.iter().flatten().any(|shared| {
            let contents = &shared.get().contents;
            contents.pointers().any(|pointer| object_of(pointer).index() == index)
                || contents.alias_objects().any(|object| object.index() == index)
        })
    }
}

impl Hash for Memory {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for (index, instance) in self.instances.iter().enumerate() {
            if let Some(instance) = instance {
                index.hash(state);
                instance.hash(state);
            }
        }
        self.resolved.hash(state);
        self.environment.hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ravelin_base::DataModel;

    fn setup() -> (Memory, Layout) {
        (Memory::new(8), Layout::new(DataModel::Lp64, Naming::Fresh))
    }

    fn create(memory: &mut Memory, layout: &mut Layout, origin: Origin, size: u64) -> ObjectRef {
        let name = InstanceName { thread: 0, site: Site::Object(0), depth: 0, size, align: 8 };
        memory.create(layout, name, origin, Background::Indeterminate).unwrap()
    }

    fn now() -> When {
        When::new(SrcPos::NONE, ThreadId::MAIN)
    }

    fn heap() -> Origin {
        Origin::Heap(SrcPos::NONE)
    }

    fn local() -> Origin {
        Origin::Local(Object::from_u32(0))
    }

    fn fault<T: std::fmt::Debug>(result: Result<T, Fault>) -> MemoryFault {
        result.unwrap_err().fault
    }

    #[test]
    fn accesses_are_checked_against_null_bounds_and_lifetime() {
        let (mut memory, mut layout) = setup();
        let object = create(&mut memory, &mut layout, local(), 8);
        let at = |offset| value::pointer(object, offset);
        assert_eq!(memory.write(at(4), 4, 7), Ok(()));
        assert_eq!(memory.read(at(4), 4), Ok(Some(7)));
        assert_eq!(
            fault(memory.read(at(5), 4)),
            MemoryFault::OutOfBounds { offset: 5, length: 4, size: 8 }
        );
        let below = memory.moved(at(0), u128::from(u64::MAX));
        assert_eq!(
            fault(memory.write(below, 1, 0)),
            MemoryFault::OutOfBounds { offset: -1, length: 1, size: 8 }
        );
        assert_eq!(fault(memory.read(0, 1)), MemoryFault::Null);
        let wild = value::pointer(ObjectRef::NONE, 0x10_0000);
        assert_eq!(fault(memory.read(wild, 1)), MemoryFault::NoObject);
        memory.end_scope(&mut layout, object, now());
        assert_eq!(fault(memory.read(at(4), 4)), MemoryFault::ScopeEnded);
    }

    #[test]
    fn free_takes_only_whole_heap_objects_once() {
        let (mut memory, mut layout) = setup();
        let stack = create(&mut memory, &mut layout, local(), 8);
        let object = create(&mut memory, &mut layout, heap(), 8);
        assert_eq!(memory.free(&mut layout, 0, now()), Ok(None));
        let free = |memory: &mut Memory, layout: &mut Layout, object, offset| {
            fault(memory.free(layout, value::pointer(object, offset), now()))
        };
        assert_eq!(free(&mut memory, &mut layout, stack, 0), MemoryFault::FreeOfNonHeap);
        let inside = MemoryFault::FreeInside { offset: 4 };
        assert_eq!(free(&mut memory, &mut layout, object, 4), inside);
        let whole = value::pointer(object, 0);
        assert_eq!(memory.free(&mut layout, whole, now()), Ok(Some(object)));
        assert_eq!(free(&mut memory, &mut layout, object, 0), MemoryFault::DoubleFree);
        assert_eq!(fault(memory.read(whole, 1)), MemoryFault::Freed);
    }

    #[test]
    fn addresses_lead_back_to_objects() {
        let (mut memory, mut layout) = setup();
        let object = create(&mut memory, &mut layout, heap(), 8);
        for offset in [0, 3, 8] {
            let pointer = value::pointer(object, offset);
            let address = memory.address(&layout, pointer);
            assert_eq!(memory.pointer_to(&layout, address), pointer);
        }
        let beyond = memory.address(&layout, value::pointer(object, 9));
        let integer = value::pointer(ObjectRef::NONE, beyond);
        assert_eq!(memory.pointer_to(&layout, beyond), integer);
        assert_eq!(memory.address(&layout, integer), beyond);
    }

    #[test]
    fn stored_pointers_keep_their_object_even_out_of_bounds() {
        let (mut memory, mut layout) = setup();
        let object = create(&mut memory, &mut layout, heap(), 8);
        let cell = create(&mut memory, &mut layout, heap(), 8);
        let (cell, far) = (value::pointer(cell, 0), value::pointer(object, 1000));
        memory.write_pointer(&layout, cell, far).unwrap();
        assert_eq!(memory.read_pointer(cell), Ok(Some(far)));
        let address = memory.address(&layout, far);
        assert_eq!(memory.read(cell, 8), Ok(Some(address.into())));
    }

    #[test]
    fn an_indeterminate_byte_and_its_copies_have_one_value() {
        let (mut memory, mut layout) = setup();
        let (a, b) = (
            create(&mut memory, &mut layout, heap(), 8),
            create(&mut memory, &mut layout, heap(), 8),
        );
        let (a, b) = (value::pointer(a, 0), value::pointer(b, 0));
        memory.copy(b, a, 8).unwrap();
        assert_eq!(memory.read(b, 4), Ok(None));
        assert_eq!(memory.is_settled(b, 4), Ok(false));
        assert_eq!(memory.settle(b, 4, 0x1122_3344), Ok(0x1122_3344));
        assert_eq!(memory.is_settled(a, 4), Ok(true));
        assert_eq!(memory.is_settled(a, 8), Ok(false));
        assert_eq!(memory.settle(a, 4, 0), Ok(0x1122_3344));
        assert_eq!(memory.read(a, 4), Ok(Some(0x1122_3344)));
    }

    #[test]
    fn what_a_function_reaches_has_no_values_any_more() {
        let (mut memory, mut layout) = setup();
        let mut object = |memory: &mut Memory, origin| create(memory, &mut layout, origin, 8);
        let (a, b) = (object(&mut memory, heap()), object(&mut memory, local()));
        let constant = object(&mut memory, Origin::Constant(Object::from_u32(1)));
        let apart = object(&mut memory, heap());
        let [a, b, constant, apart] = [a, b, constant, apart].map(|it| value::pointer(it, 0));
        memory.initialise(object_of(constant), 0, &[7; 8]);
        memory.write(b, 8, 5).unwrap();
        memory.copy(apart, a, 4).unwrap();
        memory.write_pointer(&layout, a, b).unwrap();
        // A copy of a byte without value keeps the value it will have, whatever comes of the original.
        assert_eq!(memory.leave_open(&[a, constant]).len(), 2);
        assert_eq!(memory.read(a, 8), Ok(None));
        assert_eq!(memory.read(b, 8), Ok(None));
        assert_eq!(memory.read(constant, 1), Ok(Some(7)));
        assert_eq!(memory.settle(a, 4, 1), Ok(1));
        assert_eq!(memory.settle(apart, 4, 2), Ok(2));
        assert_eq!(memory.settle(b, 8, 3), Ok(3));
        assert_eq!(memory.leave_open(&[0]), []);
    }

    #[test]
    fn overlapping_ranges_copy_as_if_by_a_buffer() {
        let (mut memory, mut layout) = setup();
        let object = create(&mut memory, &mut layout, heap(), 8);
        let at = |offset| value::pointer(object, offset);
        memory.write(at(0), 8, 0x0807_0605_0403_0201).unwrap();
        memory.copy(at(2), at(0), 6).unwrap();
        assert_eq!(memory.read(at(0), 8), Ok(Some(0x0605_0403_0201_0201)));
        assert_eq!(memory.copy(0, 0, 0), Ok(()));
        assert_eq!(
            fault(memory.copy(at(3), at(0), 6)),
            MemoryFault::OutOfBounds { offset: 3, length: 6, size: 8 }
        );
    }

    #[test]
    fn names_of_unreferenced_dead_objects_are_used_again() {
        let mut memory = Memory::new(8);
        let mut layout = Layout::new(DataModel::Lp64, Naming::Canonical);
        let first = create(&mut memory, &mut layout, local(), 8);
        let cell = create(&mut memory, &mut layout, heap(), 8);
        let cell = value::pointer(cell, 0);
        memory.write_pointer(&layout, cell, value::pointer(first, 0)).unwrap();
        memory.end_scope(&mut layout, first, now());
        memory.bury(|_| false);
        // A dangling pointer still leads there.
        assert_ne!(create(&mut memory, &mut layout, local(), 8), first);
        memory.write(cell, 8, 0).unwrap();
        memory.bury(|index| index as usize == first.index());
        assert!(memory.origin(first).is_some());
        memory.bury(|_| false);
        assert_eq!(create(&mut memory, &mut layout, local(), 8), first);
    }
}
