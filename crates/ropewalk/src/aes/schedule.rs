//! The key schedule (section 5.2), one AESENCLAST a round key behind the other and nothing between.
//!
//! Take AES-128, and let `last[n]` be the last word of round key `n`. Each word is the sum of the word
//! before it and the word above it, so the third word is `last[n] + last[n - 1]`, the second
//! `last[n] + last[n - 2]`, the first the sum of `last[n]` to `last[n - 3]`: powers of 1 + x, where
//! x goes one round key back. The fourth power, 1 + x⁴, is what SubWord gives:
//!
//! > `last[n] = last[n - 4] + SubWord(RotWord(last[n - 1])) + rcon[n]`
//!
//! Kept rotated by `n` bytes, `last[n]` needs no RotWord, and four make no difference to `last[n - 4]`.
//! AESENCLAST does the rest: on four equal columns its ShiftRows is the identity.
//!
//! AES-256 has two such sequences, of even and odd round keys, and each gives SubWord to the other.
//! In AES-192 a group has six words, and (1 + x)⁶ is 1 + x² + x⁴ + x⁶.
//!
//! The same text serves every instruction set: `schedule!` asks for the functions of vectors that are
//! in scope where it stands.

use super::Block;

/// Writes the key schedule for vectors `$V` of four words.
macro_rules! schedule {
    ($features:literal, $V:ty) => {
        /// The round keys of a key of 16, 24 or 32 bytes.
        #[inline]
        #[target_feature(enable = $features)]
        pub(crate) fn expand(secret: &[u8]) -> RoundKeys {
            let mut place = MaybeUninit::uninit();
            expand_in(secret, &mut place);
            // SAFETY: it has just been written.
            #[allow(unsafe_code)]
            unsafe {
                place.assume_init()
            }
        }

        /// The round keys for encrypting, and those of the equivalent inverse cipher (section 5.3.5), last
        /// one first.
        #[inline]
        #[target_feature(enable = $features)]
        pub(crate) fn expand_both(secret: &[u8]) -> [RoundKeys; 2] {
            let mut place = MaybeUninit::uninit();
            expand_both_in(secret, &mut place);
            // SAFETY: it has just been written.
            #[allow(unsafe_code)]
            unsafe {
                place.assume_init()
            }
        }

        /// Where they stay: a copy would wait for each key until it has left the core.
        #[inline(never)]
        #[target_feature(enable = $features)]
        fn expand_in(secret: &[u8], place: &mut MaybeUninit<RoundKeys>) {
            let RoundKeys { keys, rounds } =
                place.write(RoundKeys { keys: [[0; 16]; 15], rounds: 0 });
            *rounds = expand_to(secret, keys);
        }

        #[inline(never)]
        #[target_feature(enable = $features)]
        fn expand_both_in(secret: &[u8], place: &mut MaybeUninit<[RoundKeys; 2]>) {
            let none = || RoundKeys { keys: [[0; 16]; 15], rounds: 0 };
            let [RoundKeys { keys, rounds }, inverse] = place.write([none(), none()]);
            *rounds = expand_to(secret, keys);
            inverse.rounds = *rounds;
            let last = (*rounds).min(14);
            inverse.keys[0] = keys[last];
            for (inverse, key) in inverse.keys[1..last].iter_mut().zip(keys[1..last].iter().rev()) {
                store(inverse, inv_mix_columns(load(key)));
            }
            inverse.keys[last] = keys[0];
            inverse.keys[14] = keys[0];
        }

        /// Makes round keys where there are zeros, and returns how many rounds that is. Groups are loops: an AESENCLAST, which
        /// the next one waits for, takes longer than most of what is beside it.
        #[inline(never)]
        #[target_feature(enable = $features)]
        pub(crate) fn expand_to(secret: &[u8], keys: &mut [Block; 15]) -> usize {
            match secret.as_chunks() {
                ([key], []) => {
                    expand_128(key, keys);
                    10
                }
                ([low, high], []) => {
                    expand_256(low, high, keys);
                    14
                }
                _ => match (secret.first_chunk(), secret.last_chunk()) {
                    (Some(low), Some(high)) if secret.len() == 24 => {
                        expand_192(low, high, keys);
                        12
                    }
                    _ => unreachable!("a key of 16, 24 or 32 bytes"),
                },
            }
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn expand_128(key: &Block, keys: &mut [Block; 15]) {
            keys[0] = *key;
            let mut all = Fours::new(load(key));
            let mut newest = load(key);
            let groups = GROUPS.0.as_chunks().0;
            for (key, [constant, turn]) in some(&mut keys[1..11]).iter_mut().zip(&groups[1..11]) {
                newest = all.next(all.last[3], load(constant), turn);
                store(key, newest);
            }
            store(&mut keys[14], newest);
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn expand_256(low: &Block, high: &Block, keys: &mut [Block; 15]) {
            (keys[0], keys[1]) = (*low, *high);
            let mut even = Fours::new(load(low));
            let mut odd = Fours::new(load(high));
            let mut r = 2;
            while let Some(key) = keys.get_mut(r) {
                let turn = &GROUPS.0[r + 1];
                store(key, even.next(odd.last[3], load(&GROUPS.0[r]), turn));
                let Some(key) = keys.get_mut(r + 1) else { return };
                store(key, odd.next(even.last[3], splat(0), turn));
                r = hidden(r + 2);
            }
        }

        /// `low` is the first four words, `high` the last four.
        #[inline]
        #[target_feature(enable = $features)]
        fn expand_192(low: &Block, high: &Block, keys: &mut [Block; 15]) {
            keys[0] = *low;
            let (low, high) = (load(low), load(high));
            let lasts = lasts(high);
            let older = xor(xor(low, odd_words(low)), {
                let of_high = xor(high, odd_words(high));
                high_half(of_high)
            });
            // Of groups -5 to 0.
            let mut last = [
                pick(older, 0, 1),
                pick(older, 1, 0),
                pick(lasts, 0, 3),
                pick(lasts, 1, 2),
                pick(lasts, 2, 1),
                pick(lasts, 3, 0),
            ];
            let word = |lane| pick(lasts, lane, 0);
            let mut pairs = [
                pair(word(0), pick(older, 1, 0)),
                pair(word(1), word(0)),
                pair(word(2), word(1)),
                pair(word(3), word(2)),
            ];
            let mut next = |n: usize| {
                let (constant, turn) = (&GROUPS.0[2 * n], &GROUPS.0[2 * n + 1]);
                let [a, b, c, d, e, f] = last;
                let sum = xor(xor(pick(xor(e, a), 0, 2), c), load(constant));
                let newest = sub_bytes_add(f, sum);
                last = [b, c, d, e, f, newest];

                let [above, second, below, last_two_before] = pairs;
                let last_two = pair_after(shuffle(newest, load(turn)), last_two_before);
                let first_four = xor(last_two, halves(above, below));
                pairs = [second, below, last_two_before, last_two];
                (last_two_before, first_four, last_two)
            };
            // Two groups are three keys.
            let mut newest = low;
            let mut i = 0;
            while let Some([a, b, c]) = keys[1..13].as_chunks_mut().0.get_mut(i) {
                let n = 2 * i + 1;
                let (last_two_before, first_four, last_two) = next(n);
                store(a, low_halves(last_two_before, first_four));
                store(b, high_halves(first_four, last_two));
                (_, newest, _) = next(n + 1);
                store(c, newest);
                i = hidden(i + 1);
            }
            store(&mut keys[14], newest);
        }

        /// The same keys; but the compiler does not know how many they are, and leaves a loop over them as it is.
        #[inline(always)]
        fn some(keys: &mut [Block]) -> &mut [Block] {
            let all = hidden(keys.len());
            keys.get_mut(..all).unwrap_or_default()
        }

        /// A number of which the compiler does not know that, and leaves a loop over such numbers as it is.
        #[inline(always)]
        fn hidden(n: usize) -> usize {
            unknown(n as u64) as usize
        }

        /// Round keys of four words each, which follow from the one before and the words given to SubWord.
        struct Fours {
            /// The last words of the last four round keys, the oldest first, each in all lanes: that of number `n` rotated
            /// back by `n` bytes.
            last: [$V; 4],
            /// The last two words of the last two round keys, twice.
            pairs: [$V; 2],
        }

        impl Fours {
            #[inline]
            #[target_feature(enable = $features)]
            fn new(key: $V) -> Self {
                let lasts = lasts(key);
                let word = |lane| pick(lasts, lane, 0);
                Self {
                    last: [
                        pick(lasts, 0, 3),
                        pick(lasts, 1, 2),
                        pick(lasts, 2, 1),
                        pick(lasts, 3, 0),
                    ],
                    pairs: [pair(word(2), word(1)), pair(word(3), word(2))],
                }
            }

            /// The next one.
            #[inline]
            #[target_feature(enable = $features)]
            fn next(&mut self, word: $V, constant: $V, turn: &Block) -> $V {
                let [oldest, b, c, d] = self.last;
                let newest = sub_bytes_add(word, xor(oldest, constant));
                self.last = [b, c, d, newest];

                let [above, before] = self.pairs;
                let last_two = pair_after(shuffle(newest, load(turn)), before);
                self.pairs = [before, last_two];
                xor(last_two, low_half(above))
            }
        }

        /// The last words of group 0 and of the three that would have come before it, newest in the highest
        /// lane.
        #[inline]
        #[target_feature(enable = $features)]
        fn lasts(key: $V) -> $V {
            let sums = xor(key, odd_words(key));
            xor(sums, high_half(sums))
        }

        /// The last word but one and the last one, twice, from the last ones of two groups.
        #[inline]
        #[target_feature(enable = $features)]
        fn pair(last: $V, before: $V) -> $V {
            xor(last, even_words(before))
        }

        /// The same, given the pair before.
        #[inline]
        #[target_feature(enable = $features)]
        fn pair_after(last: $V, before: $V) -> $V {
            xor(last, odd_words(before))
        }

        /// One word in all lanes, RotWord done to it so many times.
        #[inline]
        #[target_feature(enable = $features)]
        fn pick(words: $V, lane: usize, times: usize) -> $V {
            shuffle(words, load(&PICK[lane][times]))
        }
    };
}
pub(super) use schedule;

/// From 1 (section 5.2, table 5).
pub(super) const RCON: [u8; 11] = [0, 0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0x1b, 0x36];

/// Of each group, what is added to its last word, rotated back as that is; and where bytes of it go for it to be no longer
/// rotated.
pub(super) static GROUPS: Groups = {
    let mut groups = [[0; 16]; 22];
    let mut n = 0;
    while n < RCON.len() {
        let mut word = 0;
        while word < 4 {
            groups[2 * n][4 * word + n % 4] = RCON[n];
            word += 1;
        }
        groups[2 * n + 1] = PICK[0][n % 4];
        n += 1;
    }
    Groups(groups)
};

/// Instructions have them as operands.
#[repr(align(16))]
pub(super) struct Groups(pub(super) [Block; 22]);

pub(super) const PICK: [[Block; 4]; 4] = {
    let mut table = [[[0; 16]; 4]; 4];
    let mut i = 0;
    while i < 256 {
        let (lane, times, byte) = (i / 64, i / 16 % 4, i % 16);
        table[lane][times][byte] = (4 * lane + (byte + times) % 4) as u8;
        i += 1;
    }
    table
};
