//! Code for any hash function, from the list of the library.

/// Evaluates an expression with the type of a hash function and its calls for one message and for batches, and another expression
/// for SHAKE.
macro_rules! with_hash {
    ($algorithm:expr, ($Hash:ident, $digest:ident, $many:ident) => $do:expr, else $else:expr) => {
        ropewalk::hash_functions! { $crate::hash::with_hash! { @
            $algorithm, ($Hash, $digest, $many) => $do, else $else;
        } }
    };
    (@
        $algorithm:expr, ($Hash:ident, $digest:ident, $many:ident) => $do:expr, else $else:expr;
        $( $Type:ident $Many:ident $name:literal $title:literal $module:ident $feature:literal $other:tt $lists:tt
            ($call:ident $call_many:ident) $hmac:tt; )+
    ) => {
        match $algorithm {
            $( ropewalk::hash::Algorithm::$Type => {
                #[allow(dead_code, reason = "not every caller uses all")]
                type $Hash = ropewalk::$module::$Type;
                #[allow(unused_imports, reason = "not every caller uses all")]
                use ropewalk::$module::{$call as $digest, $call_many as $many};
                $do
            } )+
            _ => $else,
        }
    };
}
pub(crate) use with_hash;
