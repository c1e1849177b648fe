//! Instruction rates of 64-bit Arm processors.

#[cfg(target_arch = "aarch64")]
use super::sampling::Probe;

rates! {
    /// Core cycles from one instruction to the next of its kind: of independent ones, or where the
    /// name says latency, of such that each wait for the one before.
    Aarch64 on "aarch64" {
        /// MUL of registers: three cycles on most cores, which tells whether an EOR, by which all
        /// is calibrated, takes one.
        mul_latency: [] chain 1 "mul x8, x8, x9";

        /// AESE with AESMC, which most cores run as one.
        aese_aesmc: ["aes"] vector "aese v\\r\\().16b, v31.16b\naesmc v\\r\\().16b, v\\r\\().16b";
        /// AESE with AESMC, each pair waiting for the one before.
        aese_aesmc_latency: ["aes"] chain 1 "aese v1.16b, v31.16b\naesmc v1.16b, v1.16b";
        /// PMULL on 64 bits.
        pmull: ["aes"] vector "pmull v\\r\\().1q, v\\r\\().1d, v31.1d";

        /// Four rounds of SHA-256 as a hash chains them: SHA256H, SHA256H2 and the copy between.
        sha256_four_rounds_latency: ["sha2"] chain 1
            "mov v2.16b, v0.16b" "sha256h q0, q1, v31.4s" "sha256h2 q1, q2, v31.4s";
        /// SHA256H.
        sha256h: ["sha2"] vector "sha256h q\\r, q30, v31.4s";
        /// What a quarter of a block takes: 4 SHA256H, 4 SHA256H2, 3 SHA256SU0, 3 SHA256SU1.
        sha256_quarter: ["sha2"] chain 1
            "sha256h q1, q30, v31.4s" "sha256h2 q2, q30, v31.4s" "sha256su0 v9.4s, v31.4s"
            "sha256h q3, q30, v31.4s" "sha256h2 q4, q30, v31.4s" "sha256su1 v10.4s, v30.4s, v31.4s"
            "sha256su0 v11.4s, v31.4s" "sha256su1 v12.4s, v30.4s, v31.4s"
            "sha256h q5, q30, v31.4s" "sha256h2 q6, q30, v31.4s" "sha256su0 v13.4s, v31.4s"
            "sha256h q7, q30, v31.4s" "sha256h2 q8, q30, v31.4s" "sha256su1 v14.4s, v30.4s, v31.4s";

        /// EOR on 128 bits.
        eor: ["neon"] vector "eor v\\r\\().16b, v\\r\\().16b, v31.16b";
        /// ADD of 32-bit words on 128 bits.
        add: ["neon"] vector "add v\\r\\().4s, v\\r\\().4s, v31.4s";
        /// SHL of 32-bit words on 128 bits.
        shl: ["neon"] vector "shl v\\r\\().4s, v\\r\\().4s, #7";
        /// SRI of 32-bit words on 128 bits, which ends a rotation.
        sri: ["neon"] vector "sri v\\r\\().4s, v31.4s, #7";
        /// REV32 on 128 bits.
        rev32: ["neon"] vector "rev32 v\\r\\().16b, v\\r\\().16b";
    }
}

/// A loop over the instructions: `vector` applies one to each of many registers `\r`, so that they are
/// independent; `chain N` repeats N instructions as they are.
#[cfg(target_arch = "aarch64")]
macro_rules! probe {
    (vector $op:literal) => {
        probe!(@ 24,
            ".irp r, 1,2,3,4,5,6,7,8,9,10,11,12,1,2,3,4,5,6,7,8,9,10,11,12", $op, ".endr")
    };
    (chain $each:literal $($op:literal)+) => {
        probe!(@ 48 * $each, ".rept 48", $($op,)+ ".endr")
    };
    (@ $instructions:expr, $($line:literal),+ $(,)?) => {
        Probe {
            instructions: $instructions,
            run: |times| {
                // SAFETY: the features that the instructions need were detected in the line of `rates!`; they
                // access no memory, and the changed registers are listed.
                unsafe {
                    std::arch::asm!(
                        ".arch_extension aes", ".arch_extension sha2",
                        ".irp r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,30,31",
                        "movi v\\r\\().16b, #\\r", ".endr",
                        ".p2align 6", "2:", $($line,)+ "subs {times}, {times}, #1", "b.ne 2b",
                        times = inout(reg) times => _,
                        out("x8") _, out("x9") _,
                        out("v0") _, out("v1") _, out("v2") _, out("v3") _, out("v4") _,
                        out("v5") _, out("v6") _, out("v7") _, out("v8") _, out("v9") _,
                        out("v10") _, out("v11") _, out("v12") _, out("v13") _, out("v14") _,
                        out("v30") _, out("v31") _,
                        options(nomem, nostack),
                    );
                }
            },
        }
    };
}
#[cfg(target_arch = "aarch64")]
use probe;
