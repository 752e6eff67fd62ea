//! Rewrites source text into text that the parser accepts, token by token.
//!
//! lang-c parses C11 with some of GNU's extensions. The rest is brought into that form here, and
//! the lowering knows what the rewritten forms stand for:
//!
//! | source | becomes |
//! |---|---|
//! | comments, directives, `__extension__`, C23 attributes, most GNU attributes | nothing |
//! | `a ?: b` | `a ? __ravelin_omitted : b` |
//! | `goto *e;` | `__ravelin_goto_computed(e);` |
//! | `&&label` | `__ravelin_label_address(label)` |
//! | a label that `__label__` declares in its block | `__ravelin_labelN_NAME`, everywhere in the block |
//! | `(T){}` | `(T){__ravelin_empty}` |
//! | `a ==> b`, `__CPROVER_forall { … }` | `!(a)||(b)`, a statement expression |
//! | `__CPROVER_size_t`, `__CPROVER_ssize_t`, `__CPROVER_bool` | what CBMC takes them for |
//! | `__int128` | `_Decimal128` (and the true `_Decimal128` becomes `_Decimal128x`) |
//! | `__real__ e`, `__imag__ e` | `*(__typeof(__ravelin_real))e`, `*(__typeof(__ravelin_imag))e` |
//! | `__auto_type` | `__typeof(__ravelin_auto)` |
//! | `__builtin_types_compatible_p(A, B)` | `__ravelin_types_compatible(sizeof(A), sizeof(B))` |
//! | `_Alignof e` | `_Alignof(__typeof(e))` |
//! | `_Alignas(E)` before a member | `__attribute__((aligned((E))))` |
//! | `__alignof__ e` | `__ravelin_alignof(sizeof e)` |
//! | attributes and `#pragma pack` of a struct or union | first members `_Static_assert(E, "ravelin:NAME");` |
//! | `T : N __attribute__((...))` as a member | `T __ravelin_unnamed : N __attribute__((...))` |
//! | `enum { A } __attribute__((packed))` | `enum { A __attribute__((packed)) }` |
//! | `asm goto (...)` | `__asm__("goto")` |
//! | `f(x) {}` | `int f(x) {}` |
//! | a parameter `T` of a function, where `T` names a type | the body begins with `__typeof(__ravelin_parameter) T;` |

mod quantifiers;
mod records;

use std::borrow::Cow;
use std::ops::Range;

use ravelin_base::source::OffsetMap;

use super::attribute::Attribute;
use super::declaration::{
    Tokens, TypeNames, collect_typedef, name_without_type, parameters_named_as_types,
};
use super::escape::{respell_ident, respell_literal, respell_number};
use super::lex::{Lexed, Malformed};
use super::output::Output;
use super::token::{Kind, Token};

/// A text that the parser accepts, and the map to the source.
#[derive(Debug)]
pub(super) struct Normalised {
    pub text: String,
    pub map: OffsetMap,
}

/// Rewrites a text.
pub(super) fn normalise(source: &[u8], lexed: &Lexed) -> Result<Normalised, Malformed> {
    let mut rewriter = Rewriter {
        tokens: Tokens { source, list: &lexed.tokens },
        packs: &lexed.packs,
        out: Output::new(source),
        type_names: TypeNames::default(),
        depth: 0,
        at_start: true,
        declaration: 0,
        initialised: false,
        label_colon: usize::MAX,
        bodies: Vec::new(),
        pending: Vec::new(),
        quantifier_ends: Vec::new(),
        bounded: Vec::new(),
        attributes: Vec::new(),
        local_labels: Vec::new(),
        labels_made: 0,
    };
    rewriter.plan_quantifiers();
    rewriter.rewrite(0..lexed.tokens.len())?;
    let (text, map) = rewriter.out.finish();
    match String::from_utf8(text) {
        Ok(text) => Ok(Normalised { text, map }),
        Err(error) => {
            let at = map.original(error.utf8_error().valid_up_to() as u32) as usize;
            Err(Malformed::new(at, at + 1, "text is not valid UTF-8"))
        }
    }
}

struct Rewriter<'s> {
    tokens: Tokens<'s>,
    /// What is left of the changes by `#pragma pack`.
    packs: &'s [(u32, u32)],
    out: Output<'s>,
    type_names: TypeNames<'s>,
    /// How many brackets are open.
    depth: u32,
    /// Whether a statement or declaration begins here.
    at_start: bool,
    /// The index at which the present declaration at file scope began.
    declaration: usize,
    /// Whether that declaration has an initialiser.
    initialised: bool,
    /// The index of the colon that ends the label which was seen last.
    label_colon: usize,
    bodies: Vec<Body>,
    /// Text to be inserted before a token, latest first.
    pending: Vec<(usize, Cow<'static, str>)>,
    /// The braces that end quantifiers.
    quantifier_ends: Vec<usize>,
    /// Quantifiers that become loops, and the conditions under which these go on.
    bounded: Vec<(usize, String)>,
    attributes: Vec<Attribute>,
    /// The labels that are declared in the blocks around, innermost last.
    local_labels: Vec<LocalLabel<'s>>,
    labels_made: u32,
}

/// A label that is declared for a block alone.
struct LocalLabel<'s> {
    name: &'s [u8],
    /// Distinguishes it from others of its name.
    number: u32,
    /// How many brackets are open in its block.
    depth: u32,
}

/// The body of a struct, union or enum that is open.
struct Body {
    /// The index of its closing brace.
    close: usize,
    /// The index of the first token after it and its attributes.
    resume: usize,
    /// How many brackets are open inside.
    depth: u32,
}

impl Rewriter<'_> {
    fn rewrite(&mut self, range: Range<usize>) -> Result<(), Malformed> {
        let mut at = range.start;
        while at < range.end {
            self.insert_pending(at);
            if self.at_start && self.depth == 0 {
                self.declaration = at;
            }
            at = self.token(at)?;
        }
        self.insert_pending(range.end);
        Ok(())
    }

    /// Rewrites tokens that stand elsewhere.
    fn rewrite_apart(&mut self, range: Range<usize>) -> Result<(), Malformed> {
        let pending = std::mem::take(&mut self.pending);
        let at_start = std::mem::replace(&mut self.at_start, false);
        // No expression is a declaration at file scope.
        self.depth += 1;
        let result = self.rewrite(range);
        self.depth -= 1;
        self.at_start = at_start;
        self.pending = pending;
        result
    }

    /// Rewrites the token at `at` and what belongs to it; returns the index of the next.
    fn token(&mut self, at: usize) -> Result<usize, Malformed> {
        let token = self.tokens.list[at];
        let begins = std::mem::replace(&mut self.at_start, false);
        match token.kind {
            Kind::Ident => {
                if let Some(next) = self.quantifier(at) {
                    return Ok(next);
                }
                if begins {
                    self.begin_with_name(at);
                }
                match begins && self.label_colon == at + 1 {
                    true => self.label_name(at),
                    false => self.out.copy(token),
                }
            }
            Kind::OddIdent => {
                if begins {
                    self.begin_with_name(at);
                }
                self.respell(token, respell_ident);
            }
            Kind::Infix if self.is_implication(at) => {
                self.out.replace(token, ")||(");
                return Ok(at + 2);
            }
            Kind::Number
            | Kind::Literal
            | Kind::RParen
            | Kind::Comma
            | Kind::Dot
            | Kind::Arrow
            | Kind::Ellipsis
            | Kind::Step
            | Kind::Star
            | Kind::Amp
            | Kind::Sign
            | Kind::Not
            | Kind::Infix
            | Kind::If
            | Kind::Else
            | Kind::For
            | Kind::While
            | Kind::Do
            | Kind::Switch
            | Kind::Jump
            | Kind::Type
            | Kind::Atomic
            | Kind::Generic
            | Kind::PredefinedMacro
            | Kind::End => {
                if token.kind == Kind::RParen {
                    self.depth -= 1;
                }
                self.out.copy(token);
            }
            Kind::OddNumber => self.respell(token, respell_number),
            Kind::OddLiteral => {
                let (text, start) = (token.text(self.tokens.source), token.start as usize);
                self.out.replace_with(token, b'"', |out| respell_literal(text, start, out))?;
            }
            Kind::LParen => self.open(token, "("),
            Kind::LBracket => {
                if let Some(next) = self.attribute(at)? {
                    self.at_start = begins;
                    return Ok(next);
                }
                self.open(token, "[");
            }
            Kind::RBracket => {
                self.depth -= 1;
                self.copy_as(token, "]");
            }
            Kind::LBrace => self.left_brace(at),
            Kind::RBrace => return Ok(self.right_brace(at)),
            Kind::Semi => self.semicolon(token, begins),
            Kind::Colon => self.colon(at),
            Kind::Question => {
                self.out.copy(token);
                if self.tokens.kind(at + 1) == Kind::Colon {
                    self.out.insert("__ravelin_omitted", token.start);
                }
            }
            Kind::AmpAmp => return Ok(self.double_ampersand(at)),
            Kind::Assign => {
                self.initialised |= self.depth == 0;
                self.out.copy(token);
            }
            Kind::Case => {
                self.label_colon = self.colon_of_case(at + 1);
                self.out.copy(token);
            }
            Kind::Default => {
                self.label_colon = at + 1;
                self.out.copy(token);
            }
            Kind::Goto => return Ok(self.goto(at)),
            Kind::Typedef => {
                collect_typedef(self.tokens, at, &mut self.type_names);
                self.out.copy(token);
            }
            Kind::Storage
            | Kind::Qualifier
            | Kind::Volatile
            | Kind::Inline
            | Kind::ConstVariant
            | Kind::Thread => {
                if begins {
                    self.supply_int(at)?;
                }
                match token.kind {
                    Kind::ConstVariant => self.out.replace(token, "const"),
                    Kind::Thread => self.out.replace(token, "_Thread_local"),
                    _ => self.out.copy(token),
                }
            }
            Kind::Struct | Kind::Union => return self.record(at),
            Kind::Enum => return self.enumeration(at),
            Kind::Typeof => self.out.replace(token, "__typeof"),
            Kind::Int128 | Kind::Int128Typedef => self.out.replace(token, "_Decimal128"),
            Kind::Uint128Typedef => self.out.replace(token, "unsigned _Decimal128"),
            Kind::Float128 => self.out.replace(token, "_Float128"),
            Kind::Float80 => self.out.replace(token, "long double"),
            Kind::Decimal128 => self.out.replace(token, "_Decimal128x"),
            Kind::RealPart => self.out.replace(token, "*(__typeof(__ravelin_real))"),
            Kind::ImaginaryPart => self.out.replace(token, "*(__typeof(__ravelin_imag))"),
            Kind::AutoType => self.out.replace(token, "__typeof(__ravelin_auto)"),
            // A program may define the type itself: then the name ends a declaration.
            Kind::SizeTypedef | Kind::SignedSizeTypedef | Kind::BoolTypedef
                if self.tokens.kind(at + 1) == Kind::Semi =>
            {
                self.out.copy(token);
            }
            Kind::SizeTypedef => self.out.replace(token, "__typeof(sizeof 0)"),
            Kind::SignedSizeTypedef => self.out.replace(token, "__typeof((char *)0 - (char *)0)"),
            Kind::BoolTypedef => self.out.replace(token, "_Bool"),
            Kind::Sizeof => self.size_of(at),
            Kind::Alignof => return Ok(self.align_of(at)),
            Kind::Alignas => self.align_as(at),
            Kind::StaticAssert => {
                self.out.copy(token);
                if self.tokens.kind(at + 1) == Kind::LParen
                    && self.tokens.first_comma(at + 1).is_none()
                {
                    self.insert_before(self.tokens.mate(at + 1), ",\"\"");
                }
            }
            Kind::TypesCompatible => self.types_compatible(at),
            Kind::Extension => self.at_start = begins,
            Kind::Attribute => {
                if let Some(next) = self.attribute(at)? {
                    self.at_start = begins;
                    return Ok(next);
                }
                self.out.copy(token);
            }
            Kind::Asm => return Ok(self.assembly(at, begins)),
            Kind::LocalLabel => {
                self.at_start = true;
                let next = self.after_semicolon(at);
                self.declare_labels(at + 1..next);
                return Ok(next);
            }
            Kind::Pragma => return self.pragma(at, begins),
        }
        Ok(at + 1)
    }

    fn respell(&mut self, token: Token, respell: impl FnOnce(&[u8], &mut Vec<u8>)) {
        let text = token.text(self.tokens.source);
        self.out.replace_with(token, b'_', |out| respell(text, out));
    }

    /// Copies a token of which digraphs are another spelling.
    fn copy_as(&mut self, token: Token, text: &str) {
        if token.end - token.start == text.len() as u32 {
            self.out.copy(token);
        } else {
            self.out.replace(token, text);
        }
    }

    fn open(&mut self, token: Token, text: &str) {
        self.depth += 1;
        self.copy_as(token, text);
    }

    /// Has text inserted before the token with the index `at`.
    fn insert_before(&mut self, at: usize, text: impl Into<Cow<'static, str>>) {
        let place = self.pending.partition_point(|&(index, _)| index > at);
        self.pending.insert(place, (at, text.into()));
    }

    fn insert_pending(&mut self, at: usize) {
        while let Some((_, text)) = self.pending.pop_if(|(index, _)| *index == at) {
            let original =
                self.tokens.list.get(at).map_or(self.tokens.source.len() as u32, |t| t.start);
            self.out.insert(&text, original);
        }
    }

    fn after_semicolon(&self, at: usize) -> usize {
        let end = self.tokens.end_of_statement(at + 1);
        if self.tokens.kind(end) == Kind::Semi { end + 1 } else { end }
    }

    /// A statement or declaration begins with a name: a label, or a declaration without a type.
    fn begin_with_name(&mut self, at: usize) {
        if self.tokens.kind(at + 1) == Kind::Colon {
            self.label_colon = at + 1;
        } else if self.depth == 0 && name_without_type(self.tokens, at, &self.type_names).is_some()
        {
            self.out.insert("int", self.tokens.list[at].start);
        }
    }

    /// A declaration begins with modifiers; if no type follows, it is that of an `int`.
    fn supply_int(&mut self, at: usize) -> Result<(), Malformed> {
        let Some(name) = name_without_type(self.tokens, at, &self.type_names) else {
            return Ok(());
        };
        let is_auto = (at..name).any(|index| self.tokens.text(index) == b"auto");
        if is_auto && self.tokens.kind(name + 1) == Kind::Assign {
            let token = self.tokens.list[at];
            let message = "'auto' without a type: write the type";
            return Err(Malformed::new(token.start as usize, token.end as usize, message)
                .with_note("it means int before C23, and the type of the initialiser since"));
        }
        self.insert_before(name, "int");
        Ok(())
    }

    fn semicolon(&mut self, token: Token, begins: bool) {
        self.at_start = true;
        let in_record = self.bodies.last().is_some_and(|body| body.depth == self.depth);
        if self.depth == 0 {
            self.initialised = false;
        }
        // The parser takes no empty declarations at file scope, nor empty members.
        if !(begins && (self.depth == 0 || in_record)) {
            self.out.copy(token);
        }
    }

    fn left_brace(&mut self, at: usize) {
        let token = self.tokens.list[at];
        let is_function_body = self.depth == 0 && !self.initialised;
        self.open(token, "{");
        self.at_start = true;
        if is_function_body {
            // The parser forgets the parameters before it reads the body.
            let header = self.declaration..at;
            for name in parameters_named_as_types(self.tokens, header, &self.type_names) {
                let Token { start, .. } = self.tokens.list[name];
                self.out.insert("__typeof(__ravelin_parameter)", start);
                self.out.copy(self.tokens.list[name]);
                self.out.insert(";", start);
            }
        } else if self.tokens.kind(at + 1) == Kind::RBrace && self.is_compound_literal(at) {
            self.out.insert("__ravelin_empty", token.start);
        }
    }

    /// Whether the brace at `at` follows a type in parentheses.
    fn is_compound_literal(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else { return false };
        if self.tokens.kind(before) != Kind::RParen {
            return false;
        }
        let Some(before) = self.tokens.mate(before).checked_sub(1) else { return false };
        !matches!(
            self.tokens.kind(before),
            Kind::Ident | Kind::OddIdent | Kind::If | Kind::For | Kind::While | Kind::Switch
        )
    }

    fn right_brace(&mut self, at: usize) -> usize {
        self.depth -= 1;
        if self.quantifier_ends.contains(&at) {
            return at + 1;
        }
        while self.local_labels.pop_if(|label| label.depth > self.depth).is_some() {}
        self.copy_as(self.tokens.list[at], "}");
        if let Some(body) = self.bodies.pop_if(|body| body.close == at) {
            return body.resume;
        }
        self.at_start = self.depth > 0 || !self.initialised;
        at + 1
    }

    fn colon(&mut self, at: usize) {
        let token = self.tokens.list[at];
        if self.is_unnamed_with_attributes(at) {
            self.out.insert("__ravelin_unnamed", token.start);
        }
        self.out.copy(token);
        if at != self.label_colon {
            return;
        }
        self.at_start = true;
        // C11 6.8.1: a label stands before a statement, not before a declaration or the end.
        let next = self.tokens.skip_attributes(at + 1);
        let kind = self.tokens.kind(next);
        let needs_statement = kind == Kind::RBrace
            || kind.begins_declaration()
            || kind.is_ident()
                && (self.tokens.kind(next + 1).is_ident()
                    || self.tokens.kind(next + 1) == Kind::Star
                        && self.type_names.contains(self.tokens.text(next)));
        if needs_statement {
            self.out.insert(";", token.start);
        }
    }

    fn colon_of_case(&self, mut at: usize) -> usize {
        let mut conditionals = 0;
        loop {
            match self.tokens.kind(at) {
                Kind::Question => conditionals += 1,
                Kind::Colon if conditionals == 0 => return at,
                Kind::Colon => conditionals -= 1,
                Kind::Semi | Kind::End | Kind::RBrace | Kind::Case => return usize::MAX,
                _ => {}
            }
            at = self.tokens.skip_group(at);
        }
    }

    /// `&&` is an infix operator, or takes the address of a label where an operand is expected.
    fn double_ampersand(&mut self, at: usize) -> usize {
        let token = self.tokens.list[at];
        let after_operand =
            at > 0 && self.tokens.kind(at - 1).ends_operand() && !self.is_cast(at - 1);
        if after_operand || !self.tokens.kind(at + 1).is_ident() {
            self.out.copy(token);
            return at + 1;
        }
        self.out.replace(token, "__ravelin_label_address(");
        self.label_name(at + 1);
        self.out.insert(")", token.start);
        at + 2
    }

    /// `__label__ a, b;`
    fn declare_labels(&mut self, range: Range<usize>) {
        for at in range.filter(|&at| self.tokens.kind(at) == Kind::Ident) {
            let name = self.tokens.text(at);
            self.local_labels.push(LocalLabel {
                name,
                number: self.labels_made,
                depth: self.depth,
            });
            self.labels_made += 1;
        }
    }

    /// The name of a label, where it stands or is jumped to.
    fn label_name(&mut self, at: usize) {
        let token = self.tokens.list[at];
        let name = self.tokens.text(at);
        let known = self.local_labels.iter().rev().find(|label| label.name == name);
        match known {
            Some(label) => {
                let prefix = format!("__ravelin_label{}_", label.number);
                self.out.replace_with(token, b'_', |out| {
                    out.extend_from_slice(prefix.as_bytes());
                    out.extend_from_slice(name);
                });
            }
            None if token.kind == Kind::OddIdent => self.respell(token, respell_ident),
            None => self.out.copy(token),
        }
    }

    /// Whether the parenthesis at `close` ends a cast, as far as the tokens show.
    fn is_cast(&self, close: usize) -> bool {
        if self.tokens.kind(close) != Kind::RParen {
            return false;
        }
        let open = self.tokens.mate(close);
        let applies_to = open.checked_sub(1).map_or(Kind::End, |before| self.tokens.kind(before));
        if applies_to.is_ident()
            || matches!(applies_to, Kind::Sizeof | Kind::Alignof | Kind::Typeof)
        {
            return false;
        }
        self.begins_type_name(open + 1) || self.tokens.kind(close - 1) == Kind::Star
    }

    fn goto(&mut self, at: usize) -> usize {
        let token = self.tokens.list[at];
        if self.tokens.kind(at + 1).is_ident() {
            self.out.copy(token);
            self.label_name(at + 1);
            return at + 2;
        }
        if self.tokens.kind(at + 1) != Kind::Star {
            self.out.copy(token);
            return at + 1;
        }
        self.out.replace(token, "__ravelin_goto_computed(");
        self.insert_before(self.tokens.end_of_statement(at + 2), ")");
        at + 2
    }

    /// `sizeof (T){...}` is the size of a compound literal, but the parser stops after the type.
    fn size_of(&mut self, at: usize) {
        self.out.copy(self.tokens.list[at]);
        if self.tokens.kind(at + 1) == Kind::LParen {
            let brace = self.tokens.mate(at + 1) + 1;
            if self.tokens.kind(brace) == Kind::LBrace {
                self.insert_before(at + 1, "(");
                self.insert_before(self.tokens.mate(brace) + 1, ")");
            }
        }
    }

    /// GNU's spellings ask for the alignment that the target prefers, or that an object has, and so
    /// must be distinguished from the standard one.
    fn align_of(&mut self, at: usize) -> usize {
        let token = self.tokens.list[at];
        if self.tokens.text(at) != b"_Alignof" {
            self.out.replace(token, "__ravelin_alignof(sizeof");
            self.insert_before(self.tokens.end_of_unary(at + 1), ")");
            return at + 1;
        }
        self.out.replace(token, "_Alignof");
        let end = self.tokens.end_of_unary(at + 1);
        let in_parentheses =
            self.tokens.kind(at + 1) == Kind::LParen && self.tokens.mate(at + 1) + 1 == end;
        if !in_parentheses {
            self.out.insert("(__typeof(", token.start);
            self.insert_before(end, "))");
        } else if !self.begins_type_name(at + 2) {
            // It may be a type nonetheless, which is as good an operand of typeof.
            self.insert_before(at + 2, "__typeof(");
            self.insert_before(end - 1, ")");
        }
        at + 1
    }

    /// The parser takes `_Alignas` everywhere but before members, where it takes attributes.
    fn align_as(&mut self, at: usize) {
        let token = self.tokens.list[at];
        let in_record = self.bodies.last().is_some_and(|body| body.depth == self.depth);
        if !in_record || self.tokens.kind(at + 1) != Kind::LParen {
            return self.out.copy(token);
        }
        let type_name = self.begins_type_name(at + 2);
        self.out.replace(
            token,
            if type_name { "__attribute__((aligned(_Alignof" } else { "__attribute__((aligned(" },
        );
        self.insert_before(self.tokens.mate(at + 1) + 1, ")))");
    }

    fn begins_type_name(&self, at: usize) -> bool {
        let first = self.tokens.kind(at);
        first.begins_type()
            || first.modifies_declaration()
            || self.type_names.contains(self.tokens.text(at))
    }

    fn types_compatible(&mut self, at: usize) {
        let token = self.tokens.list[at];
        if self.tokens.kind(at + 1) != Kind::LParen {
            return self.out.copy(token);
        }
        self.out.replace(token, "__ravelin_types_compatible");
        if let Some(comma) = self.tokens.first_comma(at + 1) {
            self.insert_before(at + 2, "sizeof(");
            self.insert_before(comma, ")");
            self.insert_before(comma + 1, "sizeof(");
            self.insert_before(self.tokens.mate(at + 1), ")");
        }
    }

    fn assembly(&mut self, at: usize, begins: bool) -> usize {
        let token = self.tokens.list[at];
        if begins && self.depth == 0 {
            self.at_start = true;
            return self.after_semicolon(at);
        }
        self.out.replace(token, "__asm__");
        let mut open = at + 1;
        let (mut jumps, mut volatile) = (false, false);
        loop {
            match self.tokens.kind(open) {
                Kind::Goto => jumps = true,
                Kind::Volatile => volatile = true,
                Kind::Inline | Kind::Qualifier => {}
                _ => break,
            }
            open += 1;
        }
        if jumps && self.tokens.kind(open) == Kind::LParen {
            self.out.insert("(\"goto\")", token.start);
            return self.tokens.mate(open) + 1;
        }
        if volatile {
            self.out.insert("volatile", token.start);
        }
        open
    }

    /// `_Pragma("...")` that the preprocessor has not turned into a directive.
    fn pragma(&mut self, at: usize, begins: bool) -> Result<usize, Malformed> {
        self.at_start = begins;
        if self.tokens.kind(at + 1) != Kind::LParen {
            self.out.copy(self.tokens.list[at]);
            return Ok(at + 1);
        }
        let end = self.tokens.mate(at + 1);
        for index in at + 2..end {
            let text = self.tokens.text(index);
            if text.starts_with(b"\"pack") || text.starts_with(b"\"scalar") || text == b"pack" {
                let Token { start, end, .. } = self.tokens.list[index];
                let message = "this pragma changes the layout of types and must be a directive";
                return Err(Malformed::new(start as usize, end as usize, message));
            }
        }
        Ok(end + 1)
    }
}
