//! Types, globals and initialisers.

use super::{Generator, plain};
use crate::program::{
    Designator, EnumDef, Expr, Field, Init, InitItem, Qualifier, RecordDef, RecordKind, Signature,
    Storage, Var, VarId,
};
use crate::types::{EnumId, FloatKind, IntKind, RecordId, Type};

impl Generator {
    pub(super) fn make_types(&mut self) {
        for _ in 0..self.rng.u32(1..=2) {
            let start = if self.chance(50) { -self.rng.i32(1..100) } else { 0 };
            let mut value = start;
            let values = (0..self.rng.u32(2..=5))
                .map(|_| {
                    value += self.rng.i32(1..50);
                    value
                })
                .collect();
            self.program.enums.push(EnumDef { values });
        }
        for _ in 0..self.rng.u32(1..=3) {
            let kind = if self.chance(15) { RecordKind::Packed } else { RecordKind::Struct };
            self.make_struct(kind);
        }
        for _ in 0..self.rng.u32(1..=2) {
            self.make_union();
        }
        if self.chance(50) {
            self.make_struct(RecordKind::Struct);
        }
        for _ in 0..self.rng.u32(1..=2) {
            let result = self.by_value_type();
            let params = (0..self.rng.u32(0..=3)).map(|_| self.by_value_type()).collect();
            self.program.signatures.push(Signature { result, params });
        }
    }

    fn make_struct(&mut self, kind: RecordKind) {
        let fields = (0..self.rng.u32(1..=5))
            .map(|_| {
                if self.chance(30) {
                    self.bit_field()
                } else {
                    Field { ty: self.object_type(1), width: None }
                }
            })
            .collect();
        self.program.records.push(RecordDef { kind, fields });
    }

    fn bit_field(&mut self) -> Field {
        let kind = self.pick(&[
            IntKind::Int,
            IntKind::UInt,
            IntKind::UInt,
            IntKind::Bool,
            IntKind::UChar,
            IntKind::SChar,
            IntKind::Short,
            IntKind::UShort,
            IntKind::LLong,
            IntKind::ULLong,
        ]);
        let most = if kind == IntKind::Bool { 1 } else { kind.bits(self.program.model) };
        Field { ty: Type::Int(kind), width: Some(self.rng.u32(1..=most)) }
    }

    fn make_union(&mut self) {
        let wide = self.chance(30);
        let room = if wide { 16 } else { 8 };
        let word = Type::Int(IntKind::ULLong);
        let mut fields = vec![if wide { Type::array(word, 2) } else { word }];
        for _ in 0..self.rng.u32(1..=4) {
            fields.push(match self.rng.u32(0..10) {
                0..5 => {
                    let kind = self.raw_kind();
                    match kind {
                        IntKind::I128 | IntKind::U128 if !wide => Type::Int(IntKind::Short),
                        kind => Type::Int(kind),
                    }
                }
                5 => Type::Float(FloatKind::Float),
                6 => Type::Float(FloatKind::Double),
                7 => Type::array(Type::Int(IntKind::UChar), room),
                8 => Type::array(Type::Int(IntKind::Short), room / 2),
                _ => self.bits_in_union(),
            });
        }
        let fields = fields.into_iter().map(|ty| Field { ty, width: None }).collect();
        self.program.records.push(RecordDef { kind: RecordKind::Union, fields });
    }

    /// A struct of at most eight bytes that shows parts of an integer.
    fn bits_in_union(&mut self) -> Type {
        let mut left = 32;
        let mut fields = Vec::new();
        while left > 0 {
            let width = self.rng.u32(1..=left.min(15));
            let kind = self.pick(&[IntKind::Int, IntKind::UInt]);
            fields.push(Field { ty: Type::Int(kind), width: Some(width) });
            left -= width;
        }
        Type::Record(self.program.records.push(RecordDef { kind: RecordKind::Struct, fields }))
    }

    /// An integer kind any bytes of which are a value.
    pub(super) fn raw_kind(&mut self) -> IntKind {
        match self.int_kind() {
            IntKind::Bool => IntKind::UChar,
            kind => kind,
        }
    }

    pub(super) fn record(&mut self) -> Option<RecordId> {
        let records: Vec<_> = self
            .program
            .records
            .iter()
            .filter(|(_, record)| record.kind != RecordKind::Node)
            .map(|(id, _)| id)
            .filter(|id| !self.context.pure || !self.program.has_pointers(&Type::Record(*id)))
            .collect();
        (!records.is_empty()).then(|| self.pick(&records))
    }

    pub(super) fn float_kind(&mut self) -> FloatKind {
        self.weighted(&[(4, FloatKind::Float), (5, FloatKind::Double), (1, FloatKind::LongDouble)])
    }

    /// A type of values: what functions take and return.
    pub(super) fn by_value_type(&mut self) -> Type {
        match self.rng.u32(0..20) {
            0..13 => Type::Int(self.int_kind()),
            13 => Type::Enum(self.an_enum()),
            14..17 => Type::Float(self.float_kind()),
            _ => match self.record() {
                Some(record) => Type::Record(record),
                None => Type::Int(IntKind::Int),
            },
        }
    }

    pub(super) fn an_enum(&mut self) -> EnumId {
        let enums: Vec<_> = self.program.enums.keys().collect();
        self.pick(&enums)
    }

    pub(super) fn scalar_type(&mut self) -> Type {
        match self.rng.u32(0..10) {
            0..8 => Type::Int(self.int_kind()),
            8 => Type::Enum(self.an_enum()),
            _ => Type::Float(self.float_kind()),
        }
    }

    /// A type of objects; `depth` more levels of arrays and pointers.
    pub(super) fn object_type(&mut self, depth: u32) -> Type {
        match self.rng.u32(0..20) {
            0..10 => self.scalar_type(),
            10..13 => match self.record() {
                Some(record) => Type::Record(record),
                None => self.scalar_type(),
            },
            13..17 if depth > 0 => {
                let element = self.object_type(depth - 1);
                Type::array(element, self.rng.u32(1..=6))
            }
            17..19 if depth > 0 && !self.context.pure => {
                let target = self.pointer_target(depth - 1);
                let length = if self.chance(50) { 1 } else { self.rng.u32(2..=5) };
                Type::pointer(target, length)
            }
            19 if !self.program.functions.is_empty() && !self.context.pure => {
                match self.callable_signature() {
                    Some(signature) => Type::Function(signature),
                    None => self.scalar_type(),
                }
            }
            _ => self.scalar_type(),
        }
    }

    fn pointer_target(&mut self, depth: u32) -> Type {
        match self.rng.u32(0..10) {
            0..6 => self.scalar_type(),
            6..8 => match self.record() {
                Some(record) => Type::Record(record),
                None => self.scalar_type(),
            },
            8 if depth > 0 => Type::array(self.scalar_type(), self.rng.u32(2..=4)),
            9 if depth > 0 => Type::pointer(self.scalar_type(), 1),
            _ => Type::Int(IntKind::Int),
        }
    }

    // Globals.

    pub(super) fn make_globals(&mut self) {
        for _ in 0..self.rng.u32(5..=10) {
            let ty = self.object_type(2);
            self.make_global(ty);
        }
    }

    /// A new variable with static storage at file scope.
    pub(super) fn make_global(&mut self, ty: Type) -> VarId {
        let qualifier = match &ty {
            Type::Int(_) | Type::Float(_) if self.chance(15) => Qualifier::Volatile,
            Type::Array(element, _) if element.is_arithmetic() && self.chance(10) => {
                Qualifier::Volatile
            }
            ty if !self.program.has_pointers(ty) && self.chance(15) => Qualifier::Const,
            _ => Qualifier::None,
        };
        let outer = std::mem::replace(&mut self.context, super::Context::file_scope());
        let init = self.init(&ty);
        self.context = outer;
        let var = self.program.vars.push(Var {
            addressable: qualifier == Qualifier::None && self.rng.u32(0..100) < 60,
            writable: qualifier != Qualifier::Const,
            ty,
            storage: Storage::Global,
            qualifier,
            level: 0,
            limit: None,
        });
        self.program.globals.push((var, init));
        var
    }

    /// A global that pointers to `target` can always point to.
    pub(super) fn anchor(&mut self, target: &Type, length: u32) -> VarId {
        let ty = Type::array(target.clone(), length);
        let existing = self.program.globals.iter().map(|(var, _)| *var).find(|var| {
            let var = &self.program.vars[*var];
            var.addressable && var.ty == ty
        });
        if let Some(var) = existing {
            return var;
        }
        let var = self.make_global(ty.clone());
        let info = &mut self.program.vars[var];
        (info.addressable, info.writable, info.qualifier) = (true, true, Qualifier::None);
        var
    }

    // Initialisers.

    pub(super) fn init(&mut self, ty: &Type) -> Init {
        match ty {
            Type::Int(_) | Type::Enum(_) => plain(self.full(|g| g.int_expr(2))),
            Type::Float(_) => plain(self.full(|g| g.float_expr(2))),
            Type::Pointer(target, length) => {
                let room = self.context.level;
                plain(self.without_effects(|g| g.pointer_expr(target, *length, room, 1)))
            }
            Type::Function(signature) => plain(self.function_value(*signature)),
            Type::Array(element, length) => self.array_init(element, *length),
            Type::Record(record) => {
                if !self.context.constant && self.chance(25) {
                    return plain(self.full(|g| g.record_expr(*record, 2)));
                }
                self.record_init(*record)
            }
        }
    }

    /// Initialisers inside lists have no effects, as their order is open.
    fn inner_init(&mut self, ty: &Type) -> Init {
        match ty {
            Type::Int(_) | Type::Enum(_) => plain(self.without_effects(|g| g.int_expr(1))),
            Type::Float(_) => plain(self.without_effects(|g| g.float_expr(1))),
            Type::Pointer(target, length) => {
                plain(self.without_effects(|g| g.pointer_expr(target, *length, 0, 0)))
            }
            Type::Function(signature) => plain(self.function_value(*signature)),
            Type::Array(element, length) => self.array_init(element, *length),
            Type::Record(record) => self.record_init(*record),
        }
    }

    fn array_init(&mut self, element: &Type, length: u32) -> Init {
        let pointers = self.program.has_pointers(element);
        if *element == Type::Int(IntKind::Char) && self.chance(50) {
            // The terminating zero need not fit (C11 6.7.9p14).
            let mut bytes = self.string();
            bytes.truncate(length as usize);
            return Init::Str(bytes);
        }
        if !pointers && self.chance(15) {
            return Init::Zero;
        }
        let mut items = Vec::new();
        match self.rng.u32(0..4) {
            0 if !pointers => {
                // Some elements, in any order; a later one for the same element wins.
                for _ in 0..self.rng.u32(1..=length) {
                    let at = self.rng.u32(0..length);
                    let init = self.inner_init(element);
                    items.push(InitItem { designator: Designator::Element(at), init });
                }
            }
            // gcc wants a constant when a range of arrays is initialised.
            1 if length > 1 && !matches!(element, Type::Array(..)) => {
                let split = self.rng.u32(1..length);
                let init = self.inner_init(element);
                items.push(InitItem { designator: Designator::Range(0, split - 1), init });
                for _ in split..length {
                    let init = self.inner_init(element);
                    items.push(InitItem { designator: Designator::Next, init });
                }
            }
            _ => {
                let count = if pointers { length } else { self.rng.u32(1..=length) };
                for _ in 0..count {
                    let init = self.inner_init(element);
                    items.push(InitItem { designator: Designator::Next, init });
                }
            }
        }
        Init::List(items)
    }

    pub(super) fn record_init(&mut self, record: RecordId) -> Init {
        let definition = self.program.records[record].clone();
        let ty = Type::Record(record);
        let count = match definition.kind {
            RecordKind::Struct | RecordKind::Packed => definition.fields.len(),
            // The first member covers the whole union.
            RecordKind::Union | RecordKind::Node => 1,
        };
        if !self.program.has_pointers(&ty) && self.chance(15) {
            return Init::Zero;
        }
        let designated = self.chance(50);
        let mut items: Vec<_> = (0..count)
            .map(|i| {
                let init = self.inner_init(&definition.fields[i].ty);
                let designator =
                    if designated { Designator::Field(i as u32) } else { Designator::Next };
                InitItem { designator, init }
            })
            .collect();
        if designated {
            self.rng.shuffle(&mut items);
            if !self.program.has_pointers(&ty) && items.len() > 1 && self.chance(30) {
                items.pop();
            }
        }
        Init::List(items)
    }

    pub(super) fn float_literal(&mut self, kind: FloatKind) -> Expr {
        let value = match self.rng.u32(0..8) {
            0 => 0.0,
            1 => -0.0,
            2 => f64::from(self.rng.i32(-100..100)),
            3 => f64::from(self.rng.i32(-1000..1000)) / 8.0,
            4 => self.rng.f64(),
            5 => f64::from(self.rng.i32(..)) * 1e20,
            6 => f64::from(self.rng.i32(1..1000)) * 1e-30,
            _ => 0.1 * f64::from(self.rng.i32(-9..10)),
        };
        let value = match kind {
            FloatKind::Float => f64::from(value as f32),
            FloatKind::Double | FloatKind::LongDouble => value,
        };
        Expr::Float { kind, value }
    }

    pub(super) fn enumerator(&mut self) -> Expr {
        let id = self.an_enum();
        let count = self.program.enums[id].values.len() as u32;
        Expr::Enumerator(id, self.rng.u32(0..count))
    }
}
