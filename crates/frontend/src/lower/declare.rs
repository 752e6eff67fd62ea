//! Declaration specifiers and declarators to types (C11 6.7).

use lang_c::ast::{
    AlignmentSpecifier, ArraySize, BinaryOperator, Declaration, DeclarationSpecifier, Declarator,
    DeclaratorKind, DerivedDeclarator, Ellipsis, Expression, FunctionDeclarator, FunctionSpecifier,
    ParameterDeclaration, PointerQualifier, SpecifierQualifier, StaticAssert,
    StorageClassSpecifier, TS18661FloatFormat, TypeName, TypeOf, TypeQualifier, TypeSpecifier,
};
use lang_c::span::{Node, Span};
use ravelin_base::{ReservedValue, Symbol};
use ravelin_cfa::Var;
use ravelin_term::FloatKind;

use super::attribute::Attributes;
use super::scope::{Entity, Storage};
use super::{Lowerer, Result};
use crate::types::{FunctionType, IntKind, Qualifiers, Ty, TypeKind};

/// The declaration specifiers before the declarators.
#[derive(Clone, Debug)]
pub(crate) struct Specifiers {
    pub ty: Ty,
    pub storage: Option<StorageClassSpecifier>,
    pub thread_local: bool,
    pub attributes: Attributes,
    /// `__auto_type`: the type is the initialiser's.
    pub auto_type: bool,
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

    pub fn specifier_qualifiers(
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
        let (mut base, mut attributes) =
            self.specifier_qualifiers(&name.node.specifiers, name.span)?;
        if let Some(align) = attributes.type_align {
            base = self.types.qualify(base, Qualifiers::aligned(align));
        }
        let ty = match &name.node.declarator {
            Some(declarator) => self.declarator(declarator, base)?.ty,
            None => base,
        };
        Ok(self.apply_mode_of(&mut attributes, ty))
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
            // GNU C: `_Complex` alone is `_Complex double`.
            let is_alone = !(basic.char || basic.short || basic.int || basic.float || basic.int128)
                && basic.long == 0
                && !(basic.signed || basic.unsigned);
            let double = basic.double || is_alone;
            let element = self.basic_type(Basic { complex: false, double, ..basic }, span)?;
            return match self.types.is_arithmetic(element) {
                true => Ok(self.types.complex(element)),
                false => self.error(span, "'_Complex' needs an arithmetic type"),
            };
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
                        let mut own = Attributes::default();
                        self.attributes(extensions, &mut own)?;
                        // These two belong to the pointer; others are passed on to the declared
                        // name.
                        if let Some(align) = own.type_align.take() {
                            ty = self.types.qualify(ty, Qualifiers::aligned(align));
                        }
                        attributes.merge(Attributes { align: None, packed: false, ..own });
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
                    let function = FunctionType::without_prototype(ty);
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
            // `()` gives no parameters; lang-c represents it as an empty list, and `(void)` as a
            // list with void.
            prototyped: !parameters.is_empty(),
        };
        Ok(self.types.function(function))
    }

    fn prototype_params(&mut self, list: &'a [Node<ParameterDeclaration>]) -> Result<Vec<Ty>> {
        let mut params = Vec::with_capacity(list.len());
        for node in list {
            let Some(param) = self.parameter(node, list.len())? else { break };
            // Later parameters may use earlier ones: `void f(int n, int a[n])`.
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
        let mut specifiers = self.declaration_specifiers(&node.node.specifiers, node.span)?;
        let (name, ty) = match &node.node.declarator {
            Some(declarator) => {
                let declared = self.declarator(declarator, specifiers.ty)?;
                specifiers.attributes.merge(declared.attributes);
                let ty = self.apply_mode_of(&mut specifiers.attributes, declared.ty);
                (declared.name, ty)
            }
            None => (None, specifiers.ty),
        };
        if self.types.is_void(ty) && name.is_none() && list_length == 1 {
            return Ok(None);
        }
        let ty = self.types.decayed(ty);
        Ok(Some(Param { name, ty, span: node.span }))
    }

    pub fn static_assert(&mut self, assertion: &'a Node<StaticAssert>) -> Result<()> {
        if self.constant_int(&assertion.node.expression)? == 0 {
            let message = assertion.node.message.node.concat();
            return self.error(assertion.span, format!("static assertion failed: {message}"));
        }
        Ok(())
    }
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

/// Whether a type name is `__typeof(MARK)`, which the source layer writes.
pub(super) fn is_type_of_mark(name: &TypeName, mark: &str) -> bool {
    name.specifiers.iter().any(|specifier| {
        matches!(&specifier.node, SpecifierQualifier::TypeSpecifier(specifier)
            if is_type_of(&specifier.node, mark))
    })
}

fn is_type_of(specifier: &TypeSpecifier, mark: &str) -> bool {
    let TypeSpecifier::TypeOf(inner) = specifier else { return false };
    let TypeOf::Expression(expression) = &inner.node else { return false };
    matches!(&expression.node, Expression::Identifier(name) if name.node.name == mark)
}
