//! What an expression reads and writes, and whether C leaves an order open that matters.
//!
//! C11 6.5p2 makes two unsequenced side effects on one object (or a side effect and a use of it)
//! undefined, and 6.5.2.2p10 leaves the order of calls open. A footprint says which objects are
//! touched; putting together two footprints whose order is open detects the conflicts.

use crate::families::exprs;
use crate::program::{Block, Callee, Expr, Init, Place, Program, Qualifier, Stmt, VarId};
use std::collections::BTreeSet;

/// What evaluating something touches.
#[derive(Clone, Debug, Default)]
pub struct Footprint {
    reads: BTreeSet<VarId>,
    writes: BTreeSet<VarId>,
    /// Of `reads` and `writes`, some variable is seen by called functions.
    shared: bool,
    /// Accesses through pointers, or to variables that pointers may point to.
    memory_read: bool,
    memory_write: bool,
    /// A function is called that may touch every global and everything behind pointers.
    call: bool,
    /// Two parts whose order is open touch the same object, and one of them writes.
    pub conflict: bool,
}

impl Footprint {
    /// Whether evaluation changes anything.
    pub fn has_effects(&self) -> bool {
        self.call || self.memory_write || !self.writes.is_empty()
    }

    /// Whether nothing is touched but variables that pointers and other functions do not reach.
    pub fn is_private(&self) -> bool {
        !self.call && !self.shared && !self.memory_read && !self.memory_write
    }

    /// Evaluation of `self`, then of `other`.
    pub fn then(mut self, other: Footprint) -> Footprint {
        self.reads.extend(other.reads);
        self.writes.extend(other.writes);
        self.shared |= other.shared;
        self.memory_read |= other.memory_read;
        self.memory_write |= other.memory_write;
        self.call |= other.call;
        self.conflict |= other.conflict;
        self
    }

    /// Evaluation of both in an order that C leaves open.
    pub fn beside(self, other: Footprint) -> Footprint {
        let conflict = self.disturbs(&other) || other.disturbs(&self);
        let mut both = self.then(other);
        both.conflict |= conflict;
        both
    }

    fn disturbs(&self, other: &Footprint) -> bool {
        !self.writes.is_disjoint(&other.reads)
            || !self.writes.is_disjoint(&other.writes)
            || self.memory_write && (other.memory_read || other.memory_write)
            || self.call && (other.call || other.shared || other.memory_read || other.memory_write)
    }

    /// A store that happens after the values in `self` are computed, but not necessarily after
    /// their side effects (C11 6.5.16p3). Calls are complete by then.
    fn then_store(self, store: Footprint) -> Footprint {
        let conflict =
            !self.writes.is_disjoint(&store.writes) || self.memory_write && store.memory_write;
        let mut both = self.then(store);
        both.conflict |= conflict;
        both
    }
}

impl Program {
    /// What evaluating the expression touches.
    pub fn footprint(&self, expr: &Expr) -> Footprint {
        match expr {
            exprs!(leaves) => Footprint::default(),
            // The operand is not evaluated.
            Expr::SizeOfExpr(_) | Expr::TypeTag(_) => Footprint::default(),
            Expr::Load(place) => self.address(place).beside(self.read(place)),
            Expr::AddressOf(place) | Expr::Decay(place) => self.address(place),
            Expr::Unary(_, a)
            | Expr::Cast(_, a)
            | Expr::Truncate(_, a)
            | Expr::Detour(_, a)
            | Expr::Builtin(_, a) => self.footprint(a),
            Expr::Binary(_, _, a, b) | Expr::SamePointer(_, a, b) => {
                self.footprint(a).beside(self.footprint(b))
            }
            Expr::Logic(_, a, b) | Expr::Comma(a, b) => self.footprint(a).then(self.footprint(b)),
            Expr::Cond(a, b, c) => {
                let then = b.as_ref().map_or_else(Footprint::default, |b| self.footprint(b));
                self.footprint(a).then(then).then(self.footprint(c))
            }
            Expr::Assign(place, a) => {
                self.address(place).beside(self.footprint(a)).then_store(self.write(place))
            }
            Expr::Compound(_, _, place, a) => self
                .address(place)
                .beside(self.read(place))
                .beside(self.footprint(a))
                .then_store(self.write(place)),
            Expr::Step(_, place) => {
                self.address(place).beside(self.read(place)).then_store(self.write(place))
            }
            Expr::Call(callee, args, _) => {
                let (designator, pure) = match callee {
                    Callee::Direct(function) => {
                        (Footprint::default(), self.functions[*function].pure)
                    }
                    Callee::Pointer { place, .. } => {
                        (self.address(place).beside(self.read(place)), false)
                    }
                };
                let args = args.iter().fold(designator, |all, arg| all.beside(self.footprint(arg)));
                args.then(Footprint { call: !pure, ..Footprint::default() })
            }
            // The array is written twice, once for each element.
            Expr::Elements(_, array, a, b) => self
                .address(array)
                .beside(self.address(array))
                .beside(self.footprint(a))
                .beside(self.footprint(b)),
            Expr::Block(block, result) => self.block_footprint(block).then(self.footprint(result)),
            Expr::Overflow(_, a, b, place) => self
                .footprint(a)
                .beside(self.footprint(b))
                .beside(self.address(place))
                .beside(self.write(place)),
            Expr::Literal(_, init) => self.init_footprint(init),
            Expr::StrLen(place) => {
                self.address(place).beside(self.write(place)).then(self.read(place))
            }
            Expr::CompareMem(a, b) => {
                self.address(a).beside(self.address(b)).then(self.read(a)).then(self.read(b))
            }
            Expr::Variadic(args) => {
                args.iter().fold(Footprint::default(), |all, arg| all.beside(self.footprint(arg)))
            }
        }
    }

    /// What executing the statements touches.
    pub fn block_footprint(&self, block: &Block) -> Footprint {
        block.iter().fold(Footprint::default(), |all, stmt| all.then(self.stmt_footprint(stmt)))
    }

    fn stmt_footprint(&self, stmt: &Stmt) -> Footprint {
        // Functions of the prelude change the checksum, which no other part can see.
        let observing = || Footprint { call: true, ..Footprint::default() };
        let var = |var: &VarId| {
            let place = Place::Var(*var);
            self.write(&place).then(self.read(&place))
        };
        match stmt {
            Stmt::Declare(v, init) => self.init_footprint(init).then(var(v)),
            Stmt::Expr(e) => self.footprint(e),
            Stmt::Mix(e) | Stmt::Print(e) => self.footprint(e).then(observing()),
            Stmt::Observe(place) => self.address(place).beside(self.read(place)).then(observing()),
            Stmt::If(cond, then, otherwise) => self
                .footprint(cond)
                .then(self.block_footprint(then))
                .then(self.block_footprint(otherwise)),
            Stmt::Loop { counter, guard, body, .. } => {
                let guard = guard.as_ref().map_or_else(Footprint::default, |g| self.footprint(g));
                var(counter).then(guard).then(self.block_footprint(body))
            }
            Stmt::Switch(selector, cases) => {
                cases.iter().fold(self.footprint(selector), |all, case| {
                    all.then(self.block_footprint(&case.body))
                })
            }
            Stmt::Duff { selector, counter, parts, .. } => {
                parts.iter().fold(self.footprint(selector).then(var(counter)), |all, part| {
                    all.then(self.block_footprint(part))
                })
            }
            Stmt::Break | Stmt::Continue | Stmt::Return(None) | Stmt::Goto(_) => {
                Footprint::default()
            }
            Stmt::Return(Some(e)) => self.footprint(e),
            Stmt::Region(_, body) | Stmt::Block(body) => self.block_footprint(body),
            Stmt::Walk { cursor, array, body, .. } => {
                self.address(array).then(var(cursor)).then(self.block_footprint(body))
            }
            Stmt::Heap { var: v, fill: value, body, .. }
            | Stmt::List { head: v, value, body, .. } => {
                self.footprint(value).then(var(v)).then(self.block_footprint(body))
            }
            Stmt::Fill(place, e) => {
                self.address(place).beside(self.footprint(e)).then(self.write(place))
            }
            Stmt::Copy(to, from, _) => self
                .address(to)
                .beside(self.address(from))
                .then(self.read(from))
                .then(self.write(to)),
            // The place is written as source and as destination.
            Stmt::Shift(place, _) | Stmt::Clear(place) => {
                self.address(place).beside(self.address(place)).then(self.write(place))
            }
        }
    }

    fn init_footprint(&self, init: &Init) -> Footprint {
        match init {
            Init::Expr(e) => self.footprint(e),
            Init::Zero | Init::Str(_) => Footprint::default(),
            // C11 6.7.9p23: the order inside an initialiser list is open.
            Init::List(items) => items.iter().fold(Footprint::default(), |all, item| {
                all.beside(self.init_footprint(&item.init))
            }),
            Init::Vla(length, fill) => self.footprint(length).then(self.footprint(fill)),
        }
    }

    /// What computing the address of a place touches.
    fn address(&self, place: &Place) -> Footprint {
        match place {
            Place::Var(_) => Footprint::default(),
            Place::Field(base, _) | Place::View(base, _) => self.address(base),
            Place::Index(base, index) | Place::Byte(base, index) => {
                self.address(base).beside(self.footprint(index))
            }
            Place::Deref(e) | Place::Temporary(e) => self.footprint(e),
            Place::Element(pointer, index, _) => {
                self.footprint(pointer).beside(self.footprint(index))
            }
            Place::Literal(_, init) => self.init_footprint(init),
            Place::Char(_, index) => self.footprint(index),
        }
    }

    fn read(&self, place: &Place) -> Footprint {
        let (var, memory, shared) = self.touched(place);
        let reads = var.into_iter().collect();
        Footprint { reads, shared, memory_read: memory, ..Footprint::default() }
    }

    fn write(&self, place: &Place) -> Footprint {
        let (var, memory, shared) = self.touched(place);
        let writes = var.into_iter().collect();
        Footprint { writes, shared, memory_write: memory, ..Footprint::default() }
    }

    /// The variable that an access to a place touches, whether it touches memory, and whether other
    /// threads may see it.
    fn touched(&self, place: &Place) -> (Option<VarId>, bool, bool) {
        match self.root(place) {
            Root::Var(var) => {
                let data = &self.vars[var];
                (Some(var), data.addressable, data.is_shared())
            }
            Root::Memory => (None, true, false),
            Root::Constant => (None, false, false),
        }
    }

    fn root(&self, place: &Place) -> Root {
        match place {
            Place::Var(var) if self.vars[*var].qualifier == Qualifier::Const => Root::Constant,
            Place::Var(var) => Root::Var(*var),
            Place::Field(base, _)
            | Place::Index(base, _)
            | Place::Byte(base, _)
            | Place::View(base, _) => self.root(base),
            Place::Deref(_) | Place::Element(..) => Root::Memory,
            Place::Literal(..) | Place::Char(..) | Place::Temporary(_) => Root::Constant,
        }
    }
}

/// What a place is a part of.
enum Root {
    Var(VarId),
    Memory,
    /// Nothing that can change: constants and unnamed objects.
    Constant,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::generate;
    use crate::program::{BinaryOp, Function, FunctionId, Guard, StepOp, Storage, Var};
    use crate::types::{IntKind, Type};
    use ravelin_base::DataModel;

    /// A program with a local `x`, a global `y` that has its address taken, a pointer `p` and an
    /// impure function.
    fn program() -> (Program, [Place; 3], FunctionId) {
        let mut program = generate(0, DataModel::Lp64);
        let mut var = |ty, storage, addressable| {
            Place::Var(program.vars.push(Var {
                ty,
                storage,
                qualifier: Qualifier::None,
                level: 2,
                addressable,
                writable: true,
                limit: None,
            }))
        };
        let int = Type::Int(IntKind::Int);
        let x = var(int.clone(), Storage::Local, false);
        let y = var(int.clone(), Storage::Global, true);
        let p = var(Type::pointer(int.clone(), 1), Storage::Local, false);
        let function = program.functions.push(Function {
            result: Some(int),
            params: Vec::new(),
            signature: None,
            recursion: None,
            pure: false,
            cost: 1,
            body: Some(Block::new()),
        });
        (program, [x, y, p], function)
    }

    fn step(place: &Place) -> Expr {
        Expr::Step(StepOp::PostIncrement, place.clone())
    }

    fn load(place: &Place) -> Expr {
        Expr::Load(place.clone())
    }

    fn add(a: Expr, b: Expr) -> Expr {
        Expr::Binary(BinaryOp::Add, Guard::Small, Box::new(a), Box::new(b))
    }

    fn target(pointer: &Place) -> Place {
        Place::Deref(Box::new(load(pointer)))
    }

    #[test]
    fn an_open_order_that_matters_is_a_conflict() {
        let (program, [x, y, p], f) = program();
        let call = || Expr::Call(Callee::Direct(f), Vec::new(), 1);
        let assign = |place: &Place, value| Expr::Assign(place.clone(), Box::new(value));
        for expr in [
            add(load(&x), step(&x)),
            add(step(&x), step(&x)),
            // The pointer may point to the global.
            add(load(&y), step(&target(&p))),
            add(call(), call()),
            add(call(), load(&y)),
            add(call(), load(&target(&p))),
            assign(&x, step(&x)),
            assign(&y, step(&target(&p))),
            // The old value of the global may be read before or after the call.
            Expr::Compound(BinaryOp::Add, Guard::Small, y.clone(), Box::new(call())),
        ] {
            assert!(program.footprint(&expr).conflict, "{expr:?}");
        }
    }

    #[test]
    fn sequenced_or_separate_accesses_are_none() {
        let (program, [x, y, p], f) = program();
        let call = || Expr::Call(Callee::Direct(f), Vec::new(), 1);
        let assign = |place: &Place, value| Expr::Assign(place.clone(), Box::new(value));
        for expr in [
            Expr::Comma(Box::new(step(&x)), Box::new(load(&x))),
            Expr::Cond(Box::new(step(&y)), Some(Box::new(step(&y))), Box::new(call())),
            // Nothing points to the local.
            add(step(&x), load(&target(&p))),
            add(call(), step(&x)),
            assign(&x, add(load(&x), load(&x))),
            // The call is over when the global is written.
            assign(&y, call()),
            Expr::SizeOfExpr(Box::new(add(load(&x), step(&x)))),
        ] {
            assert!(!program.footprint(&expr).conflict, "{expr:?}");
        }
    }
}
