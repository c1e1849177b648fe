//! Whole steps of a message that comes in pieces: its hash comes in and goes out.

use core::hint::black_box;

use super::{Key, Pass, STEP, Sum, counter::Counter, vector, vector_mut};
use crate::{
    aes::Block,
    aes_gcm::parts::Place,
    simd::{Blocks, align_stack},
    text::Text,
};

/// Encrypts or decrypts steps, of which the first block is one of a step.
#[inline(always)]
pub(in crate::aes_gcm) fn steps<V: Blocks, const T: usize, const ONCE: bool>(
    cpu: V::Cpu,
    key: &Key<T>,
    place: &mut Place,
    mut text: Text<'_>,
    open: bool,
) {
    // In registers, as for whole messages.
    let mut text = text.reborrow();
    if V::LANES > 1 {
        align_stack();
    }
    let pass = Pass::<V, T, ONCE>::new(cpu, key, open).with_added();
    let first_key = V::splat(cpu, &pass.keys[0]);
    let mut counter = Counter::after(cpu, place.first.nonce(), first_key, place.blocks);
    place.blocks = place.blocks.wrapping_add((text.len() / 16) as u32);

    // The first step has none behind it, and hashes zeros: that takes as long as no code for it.
    let (mut behind, mut hash) = ([V::zero(cpu); STEP], V::zero(cpu));
    let mut before = pass.first_lane(u128::from_be_bytes(place.hash));
    let opened = V::splat(cpu, black_box(&OPENED[usize::from(open)]));
    while text.len() >= 16 * Pass::<V, T, ONCE>::STEP_BLOCKS {
        if ONCE {
            let mut piece = text.take(16 * Pass::<V, T, ONCE>::STEP_BLOCKS);
            // As in `step`.
            let keys = black_box(pass.keys);
            let mut x = counter.next::<STEP>(cpu);
            let keys =
                pass.rounds::<false, true>(keys, &mut x, &mut V::zero(cpu), behind, &mut hash);
            let [before_last, last] = keys.map(|key| V::splat(cpu, key));
            for i in 0..STEP {
                let input = V::load(cpu, vector::<V>(piece.input(), i));
                let key_stream = x[i].last_round(before_last, last);
                let output = key_stream.xor(input);
                output.store(vector_mut::<V>(piece.output(), i));
                // To ask which it is would be a branch for each vector, and products would go behind the rounds.
                behind[i] = output.xor(key_stream.and(opened)).reverse();
            }
        } else {
            behind = pass.step::<true>(&mut counter, &[], &mut text, behind, &mut hash);
        }
        hash = hash.xor(before);
        before = V::zero(cpu);
    }
    behind[0] = behind[0].xor(hash);
    let mut sum = Sum::zero(cpu);
    for i in 0..STEP {
        sum.add(behind[i], pass.powers(i * V::LANES));
    }
    place.hash = sum.reduce().sum_lanes().numbers()[0].to_be_bytes();
}

/// The bits of key stream that are between what goes out and what is hashed: sealing and opening.
static OPENED: [Block; 2] = [[0; 16], [u8::MAX; 16]];
