//! What comments in Goblint's regression tests say of its checks.

use super::tests::Expectation;
use crate::sets::Answer;

const CHECK: &str = "__goblint_check(";

/// Options of the analyser that make another program of a file, or give it another meaning: other entries, and what
/// calls and memory may do.
const OTHER_MEANING: &[&str] = &[
    "allfuns",
    "exitfun",
    "mainfun",
    "otherfun",
    "exp.globs_are_top",
    "sem.atexit.ignore",
    "sem.malloc.fail",
    "sem.malloc.zero",
    "sem.noreturn.dead_code",
];

/// What the checks of a program say; None without any.
///
/// A check without a comment must be proved. `FAIL` says that it fails, `UNKNOWN!` that it holds in some executions
/// and fails in others, `UNKNOWN` that the analyser does not know, and `TODO` that it should.
pub fn expectation(text: &str) -> Option<Expectation> {
    let is_declaration = |line: &&str| line.trim_start().starts_with("extern ");
    let lines: Vec<&str> =
        text.lines().filter(|line| line.contains(CHECK) && !is_declaration(line)).collect();
    if lines.is_empty() {
        return None;
    }
    let options = text.lines().find(|line| line.contains("PARAM:")).unwrap_or_default();
    if let Some(option) = OTHER_MEANING.iter().find(|option| options.contains(**option)) {
        return Some(Expectation::Other(format!("option {option}")));
    }
    if lines.iter().any(|line| line.trim_start().starts_with('#')) {
        return Some(Expectation::Other("checks in a macro".to_owned()));
    }
    let checks: Vec<&str> =
        lines.iter().filter_map(|line| line.split_once(CHECK)).map(|it| it.1).collect();
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
        let entry = "// SKIP PARAM: --set otherfun '[\"f\"]'\n__goblint_check(x == 1);\n";
        check(entry, Some(Expectation::Other("option otherfun".to_owned())));
        let hidden = "extern void __goblint_check(_Bool);\n#define check(x) __goblint_check(x)\n";
        check(hidden, Some(Expectation::Other("checks in a macro".to_owned())));
    }
}
