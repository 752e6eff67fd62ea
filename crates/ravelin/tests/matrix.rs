//! The configurations that the tests of the analysis try can be asked for on the command line, so that the commands that
//! these tests print can be pasted.

#[path = "../../analysis/tests/suite/configurations.rs"]
mod configurations;

use std::collections::BTreeSet;
use std::process::Command;

use configurations::{
    CORNERS, DOMAINS, ENCODINGS, METHODS, REDUCTIONS, VARIANT_COUNT, configuration, covering,
    describe, reducing, with_pointers,
};
use ravelin_testkit::tier;

#[test]
fn every_configuration_can_be_asked_for() {
    let mut asked: BTreeSet<String> = BTreeSet::new();
    asked.extend(covering().iter().chain(&with_pointers()).map(describe));
    if tier::is_exhaustive() {
        for corner in 0..CORNERS {
            asked.extend((0..VARIANT_COUNT).map(|it| describe(&configuration(corner, it))));
        }
    }
    for domain in 0..DOMAINS.len() {
        for encoding in 0..ENCODINGS.len() {
            asked.extend((0..REDUCTIONS.len()).map(|it| describe(&reducing(domain, encoding, it))));
        }
    }
    assert!(asked.len() > METHODS.len() * VARIANT_COUNT, "{}", asked.len());
    for options in asked {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ravelin"));
        let ran = command.arg("no-such-file.c").args(options.split(' ')).output();
        let ran = ran.expect("the binary runs");
        // Options that cannot be understood, and those without effect, are found before the file is looked for.
        assert_eq!(
            ran.status.code(),
            Some(3),
            "{options}\n{}",
            String::from_utf8_lossy(&ran.stderr)
        );
    }
}
