//! What comments in Goblint's regression tests say of its checks.

use super::tests::Expectation;
use crate::sets::Answer;

const CHECK: &str = "__goblint_check(";

/// What the checks of a program say; None without any.
///
/// A check without a comment must be proved. `FAIL` says that it fails, `UNKNOWN!` that it holds in some executions
/// and fails in others, `UNKNOWN` that the analyser does not know, and `TODO` that it should.
pub fn expectation(text: &str) -> Option<Expectation> {
    let checks: Vec<&str> =
        text.lines().filter_map(|line| line.split_once(CHECK)).map(|it| it.1).collect();
    if checks.is_empty() {
        return None;
    }
    let comment = |check: &&str| match (check.split_once("//"), check.split_once("/*")) {
        (Some((_, comment)), _) | (None, Some((_, comment))) => comment.to_owned(),
        (None, None) => String::new(),
    };
    let comments: Vec<String> = checks.iter().map(comment).collect();
    let says = |word: &str| comments.iter().any(|comment| comment.contains(word));
    Some(if says("FAIL") || says("UNKNOWN!") {
        Expectation::Answer(Answer::False)
    } else if says("UNKNOWN") {
        Expectation::Other("a check that Goblint does not decide".to_owned())
    } else {
        Expectation::Answer(Answer::True)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_say_what_is_expected() {
        let check = |text: &str, expected| assert_eq!(expectation(text), expected, "{text}");
        let answer = |answer| Some(Expectation::Answer(answer));
        check("int main(void) { return 0; } // FAIL", None);
        check("__goblint_check(x == 1);\n__goblint_check(y); // TODO\n", answer(Answer::True));
        check("__goblint_check(x == 1); // FAIL!\n", answer(Answer::False));
        check(
            "__goblint_check(x == 1);\n__goblint_check(x == 2); /* UNKNOWN! */",
            answer(Answer::False),
        );
        let other = expectation("__goblint_check(x == 1); //UNKNOWN (intervals)\n");
        assert!(matches!(other, Some(Expectation::Other(_))));
    }
}
