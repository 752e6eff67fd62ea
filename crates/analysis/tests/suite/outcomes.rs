//! How programs with threads end: what the interpreter found by trying every schedule, against every
//! reduction of the analysis in every domain.
//!
//! A fixture that returns one of some numbers from `main` becomes one program for each number, in which
//! returning it is the error: it has to be reachable for the numbers in the fixture's list, and not for
//! the others. A question meets some of the configurations, in the exhaustive tier all of them.

use std::collections::BTreeMap;

use ravelin_analysis::config::Config;
use ravelin_base::DataModel;
use ravelin_cfa::Program;
use ravelin_testkit::fixture::{Fixture, fixtures};
use ravelin_testkit::tier;

use crate::configurations::REDUCTIONS;
use crate::support::{
    Answer, DOMAINS, build_text, command_for_text, decide, on_all, prepare, root, seconds,
};

/// In the quick tier, a question meets every so many configurations: the next question begins with the next of them,
/// and no domain is left out.
const STRIDE: usize = 11;

/// A program in which it is an error to return this number.
struct Question {
    name: String,
    number: u32,
    is_outcome: bool,
    text: String,
    program: Program,
}

/// The questions about a fixture, if it ends by returning numbers from `main` and in no other way.
fn questions(fixture: &Fixture) -> Vec<Question> {
    let text = fixture.text().expect("the fixture can be read");
    let numbers: Option<Vec<u32>> =
        fixture.outcomes.iter().flatten().map(|outcome| outcome.parse().ok()).collect();
    let Some(numbers) = numbers.filter(|numbers| !numbers.is_empty()) else { return Vec::new() };
    let leaves_otherwise = ["exit(", "int main(int"].iter().any(|word| text.contains(word));
    if leaves_otherwise || !text.contains("int main(void)") || !fixture.parts.is_empty() {
        return Vec::new();
    }
    let largest = numbers.iter().copied().max().unwrap_or(0);
    // One that is not in the list beside all that are.
    let other = (0..=largest + 1).rev().find(|number| !numbers.contains(number));
    let name = fixture.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let body = text.replace("int main(void)", "static int program(void)");
    let ask = |number: u32| {
        let text = format!(
            "{body}\nextern void reach_error(void);\n\
             int main(void) {{ if (program() == {number}) reach_error(); return 0; }}\n"
        );
        Question {
            name: name.clone(),
            number,
            is_outcome: numbers.contains(&number),
            program: build_text(&text, DataModel::Lp64),
            text,
        }
    };
    numbers.iter().copied().chain(other).map(ask).collect()
}

#[test]
fn every_reduction_leaves_the_outcomes_as_they_are() {
    let found = fixtures(&root().join("tests/c/concurrency")).expect("the fixtures can be read");
    let asked: Vec<Question> = found.iter().flat_map(questions).collect();
    let mut names: Vec<&str> = asked.iter().map(|question| question.name.as_str()).collect();
    names.dedup();
    assert!(names.len() >= 40, "only {} fixtures return numbers", names.len());
    let stride = tier::pick(STRIDE, 1);
    let runs: Vec<(usize, Config)> = (0..asked.len())
        .flat_map(|question| {
            let configurations = REDUCTIONS.iter().flat_map(move |&(reduction, statements)| {
                DOMAINS.iter().map(move |&domain| {
                    (question, Config { domain, reduction, statements, ..Config::default() })
                })
            });
            configurations.skip(question % stride).step_by(stride)
        })
        .collect();
    let answers = on_all(&runs, |(question, config)| {
        let ready = prepare(&asked[*question].program, config);
        decide(&ready, config, seconds(0.2))
    });
    let mut wrong = Vec::new();
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for ((question, config), answer) in runs.iter().zip(&answers) {
        let Question { name, number, is_outcome, text, .. } = &asked[*question];
        let is_wrong = match answer {
            Answer::True => *is_outcome,
            Answer::False => !is_outcome,
            Answer::Unknown(_) => false,
        };
        if is_wrong {
            let file = format!("{name}-returns-{number}");
            let command = command_for_text(&file, text, DataModel::Lp64, config);
            wrong.push(format!("{name} returns {number}: {answer}\n  {command}"));
        }
        let key = format!("{:?} {:?} {:?}", config.domain, config.reduction, config.statements);
        let (decided, all) = counts.entry(key).or_default();
        *decided += usize::from(!matches!(answer, Answer::Unknown(_)));
        *all += 1;
    }
    for (key, (decided, all)) in &counts {
        println!("{key}: {decided} of {all} answered");
    }
    assert!(wrong.is_empty(), "WRONG VERDICTS\n{}", wrong.join("\n"));
    let (decided, all) =
        counts.values().fold((0, 0), |sum, counts| (sum.0 + counts.0, sum.1 + counts.1));
    assert!(decided * 2 > all, "only {decided} of {all} are answered");
}
