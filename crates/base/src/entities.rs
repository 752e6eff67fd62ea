//! Typed indices: the macro with which every crate declares those of its arenas.

/// Declares typed `u32` indices, each with the prefix of its numbers in text: `entities! { pub
/// struct Proc("p"); }` prints the first one as `p0`.
#[macro_export]
macro_rules! entities {
    ($($(#[$meta:meta])* $vis:vis struct $name:ident($prefix:literal);)+) => {
        $(
            $(#[$meta])*
            #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
            $vis struct $name(u32);
            $crate::entity_impl!($name, $prefix);
        )+
    };
}
