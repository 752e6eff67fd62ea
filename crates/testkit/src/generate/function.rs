//! Functions and `main`.

use super::{Context, Generator, PROGRAM_BUDGET};
use crate::cost::INDIRECT_CALL;
use crate::program::{
    Block, Expr, Function, FunctionId, Place, Qualifier, Recursion, Stmt, Storage, Var, VarId,
};
use crate::types::{SignatureId, Type};

/// The most calls of a group that one call from outside can lead to: two in each body, four deep.
const RECURSIVE_CALLS: u64 = 31;

impl Generator {
    pub(super) fn make_functions(&mut self) {
        let signatures: Vec<_> = self.program.signatures.keys().collect();
        for signature in signatures {
            for _ in 0..self.rng.u32(1..=3) {
                self.make_target(signature);
            }
        }
        for _ in 0..self.rng.u32(1..=2) {
            let signature = self.callable_signature();
            if let Some(signature) = signature {
                let length = self.rng.u32(1..=4);
                self.make_global(Type::array(Type::Function(signature), length));
            }
        }
        for _ in 0..self.rng.u32(1..=2) {
            self.make_pure();
        }
        if self.chance(70) {
            let members = if self.chance(30) { 2 } else { 1 };
            self.make_group(members);
        }
        for _ in 0..self.rng.u32(2..=4) {
            self.make_ordinary();
        }
    }

    fn param(&mut self, ty: Type) -> VarId {
        let addressable = !self.context.pure && self.chance(50);
        self.program.vars.push(Var {
            ty,
            storage: Storage::Param,
            qualifier: Qualifier::None,
            level: 1,
            addressable,
            writable: true,
            limit: None,
        })
    }

    /// Declares a function; it can be called, by its group at least, before it has a body.
    fn declare(&mut self, result: Option<Type>, params: Vec<VarId>) -> FunctionId {
        self.program.functions.push(Function {
            result,
            params,
            signature: None,
            recursion: None,
            pure: false,
            cost: 0,
            body: None,
        })
    }

    fn define(&mut self, function: FunctionId, context: Context, statements: u32) {
        let has_result = context.result.is_some();
        let outer = std::mem::replace(&mut self.context, context);
        self.context.level = 2;
        self.scope = self.program.functions[function].params.clone();
        let mut body = self.statements(statements, 2);
        if has_result {
            body.push(self.return_stmt());
        }
        self.scope.clear();
        self.context = outer;
        self.program.functions[function].cost = self.program.cost(&body) + 5;
        self.program.functions[function].body = Some(body);
    }

    /// A function that pointers may point to.
    fn make_target(&mut self, signature: SignatureId) {
        let types = self.program.signatures[signature].clone();
        let params = types.params.into_iter().map(|ty| self.param(ty)).collect();
        let function = self.declare(Some(types.result.clone()), params);
        self.program.functions[function].signature = Some(signature);
        self.define(function, Context::function(150, Some(types.result.clone())), 2);
        if self.program.functions[function].cost > INDIRECT_CALL {
            let context = Context::function(0, Some(types.result));
            self.define(function, context, 0);
        }
    }

    fn make_pure(&mut self) {
        let result = self.by_value_type();
        let params = (0..self.rng.u32(1..=3))
            .map(|_| {
                let ty = self.scalar_type();
                self.param(ty)
            })
            .collect::<Vec<_>>();
        for param in &params {
            self.program.vars[*param].addressable = false;
        }
        let pointers = self.program.has_pointers(&result);
        let result = if pointers { self.scalar_type() } else { result };
        let function = self.declare(Some(result.clone()), params);
        self.program.functions[function].pure = true;
        let context = Context { pure: true, ..Context::function(500, Some(result)) };
        self.define(function, context, 3);
    }

    fn make_group(&mut self, members: u32) {
        let group = self.program.functions.len() as u32;
        let functions: Vec<_> = (0..members)
            .map(|_| {
                let result = self.by_value_type();
                let count = self.rng.u32(0..=2);
                let params = (0..count).map(|_| self.param_type()).collect::<Vec<_>>();
                let params = params.into_iter().map(|ty| self.param(ty)).collect::<Vec<_>>();
                let outer = std::mem::replace(&mut self.context, Context::function(100, None));
                self.scope.clone_from(&params);
                let base = self.argument(&result);
                self.scope.clear();
                self.context = outer;
                let function = self.declare(Some(result), params);
                self.program.functions[function].recursion = Some(Recursion { group, base });
                function
            })
            .collect();
        for function in &functions {
            let result = self.program.functions[*function].result.clone();
            let context = Context {
                group: Some(group),
                recursive_calls: 2,
                indirect_calls: true,
                ..Context::function(300, result)
            };
            self.define(*function, context, 4);
        }
        let total: u64 = functions.iter().map(|f| self.program.functions[*f].cost).sum();
        for function in functions {
            self.program.functions[function].cost = total * RECURSIVE_CALLS;
        }
    }

    fn param_type(&mut self) -> Type {
        if self.chance(60) {
            return self.by_value_type();
        }
        match self.object_type(2) {
            // An array parameter is a pointer.
            Type::Array(element, length) => Type::Pointer(element, length),
            ty => ty,
        }
    }

    fn make_ordinary(&mut self) {
        let result = match self.rng.u32(0..10) {
            0 => None,
            1..3 => match self.object_type(1) {
                Type::Array(..) => None,
                ty => Some(ty),
            },
            _ => Some(self.by_value_type()),
        };
        let count = self.rng.u32(0..=4);
        let types: Vec<_> = (0..count).map(|_| self.param_type()).collect();
        let params = types.into_iter().map(|ty| self.param(ty)).collect();
        let function = self.declare(result.clone(), params);
        let statements = self.rng.u32(3..=6);
        let context = Context { indirect_calls: true, ..Context::function(6_000, result) };
        self.define(function, context, statements);
    }

    pub(super) fn make_main(&mut self) {
        self.context = Context {
            in_main: true,
            indirect_calls: true,
            level: 2,
            ..Context::function(PROGRAM_BUDGET, None)
        };
        let mut main = Block::new();
        let functions: Vec<_> = self.program.functions.keys().collect();
        for _ in 0..self.rng.u32(2..=4) {
            main.push(self.declaration());
        }
        let locals = self.scope.clone();
        for function in functions {
            let count = self.rng.u32(1..=2);
            main.extend(self.statements_in_place(count));
            main.extend(self.call_and_observe(function));
        }
        let count = self.rng.u32(2..=6);
        main.extend(self.statements_in_place(count));
        for var in locals {
            main.push(Stmt::Observe(Place::Var(var)));
        }
        for (var, _) in &self.program.globals {
            main.push(Stmt::Observe(Place::Var(*var)));
        }
        self.scope.clear();
        self.program.main = main;
    }

    /// Statements in a block of their own, as their declarations end with it.
    fn statements_in_place(&mut self, count: u32) -> Option<Stmt> {
        self.context.level += 1;
        let block = self.statements(count, 3);
        self.context.level -= 1;
        (!block.is_empty()).then_some(Stmt::Block(block))
    }

    /// A call of that function, so that none is left out.
    fn call_and_observe(&mut self, function: FunctionId) -> Option<Stmt> {
        let info = &self.program.functions[function];
        if self.too_expensive(info.cost) {
            return None;
        }
        self.context.budget -= info.cost;
        let result = info.result.clone();
        let params = info.params.clone();
        let types: Vec<_> = params.iter().map(|p| self.program.vars[*p].ty.clone()).collect();
        let args = types.iter().map(|ty| self.without_effects(|g| g.argument(ty))).collect();
        let depth = self.rng.u32(1..=4);
        let call = Expr::Call(crate::program::Callee::Direct(function), args, depth);
        Some(match result {
            Some(ty) if ty.is_integer() && self.rng.bool() => Stmt::Print(call),
            Some(ty) if ty.is_arithmetic() => Stmt::Mix(call),
            _ => Stmt::Expr(call),
        })
    }
}
