//! The kinds of tokens that the rewriting distinguishes, and the table of keywords.

/// A token of the source text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub start: u32,
    pub end: u32,
    /// For a bracket, the index of the bracket it matches.
    pub mate: u32,
    pub kind: Kind,
}

impl Token {
    pub fn text(self, source: &[u8]) -> &[u8] {
        &source[self.start as usize..self.end as usize]
    }
}

/// The kind of a token, as far as the rewriting and the limits need it. Tokens named "odd" must be
/// respelled, because the parser rejects them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Ident,
    /// An identifier with `$`, with characters beyond ASCII, or of Ravelin's own name space.
    OddIdent,
    Number,
    OddNumber,
    /// A string literal or character constant.
    Literal,
    OddLiteral,

    LParen,
    RParen,
    LBracket,
    RBracket,
    LBrace,
    RBrace,
    Semi,
    Comma,
    Colon,
    Question,
    Dot,
    Arrow,
    Ellipsis,
    /// `++` and `--`.
    Step,
    Star,
    Amp,
    AmpAmp,
    /// `+` and `-`, which are prefix and infix.
    Sign,
    /// `!` and `~`.
    Not,
    Assign,
    /// The operators that are infix only.
    Infix,

    If,
    Else,
    For,
    While,
    Do,
    Switch,
    Case,
    Default,
    Goto,
    /// `return`, `break` and `continue`.
    Jump,

    Typedef,
    /// Storage classes other than `typedef`, and function specifiers.
    Storage,
    Qualifier,
    /// `volatile` in all spellings, which is also a qualifier of `asm`.
    Volatile,
    /// `inline` in all spellings, also a qualifier of `asm`.
    Inline,
    /// A keyword that names a type.
    Type,
    Struct,
    Union,
    Enum,
    Atomic,
    Alignas,
    Typeof,

    Sizeof,
    Alignof,
    Generic,
    StaticAssert,
    TypesCompatible,
    Extension,
    Attribute,
    Asm,
    LocalLabel,
    Pragma,

    /// `__const__`, which is respelled.
    ConstVariant,
    Thread,
    Int128,
    Int128Typedef,
    Uint128Typedef,
    Float128,
    Float80,
    Decimal128,
    AutoType,
    /// `__real__` and `__imag__`, which are prefix operators.
    RealPart,
    ImaginaryPart,
    /// Types that CBMC predefines.
    SizeTypedef,
    SignedSizeTypedef,
    BoolTypedef,

    /// A name that gcc predefines as a macro in its default mode without underscores around it.
    PredefinedMacro,

    /// The end of the text.
    End,
}

impl Kind {
    /// Whether a token of this kind is an identifier.
    pub fn is_ident(self) -> bool {
        matches!(self, Kind::Ident | Kind::OddIdent)
    }

    /// Whether an expression may end with such a token, so that an infix operator may follow.
    pub fn ends_operand(self) -> bool {
        matches!(
            self,
            Kind::Ident
                | Kind::OddIdent
                | Kind::Number
                | Kind::OddNumber
                | Kind::Literal
                | Kind::OddLiteral
                | Kind::RParen
                | Kind::RBracket
                | Kind::RBrace
                | Kind::Step
        )
    }

    /// Whether the keyword may stand before the type in a declaration, and is no type itself.
    pub fn modifies_declaration(self) -> bool {
        matches!(
            self,
            Kind::Storage
                | Kind::Thread
                | Kind::Inline
                | Kind::Qualifier
                | Kind::Volatile
                | Kind::ConstVariant
        )
    }

    /// Whether the keyword is a type specifier or begins one.
    pub fn begins_type(self) -> bool {
        matches!(
            self,
            Kind::Type
                | Kind::Struct
                | Kind::Union
                | Kind::Enum
                | Kind::Atomic
                | Kind::Typeof
                | Kind::Int128
                | Kind::Int128Typedef
                | Kind::Uint128Typedef
                | Kind::Float128
                | Kind::Float80
                | Kind::Decimal128
                | Kind::AutoType
                | Kind::SizeTypedef
                | Kind::SignedSizeTypedef
                | Kind::BoolTypedef
        )
    }

    /// Whether the keyword can only stand at the beginning of a declaration.
    pub fn begins_declaration(self) -> bool {
        self.begins_type()
            || self.modifies_declaration()
            || matches!(self, Kind::Typedef | Kind::Alignas | Kind::StaticAssert)
    }
}

/// The kind of the identifier-like `text`.
pub(super) fn classify_word(text: &[u8]) -> Kind {
    if text.len() > LONGEST_KEYWORD {
        return Kind::Ident;
    }
    let mut slot = hash(text);
    loop {
        let Some((keyword, kind)) = KEYWORDS.get(TABLE[slot] as usize) else { return Kind::Ident };
        if keyword.as_bytes() == text {
            return *kind;
        }
        slot = (slot + 1) % TABLE_SIZE;
    }
}

const TABLE_SIZE: usize = 1024;
const FREE: u8 = u8::MAX;

/// A hash table of all keywords with linear probing, as every name of the program is looked up.
static TABLE: [u8; TABLE_SIZE] = {
    let mut table = [FREE; TABLE_SIZE];
    let mut index = 0;
    while index < KEYWORDS.len() {
        let mut slot = hash(KEYWORDS[index].0.as_bytes());
        while table[slot] != FREE {
            slot = (slot + 1) % TABLE_SIZE;
        }
        table[slot] = index as u8;
        index += 1;
    }
    table
};

const LONGEST_KEYWORD: usize = {
    let mut longest = 0;
    let mut index = 0;
    while index < KEYWORDS.len() {
        if KEYWORDS[index].0.len() > longest {
            longest = KEYWORDS[index].0.len();
        }
        index += 1;
    }
    longest
};

const fn hash(text: &[u8]) -> usize {
    let length = text.len();
    let (first, middle, last) = (text[0], text[length / 2], text[length - 1]);
    let third = text[if length > 2 { 2 } else { 0 }];
    (length * 43
        + first as usize * 181
        + middle as usize * 331
        + last as usize * 97
        + third as usize * 541)
        % TABLE_SIZE
}

const KEYWORDS: &[(&str, Kind)] = &[
    ("if", Kind::If),
    ("else", Kind::Else),
    ("for", Kind::For),
    ("while", Kind::While),
    ("do", Kind::Do),
    ("switch", Kind::Switch),
    ("case", Kind::Case),
    ("default", Kind::Default),
    ("goto", Kind::Goto),
    ("return", Kind::Jump),
    ("break", Kind::Jump),
    ("continue", Kind::Jump),
    ("typedef", Kind::Typedef),
    ("extern", Kind::Storage),
    ("static", Kind::Storage),
    ("auto", Kind::Storage),
    ("register", Kind::Storage),
    ("_Thread_local", Kind::Storage),
    ("_Noreturn", Kind::Storage),
    ("inline", Kind::Inline),
    ("__inline", Kind::Inline),
    ("__inline__", Kind::Inline),
    ("const", Kind::Qualifier),
    ("__const", Kind::Qualifier),
    ("__const__", Kind::ConstVariant),
    ("restrict", Kind::Qualifier),
    ("__restrict", Kind::Qualifier),
    ("__restrict__", Kind::Qualifier),
    ("volatile", Kind::Volatile),
    ("__volatile", Kind::Volatile),
    ("__volatile__", Kind::Volatile),
    ("_Atomic", Kind::Atomic),
    ("void", Kind::Type),
    ("char", Kind::Type),
    ("short", Kind::Type),
    ("int", Kind::Type),
    ("long", Kind::Type),
    ("float", Kind::Type),
    ("double", Kind::Type),
    ("signed", Kind::Type),
    ("__signed", Kind::Type),
    ("__signed__", Kind::Type),
    ("unsigned", Kind::Type),
    ("_Bool", Kind::Type),
    ("_Complex", Kind::Type),
    ("__complex", Kind::Type),
    ("__complex__", Kind::Type),
    ("_Float16", Kind::Type),
    ("_Float32", Kind::Type),
    ("_Float32x", Kind::Type),
    ("_Float64", Kind::Type),
    ("_Float64x", Kind::Type),
    ("_Float128", Kind::Type),
    ("_Decimal32", Kind::Type),
    ("_Decimal64", Kind::Type),
    ("_Decimal128", Kind::Decimal128),
    ("__builtin_va_list", Kind::Type),
    ("__int128", Kind::Int128),
    ("__int128_t", Kind::Int128Typedef),
    ("__uint128_t", Kind::Uint128Typedef),
    ("__float128", Kind::Float128),
    ("__float80", Kind::Float80),
    ("__auto_type", Kind::AutoType),
    ("__CPROVER_size_t", Kind::SizeTypedef),
    ("__CPROVER_ssize_t", Kind::SignedSizeTypedef),
    ("__CPROVER_bool", Kind::BoolTypedef),
    ("__CPROVER_thread_local", Kind::Thread),
    ("__thread", Kind::Thread),
    ("struct", Kind::Struct),
    ("union", Kind::Union),
    ("enum", Kind::Enum),
    ("typeof", Kind::Typeof),
    ("__typeof", Kind::Typeof),
    ("__typeof__", Kind::Typeof),
    ("_Alignas", Kind::Alignas),
    ("sizeof", Kind::Sizeof),
    ("_Alignof", Kind::Alignof),
    ("__alignof", Kind::Alignof),
    ("__alignof__", Kind::Alignof),
    ("_Generic", Kind::Generic),
    ("_Static_assert", Kind::StaticAssert),
    ("__builtin_types_compatible_p", Kind::TypesCompatible),
    ("__extension__", Kind::Extension),
    ("__attribute", Kind::Attribute),
    ("__attribute__", Kind::Attribute),
    ("asm", Kind::Asm),
    ("__asm", Kind::Asm),
    ("__asm__", Kind::Asm),
    ("__label__", Kind::LocalLabel),
    ("_Pragma", Kind::Pragma),
    ("__pragma", Kind::Pragma),
    // These look like predefined macros, and are none.
    ("__func__", Kind::Ident),
    ("__FUNCTION__", Kind::Ident),
    ("__PRETTY_FUNCTION__", Kind::Ident),
    ("__real__", Kind::RealPart),
    ("__real", Kind::RealPart),
    ("__imag", Kind::ImaginaryPart),
    ("__imag__", Kind::ImaginaryPart),
    ("i386", Kind::PredefinedMacro),
    ("__i386", Kind::PredefinedMacro),
    ("__i686", Kind::PredefinedMacro),
    ("linux", Kind::PredefinedMacro),
    ("__linux", Kind::PredefinedMacro),
    ("unix", Kind::PredefinedMacro),
    ("__unix", Kind::PredefinedMacro),
    ("__x86_64", Kind::PredefinedMacro),
    ("__amd64", Kind::PredefinedMacro),
    ("__k8", Kind::PredefinedMacro),
    ("_LP64", Kind::PredefinedMacro),
    ("_ILP32", Kind::PredefinedMacro),
    ("__INT8_C", Kind::PredefinedMacro),
    ("__INT16_C", Kind::PredefinedMacro),
    ("__INT32_C", Kind::PredefinedMacro),
    ("__INT64_C", Kind::PredefinedMacro),
    ("__INTMAX_C", Kind::PredefinedMacro),
    ("__UINT8_C", Kind::PredefinedMacro),
    ("__UINT16_C", Kind::PredefinedMacro),
    ("__UINT32_C", Kind::PredefinedMacro),
    ("__UINT64_C", Kind::PredefinedMacro),
    ("__UINTMAX_C", Kind::PredefinedMacro),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_every_keyword_and_nothing_else() {
        for (keyword, kind) in KEYWORDS {
            assert_eq!(classify_word(keyword.as_bytes()), *kind, "{keyword}");
        }
        for word in
            ["x", "iff", "i", "main", "structs", "__attribute___", "__ravelin_label_address"]
        {
            assert_eq!(classify_word(word.as_bytes()), Kind::Ident, "{word}");
        }
        assert!(KEYWORDS.len() < FREE as usize);
    }
}
