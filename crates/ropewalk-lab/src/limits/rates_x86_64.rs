//! Instruction rates of x86-64 processors.

#[cfg(target_arch = "x86_64")]
use super::sampling::Probe;

rates! {
    /// Core cycles from one instruction to the next of its kind: of independent ones, or where the
    /// name says latency, of such that each wait for the one before.
    X86_64 on "x86_64" {
        /// XOR of registers. One cycle on every core: another figure means that a multiplication,
        /// by which all is calibrated, does not take three.
        xor_latency: [] chain 1 "xor eax, ecx";
        /// XOR of registers.
        xor: [] scalar "xor r\\r, rcx";
        /// RORX.
        rorx: ["bmi2"] scalar "rorx r\\r, rcx, 7";
        /// ADCX, each of which takes the carry of the one before.
        adcx_latency: ["adx"] chain 1 "adcx rax, rcx";

        /// AESENC.
        aesenc_xmm: ["aes"] vector "aesenc xmm\\r, xmm15";
        /// VAESENC on 256 bits.
        vaesenc_ymm: ["vaes" "avx2"] vector "vaesenc ymm\\r, ymm\\r, ymm15";
        /// VAESENC on 512 bits.
        vaesenc_zmm: ["vaes" "avx512f"] vector "vaesenc zmm\\r, zmm\\r, zmm15";
        /// AESENC.
        aesenc_latency: ["aes"] chain 1 "aesenc xmm1, xmm15";
        /// VAESENC on 256 bits, each waiting for the one before.
        vaesenc_ymm_latency: ["vaes" "avx2"] chain 1 "vaesenc ymm1, ymm1, ymm15";
        /// VAESENC on 512 bits, each waiting for the one before.
        vaesenc_zmm_latency: ["vaes" "avx512f"] chain 1 "vaesenc zmm1, zmm1, zmm15";
        /// AESDEC.
        aesdec_xmm: ["aes"] vector "aesdec xmm\\r, xmm15";
        /// AESKEYGENASSIST.
        aeskeygenassist: ["aes"] vector "aeskeygenassist xmm\\r, xmm15, 1";

        /// PCLMULQDQ.
        pclmulqdq_xmm: ["pclmulqdq"] vector "pclmulqdq xmm\\r, xmm15, 0";
        /// VPCLMULQDQ on 256 bits.
        vpclmulqdq_ymm: ["vpclmulqdq" "avx2"] vector "vpclmulqdq ymm\\r, ymm\\r, ymm15, 0";
        /// VPCLMULQDQ on 512 bits.
        vpclmulqdq_zmm: ["vpclmulqdq" "avx512f"] vector "vpclmulqdq zmm\\r, zmm\\r, zmm15, 0";
        /// PCLMULQDQ, each waiting for the one before.
        pclmulqdq_latency: ["pclmulqdq"] chain 1 "pclmulqdq xmm1, xmm15, 0";
        /// VPCLMULQDQ on 512 bits, each waiting for the one before.
        vpclmulqdq_zmm_latency: ["vpclmulqdq" "avx512f"] chain 1 "vpclmulqdq zmm1, zmm1, zmm15, 0";
        /// VGF2P8AFFINEQB on 256 bits.
        gf2p8affineqb_ymm: ["gfni" "avx2"] vector "vgf2p8affineqb ymm\\r, ymm14, ymm15, 0";
        /// VGF2P8AFFINEQB on 512 bits.
        gf2p8affineqb_zmm: ["gfni" "avx512f"] vector "vgf2p8affineqb zmm\\r, zmm14, zmm15, 0";

        /// What a block of AES-128-GCM takes: 10 AESENC, 3 PCLMULQDQ.
        gcm_xmm: ["aes" "pclmulqdq"] chain 1
            "aesenc xmm1, xmm15" "aesenc xmm2, xmm15" "aesenc xmm3, xmm15" "pclmulqdq xmm11, xmm15, 0"
            "aesenc xmm4, xmm15" "aesenc xmm5, xmm15" "aesenc xmm6, xmm15" "pclmulqdq xmm12, xmm15, 0"
            "aesenc xmm7, xmm15" "aesenc xmm8, xmm15" "aesenc xmm9, xmm15" "pclmulqdq xmm13, xmm15, 0"
            "aesenc xmm10, xmm15";
        /// What two blocks of AES-128-GCM take, on 256 bits.
        gcm_ymm: ["vaes" "vpclmulqdq" "avx2"] chain 1
            "vaesenc ymm1, ymm1, ymm15" "vaesenc ymm2, ymm2, ymm15" "vaesenc ymm3, ymm3, ymm15"
            "vpclmulqdq ymm11, ymm14, ymm15, 0" "vaesenc ymm4, ymm4, ymm15" "vaesenc ymm5, ymm5, ymm15"
            "vaesenc ymm6, ymm6, ymm15" "vpclmulqdq ymm12, ymm14, ymm15, 0" "vaesenc ymm7, ymm7, ymm15"
            "vaesenc ymm8, ymm8, ymm15" "vaesenc ymm9, ymm9, ymm15" "vpclmulqdq ymm13, ymm14, ymm15, 0"
            "vaesenc ymm10, ymm10, ymm15";
        /// What four blocks of AES-128-GCM take, on 512 bits.
        gcm_zmm: ["vaes" "vpclmulqdq" "avx512f"] chain 1
            "vaesenc zmm1, zmm1, zmm15" "vaesenc zmm2, zmm2, zmm15" "vaesenc zmm3, zmm3, zmm15"
            "vpclmulqdq zmm11, zmm14, zmm15, 0" "vaesenc zmm4, zmm4, zmm15" "vaesenc zmm5, zmm5, zmm15"
            "vaesenc zmm6, zmm6, zmm15" "vpclmulqdq zmm12, zmm14, zmm15, 0" "vaesenc zmm7, zmm7, zmm15"
            "vaesenc zmm8, zmm8, zmm15" "vaesenc zmm9, zmm9, zmm15" "vpclmulqdq zmm13, zmm14, zmm15, 0"
            "vaesenc zmm10, zmm10, zmm15";

        /// SHA1RNDS4 as a hash chains them.
        sha1rnds4_latency: ["sha"] chain 1 "sha1rnds4 xmm1, xmm15, 0";
        /// SHA1RNDS4.
        sha1rnds4: ["sha"] vector "sha1rnds4 xmm\\r, xmm15, 0";
        /// SHA1MSG1.
        sha1msg1: ["sha"] vector "sha1msg1 xmm\\r, xmm15";
        /// SHA1MSG2.
        sha1msg2: ["sha"] vector "sha1msg2 xmm\\r, xmm15";
        /// SHA1NEXTE.
        sha1nexte: ["sha"] vector "sha1nexte xmm\\r, xmm15";
        /// SHA256RNDS2 as a hash chains them: the new state goes where the round keys' operand
        /// is read from next.
        sha256rnds2_latency: ["sha"] chain 2 "sha256rnds2 xmm1, xmm2\nsha256rnds2 xmm2, xmm1";
        /// SHA256RNDS2.
        sha256rnds2: ["sha"] vector "sha256rnds2 xmm\\r, xmm15";
        /// SHA256MSG1.
        sha256msg1: ["sha"] vector "sha256msg1 xmm\\r, xmm15";
        /// SHA256MSG2.
        sha256msg2: ["sha"] vector "sha256msg2 xmm\\r, xmm15";
        /// What a quarter of a block takes of all three: 8 SHA256RNDS2, 3 SHA256MSG1, 3 SHA256MSG2.
        sha256_quarter: ["sha"] chain 1
            "sha256rnds2 xmm1, xmm15" "sha256msg1 xmm9, xmm15" "sha256rnds2 xmm2, xmm15"
            "sha256rnds2 xmm3, xmm15" "sha256msg2 xmm10, xmm15" "sha256rnds2 xmm4, xmm15"
            "sha256msg1 xmm11, xmm15" "sha256rnds2 xmm5, xmm15" "sha256msg2 xmm12, xmm15"
            "sha256rnds2 xmm6, xmm15" "sha256rnds2 xmm7, xmm15" "sha256msg1 xmm13, xmm15"
            "sha256rnds2 xmm8, xmm15" "sha256msg2 xmm14, xmm15";

        /// VSHA512RNDS2 as a hash chains them.
        sha512rnds2_latency: ["sha512" "avx"] chain 2
            "vsha512rnds2 ymm1, ymm2, xmm15\nvsha512rnds2 ymm2, ymm1, xmm15";
        /// VSM3RNDS2 as a hash chains them.
        sm3rnds2_latency: ["sm3" "avx"] chain 2
            "vsm3rnds2 xmm1, xmm2, xmm15, 0\nvsm3rnds2 xmm2, xmm1, xmm15, 0";
        /// VSM4RNDS4 on 256 bits.
        sm4rnds4_ymm: ["sm4" "avx"] vector "vsm4rnds4 ymm\\r, ymm\\r, ymm15";

        /// What a round of Keccak takes with five lanes a vector, each instruction waiting for what it needs: 21 on
        /// vectors in their places and 10 that move lanes.
        keccak_round_latency: ["avx512f"] chain 1
            "vmovdqa64 zmm6, zmm1" "vpternlogq zmm6, zmm2, zmm3, 0x96" "vpternlogq zmm6, zmm4, zmm5, 0x96"
            "vpermq zmm7, zmm15, zmm6" "vprolq zmm8, zmm6, 1" "vpermq zmm8, zmm15, zmm8"
            ".irp v, 1,2,3,4,5" "vpternlogq zmm\\v, zmm7, zmm8, 0x96" "vprolvq zmm\\v, zmm\\v, zmm15" ".endr"
            ".irp v, 2,3,4,5" "vpermq zmm\\v, zmm15, zmm\\v" ".endr"
            "vmovdqa64 zmm9, zmm1" "vmovdqa64 zmm10, zmm2" "vpxorq zmm1, zmm1, zmm15"
            "vpternlogq zmm1, zmm2, zmm3, 0xd2" "vpternlogq zmm2, zmm3, zmm4, 0xd2"
            "vpternlogq zmm3, zmm4, zmm5, 0xd2" "vpternlogq zmm4, zmm5, zmm9, 0xd2"
            "vpternlogq zmm5, zmm9, zmm10, 0xd2"
            ".irp v, 2,3,4,5" "vpermq zmm\\v, zmm15, zmm\\v" ".endr";

        /// MULX, of 64 bits times 64.
        mulx: ["bmi2"] scalar "mulx r\\r, rax, rcx";
        /// VPMULUDQ on 256 bits.
        vpmuludq_ymm: ["avx2"] vector "vpmuludq ymm\\r, ymm14, ymm15";
        /// VPMULUDQ on 512 bits.
        vpmuludq_zmm: ["avx512f"] vector "vpmuludq zmm\\r, zmm14, zmm15";
        /// VPMADD52LUQ on 256 bits.
        vpmadd52luq_ymm: ["avx512ifma" "avx512vl"] vector "vpmadd52luq ymm\\r, ymm14, ymm15";
        /// VPMADD52LUQ on 512 bits.
        vpmadd52luq_zmm: ["avx512ifma"] vector "vpmadd52luq zmm\\r, zmm14, zmm15";
        /// VPMULUDQ on 256 bits, each waiting for the one before.
        vpmuludq_latency: ["avx2"] chain 1 "vpmuludq ymm1, ymm1, ymm15";
        /// VPMADD52LUQ on 512 bits, each adding to the sum of the one before.
        vpmadd52luq_latency: ["avx512ifma"] chain 1 "vpmadd52luq zmm1, zmm14, zmm15";

        /// VPADDD on 256 bits.
        vpaddd_ymm: ["avx2"] vector "vpaddd ymm\\r, ymm\\r, ymm15";
        /// VPXOR on 256 bits.
        vpxor_ymm: ["avx2"] vector "vpxor ymm\\r, ymm\\r, ymm15";
        /// VPTERNLOGD on 256 bits.
        vpternlogd_ymm: ["avx512vl"] vector "vpternlogd ymm\\r, ymm14, ymm15, 0x96";
        /// VPSRLD on 256 bits.
        vpsrld_ymm: ["avx2"] vector "vpsrld ymm\\r, ymm\\r, 7";
        /// VPSLLD on 256 bits.
        vpslld_ymm: ["avx2"] vector "vpslld ymm\\r, ymm\\r, 7";
        /// VPRORD on 256 bits.
        vprord_ymm: ["avx512vl"] vector "vprord ymm\\r, ymm\\r, 7";
        /// VPSHUFB on 256 bits.
        vpshufb_ymm: ["avx2"] vector "vpshufb ymm\\r, ymm\\r, ymm15";
        /// VPUNPCKLDQ on 256 bits.
        vpunpckldq_ymm: ["avx2"] vector "vpunpckldq ymm\\r, ymm\\r, ymm15";
        /// VPADDD on 256 bits, each waiting for the one before.
        vpaddd_latency: ["avx2"] chain 1 "vpaddd ymm1, ymm1, ymm15";
        /// VPSHUFB on 256 bits, each waiting for the one before.
        vpshufb_latency: ["avx2"] chain 1 "vpshufb ymm1, ymm1, ymm15";
        /// VPSLLD on 256 bits, each waiting for the one before.
        vpslld_latency: ["avx2"] chain 1 "vpslld ymm1, ymm1, 7";

        /// VPADDD on 512 bits.
        vpaddd_zmm: ["avx512f"] vector "vpaddd zmm\\r, zmm\\r, zmm15";
        /// VPTERNLOGD on 512 bits.
        vpternlogd_zmm: ["avx512f"] vector "vpternlogd zmm\\r, zmm14, zmm15, 0x96";
        /// VPSRLD on 512 bits.
        vpsrld_zmm: ["avx512f"] vector "vpsrld zmm\\r, zmm\\r, 7";
        /// VPRORD on 512 bits.
        vprord_zmm: ["avx512f"] vector "vprord zmm\\r, zmm\\r, 7";
        /// VPSHUFB on 512 bits.
        vpshufb_zmm: ["avx512bw"] vector "vpshufb zmm\\r, zmm\\r, zmm15";
        /// VPUNPCKLDQ on 512 bits.
        vpunpckldq_zmm: ["avx512f"] vector "vpunpckldq zmm\\r, zmm\\r, zmm15";
        /// VPERMB on 512 bits.
        vpermb_zmm: ["avx512vbmi"] vector "vpermb zmm\\r, zmm14, zmm15";
        /// VPRORD on 512 bits, each waiting for the one before.
        vprord_latency: ["avx512f"] chain 1 "vprord zmm1, zmm1, 7";
        /// VPTERNLOGD on 512 bits, each waiting for the one before.
        vpternlogd_latency: ["avx512f"] chain 1 "vpternlogd zmm1, zmm14, zmm15, 0x96";
    }
}

/// A loop over the instructions: `vector` and `scalar` apply one to each of many registers `\r`, so that they
/// are independent; `chain N` repeats N instructions as they are.
#[cfg(target_arch = "x86_64")]
macro_rules! probe {
    (vector $op:literal) => {
        probe!(@ 48, ".rept 4", ".irp r, 1,2,3,4,5,6,7,8,9,10,11,12", $op, ".endr", ".endr")
    };
    (scalar $op:literal) => {
        probe!(@ 256, ".rept 32", ".irp r, 8,9,10,11,12,13,14,15", $op, ".endr", ".endr")
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
                        // A register that a floating-point instruction wrote last delays its readers by a
                        // cycle each, for as long as it is not overwritten. Zeros, since products of ones
                        // take so much power that the core slows down, by a varying factor.
                        ".irp r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15",
                        "pxor xmm\\r, xmm\\r", ".endr",
                        ".p2align 6", "2:", $($line,)+ "dec {times}", "jnz 2b",
                        times = inout(reg) times => _,
                        out("rax") _, out("rcx") _, out("r8") _, out("r9") _, out("r10") _,
                        out("r11") _, out("r12") _, out("r13") _, out("r14") _, out("r15") _,
                        out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _,
                        out("xmm4") _, out("xmm5") _, out("xmm6") _, out("xmm7") _,
                        out("xmm8") _, out("xmm9") _, out("xmm10") _, out("xmm11") _,
                        out("xmm12") _, out("xmm13") _, out("xmm14") _, out("xmm15") _,
                        options(nomem, nostack),
                    );
                }
            },
        }
    };
}
#[cfg(target_arch = "x86_64")]
use probe;
