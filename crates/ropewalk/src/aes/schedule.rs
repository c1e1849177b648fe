//! The key schedule (section 5.2), with one AESENCLAST for each round key as its only critical path.
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
//! The code is shared by all instruction sets: `schedule!` uses the vector functions in scope at its place.

use crate::core::block::Block;

/// Declares the key schedule for vectors `$V` of four words.
macro_rules! schedule {
    ($features:literal, $V:ty) => {
        /// The round keys of a key of 16, 24 or 32 bytes. Out of line, so that they are made in their final place: a copy would
        /// wait for each store.
        #[inline(never)]
        #[target_feature(enable = $features)]
        pub(crate) fn expand(secret: &[u8]) -> RoundKeys {
            let mut place = RoundKeys::none();
            place.rounds = expand_to(secret, &mut place.keys);
            place
        }

        /// The round keys for encryption, and those of the equivalent inverse cipher (section 5.3.5), last one first.
        #[inline(never)]
        #[target_feature(enable = $features)]
        pub(crate) fn expand_both(secret: &[u8]) -> [RoundKeys; 2] {
            let mut both = [RoundKeys::none(), RoundKeys::none()];
            let [RoundKeys { keys, rounds }, inverse] = &mut both;
            *rounds = expand_to(secret, keys);
            inverse.rounds = *rounds;
            invert(keys, *rounds, &mut inverse.keys);
            both
        }

        #[inline]
        #[target_feature(enable = $features)]
        extern "C" fn invert(keys: &[Block; 15], rounds: usize, inverse: &mut [Block; 15]) {
            let last = rounds.min(14);
            inverse[0] = keys[last];
            for (inverse, key) in inverse[1..last].iter_mut().zip(keys[1..last].iter().rev()) {
                store(inverse, inv_mix_columns(load(key)));
            }
            inverse[last] = keys[0];
            inverse[14] = keys[0];
        }

        /// Fills `keys` with round keys, and returns the number of rounds. One function for all callers, with unrolled groups:
        /// with loops it took 1.1 to 1.4 times as long. It cannot unwind: otherwise its callers would make the keys in one place,
        /// for a panic to wipe them, and copy them to another.
        #[inline(never)]
        #[target_feature(enable = $features)]
        #[allow(improper_ctypes_definitions, reason = "only Rust calls it")]
        pub(crate) extern "C" fn expand_to(secret: &[u8], keys: &mut [Block; 15]) -> usize {
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
            unroll!(n in 1 2 3 4 5 6 7 8 9 10 => {
                let word = all.last[(n - 1) % 4];
                store(&mut keys[n], all.next(n, word, RCON[n]));
            });
            keys[14] = keys[10];
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn expand_256(low: &Block, high: &Block, keys: &mut [Block; 15]) {
            (keys[0], keys[1]) = (*low, *high);
            let mut even = Fours::new(load(low));
            let mut odd = Fours::new(load(high));
            unroll!(n in 1 2 3 4 5 6 7 => {
                let word = odd.last[(n - 1) % 4];
                store(&mut keys[2 * n], even.next(n, word, RCON[n]));
                if n < 7 {
                    let word = even.last[n % 4];
                    store(&mut keys[2 * n + 1], odd.next(n, word, 0));
                }
            });
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
            // Of groups 0 and -5 to -1, each at its number modulo six.
            let mut last = [
                pick(lasts, 3, 0),
                pick(older, 0, 1),
                pick(older, 1, 0),
                pick(lasts, 0, 3),
                pick(lasts, 1, 2),
                pick(lasts, 2, 1),
            ];
            let word = |lane| pick(lasts, lane, 0);
            let mut before = word(3);
            let mut pairs = [
                pair(before, word(2)),
                pair(word(0), pick(older, 1, 0)),
                pair(word(1), word(0)),
                pair(word(2), word(1)),
            ];
            let mut next = |n: usize| {
                let swapped = pick(xor(last[(n + 4) % 6], last[n % 6]), 0, 2);
                let sum = xor(xor(swapped, last[(n + 2) % 6]), rcon(n, RCON[n]));
                last[n % 6] = sub_bytes_add(last[(n + 5) % 6], sum);

                let word = pick(last[n % 6], 0, n % 4);
                let last_two = pair(word, before);
                let above = halves(pairs[n % 4], pairs[(n + 2) % 4]);
                let first_four = xor(last_two, above);
                let last_two_before = pairs[(n + 3) % 4];
                (pairs[n % 4], before) = (last_two, word);
                (last_two_before, first_four, last_two)
            };
            unroll!(n in 1 2 3 4 5 6 7 8 => {
                let (last_two_before, first_four, last_two) = next(n);
                if n.is_multiple_of(2) {
                    store(&mut keys[3 * n / 2], first_four);
                } else {
                    let straddling = low_halves(last_two_before, first_four);
                    store(&mut keys[3 * n / 2], straddling);
                    store(&mut keys[3 * n / 2 + 1], high_halves(first_four, last_two));
                }
            });
            keys[14] = keys[12];
        }

        /// Round keys of four words each, computed from the one before and the words given to SubWord.
        struct Fours {
            /// The last words of the last four round keys, each in all lanes: that of round key `n` at index `n` modulo four,
            /// rotated back by `n` bytes.
            last: [$V; 4],
            /// The newest of them, not rotated.
            before: $V,
            /// The last two words of the last two round keys, twice: at index `n` modulo two.
            pairs: [$V; 2],
        }

        impl Fours {
            #[inline]
            #[target_feature(enable = $features)]
            fn new(key: $V) -> Self {
                let lasts = lasts(key);
                let word = |lane| pick(lasts, lane, 0);
                Self {
                    last: [pick(lasts, 3, 0), pick(lasts, 0, 3), pick(lasts, 1, 2), pick(lasts, 2, 1)],
                    before: word(3),
                    pairs: [pair(word(3), word(2)), pair(word(2), word(1))],
                }
            }

            /// Round key `n`.
            #[inline]
            #[target_feature(enable = $features)]
            fn next(&mut self, n: usize, word: $V, constant: u8) -> $V {
                let sum = xor(self.last[n % 4], rcon(n, constant));
                self.last[n % 4] = sub_bytes_add(word, sum);

                let word = pick(self.last[n % 4], 0, n % 4);
                let last_two = pair(word, self.before);
                let key = xor(last_two, low_half(self.pairs[n % 2]));
                self.pairs[n % 2] = last_two;
                self.before = word;
                key
            }
        }

        /// The last words of group 0 and of the three hypothetical groups before it, newest in the highest lane.
        #[inline]
        #[target_feature(enable = $features)]
        fn lasts(key: $V) -> $V {
            let sums = xor(key, odd_words(key));
            xor(sums, high_half(sums))
        }

        /// The last word but one and the last one, twice, from the last words of two groups.
        #[inline]
        #[target_feature(enable = $features)]
        fn pair(last: $V, before: $V) -> $V {
            xor(last, even_words(before))
        }

        /// One word in all lanes, with RotWord applied `times` times.
        #[inline]
        #[target_feature(enable = $features)]
        fn pick(words: $V, lane: usize, times: usize) -> $V {
            shuffle(words, load(&PICK[lane][times]))
        }

        /// The constant of group `n`, rotated back by `n` bytes.
        #[inline]
        #[target_feature(enable = $features)]
        fn rcon(n: usize, constant: u8) -> $V {
            splat(u32::from(constant) << (8 * (n % 4)))
        }
    };
}
pub(super) use schedule;

/// Indexed from 1 (section 5.2, table 5).
pub(super) const RCON: [u8; 11] = [0, 0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0x1b, 0x36];

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
