//! ChaCha20-Poly1305 of many messages on 256 bits: eight blocks at a time, with Poly1305 interleaved.

#[cfg(ropewalk_ct = "msan")]
use super::super::lanes::Plain;
use super::super::{
    lanes::{self, many},
    many::Message,
};
#[cfg(not(ropewalk_ct = "msan"))]
use super::interleaved::Beside;
#[cfg(ropewalk_ct = "msan")]
use crate::chacha::poly1305::Words;
use crate::core::{simd::x86_64::U32x8, tag::Tag};
#[cfg(not(ropewalk_ct = "msan"))]
use crate::{
    chacha::poly1305::{End, Queue},
    core::{secret::Wiped, simd::Words as _},
};

#[cfg(not(ropewalk_ct = "msan"))]
many! {
    Avx2x8 needs Avx2: U32x8 of 8, 44 blocks of 16,
    |cpu| Wiped::new(Beside::new(cpu, [U32x8::splat(cpu, 0); 16])), "avx2,bmi1,bmi2"
}

// For MemorySanitizer, which does not track assembly.
#[cfg(ropewalk_ct = "msan")]
many! { Avx2x8 needs Avx2: U32x8 of 8, 44 blocks of 16, |cpu| Plain(Words), "avx2,bmi1,bmi2" }

#[cfg(not(ropewalk_ct = "msan"))]
impl lanes::Rounds<U32x8, 8, 44, 16> for Wiped<Beside> {
    #[inline(always)]
    fn rounds(
        &mut self,
        start: [U32x8; 16],
        queue: &mut Queue<44, 16>,
        end: &mut End<16>,
    ) -> [U32x8; 16] {
        self.rounds_of_many(start, queue, end)
    }
}
