//! What a program must satisfy beyond its types: names in scope, jumps with a target, pointers
//! that do not outlive what they point to, and no order of evaluation left open that matters.

use crate::families::{places, stmts};
use crate::program::{
    Block, Callee, Expr, FunctionId, Init, LabelId, LoopStyle, Place, Program, RecordKind, Stmt,
    VarId,
};
use crate::types::Type;
use crate::visit::{Visitor, walk_expr, walk_place, walk_stmt};
use ravelin_base::SecondaryMap;

/// Checks a program; the error says what is wrong, for the reader of a failed test.
pub fn validate(program: &Program) -> Result<(), String> {
    let mut checker = Checker {
        program,
        visible: SecondaryMap::new(),
        in_loop: false,
        in_switch: false,
        labels: Vec::new(),
        function: None,
        error: None,
    };
    for (var, init) in &program.globals {
        checker.init(init);
        checker.initialised(&program.vars[*var].ty, init, 0);
        checker.visible[*var] = true;
    }
    for (id, function) in program.functions.iter() {
        let Some(body) = &function.body else { continue };
        checker.function = Some(id);
        for param in &function.params {
            checker.visible[*param] = true;
        }
        if let Some(recursion) = &function.recursion {
            checker.expr(&recursion.base);
            checker.returned(&recursion.base);
        }
        checker.body(body);
        let private = program.block_footprint(body).is_private();
        checker.require(private || !function.pure, || format!("{id} is not pure"));
        let returns = matches!(body.last(), Some(Stmt::Return(Some(_))));
        checker.require(returns || function.result.is_none(), || {
            format!("{id} may end without a value")
        });
        for param in &function.params {
            checker.visible[*param] = false;
        }
    }
    checker.function = None;
    checker.body(&program.main);
    match checker.error {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

struct Checker<'a> {
    program: &'a Program,
    visible: SecondaryMap<VarId, bool>,
    in_loop: bool,
    in_switch: bool,
    labels: Vec<LabelId>,
    function: Option<FunctionId>,
    error: Option<String>,
}

impl Checker<'_> {
    fn require(&mut self, holds: bool, complaint: impl FnOnce() -> String) {
        if !holds && self.error.is_none() {
            self.error = Some(complaint());
        }
    }

    fn body(&mut self, body: &Block) {
        self.require(!self.program.block_footprint(body).conflict, || {
            "unsequenced accesses".to_owned()
        });
        self.block(body);
    }

    /// Checks the parts of a statement that binds variables and may bind `break`.
    fn inside(&mut self, vars: &[VarId], in_loop: bool, in_switch: bool, stmt: &Stmt) {
        let outer = (self.in_loop, self.in_switch);
        (self.in_loop, self.in_switch) = (in_loop, in_switch);
        for var in vars {
            self.visible[*var] = true;
        }
        walk_stmt(self, stmt);
        for var in vars {
            self.visible[*var] = false;
        }
        (self.in_loop, self.in_switch) = outer;
    }

    /// Checks that an initialiser gives a value to every pointer of the type, and one that points
    /// to nothing shorter-lived than variables of level `room`.
    fn initialised(&mut self, ty: &Type, init: &Init, room: u32) {
        match init {
            Init::Expr(e) => {
                let reach = self.program.reach(e);
                self.require(reach <= room, || {
                    format!("a pointer to level {reach} initialises one of level {room}")
                });
            }
            Init::Zero | Init::Str(_) | Init::Vla(..) => {
                self.require(!self.program.has_pointers(ty), || {
                    format!("a {ty:?} has pointers but no values for them")
                });
            }
            Init::List(items) => {
                let types = self.program.item_types(ty, items);
                for (item, ty) in items.iter().zip(types) {
                    // Inside records and arrays, pointers are to static storage.
                    self.initialised(&ty, &item.init, 0);
                }
            }
        }
    }

    fn returned(&mut self, e: &Expr) {
        let reach = self.program.reach(e);
        self.require(reach == 0, || format!("a pointer to level {reach} is returned"));
    }
}

impl Visitor for Checker<'_> {
    fn block(&mut self, block: &Block) {
        for stmt in block {
            self.stmt(stmt);
        }
        for stmt in block {
            if let Stmt::Declare(var, _) = stmt {
                self.visible[*var] = false;
            }
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let (in_loop, in_switch) = (self.in_loop, self.in_switch);
        match stmt {
            Stmt::Declare(var, init) => {
                self.init(init);
                let info = &self.program.vars[*var];
                self.initialised(&info.ty, init, info.level);
                self.visible[*var] = true;
            }
            Stmt::Loop { style, counter, .. } => match style {
                // `break` in a loop made of `goto` belongs to the loop around it.
                LoopStyle::Goto => self.inside(&[*counter], in_loop, in_switch, stmt),
                LoopStyle::For
                | LoopStyle::Down
                | LoopStyle::While
                | LoopStyle::Do
                | LoopStyle::Forever => self.inside(&[*counter], true, false, stmt),
            },
            Stmt::Duff { counter, .. } => self.inside(&[*counter], true, false, stmt),
            Stmt::Walk { cursor, array, .. } => {
                let reach = self.program.reach(&Expr::Decay(array.clone()));
                let level = self.program.vars[*cursor].level;
                self.require(reach <= level, || format!("{cursor} outlives its array"));
                self.inside(&[*cursor], true, false, stmt);
            }
            Stmt::List { head, index, node, value, body, .. } => {
                self.visible[*index] = true;
                self.expr(value);
                self.visible[*index] = false;
                self.visible[*head] = true;
                self.visible[*node] = true;
                (self.in_loop, self.in_switch) = (true, false);
                self.block(body);
                (self.in_loop, self.in_switch) = (in_loop, in_switch);
                self.visible[*head] = false;
                self.visible[*node] = false;
            }
            Stmt::Heap { var, .. } => self.inside(&[*var], in_loop, in_switch, stmt),
            Stmt::Switch(..) => self.inside(&[], in_loop, true, stmt),
            Stmt::Region(label, _) => {
                self.labels.push(*label);
                walk_stmt(self, stmt);
                self.labels.pop();
            }
            Stmt::Goto(label) => {
                let known = self.labels.contains(label);
                self.require(known, || format!("no region for {label}"));
            }
            Stmt::Break => {
                self.require(in_loop || in_switch, || "stray break".to_owned());
            }
            Stmt::Continue => self.require(in_loop, || "stray continue".to_owned()),
            Stmt::Return(e) => {
                let result = match self.function {
                    Some(function) => self.program.functions[function].result.is_some(),
                    // `main` ends at its end only, where it prints the checksum.
                    None => return self.require(false, || "return in main".to_owned()),
                };
                self.require(result == e.is_some(), || "wrong kind of return".to_owned());
                if let Some(e) = e {
                    self.expr(e);
                    self.returned(e);
                }
            }
            stmts!(plain, bytes) | Stmt::If(..) | Stmt::Block(_) => walk_stmt(self, stmt),
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Assign(place, value) => {
                let (room, reach) = (self.program.pointer_room(place), self.program.reach(value));
                self.require(reach <= room, || {
                    format!("{place:?} of level {room} gets a pointer to level {reach}")
                });
            }
            Expr::Literal(ty, init) => self.initialised(ty, init, 0),
            Expr::Call(Callee::Direct(function), ..) | Expr::Function(function) => {
                let present = self.program.functions[*function].body.is_some();
                self.require(present, || format!("{function} was removed"));
            }
            Expr::Block(..) => {
                // Control does not leave a statement expression but by its end.
                let outer = (self.in_loop, self.in_switch, std::mem::take(&mut self.labels));
                (self.in_loop, self.in_switch) = (false, false);
                if let Expr::Block(block, result) = expr {
                    for stmt in block {
                        self.stmt(stmt);
                    }
                    self.expr(result);
                    for stmt in block {
                        if let Stmt::Declare(var, _) = stmt {
                            self.visible[*var] = false;
                        }
                    }
                }
                (self.in_loop, self.in_switch, self.labels) = outer;
                return;
            }
            // Every other expression is right if its parts are.
            _ => {}
        }
        walk_expr(self, expr);
    }

    fn place(&mut self, place: &Place) {
        match place {
            Place::Var(var) => {
                self.require(self.visible[*var], || format!("{var} is not in scope"));
            }
            Place::Literal(ty, init) => self.initialised(ty, init, 0),
            places!(parts, pointed) | Place::Char(..) | Place::Temporary(_) => {}
        }
        walk_place(self, place);
    }
}

impl Program {
    /// The deepest level of a variable that the value of a pointer may point to; 0 for values
    /// that are no pointers and for targets that live as long as the program.
    pub fn reach(&self, expr: &Expr) -> u32 {
        match expr {
            Expr::Load(place) => match self.place_type(place) {
                Type::Pointer(..) => match place {
                    Place::Deref(pointer) | Place::Element(pointer, ..) => self.reach(pointer),
                    places!(parts)
                    | Place::Var(_)
                    | Place::Literal(..)
                    | Place::Char(..)
                    | Place::Temporary(_) => self.pointer_room(place),
                },
                Type::Int(_)
                | Type::Enum(_)
                | Type::Float(_)
                | Type::Record(_)
                | Type::Array(..)
                | Type::Function(_) => 0,
            },
            Expr::AddressOf(place) | Expr::Decay(place) => self.level(place),
            Expr::Cond(a, b, c) => self.reach(b.as_ref().unwrap_or(a)).max(self.reach(c)),
            Expr::Comma(_, b) | Expr::Block(_, b) | Expr::Detour(_, b) | Expr::Assign(_, b) => {
                self.reach(b)
            }
            // Functions return pointers to static storage only; the rest has no pointer type.
            _ => 0,
        }
    }

    /// How short-lived a target of a pointer stored in `place` may be: variables may point to
    /// what lives as long as they do, records and what is behind pointers to static storage.
    pub fn pointer_room(&self, place: &Place) -> u32 {
        match place {
            Place::Var(var) => self.vars[*var].level,
            Place::Index(base, _) => self.pointer_room(base),
            // The link of a list node is set by the list's own statement.
            Place::Field(base, _)
                if matches!(self.place_type(base), Type::Record(r)
                    if self.records[r].kind == RecordKind::Node) =>
            {
                u32::MAX
            }
            places!(pointed)
            | Place::Field(..)
            | Place::Byte(..)
            | Place::View(..)
            | Place::Literal(..)
            | Place::Char(..)
            | Place::Temporary(_) => 0,
        }
    }

    /// The level of the object a place belongs to.
    fn level(&self, place: &Place) -> u32 {
        match place {
            Place::Var(var) => self.vars[*var].level,
            Place::Field(base, _)
            | Place::Index(base, _)
            | Place::Byte(base, _)
            | Place::View(base, _) => self.level(base),
            Place::Deref(pointer) | Place::Element(pointer, ..) => self.reach(pointer),
            // Its lifetime is the enclosing block, which the place does not know.
            Place::Literal(..) | Place::Temporary(_) => u32::MAX,
            Place::Char(..) => 0,
        }
    }
}
