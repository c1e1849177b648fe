//! AES-GCM on vectors of one or two blocks: one kernel for several instruction sets.
//!
//! The text goes in steps of eight vectors. Between the rounds of a step, the vectors of the step
//! before are hashed: ciphers and products run on different ports, and neither waits for the other.
//!
//! Blocks are hashed byte-reversed and the key multiplied by x, so that products need no bit
//! reflection: a·b·x^-128 modulo x^128 + x^127 + x^126 + x^121 + 1, as RFC 8452 defines POLYVAL.

use core::hint::black_box;

use self::{counter::Counter, hash::Sum};
use super::Nonce;
use crate::{
    aes::{Block, RoundKeys},
    simd::{Blocks, align_stack, each},
    text::Text,
};

mod counter;
mod hash;
pub(super) mod pieces;

pub(super) use hash::Key;
#[cfg(target_arch = "x86_64")]
pub(super) use hash::times_x;

/// Vectors in a step.
pub(super) const STEP: usize = 8;

/// Writes the backend of an instruction set.
///
/// Kernels are `apart` for sealing and for opening; or `short_once`, where those for short texts are one that is told, and
/// lengths share more: for processors of which there are ever fewer. Those for pieces of messages are `apart`, or one that is
/// told (`once`); or pieces are made of `parts`.
macro_rules! wide {
    ($Backend:ident needs $Cpu:ident: $V:ident of $L:literal, $form:ident, pieces $pieces:ident, $expand:path, $ctr:path) => {
        #[derive(Clone)]
        pub(in crate::aes_gcm) struct $Backend {
            cpu: crate::cpu::$Cpu,
            key: Key<{ 9 * $L - 1 }>,
        }

        impl Aead for $Backend {
            fn seal(&self, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block) {
                crypt! { $form $Cpu $V $L, false: self, nonce, aad, text, tag }
            }

            fn open(&self, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block) {
                crypt! { $form $Cpu $V $L, true: self, nonce, aad, text, tag }
            }

            piece! { $pieces $Cpu $V $L }
        }

        impl Parts for $Backend {
            fn ctr(&self, counter: &Block, text: Text<'_>) {
                let keys = self.key.keys.view();
                proven!($Cpu: self.cpu, fn enter(keys: Rounds<'_>, counter: &Block, text: Text<'_>) -> () {
                    $ctr(keys, counter, text)
                });
            }

            fn absorb(&self, hash: &mut Block, data: &[u8]) {
                let Self { cpu, key } = self;
                proven!($Cpu: *cpu, fn enter(cpu: &crate::cpu::$Cpu, key: &Key<{ 9 * $L - 1 }>, hash: &mut Block, data: &[u8]) -> () {
                    absorb::<$V, { 9 * $L - 1 }>(*cpu, key, hash, data)
                });
            }

            fn rekey(&mut self, secret: &[u8]) {
                self.key = Self::new(self.cpu, secret).key;
            }
        }

        impl $Backend {
            #[inline]
            pub(in crate::aes_gcm) fn new(cpu: crate::cpu::$Cpu, secret: &[u8]) -> Self {
                let key = proven!($Cpu: cpu, fn enter(cpu: crate::cpu::$Cpu, secret: &[u8]) -> Key<{ 9 * $L - 1 }> {
                    Key::new::<$V>(cpu, $expand(secret))
                });
                Self { cpu, key }
            }

            once! { $form $Cpu $V $L }
        }
    };
}
pub(super) use wide;

/// Two kernels: what a long text needs in registers and on the stack costs a short one too much.
macro_rules! crypt {
    (short_once $Cpu:ident $V:ident $L:literal, $open:literal: $self:ident, $nonce:ident, $aad:ident, $text:ident, $tag:ident) => {
        if $text.len() < 16 * STEP * $L {
            $self.short($nonce, $aad, $text, $tag, $open)
        } else {
            kernel_of!($Cpu $L, $self, fn enter($nonce, $aad, $text, $tag) = long::<$V, { 9 * $L - 1 }, true>, $open)
        }
    };
    (apart $Cpu:ident $V:ident $L:literal, $open:literal: $self:ident, $nonce:ident, $aad:ident, $text:ident, $tag:ident) => {
        if $text.len() < 16 * STEP * $L {
            kernel_of!($Cpu $L, $self, fn enter($nonce, $aad, $text, $tag) = short::<$V, { 9 * $L - 1 }, false>, $open)
        } else {
            kernel_of!($Cpu $L, $self, fn enter($nonce, $aad, $text, $tag) = long::<$V, { 9 * $L - 1 }, false>, $open)
        }
    };
}
pub(super) use crypt;

/// A kernel for one way.
macro_rules! kernel_of {
    ($Cpu:ident $L:literal, $self:ident, fn enter($nonce:ident, $aad:ident, $text:ident, $tag:ident) = $kernel:expr, $open:literal) => {{
        let Self { cpu, key } = $self;
        let (nonce, aad, text, tag) = ($nonce, $aad, $text, $tag);
        proven!($Cpu: *cpu, fn enter(cpu: &crate::cpu::$Cpu, key: &Key<{ 9 * $L - 1 }>, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block) -> () {
            $kernel(*cpu, key, nonce, aad, text, tag, $open)
        });
    }};
}
pub(super) use kernel_of;

/// Whole blocks of a message that comes in pieces.
macro_rules! piece {
    (parts $($of:tt)+) => {};
    ($pieces:ident $Cpu:ident $V:ident $L:literal) => {
        fn piece(&self, place: &mut Place, mut text: Text<'_>, way: Way) {
            // Of a counter that is made of a nonce, nobody may ask where its step begins.
            if text.len() >= 2 * 16 * STEP * $L && !place.first.is_secret() {
                let before = place.blocks.wrapping_neg() as usize % (STEP * $L);
                parts::piece(self, place, &mut text.take(16 * before), way);
                let steps = text.take(text.len() / (16 * STEP * $L) * (16 * STEP * $L));
                steps!($pieces $Cpu $V $L: self, place, steps, way);
            }
            parts::piece(self, place, &mut text, way);
        }
    };
}
pub(super) use piece;

/// Its steps.
macro_rules! steps {
    (apart $Cpu:ident $V:ident $L:literal: $self:ident, $place:ident, $text:ident, $way:ident) => {
        match $way {
            Way::Seal => steps!(false $Cpu $V $L: $self, $place, $text),
            Way::Open => steps!(true $Cpu $V $L: $self, $place, $text),
        }
    };
    ($open:literal $Cpu:ident $V:ident $L:literal: $self:ident, $place:ident, $text:ident) => {{
        let (Self { cpu, key }, place, text) = ($self, &mut *$place, $text);
        proven!($Cpu: *cpu, apart fn enter(cpu: &crate::cpu::$Cpu, key: &Key<{ 9 * $L - 1 }>, place: &mut Place, text: Text<'_>) -> () {
            pieces::steps::<$V, { 9 * $L - 1 }, false>(*cpu, key, place, text, $open)
        });
    }};
    (once $Cpu:ident $V:ident $L:literal: $self:ident, $place:ident, $text:ident, $way:ident) => {{
        let (Self { cpu, key }, place, text, way) = ($self, &mut *$place, $text, $way);
        proven!($Cpu: *cpu, apart fn enter(cpu: &crate::cpu::$Cpu, key: &Key<{ 9 * $L - 1 }>, place: &mut Place, text: Text<'_>, way: Way) -> () {
            pieces::steps::<$V, { 9 * $L - 1 }, true>(*cpu, key, place, text, way == Way::Open)
        });
    }};
}
pub(super) use steps;

/// One that is told which way.
macro_rules! once {
    (apart $($of:tt)+) => {};
    (short_once $Cpu:ident $V:ident $L:literal) => {
        #[inline]
        fn short(&self, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block, open: bool) {
            let Self { cpu, key } = self;
            proven!($Cpu: *cpu, apart fn enter(cpu: &crate::cpu::$Cpu, key: &Key<{ 9 * $L - 1 }>, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block, open: bool) -> () {
                short::<$V, { 9 * $L - 1 }, true>(*cpu, key, nonce, aad, text, tag, open)
            });
        }
    };
}
pub(super) use once;

/// Encrypts or decrypts less than a step, and makes the tag.
#[inline(always)]
pub(super) fn short<V: Blocks, const T: usize, const ONCE: bool>(
    cpu: V::Cpu,
    key: &Key<T>,
    nonce: &Nonce,
    aad: &[u8],
    mut text: Text<'_>,
    tag: &mut Block,
    open: bool,
) {
    // In registers: an argument of three words is in memory, and would be updated there.
    let text = text.reborrow();
    let pass = Pass::<V, T, ONCE>::new(cpu, key, open);
    *tag = pass.short(nonce, aad, text).numbers()[0].to_le_bytes();
}

/// The same of a step or more.
#[inline(always)]
pub(super) fn long<V: Blocks, const T: usize, const ONCE: bool>(
    cpu: V::Cpu,
    key: &Key<T>,
    nonce: &Nonce,
    aad: &[u8],
    mut text: Text<'_>,
    tag: &mut Block,
    open: bool,
) {
    let text = text.reborrow();
    if V::LANES > 1 {
        align_stack();
    }
    let pass = Pass::<V, T, ONCE>::new(cpu, key, open);
    *tag = pass.long(nonce, aad, text).numbers()[0].to_le_bytes();
}

/// GHASH goes on.
#[inline(always)]
pub(super) fn absorb<V: Blocks, const T: usize>(
    cpu: V::Cpu,
    key: &Key<T>,
    hash: &mut Block,
    data: &[u8],
) {
    let pass = Pass::<V, T, true>::new(cpu, key, false);
    let before = pass.first_lane(u128::from_be_bytes(*hash));
    *hash = pass.absorb(before, data).numbers()[0].to_be_bytes();
}

/// Ends a text by the function for at most as many vectors as it has, and what there is room for at the end. What then is left
/// may be one text for all of them, where a jump costs less than what it spares.
macro_rules! by_vectors {
    ($shared:expr, $text:ident, $lengths:ident: $pass:tt.$function:ident of $($N:literal)+ or $most:ident, $with:tt) => {{
        let fits = |vectors: usize| $text.len() < 16 * (vectors + 1) * V::LANES - 15;
        let left = $( if fits($N) {
            let left = $pass.$function::<$N> $with;
            if !$shared {
                return $pass.finish(left, $lengths);
            }
            left
        } else )+ {
            $pass.$function::<$most> $with
        };
        $pass.finish(left, $lengths)
    }};
}

/// What the parts of a pass over a message share.
struct Pass<'a, V: Blocks, const T: usize, const ONCE: bool> {
    cpu: V::Cpu,
    /// A constant, where there is a kernel for either.
    open: bool,
    keys: &'a [Block; 15],
    /// 10, 12 or 14: not a constant, which would make three kernels of one.
    rounds: usize,
    powers: &'a [Block; T],
    /// Of the powers of a step, two vectors at a time, what [`Blocks::add_two_products`] takes. A key that had
    /// them would take longer to make.
    added: [V; STEP / 2],
}

impl<'a, V: Blocks, const T: usize, const ONCE: bool> Pass<'a, V, T, ONCE> {
    /// Blocks in a step.
    const STEP_BLOCKS: usize = STEP * V::LANES;

    #[inline(always)]
    fn new(cpu: V::Cpu, key: &'a Key<T>, open: bool) -> Self {
        let Key { keys: RoundKeys { keys, rounds }, powers } = key;
        Self { cpu, open, keys, rounds: *rounds, powers, added: [V::zero(cpu); STEP / 2] }
    }

    /// With what takes the hash of whole steps.
    #[inline(always)]
    fn with_added(&self) -> Self {
        let load = |i: usize| self.powers(i * V::LANES);
        Self { added: each(|i| V::halves_added(load(2 * i), load(2 * i + 1))), ..*self }
    }

    /// The tag of less than a step, in the first lane.
    #[inline(always)]
    fn short(&self, nonce: &Nonce, mut aad: &[u8], text: Text<'_>) -> V {
        let mut hash = V::zero(self.cpu);
        let lengths = self.lengths(aad, text.len());
        let (aad_blocks, text_blocks) = (blocks(aad.len()), blocks(text.len()));
        // Where there are powers enough, one reduction serves all.
        if aad_blocks + text_blocks >= Self::STEP_BLOCKS {
            hash = self.absorb(hash, aad);
            aad = &[];
        }
        let counter = Counter::new(self.cpu, nonce, V::splat(self.cpu, &self.keys[0]));
        if ONCE {
            return by_vectors!(true, text, lengths: self.only of 1 4 or STEP, (counter, aad, text, hash));
        }
        by_vectors!(V::LANES > 1, text, lengths: self.only of 0 1 2 4 or STEP, (counter, aad, text, hash))
    }

    /// The same of a step or more.
    #[inline(always)]
    fn long(&self, nonce: &Nonce, aad: &[u8], mut text: Text<'_>) -> V {
        let mut counter = Counter::new(self.cpu, nonce, V::splat(self.cpu, &self.keys[0]));
        let text_len = text.len();
        let mut hash = V::zero(self.cpu);
        let none = [hash; STEP];
        if self.open {
            hash = self.absorb(hash, aad);
        }
        let mut behind = self.step::<false>(&mut counter, aad, &mut text, none, &mut hash);
        // Beside the rounds of the first step there is time.
        let pass = self.with_added();
        while text.len() >= 16 * Self::STEP_BLOCKS {
            behind = pass.step::<true>(&mut counter, aad, &mut text, behind, &mut hash);
        }
        let lengths = self.lengths(aad, text_len);
        // Few: what vectors cost that nobody needs is hidden beside the hash.
        by_vectors!(ONCE, text, lengths: pass.last of 0 2 or STEP, (counter, text, behind, hash))
    }

    /// Where the powers of the last blocks and the lengths begin. Where they would need one too many,
    /// the lengths wait for the blocks.
    #[inline(always)]
    fn first_power(&self, text: &Text<'_>) -> usize {
        Self::STEP_BLOCKS.saturating_sub(blocks(text.len()) + 1)
    }

    /// Encrypts or decrypts eight vectors, hashes the eight `behind`, and returns those to hash next.
    /// The first step has none behind it, and sealing hashes the additional data there.
    #[inline(always)]
    fn step<const HASH: bool>(
        &self,
        counter: &mut Counter<V>,
        aad: &[u8],
        text: &mut Text<'_>,
        behind: [V; STEP],
        hash: &mut V,
    ) -> [V; STEP] {
        let mut piece = text.take(16 * Self::STEP_BLOCKS);
        // Kept in registers, of which there are sixteen, round keys drive out blocks.
        let keys = black_box(self.keys);
        let mut x = counter.next::<STEP>(self.cpu);
        let mut none = V::zero(self.cpu);
        let last = self.rounds::<false, HASH>(keys, &mut x, &mut none, behind, hash);
        // It waits for nothing, but the rounds would start later after it. What is opened can be hashed
        // before the rounds, and waits for this.
        if !self.open && !HASH {
            *hash = self.absorb(*hash, aad);
        }
        let [before, last] = last.map(|key| V::splat(self.cpu, key));
        for i in 0..STEP {
            let input = V::load(self.cpu, vector::<V>(piece.input(), i));
            let output = x[i].last_round_onto(before, last, input);
            output.store(vector_mut::<V>(piece.output(), i));
            x[i] = if self.open { input } else { output }.reverse();
        }
        x
    }

    /// All rounds but the last, of the vector at the `end` too if there is one, and beside them the hash
    /// of the eight vectors `behind`. Returns the two keys that the last round may need.
    #[inline(always)]
    #[allow(
        clippy::manual_is_multiple_of,
        reason = "rustc knows of no other that the index is in bounds"
    )]
    fn rounds<'k, const END: bool, const HASH: bool>(
        &self,
        keys: &'k [Block; 15],
        x: &mut [V],
        end: &mut V,
        mut behind: [V; STEP],
        hash: &mut V,
    ) -> [&'k Block; 2] {
        let key = |r: usize| V::splat(self.cpu, &keys[r]);
        let mut sum = Sum::zero(self.cpu);
        let added = &self.added;
        unroll!(r in 1 2 3 4 5 6 7 8 9 => {
            let (before, key) = (key(r - 1), key(r));
            for i in 0..x.len() {
                x[i] = x[i].round(before, key);
            }
            if END {
                *end = end.round(before, key);
            }
            // What waits for the hash comes last.
            let i = r % STEP;
            if HASH && i == 0 {
                behind[0] = behind[0].xor(*hash);
            }
            if HASH && V::TWO_AT_ONCE && r % 2 == 0 {
                let powers = [i, i + 1].map(|i| self.powers(i * V::LANES));
                sum.add_two([behind[i], behind[i + 1]], powers, added[i / 2]);
            } else if HASH && !V::TWO_AT_ONCE && r <= STEP {
                sum.add(behind[i], self.powers(i * V::LANES));
            }
        });
        // Each key by its number: one that is only known later would have to be checked.
        let mut last = [&keys[9], &keys[10]];
        if self.rounds > 10 {
            self.two_rounds::<END>(x, end, [key(9), key(10), key(11)]);
            last = [&keys[11], &keys[12]];
            if self.rounds > 12 {
                self.two_rounds::<END>(x, end, [key(11), key(12), key(13)]);
                last = [&keys[13], &keys[14]];
            }
        }
        if HASH {
            *hash = sum.whole().reduce().sum_lanes();
        }
        last
    }

    /// Two more, given the key before them and theirs.
    #[inline(always)]
    fn two_rounds<const END: bool>(&self, x: &mut [V], end: &mut V, keys: [V; 3]) {
        for r in 1..3 {
            let (before, key) = (keys[r - 1], keys[r]);
            for i in 0..x.len() {
                x[i] = x[i].round(before, key);
            }
            if END {
                *end = end.round(before, key);
            }
        }
    }

    /// All of a text of up to `N` vectors and what there is room for at the end.
    #[inline(always)]
    fn only<'t, const N: usize>(
        &self,
        counter: Counter<V>,
        aad: &[u8],
        text: Text<'t>,
        mut hash: V,
    ) -> Left<'t, V> {
        let (mut x, mut end) = counter.last::<N>(self.cpu);
        let none = [hash; STEP];
        // What is sealed can only be hashed after the last round. Half of it comes there first, and is
        // hashed beside rounds of the other half: where the code for that is not too long.
        let halves = !ONCE && !self.open && N > 2 * V::LANES;
        let (first, rest) = x.split_at_mut(if halves { N / 2 } else { 0 });
        if halves {
            self.rounds::<false, false>(self.keys, first, &mut V::zero(self.cpu), none, &mut hash);
        }
        let keys = self.rounds::<true, false>(self.keys, rest, &mut end, none, &mut hash);
        // It waits for nothing, but the rounds would start later after it.
        let mut sum = Sum::zero(self.cpu);
        if !aad.is_empty() {
            let at = self.first_power(&text);
            // The last vector, which most often is the only one, and those before it.
            let last = (aad.len() - 1) % (16 * V::LANES);
            let (data, rest) = aad.split_at(aad.len() - 1 - last);
            sum.add(self.load_data(rest).reverse(), self.powers(at - (last / 16 + 1)));
            if !data.is_empty() {
                let at = at - blocks(aad.len());
                self.add_data(&mut sum, at, V::zero(self.cpu), data);
            }
        }
        self.whole::<N>((x, end), keys, text, sum, hash)
    }

    /// The same of what is left of a text after the vectors `behind`.
    #[inline(always)]
    fn last<'t, const N: usize>(
        &self,
        counter: Counter<V>,
        text: Text<'t>,
        behind: [V; STEP],
        mut hash: V,
    ) -> Left<'t, V> {
        let (mut x, mut end) = counter.last::<N>(self.cpu);
        let keys = self.rounds::<true, true>(self.keys, &mut x, &mut end, behind, &mut hash);
        self.whole::<N>((x, end), keys, text, Sum::zero(self.cpu), hash)
    }

    /// Encrypts or decrypts up to `N` whole vectors, and hashes them.
    #[inline(always)]
    fn whole<'t, const N: usize>(
        &self,
        (mut x, end): ([V; N], V),
        keys: [&Block; 2],
        mut text: Text<'t>,
        mut sum: Sum<V>,
        mut hash: V,
    ) -> Left<'t, V> {
        let mut at = self.first_power(&text);
        let [before, last] = keys.map(|key| V::splat(self.cpu, key));
        for i in 0..N {
            x[i] = x[i].last_round(before, last);
        }
        let end = end.last_round(before, last);
        let pad = end.last_lane();
        // Whole vectors one by one, each from a register of its own, and what is left of the text. (The
        // sums are none: LLVM would rather keep all in memory and choose an address.)
        let rest = 'whole: {
            unroll!(i in 0 1 2 3 4 5 6 7 => if i < N {
                if text.len() < 16 * V::LANES {
                    break 'whole x[i].xor(V::zero(self.cpu));
                }
                let mut piece = text.take(16 * V::LANES);
                let input = V::load(self.cpu, vector::<V>(piece.input(), 0));
                let output = x[i].xor(input);
                output.store(vector_mut::<V>(piece.output(), 0));
                let hashed = if self.open { input } else { output };
                sum.add(hashed.reverse().xor(hash), self.powers(at));
                hash = V::zero(self.cpu);
                at += V::LANES;
            });
            end
        };
        Left { text, rest, pad, sum, hash, at }
    }

    /// Encrypts or decrypts less than a vector, hashes that and the lengths, and returns the tag: one text after all
    /// numbers of vectors.
    #[inline(always)]
    fn finish(&self, left: Left<'_, V>, lengths: u128) -> V {
        let Left { mut text, rest, pad, mut sum, mut hash, mut at } = left;
        if text.len() > 0 {
            let input = self.load_part(text.input());
            let output = self.store_part(rest.xor(input), text.output());
            let hashed = if self.open { input } else { output }.reverse().xor(hash);
            // The lengths go beside the last block where there is a lane for them.
            if text.len() <= 16 * (V::LANES - 1) {
                sum.add(hashed.with_last(V::from_numbers(self.cpu, [lengths; 2])), self.powers(at));
                return sum.reduce().sum_lanes().reverse().xor(pad);
            }
            sum.add(hashed, self.powers(at));
            hash = V::zero(self.cpu);
            at += blocks(text.len());
        }
        if at == Self::STEP_BLOCKS {
            hash = sum.reduce().sum_lanes();
            sum = Sum::zero(self.cpu);
        }
        sum.add(self.first_lane(lengths).xor(hash), self.powers(Self::STEP_BLOCKS - 1));
        sum.reduce().sum_lanes().reverse().xor(pad)
    }
}

/// What is left of a text after its whole vectors, and what has become of these.
struct Left<'t, V> {
    text: Text<'t>,
    /// The key stream for it.
    rest: V,
    /// The encrypted block for the tag.
    pad: V,
    sum: Sum<V>,
    /// What is to be added to the block that is hashed next.
    hash: V,
    /// The power of that.
    at: usize,
}

/// How many blocks so many bytes take. `div_ceil` would mind sums that no length has.
#[inline(always)]
fn blocks(bytes: usize) -> usize {
    bytes.wrapping_add(15) / 16
}

/// The blocks of a text from vector `i` on.
#[inline(always)]
fn vector<V: Blocks>(bytes: &[u8], i: usize) -> &[Block] {
    &bytes.as_chunks().0[i * V::LANES..]
}

#[inline(always)]
fn vector_mut<V: Blocks>(bytes: &mut [u8], i: usize) -> &mut [Block] {
    &mut bytes.as_chunks_mut().0[i * V::LANES..]
}
