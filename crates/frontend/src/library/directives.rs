//! Directives of `printf` and `scanf`: the argument that each of them takes (C11 7.21.6.1 and 7.21.6.2, and what glibc
//! adds).

/// The type of an argument, as far as representations differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// An integer of this width after promotion, of either signedness.
    Integer(Width),
    Float,
    LongDouble,
    /// A pointer to anything.
    Pointer,
    /// A pointer to an object of this kind, or to void.
    To(Pointee),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pointee {
    Integer(Width),
    Float,
    Double,
    LongDouble,
    /// Another pointer.
    Pointer,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    Char,
    Short,
    Int,
    Long,
    LongLong,
    /// Of `size_t` and `ptrdiff_t`.
    Pointer,
}

/// What one directive takes, and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Directive {
    pub text: String,
    pub wants: Wanted,
    /// The number of the argument, from 0.
    pub argument: usize,
}

/// The way a function reads its format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Output,
    Input,
}

/// A directive that means nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Meaningless(pub String);

/// The arguments that a format takes.
pub(crate) fn directives(
    format: &[u8],
    direction: Direction,
) -> Result<Vec<Directive>, Meaningless> {
    let mut reader = Reader { rest: format, next: 0, found: Vec::new() };
    while let Some(at) = reader.rest.iter().position(|&c| c == b'%') {
        reader.rest = &reader.rest[at..];
        reader.directive(direction)?;
    }
    Ok(reader.found)
}

struct Reader<'f> {
    rest: &'f [u8],
    next: usize,
    found: Vec<Directive>,
}

impl Reader<'_> {
    /// Reads the directive at the percent sign.
    fn directive(&mut self, direction: Direction) -> Result<(), Meaningless> {
        let whole = self.rest;
        self.rest = &whole[1..];
        let text =
            |rest: &[u8]| String::from_utf8_lossy(&whole[..whole.len() - rest.len()]).into_owned();
        let mut chosen = self.position();
        let mut is_stored = true;
        match direction {
            Direction::Output => {
                self.skip(b"-+ #0'I");
                chosen = chosen.or_else(|| self.position());
                self.field(&text);
                if self.take(b'.') {
                    self.field(&text);
                }
            }
            Direction::Input => {
                is_stored = !self.take(b'*');
                self.skip(b"'I0123456789");
            }
        }
        let is_allocated = direction == Direction::Input && self.take(b'm');
        let length = self.length();
        let Some((&letter, rest)) = self.rest.split_first() else {
            return Err(Meaningless(text(self.rest)));
        };
        self.rest = rest;
        if direction == Direction::Input && letter == b'[' {
            self.set().ok_or_else(|| Meaningless(text(&[])))?;
        }
        let wanted = match direction {
            Direction::Output => printed(letter, length),
            Direction::Input => stored(letter, length, is_allocated),
        };
        let text = text(self.rest);
        match wanted {
            Some(Some(wants)) if is_stored => self.take_argument(chosen, wants, text),
            Some(_) => {}
            None => return Err(Meaningless(text)),
        }
        Ok(())
    }

    fn take_argument(&mut self, chosen: Option<usize>, wants: Wanted, text: String) {
        let argument = chosen.unwrap_or(self.next);
        if chosen.is_none() {
            self.next += 1;
        }
        self.found.push(Directive { text, wants, argument });
    }

    fn take(&mut self, c: u8) -> bool {
        let found = self.rest.first() == Some(&c);
        self.rest = &self.rest[usize::from(found)..];
        found
    }

    fn skip(&mut self, set: &[u8]) {
        let count = self.rest.iter().take_while(|c| set.contains(c)).count();
        self.rest = &self.rest[count..];
    }

    /// POSIX: `2$` chooses the second argument.
    fn position(&mut self) -> Option<usize> {
        let count = self.rest.iter().take_while(|c| c.is_ascii_digit()).count();
        if count == 0 || self.rest.get(count) != Some(&b'$') {
            return None;
        }
        let number: usize = std::str::from_utf8(&self.rest[..count]).ok()?.parse().ok()?;
        let index = number.checked_sub(1)?;
        self.rest = &self.rest[count + 1..];
        Some(index)
    }

    /// A width or a precision: digits, or an argument.
    fn field(&mut self, text: &impl Fn(&[u8]) -> String) {
        if self.take(b'*') {
            let chosen = self.position();
            let text = text(self.rest);
            self.take_argument(chosen, Wanted::Integer(Width::Int), text);
        } else {
            self.take(b'-');
            self.skip(b"0123456789");
        }
    }

    fn length(&mut self) -> Length {
        let (length, letters) = match self.rest {
            [b'h', b'h', ..] => (Length::Char, 2),
            [b'h', ..] => (Length::Short, 1),
            [b'l', b'l', ..] => (Length::LongLong, 2),
            [b'l', ..] => (Length::Long, 1),
            [b'j' | b'q', ..] => (Length::LongLong, 1),
            [b'z' | b't' | b'Z', ..] => (Length::Pointer, 1),
            [b'L', ..] => (Length::Big, 1),
            _ => (Length::None, 0),
        };
        self.rest = &self.rest[letters..];
        length
    }

    /// What follows `%[`, up to the bracket that closes it.
    fn set(&mut self) -> Option<()> {
        self.take(b'^');
        self.take(b']');
        let end = self.rest.iter().position(|&c| c == b']')?;
        self.rest = &self.rest[end + 1..];
        Some(())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Length {
    None,
    Char,
    Short,
    Long,
    LongLong,
    Pointer,
    /// `L`: `long double`, and as glibc has it, `long long`.
    Big,
}

impl Length {
    fn width(self) -> Width {
        match self {
            Length::None => Width::Int,
            Length::Char => Width::Char,
            Length::Short => Width::Short,
            Length::Long => Width::Long,
            Length::LongLong | Length::Big => Width::LongLong,
            Length::Pointer => Width::Pointer,
        }
    }

    /// What an argument of this width is promoted to.
    fn promoted(self) -> Width {
        match self.width() {
            Width::Char | Width::Short => Width::Int,
            width @ (Width::Int | Width::Long | Width::LongLong | Width::Pointer) => width,
        }
    }
}

/// What a conversion of `printf` takes; `Some(None)` for one that takes nothing.
fn printed(letter: u8, length: Length) -> Option<Option<Wanted>> {
    let characters = |length| match length {
        Length::Long => Wanted::To(Pointee::Integer(Width::Int)),
        _ => Wanted::To(Pointee::Integer(Width::Char)),
    };
    Some(Some(match letter {
        // glibc's `m` prints the error number.
        b'%' | b'm' => return Some(None),
        b'd' | b'i' | b'u' | b'o' | b'x' | b'X' | b'b' | b'B' => Wanted::Integer(length.promoted()),
        b'c' | b'C' => Wanted::Integer(Width::Int),
        b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G' => match length {
            Length::Big => Wanted::LongDouble,
            _ => Wanted::Float,
        },
        b's' => characters(length),
        b'S' => characters(Length::Long),
        b'p' => Wanted::Pointer,
        b'n' => Wanted::To(Pointee::Integer(length.width())),
        _ => return None,
    }))
}

/// What a conversion of `scanf` takes.
fn stored(letter: u8, length: Length, is_allocated: bool) -> Option<Option<Wanted>> {
    let characters = |length| match length {
        _ if is_allocated => Pointee::Pointer,
        Length::Long => Pointee::Integer(Width::Int),
        _ => Pointee::Integer(Width::Char),
    };
    Some(Some(Wanted::To(match letter {
        b'%' => return Some(None),
        b'd' | b'i' | b'u' | b'o' | b'x' | b'X' | b'b' | b'n' => Pointee::Integer(length.width()),
        b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G' => match length {
            Length::Big => Pointee::LongDouble,
            Length::Long => Pointee::Double,
            _ => Pointee::Float,
        },
        b's' | b'c' | b'[' => characters(length),
        b'S' | b'C' => characters(Length::Long),
        b'p' => Pointee::Pointer,
        _ => return None,
    })))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(direction: Direction, format: &str, expected: &[(&str, Wanted, usize)]) {
        let found = directives(format.as_bytes(), direction).expect("a format");
        let found: Vec<(&str, Wanted, usize)> =
            found.iter().map(|it| (it.text.as_str(), it.wants, it.argument)).collect();
        assert_eq!(found, expected, "{format}");
    }

    #[test]
    fn conversions_of_printf() {
        use Width::*;
        let int = Wanted::Integer(Int);
        let text = Wanted::To(Pointee::Integer(Char));
        check(Direction::Output, "", &[]);
        check(Direction::Output, "100%% %m\n", &[]);
        check(Direction::Output, "%d %s", &[("%d", int, 0), ("%s", text, 1)]);
        check(Direction::Output, "%-08.3hhu", &[("%-08.3hhu", int, 0)]);
        check(
            Direction::Output,
            "%*.*f",
            &[("%*", int, 0), ("%*.*", int, 1), ("%*.*f", Wanted::Float, 2)],
        );
        check(
            Direction::Output,
            "%2$s %1$ld",
            &[("%2$s", text, 1), ("%1$ld", Wanted::Integer(Long), 0)],
        );
        check(
            Direction::Output,
            "%zu%Lg",
            &[("%zu", Wanted::Integer(Pointer), 0), ("%Lg", Wanted::LongDouble, 1)],
        );
        check(
            Direction::Output,
            "%ls%hn",
            &[
                ("%ls", Wanted::To(Pointee::Integer(Int)), 0),
                ("%hn", Wanted::To(Pointee::Integer(Short)), 1),
            ],
        );
        for format in ["%", "50%", "%y", "%-", "%l", "%5.", "% \n"] {
            assert!(directives(format.as_bytes(), Direction::Output).is_err(), "{format}");
        }
    }

    #[test]
    fn conversions_of_scanf() {
        use Width::*;
        let text = Wanted::To(Pointee::Integer(Char));
        check(Direction::Input, "%*d %hhd", &[("%hhd", Wanted::To(Pointee::Integer(Char)), 0)]);
        check(Direction::Input, "%9s%[^]a-z]%%", &[("%9s", text, 0), ("%[^]a-z]", text, 1)]);
        check(
            Direction::Input,
            "%f%lf%Lf",
            &[
                ("%f", Wanted::To(Pointee::Float), 0),
                ("%lf", Wanted::To(Pointee::Double), 1),
                ("%Lf", Wanted::To(Pointee::LongDouble), 2),
            ],
        );
        check(
            Direction::Input,
            "%ms%p%jd",
            &[
                ("%ms", Wanted::To(Pointee::Pointer), 0),
                ("%p", Wanted::To(Pointee::Pointer), 1),
                ("%jd", Wanted::To(Pointee::Integer(LongLong)), 2),
            ],
        );
        for format in ["%", "%[a", "%y", "%*", "%[]"] {
            assert!(directives(format.as_bytes(), Direction::Input).is_err(), "{format}");
        }
    }
}
