//! The checks of signed overflow, divisions and shifts against gcc's sanitizer: the same first error in
//! the same line, or none. `RAVELIN_SEEDS=0..2000` compares more programs.

use ravelin_base::DataModel;
use ravelin_testkit::arithmetic::{End, end_of_automaton, ends_of_gcc, program};
use ravelin_testkit::gcc::Gcc;
use ravelin_testkit::tier;

/// Programs that one call of gcc compiles.
const BATCH: usize = 40;

#[test]
fn the_first_error_is_that_of_the_sanitizer() {
    if !Gcc::is_available(DataModel::Lp64) {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("program.c");
    let mut failures = Vec::new();
    let (mut clean, mut errors, mut open) = (0, 0, 0);
    let seeds = tier::seeds(0..400, 0..2_000);
    for batch in seeds.chunks(BATCH) {
        let sources: Vec<String> = batch.iter().map(|&seed| program(seed)).collect();
        let ends = ends_of_gcc(&sources).unwrap();
        for ((seed, source), expected) in batch.iter().zip(&sources).zip(ends) {
            std::fs::write(&path, source).unwrap();
            let found = end_of_automaton(&path);
            match (&expected, &found) {
                (Ok(None), Ok(None)) => clean += 1,
                (Ok(Some(one)), Ok(Some(other))) if one == other => errors += 1,
                // C leaves open which operand is evaluated first.
                (Ok(Some((_, line))), Ok(Some((_, same)))) if line == same => open += 1,
                (_, _) => failures.push(report(*seed, source, &expected, &found)),
            }
        }
    }
    println!("{clean} programs without error, {errors} with one, {open} with several in a line");
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
    if seeds.len() >= 100 {
        assert!(clean * 20 > seeds.len() && errors * 2 > seeds.len() && open * 20 < seeds.len());
    }
}

fn report(
    seed: u64,
    source: &str,
    expected: &Result<End, String>,
    found: &Result<End, String>,
) -> String {
    let shown = |end: &Result<End, String>| match end {
        Ok(Some((kind, line))) => {
            let text = source.lines().nth(*line as usize - 1).unwrap_or("");
            format!("{} in line {line}, {}", kind.name(), text.trim())
        }
        Ok(None) => "no error".to_owned(),
        Err(message) => message.clone(),
    };
    format!("seed {seed}: gcc: {}; automaton: {}", shown(expected), shown(found))
}
