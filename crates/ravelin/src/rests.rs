//! Functions without body and model that an answer depends on, as text.

use ravelin_cfa::Assumed;
use ravelin_report::model::External;
use ravelin_verifier::ExternalFunction;

/// The maximum number of names without `-v`.
const MAX_NAMES: usize = 8;

/// The assumption about a function, after its name.
fn assumed(assumed: Assumed) -> &'static str {
    match assumed {
        Assumed::Havoc => "any result, any contents of what its pointers reach (A19)",
        Assumed::Callbacks | Assumed::ThroughPointer => {
            "any result, any contents of what its pointers reach; it calls nothing that matters (A19)"
        }
        Assumed::NoModel => {
            "no model: any result, any contents of what its pointers reach, any errno; \
             no counterexample passes it (A19)"
        }
    }
}

/// A function as pages and machines get it.
pub fn told(function: &ExternalFunction) -> External {
    let ExternalFunction { name, place, assumed: what, calls } = function;
    External {
        name: name.clone(),
        place: place.clone(),
        calls: *calls,
        assumed: assumed(*what).to_owned(),
    }
}

/// A function in a sentence.
pub fn sentence(External { name, place, assumed, .. }: &External) -> String {
    format!("{name}, called at {place}, has no body: {assumed}.")
}

/// Complete lines for people; empty if the answer depends on no such function.
pub fn lines(functions: &[External], is_verbose: bool) -> String {
    let count = match functions {
        [] => return String::new(),
        [_] => "1 function".to_owned(),
        _ => format!("{} functions", functions.len()),
    };
    if is_verbose {
        let mut text = format!("ravelin: rests on {count} without body:\n");
        for External { name, place, calls, assumed } in functions {
            let calls = if *calls == 1 { String::new() } else { format!(", {calls} calls") };
            text += &format!("ravelin:   {name} at {place}{calls}: {assumed}\n");
        }
        return text;
    }
    let shown = functions.iter().take(MAX_NAMES);
    let mut names: Vec<String> = shown.map(|it| format!("{} ({})", it.name, it.place)).collect();
    if functions.len() > MAX_NAMES {
        names.push(format!("and {} more", functions.len() - MAX_NAMES));
    }
    format!(
        "ravelin: rests on {count} without body, which may give any result and change what their pointers reach \
         (A19; -v tells more): {}\n",
        names.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn functions(count: usize) -> Vec<External> {
        let function = |number: usize| ExternalFunction {
            name: format!("f{number}"),
            place: format!("a.c:{}:5", number + 1),
            assumed: Assumed::Havoc,
            calls: 1 + number % 2,
        };
        (0..count).map(|number| told(&function(number))).collect()
    }

    #[test]
    fn a_few_are_named_and_the_rest_counted() {
        assert_eq!(lines(&[], false), "");
        let one = lines(&functions(1), false);
        assert!(
            one.contains("1 function without body") && one.ends_with("f0 (a.c:1:5)\n"),
            "{one}"
        );
        let many = lines(&functions(11), false);
        assert!(many.contains("f7 (a.c:8:5), and 3 more\n") && !many.contains("f8"), "{many}");
        let all = lines(&functions(11), true);
        assert!(all.contains("f10 at a.c:11:5: any result"), "{all}");
        assert!(all.contains("f1 at a.c:2:5, 2 calls: any result"), "{all}");
    }
}
