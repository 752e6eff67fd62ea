//! Statements (C11 6.8).

use lang_c::ast::{
    BlockItem, Declaration, DoWhileStatement, Expression, ForInitializer, ForStatement,
    IfStatement, InitDeclarator, Label as SourceLabel, LabeledStatement, Statement,
    StorageClassSpecifier, SwitchStatement, WhileStatement,
};
use lang_c::span::{Node, Span};
use ravelin_base::Symbol;
use ravelin_cfa::{HavocKind, Loc, MemoryOrder, Op};
use ravelin_term::BinOp;

use super::asynchronous::starts_thread;
use super::body::{BlockEnd, Case, JumpTarget, Landing, Switch};
use super::declare::{Specifiers, only_hides_type};
use super::global::{Definition, GlobalData};
use super::labels::Made;
use super::scope::{Entity, Storage};
use super::{Lowerer, Result};
use crate::types::{Ty, TypeKind};

impl<'a> Lowerer<'a> {
    /// Lowers a statement; reports an error in it and continues with the next statement.
    pub fn statement(&mut self, node: &'a Node<Statement>) {
        self.at(node.span);
        // Reported errors end here: the statements after it are still checked.
        let _ = self.try_statement(node);
    }

    pub fn try_statement(&mut self, node: &'a Node<Statement>) -> Result<()> {
        match &node.node {
            Statement::Labeled(labeled) => {
                self.label(labeled)?;
                match &labeled.node.label.node {
                    SourceLabel::Identifier(name) if starts_thread(&name.node.name) => {
                        return self.asynchronous_statement(&labeled.node.statement);
                    }
                    _ => self.statement(&labeled.node.statement),
                }
                Ok(())
            }
            Statement::Compound(items) => {
                self.compound(items);
                Ok(())
            }
            Statement::Expression(None) => Ok(()),
            Statement::Expression(Some(expression)) => self.effect(expression),
            Statement::If(statement) => self.if_statement(&statement.node),
            Statement::Switch(statement) => self.switch_statement(&statement.node),
            Statement::While(statement) => self.while_statement(&statement.node),
            Statement::DoWhile(statement) => self.do_while_statement(&statement.node),
            Statement::For(statement) => self.for_statement(&statement.node),
            Statement::Goto(label) => self.goto_statement(&label.node.name, label.span),
            Statement::Continue => {
                match self
                    .body
                    .targets
                    .iter()
                    .rev()
                    .find_map(|target| target.continue_to.map(|to| (to, target.depth)))
                {
                    Some((to, depth)) => {
                        self.end_blocks(depth);
                        self.body.jump(to);
                        Ok(())
                    }
                    None => self.error(node.span, "continue outside of a loop"),
                }
            }
            Statement::Break => match self.body.targets.last().copied() {
                Some(target) => {
                    self.end_blocks(target.depth);
                    self.body.jump(target.break_to);
                    Ok(())
                }
                None => self.error(node.span, "break outside of a loop or switch"),
            },
            Statement::Return(value) => self.return_statement(value.as_deref(), node.span),
            Statement::Asm(statement) => self.assembly(statement),
        }
    }

    /// The body of a function shares the scope of its parameters' block.
    pub fn compound_body(&mut self, node: &'a Node<Statement>) -> Result<()> {
        match &node.node {
            Statement::Compound(items) => {
                self.compound(items);
                Ok(())
            }
            _ => self.error(node.span, "a function body must be a block"),
        }
    }

    pub fn compound(&mut self, items: &'a [Node<BlockItem>]) {
        self.scopes.enter();
        self.body.enter_block();
        for item in items {
            self.block_item(item);
        }
        self.leave_block();
        self.scopes.leave();
    }

    pub fn block_item(&mut self, item: &'a Node<BlockItem>) {
        self.at(item.span);
        match &item.node {
            BlockItem::Declaration(declaration) => {
                // Reported; the next item is still checked.
                let _ = self.local_declaration(declaration);
            }
            BlockItem::StaticAssert(assertion) => {
                let _ = self.static_assert(assertion);
            }
            BlockItem::Statement(statement) => self.statement(statement),
        }
    }

    /// The label of a labelled statement: control may arrive here from elsewhere.
    pub fn label(&mut self, node: &'a Node<LabeledStatement>) -> Result<()> {
        let label = &node.node.label;
        match &label.node {
            SourceLabel::Identifier(name) => {
                let symbol = self.intern(&name.node.name);
                let loc = self.label_loc(symbol, name.span);
                let position = self.block_position();
                if let Some(info) = self.body.labels.get_mut(&symbol) {
                    if info.position.is_some() {
                        return self
                            .error(name.span, format!("duplicate label '{}'", name.node.name));
                    }
                    info.position = Some(position);
                }
                self.body.jump(loc);
                self.body.start_at(loc);
            }
            SourceLabel::Case(value) => {
                let low = self.constant_int(value)?;
                self.case(low, low, label.span)?;
            }
            SourceLabel::CaseRange(range) => {
                let low = self.constant_int(&range.node.low)?;
                let high = self.constant_int(&range.node.high)?;
                self.case(low, high, label.span)?;
            }
            SourceLabel::Default => {
                let landing = self.landing();
                let loc = landing.loc;
                match self.body.switches.last_mut() {
                    Some(Switch { default: Some(_), .. }) => {
                        return self.error(label.span, "a second default in one switch");
                    }
                    Some(switch) => switch.default = Some(landing),
                    None => return self.error(label.span, "default outside of a switch"),
                }
                self.body.jump(loc);
                self.body.start_at(loc);
            }
        }
        Ok(())
    }

    fn case(&mut self, low: i128, high: i128, span: Span) -> Result<()> {
        let Some(ty) = self.body.switches.last().map(|switch| switch.ty) else {
            return self.error(span, "case outside of a switch");
        };
        // C11 6.8.4.2p5: the constants are converted to the promoted type.
        let (low, high) = (self.wrap(low, ty), self.wrap(high, ty));
        let target = self.landing();
        let loc = target.loc;
        let clashes =
            |switch: &Switch| switch.cases.iter().any(|case| low <= case.high && case.low <= high);
        match self.body.switches.last_mut() {
            Some(switch) if clashes(switch) => {
                return self.error(span, "duplicate case value");
            }
            Some(switch) => switch.cases.push(Case { low, high, target, span }),
            None => {}
        }
        self.body.jump(loc);
        self.body.start_at(loc);
        Ok(())
    }

    /// A label of the innermost `switch` stands here.
    fn landing(&mut self) -> Landing {
        let depth = self.body.switches.last().map_or(0, |switch| switch.depth);
        let skipped =
            self.body.blocks[depth..].iter().flat_map(|block| block.made.iter().copied()).collect();
        Landing { loc: self.body.new_loc(), skipped }
    }

    /// Where to jump so as to arrive at a label of a `switch`.
    fn way_to(&mut self, landing: &Landing, span: Span) -> Loc {
        if landing.skipped.is_empty() {
            return landing.loc;
        }
        let (here, way) = (self.body.here, self.body.new_loc());
        self.body.start_at(way);
        self.at(span);
        self.make_skipped(&landing.skipped, span);
        self.body.jump(landing.loc);
        self.body.start_at(here);
        way
    }

    /// The value as the integer type represents it.
    fn wrap(&mut self, value: i128, ty: Ty) -> i128 {
        let term = self.int_value(value, ty).term;
        if self.types.is_signed(ty) {
            self.program.terms.as_signed(term).unwrap_or(value)
        } else {
            self.program.terms.as_bv(term).map_or(value, |value| value as i128)
        }
    }

    fn if_statement(&mut self, node: &'a IfStatement) -> Result<()> {
        let (yes, no, end) = (self.body.new_loc(), self.body.new_loc(), self.body.new_loc());
        self.branch(&node.condition, yes, no)?;
        self.body.start_at(yes);
        self.statement(&node.then_statement);
        self.body.jump(end);
        self.body.start_at(no);
        if let Some(other) = &node.else_statement {
            self.statement(other);
        }
        self.body.jump(end);
        self.body.start_at(end);
        Ok(())
    }

    fn switch_statement(&mut self, node: &'a SwitchStatement) -> Result<()> {
        let value = self.rvalue(&node.expression)?;
        if !self.types.is_integer(value.ty) {
            return self.error(node.expression.span, "a switch needs an integer");
        }
        let ty = self.types.promote(value.ty);
        let value = self.convert(value, ty, node.expression.span)?;
        let value = self.snapshot(value);
        let dispatch = self.body.here;
        let end = self.body.new_loc();
        let body = self.body.new_loc();
        self.body.start_at(body);
        let depth = self.body.blocks.len();
        self.body.switches.push(Switch { ty, cases: Vec::new(), default: None, depth });
        self.body.targets.push(JumpTarget { break_to: end, continue_to: None, depth });
        self.statement(&node.statement);
        self.body.targets.pop();
        self.body.jump(end);
        let Some(switch) = self.body.switches.pop() else { return Ok(()) };

        self.body.start_at(dispatch);
        for case in &switch.cases {
            let hit = self.case_condition(value.term, case, ty);
            let next = self.body.new_loc();
            let target = self.way_to(&case.target, case.span);
            self.at(case.span);
            self.emit_branch(hit, target, next);
            self.body.start_at(next);
        }
        let span = node.expression.span;
        let default = switch.default.map_or(end, |landing| self.way_to(&landing, span));
        self.at(span);
        self.body.jump(default);
        self.body.start_at(end);
        Ok(())
    }

    fn case_condition(
        &mut self,
        value: ravelin_cfa::Term,
        case: &Case,
        ty: Ty,
    ) -> ravelin_cfa::Term {
        let low = self.int_value(case.low, ty).term;
        if case.low == case.high {
            return self.program.terms.eq(value, low);
        }
        let high = self.int_value(case.high, ty).term;
        let le = if self.types.is_signed(ty) { BinOp::BvSle } else { BinOp::BvUle };
        let above = self.program.terms.binary(le, low, value);
        let below = self.program.terms.binary(le, value, high);
        self.program.terms.and(above, below)
    }

    /// Lowers a loop's body with `break` and `continue` known.
    fn loop_body(&mut self, body: &'a Node<Statement>, break_to: Loc, continue_to: Loc) {
        let depth = self.body.blocks.len();
        let continue_to = Some(continue_to);
        self.body.targets.push(JumpTarget { break_to, continue_to, depth });
        self.statement(body);
        self.body.targets.pop();
    }

    fn while_statement(&mut self, node: &'a WhileStatement) -> Result<()> {
        let (head, body, end) = (self.body.new_loc(), self.body.new_loc(), self.body.new_loc());
        self.body.jump(head);
        self.body.start_at(head);
        let condition = self.branch(&node.expression, body, end);
        self.body.start_at(body);
        self.loop_body(&node.statement, end, head);
        self.body.jump(head);
        self.body.start_at(end);
        condition
    }

    fn do_while_statement(&mut self, node: &'a DoWhileStatement) -> Result<()> {
        let (body, test, end) = (self.body.new_loc(), self.body.new_loc(), self.body.new_loc());
        self.body.jump(body);
        self.body.start_at(body);
        self.loop_body(&node.statement, end, test);
        self.body.jump(test);
        self.body.start_at(test);
        let condition = self.branch(&node.expression, body, end);
        self.body.start_at(end);
        condition
    }

    fn for_statement(&mut self, node: &'a ForStatement) -> Result<()> {
        self.scopes.enter();
        self.body.enter_block();
        let lowered = self.for_in_scope(node);
        self.leave_block();
        self.scopes.leave();
        lowered
    }

    fn for_in_scope(&mut self, node: &'a ForStatement) -> Result<()> {
        let mut outcome = match &node.initializer.node {
            ForInitializer::Empty => Ok(()),
            ForInitializer::Expression(expression) => self.effect(expression),
            ForInitializer::Declaration(declaration) => self.local_declaration(declaration),
            ForInitializer::StaticAssert(assertion) => self.static_assert(assertion),
        };
        let (head, body) = (self.body.new_loc(), self.body.new_loc());
        let (step, end) = (self.body.new_loc(), self.body.new_loc());
        self.body.jump(head);
        self.body.start_at(head);
        match &node.condition {
            Some(condition) => outcome = outcome.and(self.branch(condition, body, end)),
            None => self.body.jump(body),
        }
        self.body.start_at(body);
        self.loop_body(&node.statement, end, step);
        self.body.jump(step);
        self.body.start_at(step);
        if let Some(step) = &node.step {
            outcome = outcome.and(self.effect(step));
        }
        self.body.jump(head);
        self.body.start_at(end);
        outcome
    }

    fn return_statement(&mut self, value: Option<&'a Node<Expression>>, span: Span) -> Result<()> {
        let result = self.body.result;
        let Some(value) = value else {
            return match self.types.is_void(result) {
                true => {
                    self.emit_return(None);
                    Ok(())
                }
                // C11 6.8.6.4p1 forbids it, C90 did not: the value is indeterminate.
                false => {
                    self.return_indeterminate();
                    Ok(())
                }
            };
        };
        if self.types.is_void(result) {
            self.effect(value)?;
            self.at(span);
            self.emit_return(None);
            return Ok(());
        }
        let val = self.rvalue(value)?;
        if let Some(address) = self.body.result_address {
            let val = match self.has_parts(result) {
                true => self.convert(val, result, value.span)?,
                false => val,
            };
            if self.types.as_record(val.ty) != self.types.as_record(result) {
                return self.error(value.span, "the returned value has another type");
            }
            self.at(span);
            let target = self.program.read(address);
            self.copy_aggregate(target, val.term, result);
            self.emit_return(None);
            return Ok(());
        }
        let val = self.convert(val, result, value.span)?;
        self.at(span);
        self.emit_return(Some(val.term));
        Ok(())
    }

    /// Falling off the end of the function.
    pub fn return_from_end(&mut self) {
        let result = self.body.result;
        if self.types.is_void(result) || self.body.result_address.is_some() {
            self.emit_return(None);
        } else if self.program.name(self.body.name) == "main" {
            let zero = self.body.graph.result.map(|sort| self.program.terms.zero(sort));
            self.emit_return(zero);
        } else {
            self.return_indeterminate();
        }
    }

    fn return_indeterminate(&mut self) {
        if self.body.result_address.is_some() {
            return self.emit_return(None);
        }
        let value = self.any_value(self.body.result, HavocKind::Uninitialised);
        self.emit_return(Some(value.term));
    }

    fn emit_return(&mut self, value: Option<ravelin_cfa::Term>) {
        let mut value = value;
        let has_cleanups = self
            .body
            .blocks
            .iter()
            .flat_map(|block| &block.ends)
            .any(|end| matches!(end, BlockEnd::Cleanup { .. }));
        if (self.body.atomic || has_cleanups)
            && let Some(term) = value
        {
            // The value is computed before anything else happens.
            let ty = self.body.result;
            value = Some(self.snapshot(super::Val { term, ty }).term);
        }
        if has_cleanups {
            self.run_cleanups();
        }
        if self.body.atomic {
            self.emit(Op::AtomicEnd);
        }
        if self.body.noreturn {
            // C11 6.7.4p8. gcc leaves out what follows a call: the next instructions are anything.
            let name = self.program.name(self.body.name);
            let what = format!("'{name}' returns and is declared noreturn");
            self.undefined(&what);
        }
        self.emit_end(Op::Return { value });
    }

    fn local_declaration(&mut self, node: &'a Node<Declaration>) -> Result<()> {
        if only_hides_type(&node.node) {
            return Ok(());
        }
        if node.node.declarators.is_empty() {
            self.redeclare_tag(&node.node.specifiers);
        }
        let specifiers = self.declaration_specifiers(&node.node.specifiers, node.span)?;
        let mut outcome = Ok(());
        for declarator in &node.node.declarators {
            self.at(declarator.span);
            outcome = outcome.and(self.local_declarator(&specifiers, declarator));
        }
        outcome
    }

    fn local_declarator(
        &mut self,
        specifiers: &Specifiers,
        node: &'a Node<InitDeclarator>,
    ) -> Result<()> {
        let base = match (&node.node.initializer, specifiers.auto_type) {
            (Some(initializer), true) => self.auto_type(initializer)?,
            _ => specifiers.ty,
        };
        let declared = self.declarator(&node.node.declarator, base)?;
        let mut attributes = specifiers.attributes.clone();
        attributes.merge(declared.attributes);
        let Some(name) = declared.name else {
            return self.error(node.span, "a declaration without a name");
        };
        let ty = match attributes.mode {
            Some(mode) => self.apply_mode(declared.ty, mode),
            None => declared.ty,
        };
        if self.types.as_function(ty).is_some()
            && specifiers.storage != Some(StorageClassSpecifier::Typedef)
        {
            self.declare_function(name, ty, &specifiers.storage, &attributes, node.span)?;
            return Ok(());
        }
        match specifiers.storage {
            Some(StorageClassSpecifier::Typedef) => {
                self.bind_typedef(name, ty, &attributes);
                return Ok(());
            }
            Some(StorageClassSpecifier::Extern) => {
                self.declare_global(name, ty, specifiers, &attributes, node.span)?;
                return Ok(());
            }
            Some(StorageClassSpecifier::Static) => {
                let storage = self.global_storage(name, ty, specifiers.thread_local, &attributes);
                let state = Definition::Tentative;
                let unit = self.unit;
                let global = self.globals.push(GlobalData {
                    storage,
                    ty,
                    state,
                    unit,
                    weak: None,
                    is_system: false,
                });
                self.scopes.bind(name, Entity::Global(global));
                if let Some(initializer) = &node.node.initializer {
                    self.globals[global].state = Definition::Initialised;
                    self.initialise_global(global, initializer)?;
                }
                return Ok(());
            }
            _ => {}
        }
        if let Some(why) = attributes.unsupported {
            return self.error(node.span, format!("{why} are not supported"));
        }
        if self.types.is_void(ty) {
            return self.error(node.span, "a variable cannot have type void");
        }
        let unknown_length = matches!(self.types.kind(ty), TypeKind::Array(_, None));
        let length_follows = unknown_length && node.node.initializer.is_some();
        if !(self.types.is_complete(ty) || length_follows) {
            let ty = self.spell(ty);
            return self.error(node.span, format!("a variable has the incomplete type '{ty}'"));
        }
        if matches!(self.types.kind(ty), TypeKind::Vla(..)) {
            return self.declare_vla(name, ty);
        }
        // Over-aligned variables are in memory for the sake of their address.
        let in_memory = attributes.cleanup.is_some()
            || attributes.align.is_some()
            || self.facts.is_in_memory(self.program.names.resolve(name));
        match (self.types.sort(ty), in_memory) {
            (Some(sort), false) => {
                let var = self.local(name, sort, self.types.is_signed(ty));
                self.note_made(Made::Var(var, ty));
                let storage = Storage::Var(var);
                // C11 6.2.1p7: the scope begins after the declarator, before the initialiser.
                self.scopes.bind(name, Entity::Local { storage, ty });
                match &node.node.initializer {
                    Some(initializer) => self.initialise_variable(var, ty, initializer),
                    None => {
                        self.leave_uninitialised(var, ty);
                        Ok(())
                    }
                }
            }
            _ => {
                let ty = match &node.node.initializer {
                    Some(initializer) if unknown_length => {
                        self.complete_array_type(ty, initializer)?
                    }
                    _ => ty,
                };
                let object = self.new_local_object(name, ty, &attributes);
                let storage = Storage::Object(object);
                self.scopes.bind(name, Entity::Local { storage, ty });
                if let Some(initializer) = &node.node.initializer {
                    self.initialise_object(object, ty, initializer)?;
                } else if self.types.kind(ty) == &TypeKind::Bool {
                    let addr = self.program.terms.address(object);
                    let value = self.any_value(ty, HavocKind::Uninitialised).term;
                    self.emit(Op::Store { addr, value, order: MemoryOrder::Plain });
                }
                match attributes.cleanup {
                    Some(function) => self.register_cleanup(function, object, ty, node.span),
                    None => Ok(()),
                }
            }
        }
    }

    fn register_cleanup(
        &mut self,
        function: Symbol,
        object: ravelin_cfa::Object,
        ty: Ty,
        span: Span,
    ) -> Result<()> {
        let Some(Entity::Function(func)) = self.scopes.get(function) else {
            return self.error(span, "the cleanup function was not declared");
        };
        let address =
            super::Val { term: self.program.terms.address(object), ty: self.types.pointer(ty) };
        if let Some(block) = self.body.blocks.last_mut() {
            block.ends.push(BlockEnd::Cleanup { func, address });
        }
        Ok(())
    }

    fn declare_vla(&mut self, name: Symbol, ty: Ty) -> Result<()> {
        let size = self.size_term(ty);
        let var = self.local(name, ravelin_cfa::Sort::Ptr, false);
        let kind = ravelin_cfa::AllocKind::Stack;
        self.emit(Op::Alloc { dst: var, size, kind });
        if let Some(block) = self.body.blocks.last_mut() {
            let before = block.made.len();
            block.ends.push(BlockEnd::Array { pointer: var, before });
        }
        self.note_made(Made::Vla);
        self.scopes.bind(name, Entity::Local { storage: Storage::At(var), ty });
        Ok(())
    }
}
