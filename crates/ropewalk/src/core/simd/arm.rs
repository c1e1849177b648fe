//! NEON of 32-bit Arm. Its intrinsics and its `#[target_feature]` are unstable, and LLVM makes little of loops over arrays: kernels are
//! assembly, and this is the one place where it is entered.

/// `asm!` that may use NEON: with the token that proves it, and with every vector register.
///
/// The text keeps d8 to d15 for the caller by itself. Naming them as outputs is not enough: where a target has no floating point, the
/// compiler ignores them silently, as it ignores q registers on every target. No kernel names vector registers itself.
macro_rules! neon_asm {
    ($cpu:expr; $($text:expr),+ $(,)?; $($operands:tt)*) => {{
        let _proof: $crate::core::cpu::ArmNeon = $cpu;
        core::arch::asm!(
            // Without it, the assembler refuses NEON. It ends with this text: what else is in the file needs no NEON.
            ".fpu neon",
            "vpush {{d8-d15}}",
            $($text,)+
            "vpop {{d8-d15}}",
            ".fpu vfpv3",
            $($operands)*
            out("d0") _, out("d1") _, out("d2") _, out("d3") _, out("d4") _, out("d5") _, out("d6") _, out("d7") _,
            out("d16") _, out("d17") _, out("d18") _, out("d19") _, out("d20") _, out("d21") _, out("d22") _, out("d23") _,
            out("d24") _, out("d25") _, out("d26") _, out("d27") _, out("d28") _, out("d29") _, out("d30") _, out("d31") _,
        )
    }};
}

/// Instructions, each on a line of its own.
macro_rules! steps {
    ($($step:expr),* $(,)?) => {
        concat!($($step, "\n"),*)
    };
}

/// Instructions on general registers, which are named as operands of the assembly: destination and sources, of which the last may be
/// shifted or rotated.
macro_rules! words {
    ($([$op:ident $to:ident $($from:tt)+])+) => {
        concat!($( stringify!($op), " ", word!($to), $( ", ", word!($from), )+ "\n", )+)
    };
}

/// A general register. A pair that is loaded at once has fixed names.
macro_rules! word {
    (r0) => {
        "r0"
    };
    (r1) => {
        "r1"
    };
    (($name:ident $shift:ident $count:literal)) => {
        concat!(word!($name), ", ", stringify!($shift), " #", $count)
    };
    ($name:ident) => {
        concat!("{", stringify!($name), "}")
    };
}
