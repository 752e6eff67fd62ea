//! Terms as text: the names of operators, and the printer. Terms are in prefix notation, `bvadd(x,
//! 1:bv32)`; the caller names variables and objects.

use std::fmt::{self, Write};
use std::str::FromStr;

use rustc_hash::FxHashMap;

use crate::{BinOp, FloatKind, Object, Rounding, Sort, Term, TermKind, TermPool, UnOp, Var};

/// How variables and objects print.
pub trait Names {
    fn write_var(&self, out: &mut dyn Write, var: Var) -> fmt::Result;
    fn write_object(&self, out: &mut dyn Write, object: Object) -> fmt::Result;
}

/// Variables as `v3`, objects as `o2`.
#[derive(Clone, Copy, Debug)]
pub struct Indices;

impl Names for Indices {
    fn write_var(&self, out: &mut dyn Write, var: Var) -> fmt::Result {
        write!(out, "{var}")
    }

    fn write_object(&self, out: &mut dyn Write, object: Object) -> fmt::Result {
        write!(out, "{object}")
    }
}

/// A term of up to this many nodes prints as a tree, whatever subterms it shares.
const TREE_LIMIT: usize = 2_000;

impl TermPool {
    /// Prints `term`. A large term names its shared subterms, `let $0 = bvadd(x, y) in bvmul($0,
    /// $0)`, so that the text is never longer than the graph. The printer does not recurse, because
    /// terms nest deeply.
    pub fn print(&self, out: &mut dyn Write, term: Term, names: &dyn Names) -> fmt::Result {
        if self.is_small(term) {
            return self.write_tree(out, term, names, &FxHashMap::default());
        }
        let mut bound = FxHashMap::default();
        let shared = self.shared_subterms(term);
        for (number, &subterm) in shared.iter().enumerate() {
            out.write_str(if number == 0 { "let " } else { ", " })?;
            write!(out, "${number} = ")?;
            self.write_tree(out, subterm, names, &bound)?;
            bound.insert(subterm, number);
        }
        if !shared.is_empty() {
            out.write_str(" in ")?;
        }
        self.write_tree(out, term, names, &bound)
    }

    fn is_small(&self, term: Term) -> bool {
        if self.children(term).next().is_none() {
            return true;
        }
        let mut work = vec![term];
        let mut count = 0;
        while let Some(next) = work.pop() {
            count += 1;
            if count > TREE_LIMIT {
                return false;
            }
            work.extend(self.children(next));
        }
        true
    }

    /// The inner nodes with more than one parent below `term`, children before parents.
    fn shared_subterms(&self, term: Term) -> Vec<Term> {
        let mut parents: FxHashMap<Term, usize> = FxHashMap::default();
        self.for_each_subterm(term, |next, _| {
            self.children(next).for_each(|child| *parents.entry(child).or_default() += 1);
        });
        let is_inner = |term: Term| self.children(term).next().is_some();
        let mut shared: Vec<Term> = parents
            .into_iter()
            .filter(|&(term, count)| count > 1 && is_inner(term))
            .map(|(term, _)| term)
            .collect();
        // Children are older than their parents.
        shared.sort_unstable();
        shared
    }

    fn write_tree(
        &self,
        out: &mut dyn Write,
        term: Term,
        names: &dyn Names,
        bound: &FxHashMap<Term, usize>,
    ) -> fmt::Result {
        enum Item {
            Term(Term),
            Text(&'static str),
        }
        let mut work = vec![Item::Term(term)];
        while let Some(item) = work.pop() {
            let next = match item {
                Item::Text(text) => {
                    out.write_str(text)?;
                    continue;
                }
                Item::Term(next) => next,
            };
            if let Some(number) = bound.get(&next) {
                write!(out, "${number}")?;
                continue;
            }
            match self.kind(next) {
                TermKind::Bool(value) => write!(out, "{value}")?,
                TermKind::Bv(value) => {
                    write_bv(out, value, self.sort(next).width().unwrap_or(Sort::MAX_WIDTH))?;
                }
                TermKind::Float(bits) => write_float(out, bits, self.sort(next))?,
                TermKind::Null => out.write_str("null")?,
                TermKind::Var(var) => names.write_var(out, var)?,
                TermKind::Address(object) => {
                    out.write_char('&')?;
                    names.write_object(out, object)?;
                }
                TermKind::Unary(op, a) => {
                    write!(out, "{op}(")?;
                    work.extend([Item::Text(")"), Item::Term(a)]);
                }
                TermKind::Binary(op, a, b) => {
                    write!(out, "{op}(")?;
                    work.extend([Item::Text(")"), Item::Term(b), Item::Text(", "), Item::Term(a)]);
                }
                TermKind::Ite(cond, a, b) => {
                    out.write_str("ite(")?;
                    work.extend([
                        Item::Text(")"),
                        Item::Term(b),
                        Item::Text(", "),
                        Item::Term(a),
                        Item::Text(", "),
                        Item::Term(cond),
                    ]);
                }
                TermKind::Read(mem, pointer) => {
                    write!(out, "read[{}](", self.sort(next))?;
                    let pieces = [Item::Text(")"), Item::Term(pointer), Item::Text(", ")];
                    work.extend(pieces.into_iter().chain([Item::Term(mem)]));
                }
                TermKind::Write(mem, pointer, value) => {
                    out.write_str("write(")?;
                    work.extend([
                        Item::Text(")"),
                        Item::Term(value),
                        Item::Text(", "),
                        Item::Term(pointer),
                        Item::Text(", "),
                        Item::Term(mem),
                    ]);
                }
            }
        }
        Ok(())
    }
}

/// Small negative numbers print as such: `-1:bv32` says more than `4294967295:bv32`.
fn write_bv(out: &mut dyn Write, value: u128, width: u16) -> fmt::Result {
    const SMALL: i128 = -(1 << 16);
    let signed = crate::fold::sign_extend(value, width);
    if width >= 8 && (SMALL..0).contains(&signed) {
        write!(out, "{signed}:bv{width}")
    } else {
        write!(out, "{value}:bv{width}")
    }
}

/// Finite `float` and `double` values as the shortest decimal that reads back, others by their bits.
fn write_float(out: &mut dyn Write, bits: u128, sort: Sort) -> fmt::Result {
    let single = f32::from_bits(bits as u32);
    let double = f64::from_bits(bits as u64);
    match sort {
        Sort::Float(FloatKind::F32) if single.is_finite() => write!(out, "{single:?}:{sort}"),
        Sort::Float(FloatKind::F64) if double.is_finite() => write!(out, "{double:?}:{sort}"),
        Sort::Float(_) | Sort::Bool | Sort::Bv(_) | Sort::Ptr | Sort::Mem => {
            write!(out, "{bits:#x}:{sort}")
        }
    }
}

impl TermPool {
    /// The constant that prints as `digits:sort`, or `None` if there is none.
    pub fn parse_constant(&mut self, digits: &str, sort: Sort) -> Option<Term> {
        match sort {
            Sort::Bv(width) => {
                let value = match digits.strip_prefix('-') {
                    Some(_) => {
                        let value: i128 = digits.parse().ok()?;
                        let lowest = if width == 128 { i128::MIN } else { -(1 << (width - 1)) };
                        (value >= lowest).then_some(value as u128)?
                    }
                    None => {
                        let value = parse_bits(digits)?;
                        (crate::fold::truncate(value, width) == value).then_some(value)?
                    }
                };
                Some(self.bv(width, value))
            }
            Sort::Float(kind) => {
                if digits.starts_with("0x") {
                    let bits = parse_bits(digits)?;
                    let fits = crate::fold::truncate(bits, kind.bits()) == bits;
                    return fits.then(|| self.float(kind, bits));
                }
                let bits = match kind {
                    FloatKind::F32 => u128::from(digits.parse::<f32>().ok()?.to_bits()),
                    FloatKind::F64 => u128::from(digits.parse::<f64>().ok()?.to_bits()),
                    FloatKind::F80 | FloatKind::F128 => return None,
                };
                Some(self.float(kind, bits))
            }
            Sort::Bool | Sort::Ptr | Sort::Mem => None,
        }
    }
}

fn parse_bits(digits: &str) -> Option<u128> {
    match digits.strip_prefix("0x") {
        Some(hex) => u128::from_str_radix(hex, 16).ok(),
        None => digits.parse().ok(),
    }
}

impl Rounding {
    const ALL: [(Rounding, &'static str); 5] = [
        (Rounding::Floor, "floor"),
        (Rounding::Ceil, "ceil"),
        (Rounding::Trunc, "trunc"),
        (Rounding::NearestEven, "even"),
        (Rounding::NearestAway, "away"),
    ];
}

impl fmt::Display for Rounding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rounding::Floor => "floor",
            Rounding::Ceil => "ceil",
            Rounding::Trunc => "trunc",
            Rounding::NearestEven => "even",
            Rounding::NearestAway => "away",
        })
    }
}

impl fmt::Display for UnOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnOp::Not => f.write_str("not"),
            UnOp::BvNot => f.write_str("bvnot"),
            UnOp::BvNeg => f.write_str("bvneg"),
            UnOp::ZeroExt(to) => write!(f, "zext[{to}]"),
            UnOp::SignExt(to) => write!(f, "sext[{to}]"),
            UnOp::Extract { hi, lo } => write!(f, "extract[{hi}:{lo}]"),
            UnOp::FNeg => f.write_str("fneg"),
            UnOp::FAbs => f.write_str("fabs"),
            UnOp::FSqrt => f.write_str("fsqrt"),
            UnOp::FRound(rounding) => write!(f, "fround[{rounding}]"),
            UnOp::FIsNan => f.write_str("fisnan"),
            UnOp::FIsInf => f.write_str("fisinf"),
            UnOp::FIsNegative => f.write_str("fisneg"),
            UnOp::FToF(to) => write!(f, "ftof[{}]", Sort::Float(*to)),
            UnOp::SToF(to) => write!(f, "stof[{}]", Sort::Float(*to)),
            UnOp::UToF(to) => write!(f, "utof[{}]", Sort::Float(*to)),
            UnOp::FToS(width) => write!(f, "ftos[{width}]"),
            UnOp::FToU(width) => write!(f, "ftou[{width}]"),
            UnOp::FToBits => f.write_str("ftobits"),
            UnOp::BitsToF(to) => write!(f, "bitstof[{}]", Sort::Float(*to)),
            UnOp::PtrToInt => f.write_str("ptrtoint"),
            UnOp::PtrObject => f.write_str("ptrobject"),
            UnOp::PtrOffset => f.write_str("ptroffset"),
            UnOp::IntToPtr => f.write_str("inttoptr"),
        }
    }
}

/// A text that is not the name of an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownOp;

impl FromStr for UnOp {
    type Err = UnknownOp;

    fn from_str(text: &str) -> Result<Self, UnknownOp> {
        let Some((name, parameter)) = text.strip_suffix(']').and_then(|rest| rest.split_once('['))
        else {
            return Ok(match text {
                "not" => UnOp::Not,
                "bvnot" => UnOp::BvNot,
                "bvneg" => UnOp::BvNeg,
                "fneg" => UnOp::FNeg,
                "fabs" => UnOp::FAbs,
                "fsqrt" => UnOp::FSqrt,
                "fisnan" => UnOp::FIsNan,
                "fisinf" => UnOp::FIsInf,
                "fisneg" => UnOp::FIsNegative,
                "ftobits" => UnOp::FToBits,
                "ptrtoint" => UnOp::PtrToInt,
                "ptrobject" => UnOp::PtrObject,
                "ptroffset" => UnOp::PtrOffset,
                "inttoptr" => UnOp::IntToPtr,
                _ => return Err(UnknownOp),
            });
        };
        let width = |text: &str| text.parse::<u16>().map_err(|_| UnknownOp);
        let float = || match parameter.parse() {
            Ok(Sort::Float(kind)) => Ok(kind),
            Ok(Sort::Bool | Sort::Bv(_) | Sort::Ptr | Sort::Mem) | Err(_) => Err(UnknownOp),
        };
        Ok(match name {
            "zext" => UnOp::ZeroExt(width(parameter)?),
            "sext" => UnOp::SignExt(width(parameter)?),
            "extract" => {
                let (hi, lo) = parameter.split_once(':').ok_or(UnknownOp)?;
                UnOp::Extract { hi: width(hi)?, lo: width(lo)? }
            }
            "fround" => {
                let found = Rounding::ALL.iter().find(|(_, name)| *name == parameter);
                UnOp::FRound(found.ok_or(UnknownOp)?.0)
            }
            "ftof" => UnOp::FToF(float()?),
            "stof" => UnOp::SToF(float()?),
            "utof" => UnOp::UToF(float()?),
            "ftos" => UnOp::FToS(width(parameter)?),
            "ftou" => UnOp::FToU(width(parameter)?),
            "bitstof" => UnOp::BitsToF(float()?),
            _ => return Err(UnknownOp),
        })
    }
}

impl BinOp {
    /// Every operator, in the order of the declaration.
    pub const ALL: [BinOp; 34] = [
        BinOp::And,
        BinOp::Or,
        BinOp::Eq,
        BinOp::BvAdd,
        BinOp::BvSub,
        BinOp::BvMul,
        BinOp::BvUdiv,
        BinOp::BvSdiv,
        BinOp::BvUrem,
        BinOp::BvSrem,
        BinOp::BvShl,
        BinOp::BvLshr,
        BinOp::BvAshr,
        BinOp::BvAnd,
        BinOp::BvOr,
        BinOp::BvXor,
        BinOp::BvUlt,
        BinOp::BvUle,
        BinOp::BvSlt,
        BinOp::BvSle,
        BinOp::Concat,
        BinOp::FAdd,
        BinOp::FSub,
        BinOp::FMul,
        BinOp::FDiv,
        BinOp::FRem,
        BinOp::FEq,
        BinOp::FLt,
        BinOp::FLe,
        BinOp::PtrAdd,
        BinOp::PtrDiff,
        BinOp::PtrLt,
        BinOp::PtrLe,
        BinOp::PtrMake,
    ];

    /// As in the text format.
    pub fn name(self) -> &'static str {
        match self {
            BinOp::And => "and",
            BinOp::Or => "or",
            BinOp::Eq => "eq",
            BinOp::BvAdd => "bvadd",
            BinOp::BvSub => "bvsub",
            BinOp::BvMul => "bvmul",
            BinOp::BvUdiv => "bvudiv",
            BinOp::BvSdiv => "bvsdiv",
            BinOp::BvUrem => "bvurem",
            BinOp::BvSrem => "bvsrem",
            BinOp::BvShl => "bvshl",
            BinOp::BvLshr => "bvlshr",
            BinOp::BvAshr => "bvashr",
            BinOp::BvAnd => "bvand",
            BinOp::BvOr => "bvor",
            BinOp::BvXor => "bvxor",
            BinOp::BvUlt => "bvult",
            BinOp::BvUle => "bvule",
            BinOp::BvSlt => "bvslt",
            BinOp::BvSle => "bvsle",
            BinOp::Concat => "concat",
            BinOp::FAdd => "fadd",
            BinOp::FSub => "fsub",
            BinOp::FMul => "fmul",
            BinOp::FDiv => "fdiv",
            BinOp::FRem => "frem",
            BinOp::FEq => "feq",
            BinOp::FLt => "flt",
            BinOp::FLe => "fle",
            BinOp::PtrAdd => "ptradd",
            BinOp::PtrDiff => "ptrdiff",
            BinOp::PtrLt => "ptrlt",
            BinOp::PtrLe => "ptrle",
            BinOp::PtrMake => "ptrmake",
        }
    }
}

impl fmt::Display for BinOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for BinOp {
    type Err = UnknownOp;

    fn from_str(text: &str) -> Result<Self, UnknownOp> {
        BinOp::ALL.into_iter().find(|op| op.name() == text).ok_or(UnknownOp)
    }
}
