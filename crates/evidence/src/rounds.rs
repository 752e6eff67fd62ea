//! Repetitions in a sequence: the rounds of a loop.

/// A part of a folded sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// This element.
    Line(usize),
    /// This many rounds are left out, the first of which begins with this element.
    More { rounds: usize, at: usize },
}

/// No round has more elements.
const MAX_ROUND: usize = 64;

/// Of rounds in a row, this many are kept at the beginning and at the end.
const KEPT_FIRST: usize = 2;
const KEPT_LAST: usize = 1;

/// Fewer rounds than this are not left out: the note would say less than the rounds.
const MIN_LEFT_OUT: usize = 2;

/// Folds repetitions. Rounds that are kept are folded again, for they may have rounds inside.
pub(crate) fn fold<T: PartialEq>(sequence: &[T]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    fold_from(sequence, 0, &mut pieces);
    pieces
}

/// Folds a part of a sequence that begins at `start`.
fn fold_from<T: PartialEq>(part: &[T], start: usize, pieces: &mut Vec<Piece>) {
    let mut at = 0;
    while at < part.len() {
        let Some((round, rounds)) = repetition(&part[at..]) else {
            pieces.push(Piece::Line(start + at));
            at += 1;
            continue;
        };
        let left_out = rounds - KEPT_FIRST - KEPT_LAST;
        let end = at + round * rounds;
        let (first, last) = (at + round * KEPT_FIRST, end - round * KEPT_LAST);
        fold_from(&part[at..first], start + at, pieces);
        pieces.push(Piece::More { rounds: left_out, at: start + first });
        fold_from(&part[last..end], start + last, pieces);
        at = end;
    }
}

/// The length and number of the rounds that the sequence begins with, if they are worth folding: of
/// several ways to see it, the one with the shortest rounds.
fn repetition<T: PartialEq>(sequence: &[T]) -> Option<(usize, usize)> {
    let longest = MAX_ROUND.min(sequence.len() / 2);
    (1..=longest).find_map(|round| {
        let same = sequence.iter().zip(&sequence[round..]).take_while(|(a, b)| a == b).count();
        let rounds = 1 + same / round;
        (rounds >= KEPT_FIRST + KEPT_LAST + MIN_LEFT_OUT).then_some((round, rounds))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(sequence: &str, expected: &str) {
        let elements: Vec<char> = sequence.chars().collect();
        let mut text = String::new();
        for piece in fold(&elements) {
            match piece {
                Piece::Line(at) => text.push(elements[at]),
                Piece::More { rounds, at } => text += &format!("<{rounds} of {}>", elements[at]),
            }
        }
        assert_eq!(text, expected, "{sequence}");
    }

    #[test]
    fn rounds_are_counted() {
        check("", "");
        check("abc", "abc");
        check("xababababababay", "xabab<3 of a>abay");
        check("aaaaaaaaaa", "aa<7 of a>a");
    }

    #[test]
    fn a_few_rounds_are_kept() {
        check("abababab", "abababab");
        check("ababababab", "abab<2 of a>ab");
    }

    #[test]
    fn rounds_inside_rounds_are_counted() {
        let round = "abbbbbbbbc";
        let folded = "abb<5 of b>bc";
        check(&round.repeat(8), &format!("{folded}{folded}<5 of a>{folded}"));
    }

    #[test]
    fn all_elements_are_accounted_for() {
        let sequence: Vec<u8> = (0..1000u32).map(|i| (i * i % 7 % 3) as u8).collect();
        let mut at = 0;
        let mut left_out = 0;
        for piece in fold(&sequence) {
            match piece {
                Piece::Line(line) if line == at => at += 1,
                Piece::Line(line) => {
                    assert!(line > at);
                    left_out += line - at;
                    at = line + 1;
                }
                Piece::More { rounds, .. } => assert!(rounds >= MIN_LEFT_OUT),
            }
        }
        assert_eq!(at, sequence.len());
        assert!(left_out > 0);
    }
}
