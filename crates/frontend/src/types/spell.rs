//! Types as C spells them, for messages.

use ravelin_base::Interner;

use super::{FunctionType, IntKind, Shape, Ty, TypeKind, Types};

impl Types {
    /// The type as a C type name.
    pub fn spell(&self, ty: Ty, names: &Interner) -> String {
        self.declare(ty, String::new(), names)
    }

    /// The declaration of `inner` with this type: C writes types inside out.
    fn declare(&self, ty: Ty, inner: String, names: &Interner) -> String {
        let with_space = |base: &str, inner: String| {
            if inner.is_empty() { base.to_owned() } else { format!("{base} {inner}") }
        };
        let group = |inner: String| {
            if inner.starts_with('*') { format!("({inner})") } else { inner }
        };
        let mut prefix = String::new();
        if self.qualifiers(ty).constant {
            prefix.push_str("const ");
        }
        if self.qualifiers(ty).atomic {
            prefix.push_str("_Atomic ");
        }
        if self.qualifiers(ty).volatile {
            prefix.push_str("volatile ");
        }
        let text = match self.kind(ty) {
            TypeKind::Void => with_space("void", inner),
            TypeKind::Bool => with_space("_Bool", inner),
            TypeKind::Int(IntKind::Bits { width, signed }) => {
                let sign = if *signed { "" } else { "unsigned " };
                with_space(&format!("{sign}long long:{width}"), inner)
            }
            TypeKind::Int(kind) => with_space(kind.spell(), inner),
            TypeKind::Float(kind) => with_space(
                match kind {
                    ravelin_term::FloatKind::F32 => "float",
                    ravelin_term::FloatKind::F64 => "double",
                    ravelin_term::FloatKind::F80 => "long double",
                    ravelin_term::FloatKind::F128 => "_Float128",
                },
                inner,
            ),
            TypeKind::Pointer(to) => return self.declare(*to, format!("*{prefix}{inner}"), names),
            TypeKind::Array(element, length) => {
                let length = length.map_or(String::new(), |length| length.to_string());
                return self.declare(*element, format!("{}[{length}]", group(inner)), names);
            }
            TypeKind::Vla(element, _) => {
                return self.declare(*element, format!("{}[*]", group(inner)), names);
            }
            TypeKind::Function(function) => {
                let FunctionType { result, params, variadic, prototyped } = &**function;
                let mut list: Vec<String> =
                    params.iter().map(|&param| self.spell(param, names)).collect();
                if *variadic {
                    list.push("...".to_owned());
                } else if list.is_empty() && *prototyped {
                    list.push("void".to_owned());
                }
                let list = list.join(", ");
                return self.declare(*result, format!("{}({list})", group(inner)), names);
            }
            TypeKind::Record(record) => {
                let data = &self.records[*record];
                let keyword = if data.is_union { "union" } else { "struct" };
                let tag = data.tag.map_or("{…}", |tag| names.resolve(tag));
                let base = match data.parts {
                    None => format!("{keyword} {tag}"),
                    Some(parts) => {
                        let element = self.spell(parts.element, names);
                        match parts.shape {
                            Shape::Complex => format!("_Complex {element}"),
                            Shape::Vector => format!("vector({}) {element}", parts.count),
                        }
                    }
                };
                with_space(&base, inner)
            }
        };
        prefix + &text
    }
}

impl IntKind {
    fn spell(self) -> &'static str {
        match self {
            IntKind::Char => "char",
            IntKind::SChar => "signed char",
            IntKind::UChar => "unsigned char",
            IntKind::Short => "short",
            IntKind::UShort => "unsigned short",
            IntKind::Int => "int",
            IntKind::UInt => "unsigned int",
            IntKind::Long => "long",
            IntKind::ULong => "unsigned long",
            IntKind::LongLong => "long long",
            IntKind::ULongLong => "unsigned long long",
            IntKind::Int128 => "__int128",
            IntKind::UInt128 => "unsigned __int128",
            IntKind::Bits { signed: true, .. } => "long long",
            IntKind::Bits { signed: false, .. } => "unsigned long long",
        }
    }
}
