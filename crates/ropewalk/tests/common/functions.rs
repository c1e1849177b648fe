//! The hash functions, for tests outside the nets.

/// Calls a test for each hash function whose output has one length; `with its list`, for each that is a primitive; `of many`, for
/// each type for many messages, with its list.
#[allow(unused_macros, reason = "each test program uses a part of it")]
macro_rules! each_hash_function {
    ($test:ident) => {
        ropewalk::hash_functions! { each_hash_function! { @one $test } }
    };
    ($test:ident with its list) => {
        ropewalk::merkle_damgard_functions! { each_hash_function! { @listed $test } }
    };
    ($test:ident of many) => {
        ropewalk::hash_functions! { each_hash_function! { @many $test } }
    };
    (@one $test:ident $( $Hash:ident $Many:ident $name:literal $title:literal $module:ident $feature:literal
        $other:tt $lists:tt $calls:tt $hmac:tt; )+) => {
        $( $test::<ropewalk::$module::$Hash>(); )+
    };
    (@listed $test:ident $( $Hash:ident $Many:ident $name:literal $title:literal $module:ident $feature:literal
        $other:tt ($one:ident $many:ident) $calls:tt $hmac:tt; )+) => {
        $( $test::<ropewalk::$module::$Hash>(&ropewalk::$module::$one); )+
    };
    (@many $test:ident $( $Hash:ident $Many:ident $name:literal $title:literal $module:ident $feature:literal
        $other:tt ($one:ident $many:ident) $calls:tt $hmac:tt; )+) => {
        $( $test::<ropewalk::$module::$Many>(&ropewalk::$module::$many); )+
    };
}
