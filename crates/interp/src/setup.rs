//! The state before the first step, and new objects and threads.

use ravelin_base::SrcPos;
use ravelin_cfa::{Init, ObjectKind, Sort, Term, VarKind};
use ravelin_posix::SyncTable;

use crate::chooser::Chooser;
use crate::compile::{Compiled, compile_closed};
use crate::contents::Background;
use crate::env::ClosedEnv;
use crate::eval::{self, Scratch};
use crate::layout::{InstanceName, Layout, Naming, Site};
use crate::log::Log;
use crate::machine::{Machine, Quota, Stop, object_site};
use crate::memory::{Memory, Origin};
use crate::outcome::{Limit, Outcome};
use crate::shared::Shared;
use crate::state::State;
use crate::thread::{Status, Thread, ThreadId, Values};
use crate::value::{Bits, ObjectRef};

impl<'p, C: Chooser> Machine<'p, C> {
    /// The machine before the first step of `main`.
    pub(crate) fn new(
        code: &'p Compiled<'p>,
        chooser: C,
        naming: Naming,
        quota: Quota,
    ) -> Result<Self, Stop> {
        let program = code.program;
        let state = State {
            threads: Vec::new(),
            live: Vec::new(),
            globals: Shared::new(Values::unset(code.names.slots.globals.len())),
            memory: Memory::new(program.data_model.pointer_bytes()),
            sync: SyncTable::default(),
            atomic: None,
        };
        let mut machine = Machine {
            code,
            state,
            layout: Layout::new(program.data_model, naming),
            chooser,
            log: Log::default(),
            scratch: Scratch::default(),
            quota,
            args: Vec::new(),
        };
        machine.create_statics()?;
        for (index, &var) in code.names.slots.globals.iter().enumerate() {
            if let VarKind::Global { init: Some(init), .. } = program.vars[var].kind {
                let bits = machine.closed(init);
                machine.state.globals.get_mut().set(index, bits);
            }
        }
        let Some(entry) = program.entry else {
            let what = "a program without main".into();
            return Err(Box::new(Outcome::Unsupported { what, pos: SrcPos::NONE }));
        };
        let mut thread = machine.new_thread(ThreadId::MAIN)?;
        machine.push_frame(&mut thread, entry, None)?;
        machine.add_thread(ThreadId::MAIN, thread);
        Ok(machine)
    }

    /// Objects first, contents after: an initial value may hold any object's address.
    fn create_statics(&mut self) -> Result<(), Stop> {
        let code = self.code;
        for &object in &code.names.slots.statics {
            let data = &code.program.objects[object];
            let origin = match data.kind {
                ObjectKind::Constant => Origin::Constant(object),
                ObjectKind::Function(_) => Origin::Function(object),
                ObjectKind::Global | ObjectKind::ThreadLocal | ObjectKind::Local(_) => {
                    Origin::Global(object)
                }
            };
            let size = match data.kind {
                // A function has an address and nothing to access.
                ObjectKind::Function(_) => 1,
                ObjectKind::Global
                | ObjectKind::Constant
                | ObjectKind::ThreadLocal
                | ObjectKind::Local(_) => data.size,
            };
            self.create(ThreadId::MAIN, object_site(object), 0, size, data.align.into(), origin)?;
        }
        for &object in &code.names.slots.statics {
            if let Some(instance) = code.names.static_instance(object) {
                self.initialise(instance, &code.program.objects[object].init);
            }
        }
        Ok(())
    }

    /// Writes the initial contents of an object.
    pub(crate) fn initialise(&mut self, instance: ObjectRef, init: &Init) {
        match init {
            Init::Indeterminate => {}
            Init::Zero => self.zero(instance),
            Init::Bytes(bytes) => {
                self.zero(instance);
                self.state.memory.initialise(instance, 0, bytes);
            }
            Init::Values(values) => {
                self.zero(instance);
                for &(offset, term) in values {
                    let bits = self.closed(term);
                    let sort = self.program().terms.sort(term);
                    if sort == Sort::Ptr {
                        let memory = &mut self.state.memory;
                        memory.initialise_pointer(&self.layout, instance, offset, bits);
                    } else {
                        let length = self.bytes_of(sort) as usize;
                        let bytes = &bits.to_le_bytes()[..length];
                        self.state.memory.initialise(instance, offset, bytes);
                    }
                }
            }
        }
    }

    pub(crate) fn zero(&mut self, instance: ObjectRef) {
        self.state.memory.make_zero(instance);
    }

    /// The value of a closed term; a division by zero in one is refused by the front end.
    fn closed(&mut self, term: Term) -> Bits {
        let (code, term) = compile_closed(self.program(), &self.code.names, term);
        let mut env = ClosedEnv { memory: &self.state.memory, layout: &self.layout };
        eval::eval(&code, term, &mut self.scratch, &mut env).unwrap_or(0)
    }

    /// Creates an object. `depth` tells the frames of a recursion apart.
    pub(crate) fn create(
        &mut self,
        thread: ThreadId,
        site: Site,
        depth: usize,
        size: u64,
        align: u64,
        origin: Origin,
    ) -> Result<ObjectRef, Stop> {
        let name = InstanceName { thread: thread.0, site, depth: depth as u32, size, align };
        let memory = &mut self.state.memory;
        let out_of_memory = || Box::new(Outcome::OutOfBudget(Limit::Memory));
        let object = memory
            .create(&mut self.layout, name, origin, Background::Indeterminate)
            .map_err(|_| out_of_memory())?;
        if memory.footprint() > self.quota.memory {
            return Err(out_of_memory());
        }
        Ok(object)
    }

    /// A thread without frames.
    pub(crate) fn new_thread(&mut self, id: ThreadId) -> Result<Thread, Stop> {
        let code = self.code;
        let mut thread = Thread {
            status: Status::Running,
            frames: Vec::new(),
            locals: Values::default(),
            thread_locals: Values::unset(code.names.slots.thread_locals.len()),
            thread_objects: Vec::new(),
            stack_objects: Vec::new(),
            started: Vec::new(),
        };
        for (index, &var) in code.names.slots.thread_locals.iter().enumerate() {
            if let VarKind::ThreadLocal { init: Some(init) } = code.program.vars[var].kind {
                let bits = self.closed(init);
                thread.thread_locals.set(index, bits);
            }
        }
        for &object in &code.names.slots.thread_objects {
            let data = &code.program.objects[object];
            let site = object_site(object);
            let origin = Origin::Local(object);
            let instance = self.create(id, site, 0, data.size, data.align.into(), origin)?;
            self.initialise(instance, &data.init);
            thread.thread_objects.push(instance);
        }
        Ok(thread)
    }

    pub(crate) fn add_thread(&mut self, id: ThreadId, thread: Thread) {
        let threads = &mut self.state.threads;
        if threads.len() <= id.index() {
            threads.resize(id.index() + 1, None);
        }
        threads[id.index()] = Some(Shared::new(thread));
        let live = &mut self.state.live;
        live.insert(live.partition_point(|&other| other < id), id);
    }
}
