//! The names of atomic accesses: gcc's `__sync_*` and `__atomic_*`, and those of `<stdatomic.h>`
//! (gcc's header defines these as macros over `__atomic_*`, so they occur only without it).

use super::intrinsic::{
    Atomic, AtomicAction, Intrinsic, Operands, Strength, SwapResult, UpdateOp, UpdateResult,
};
use super::{Model, ResultIs};

/// All accesses are sequentially consistent, so a fence adds nothing.
const FENCE: Model = Model::NoEffect(ResultIs::Zero);

/// Lock-free on x86: objects of all sizes that occur in practice.
const LOCK_FREE: Model = Model::NoEffect(ResultIs::One);

/// The meaning of the atomic function of this name.
pub(super) fn lookup(name: &str) -> Option<Model> {
    if let Some(rest) = name.strip_prefix("__atomic_") {
        gnu_atomic(rest)
    } else if let Some(rest) = name.strip_prefix("__sync_") {
        gnu_sync(rest)
    } else if let Some(rest) = name.strip_prefix("__c11_atomic_") {
        standard_atomic(rest)
    } else {
        standard_atomic(name.strip_prefix("atomic_")?)
    }
}

fn gnu_atomic(name: &str) -> Option<Model> {
    match name {
        "thread_fence" | "signal_fence" => return Some(FENCE),
        "always_lock_free" | "is_lock_free" => return Some(LOCK_FREE),
        "test_and_set" => return Some(access(AtomicAction::TestAndSet, Operands::Values, None)),
        "clear" => return Some(access(AtomicAction::Clear, Operands::Values, None)),
        _ => {}
    }
    let (name, width) = strip_width(name);
    let (name, by_value) = match name.strip_suffix("_n") {
        Some(name) => (name, true),
        None => (name, width.is_some()),
    };
    let operands = if by_value { Operands::Values } else { Operands::Pointers };
    let action = match name {
        "load" => AtomicAction::Load,
        "store" => AtomicAction::Store,
        "exchange" => AtomicAction::Exchange,
        // The functions with a size in their names have no argument for it.
        "compare_exchange" => AtomicAction::CompareExchange(match width {
            Some(_) => Strength::Strong,
            None => Strength::Argument(3),
        }),
        _ => {
            let (op, result) = if let Some(op) = name.strip_prefix("fetch_") {
                (op, UpdateResult::Old)
            } else {
                (name.strip_suffix("_fetch")?, UpdateResult::New)
            };
            let action = AtomicAction::Update { op: update_op(op)?, result };
            return Some(access(action, Operands::Values, width));
        }
    };
    Some(access(action, operands, width))
}

fn gnu_sync(name: &str) -> Option<Model> {
    if name == "synchronize" {
        return Some(FENCE);
    }
    let (name, width) = strip_width(name);
    let action = match name {
        "lock_test_and_set" => AtomicAction::Exchange,
        "lock_release" => AtomicAction::StoreZero,
        "bool_compare_and_swap" => AtomicAction::CompareSwap { result: SwapResult::Success },
        "val_compare_and_swap" => AtomicAction::CompareSwap { result: SwapResult::Old },
        _ => {
            let (op, result) = if let Some(op) = name.strip_prefix("fetch_and_") {
                (op, UpdateResult::Old)
            } else {
                (name.strip_suffix("_and_fetch")?, UpdateResult::New)
            };
            AtomicAction::Update { op: llvm_op(name, op).or_else(|| update_op(op))?, result }
        }
    };
    Some(access(action, Operands::Values, width))
}

/// LLVM has more updates than gcc, of numbers of one size.
fn llvm_op(name: &str, op: &str) -> Option<UpdateOp> {
    name.starts_with("fetch_and_").then_some(match op {
        "max" => UpdateOp::Max,
        "min" => UpdateOp::Min,
        "umax" => UpdateOp::UnsignedMax,
        "umin" => UpdateOp::UnsignedMin,
        _ => return None,
    })
}

fn standard_atomic(name: &str) -> Option<Model> {
    let action = match name.strip_suffix("_explicit").unwrap_or(name) {
        "thread_fence" | "signal_fence" => return Some(FENCE),
        "is_lock_free" => return Some(LOCK_FREE),
        "init" | "store" => AtomicAction::Store,
        "load" => AtomicAction::Load,
        "exchange" => AtomicAction::Exchange,
        "compare_exchange_strong" => AtomicAction::CompareExchange(Strength::Strong),
        "compare_exchange_weak" => AtomicAction::CompareExchange(Strength::Weak),
        "flag_test_and_set" => AtomicAction::TestAndSet,
        "flag_clear" => AtomicAction::Clear,
        name => {
            let op = update_op(name.strip_prefix("fetch_")?)?;
            AtomicAction::Update { op, result: UpdateResult::Old }
        }
    };
    Some(access(action, Operands::Values, None))
}

fn access(action: AtomicAction, operands: Operands, width: Option<u8>) -> Model {
    Model::Intrinsic(Intrinsic::Atomic(Atomic { action, operands, width }))
}

/// Splits off the size in bytes that names of library functions such as `__atomic_load_4` end in.
fn strip_width(name: &str) -> (&str, Option<u8>) {
    let sizes = [("_16", 16), ("_1", 1), ("_2", 2), ("_4", 4), ("_8", 8)];
    sizes
        .iter()
        .find_map(|&(suffix, size)| Some((name.strip_suffix(suffix)?, Some(size))))
        .unwrap_or((name, None))
}

fn update_op(name: &str) -> Option<UpdateOp> {
    Some(match name {
        "add" => UpdateOp::Add,
        "sub" => UpdateOp::Sub,
        "and" => UpdateOp::And,
        "or" => UpdateOp::Or,
        "xor" => UpdateOp::Xor,
        "nand" => UpdateOp::Nand,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, action: AtomicAction, operands: Operands, width: Option<u8>) {
        assert_eq!(lookup(name), Some(access(action, operands, width)), "{name}");
    }

    #[test]
    fn generic_and_sized_forms_differ_in_their_operands() {
        check("__atomic_load", AtomicAction::Load, Operands::Pointers, None);
        check("__atomic_load_n", AtomicAction::Load, Operands::Values, None);
        check("__atomic_load_8", AtomicAction::Load, Operands::Values, Some(8));
        check("__atomic_store_16", AtomicAction::Store, Operands::Values, Some(16));
        check("atomic_load_explicit", AtomicAction::Load, Operands::Values, None);
        let exchange = AtomicAction::CompareExchange(Strength::Argument(3));
        check("__atomic_compare_exchange", exchange, Operands::Pointers, None);
        check("__atomic_compare_exchange_n", exchange, Operands::Values, None);
        let sized = AtomicAction::CompareExchange(Strength::Strong);
        check("__atomic_compare_exchange_4", sized, Operands::Values, Some(4));
        let weak = AtomicAction::CompareExchange(Strength::Weak);
        check("atomic_compare_exchange_weak_explicit", weak, Operands::Values, None);
    }

    #[test]
    fn updates_give_the_old_or_the_new_value() {
        let old = AtomicAction::Update { op: UpdateOp::Add, result: UpdateResult::Old };
        let new = AtomicAction::Update { op: UpdateOp::Add, result: UpdateResult::New };
        check("__atomic_fetch_add", old, Operands::Values, None);
        check("__atomic_add_fetch_4", new, Operands::Values, Some(4));
        check("__sync_fetch_and_add", old, Operands::Values, None);
        check("__sync_add_and_fetch_2", new, Operands::Values, Some(2));
        check("atomic_fetch_add", old, Operands::Values, None);
        check("__c11_atomic_fetch_add", old, Operands::Values, None);
    }

    #[test]
    fn lock_release_clears_the_whole_object() {
        check("__sync_lock_release", AtomicAction::StoreZero, Operands::Values, None);
        check("__atomic_clear", AtomicAction::Clear, Operands::Values, None);
        check("atomic_flag_clear_explicit", AtomicAction::Clear, Operands::Values, None);
    }

    #[test]
    fn kernel_functions_are_not_taken_for_standard_ones() {
        for name in ["atomic_read", "atomic_set", "atomic_inc", "atomic_add_unless", "atomic_add"] {
            assert_eq!(lookup(name), None, "{name}");
        }
    }
}
