//! Verifies a program that is given as a text: first with an error, then repaired.

use std::time::Duration;

use ravelin_verifier::{Failure, Input, Verdict, Verifier};

const TEXT: &str = r#"
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned low = __VERIFIER_nondet_uint(), high = __VERIFIER_nondet_uint();
    if (low < high)
        assert(low <= (low + high) / 2);
}
"#;

pub fn main() -> Result<(), Failure> {
    let verifier = Verifier { timeout: Some(Duration::from_secs(60)), ..Verifier::default() };
    let repaired = TEXT.replace("(low + high) / 2", "low + (high - low) / 2");
    for text in [TEXT, &repaired] {
        let answer = verifier.verify(&Input::text("middle.c", text))?;
        match answer.verdict {
            Verdict::True(_) => println!("proved"),
            Verdict::False(violation) => print!("{}", violation.trace),
            Verdict::Unknown(reason) => println!("no answer: {reason}"),
        }
    }
    Ok(())
}
