//! Instructions of x86, with a decoder.

use iced_x86::{
    Decoder, DecoderOptions, Instruction,
    Mnemonic::{self, *},
    Register,
};

use super::kinds::{
    Counts,
    Use::{self, Aes, Affine, Ghash, Numbers, Sha1, Sha256, Sha512, Sm3, Sm4},
};

/// Counts them in code for a mode of 32 or 64 bits. The decoder resynchronizes after data between functions.
pub(super) fn count(bits: u32, code: &[u8], counts: &mut Counts) {
    let mut decoder = Decoder::new(bits, code, DecoderOptions::NONE);
    let mut instruction = Instruction::default();
    while decoder.can_decode() {
        decoder.decode_out(&mut instruction);
        if let Some((names, of)) = known(instruction.mnemonic()) {
            counts.add(of_width(names, &instruction), of);
        }
    }
}

/// The names of an instruction by its width: 128, 256, 512 bits.
type Names = [&'static str; 3];

fn known(mnemonic: Mnemonic) -> Option<(Names, Use)> {
    let one = |name| [name; 3];
    Some(match mnemonic {
        Aesenc | Aesenclast => (one("AESENC"), Aes),
        Aesdec | Aesdeclast => (one("AESDEC"), Aes),
        Vaesenc | Vaesenclast => (["AESENC", "VAESENC ymm", "VAESENC zmm"], Aes),
        Vaesdec | Vaesdeclast => (["AESDEC", "VAESDEC ymm", "VAESDEC zmm"], Aes),
        Aesimc | Vaesimc => (one("AESIMC"), Aes),
        // Of VIA's processors.
        Xcryptecb | Xcryptcbc | Xcryptctr | Xcryptcfb | Xcryptofb => (one("XCRYPT"), Aes),
        Xsha256 => (one("XSHA256"), Sha256),
        Aeskeygenassist | Vaeskeygenassist => (one("AESKEYGENASSIST"), Aes),
        Pclmulqdq => (one("PCLMULQDQ"), Ghash),
        Vpclmulqdq => (["PCLMULQDQ", "VPCLMULQDQ ymm", "VPCLMULQDQ zmm"], Ghash),
        Sha1rnds4 => (one("SHA1RNDS4"), Sha1),
        Sha1nexte => (one("SHA1NEXTE"), Sha1),
        Sha1msg1 | Sha1msg2 => (one("SHA1MSG"), Sha1),
        Sha256rnds2 => (one("SHA256RNDS2"), Sha256),
        Sha256msg1 | Sha256msg2 => (one("SHA256MSG"), Sha256),
        Vsha512rnds2 => (one("VSHA512RNDS2"), Sha512),
        Vsha512msg1 | Vsha512msg2 => (one("VSHA512MSG"), Sha512),
        Vsm3rnds2 => (one("VSM3RNDS2"), Sm3),
        Vsm4rnds4 => (one("VSM4RNDS4"), Sm4),
        Vpmadd52luq | Vpmadd52huq => (["VPMADD52 xmm", "VPMADD52 ymm", "VPMADD52 zmm"], Numbers),
        Mulx => (one("MULX"), Numbers),
        Adcx | Adox => (one("ADCX, ADOX"), Numbers),
        Gf2p8affineqb | Gf2p8affineinvqb => (one("GF2P8AFFINEQB"), Affine),
        Vgf2p8affineqb | Vgf2p8affineinvqb => {
            (["GF2P8AFFINEQB", "VGF2P8AFFINEQB ymm", "VGF2P8AFFINEQB zmm"], Affine)
        }
        _ => return None,
    })
}

fn of_width(names: Names, instruction: &Instruction) -> &'static str {
    let first = instruction.op0_register();
    match first {
        _ if (Register::YMM0..=Register::YMM31).contains(&first) => names[1],
        _ if (Register::ZMM0..=Register::ZMM31).contains(&first) => names[2],
        _ => names[0],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_known_by_their_width() {
        let code = [
            &[0x66, 0x0f, 0x38, 0xdc, 0xc1][..],   // aesenc xmm0, xmm1
            &[0x66, 0x0f, 0x38, 0xdd, 0xc1],       // aesenclast xmm0, xmm1
            &[0xc4, 0xe2, 0x7d, 0xdc, 0xc1],       // vaesenc ymm0, ymm0, ymm1
            &[0x62, 0xf2, 0x7d, 0x48, 0xdc, 0xc1], // vaesenc zmm0, zmm0, zmm1
            &[0x66, 0x0f, 0x3a, 0x44, 0xc1, 0x11], // pclmulqdq xmm0, xmm1, 17
            &[0x66, 0x0f, 0x3a, 0xdf, 0xc1, 0x01], // aeskeygenassist xmm0, xmm1, 1
            &[0x66, 0x0f, 0x38, 0xdb, 0xc1],       // aesimc xmm0, xmm1
            &[0x0f, 0x38, 0xcb, 0xc1],             // sha256rnds2 xmm0, xmm1
            &[0x0f, 0x38, 0xcc, 0xc1],             // sha256msg1 xmm0, xmm1
            &[0xf3, 0x0f, 0xa7, 0xc8],             // rep xcryptecb
            &[0xf3, 0x0f, 0xa6, 0xd0],             // rep xsha256
            &[0x90, 0xc3],                         // nop, ret
        ]
        .concat();
        for bits in [32, 64] {
            let mut counts = Counts::default();
            count(bits, &code, &mut counts);
            let told: Vec<_> = counts.0.iter().map(|c| (c.instruction, c.count)).collect();
            let right = [
                ("AESENC", 2),
                ("VAESENC ymm", 1),
                ("VAESENC zmm", 1),
                ("PCLMULQDQ", 1),
                ("AESKEYGENASSIST", 1),
                ("AESIMC", 1),
                ("SHA256RNDS2", 1),
                ("SHA256MSG", 1),
                ("XCRYPT", 1),
                ("XSHA256", 1),
            ];
            assert_eq!(told, right, "{bits} bits");
        }
    }
}
