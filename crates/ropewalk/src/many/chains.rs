//! Chains of AES: in each lane blocks of one message, each of which waits for the one before.
//!
//! A chain leaves most of what a processor has for AES idle, and so many of them lie side by side: each lane has
//! a message and its key. When a message ends, its lane takes the next one.

use crate::{
    aes::{Block, RoundKeys},
    simd::{Lanes, each},
    text::{Text, Texts},
};

/// A message to encrypt.
pub(crate) struct Chain<'a, K: ?Sized> {
    pub(crate) key: &'a K,
    /// What its first block is added to.
    pub(crate) before: &'a Block,
    /// Of whole blocks.
    pub(crate) text: Text<'a>,
}

/// A key of a chain.
pub(crate) trait Key {
    /// Its round keys, where lanes can take them.
    fn round_keys(&self) -> Option<&RoundKeys>;

    /// Encrypts one text alone.
    fn encrypt(&self, before: &Block, text: Text<'_>);
}

/// What lanes work on. Those of the first messages are running.
#[repr(C, align(64))]
pub(crate) struct Chains<Keys, const WIDTH: usize> {
    keys: Keys,
    /// The block before the next one.
    before: [Block; WIDTH],
    /// 10, 12 or 14, the same in each lane.
    rounds: usize,
    /// How many lanes there are to work on.
    pub(crate) running: usize,
}

/// The fewest messages that lanes are for: a second one costs nothing.
const LEAST: usize = 2;

/// Bytes that lanes without a message have instead.
const SPARE: usize = 512;

/// Encrypts messages whose keys have so many rounds, side by side.
#[inline(always)]
pub(crate) fn encrypt<'a, K: Key + ?Sized + 'a, Keys: KeysOfLanes<'a>, const WIDTH: usize>(
    keys: Keys,
    rounds: usize,
    mut chains: impl Iterator<Item = Chain<'a, K>>,
    encrypt: impl Fn(&mut Chains<Keys, WIDTH>, &mut Texts<'_, WIDTH>),
) {
    let mut lanes = Chains { keys, before: [[0; 16]; WIDTH], rounds, running: 0 };
    let mut keys: [Option<&K>; WIDTH] = [None; WIDTH];
    let mut texts: [Text<'a>; WIDTH] = core::array::from_fn(|_| Text::in_place(&mut []));
    let mut spare = [0; SPARE];
    loop {
        // Lanes whose text has ended take another one; the last lane takes the place of one that finds none.
        let mut lane = 0;
        while lane < WIDTH {
            if lane < lanes.running && texts[lane].len() > 0 {
                lane += 1;
            } else if let Some(Chain { key, before, text }) = chains.next() {
                lanes.running = lanes.running.max(lane + 1);
                lanes.before[lane] = *before;
                texts[lane] = text;
                if !keys[lane].is_some_and(|there| core::ptr::addr_eq(there, key)) {
                    keys[lane] = Some(key);
                    if let Some(keys) = key.round_keys() {
                        lanes.keys.set(lane, keys);
                    }
                }
            } else if lane < lanes.running {
                lanes.running -= 1;
                lanes.keys.move_lane(lanes.running, lane);
                lanes.before[lane] = lanes.before[lanes.running];
                keys.swap(lanes.running, lane);
                texts.swap(lanes.running, lane);
            } else {
                break;
            }
        }
        let running = lanes.running;
        if running < LEAST {
            if let (Some(key), Some(text)) = (keys[0], texts.into_iter().next()) {
                key.encrypt(&lanes.before[0], text);
            }
            return;
        }

        let mut len = texts[..running].iter().map(Text::len).min().unwrap_or(0);
        if running < WIDTH {
            len = len.min(SPARE);
        }
        encrypt(&mut lanes, &mut Texts::take(&mut texts, running, len, &mut spare));
    }
}

/// Encrypts the texts of `G` vectors of lanes.
#[inline(always)]
pub(crate) fn encrypt_lanes<'a, V, Keys, const N: usize, const G: usize, const WIDTH: usize>(
    cpu: V::Cpu,
    chains: &mut Chains<Keys, WIDTH>,
    texts: &mut Texts<'_, WIDTH>,
) where
    V: Lanes<N>,
    Keys: KeysOfLanes<'a>,
{
    let Chains { keys, before, rounds, .. } = chains;
    keys.settle::<V, N, G>(cpu, *rounds);
    let key = |r: usize, g: usize| keys.key::<V, N>(cpu, r, g);
    let mut x: [V; G] = each(|g| V::load(cpu, &before.as_chunks().0[g]));
    let mut at = 0;
    while at < texts.len() {
        // All are read before any is written: lanes without a message have the same bytes.
        for g in 0..G {
            let text = V::gather(cpu, each(|lane| texts.input(N * g + lane, at)));
            x[g] = x[g].xor(text).whiten(key(0, g));
        }
        crate::aes::middle_rounds!(*rounds; r => {
            for g in 0..G {
                x[g] = x[g].round(key(r - 1, g), key(r, g));
            }
            for g in 0..G {
                x[g].keep_order();
            }
        });
        let last = (*rounds).min(14);
        for g in 0..G {
            x[g] = x[g].last_round(key(last - 1, g), key(last, g));
            for lane in 0..N {
                x[g].put(lane, texts.output(N * g + lane, at));
            }
        }
        at += 16;
    }
    for g in 0..G {
        x[g].store(&mut before.as_chunks_mut().0[g]);
    }
}

/// The round keys of lanes.
pub(crate) trait KeysOfLanes<'a> {
    fn set(&mut self, lane: usize, keys: &'a RoundKeys);
    fn move_lane(&mut self, from: usize, to: usize);

    /// Before the first is asked for: of `G` vectors of lanes.
    fn settle<V: Lanes<N>, const N: usize, const G: usize>(&mut self, cpu: V::Cpu, rounds: usize);

    /// Round key `r` of the lanes of vector `g`.
    fn key<V: Lanes<N>, const N: usize>(&self, cpu: V::Cpu, r: usize, g: usize) -> V;
}

/// One key for all.
pub(crate) struct OneKey<'a>(pub(crate) &'a RoundKeys);

impl<'a> KeysOfLanes<'a> for OneKey<'_> {
    #[inline(always)]
    fn set(&mut self, _: usize, _: &'a RoundKeys) {}

    #[inline(always)]
    fn move_lane(&mut self, _: usize, _: usize) {}

    #[inline(always)]
    fn settle<V: Lanes<N>, const N: usize, const G: usize>(&mut self, _: V::Cpu, _: usize) {}

    #[inline(always)]
    fn key<V: Lanes<N>, const N: usize>(&self, cpu: V::Cpu, r: usize, _: usize) -> V {
        V::splat(cpu, &self.0.keys[r])
    }
}

/// A key for each lane.
#[repr(align(64))]
pub(crate) struct OwnKeys<'a, const WIDTH: usize> {
    /// Round key `r` of lane `lane` is `[r][lane]`.
    table: [[Block; WIDTH]; 15],
    of: [Option<&'a RoundKeys>; WIDTH],
    /// A bit for each lane whose keys are not yet in the table.
    stale: u32,
}

impl<const WIDTH: usize> OwnKeys<'_, WIDTH> {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self { table: [[[0; 16]; WIDTH]; 15], of: [None; WIDTH], stale: 0 }
    }
}

impl<const WIDTH: usize> Drop for OwnKeys<'_, WIDTH> {
    #[inline(always)]
    fn drop(&mut self) {
        self.table = [[[0; 16]; WIDTH]; 15];
        zeroize::optimization_barrier(&self.table);
    }
}

impl<'a, const WIDTH: usize> KeysOfLanes<'a> for OwnKeys<'a, WIDTH> {
    #[inline(always)]
    fn set(&mut self, lane: usize, keys: &'a RoundKeys) {
        self.of[lane] = Some(keys);
        self.stale |= 1 << lane;
    }

    #[inline(always)]
    fn move_lane(&mut self, from: usize, to: usize) {
        self.of[to] = self.of[from];
        self.stale |= 1 << to;
    }

    /// Whole vectors are stored: a load of one would wait for blocks that were stored one by one.
    #[inline(always)]
    fn settle<V: Lanes<N>, const N: usize, const G: usize>(&mut self, cpu: V::Cpu, rounds: usize) {
        let Self { table, of, stale } = self;
        for g in 0..G {
            let lanes = ((1 << N) - 1) << (N * g);
            if *stale & lanes == 0 {
                continue;
            }
            // A lane without a message has the key of another one.
            let Some(first) = of[N * g].or(of[0]) else { continue };
            let keys: [_; N] = each(|lane| of[N * g + lane].unwrap_or(first));
            for r in 0..=rounds.min(14) {
                let row = &mut table[r].as_chunks_mut().0[g];
                V::gather(cpu, each(|lane| &keys[lane].keys[r])).store(row);
            }
            *stale &= !lanes;
        }
    }

    #[inline(always)]
    fn key<V: Lanes<N>, const N: usize>(&self, cpu: V::Cpu, r: usize, g: usize) -> V {
        V::load(cpu, &self.table[r].as_chunks().0[g])
    }
}
