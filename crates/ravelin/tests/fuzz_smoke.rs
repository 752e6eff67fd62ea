//! A small, deterministic version of the fuzz target in `fuzz/`: programs of the repository, changed
//! at random, must not upset the front end.

#[path = "../../../fuzz/check.rs"]
mod check;

use std::fs;
use std::path::{Path, PathBuf};

use check::check;

/// SplitMix64 (Steele, Lea, Flood 2014).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound.max(1) as u64) as usize
    }
}

/// All programs of the repository that need no preprocessing once their includes are dropped.
fn programs() -> Vec<Vec<u8>> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let mut paths = Vec::new();
    collect(&root.join("examples"), &mut paths);
    collect(&root.join("tests/c"), &mut paths);
    paths.sort();
    let mut programs = Vec::new();
    for path in paths {
        let text = String::from_utf8_lossy(&fs::read(&path).expect("readable")).into_owned();
        let lines: Vec<&str> =
            text.lines().filter(|line| !line.trim_start().starts_with('#')).collect();
        programs.push(lines.join("\n").into_bytes());
    }
    programs
}

fn collect(dir: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).expect("a directory of the repository") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            collect(&path, paths);
        } else if path.extension().is_some_and(|extension| extension == "c") {
            paths.push(path);
        }
    }
}

/// The tokens of the fuzzer's dictionary that need no escape in it.
fn dictionary() -> Vec<Vec<u8>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/c.dict");
    let text = fs::read_to_string(path).expect("readable");
    let token = |line: &str| line.strip_prefix('"')?.strip_suffix('"').map(str::to_owned);
    text.lines()
        .filter(|line| !line.contains('\\'))
        .filter_map(token)
        .map(|token| format!(" {token} ").into_bytes())
        .collect()
}

/// Changes a program in one to four places: a token is inserted, or a stretch is dropped, doubled,
/// overwritten or replaced by one of another program.
fn mutate(
    random: &mut Random,
    program: &[u8],
    programs: &[Vec<u8>],
    dictionary: &[Vec<u8>],
) -> Vec<u8> {
    let mut text = program.to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(text.len());
        let end = (at + random.below(40)).min(text.len());
        let replacement = match random.below(5) {
            0 => dictionary[random.below(dictionary.len())].clone(),
            1 => Vec::new(),
            2 => text[at..end].repeat(2),
            3 => (at..end).map(|_| random.below(256) as u8).collect(),
            _ => {
                let other = &programs[random.below(programs.len())];
                let from = random.below(other.len());
                other[from..(from + random.below(60)).min(other.len())].to_vec()
            }
        };
        let end = if random.below(2) == 0 { at } else { end };
        text.splice(at..end, replacement);
    }
    text
}

#[test]
fn mutated_programs_are_answered() {
    const MUTANTS: usize = 5_000;
    let (programs, dictionary) = (programs(), dictionary());
    let mut random = Random(20_240_229);
    let mut taken = 0;
    for round in 0..MUTANTS {
        let program = &programs[random.below(programs.len())];
        let text = mutate(&mut random, program, &programs, &dictionary);
        let result = std::panic::catch_unwind(|| check(&text));
        let Ok(is_taken) = result else {
            let file = std::env::temp_dir().join("ravelin-fuzz-smoke.i");
            fs::write(&file, &text).expect("writable");
            panic!("mutant {round} failed; it is in {}", file.display());
        };
        taken += usize::from(is_taken);
    }
    // Were all rejected as no C, nothing but the parser would have been tested.
    assert!(taken > MUTANTS / 20, "only {taken} of {MUTANTS} mutants were taken");
    assert!(taken < MUTANTS, "no mutant was rejected");
}

#[test]
fn programs_themselves_are_answered() {
    let taken = programs().iter().filter(|program| check(program)).count();
    assert!(taken > 50, "only {taken} programs were taken");
}
