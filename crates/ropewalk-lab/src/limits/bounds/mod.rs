//! The least core cycles of each kind of task, from instruction rates.
//!
//! A bound counts the instructions that the task requires, and takes the busiest unit of the processor: the
//! other units can work at the same time. A kind without a bound needs no line. A bound is a file here, a
//! line in [`Rates::least_cycles`] and one in [`assumptions`].

use super::Rates;
use crate::tasks::{AeadOp, Cell, Direction, Function, Kind, Mac, Mode};

mod aes_cbc;
mod aes_ctr;
mod aes_gcm;
mod aes_xts;
mod chacha20;
mod ghash;
mod hmac;
mod md5;
mod poly1305;
mod sha1;
mod sha256;
mod sha3;
mod sha512;
mod sm3;

impl Rates {
    /// The least core cycles that this processor needs for one message of the cell.
    ///
    /// None if a rate is missing, or the processor would use instructions that are not counted yet.
    pub fn least_cycles(&self, cell: &Cell) -> Option<f64> {
        // Bounds are of messages of one length, and the instructions for a key are not counted.
        if cell.mix.is_some() || cell.mode == Mode::Setup {
            return None;
        }
        let least = match cell.task.kind {
            Kind::Ctr { key_len } => aes_ctr::least(self, cell, key_len),
            Kind::Cbc { direction: Direction::Encrypt, key_len } => {
                aes_cbc::least_to_encrypt(self, cell, key_len)
            }
            // Every block depends only on its own ciphertext and on that of the block before, which are
            // known.
            Kind::Cbc { direction: Direction::Decrypt, key_len } => {
                aes_ctr::least(self, cell, key_len)
            }
            Kind::Ecb { key_len, .. } => aes_ctr::least(self, cell, key_len),
            Kind::Xts { key_len, .. } => aes_xts::least(self, cell, key_len),
            Kind::Gcm { op: AeadOp::Seal | AeadOp::Open, key_len } => {
                aes_gcm::least(self, cell, key_len)
            }
            Kind::Gmac { key_len } => ghash::least(self, cell, key_len),
            Kind::Ccm { key_len, .. } => aes_cbc::least_of_ccm(self, cell, key_len),
            Kind::Mac(Mac::Cmac { key_len }) => aes_cbc::least_of_cmac(self, cell, key_len),
            Kind::KeyWrap { key_len, .. } => aes_cbc::least_to_wrap(self, cell, key_len),
            Kind::ChaCha20 => chacha20::least(self, cell),
            Kind::ChaChaPoly { .. } => chacha20::least_with_poly1305(self, cell),
            Kind::Mac(Mac::Poly1305) => poly1305::least(self, cell),
            Kind::Hash(function) => hash(self, cell, function),
            Kind::Mac(Mac::Hmac(function)) => hmac::least(self, cell, function),
            Kind::Records { op, function, key_len } => {
                hmac::least_of_records(self, cell, op, function, key_len)
            }
            // No instructions are counted for other kinds.
            _ => None,
        };
        least.filter(|cycles| *cycles > 0.0)
    }
}

/// The assumptions of the bound of such tasks, in words.
pub(super) fn assumptions(kind: Kind) -> &'static str {
    match kind {
        Kind::Ctr { .. } | Kind::Ecb { .. } | Kind::Cbc { direction: Direction::Decrypt, .. } => {
            aes_ctr::ASSUMES
        }
        Kind::Cbc { .. }
        | Kind::Ccm { .. }
        | Kind::Mac(Mac::Cmac { .. })
        | Kind::KeyWrap { .. } => aes_cbc::ASSUMES,
        Kind::Xts { .. } => aes_xts::ASSUMES,
        Kind::Gcm { .. } => aes_gcm::ASSUMES,
        Kind::Gmac { .. } => ghash::ASSUMES,
        Kind::ChaCha20 | Kind::ChaChaPoly { .. } => chacha20::ASSUMES,
        Kind::Mac(Mac::Poly1305) => poly1305::ASSUMES,
        Kind::Hash(function) => assumptions_of_hash(function),
        Kind::Mac(Mac::Hmac(_)) | Kind::Records { .. } => hmac::ASSUMES,
        _ => "",
    }
}

fn assumptions_of_hash(function: Function) -> &'static str {
    match function {
        Function::Md5 => md5::ASSUMES,
        Function::Sha1 => sha1::ASSUMES,
        Function::Sha224 | Function::Sha256 => sha256::ASSUMES,
        Function::Sha384 | Function::Sha512 | Function::Sha512_256 => sha512::ASSUMES,
        Function::Sm3 => sm3::ASSUMES,
        function if sha3::is_of_it(function) => sha3::ASSUMES,
        _ => "",
    }
}

/// A hash function, of one message or of a batch.
fn hash(rates: &Rates, cell: &Cell, function: Function) -> Option<f64> {
    match function {
        Function::Md5 => md5::least(rates, cell),
        Function::Sha1 => sha1::least(rates, cell),
        // SHA-224 has the rounds of SHA-256, and SHA-384 those of SHA-512.
        Function::Sha224 | Function::Sha256 => sha256::least(rates, cell),
        Function::Sha384 | Function::Sha512 | Function::Sha512_256 => sha512::least(rates, cell),
        Function::Sm3 => sm3::least(rates, cell),
        function if sha3::is_of_it(function) => sha3::least(rates, cell, function),
        _ => None,
    }
}

/// A step that processes up to `width` blocks, and its cycles, which do not depend on how many of them are
/// used.
#[derive(Clone, Copy)]
struct Step {
    width: usize,
    cycles: f64,
}

/// The least cycles for that many blocks, with steps of these widths, each a multiple of the one before.
fn cover(pieces: usize, steps: &[Step]) -> Option<f64> {
    let widest = steps.iter().map(|step| step.width).max()?;
    let mut least = vec![0.0; widest + 1];
    for n in 1..=widest {
        let after = steps.iter().map(|step| step.cycles + least[n.saturating_sub(step.width)]);
        least[n] = after.fold(f64::INFINITY, f64::min);
    }
    Some((pieces / widest) as f64 * least[widest] + least[pieces % widest])
}

/// The least cycles for one of many blocks.
fn cover_endless(steps: &[Step]) -> Option<f64> {
    steps.iter().map(|step| step.cycles / step.width as f64).reduce(f64::min)
}

/// The costs of one kind of vector: cycles of an operation of each class.
#[derive(Clone, Copy)]
struct Vector {
    /// The fastest operations.
    any: f64,
    /// Shifts and rotations.
    shift: f64,
    /// Operations that move bytes or words across.
    shuffle: f64,
}

/// Operations on vectors, by class.
#[derive(Clone, Copy)]
struct Ops {
    all: f64,
    shifts: f64,
    shuffles: f64,
}

impl std::ops::Add for Ops {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self {
            all: self.all + other.all,
            shifts: self.shifts + other.shifts,
            shuffles: self.shuffles + other.shuffles,
        }
    }
}

impl Vector {
    /// The cycles of the vector unit for all of them: no class depends on another.
    fn cycles(&self, ops: Ops) -> f64 {
        (ops.all * self.any).max(ops.shifts * self.shift).max(ops.shuffles * self.shuffle)
    }
}

impl Rates {
    /// 256-bit vectors with AVX2 alone.
    fn avx2(&self) -> Option<Vector> {
        let x86 = self.x86_64.as_ref()?;
        Some(Vector {
            any: least(x86.vpaddd_ymm, x86.vpxor_ymm)?,
            shift: least(x86.vpsrld_ymm, x86.vpslld_ymm)?,
            shuffle: least(x86.vpshufb_ymm, x86.vpunpckldq_ymm)?,
        })
    }

    /// 256-bit vectors with the instructions of AVX-512.
    fn avx512_ymm(&self) -> Option<Vector> {
        let x86 = self.x86_64.as_ref()?;
        Some(Vector {
            any: least(x86.vpternlogd_ymm, x86.vpaddd_ymm)?,
            shift: least(x86.vprord_ymm, x86.vpsrld_ymm)?,
            shuffle: least(x86.vpshufb_ymm, x86.vpunpckldq_ymm)?,
        })
    }

    /// 512-bit vectors.
    fn avx512_zmm(&self) -> Option<Vector> {
        let x86 = self.x86_64.as_ref()?;
        Some(Vector {
            any: least(x86.vpternlogd_zmm, x86.vpaddd_zmm)?,
            shift: least(x86.vprord_zmm, x86.vpsrld_zmm)?,
            shuffle: least(x86.vpshufb_zmm, x86.vpunpckldq_zmm)?,
        })
    }

    /// Arm's 128-bit vectors.
    fn neon(&self) -> Option<Vector> {
        let arm = self.aarch64.as_ref()?;
        Some(Vector {
            any: least(arm.eor, arm.add)?,
            shift: least(arm.shl, arm.sri)?,
            shuffle: arm.rev32?,
        })
    }
}

/// The smaller of two rates of a class; none if either is missing.
fn least(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    Some(a?.min(b?))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::limits::X86_64;
    use crate::tasks::{Keys, Mode, TASKS};

    /// The first task of that name.
    pub(in crate::limits) fn cell(task: &str, bytes: usize, count: usize, mode: Mode) -> Cell {
        let task = TASKS.iter().find(|of| of.name == task).expect("a name of a task");
        Cell { task, bytes, count, mode, mix: None, keys: Keys::One, stride: None }
    }

    /// A core with AVX-512, VAES and the SHA extensions, in round figures.
    pub(in crate::limits) fn golden_cove() -> Rates {
        let [third, half, one] = [1.0 / 3.0, 0.5, 1.0].map(Some);
        let x86_64 = X86_64 {
            xor_latency: one,
            xor: Some(0.2),
            aesenc_xmm: half,
            vaesenc_ymm: half,
            vaesenc_zmm: one,
            aesenc_latency: Some(3.0),
            pclmulqdq_xmm: one,
            vpclmulqdq_ymm: one,
            vpclmulqdq_zmm: one,
            mulx: one,
            vpmuludq_ymm: half,
            vpmuludq_zmm: half,
            vpmadd52luq_ymm: half,
            vpmadd52luq_zmm: half,
            sha1rnds4_latency: Some(5.0),
            sha1rnds4: Some(2.0),
            sha256rnds2_latency: Some(4.0),
            sha256_quarter: Some(24.0),
            vpaddd_ymm: third,
            vpxor_ymm: third,
            vpternlogd_ymm: third,
            vpsrld_ymm: half,
            vpslld_ymm: half,
            vprord_ymm: half,
            vpshufb_ymm: half,
            vpunpckldq_ymm: half,
            vpaddd_zmm: half,
            vpternlogd_zmm: half,
            vpsrld_zmm: one,
            vprord_zmm: one,
            vpshufb_zmm: one,
            vpunpckldq_zmm: one,
            ..X86_64::default()
        };
        Rates { x86_64: Some(x86_64), aarch64: None }
    }

    #[test]
    fn nothing_known() {
        let empty = Rates { x86_64: Some(X86_64::default()), aarch64: None };
        for task in TASKS {
            for count in [1, 16] {
                let cell = Cell {
                    task,
                    bytes: 64,
                    count,
                    mode: Mode::Message,
                    mix: None,
                    keys: Keys::One,
                    stride: None,
                };
                assert_eq!(Rates::default().least_cycles(&cell), None, "{}", task.full_name());
                assert_eq!(empty.least_cycles(&cell), None, "{}", task.full_name());
            }
        }
    }

    #[test]
    fn one_message_has_a_bound_unless_a_key_is_made() {
        let rates = golden_cove();
        for task in TASKS {
            let kind = task.kind;
            let unbounded = kind.by_call() || assumptions(kind).is_empty();
            for bytes in [16, 64, 1350, 16384] {
                let bytes = task.kind.size(bytes);
                let cell = Cell {
                    task,
                    bytes,
                    count: 1,
                    mode: Mode::Message,
                    mix: None,
                    keys: Keys::One,
                    stride: None,
                };
                let told = rates.least_cycles(&cell).is_some();
                assert_eq!(told, !unbounded, "{} {bytes}", task.full_name());
            }
        }
    }

    #[test]
    fn cover_takes_the_cheapest_widths() {
        let steps = |cycles: [f64; 3]| {
            [1, 2, 4].into_iter().zip(cycles).map(|(width, cycles)| Step { width, cycles })
        };
        let cost = |pieces, cycles| cover(pieces, &steps(cycles).collect::<Vec<_>>());
        // Two narrow ones at a time: a wider one is only faster if it is full.
        let golden_cove = [0.5, 0.5, 1.0];
        for (pieces, cycles) in [(0, 0.0), (1, 0.5), (2, 0.5), (3, 1.0), (4, 1.0), (5, 1.5)] {
            assert_eq!(cost(pieces, golden_cove), Some(cycles), "{pieces}");
        }
        assert_eq!(cost(1023, golden_cove), Some(256.0));
        // All widths cost the same: never two steps if one is enough.
        for (pieces, cycles) in [(1, 0.5), (3, 0.5), (4, 0.5), (5, 1.0), (1024, 128.0)] {
            assert_eq!(cost(pieces, [0.5; 3]), Some(cycles), "{pieces}");
        }
        // The widest is too slow.
        assert_eq!(cost(7, [1.0, 2.0, 8.0]), Some(7.0));
        assert_eq!(cover(7, &[]), None);
    }
}
