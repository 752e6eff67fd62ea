//! The abstract syntax of generated programs.
//!
//! A program means nothing undefined *by construction*: nodes that could go wrong in C (division,
//! shift, indexing, conversion from floating types) carry no guard of their own; the printer adds
//! the guard, computed from the operand's types. Thus a subterm may be replaced by any other of a
//! fitting type without losing definedness, which is what the shrinker does. What types cannot
//! say (sequencing, scopes, jumps, lifetimes) is checked by [`crate::validate`].

use crate::types::{EnumId, FloatKind, IntKind, RecordId, SignatureId, Type};
use ravelin_base::{DataModel, PrimaryMap, entities};

entities! {
    /// A variable of the program: global, parameter or local.
    pub struct VarId("var");

    /// A function of the program other than `main`.
    pub struct FunctionId("function");

    /// A label of a function.
    pub struct LabelId("label");
}

/// A whole program for one data model.
#[derive(Clone, Debug)]
pub struct Program {
    pub model: DataModel,
    pub enums: PrimaryMap<EnumId, EnumDef>,
    pub records: PrimaryMap<RecordId, RecordDef>,
    pub signatures: PrimaryMap<SignatureId, Signature>,
    /// Every variable there is; those that no declaration mentions are not printed.
    pub vars: PrimaryMap<VarId, Var>,
    /// Globals in the order of their definition; an initialiser refers to earlier ones only.
    pub globals: Vec<(VarId, Init)>,
    pub functions: PrimaryMap<FunctionId, Function>,
    pub labels: u32,
    pub main: Block,
}

/// `enum e { … }`: the values of its enumerators, all of which fit `int`.
#[derive(Clone, Debug)]
pub struct EnumDef {
    pub values: Vec<i32>,
}

/// What kind of record a definition makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordKind {
    Struct,
    Packed,
    /// Its first member covers every byte, holds an integer and has no padding.
    Union,
    /// A list node: one integer field, then the link to the next node.
    Node,
}

#[derive(Clone, Debug)]
pub struct RecordDef {
    pub kind: RecordKind,
    pub fields: Vec<Field>,
}

#[derive(Clone, Debug)]
pub struct Field {
    pub ty: Type,
    /// The width of a bit-field.
    pub width: Option<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    pub result: Type,
    pub params: Vec<Type>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    Global,
    StaticLocal,
    Param,
    Local,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Qualifier {
    None,
    Const,
    Volatile,
    Register,
}

#[derive(Clone, Debug)]
pub struct Var {
    pub ty: Type,
    pub storage: Storage,
    pub qualifier: Qualifier,
    /// How deep the block is that ends the lifetime: 0 for static storage, 1 for parameters.
    pub level: u32,
    /// Whether the address may be taken. Other variables are reached by name only.
    pub addressable: bool,
    /// Whether statements other than the one that declares it may change it.
    pub writable: bool,
    /// When set, the value is always in `0..limit`: a loop counter.
    pub limit: Option<u32>,
}

impl Var {
    /// Whether a called function may see the variable without being given its address.
    pub fn is_shared(&self) -> bool {
        match self.storage {
            Storage::Global | Storage::StaticLocal => true,
            Storage::Param | Storage::Local => false,
        }
    }
}

/// How a function comes to call itself.
#[derive(Clone, Debug)]
pub struct Recursion {
    /// Functions with the same number may call each other, with one less depth each.
    pub group: u32,
    /// What is returned at depth zero.
    pub base: Expr,
}

#[derive(Clone, Debug)]
pub struct Function {
    pub result: Option<Type>,
    pub params: Vec<VarId>,
    /// The function type it has, if function pointers may point to it.
    pub signature: Option<SignatureId>,
    pub recursion: Option<Recursion>,
    /// Neither reads nor writes anything but its parameters and locals.
    pub pure: bool,
    /// Steps one call takes at most, roughly.
    pub cost: u64,
    /// `None` once the shrinker has removed the function.
    pub body: Option<Block>,
}

pub type Block = Vec<Stmt>;

#[derive(Clone, Debug)]
pub enum Init {
    Expr(Expr),
    /// `{0}`: only for types without pointers.
    Zero,
    /// A character array from a string literal.
    Str(Vec<u8>),
    List(Vec<InitItem>),
    /// A variable length array: the length is the type's, plus a few more; then every element is
    /// set to the second expression.
    Vla(Expr, Expr),
}

#[derive(Clone, Debug)]
pub struct InitItem {
    pub designator: Designator,
    pub init: Init,
}

/// Where an initialiser goes. `Next` is used only when that is where the item belongs anyway.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Designator {
    Next,
    Field(u32),
    Element(u32),
    Range(u32, u32),
}

/// How an integer literal is spelt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    Decimal,
    Hex,
    Octal,
    Binary,
    Character,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    Plus,
    Minus,
    Complement,
    Not,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
    And,
    Xor,
    Or,
}

impl BinaryOp {
    pub fn is_shift(self) -> bool {
        matches!(self, BinaryOp::Shl | BinaryOp::Shr)
    }

    pub fn is_division(self) -> bool {
        matches!(self, BinaryOp::Div | BinaryOp::Rem)
    }

    pub fn is_comparison(self) -> bool {
        matches!(
            self,
            BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne
        )
    }
}

/// How an integer division is kept from trapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// A helper function that looks at both operands. Not possible in compound assignments and
    /// constant expressions, which use `Small` instead.
    Helper,
    /// `(e & 127) + 1`
    Small,
    /// `-((e & 63) + 2)`
    Negative,
    /// `e | 1`, for unsigned divisors
    Odd,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogicOp {
    And,
    Or,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepOp {
    PreIncrement,
    PreDecrement,
    PostIncrement,
    PostDecrement,
}

/// gcc's builtin functions of one integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builtin {
    Popcount,
    PopcountLl,
    Clz,
    ClzLl,
    Ctz,
    CtzLl,
    Ffs,
    Parity,
    Bswap16,
    Bswap32,
    Bswap64,
    Expect,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverflowOp {
    Add,
    Sub,
    Mul,
}

/// What a pointer is cast to on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointerDetour {
    Void,
    Bytes,
    Integer,
}

/// What is asked about two elements of one array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElementQuery {
    Difference,
    Less,
    GreaterOrEqual,
    Same,
}

#[derive(Clone, Debug)]
pub enum Callee {
    Direct(FunctionId),
    /// Through a function pointer; written with `*` or without.
    Pointer {
        place: Place,
        starred: bool,
    },
}

#[derive(Clone, Debug)]
pub enum Expr {
    Int {
        kind: IntKind,
        value: i128,
        spelling: Spelling,
    },
    Float {
        kind: FloatKind,
        value: f64,
    },
    Enumerator(EnumId, u32),
    Load(Place),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Guard, Box<Expr>, Box<Expr>),
    Logic(LogicOp, Box<Expr>, Box<Expr>),
    /// `a ? b : c`, or gcc's `a ?: c`.
    Cond(Box<Expr>, Option<Box<Expr>>, Box<Expr>),
    Comma(Box<Expr>, Box<Expr>),
    /// A cast to an arithmetic type, never from floating to integer.
    Cast(Type, Box<Expr>),
    /// A floating value as an integer; a fixed value when it is out of range.
    Truncate(IntKind, Box<Expr>),
    Assign(Place, Box<Expr>),
    Compound(BinaryOp, Guard, Place, Box<Expr>),
    Step(StepOp, Place),
    /// The number is the depth of recursion allowed, when the callee is recursive and the caller
    /// not in its group.
    Call(Callee, Vec<Expr>, u32),
    AddressOf(Place),
    /// An array as a pointer to its first element.
    Decay(Place),
    Detour(PointerDetour, Box<Expr>),
    /// `==` (true) or `!=` on two pointers to the same type.
    SamePointer(bool, Box<Expr>, Box<Expr>),
    Elements(ElementQuery, Place, Box<Expr>, Box<Expr>),
    /// gcc's statement expression.
    Block(Block, Box<Expr>),
    SizeOfType(Type),
    /// `sizeof` of the promoted operand, which is not evaluated.
    SizeOfExpr(Box<Expr>),
    OffsetOf(RecordId, u32),
    /// A number for the promoted operand's type, by `_Generic`.
    TypeTag(Box<Expr>),
    Builtin(Builtin, Box<Expr>),
    Overflow(OverflowOp, Box<Expr>, Box<Expr>, Place),
    /// A struct or union as a compound literal.
    Literal(Type, Box<Init>),
    /// `strlen` of a character array whose last element is set to 0 before.
    StrLen(Place),
    /// The sign of `strcmp` of two literals, or of `strncmp` with the given length.
    CompareStr(Vec<u8>, Vec<u8>, Option<u32>),
    /// The sign of `memcmp` over two integer arrays.
    CompareMem(Place, Place),
    /// The sum over arguments of all kinds by a variadic function.
    Variadic(Vec<Expr>),
    Function(FunctionId),
}

impl Expr {
    pub fn int(value: i32) -> Expr {
        Expr::Int { kind: IntKind::Int, value: i128::from(value), spelling: Spelling::Decimal }
    }
}

#[derive(Clone, Debug)]
pub enum Place {
    Var(VarId),
    Field(Box<Place>, u32),
    /// An array's element; the index is brought into bounds.
    Index(Box<Place>, Box<Expr>),
    Deref(Box<Expr>),
    /// An element behind a pointer; the index is brought into bounds. Written `p[i]` (false) or
    /// `*(p + i)`.
    Element(Box<Expr>, Box<Expr>, bool),
    /// A byte of an integer's (or integer array's) representation.
    Byte(Box<Place>, Box<Expr>),
    /// The first bytes of an integer (or integer array) as an integer of another type, not wider.
    View(Box<Place>, IntKind),
    /// A compound literal with automatic storage.
    Literal(Type, Box<Init>),
    /// A character of a string literal.
    Char(Vec<u8>, Box<Expr>),
    /// The struct or union that an expression yields, to read a member of.
    Temporary(Box<Expr>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopStyle {
    For,
    Down,
    While,
    Do,
    Goto,
    Forever,
}

#[derive(Clone, Debug)]
pub struct Case {
    /// Values and ranges; empty for `default`.
    pub labels: Vec<(i32, i32)>,
    pub body: Block,
    pub falls_through: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allocation {
    Malloc,
    Calloc,
    Realloc,
    Alloca,
}

#[derive(Clone, Debug)]
pub enum Stmt {
    Declare(VarId, Init),
    Expr(Expr),
    /// Feeds an arithmetic value to the checksum.
    Mix(Expr),
    /// Prints an integer.
    Print(Expr),
    /// Feeds every arithmetic leaf of an object to the checksum.
    Observe(Place),
    If(Expr, Block, Block),
    Loop {
        style: LoopStyle,
        counter: VarId,
        bound: u32,
        guard: Option<Expr>,
        body: Block,
    },
    Switch(Expr, Vec<Case>),
    /// A `switch` into the middle of a loop, as Tom Duff wrote it.
    Duff {
        selector: Expr,
        counter: VarId,
        rounds: u32,
        parts: Vec<Block>,
    },
    Break,
    Continue,
    Return(Option<Expr>),
    /// A jump to the end of the enclosing region of that label.
    Goto(LabelId),
    Region(LabelId, Block),
    Block(Block),
    /// A pointer that runs over an array's elements.
    Walk {
        cursor: VarId,
        array: Place,
        backwards: bool,
        body: Block,
    },
    /// Dynamic memory that lives while the body runs.
    Heap {
        var: VarId,
        fill: Expr,
        method: Allocation,
        body: Block,
    },
    /// A linked list that is built, walked (perhaps reversed before) and freed.
    List {
        head: VarId,
        index: VarId,
        node: VarId,
        count: u32,
        value: Expr,
        reversed: bool,
        body: Block,
    },
    /// `memset` on an integer array.
    Fill(Place, Expr),
    /// `memcpy` (false) or `memmove` from the second to the first integer array.
    Copy(Place, Place, bool),
    /// `memmove` inside one integer array, by one element up (false) or down.
    Shift(Place, bool),
    /// Sets a record without pointers to zero with `memset`.
    Clear(Place),
}
