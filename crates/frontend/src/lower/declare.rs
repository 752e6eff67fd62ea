//! Declaration specifiers and declarators to types (C11 6.7).

use lang_c::ast::{
    AlignmentSpecifier, ArraySize, BinaryOperator, Declaration, DeclarationSpecifier, Declarator,
    DeclaratorKind, DerivedDeclarator, Ellipsis, EnumType, Expression, Extension,
    FunctionDeclarator, FunctionSpecifier, ParameterDeclaration, PointerQualifier,
    SpecifierQualifier, StaticAssert, StorageClassSpecifier, StructDeclaration, StructField,
    StructKind, StructType, TS18661FloatFormat, TypeName, TypeOf, TypeQualifier, TypeSpecifier,
};
use lang_c::span::{Node, Span};
use ravelin_base::{DataModel, ReservedValue, Symbol};
use ravelin_cfa::Var;
use ravelin_term::FloatKind;

use super::scope::{Entity, Storage, Tag};
use super::{Lowerer, Result};
use crate::types::{
    FieldAlign, FieldSpec, FunctionType, IntKind, Qualifiers, RecordAttributes, Ty, TypeKind,
};

/// What stands before the declarators of a declaration.
#[derive(Clone, Debug)]
pub(crate) struct Specifiers {
    pub ty: Ty,
    pub storage: Option<StorageClassSpecifier>,
    pub thread_local: bool,
    pub attributes: Attributes,
    /// `__auto_type`: the type is the initialiser's.
    pub auto_type: bool,
}

/// The attributes that mean something to Ravelin, and `_Alignas`, `_Noreturn`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Attributes {
    pub align: Option<u32>,
    pub packed: bool,
    pub noreturn: bool,
    /// The function to be called when the variable's scope is left.
    pub cleanup: Option<Symbol>,
    /// The name is another one of the variable or function of this name.
    pub alias: Option<Symbol>,
    /// The function runs before `main`.
    pub constructor: bool,
    /// The function runs after `main` returned.
    pub destructor: bool,
    /// Reaching a use is unsupported: what the attribute asks for is not modelled.
    pub unsupported: Option<&'static str>,
    /// `mode(DI)` and the like: the width in bits of the integer meant.
    pub mode: Option<u16>,
}

/// A declarator applied to its specifiers.
#[derive(Clone, Debug)]
pub(crate) struct Declared<'a> {
    pub name: Option<Symbol>,
    pub ty: Ty,
    pub attributes: Attributes,
    /// The parameters of the function declarator nearest to the name, for definitions.
    pub params: Option<Params<'a>>,
}

/// The parameter list of a function definition.
#[derive(Clone, Debug)]
pub(crate) enum Params<'a> {
    Prototype(&'a [Node<ParameterDeclaration>]),
    /// K&R style: names, whose declarations follow.
    Names(&'a [Node<lang_c::ast::Identifier>]),
}

/// A parameter as declared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Param {
    pub name: Option<Symbol>,
    pub ty: Ty,
    pub span: Span,
}

/// The type specifiers of a declaration, counted: C allows them in any order.
#[derive(Default)]
struct Basic {
    void: bool,
    bool: bool,
    char: bool,
    short: bool,
    int: bool,
    long: u8,
    float: bool,
    double: bool,
    signed: bool,
    unsigned: bool,
    int128: bool,
    complex: bool,
    other: Option<Ty>,
    any: bool,
}

impl<'a> Lowerer<'a> {
    pub fn declaration_specifiers(
        &mut self,
        specifiers: &'a [Node<DeclarationSpecifier>],
        span: Span,
    ) -> Result<Specifiers> {
        let mut basic = Basic::default();
        let mut qualifiers = Qualifiers::NONE;
        let mut storage = None;
        let mut thread_local = false;
        let mut attributes = Attributes::default();
        let mut auto_type = false;
        for specifier in specifiers {
            match &specifier.node {
                DeclarationSpecifier::StorageClass(class) => match class.node {
                    StorageClassSpecifier::ThreadLocal => thread_local = true,
                    _ => storage = Some(class.node.clone()),
                },
                DeclarationSpecifier::TypeSpecifier(specifier) => {
                    if is_auto_type(&specifier.node) {
                        auto_type = true;
                        basic.other = Some(self.types.int);
                        basic.any = true;
                    } else {
                        self.type_specifier(specifier, &mut basic, &mut qualifiers)?;
                    }
                }
                DeclarationSpecifier::TypeQualifier(qualifier) => {
                    qualifiers = qualifiers.and(qualifier_of(&qualifier.node));
                }
                DeclarationSpecifier::Function(specifier) => {
                    attributes.noreturn |= specifier.node == FunctionSpecifier::Noreturn;
                }
                DeclarationSpecifier::Alignment(alignment) => {
                    let align = match &alignment.node {
                        AlignmentSpecifier::Type(name) => {
                            let ty = self.type_name(name)?;
                            self.types.align_of(ty)
                        }
                        AlignmentSpecifier::Constant(value) => self.alignment(value)?,
                    };
                    attributes.align = attributes.align.max(Some(align));
                }
                DeclarationSpecifier::Extension(extensions) => {
                    self.attributes(extensions, &mut attributes)?;
                }
            }
        }
        let ty = self.basic_type(basic, span)?;
        let ty = self.types.qualify(ty, qualifiers);
        Ok(Specifiers { ty, storage, thread_local, attributes, auto_type })
    }

    /// C11 6.7.2.3p7: `struct s;` alone declares the tag anew in its scope.
    pub fn redeclare_tag(&mut self, specifiers: &'a [Node<DeclarationSpecifier>]) {
        for specifier in specifiers {
            if let DeclarationSpecifier::TypeSpecifier(specifier) = &specifier.node
                && let TypeSpecifier::Struct(record) = &specifier.node
                && record.node.declarations.is_none()
                && let Some(name) = &record.node.identifier
            {
                let tag = self.intern(&name.node.name);
                if self.scopes.tag_here(tag).is_none() {
                    let is_union = record.node.kind.node == StructKind::Union;
                    let record = self.types.new_record(is_union, Some(tag));
                    let ty = self.types.intern(TypeKind::Record(record));
                    self.scopes.bind_tag(tag, Tag::Record(record, ty));
                }
            }
        }
    }

    fn specifier_qualifiers(
        &mut self,
        specifiers: &'a [Node<SpecifierQualifier>],
        span: Span,
    ) -> Result<(Ty, Attributes)> {
        let mut basic = Basic::default();
        let mut qualifiers = Qualifiers::NONE;
        let mut attributes = Attributes::default();
        for specifier in specifiers {
            match &specifier.node {
                SpecifierQualifier::TypeSpecifier(specifier) => {
                    self.type_specifier(specifier, &mut basic, &mut qualifiers)?;
                }
                SpecifierQualifier::TypeQualifier(qualifier) => {
                    qualifiers = qualifiers.and(qualifier_of(&qualifier.node));
                }
                SpecifierQualifier::Extension(extensions) => {
                    self.attributes(extensions, &mut attributes)?;
                }
            }
        }
        let ty = self.basic_type(basic, span)?;
        Ok((self.types.qualify(ty, qualifiers), attributes))
    }

    pub fn type_name(&mut self, name: &'a Node<TypeName>) -> Result<Ty> {
        let (base, _) = self.specifier_qualifiers(&name.node.specifiers, name.span)?;
        match &name.node.declarator {
            Some(declarator) => Ok(self.declarator(declarator, base)?.ty),
            None => Ok(base),
        }
    }

    fn type_specifier(
        &mut self,
        specifier: &'a Node<TypeSpecifier>,
        basic: &mut Basic,
        qualifiers: &mut Qualifiers,
    ) -> Result<()> {
        basic.any = true;
        match &specifier.node {
            TypeSpecifier::Void => basic.void = true,
            TypeSpecifier::Char => basic.char = true,
            TypeSpecifier::Short => basic.short = true,
            TypeSpecifier::Int => basic.int = true,
            TypeSpecifier::Long => basic.long += 1,
            TypeSpecifier::Float => basic.float = true,
            TypeSpecifier::Double => basic.double = true,
            TypeSpecifier::Signed => basic.signed = true,
            TypeSpecifier::Unsigned => basic.unsigned = true,
            TypeSpecifier::Bool => basic.bool = true,
            TypeSpecifier::Complex => basic.complex = true,
            TypeSpecifier::Atomic(name) => {
                basic.other = Some(self.type_name(name)?);
                qualifiers.atomic = true;
            }
            TypeSpecifier::Struct(record) => basic.other = Some(self.struct_type(record)?),
            TypeSpecifier::Enum(enumeration) => basic.other = Some(self.enum_type(enumeration)?),
            TypeSpecifier::TypedefName(name) => {
                let symbol = self.intern(&name.node.name);
                match self.scopes.get(symbol) {
                    Some(Entity::Typedef(ty)) => basic.other = Some(ty),
                    _ => {
                        return self
                            .error(name.span, format!("unknown type name '{}'", name.node.name));
                    }
                }
            }
            TypeSpecifier::TypeOf(inner) => {
                let ty = match &inner.node {
                    TypeOf::Expression(expression) => match self.typedef_name(expression) {
                        Some(ty) => ty,
                        None => self.type_of(expression)?,
                    },
                    TypeOf::Type(name) => self.type_name(name)?,
                };
                basic.other = Some(ty);
            }
            TypeSpecifier::TS18661Float(float) => match (&float.format, float.width) {
                // The source layer writes `__int128` this way.
                (TS18661FloatFormat::DecimalInterchange, 128) => basic.int128 = true,
                (TS18661FloatFormat::BinaryInterchange, 32) => basic.float = true,
                (TS18661FloatFormat::BinaryInterchange, 64)
                | (TS18661FloatFormat::BinaryExtended, 32) => basic.double = true,
                (TS18661FloatFormat::BinaryExtended, 64) => {
                    basic.other = Some(self.types.float(FloatKind::F80));
                }
                (TS18661FloatFormat::BinaryInterchange, 128) => {
                    basic.other = Some(self.types.float(FloatKind::F128));
                }
                _ => return self.error(specifier.span, "this floating type is not supported"),
            },
        }
        Ok(())
    }

    /// lang-c takes a type name in `typeof` for an expression: `T`, and `T[3]` too.
    fn typedef_name(&mut self, node: &'a Node<Expression>) -> Option<Ty> {
        match &node.node {
            Expression::Identifier(name) => {
                let symbol = self.intern(&name.node.name);
                match self.scopes.get(symbol) {
                    Some(Entity::Typedef(ty)) => Some(ty),
                    _ => None,
                }
            }
            Expression::BinaryOperator(binary)
                if binary.node.operator.node == BinaryOperator::Index =>
            {
                let element = self.typedef_name(&binary.node.lhs)?;
                let length = self.constant_int(&binary.node.rhs).ok()?;
                Some(self.types.array(element, u64::try_from(length).ok()))
            }
            _ => None,
        }
    }

    fn basic_type(&mut self, basic: Basic, span: Span) -> Result<Ty> {
        if basic.complex {
            return self.error(span, "complex types are not supported");
        }
        if let Some(ty) = basic.other {
            return Ok(ty);
        }
        let kind = match basic {
            Basic { void: true, .. } => TypeKind::Void,
            Basic { bool: true, .. } => TypeKind::Bool,
            Basic { float: true, .. } => TypeKind::Float(FloatKind::F32),
            Basic { double: true, long: 0, .. } => TypeKind::Float(FloatKind::F64),
            Basic { double: true, .. } => TypeKind::Float(FloatKind::F80),
            Basic { char: true, unsigned: true, .. } => TypeKind::Int(IntKind::UChar),
            Basic { char: true, signed: true, .. } => TypeKind::Int(IntKind::SChar),
            Basic { char: true, .. } => TypeKind::Int(IntKind::Char),
            // No type at all is int, as in C90.
            Basic { short, long, int128, unsigned, .. } => {
                let kind = match (short, long, int128) {
                    (_, _, true) => IntKind::Int128,
                    (true, ..) => IntKind::Short,
                    (_, 0, _) => IntKind::Int,
                    (_, 1, _) => IntKind::Long,
                    _ => IntKind::LongLong,
                };
                TypeKind::Int(if unsigned { kind.to_unsigned() } else { kind })
            }
        };
        Ok(self.types.intern(kind))
    }

    fn struct_type(&mut self, node: &'a Node<StructType>) -> Result<Ty> {
        let is_union = node.node.kind.node == StructKind::Union;
        let tag = node.node.identifier.as_ref().map(|name| self.intern(&name.node.name));
        let known = tag.and_then(|tag| match node.node.declarations {
            // A definition makes a new type unless this very scope declared the tag.
            Some(_) => self.scopes.tag_here(tag),
            None => self.scopes.tag(tag),
        });
        let (record, ty) = match known {
            Some(Tag::Record(record, ty)) if self.types.records[record].is_union == is_union => {
                (record, ty)
            }
            Some(_) => {
                return self.error(node.span, "the tag was declared as another kind of type");
            }
            None => {
                let record = self.types.new_record(is_union, tag);
                let ty = self.types.intern(TypeKind::Record(record));
                if let Some(tag) = tag {
                    self.scopes.bind_tag(tag, Tag::Record(record, ty));
                }
                (record, ty)
            }
        };
        let Some(declarations) = &node.node.declarations else {
            return Ok(ty);
        };
        if self.types.records[record].layout.is_some() {
            return self.error(node.span, "redefinition of a struct or union");
        }
        let mut attributes = RecordAttributes::default();
        let mut fields = Vec::new();
        for declaration in declarations {
            match &declaration.node {
                StructDeclaration::Field(field) => self.struct_fields(field, &mut fields)?,
                StructDeclaration::StaticAssert(assertion) => {
                    self.struct_attribute(assertion, &mut attributes)?;
                }
            }
        }
        let last = fields.len().saturating_sub(1);
        for (index, field) in fields.iter().enumerate() {
            let flexible = matches!(self.types.kind(field.ty), TypeKind::Array(_, None));
            if !(self.types.is_complete(field.ty) || (flexible && (index == last || is_union))) {
                let ty = self.spell(field.ty);
                return self.error(node.span, format!("a member has the incomplete type '{ty}'"));
            }
        }
        self.types.define_record(record, fields, attributes);
        Ok(ty)
    }

    /// Attributes of the struct itself come from the source layer as pseudo assertions.
    fn struct_attribute(
        &mut self,
        assertion: &'a Node<StaticAssert>,
        attributes: &mut RecordAttributes,
    ) -> Result<()> {
        let message = assertion.node.message.node.concat();
        match message.trim_matches('"') {
            "ravelin:packed" => attributes.packed = true,
            "ravelin:aligned" => {
                let align = self.alignment(&assertion.node.expression)?;
                attributes.align = attributes.align.max(Some(align));
            }
            // `#pragma pack(n)`: no member is aligned to more.
            "ravelin:pack" => {
                let limit = self.alignment(&assertion.node.expression)?;
                attributes.pack = attributes.pack.min(Some(limit)).or(Some(limit));
            }
            "ravelin:transparent_union" => {}
            "ravelin:scalar_storage_order" => {
                return self.error(assertion.span, "scalar_storage_order is not supported");
            }
            "ravelin:ms_struct" => return self.error(assertion.span, "ms_struct is not supported"),
            _ => self.static_assert(assertion)?,
        }
        Ok(())
    }

    fn struct_fields(
        &mut self,
        node: &'a Node<StructField>,
        fields: &mut Vec<FieldSpec>,
    ) -> Result<()> {
        let (base, attributes) = self.specifier_qualifiers(&node.node.specifiers, node.span)?;
        if node.node.declarators.is_empty() {
            // C11 6.7.2.1p13: an anonymous struct or union; a mere tag declaration adds nothing.
            if self.types.as_record(base).is_some() {
                let align = field_align(&attributes);
                fields.push(FieldSpec { name: None, ty: base, bits: None, align });
            }
            return Ok(());
        }
        for declarator in &node.node.declarators {
            let mut attributes = attributes.clone();
            let (name, mut ty) = match &declarator.node.declarator {
                Some(inner) => {
                    let declared = self.declarator(inner, base)?;
                    attributes.merge(declared.attributes);
                    (declared.name, declared.ty)
                }
                None => (None, base),
            };
            if let Some(mode) = attributes.mode {
                ty = self.apply_mode(ty, mode);
            }
            if matches!(self.types.kind(ty), TypeKind::Function(_)) {
                return self.error(declarator.span, "a member cannot be a function");
            }
            if let Some(why) = attributes.unsupported {
                return self.error(declarator.span, format!("{why} are not supported"));
            }
            let bits = match &declarator.node.bit_width {
                Some(width) => {
                    let value = self.constant_int(width)?;
                    let limit = match self.types.kind(ty) {
                        TypeKind::Bool => 1,
                        _ => self.types.int_width(ty).unwrap_or(0),
                    };
                    match u16::try_from(value) {
                        Ok(bits) if bits <= limit => Some(bits),
                        _ => {
                            return self
                                .error(width.span, "the width of this bit-field exceeds its type");
                        }
                    }
                }
                None => None,
            };
            fields.push(FieldSpec { name, ty, bits, align: field_align(&attributes) });
        }
        Ok(())
    }

    fn enum_type(&mut self, node: &'a Node<EnumType>) -> Result<Ty> {
        let tag = node.node.identifier.as_ref().map(|name| self.intern(&name.node.name));
        if node.node.enumerators.is_empty() {
            // A use or a forward declaration (GNU C).
            return match tag.and_then(|tag| self.scopes.tag(tag)) {
                Some(Tag::Enum(ty)) => Ok(ty),
                _ => {
                    if let Some(tag) = tag {
                        self.scopes.bind_tag(tag, Tag::Enum(self.types.uint));
                    }
                    Ok(self.types.uint)
                }
            };
        }
        let (mut next, mut low, mut high) = (0i128, 0i128, 0i128);
        let mut packed = false;
        for enumerator in &node.node.enumerators {
            // The source layer moves the attributes of the enum to its first constant.
            let mut attributes = Attributes::default();
            self.attributes(&enumerator.node.extensions, &mut attributes)?;
            packed |= attributes.packed;
            if let Some(value) = &enumerator.node.expression {
                next = self.constant_int(value)?;
            }
            let name = self.intern(&enumerator.node.identifier.node.name);
            // Enumerators are ints (C11 6.7.2.2p3), wider ones a GNU extension.
            let ty = self.enumerator_type(next);
            self.scopes.bind(name, Entity::Constant { value: next, ty });
            (low, high) = (low.min(next), high.max(next));
            next += 1;
        }
        let ty = self.types.integer(enum_kind(low, high, packed));
        if let Some(tag) = tag {
            self.scopes.bind_tag(tag, Tag::Enum(ty));
        }
        Ok(ty)
    }

    fn enumerator_type(&mut self, value: i128) -> Ty {
        let kind = if i32::try_from(value).is_ok() {
            IntKind::Int
        } else if u32::try_from(value).is_ok() {
            IntKind::UInt
        } else if i64::try_from(value).is_ok() {
            IntKind::LongLong
        } else {
            IntKind::ULongLong
        };
        self.types.integer(kind)
    }

    /// Applies a declarator to the type before it: C types are written inside out, so the derived
    /// parts nearest to the name come last.
    pub fn declarator(&mut self, node: &'a Node<Declarator>, base: Ty) -> Result<Declared<'a>> {
        let mut ty = base;
        let mut attributes = Attributes::default();
        self.attributes(&node.node.extensions, &mut attributes)?;
        let mut params = None;
        // Pointers stand before the name and bind to the base first; suffixes bind right to left.
        let is_pointer = |part: &Node<DerivedDeclarator>| {
            matches!(part.node, DerivedDeclarator::Pointer(_) | DerivedDeclarator::Block(_))
        };
        for part in node.node.derived.iter().filter(|part| is_pointer(part)) {
            let DerivedDeclarator::Pointer(qualifiers) = &part.node else {
                return self.error(part.span, "blocks are not supported");
            };
            ty = self.types.pointer(ty);
            for qualifier in qualifiers {
                match &qualifier.node {
                    PointerQualifier::TypeQualifier(qualifier) => {
                        ty = self.types.qualify(ty, qualifier_of(&qualifier.node));
                    }
                    PointerQualifier::Extension(extensions) => {
                        self.attributes(extensions, &mut attributes)?;
                    }
                }
            }
        }
        for part in node.node.derived.iter().rev().filter(|part| !is_pointer(part)) {
            match &part.node {
                DerivedDeclarator::Array(array) => {
                    ty = self.array_type(ty, &array.node.size, part.span)?;
                }
                DerivedDeclarator::Function(function) => {
                    ty = self.function_type(ty, function)?;
                    params = Some(Params::Prototype(&function.node.parameters));
                }
                DerivedDeclarator::KRFunction(names) => {
                    let function = FunctionType {
                        result: ty,
                        params: Vec::new(),
                        variadic: false,
                        prototyped: false,
                    };
                    ty = self.types.function(function);
                    params = Some(Params::Names(names));
                }
                DerivedDeclarator::Pointer(_) | DerivedDeclarator::Block(_) => {}
            }
        }
        match &node.node.kind.node {
            DeclaratorKind::Abstract => Ok(Declared { name: None, ty, attributes, params }),
            DeclaratorKind::Identifier(name) => {
                let name = Some(self.intern(&name.node.name));
                Ok(Declared { name, ty, attributes, params })
            }
            DeclaratorKind::Declarator(inner) => {
                let mut declared = self.declarator(inner, ty)?;
                declared.attributes.merge(attributes);
                // `int (f)(int)`: the list outside the parentheses is the function's.
                if declared.ty == ty {
                    declared.params = declared.params.or(params);
                }
                Ok(declared)
            }
        }
    }

    fn array_type(&mut self, element: Ty, size: &'a ArraySize, span: Span) -> Result<Ty> {
        match self.types.kind(element) {
            TypeKind::Function(_) => return self.error(span, "an array cannot hold functions"),
            TypeKind::Void => return self.error(span, "an array cannot hold void"),
            _ if !self.types.is_complete(element) => {
                let ty = self.spell(element);
                return self.error(span, format!("array of elements of incomplete type '{ty}'"));
            }
            _ => {}
        }
        let size = match size {
            ArraySize::Unknown | ArraySize::VariableUnknown => {
                return Ok(self.types.array(element, None));
            }
            ArraySize::VariableExpression(size) | ArraySize::StaticExpression(size) => size,
        };
        match self.try_constant_int(size)? {
            Some(length) => match u64::try_from(length) {
                Ok(length) => {
                    let bytes = self.types.size_of(element).map(|size| size.checked_mul(length));
                    let limit = 1u64 << (self.types.data_model().pointer_bits() - 1).min(62);
                    match bytes {
                        Some(None) => self.error(span, "the array is too large"),
                        Some(Some(bytes)) if bytes >= limit => {
                            self.error(span, "the array is too large")
                        }
                        Some(Some(_)) if !matches!(self.types.kind(element), TypeKind::Vla(..)) => {
                            Ok(self.types.array(element, Some(length)))
                        }
                        _ => {
                            // An array of variable-length arrays is one too.
                            let length = self.int_value(i128::from(length), self.types.size);
                            self.vla_type(element, length)
                        }
                    }
                }
                Err(_) => self.error(size.span, "the size of this array is negative"),
            },
            // The parameters of a prototype have no values; those of a definition are declared
            // again when its body is lowered.
            None if self.scopes.in_prototype() => {
                Ok(self.types.intern(TypeKind::Vla(element, Var::reserved_value())))
            }
            None if self.scopes.at_file_scope() => {
                self.error(size.span, "the size of an array at file scope must be constant")
            }
            None => {
                let length = self.rvalue(size)?;
                if !self.types.is_integer(length.ty) {
                    return self.error(size.span, "the size of an array must be an integer");
                }
                let length = self.convert(length, self.types.size, size.span)?;
                self.vla_type(element, length)
            }
        }
    }

    fn vla_type(&mut self, element: Ty, length: super::Val) -> Result<Ty> {
        // C11 6.7.6.2p5: the size is evaluated once, when the declaration is reached.
        let var = self.temp(self.program.terms.sort(length.term), false);
        self.assign(var, length.term);
        Ok(self.types.intern(TypeKind::Vla(element, var)))
    }

    fn function_type(&mut self, result: Ty, function: &'a Node<FunctionDeclarator>) -> Result<Ty> {
        let FunctionDeclarator { parameters, ellipsis } = &function.node;
        self.scopes.enter_prototype();
        let params = self.prototype_params(parameters);
        self.scopes.leave_prototype();
        let result = self.types.unqualified(result);
        let function = FunctionType {
            result,
            params: params?,
            variadic: *ellipsis == Ellipsis::Some,
            // `()` tells nothing; lang-c gives it as an empty list, `(void)` as one of void.
            prototyped: !parameters.is_empty(),
        };
        Ok(self.types.function(function))
    }

    fn prototype_params(&mut self, list: &'a [Node<ParameterDeclaration>]) -> Result<Vec<Ty>> {
        let mut params = Vec::with_capacity(list.len());
        for node in list {
            let Some(param) = self.parameter(node, list.len())? else { break };
            // Later parameters may speak of earlier ones: `void f(int n, int a[n])`.
            if let Some(name) = param.name {
                let storage = Storage::Prototype;
                self.scopes.bind(name, Entity::Local { storage, ty: param.ty });
            }
            params.push(param.ty);
        }
        Ok(params)
    }

    /// A parameter declaration; `None` for the `void` of an empty list.
    pub fn parameter(
        &mut self,
        node: &'a Node<ParameterDeclaration>,
        list_length: usize,
    ) -> Result<Option<Param>> {
        let specifiers = self.declaration_specifiers(&node.node.specifiers, node.span)?;
        let (name, ty) = match &node.node.declarator {
            Some(declarator) => {
                let declared = self.declarator(declarator, specifiers.ty)?;
                (declared.name, declared.ty)
            }
            None => (None, specifiers.ty),
        };
        if self.types.is_void(ty) && name.is_none() && list_length == 1 {
            return Ok(None);
        }
        let ty = self.types.decayed(ty);
        Ok(Some(Param { name, ty, span: node.span }))
    }

    /// The alignment that a constant expression asks for.
    fn alignment(&mut self, value: &'a Node<Expression>) -> Result<u32> {
        match u32::try_from(self.constant_int(value)?) {
            Ok(0) => Ok(1),
            Ok(align) if align.is_power_of_two() && align <= 1 << 28 => Ok(align),
            _ => self.error(value.span, "an alignment must be a power of two"),
        }
    }

    fn attributes(
        &mut self,
        extensions: &'a [Node<Extension>],
        attributes: &mut Attributes,
    ) -> Result<()> {
        for extension in extensions {
            let Extension::Attribute(attribute) = &extension.node else { continue };
            match attribute.name.node.trim_matches('_') {
                "packed" => attributes.packed = true,
                "aligned" => {
                    // Without argument: the largest alignment of the target.
                    let align = match attribute.arguments.first() {
                        Some(value) => self.alignment(value)?,
                        None => 16,
                    };
                    attributes.align = attributes.align.max(Some(align));
                }
                "noreturn" => attributes.noreturn = true,
                "vector_size" => attributes.unsupported = Some("vector types"),
                "cleanup" => {
                    if let Some(Node { node: Expression::Identifier(function), .. }) =
                        attribute.arguments.first()
                    {
                        attributes.cleanup = Some(self.intern(&function.node.name));
                    }
                }
                "constructor" => attributes.constructor = true,
                "destructor" => attributes.destructor = true,
                "alias" => {
                    if let Some(Node { node: Expression::StringLiteral(target), .. }) =
                        attribute.arguments.first()
                    {
                        let target = target.node.concat();
                        attributes.alias = Some(self.intern(target.trim_matches('"')));
                    }
                }
                "mode" => {
                    if let Some(Node { node: Expression::Identifier(mode), .. }) =
                        attribute.arguments.first()
                    {
                        attributes.mode = match mode.node.name.trim_matches('_') {
                            "QI" | "byte" => Some(8),
                            "HI" => Some(16),
                            "SI" => Some(32),
                            "DI" => Some(64),
                            "TI" => Some(128),
                            "word" | "pointer" => Some(self.types.data_model().pointer_bits()),
                            _ => None,
                        };
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Binds a typedef; its attributes belong to the type.
    pub fn bind_typedef(&mut self, name: Symbol, ty: Ty, attributes: &Attributes) {
        // A vector type may be named, as system headers do; an object of it cannot be declared.
        let ty = match attributes.unsupported {
            Some(_) => {
                let record = self.types.new_record(false, Some(name));
                self.types.intern(TypeKind::Record(record))
            }
            None => ty,
        };
        let ty = match attributes.align {
            Some(align) => self.types.qualify(ty, Qualifiers::aligned(align)),
            None => ty,
        };
        self.scopes.bind(name, Entity::Typedef(ty));
    }

    /// `typedef int T __attribute__((mode(DI)))`: the integer of that width and the same signedness.
    pub fn apply_mode(&mut self, ty: Ty, width: u16) -> Ty {
        let TypeKind::Int(kind) = *self.types.kind(ty) else { return ty };
        let sized = match width {
            8 => IntKind::SChar,
            16 => IntKind::Short,
            32 => IntKind::Int,
            64 if self.types.data_model().pointer_bits() == 64 => IntKind::Long,
            64 => IntKind::LongLong,
            _ => IntKind::Int128,
        };
        let sized = if kind.is_signed() { sized } else { sized.to_unsigned() };
        let qualifiers = self.types.qualifiers(ty);
        let ty = self.types.integer(sized);
        self.types.qualify(ty, qualifiers)
    }

    pub fn static_assert(&mut self, assertion: &'a Node<StaticAssert>) -> Result<()> {
        if self.constant_int(&assertion.node.expression)? == 0 {
            let message = assertion.node.message.node.concat();
            return self.error(assertion.span, format!("static assertion failed: {message}"));
        }
        Ok(())
    }
}

impl Attributes {
    pub fn merge(&mut self, other: Attributes) {
        self.align = self.align.max(other.align);
        self.packed |= other.packed;
        self.noreturn |= other.noreturn;
        self.unsupported = self.unsupported.or(other.unsupported);
        self.mode = self.mode.or(other.mode);
        self.cleanup = self.cleanup.or(other.cleanup);
        self.alias = self.alias.or(other.alias);
        self.constructor |= other.constructor;
        self.destructor |= other.destructor;
    }
}

fn field_align(attributes: &Attributes) -> Option<FieldAlign> {
    match attributes.align {
        Some(align) => Some(FieldAlign::AtLeast(align)),
        None if attributes.packed => Some(FieldAlign::Packed),
        None => None,
    }
}

/// gcc takes unsigned int unless a value is negative or too big for it; if packed, the smallest type
/// that holds all values.
fn enum_kind(low: i128, high: i128, packed: bool) -> IntKind {
    let small = [IntKind::UChar, IntKind::SChar, IntKind::UShort, IntKind::Short];
    let usual = [IntKind::UInt, IntKind::Int, IntKind::ULongLong];
    let candidates = small.into_iter().filter(|_| packed).chain(usual);
    let holds = |kind: &IntKind| {
        // None of these depends on the data model.
        let bits = u32::from(kind.width(DataModel::Lp64));
        let (least, greatest) = match kind.is_signed() {
            true => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
            false => (0, (1i128 << bits) - 1),
        };
        least <= low && high <= greatest
    };
    candidates.into_iter().find(holds).unwrap_or(IntKind::LongLong)
}

fn qualifier_of(qualifier: &TypeQualifier) -> Qualifiers {
    match qualifier {
        TypeQualifier::Volatile => Qualifiers::VOLATILE,
        TypeQualifier::Atomic => Qualifiers::ATOMIC,
        TypeQualifier::Const => Qualifiers::CONST,
        TypeQualifier::Restrict
        | TypeQualifier::Nonnull
        | TypeQualifier::NullUnspecified
        | TypeQualifier::Nullable => Qualifiers::NONE,
    }
}

/// The source layer writes `__auto_type` as `__typeof__(__ravelin_auto)`.
fn is_auto_type(specifier: &TypeSpecifier) -> bool {
    is_type_of(specifier, "__ravelin_auto")
}

/// A declaration by which the source layer tells the parser that a parameter hides a type.
pub(crate) fn only_hides_type(declaration: &Declaration) -> bool {
    declaration.specifiers.iter().any(|specifier| {
        matches!(&specifier.node, DeclarationSpecifier::TypeSpecifier(specifier)
            if is_type_of(&specifier.node, "__ravelin_parameter"))
    })
}

fn is_type_of(specifier: &TypeSpecifier, mark: &str) -> bool {
    let TypeSpecifier::TypeOf(inner) = specifier else { return false };
    let TypeOf::Expression(expression) = &inner.node else { return false };
    matches!(&expression.node, Expression::Identifier(name) if name.node.name == mark)
}
