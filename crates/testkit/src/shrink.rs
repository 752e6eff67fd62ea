//! Makes a program smaller while it keeps a property.
//!
//! Every candidate is a whole program that is valid again, so what remains in the end is as free
//! of undefined behaviour as what the generator made.

use crate::families::stmts;
use crate::program::{Block, Expr, Init, Program, Spelling, Stmt};
use crate::types::Type;
use crate::usage::prune;
use crate::validate::validate;
use crate::visit::{
    Visitor, VisitorMut, walk_block, walk_block_mut, walk_expr, walk_expr_mut, walk_init_mut,
    walk_program, walk_program_mut,
};
use std::time::Instant;

/// Removes and simplifies parts of the program as long as `interesting` holds of the result and
/// the deadline has not passed.
pub fn shrink(
    program: Program,
    deadline: Instant,
    interesting: &mut dyn FnMut(&Program) -> bool,
) -> Program {
    let mut shrinker = Shrinker { best: program, deadline, interesting };
    loop {
        let before = shrinker.size();
        shrinker.prune();
        shrinker.empty_functions();
        shrinker.remove_statements();
        shrinker.simplify_statements();
        shrinker.prune();
        shrinker.simplify_initialisers();
        shrinker.simplify_expressions();
        shrinker.prune();
        if shrinker.size() == before || shrinker.late() {
            return shrinker.best;
        }
    }
}

struct Shrinker<'a> {
    best: Program,
    deadline: Instant,
    interesting: &'a mut dyn FnMut(&Program) -> bool,
}

impl Shrinker<'_> {
    fn late(&self) -> bool {
        Instant::now() >= self.deadline
    }

    fn size(&self) -> usize {
        let mut counter = Counter::default();
        walk_program(&mut counter, &self.best);
        counter.nodes + self.best.globals.len()
    }

    /// Takes the candidate over if it is valid and still interesting.
    fn try_candidate(&mut self, candidate: Program) -> bool {
        if self.late() || validate(&candidate).is_err() || !(self.interesting)(&candidate) {
            return false;
        }
        self.best = candidate;
        true
    }

    /// Removes unused definitions, all at once or else one by one: they may be what is interesting.
    fn prune(&mut self) {
        let mut candidate = self.best.clone();
        prune(&mut candidate);
        if self.try_candidate(candidate) {
            return;
        }
        for at in (0..self.best.globals.len()).rev() {
            let mut candidate = self.best.clone();
            candidate.globals.remove(at);
            self.try_candidate(candidate);
        }
        let functions: Vec<_> = self.best.functions.keys().collect();
        for function in functions.into_iter().rev() {
            let mut candidate = self.best.clone();
            if candidate.functions[function].body.take().is_some() {
                self.try_candidate(candidate);
            }
        }
    }

    /// Leaves nothing of a function but its last statement, which returns the result.
    fn empty_functions(&mut self) {
        let functions: Vec<_> = self.best.functions.keys().collect();
        for function in functions.into_iter().rev() {
            let mut candidate = self.best.clone();
            let info = &mut candidate.functions[function];
            let keep = usize::from(info.result.is_some());
            match &mut info.body {
                Some(body) if body.len() > keep => {
                    body.drain(..body.len() - keep);
                    self.try_candidate(candidate);
                }
                Some(_) | None => {}
            }
        }
        self.prune();
    }

    /// Removes runs of statements, long ones first.
    fn remove_statements(&mut self) {
        let mut length = 32;
        while length > 0 {
            let mut index = 0;
            while let Some(count) = self.block_length(index) {
                let mut at = 0;
                let mut count = count;
                // A short block was tried as a whole at a greater length.
                while at < count && (count > length / 2 || length == 1) {
                    let end = (at + length).min(count);
                    let mut candidate = self.best.clone();
                    edit_block(&mut candidate, index, |block| {
                        block.drain(at..end);
                    });
                    if self.try_candidate(candidate) {
                        count -= end - at;
                    } else {
                        at = end;
                    }
                    if self.late() {
                        return;
                    }
                }
                index += 1;
            }
            length /= 2;
        }
    }

    fn block_length(&self, index: usize) -> Option<usize> {
        let mut length = None;
        look_at_block(&self.best, index, |block| length = Some(block.len()));
        length
    }

    /// Replaces statements by their parts.
    fn simplify_statements(&mut self) {
        let mut index = 0;
        while let Some(count) = self.block_length(index) {
            let mut at = 0;
            let mut count = count;
            while at < count {
                let mut alternatives = Vec::new();
                look_at_block(&self.best, index, |block| {
                    alternatives = simpler_statements(&block[at]);
                });
                let replaced = alternatives.into_iter().any(|alternative| {
                    let mut candidate = self.best.clone();
                    edit_block(&mut candidate, index, |block| {
                        block.splice(at..=at, alternative);
                    });
                    self.try_candidate(candidate)
                });
                if replaced {
                    count = self.block_length(index).unwrap_or(0);
                } else {
                    at += 1;
                }
                if self.late() {
                    return;
                }
            }
            index += 1;
        }
    }

    fn simplify_initialisers(&mut self) {
        for index in 0.. {
            let mut candidate = self.best.clone();
            let mut changed = None;
            edit_init(&mut candidate, index, |init| {
                changed = Some(!matches!(init, Init::Zero));
                *init = Init::Zero;
            });
            match changed {
                None => return,
                Some(false) => {}
                Some(true) => {
                    self.try_candidate(candidate);
                }
            }
        }
    }

    /// Replaces expressions by constants or by their operands.
    fn simplify_expressions(&mut self) {
        let mut index = 0;
        loop {
            let mut found = None;
            look_at_expr(&self.best, index, |expr| found = Some(expr.clone()));
            let Some(expr) = found else { return };
            let alternatives = simpler_expressions(&self.best, &expr);
            let replaced = alternatives.into_iter().any(|alternative| {
                let mut candidate = self.best.clone();
                edit_expr(&mut candidate, index, |expr| *expr = alternative);
                self.try_candidate(candidate)
            });
            if self.late() {
                return;
            }
            if !replaced {
                index += 1;
            }
        }
    }
}

/// What may stand for a statement. Names that lose their declaration are found by validation.
fn simpler_statements(stmt: &Stmt) -> Vec<Block> {
    match stmt {
        Stmt::If(cond, then, otherwise) => {
            let mut all = vec![then.clone(), otherwise.clone(), vec![Stmt::Expr(cond.clone())]];
            if !otherwise.is_empty() {
                all.push(vec![Stmt::If(cond.clone(), then.clone(), Block::new())]);
            }
            all
        }
        Stmt::Loop { style, counter, bound, guard, body } => {
            let with = |bound: u32, guard: Option<Expr>| {
                vec![Stmt::Loop {
                    style: *style,
                    counter: *counter,
                    bound,
                    guard,
                    body: body.clone(),
                }]
            };
            let mut all = vec![body.clone()];
            if guard.is_some() {
                all.push(with(*bound, None));
            }
            if *bound > 1 {
                all.push(with(1, guard.clone()));
                all.push(with(bound - 1, guard.clone()));
            }
            all
        }
        Stmt::Switch(selector, cases) => {
            let mut all = vec![vec![Stmt::Expr(selector.clone())]];
            for (i, case) in cases.iter().enumerate() {
                all.push(case.body.clone());
                let mut fewer = cases.clone();
                fewer.remove(i);
                all.push(vec![Stmt::Switch(selector.clone(), fewer)]);
            }
            all
        }
        Stmt::Duff { selector, parts, .. } => {
            let mut all = vec![vec![Stmt::Expr(selector.clone())]];
            all.extend(parts.iter().cloned());
            all
        }
        Stmt::Region(_, body)
        | Stmt::Block(body)
        | Stmt::Walk { body, .. }
        | Stmt::Heap { body, .. } => vec![body.clone()],
        Stmt::List { head, index, node, count, value, reversed, body } => {
            let with = |count: u32, reversed: bool| {
                vec![Stmt::List {
                    head: *head,
                    index: *index,
                    node: *node,
                    count,
                    value: value.clone(),
                    reversed,
                    body: body.clone(),
                }]
            };
            let mut all = vec![body.clone()];
            if *reversed {
                all.push(with(*count, false));
            }
            if *count > 1 {
                all.push(with(count - 1, *reversed));
            }
            all
        }
        Stmt::Expr(Expr::Assign(_, value) | Expr::Compound(_, _, _, value)) => {
            vec![vec![Stmt::Expr((**value).clone())]]
        }
        Stmt::Expr(Expr::Call(_, args, _)) => {
            vec![args.iter().cloned().map(Stmt::Expr).collect()]
        }
        stmts!(plain, jumps, bytes) | Stmt::Declare(..) => Vec::new(),
    }
}

/// What may stand for an expression: constants, then its operands, of a type that fits.
fn simpler_expressions(program: &Program, expr: &Expr) -> Vec<Expr> {
    let ty = program.type_of(expr);
    let mut all = Vec::new();
    match &ty {
        Type::Int(_) | Type::Enum(_) => {
            let kind = program.int_kind(&ty);
            let literal = |value| Expr::Int { kind, value, spelling: Spelling::Decimal };
            match expr {
                Expr::Int { value: 0, .. } => {}
                Expr::Int { value: 1, .. } => all.push(literal(0)),
                _ => all.extend([literal(0), literal(1)]),
            }
        }
        Type::Float(kind) => match expr {
            Expr::Float { value: 1.0, .. } => {}
            _ => all.push(Expr::Float { kind: *kind, value: 1.0 }),
        },
        Type::Record(_) => {
            if !program.has_pointers(&ty) && !matches!(expr, Expr::Literal(..)) {
                all.push(Expr::Literal(ty.clone(), Box::new(Init::Zero)));
            }
        }
        Type::Array(..) | Type::Pointer(..) | Type::Function(_) => {}
    }
    let mut operands = Operands(Vec::new());
    walk_expr(&mut operands, expr);
    all.extend(operands.0.into_iter().filter(|operand| {
        let of = program.type_of(operand);
        if ty.is_integer() { of.is_integer() } else { of == ty }
    }));
    all
}

/// Collects the outermost expressions inside something.
struct Operands(Vec<Expr>);

impl Visitor for Operands {
    fn expr(&mut self, expr: &Expr) {
        self.0.push(expr.clone());
    }
}

#[derive(Default)]
struct Counter {
    nodes: usize,
}

impl Visitor for Counter {
    fn stmt(&mut self, stmt: &Stmt) {
        self.nodes += 1;
        crate::visit::walk_stmt(self, stmt);
    }

    fn expr(&mut self, expr: &Expr) {
        self.nodes += 1;
        walk_expr(self, expr);
    }
}

// Looking at and changing the n-th block, expression or initialiser of a program.

fn look_at_block(program: &Program, index: usize, look: impl FnOnce(&Block)) {
    walk_program(&mut NthBlock(Nth { left: index, edit: Some(look) }), program);
}

fn look_at_expr(program: &Program, index: usize, look: impl FnOnce(&Expr)) {
    walk_program(&mut NthExpr(Nth { left: index, edit: Some(look) }), program);
}

fn edit_block(program: &mut Program, index: usize, edit: impl FnOnce(&mut Block)) {
    walk_program_mut(&mut NthBlock(Nth { left: index, edit: Some(edit) }), program);
}

fn edit_expr(program: &mut Program, index: usize, edit: impl FnOnce(&mut Expr)) {
    walk_program_mut(&mut NthExpr(Nth { left: index, edit: Some(edit) }), program);
}

fn edit_init(program: &mut Program, index: usize, edit: impl FnOnce(&mut Init)) {
    walk_program_mut(&mut NthInit(Nth { left: index, edit: Some(edit) }), program);
}

/// Counts down to the node that is meant.
struct Nth<F> {
    left: usize,
    edit: Option<F>,
}

impl<F> Nth<F> {
    /// What is to be done, if this node's turn has come. After that no other node is entered.
    fn due(&mut self) -> Option<F> {
        if self.left > 0 {
            self.left -= 1;
            return None;
        }
        self.edit.take()
    }
}

struct NthBlock<F>(Nth<F>);

impl<F: FnOnce(&mut Block)> VisitorMut for NthBlock<F> {
    fn block(&mut self, block: &mut Block) {
        match self.0.due() {
            Some(edit) => edit(block),
            None if self.0.edit.is_some() => walk_block_mut(self, block),
            None => {}
        }
    }
}

impl<F: FnOnce(&Block)> Visitor for NthBlock<F> {
    fn block(&mut self, block: &Block) {
        match self.0.due() {
            Some(look) => look(block),
            None if self.0.edit.is_some() => walk_block(self, block),
            None => {}
        }
    }
}

struct NthExpr<F>(Nth<F>);

impl<F: FnOnce(&Expr)> Visitor for NthExpr<F> {
    fn expr(&mut self, expr: &Expr) {
        match self.0.due() {
            Some(look) => look(expr),
            None if self.0.edit.is_some() => walk_expr(self, expr),
            None => {}
        }
    }
}

impl<F: FnOnce(&mut Expr)> VisitorMut for NthExpr<F> {
    fn expr(&mut self, expr: &mut Expr) {
        match self.0.due() {
            Some(edit) => edit(expr),
            None if self.0.edit.is_some() => walk_expr_mut(self, expr),
            None => {}
        }
    }
}

struct NthInit<F>(Nth<F>);

impl<F: FnOnce(&mut Init)> VisitorMut for NthInit<F> {
    fn init(&mut self, init: &mut Init) {
        match self.0.due() {
            Some(edit) => edit(init),
            None if self.0.edit.is_some() => walk_init_mut(self, init),
            None => {}
        }
    }
}
