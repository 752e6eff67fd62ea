//! Statements and declarations.

use super::place::{Use, Want};
use super::{Generator, evaluate};
use crate::program::{
    Allocation, Block, Case, Expr, Field, Guard, Init, LabelId, LoopStyle, Place, Qualifier,
    RecordDef, RecordKind, Stmt, Storage, Var, VarId,
};
use crate::types::{IntKind, RecordId, Type};
use ravelin_base::EntityRef;

/// What differs inside a nested block.
#[derive(Clone, Copy)]
struct Nest {
    in_loop: bool,
    in_switch: bool,
    /// How often the block is executed for one execution of the statement.
    times: u32,
}

impl Generator {
    /// A block one level deeper, in which also the given variables are in scope.
    fn nested(&mut self, nest: Nest, vars: &[VarId], depth: u32) -> Block {
        let outer =
            (self.context.in_loop, self.context.in_switch, self.context.factor, self.context.level);
        self.context.in_loop = nest.in_loop;
        self.context.in_switch = nest.in_switch;
        self.context.factor = self.context.factor.saturating_mul(u64::from(nest.times));
        self.context.level += 1;
        let mark = self.scope.len();
        self.scope.extend(vars);
        let count = self.rng.u32(1..=3);
        let block = self.statements(count, depth);
        self.scope.truncate(mark);
        (self.context.in_loop, self.context.in_switch, self.context.factor, self.context.level) =
            outer;
        block
    }

    fn here(&self) -> Nest {
        Nest { in_loop: self.context.in_loop, in_switch: self.context.in_switch, times: 1 }
    }

    /// Up to so many statements, after a few declarations.
    pub(super) fn statements(&mut self, count: u32, depth: u32) -> Block {
        let mark = self.scope.len();
        let mut block = Block::new();
        for _ in 0..self.rng.u32(0..=2) {
            block.push(self.declaration());
        }
        for _ in 0..count {
            if depth > 0 && self.chance(40) {
                block.extend(self.compound_stmt(depth - 1));
            } else if self.chance(8) {
                block.push(self.declaration());
            } else {
                block.extend(self.simple_stmt());
            }
        }
        if let Some(jump) = self.jump() {
            block.push(jump);
        }
        self.scope.truncate(mark);
        block
    }

    /// Now and then, a way out of the block.
    fn jump(&mut self) -> Option<Stmt> {
        if self.context.enclosed || !self.chance(25) {
            return None;
        }
        let stmt = match self.rng.u32(0..4) {
            0 if self.context.in_loop || self.context.in_switch => Stmt::Break,
            1 if self.context.in_loop => Stmt::Continue,
            2 if !self.context.labels.is_empty() => {
                let labels = self.context.labels.clone();
                Stmt::Goto(self.pick(&labels))
            }
            3 if !self.context.in_main => self.return_stmt(),
            _ => return None,
        };
        // Never unconditionally at the end of a loop's body, which would be no loop.
        let condition = self.full(|g| g.int_expr(2));
        Some(Stmt::If(condition, vec![stmt], Block::new()))
    }

    pub(super) fn return_stmt(&mut self) -> Stmt {
        let Some(result) = self.context.result.clone() else { return Stmt::Return(None) };
        Stmt::Return(Some(match &result {
            Type::Int(_) | Type::Enum(_) => self.full(|g| g.int_expr(2)),
            Type::Float(_) => self.full(|g| g.arithmetic_expr(2)),
            Type::Record(record) => self.full(|g| g.record_expr(*record, 1)),
            Type::Pointer(target, length) => self.full(|g| g.pointer_expr(target, *length, 0, 1)),
            Type::Function(signature) => self.function_value(*signature),
            Type::Array(..) => unreachable!("functions do not return arrays"),
        }))
    }

    /// A new variable of the block.
    pub(super) fn declaration(&mut self) -> Stmt {
        let ty = self.object_type(2);
        if let Type::Array(element, _) = &ty
            && element.is_arithmetic()
            && self.context.factor < 50
            && self.chance(15)
        {
            let length = self.full(|g| g.int_expr(1));
            let fill = self.without_effects(|g| match **element {
                Type::Float(_) => g.arithmetic_expr(1),
                _ => g.int_expr(1),
            });
            let var = self.local(ty, Qualifier::None);
            return Stmt::Declare(var, Init::Vla(length, fill));
        }
        if !self.context.pure && self.chance(10) {
            let outer = std::mem::replace(&mut self.context, super::Context::file_scope());
            let init = self.init(&ty);
            self.context = outer;
            let var = self.local(ty, Qualifier::None);
            let info = &mut self.program.vars[var];
            (info.storage, info.level) = (Storage::StaticLocal, 0);
            return Stmt::Declare(var, init);
        }
        let init = self.init(&ty);
        let qualifier = match &ty {
            Type::Int(_) | Type::Float(_) => self.weighted(&[
                (8, Qualifier::None),
                (1, Qualifier::Volatile),
                (1, Qualifier::Register),
                (1, Qualifier::Const),
            ]),
            _ => Qualifier::None,
        };
        let var = self.local(ty, qualifier);
        Stmt::Declare(var, init)
    }

    /// A variable of the current block, in scope from now on.
    fn local(&mut self, ty: Type, qualifier: Qualifier) -> VarId {
        let addressable = qualifier == Qualifier::None && !self.context.pure && self.chance(50);
        let var = self.program.vars.push(Var {
            ty,
            storage: Storage::Local,
            qualifier,
            level: self.context.level,
            addressable,
            writable: qualifier != Qualifier::Const,
            limit: None,
        });
        self.scope.push(var);
        var
    }

    /// A variable that belongs to a statement and that only the statement changes.
    fn bound_var(&mut self, ty: Type, limit: Option<u32>) -> VarId {
        self.program.vars.push(Var {
            ty,
            storage: Storage::Local,
            qualifier: Qualifier::None,
            level: self.context.level + 1,
            addressable: false,
            writable: false,
            limit,
        })
    }

    // Statements without statements inside.

    /// A simple statement; nothing if what was tried is not possible here or would take too long.
    pub(super) fn simple_stmt(&mut self) -> Option<Stmt> {
        let stmt = self.try_simple()?;
        let cost = self.program.cost(&vec![stmt.clone()]);
        if self.too_expensive(cost) {
            return None;
        }
        self.context.budget -= self.context.factor.saturating_mul(cost);
        Some(stmt)
    }

    fn try_simple(&mut self) -> Option<Stmt> {
        let observing = !self.context.pure;
        match self.rng.u32(0..40) {
            0..8 => {
                let place = self.place(&Want::Int, Use::Write)?;
                let expr = self.full(move |g| Expr::Assign(place.clone(), Box::new(g.int_expr(3))));
                Some(evaluate(expr))
            }
            8..12 => {
                let expr = self.full(|g| match g.compound(2) {
                    Some(expr) => expr,
                    None => g.int_expr(2),
                });
                Some(evaluate(expr))
            }
            12..14 => self.without_effects(Self::step).map(evaluate),
            14..17 => {
                let place = self.place(&Want::Float, Use::Write)?;
                let expr =
                    self.full(move |g| Expr::Assign(place.clone(), Box::new(g.arithmetic_expr(2))));
                Some(evaluate(expr))
            }
            17 => self.without_effects(|g| g.float_update(2)).map(evaluate),
            18..20 => self.record_assignment(),
            20..22 => self.pointer_assignment(),
            22..24 => {
                // A call for its effect, of whatever result.
                let outer = std::mem::replace(&mut self.context.effects, true);
                let call = self.call(|_| true);
                self.context.effects = outer;
                let call = call?;
                (!self.program.footprint(&call).conflict).then(|| evaluate(call))
            }
            24 => {
                let outer = std::mem::replace(&mut self.context.effects, true);
                let member = self.member_of_result();
                self.context.effects = outer;
                let member = member?;
                let place = self.without_effects(|g| g.place(&Want::Int, Use::Write))?;
                let expr = Expr::Assign(place, Box::new(member));
                (!self.program.footprint(&expr).conflict).then(|| evaluate(expr))
            }
            25 => {
                let place = self.without_effects(|g| g.place(&Want::RawArray, Use::Write))?;
                let value = self.without_effects(|g| g.int_expr(1));
                (!self.is_qualified(&place)).then_some(Stmt::Fill(place, value))
            }
            26 => {
                let (to, from) = self.without_effects(|g| {
                    (g.place(&Want::RawArray, Use::Write), g.place(&Want::RawArray, Use::Read))
                });
                let (to, from) = (to?, from?);
                if self.is_qualified(&to) || self.is_qualified(&from) {
                    return None;
                }
                // The two may be the same object, unless both are different variables.
                let distinct = match (super::expr::root_var(&to), super::expr::root_var(&from)) {
                    (Some(a), Some(b)) => a != b,
                    _ => false,
                };
                Some(Stmt::Copy(to, from, !distinct || self.chance(20)))
            }
            27 => {
                let place = self.without_effects(|g| g.place(&Want::RawArray, Use::Write))?;
                (!self.is_qualified(&place)).then(|| Stmt::Shift(place, self.rng.bool()))
            }
            28 => {
                let record = self.record()?;
                let ty = Type::Record(record);
                if self.program.has_pointers(&ty) {
                    return None;
                }
                let place = self.without_effects(|g| g.place(&Want::Exactly(ty), Use::Write))?;
                (self.may_assign_whole(&place) && !self.is_qualified(&place))
                    .then_some(Stmt::Clear(place))
            }
            29..33 if observing => {
                let value = self.full(|g| g.arithmetic_expr(3));
                Some(Stmt::Mix(value))
            }
            33 if observing && self.context.factor < 10 => {
                let value = self.full(|g| g.int_expr(2));
                Some(Stmt::Print(value))
            }
            34..37 if observing => {
                let var = self.pick_local()?;
                Some(Stmt::Observe(Place::Var(var)))
            }
            37 => Some(evaluate(self.full(|g| g.int_expr(3)))),
            _ => None,
        }
    }

    fn pick_local(&mut self) -> Option<VarId> {
        if self.scope.is_empty() {
            return None;
        }
        Some(self.scope[self.rng.usize(0..self.scope.len())])
    }

    fn record_assignment(&mut self) -> Option<Stmt> {
        let record = self.record()?;
        let place = self.place(&Want::Exactly(Type::Record(record)), Use::Write)?;
        if !self.may_assign_whole(&place) {
            return None;
        }
        let expr =
            self.full(move |g| Expr::Assign(place.clone(), Box::new(g.record_expr(record, 2))));
        Some(evaluate(expr))
    }

    fn pointer_assignment(&mut self) -> Option<Stmt> {
        let var = self.pick_local()?;
        let info = &self.program.vars[var];
        let Type::Pointer(target, length) = info.ty.clone() else { return None };
        if !info.writable {
            return None;
        }
        let room = info.level;
        let expr = self.full(move |g| {
            let value = g.pointer_expr(&target, length, room, 2);
            Expr::Assign(Place::Var(var), Box::new(value))
        });
        Some(evaluate(expr))
    }

    // Statements with statements inside.

    fn compound_stmt(&mut self, depth: u32) -> Option<Stmt> {
        match self.rng.u32(0..20) {
            0..6 => {
                let condition = self.full(|g| g.arithmetic_expr(3));
                let then = self.nested(self.here(), &[], depth);
                let otherwise = if self.chance(50) {
                    self.nested(self.here(), &[], depth)
                } else {
                    Block::new()
                };
                Some(Stmt::If(condition, then, otherwise))
            }
            6..11 => self.loop_stmt(depth),
            11..13 => Some(self.switch_stmt(depth)),
            13 => self.duff(depth),
            14 if !self.context.enclosed => {
                let label = LabelId::new(self.program.labels as usize);
                self.program.labels += 1;
                self.context.labels.push(label);
                let body = self.nested(self.here(), &[], depth);
                self.context.labels.pop();
                Some(Stmt::Region(label, body))
            }
            15 => Some(Stmt::Block(self.nested(self.here(), &[], depth))),
            16 if !self.context.pure => self.walk(depth),
            17..19 if !self.context.pure => self.heap(depth),
            19 if !self.context.pure => self.list(depth),
            _ => None,
        }
    }

    /// Whether a body executed that often is affordable at all.
    fn affordable(&self, times: u32) -> bool {
        !self.too_expensive(u64::from(times) * 100)
    }

    fn counter_type(&mut self) -> Type {
        Type::Int(self.pick(&[
            IntKind::Int,
            IntKind::Int,
            IntKind::UInt,
            IntKind::UChar,
            IntKind::SChar,
            IntKind::Short,
            IntKind::Long,
            IntKind::ULLong,
        ]))
    }

    fn loop_stmt(&mut self, depth: u32) -> Option<Stmt> {
        let bound = self.rng.u32(1..=8);
        if !self.affordable(bound) {
            return None;
        }
        let style = self.pick(&[
            LoopStyle::For,
            LoopStyle::For,
            LoopStyle::Down,
            LoopStyle::While,
            LoopStyle::Do,
            LoopStyle::Goto,
            LoopStyle::Forever,
        ]);
        let ty = self.counter_type();
        let counter = self.bound_var(ty, Some(bound + 1));
        let guard = self.chance(30).then(|| {
            self.scope.push(counter);
            let guard = self.full(|g| g.arithmetic_expr(2));
            self.scope.pop();
            guard
        });
        let nest = match style {
            LoopStyle::Goto => Nest { times: bound, ..self.here() },
            LoopStyle::For
            | LoopStyle::Down
            | LoopStyle::While
            | LoopStyle::Do
            | LoopStyle::Forever => Nest { in_loop: true, in_switch: false, times: bound },
        };
        let body = self.nested(nest, &[counter], depth);
        Some(Stmt::Loop { style, counter, bound, guard, body })
    }

    fn switch_stmt(&mut self, depth: u32) -> Stmt {
        // The values come from a small range, so that the labels are met.
        let mask = self.pick(&[3, 7, 15]);
        let selector = self.full(move |g| {
            let value = Box::new(g.int_expr(2));
            let mask = Box::new(Expr::int(mask));
            let and = Expr::Binary(crate::program::BinaryOp::And, Guard::Small, value, mask);
            if g.chance(20) {
                let kind = g.raw_kind();
                Expr::Cast(Type::Int(kind), Box::new(and))
            } else {
                and
            }
        });
        let mut next = -self.rng.i32(0..3);
        let mut cases = Vec::new();
        for _ in 0..self.rng.u32(1..=4) {
            let mut labels = Vec::new();
            for _ in 0..self.rng.u32(1..=2) {
                next += self.rng.i32(0..2);
                // A range that begins below zero would be empty for an unsigned selector.
                let high =
                    if next >= 0 && self.chance(20) { next + self.rng.i32(1..3) } else { next };
                labels.push((next, high));
                next = high + 1;
            }
            cases.push(labels);
        }
        if self.chance(60) {
            let at = self.rng.usize(0..=cases.len());
            cases.insert(at, Vec::new());
        }
        let nest = Nest { in_switch: true, ..self.here() };
        let cases = cases
            .into_iter()
            .map(|labels| Case {
                labels,
                body: self.nested(nest, &[], depth),
                falls_through: self.chance(30),
            })
            .collect();
        Stmt::Switch(selector, cases)
    }

    fn duff(&mut self, depth: u32) -> Option<Stmt> {
        let rounds = self.rng.u32(1..=3);
        if !self.affordable(rounds * 4) {
            return None;
        }
        let selector = self.full(|g| g.int_expr(2));
        let counter = self.bound_var(Type::Int(IntKind::Int), Some(rounds));
        let nest = Nest { in_loop: true, in_switch: false, times: rounds };
        let parts =
            (0..self.pick(&[2, 4])).map(|_| self.nested(nest, &[counter], depth.min(1))).collect();
        Some(Stmt::Duff { selector, counter, rounds, parts })
    }

    fn walk(&mut self, depth: u32) -> Option<Stmt> {
        let array = self.without_effects(|g| g.place(&Want::AnyArray, Use::Address))?;
        let Type::Array(element, length) = self.program.place_type(&array) else { return None };
        let reach = self.program.reach(&Expr::Decay(array.clone()));
        if reach > self.context.level + 1 || !self.affordable(length) {
            return None;
        }
        let cursor = self.bound_var(Type::Pointer(element, 1), None);
        let nest = Nest { in_loop: true, in_switch: false, times: length };
        let backwards = self.rng.bool();
        let body = self.nested(nest, &[cursor], depth);
        Some(Stmt::Walk { cursor, array, backwards, body })
    }

    fn heap(&mut self, depth: u32) -> Option<Stmt> {
        let element = match self.record() {
            Some(record) if self.chance(25) => Type::Record(record),
            _ => self.scalar_type(),
        };
        let length = self.rng.u32(1..=8);
        let mut methods = vec![Allocation::Malloc, Allocation::Realloc];
        if !self.program.has_pointers(&element) {
            methods.push(Allocation::Calloc);
        }
        if self.context.factor < 20 {
            methods.push(Allocation::Alloca);
        }
        let method = self.pick(&methods);
        let fill = self.without_effects(|g| match &element {
            Type::Record(record) => g.record_expr(*record, 0),
            Type::Float(_) => g.arithmetic_expr(1),
            _ => g.int_expr(1),
        });
        let var = self.bound_var(Type::pointer(element, length), None);
        let body = self.nested(self.here(), &[var], depth);
        Some(Stmt::Heap { var, fill, method, body })
    }

    fn list(&mut self, depth: u32) -> Option<Stmt> {
        let count = self.rng.u32(0..=6);
        if !self.affordable(count) {
            return None;
        }
        let record = self.node_record();
        let pointer = Type::pointer(Type::Record(record), 1);
        let head = self.bound_var(pointer.clone(), None);
        let node = self.bound_var(pointer, None);
        let index = self.bound_var(Type::Int(IntKind::Int), Some(count.max(1)));
        self.scope.push(index);
        let value = self.without_effects(|g| g.int_expr(2));
        self.scope.pop();
        let nest = Nest { in_loop: true, in_switch: false, times: count.max(1) };
        let body = self.nested(nest, &[node], depth);
        Some(Stmt::List { head, index, node, count, value, reversed: self.rng.bool(), body })
    }

    /// A list node for some integer type, made when first wanted.
    fn node_record(&mut self) -> RecordId {
        let nodes: Vec<_> = self
            .program
            .records
            .iter()
            .filter(|(_, record)| record.kind == RecordKind::Node)
            .map(|(id, _)| id)
            .collect();
        if !nodes.is_empty() && self.chance(70) {
            return self.pick(&nodes);
        }
        let id = self.program.records.next_key();
        let value = Field { ty: Type::Int(self.int_kind()), width: None };
        let link = Field { ty: Type::pointer(Type::Record(id), 1), width: None };
        self.program.records.push(RecordDef { kind: RecordKind::Node, fields: vec![value, link] })
    }
}
