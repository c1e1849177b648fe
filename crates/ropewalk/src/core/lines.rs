//! Instructions of x86-64 in an order that compilers do not keep.

/// Writes assembly from lines of an instruction, its operands, and a rotation count, for registers with such names. With a second
/// name, for vectors, lines that begin with `v` use that.
macro_rules! lines {
    ($r:literal $v:literal, $([$($line:tt)+])+; $($operands:tt)+) => {
        core::arch::asm!($(crate::core::lines::line!($r $v $($line)+),)+ $($operands)+)
    };
    ($r:literal, $([$($line:tt)+])+; $($operands:tt)+) => {
        core::arch::asm!($(crate::core::lines::line!($r $($line)+),)+ $($operands)+)
    };
}

macro_rules! line {
    ($r:literal $v:literal v $op:ident $to:ident $from:ident $by:literal) => {
        concat!("v", stringify!($op), " {", stringify!($to), ":", $v, "}, {", stringify!($from), ":", $v, "}, ", $by)
    };
    ($r:literal $v:literal v $op:ident $to:ident $a:ident $b:ident $($by:literal)?) => {
        concat!(
            "v", stringify!($op), " {", stringify!($to), ":", $v, "}, {", stringify!($a), ":", $v, "}, {",
            stringify!($b), ":", $v, "}" $(, ", ", $by)?
        )
    };
    ($r:literal $v:literal $($line:tt)+) => {
        crate::core::lines::line!($r $($line)+)
    };
    ($r:literal ror $to:ident $from:ident $by:literal) => {
        concat!(crate::core::lines::line!($r mov $to $from), "\n", "ror {", stringify!($to), ":", $r, "}, ", $by)
    };
    ($r:literal andn $to:ident $not:ident $and:ident) => {
        concat!("andn {", stringify!($to), ":", $r, "}, {", stringify!($not), ":", $r, "}, {", stringify!($and), ":", $r, "}")
    };
    ($r:literal $op:ident $to:ident [$place:ident $at:ident]) => {
        concat!(stringify!($op), " {", stringify!($to), ":", $r, "}, [{", stringify!($place), "} + {", stringify!($at), "}]")
    };
    ($r:literal not $to:ident) => {
        concat!("not {", stringify!($to), ":", $r, "}")
    };
    ($r:literal $op:ident $to:ident $from:ident $($by:literal)?) => {
        concat!(stringify!($op), " {", stringify!($to), ":", $r, "}, {", stringify!($from), ":", $r, "}" $(, ", ", $by)?)
    };
}
pub(crate) use {line, lines};
