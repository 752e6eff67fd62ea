//! Statements, and the observation of objects.

use super::prelude::Helper;
use super::{Printer, expr};
use crate::program::{Allocation, Block, LoopStyle, Place, RecordKind, Stmt, VarId};
use crate::types::{IntKind, Type};
use ravelin_base::EntityRef;

impl Printer<'_> {
    pub(super) fn block(&mut self, block: &Block) {
        for stmt in block {
            self.stmt(stmt);
        }
    }

    fn braced(&mut self, head: &str, body: &Block, tail: &str) {
        self.open(head);
        self.block(body);
        self.close(tail);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Declare(var, init) => self.definition(*var, init),
            Stmt::Expr(e) => {
                let text = self.expr(e, expr::COMMA);
                self.line(&format!("{text};"));
            }
            Stmt::Mix(e) => {
                let ty = self.program.type_of(e);
                let text = self.expr(e, expr::ASSIGNMENT);
                self.mix(&ty, &text);
            }
            Stmt::Print(e) => {
                let text = self.expr(e, expr::CAST);
                self.line(&format!("printf(\"%llx\\n\", (unsigned long long){text});"));
            }
            Stmt::Observe(place) => {
                let ty = self.program.place_type(place);
                let text = self.place(place);
                self.observe(&ty, &text);
            }
            Stmt::If(cond, then, otherwise) => {
                let cond = self.expr(cond, expr::COMMA);
                self.braced(&format!("if ({cond})"), then, "");
                if !otherwise.is_empty() {
                    self.braced("else", otherwise, "");
                }
            }
            Stmt::Loop { style, counter, bound, guard, body } => {
                let guard = guard.as_ref().map(|guard| self.expr(guard, expr::LOGICAL_AND + 1));
                self.bounded_loop(*style, *counter, *bound, guard, body);
            }
            Stmt::Switch(selector, cases) => {
                let selector = self.expr(selector, expr::COMMA);
                self.open(&format!("switch ({selector})"));
                for case in cases {
                    if case.labels.is_empty() {
                        self.line("default:");
                    }
                    for (low, high) in &case.labels {
                        self.line(&if low == high {
                            format!("case {low}:")
                        } else {
                            format!("case {low} ... {high}:")
                        });
                    }
                    self.braced("", &case.body, if case.falls_through { "" } else { " break;" });
                }
                self.close("");
            }
            Stmt::Duff { selector, counter, rounds, parts } => {
                let (selector, name) = (self.expr(selector, expr::BIT_AND), self.var(*counter));
                let declaration = self.declare(&self.program.vars[*counter].ty, &name);
                self.open("");
                self.line(&format!("{declaration} = 0;"));
                self.line(&format!("switch ({selector} & {}) {{", parts.len() - 1));
                self.line("case 0: do {");
                self.indent += 1;
                for (i, part) in parts.iter().enumerate() {
                    if i > 0 {
                        self.line(&format!("case {i}:;"));
                    }
                    self.braced("", part, "");
                }
                self.indent -= 1;
                self.line(&format!("}} while (++{name} < {rounds});"));
                self.line("}");
                self.close("");
            }
            Stmt::Break => self.line("break;"),
            Stmt::Continue => self.line("continue;"),
            Stmt::Return(None) => self.line("return;"),
            Stmt::Return(Some(e)) => {
                let text = self.expr(e, expr::COMMA);
                self.line(&format!("return {text};"));
            }
            Stmt::Goto(label) => self.line(&format!("goto L{};", label.index())),
            Stmt::Region(label, body) => {
                self.braced("", body, "");
                self.line(&format!("L{}:;", label.index()));
            }
            Stmt::Block(body) => self.braced("", body, ""),
            Stmt::Walk { cursor, array, backwards, body } => {
                self.walk(*cursor, array, *backwards, body);
            }
            Stmt::Heap { var, fill, method, body } => {
                let fill = self.expr(fill, expr::ASSIGNMENT);
                self.heap(*var, &fill, *method, body);
            }
            Stmt::List { head, index, node, count, value, reversed, body } => {
                let value = self.expr(value, expr::ASSIGNMENT);
                let names = [self.var(*head), self.var(*index), self.var(*node)];
                let ty = self.program.vars[*head].ty.clone();
                self.list(&names, &ty, *count, &value, *reversed, body);
            }
            Stmt::Fill(place, e) => {
                let (place, e) = (self.place(place), self.expr(e, expr::CAST));
                self.line(&format!("memset({place}, (unsigned char){e}, sizeof({place}));"));
            }
            Stmt::Copy(to, from, overlapping) => {
                let name = if *overlapping { "memmove" } else { "memcpy" };
                let (to, from) = (self.place(to), self.place(from));
                self.line(&format!(
                    "{name}({to}, {from}, \
                     sizeof({to}) < sizeof({from}) ? sizeof({to}) : sizeof({from}));"
                ));
            }
            Stmt::Shift(place, down) => {
                let place = self.place(place);
                let (to, from) = if *down { (0, 1) } else { (1, 0) };
                self.line(&format!(
                    "memmove(&{place}[{to}], &{place}[{from}], \
                     sizeof({place}) - sizeof({place}[0]));"
                ));
            }
            Stmt::Clear(place) => {
                let place = self.place(place);
                self.line(&format!("memset(&{place}, 0, sizeof({place}));"));
            }
        }
    }

    fn bounded_loop(
        &mut self,
        style: LoopStyle,
        counter: VarId,
        bound: u32,
        guard: Option<String>,
        body: &Block,
    ) {
        let name = self.var(counter);
        let start = format!("{} = 0", self.declare(&self.program.vars[counter].ty, &name));
        let and = guard.as_ref().map(|guard| format!(" && {guard}")).unwrap_or_default();
        match style {
            LoopStyle::For => {
                self.braced(&format!("for ({start}; {name} < {bound}{and}; {name}++)"), body, "");
            }
            LoopStyle::Down => {
                let start = self.declare(&self.program.vars[counter].ty, &name);
                let head = format!("for ({start} = {bound}; {name}-- > 0{and};)");
                self.braced(&head, body, "");
            }
            LoopStyle::While => {
                self.open("");
                self.line(&format!("{start};"));
                self.braced(&format!("while ({name}++ < {bound}{and})"), body, "");
                self.close("");
            }
            LoopStyle::Do => {
                self.open("");
                self.line(&format!("{start};"));
                self.braced("do", body, &format!(" while (++{name} < {bound}{and});"));
                self.close("");
            }
            LoopStyle::Goto => {
                let label = self.fresh();
                self.open("");
                self.line(&format!("{start};"));
                self.line(&format!("again{label}:"));
                self.open(&format!("if ({name} < {bound}{and})"));
                self.braced("", body, "");
                self.line(&format!("{name}++;"));
                self.line(&format!("goto again{label};"));
                self.close("");
                self.close("");
            }
            LoopStyle::Forever => {
                self.open(&format!("for ({start};; {name}++)"));
                self.line(&format!("if (!({name} < {bound}{and})) break;"));
                self.block(body);
                self.close("");
            }
        }
    }

    fn walk(&mut self, cursor: VarId, array: &Place, backwards: bool, body: &Block) {
        let Type::Array(_, length) = self.program.place_type(array) else {
            unreachable!("a walk is over an array")
        };
        let (name, array) = (self.var(cursor), self.place(array));
        // The body may change what the array is found by, so it is found once.
        let base = format!("base{}", self.fresh());
        let ty = &self.program.vars[cursor].ty;
        let (declare_base, start) = (self.declare(ty, &base), self.declare(ty, &name));
        self.open("");
        self.line(&format!("{declare_base} = {array};"));
        if backwards {
            self.line(&format!("{start} = {base} + {length};"));
            self.open(&format!("while ({name} > {base})"));
            self.line(&format!("--{name};"));
            self.block(body);
            self.close("");
        } else {
            let head = format!("for ({start} = {base}; {name} != {base} + {length}; ++{name})");
            self.braced(&head, body, "");
        }
        self.close("");
    }

    fn heap(&mut self, var: VarId, fill: &str, method: Allocation, body: &Block) {
        let Type::Pointer(_, length) = self.program.vars[var].ty else {
            unreachable!("dynamic memory is held by a pointer")
        };
        let (name, i) = (self.var(var), self.fresh());
        let declaration = self.declare(&self.program.vars[var].ty, &name);
        let fill_from = |from: u32, to: u32| {
            format!("for (int k{i} = {from}; k{i} < {to}; k{i}++) {name}[k{i}] = {fill};")
        };
        self.open("");
        match method {
            Allocation::Malloc => {
                self.line(&format!("{declaration} = malloc({length} * sizeof(*{name}));"));
                self.line(&fill_from(0, length));
            }
            Allocation::Calloc => {
                self.line(&format!("{declaration} = calloc({length}, sizeof(*{name}));"));
                self.line(&fill_from(0, length.div_ceil(2)));
            }
            Allocation::Realloc => {
                let first = length.div_ceil(2);
                self.line(&format!("{declaration} = malloc({first} * sizeof(*{name}));"));
                self.line(&fill_from(0, first));
                self.line(&format!("{name} = realloc({name}, {length} * sizeof(*{name}));"));
                self.line(&fill_from(first, length));
            }
            Allocation::Alloca => {
                self.line(&format!(
                    "{declaration} = __builtin_alloca({length} * sizeof(*{name}));"
                ));
                self.line(&fill_from(0, length));
            }
        }
        self.block(body);
        match method {
            Allocation::Malloc | Allocation::Calloc | Allocation::Realloc => {
                self.line(&format!("free({name});"));
            }
            Allocation::Alloca => {}
        }
        self.close("");
    }

    fn list(
        &mut self,
        [head, index, node]: &[String; 3],
        ty: &Type,
        count: u32,
        value: &str,
        reversed: bool,
        body: &Block,
    ) {
        let pointer = |name: &str| self.declare(ty, name);
        let (declare_head, declare_node, declare_next) =
            (pointer(head), pointer(node), pointer("next"));
        let declare_previous = pointer("previous");
        self.open("");
        self.line(&format!("{declare_head} = 0;"));
        self.open(&format!("for (int {index} = 0; {index} < {count}; {index}++)"));
        self.line(&format!("{declare_node} = malloc(sizeof(*{node}));"));
        self.line(&format!("{node}->m0 = {value};"));
        self.line(&format!("{node}->m1 = {head};"));
        self.line(&format!("{head} = {node};"));
        self.close("");
        if reversed {
            self.line(&format!("{declare_previous} = 0;"));
            self.open(&format!("while ({head})"));
            self.line(&format!("{declare_next} = {head}->m1;"));
            self.line(&format!("{head}->m1 = previous;"));
            self.line(&format!("previous = {head};"));
            self.line(&format!("{head} = next;"));
            self.close("");
            self.line(&format!("{head} = previous;"));
        }
        self.braced(
            &format!("for ({declare_node} = {head}; {node}; {node} = {node}->m1)"),
            body,
            "",
        );
        self.open(&format!("while ({head} != 0)"));
        self.line(&format!("{declare_next} = {head}->m1;"));
        self.line(&format!("free({head});"));
        self.line(&format!("{head} = next;"));
        self.close("");
        self.close("");
    }

    // Observation.

    fn mix(&mut self, ty: &Type, text: &str) {
        match ty {
            Type::Int(IntKind::I128 | IntKind::U128) => {
                self.helpers.insert(Helper::Mix128);
                self.line(&format!("mix128({text});"));
            }
            Type::Int(_) | Type::Enum(_) => self.line(&format!("mix({text});")),
            Type::Float(kind) => {
                self.helpers.insert(Helper::Bits(*kind));
                self.line(&format!("mix({}({text}));", Helper::Bits(*kind).name()));
            }
            Type::Record(_) | Type::Array(..) | Type::Pointer(..) | Type::Function(_) => {
                unreachable!("only arithmetic values are mixed")
            }
        }
    }

    fn observe(&mut self, ty: &Type, text: &str) {
        match ty {
            Type::Int(_) | Type::Enum(_) | Type::Float(_) => self.mix(ty, text),
            Type::Array(element, length) => {
                let i = self.fresh();
                self.open(&format!("for (int k{i} = 0; k{i} < {length}; k{i}++)"));
                self.observe(element, &format!("{text}[k{i}]"));
                self.close("");
            }
            Type::Record(record) => {
                let definition = &self.program.records[*record];
                let count = match definition.kind {
                    RecordKind::Struct | RecordKind::Packed => definition.fields.len(),
                    // The first member covers the whole union; a node's link is no value.
                    RecordKind::Union | RecordKind::Node => 1,
                };
                for (i, field) in definition.fields.iter().take(count).enumerate() {
                    self.observe(&field.ty, &format!("{text}.m{i}"));
                }
            }
            Type::Pointer(target, _) if target.is_arithmetic() => {
                self.mix(target, &format!("*{text}"));
            }
            Type::Pointer(..) | Type::Function(_) => {}
        }
    }
}
