//! Templates of inline assembly: instructions in AT&T syntax, with the operands of the statement in them.
//!
//! A template is a list of instructions only if it parses completely; otherwise there is none.

/// An instruction and its operands, the destination last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    pub locked: bool,
    pub name: String,
    pub operands: Vec<Operand>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    /// An operand of the statement; a modifier may print its name for this width.
    Argument(Argument, Option<u16>),
    Immediate(i128),
    Register(Register, u16),
    Memory {
        base: Base,
        displacement: i64,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Base {
    Argument(Argument),
    Register(Register),
}

/// How a template names an operand of the statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    Number(usize),
    Name(String),
}

/// A general register, whatever part of it is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Register(pub usize);

impl Register {
    pub const A: Register = Register(0);
    pub const B: Register = Register(1);
    pub const C: Register = Register(2);
    pub const D: Register = Register(3);
    pub const SOURCE: Register = Register(4);
    pub const DESTINATION: Register = Register(5);
    const FRAME: Register = Register(6);
    pub const STACK: Register = Register(7);
    pub const COUNT: usize = 16;

    /// The register of this name, and the width that the name means. The second bytes of registers
    /// (`ah`) are not supported.
    pub fn named(name: &str) -> Option<(Register, u16)> {
        const LETTERS: [&str; 4] = ["a", "b", "c", "d"];
        const POINTERS: [&str; 4] = ["si", "di", "bp", "sp"];
        if let Some(rest) = name.strip_prefix('r')
            && rest.starts_with(|letter: char| letter.is_ascii_digit())
        {
            let digits = rest.trim_end_matches(['b', 'w', 'd']);
            let width = match &rest[digits.len()..] {
                "" => 64,
                "d" => 32,
                "w" => 16,
                "b" => 8,
                _ => return None,
            };
            let number: usize = digits.parse().ok().filter(|number| (8..16).contains(number))?;
            return Some((Register(number), width));
        }
        let (stem, width) = match name.as_bytes().first()? {
            b'r' if name.len() == 3 => (&name[1..], 64),
            b'e' if name.len() == 3 => (&name[1..], 32),
            _ if name.len() == 2 && name.ends_with('l') => {
                let number = LETTERS.iter().position(|letter| name.starts_with(letter))?;
                return Some((Register(number), 8));
            }
            _ if name.len() == 3 && name.ends_with('l') => (&name[..2], 8),
            _ => (name, 16),
        };
        let letter =
            stem.strip_suffix('x').and_then(|stem| LETTERS.iter().position(|it| *it == stem));
        let pointer = POINTERS.iter().position(|it| *it == stem).map(|number| number + 4);
        match (letter, pointer) {
            (Some(number), _) if width != 8 => Some((Register(number), width)),
            (_, Some(number)) => Some((Register(number), width)),
            _ => None,
        }
    }

    /// Whether compilers reserve it.
    pub fn is_reserved(self) -> bool {
        self == Register::STACK || self == Register::FRAME
    }
}

/// Prefixes of instructions.
const LOCK: &str = "lock";
const REPEAT: &[&str] = &["rep", "repe", "repne", "repz", "repnz"];

/// The instructions of a template, given as the literal spells it. In a statement without operands,
/// a single `%` begins the name of a register.
pub fn parse(template: &str, has_operands: bool) -> Option<Vec<Instruction>> {
    let text = first_dialect(&unescaped(template)?)?;
    let mut instructions = Vec::new();
    let mut locked = false;
    let lines = text.split([';', '\n']).map(|line| line.split('#').next().unwrap_or("").trim());
    for mut line in lines.filter(|line| !line.is_empty()) {
        let mut repeated = false;
        let (name, rest) = loop {
            let (word, rest) = match line.split_once(char::is_whitespace) {
                Some((word, rest)) => (word, rest.trim()),
                None => (line, ""),
            };
            if word == LOCK {
                locked = true;
            } else if REPEAT.contains(&word) {
                repeated = true;
            } else {
                break (word, rest);
            }
            line = rest;
        };
        if name.is_empty() {
            // A prefix alone belongs to the next instruction. With `nop` it is a pause, and other
            // instructions ignore it; instructions that do not ignore it are not supported here.
            continue;
        }
        if repeated && name != "nop" {
            return None;
        }
        if !name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()) {
            return None;
        }
        let operands = separated(rest)?
            .into_iter()
            .map(|text| operand(text, has_operands))
            .collect::<Option<Vec<Operand>>>()?;
        instructions.push(Instruction { locked, name: name.to_owned(), operands });
        locked = false;
    }
    (!locked).then_some(instructions)
}

/// The text with escapes replaced by lines and spaces.
fn unescaped(template: &str) -> Option<String> {
    let mut text = String::new();
    let mut letters = template.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next()? {
                'n' => text.push('\n'),
                't' => text.push(' '),
                _ => return None,
            },
            '/' => return None,
            _ => text.push(letter),
        }
    }
    Some(text)
}

/// The text with only the first of each list of alternatives: `{att|intel}`.
fn first_dialect(text: &str) -> Option<String> {
    let mut result = String::new();
    let mut alternative = None;
    let mut previous = ' ';
    for letter in text.chars() {
        match (letter, alternative) {
            ('{' | '|' | '}', _) if previous == '%' => return None,
            ('{', None) => alternative = Some(0),
            ('|', Some(number)) => alternative = Some(number + 1),
            ('}', Some(_)) => alternative = None,
            ('{' | '|' | '}', _) => return None,
            (_, None | Some(0)) => result.push(letter),
            (_, Some(_)) => {}
        }
        previous = letter;
    }
    alternative.is_none().then_some(result)
}

/// The parts between commas outside of parentheses.
fn separated(text: &str) -> Option<Vec<&str>> {
    if text.is_empty() {
        return Some(Vec::new());
    }
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    (depth == 0).then_some(parts)
}

fn operand(text: &str, has_operands: bool) -> Option<Operand> {
    if let Some(number) = text.strip_prefix('$') {
        return integer(number).map(Operand::Immediate);
    }
    if let Some(rest) = text.strip_suffix(')') {
        let (displacement, base) = rest.split_once('(')?;
        let displacement = match displacement.trim() {
            "" => 0,
            number => integer(number)?.try_into().ok()?,
        };
        let base = match operand(base.trim(), has_operands)? {
            Operand::Argument(argument, _) => Base::Argument(argument),
            Operand::Register(register, _) => Base::Register(register),
            Operand::Immediate(_) | Operand::Memory { .. } => return None,
        };
        return Some(Operand::Memory { base, displacement });
    }
    let register = if has_operands { "%%" } else { "%" };
    if let Some(name) = text.strip_prefix(register) {
        let (register, width) = Register::named(name)?;
        return Some(Operand::Register(register, width));
    }
    let rest = text.strip_prefix('%')?;
    let (width, rest) = match rest.chars().next()? {
        'b' => (Some(8), &rest[1..]),
        'w' => (Some(16), &rest[1..]),
        'k' => (Some(32), &rest[1..]),
        'q' => (Some(64), &rest[1..]),
        _ => (None, rest),
    };
    let argument = match rest.strip_prefix('[') {
        Some(name) => Argument::Name(name.strip_suffix(']')?.to_owned()),
        None if rest.bytes().all(|byte| byte.is_ascii_digit()) => {
            Argument::Number(rest.parse().ok()?)
        }
        None => return None,
    };
    Some(Operand::Argument(argument, width))
}

fn integer(text: &str) -> Option<i128> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let value = match digits.strip_prefix("0x") {
        Some(digits) => i128::from(u64::from_str_radix(digits, 16).ok()?),
        // A leading zero means octal.
        None if digits.len() > 1 && digits.starts_with('0') => return None,
        None => i128::from(digits.parse::<u64>().ok()?),
    };
    Some(if negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(number: usize) -> Operand {
        Operand::Argument(Argument::Number(number), None)
    }

    #[test]
    fn registers_have_their_names_for_each_width() {
        for (name, register, width) in [
            ("rax", 0, 64),
            ("ebx", 1, 32),
            ("cx", 2, 16),
            ("dl", 3, 8),
            ("sil", 4, 8),
            ("edi", 5, 32),
            ("rbp", 6, 64),
            ("sp", 7, 16),
            ("r8", 8, 64),
            ("r15d", 15, 32),
            ("r9b", 9, 8),
        ] {
            assert_eq!(Register::named(name), Some((Register(register), width)), "{name}");
        }
        for name in ["ah", "r16", "xmm0", "axl", "e", "", "r7", "st", "gs"] {
            assert_eq!(Register::named(name), None, "{name}");
        }
    }

    #[test]
    fn instructions_are_read_with_prefixes_and_operands() {
        let parsed =
            parse("lock; xaddl %0, %1\\n\\tsetz %b[ok] ; movq 8(%%rsi),%q2", true).unwrap();
        let ok = Operand::Argument(Argument::Name("ok".into()), Some(8));
        let memory = Operand::Memory { base: Base::Register(Register::SOURCE), displacement: 8 };
        let two = Operand::Argument(Argument::Number(2), Some(64));
        let expected = [
            (true, "xaddl", vec![number(0), number(1)]),
            (false, "setz", vec![ok]),
            (false, "movq", vec![memory, two]),
        ];
        for (it, (locked, name, operands)) in parsed.iter().zip(expected) {
            assert_eq!((it.locked, it.name.as_str(), &it.operands), (locked, name, &operands));
        }
        let pause = parse("rep; nop", true).unwrap();
        assert_eq!(pause.len(), 1);
        let dialect = parse("mov{l %1, %0| %0, %1}", true).unwrap();
        assert_eq!((dialect[0].name.as_str(), &dialect[0].operands[0]), ("movl", &number(1)));
        let fence = parse("lock addl $-0x10,0(%esp)", false).unwrap();
        assert_eq!(fence[0].operands[0], Operand::Immediate(-16));
    }

    #[test]
    fn what_is_not_read_completely_is_not_read_at_all() {
        for template in [
            "1: jmp 1b",
            "call f",
            "movl %%gs:0, %0",
            "movl (%0,%1,4), %2",
            "movl $x, %0",
            ".byte 0x0f",
            "lock",
            "rep movsb",
            "movb %h1, %0",
            "movl $010, %0",
            "addl %1, %0 /* twice */",
            "mov %{x%}, %0",
        ] {
            let parsed = parse(template, true);
            // `call f` has an operand that is not an operand of the statement.
            assert_eq!(parsed, None, "{template}");
        }
    }
}
