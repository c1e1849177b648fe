//! Poly1305 of many messages: a queue of blocks, each with its message.

use super::{
    Block, Carried,
    state::{Carries as _, Number, times, times_plus},
};
use crate::core::{beside::Beside, block::load_short, secret::Wiped};

/// An implementation that absorbs a block.
pub(crate) trait Absorb: Copy {
    /// Absorbs the block into the accumulator `before` it; the result is also kept in the slot.
    fn absorb(self, slot: &mut Slot, before: Number, block: &Block) -> Number;
}

/// The implementation in Rust.
#[derive(Clone, Copy)]
pub(crate) struct Words;

impl Absorb for Words {
    #[inline(always)]
    fn absorb(self, slot: &mut Slot, before: Number, block: &Block) -> Number {
        let [r0, r1, _, h0, h1, h2, ..] = slot;
        [*h0, *h1, *h2] = times_plus::<Carried>(before, [*r0, *r1], u128::from_le_bytes(*block));
        [*h0, *h1, *h2]
    }
}

/// Up to `N` blocks of messages, with `S` slots.
///
/// Each message's first block multiplies the accumulator by 0. This resets it without a branch.
#[repr(C, align(64))]
pub(crate) struct Queue<const N: usize, const S: usize> {
    secret: Wiped<Secret<S>>,
    /// The slot of each block ([`SIZE`]).
    by: [u64; N],
    blocks: [Block; N],
    /// The slot of the last block that has been absorbed, which holds the accumulator.
    last: u64,
}

#[repr(C, align(64))]
struct Secret<const S: usize>([Slot; S]);

/// The values of a message: r, the multiplier of the part above 2^128 ([`Product`]), the accumulator before it is multiplied, and
/// s.
///
/// [`Product`]: super::state::Product
pub(crate) type Slot = [u64; 8];

/// Slots are identified by their byte offset.
const SIZE: u64 = size_of::<Slot>() as u64;
/// The slot of a first block: r is zero.
const ZERO: u64 = 0;
/// The slot of an empty block.
#[cfg(all(target_arch = "x86_64", not(ropewalk_ct = "msan")))]
const NONE: u64 = SIZE;
/// The first slot of a message.
const FIRST: u64 = 2 * SIZE;

/// Blocks at the end that are never used.
const NOT_FILLED: usize = 4;

/// The position of the next block. It is passed by value when it leaves registers: by reference it would stay in memory.
#[derive(Clone, Copy)]
pub(crate) struct End<const S: usize> {
    len: usize,
    /// The slot of the current message.
    slot: u64,
    /// The slot of the next block.
    next: u64,
}

/// The blocks that are absorbed interleaved with ten times two rounds, for assembly.
#[cfg(all(target_arch = "x86_64", not(ropewalk_ct = "msan")))]
pub(crate) struct Plan {
    pub(crate) slots: *mut Slot,
    pub(crate) blocks: *const Block,
    /// The byte offset of the slot of each block.
    pub(crate) by: *const u64,
    /// The number of double rounds with four blocks.
    pub(crate) fours: usize,
    /// The number of blocks after which the double rounds with three blocks end.
    pub(crate) threes: usize,
    /// The number of double rounds without blocks.
    pub(crate) alone: usize,
}

impl<const N: usize, const S: usize> Queue<N, S> {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        let secret = Wiped::new(Secret([[0; 8]; S]));
        Self { secret, by: [0; N], blocks: [[0; 16]; N], last: ZERO }
    }

    /// The position of the first message.
    #[inline(always)]
    pub(crate) fn end() -> End<S> {
        End { len: 0, slot: SIZE * (S as u64 - 1), next: ZERO }
    }

    /// Starts the next message, from r, which is not yet clamped, and s.
    #[inline(always)]
    pub(crate) fn begin(&mut self, end: &mut End<S>, r: u128, s: u128) {
        let r = r & 0x0fff_fffc_0fff_fffc_0fff_fffc_0fff_ffff;
        let (r0, r1) = (r as u64, (r >> 64) as u64);
        (end.slot, end.next) = (following::<S>(end.slot), ZERO);
        let slot = self.secret.slot(end.slot);
        [slot[0], slot[1], slot[2]] = [r0, r1, r1 + (r1 >> 2)];
        [slot[6], slot[7]] = [s as u64, (s >> 64) as u64];
    }

    /// Appends data padded with zeros. Afterwards there is space for at least as many blocks as before, less one.
    #[inline(always)]
    pub(crate) fn push_filled(&mut self, end: &mut End<S>, data: &[u8]) {
        match data.try_into() {
            Ok(block) => self.push(end, u128::from_le_bytes(block)),
            Err(_) if data.len() > 16 => *end = self.push_many(*end, data),
            Err(_) if data.is_empty() => {}
            Err(_) => self.push(end, load_short(data)),
        }
    }

    #[inline(never)]
    fn push_many(&mut self, mut end: End<S>, data: &[u8]) -> End<S> {
        let (blocks, rest) = data.as_chunks();
        for block in blocks {
            self.push(&mut end, u128::from_le_bytes(*block));
            if end.len + NOT_FILLED == N {
                end = self.absorb(end);
            }
        }
        if !rest.is_empty() {
            self.push(&mut end, load_short(rest));
        }
        self.absorb(end)
    }

    /// Appends one block.
    #[inline(always)]
    pub(crate) fn push(&mut self, end: &mut End<S>, block: u128) {
        let at = end.len;
        if let (Some(to), Some(by)) = (self.blocks.get_mut(at), self.by.get_mut(at)) {
            *to = block.to_le_bytes();
            *by = end.next;
            (end.next, end.len) = (end.slot, at + 1);
        }
    }

    /// The place of the next four blocks.
    #[inline(always)]
    pub(crate) fn push_four(&mut self, end: &mut End<S>) -> Option<&mut [u8; 64]> {
        let at = end.len;
        if at > N - 4 {
            return None;
        }
        self.by[at..at + 4].copy_from_slice(&[end.next, end.slot, end.slot, end.slot]);
        (end.next, end.len) = (end.slot, at + 4);
        self.blocks[at..at + 4].as_flattened_mut().first_chunk_mut()
    }

    /// Appends the last block of a message.
    #[inline(always)]
    pub(crate) fn push_last(&mut self, end: &mut End<S>, block: u128) {
        if end.next != ZERO {
            self.push(end, block);
        } else {
            // A single block is not multiplied before.
            let slot = self.secret.slot(end.slot);
            [slot[3], slot[4], slot[5]] = [block as u64, (block >> 64) as u64, 1];
        }
    }

    /// Starts the absorption of all queued blocks, interleaved with other work.
    #[inline(always)]
    pub(crate) fn beside<A: Absorb>(&mut self, end: &mut End<S>, who: A) -> Absorbing<'_, A, N, S> {
        let (len, h) = self.take(end);
        let by = self.by.get(len / 2..len).unwrap_or_default();
        let later = len / 2 + by.iter().position(|by| *by == ZERO).unwrap_or(by.len());
        Absorbing { queue: self, who, left: [(0, later), (later, len)], h: [h, [0; 3]] }
    }

    /// The number of blocks, and the accumulator before them.
    #[inline(always)]
    fn take(&mut self, end: &mut End<S>) -> (usize, Number) {
        let len = end.len.min(N);
        let [.., h0, h1, h2, _, _] = *self.secret.slot(self.last);
        if let Some(last) = len.checked_sub(1).and_then(|last| self.by.get(last)) {
            self.last = *last;
        }
        end.len = 0;
        (len, [h0, h1, h2])
    }

    /// Absorbs all queued blocks.
    #[inline(never)]
    pub(crate) fn absorb(&mut self, mut end: End<S>) -> End<S> {
        self.beside(&mut end, Words).all();
        end
    }

    /// The addresses, the number of blocks for each of ten times two rounds, and the accumulator before them. The caller absorbs
    /// all of them.
    #[cfg(all(target_arch = "x86_64", not(ropewalk_ct = "msan")))]
    #[inline(always)]
    pub(crate) fn plan(&mut self, end: &mut End<S>) -> (Plan, Number) {
        let (len, h) = self.take(end);
        let len = len.min(N - NOT_FILLED);
        *self.by[len..len + NOT_FILLED].first_chunk_mut().expect("not filled") = [NONE; 4];
        let (fours, threes) = if len > 30 { (len - 30, 40 - len) } else { (0, len.div_ceil(3)) };
        let plan = Plan {
            slots: self.secret.0.as_mut_ptr(),
            blocks: self.blocks.as_ptr(),
            by: self.by.as_ptr(),
            fours: 4 * fours,
            threes: 4 * fours + 3 * threes,
            alone: 10 - fours - threes,
        };
        (plan, h)
    }

    /// The tag of the next message, whose blocks have been absorbed.
    #[inline(always)]
    pub(crate) fn tag(&mut self, of: &mut End<S>) -> Block {
        of.slot = following::<S>(of.slot);
        let [r0, r1, _, h0, h1, h2, s0, s1] = *self.secret.slot(of.slot);
        let s = u128::from(s1) << 64 | u128::from(s0);
        Carried::tag(times::<Carried>([h0, h1, h2], [r0, r1]), s).to_le_bytes()
    }
}

#[inline(always)]
fn following<const S: usize>(slot: u64) -> u64 {
    if slot + SIZE == SIZE * S as u64 { FIRST } else { slot + SIZE }
}

/// Blocks that are absorbed in parts. The earlier and the later half of the queue are interleaved, as each block depends on the
/// one before.
pub(crate) struct Absorbing<'a, A, const N: usize, const S: usize> {
    queue: &'a mut Queue<N, S>,
    who: A,
    /// The remaining range of each half.
    left: [(usize, usize); 2],
    h: [Number; 2],
}

impl<A: Absorb, const N: usize, const S: usize> Absorbing<'_, A, N, S> {
    /// Absorbs one block of each half, if there is any.
    #[inline(always)]
    fn some(&mut self) -> bool {
        let mut some = false;
        unroll!(i in 0 1 => {
            let Queue { secret, by, blocks, .. } = &mut *self.queue;
            let (at, end) = self.left[i];
            if let (true, Some(by), Some(block)) = (at < end, by.get(at), blocks.get(at)) {
                self.h[i] = self.who.absorb(secret.slot(*by), self.h[i], block);
                self.left[i].0 = at + 1;
                some = true;
            }
        });
        some
    }

    /// Absorbs the rest.
    #[inline(always)]
    pub(crate) fn all(mut self) {
        while self.some() {}
        let [(later, _), (_, end)] = self.left;
        let last = self.queue.secret.slot(self.queue.last);
        [last[3], last[4], last[5]] = self.h[usize::from(later < end)];
    }
}

impl<A: Absorb, const N: usize, const S: usize> Beside for Absorbing<'_, A, N, S> {
    #[inline(always)]
    fn part(&mut self, _: usize, _: usize) {
        self.some();
    }
}

impl<const S: usize> Secret<S> {
    #[inline(always)]
    fn slot(&mut self, slot: u64) -> &mut Slot {
        const { assert!(S.is_power_of_two()) }
        &mut self.0[(slot / SIZE) as usize & (S - 1)]
    }
}
