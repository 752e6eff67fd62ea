//! Integers that an address went into, and others.

use ravelin_base::{Budget, DataModel};
use ravelin_pointsto::{Analysis, Fields, Options, Structs, analyse};

#[test]
fn integers_without_addresses_are_known_as_such() {
    let text = "
extern unsigned long __VERIFIER_nondet_ulong(void);
static unsigned long counter, input, address, product, mixed;
int main(void) {
    int x = 1;
    counter++;
    input = __VERIFIER_nondet_ulong() * 3 + counter;
    address = (unsigned long)&x;
    product = address * 3;
    mixed = counter + product / 3;
    return *(int *)mixed;
}
";
    let built = ravelin_frontend::build_text("numbers.c", text, DataModel::Lp64);
    let program = built.expect("it is C").program;
    for analysis in [Analysis::Andersen, Analysis::Steensgaard] {
        let options = Options {
            analysis,
            fields: Fields::Sensitive,
            structs: Structs::ByVariable,
            context: 0,
            indices_wrap: true,
        };
        let result = analyse(&program, &options, &mut Budget::unlimited()).expect("unlimited");
        let of = |name: &str| {
            let var = program.vars.iter().find(|(_, data)| program.name(data.name) == name);
            result.of_var(var.unwrap_or_else(|| panic!("no variable '{name}'")).0)
        };
        for name in ["counter", "input"] {
            let set = of(name);
            // Unification takes what meets in one sum for one.
            let is_known = !set.may_be_any_address() || analysis == Analysis::Steensgaard;
            assert!(set.is_unknown() && is_known, "{analysis:?} {name}");
        }
        assert!(!of("address").is_unknown(), "{analysis:?}");
        for name in ["product", "mixed"] {
            assert!(of(name).may_be_any_address(), "{analysis:?} {name}");
        }
    }
}
