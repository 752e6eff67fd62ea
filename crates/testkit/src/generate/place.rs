//! Places of a wanted type, found from the variables in scope, and pointers to them.

use super::Generator;
use crate::program::{
    Callee, Expr, Init, Place, PointerDetour, Qualifier, RecordKind, Spelling, VarId,
};
use crate::types::{IntKind, SignatureId, Type};

/// What is looked for.
#[derive(Clone, Debug)]
pub(super) enum Want {
    Int,
    Float,
    Exactly(Type),
    /// A pointer to that type with at least so many elements.
    Pointer(Type, u32),
    /// An array of that type with at least so many elements.
    Array(Type, u32),
    AnyArray,
    /// A one-dimensional array of integers of which any bytes are a value.
    RawArray,
}

/// What is to be done with the place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    Read,
    Write,
    /// Its address is stored in a pointer, through which it may be written.
    Address,
}

impl Generator {
    pub(super) fn place(&mut self, want: &Want, usage: Use) -> Option<Place> {
        if self.context.constant && usage != Use::Address {
            return None;
        }
        (0..12).find_map(|_| {
            let var = self.any_var()?;
            self.descend(var, want, usage)
        })
    }

    fn any_var(&mut self) -> Option<VarId> {
        let local = !self.scope.is_empty() && (self.context.pure || self.chance(65));
        if local && !self.context.constant {
            return Some(self.scope[self.rng.usize(0..self.scope.len())]);
        }
        if self.context.pure || self.program.globals.is_empty() {
            return None;
        }
        let at = self.rng.usize(0..self.program.globals.len());
        Some(self.program.globals[at].0)
    }

    /// Goes down from a variable along a random path until the place is of the wanted kind.
    fn descend(&mut self, var: VarId, want: &Want, usage: Use) -> Option<Place> {
        let info = &self.program.vars[var];
        let named_fits = match usage {
            Use::Read => true,
            Use::Write => info.writable,
            Use::Address => info.writable && info.addressable,
        };
        // Whether the representation may be looked at: pointers may be formed to it.
        let mut plain = info.qualifier == Qualifier::None && !self.context.constant;
        let mut behind_pointer = false;
        let mut place = Place::Var(var);
        for _ in 0..7 {
            let ty = self.program.place_type(&place);
            let fits = named_fits || behind_pointer;
            if fits
                && plain
                && matches!(want, Want::Int)
                && usage != Use::Address
                && let Some(part) = self.part_of(&place, &ty)
            {
                return Some(part);
            }
            if satisfies(want, &ty) && (ty.is_arithmetic() || self.chance(80)) {
                return fits.then_some(place);
            }
            place = match ty {
                Type::Record(record) => {
                    let definition = &self.program.records[record];
                    let fields = match definition.kind {
                        RecordKind::Struct => definition.fields.len(),
                        // No pointer is formed into packed structs, for alignment, and into
                        // unions, as stores of floating members are watched there.
                        RecordKind::Packed | RecordKind::Union if usage == Use::Address => {
                            return None;
                        }
                        RecordKind::Packed | RecordKind::Union => definition.fields.len(),
                        RecordKind::Node => 1,
                    };
                    plain &= definition.kind != RecordKind::Packed;
                    let field = self.rng.usize(0..fields);
                    if self.program.records[record].fields[field].width.is_some() {
                        if usage == Use::Address {
                            return None;
                        }
                        plain = false;
                    }
                    Place::Field(Box::new(place), field as u32)
                }
                Type::Array(_, length) => {
                    let index = self.index_expr(length);
                    Place::Index(Box::new(place), Box::new(index))
                }
                Type::Pointer(_, length) if !self.context.constant && !self.context.pure => {
                    behind_pointer = true;
                    plain = true;
                    let pointer = Box::new(Expr::Load(place));
                    if length == 1 || self.chance(25) {
                        Place::Deref(pointer)
                    } else {
                        let index = Box::new(self.index_expr(length));
                        Place::Element(pointer, index, self.rng.bool())
                    }
                }
                Type::Int(_)
                | Type::Enum(_)
                | Type::Float(_)
                | Type::Pointer(..)
                | Type::Function(_) => return None,
            };
        }
        None
    }

    /// Now and then, a byte or the first bytes of an integer object.
    fn part_of(&mut self, place: &Place, ty: &Type) -> Option<Place> {
        if !self.program.is_raw(ty) || !self.chance(6) {
            return None;
        }
        let base = Box::new(place.clone());
        if self.chance(50) {
            let index = self.index_expr(4);
            return Some(Place::Byte(base, Box::new(index)));
        }
        let mut element = ty;
        while let Type::Array(inner, _) = element {
            element = inner;
        }
        let most = self.program.int_kind(element).bits(self.program.model);
        let kind = self.raw_kind();
        (kind.bits(self.program.model) <= most).then_some(Place::View(base, kind))
    }

    /// An expression that makes a good index for an array of that length.
    pub(super) fn index_expr(&mut self, length: u32) -> Expr {
        let literal = Expr::Int {
            kind: IntKind::Int,
            value: i128::from(self.rng.u32(0..length)),
            spelling: Spelling::Decimal,
        };
        if self.context.constant || self.chance(35) {
            return literal;
        }
        let counters: Vec<_> = self
            .scope
            .iter()
            .copied()
            .filter(|var| self.program.vars[*var].limit.is_some())
            .collect();
        if !counters.is_empty() && self.chance(50) {
            return Expr::Load(Place::Var(self.pick(&counters)));
        }
        if self.indices >= 2 {
            return literal;
        }
        self.indices += 1;
        let index = if self.chance(70) { self.int_leaf() } else { self.int_expr(1) };
        self.indices -= 1;
        index
    }

    /// A pointer to at least `length` elements of type `target`, all of which live at least as
    /// long as variables of level `room`.
    pub(super) fn pointer_expr(
        &mut self,
        target: &Type,
        length: u32,
        room: u32,
        depth: u32,
    ) -> Expr {
        for _ in 0..4 {
            if let Some(expr) = self.try_pointer(target, length, room, depth)
                && self.program.reach(&expr) <= room
            {
                return expr;
            }
        }
        let anchor = self.anchor(target, length);
        Expr::Decay(Place::Var(anchor))
    }

    fn try_pointer(&mut self, target: &Type, length: u32, room: u32, depth: u32) -> Option<Expr> {
        let nested = depth > 0 && !self.context.constant;
        match self.rng.u32(0..20) {
            0..6 => self.place(&Want::Pointer(target.clone(), length), Use::Read).map(Expr::Load),
            6..11 if length == 1 => {
                self.place(&Want::Exactly(target.clone()), Use::Address).map(Expr::AddressOf)
            }
            6..13 => {
                self.place(&Want::Array(target.clone(), length), Use::Address).map(Expr::Decay)
            }
            13 if nested => {
                let condition = self.int_expr(1);
                let then = self.pointer_expr(target, length, room, depth - 1);
                let otherwise = self.pointer_expr(target, length, room, depth - 1);
                Some(Expr::Cond(Box::new(condition), Some(Box::new(then)), Box::new(otherwise)))
            }
            14 if nested => {
                let detour =
                    self.pick(&[PointerDetour::Void, PointerDetour::Bytes, PointerDetour::Integer]);
                let pointer = self.pointer_expr(target, length, room, depth - 1);
                Some(Expr::Detour(detour, Box::new(pointer)))
            }
            15 if nested && self.context.effects => {
                let place = self.place(&Want::Pointer(target.clone(), length), Use::Write)?;
                let Type::Pointer(_, stored) = self.program.place_type(&place) else {
                    return None;
                };
                let room = room.min(self.program.pointer_room(&place));
                let value = self.pointer_expr(target, stored, room, depth - 1);
                Some(Expr::Assign(place, Box::new(value)))
            }
            16 if nested => {
                let first = self.int_expr(1);
                let pointer = self.pointer_expr(target, length, room, depth - 1);
                Some(Expr::Comma(Box::new(first), Box::new(pointer)))
            }
            17..19 if nested => {
                let wanted = Type::pointer(target.clone(), length);
                self.call(|ty| wanted.accepts(ty))
            }
            19 if !self.context.constant && room == u32::MAX => {
                // An unnamed object, alive as long as the block around the call it is for.
                let init = match target {
                    Type::Int(_) | Type::Enum(_) | Type::Float(_) if length == 1 => {
                        Init::List(vec![crate::program::InitItem {
                            designator: crate::program::Designator::Next,
                            init: Init::Expr(self.int_leaf()),
                        }])
                    }
                    Type::Record(record) if length == 1 => self.record_init(*record),
                    _ => return None,
                };
                Some(Expr::AddressOf(Place::Literal(target.clone(), Box::new(init))))
            }
            _ => None,
        }
    }

    /// A signature that some function has.
    pub(super) fn callable_signature(&mut self) -> Option<SignatureId> {
        let signatures: Vec<_> = self
            .program
            .functions
            .values()
            .filter(|function| function.body.is_some())
            .filter_map(|function| function.signature)
            .collect();
        (!signatures.is_empty()).then(|| self.pick(&signatures))
    }

    /// A pointer to a function of that signature, of which there is one.
    pub(super) fn function_value(&mut self, signature: SignatureId) -> Expr {
        if !self.context.constant
            && self.chance(50)
            && let Some(place) = self.place(&Want::Exactly(Type::Function(signature)), Use::Read)
        {
            return Expr::Load(place);
        }
        let functions: Vec<_> = self
            .program
            .functions
            .iter()
            .filter(|(_, f)| f.signature == Some(signature) && f.body.is_some())
            .map(|(id, _)| id)
            .collect();
        Expr::Function(self.pick(&functions))
    }

    /// A call through a function pointer whose result the test accepts.
    pub(super) fn indirect_call(&mut self, accepts: impl Fn(&Type) -> bool) -> Option<Expr> {
        let signatures: Vec<_> = self
            .program
            .signatures
            .iter()
            .filter(|(_, signature)| accepts(&signature.result))
            .map(|(id, _)| id)
            .collect();
        if signatures.is_empty() {
            return None;
        }
        let signature = self.pick(&signatures);
        let place = self.place(&Want::Exactly(Type::Function(signature)), Use::Read)?;
        let params = self.program.signatures[signature].params.clone();
        let args = params.iter().map(|ty| self.argument(ty)).collect();
        let starred = self.rng.bool();
        Some(Expr::Call(Callee::Pointer { place, starred }, args, 0))
    }
}

fn satisfies(want: &Want, ty: &Type) -> bool {
    match want {
        Want::Int => ty.is_integer(),
        Want::Float => ty.is_float(),
        Want::Exactly(wanted) => ty == wanted,
        Want::Pointer(target, length) => {
            matches!(ty, Type::Pointer(to, given) if **to == *target && given >= length)
        }
        Want::Array(element, length) => {
            matches!(ty, Type::Array(of, given) if **of == *element && given >= length)
        }
        Want::AnyArray => matches!(ty, Type::Array(..)),
        Want::RawArray => {
            matches!(ty, Type::Array(of, _) if matches!(**of, Type::Int(k) if k != IntKind::Bool))
        }
    }
}
