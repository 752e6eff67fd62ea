//! Answers that can be compared: how long a question took differs from run to run.

/// An answer without the times of questions.
pub fn without_times(text: &str) -> String {
    let mut all = String::new();
    for line in text.split_inclusive('\n') {
        let time = line.strip_suffix(" s)\n").and_then(|rest| rest.rsplit_once(" ("));
        match time.filter(|(_, seconds)| seconds.parse::<f64>().is_ok()) {
            Some((verdict, _)) => all.extend([verdict, "\n"]),
            None => all.push_str(line),
        }
    }
    all
}
