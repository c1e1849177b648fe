//! Batches of AES chains: each lane has consecutive blocks of one message, each of which depends on the one before.
//!
//! A chain leaves most of a processor's AES throughput idle, so many of them run in parallel: each lane has a message and its
//! key. When a message ends, its lane takes the next one. A mode defines the input of each block, and whether the block is
//! written (`Strand`).

use super::groups::Key;
use crate::core::secret::Keep;
use crate::{
    aes::RoundKeys,
    core::{
        block::Block,
        opaque::unseen,
        simd::{Lanes, each},
        text::{Inputs, LINE, LONG, Texts, share_a_set},
    },
};

/// A message.
pub(crate) struct Chain<'a, K: ?Sized, S> {
    pub(crate) key: &'a K,
    /// The block that its first block is added to.
    pub(crate) before: Block,
    pub(crate) strand: S,
}

/// The rest of a message in a lane: whole blocks.
pub(crate) trait Strand<K: ?Sized>: Sized {
    /// The next blocks of all lanes.
    type Steps<'a, const WIDTH: usize>: Steps<WIDTH>
    where
        Self: 'a;
    /// The storage of the states of such messages: wiped, or not.
    type Keep<R>: Keep<R>;
    /// Whether lanes without a message need a spare buffer.
    const SPARE: bool;

    /// The value of a lane without a message.
    fn none() -> Self;

    /// The length in bytes.
    fn len(&self) -> usize;

    /// The address of the next byte.
    fn address(&self) -> usize;

    /// Splits the next `len` bytes off the first `running` strands.
    fn take<'a, const WIDTH: usize>(
        strands: &'a mut [Self; WIDTH],
        running: usize,
        len: usize,
        spare: Spare<'a>,
    ) -> Self::Steps<'a, WIDTH>;

    /// Called at the end of a message, with its last encrypted block.
    fn end(&mut self, after: &Block);

    /// Processes the rest without lanes.
    fn alone(self, key: &K, before: &Block);
}

/// Blocks of messages in lanes, the same number in each: in parts, each of which is contiguous.
pub(crate) trait Steps<const WIDTH: usize> {
    /// Whether blocks are written.
    const OUT: bool;
    /// The length of this part in bytes.
    fn len(&self) -> usize;
    /// The input block at that offset.
    fn input(&self, lane: usize, at: usize) -> &Block;
    /// The output block at that offset, if blocks are written.
    fn output(&mut self, lane: usize, at: usize) -> Option<&mut Block>;
    /// Moves on to the next part, if there is one; returns what is added to the state before it.
    fn next_part(&mut self) -> Option<[&Block; WIDTH]>;
}

impl<const WIDTH: usize> Steps<WIDTH> for Texts<'_, WIDTH> {
    const OUT: bool = true;

    #[inline(always)]
    fn len(&self) -> usize {
        self.len()
    }
    #[inline(always)]
    fn input(&self, lane: usize, at: usize) -> &Block {
        self.input(lane, at)
    }
    #[inline(always)]
    fn output(&mut self, lane: usize, at: usize) -> Option<&mut Block> {
        Some(self.output(lane, at))
    }
    #[inline(always)]
    fn next_part(&mut self) -> Option<[&Block; WIDTH]> {
        None
    }
}

impl<const WIDTH: usize> Steps<WIDTH> for Inputs<'_, WIDTH> {
    const OUT: bool = false;

    #[inline(always)]
    fn len(&self) -> usize {
        self.len()
    }
    #[inline(always)]
    fn input(&self, lane: usize, at: usize) -> &Block {
        self.input(lane, at)
    }
    #[inline(always)]
    fn output(&mut self, _: usize, _: usize) -> Option<&mut Block> {
        None
    }
    #[inline(always)]
    fn next_part(&mut self) -> Option<[&Block; WIDTH]> {
        self.next_part()
    }
}

/// The state of all lanes. The first ones are running.
pub(crate) struct Chains<Keys> {
    keys: Keys,
    /// 10, 12 or 14, the same in each lane.
    rounds: usize,
    /// How many lanes are running.
    pub(crate) running: usize,
}

/// The previous block of each lane.
#[repr(align(64))]
pub(crate) struct Before<const WIDTH: usize>([Block; WIDTH]);

/// The smallest batch for lanes: a second message is free.
const LEAST: usize = 2;

/// The buffer of lanes without a message. A small one is there from the start; a larger one is made for long messages.
pub(crate) struct Spare<'a> {
    pub(crate) few: &'a mut [u8; FEW_SPARE],
    pub(crate) more: &'a mut Option<[u8; SPARE]>,
}

pub(crate) const FEW_SPARE: usize = 512;
pub(crate) const SPARE: usize = 4096;

impl<'a> Spare<'a> {
    /// At least `len` bytes, up to the largest size.
    #[inline(always)]
    pub(crate) fn of(self, len: usize) -> &'a mut [u8] {
        if len <= FEW_SPARE { self.few } else { Self::more(self.more) }
    }

    #[inline(never)]
    fn more(more: &mut Option<[u8; SPARE]>) -> &mut [u8] {
        more.get_or_insert_with(|| [0; SPARE])
    }
}

/// The messages whose keys have that number of rounds, and their lanes.
pub(crate) struct Rope<'a, K: ?Sized, S: Strand<K>, Keys, const WIDTH: usize> {
    pub(crate) lanes: Chains<Keys>,
    pub(crate) before: S::Keep<Before<WIDTH>>,
    pub(crate) strands: S::Keep<[S; WIDTH]>,
    keys: [Option<&'a K>; WIDTH],
    pub(crate) spare: [u8; FEW_SPARE],
    /// Lanes with a message that wait until others are a cache line ahead.
    waiting: usize,
    has_begun: bool,
}

impl<'a, K, S, Keys, const WIDTH: usize> Rope<'a, K, S, Keys, WIDTH>
where
    K: Key + ?Sized,
    S: Strand<K>,
    Keys: KeysOfLanes<'a>,
{
    #[inline(always)]
    pub(crate) fn new(keys: Keys, rounds: usize) -> Self {
        Self {
            lanes: Chains { keys, rounds, running: 0 },
            before: S::Keep::keep(Before([[0; 16]; WIDTH])),
            strands: S::Keep::keep(core::array::from_fn(|_| S::none())),
            keys: [None; WIDTH],
            spare: [0; FEW_SPARE],
            waiting: 0,
            has_begun: false,
        }
    }

    /// The next number of bytes for each lane. `waiting` gives the messages that have not begun. That iterator and the number of
    /// lanes stay in registers, as no store to a lane can alias them. A single remaining message continues without lanes.
    #[inline(always)]
    pub(crate) fn next(
        &mut self,
        waiting: &mut impl Iterator<Item = Chain<'a, K, S>>,
    ) -> Option<usize> {
        let Self { lanes, before, strands, keys, .. } = self;
        let mut running = lanes.running + core::mem::take(&mut self.waiting);
        // A lane whose message has ended takes the next one; where there is none, the last lane moves into its place.
        let mut lane = 0;
        while lane < WIDTH {
            if lane < running {
                if strands[lane].len() > 0 {
                    lane += 1;
                    continue;
                }
                strands[lane].end(&before.0[lane]);
            }
            if let Some(chain) = waiting.next() {
                running = running.max(lane + 1);
                before.0[lane] = chain.before;
                strands[lane] = chain.strand;
                let other = !keys[lane].is_some_and(|there| core::ptr::eq(there, chain.key));
                if Keys::OWN
                    && other
                    && let Some(keys) = chain.key.round_keys()
                {
                    lanes.keys.set(lane, keys);
                }
                keys[lane] = Some(chain.key);
            } else if lane < running {
                running -= 1;
                let last = running;
                if strands[last].len() == 0 {
                    strands[last].end(&before.0[last]);
                } else {
                    lanes.keys.move_lane(last, lane);
                    before.0[lane] = before.0[last];
                    keys.swap(last, lane);
                    strands.swap(last, lane);
                }
            } else {
                break;
            }
        }
        lanes.running = running;
        if running < LEAST {
            if let (1, Some(key)) = (running, keys[0]) {
                core::mem::replace(&mut strands[0], S::none()).alone(key, &before.0[0]);
            }
            return None;
        }
        let len = strands[..running].iter().map(Strand::len).min()?;
        if !core::mem::replace(&mut self.has_begun, true)
            && running > WIDTH / 2
            && len >= LONG
            && share_a_set(strands[..running].iter().map(Strand::address))
        {
            self.waiting = running - WIDTH / 2;
            lanes.running = WIDTH / 2;
            return Some(LINE);
        }
        Some(if S::SPARE && running < WIDTH { len.min(SPARE) } else { len })
    }
}

/// Encrypts blocks of `G` vectors of lanes.
#[inline(always)]
pub(crate) fn encrypt_lanes<'a, V, Keys, S, const N: usize, const G: usize, const WIDTH: usize>(
    cpu: V::Cpu,
    chains: &mut Chains<Keys>,
    before: &mut Before<WIDTH>,
    steps: &mut S,
) where
    V: Lanes<N>,
    Keys: KeysOfLanes<'a>,
    S: Steps<WIDTH>,
{
    let Chains { keys, rounds, .. } = chains;
    keys.settle::<V, N, G>(cpu, *rounds);
    // Blocks of lanes were stored singly: a load of several would stall until all of them are stored.
    let mut x: [V; G] = each(|g| V::gather(cpu, each(|lane| &before.0[N * g + lane])));
    let held: [V; 15] = each(|r| keys.key::<V, N>(cpu, r, 0));
    let hold = V::WIDE && !Keys::OWN;
    loop {
        let mut at = 0;
        while at < steps.len() {
            if !hold {
                keys.forget();
            }
            let key = |r: usize, g: usize| if hold { held[r] } else { keys.key::<V, N>(cpu, r, g) };
            // All lanes are loaded before any is stored: lanes without a message may share a buffer. The key is added last: added
            // to the input during the rounds, it would compete with them.
            for g in 0..G {
                let block = V::gather(cpu, each(|lane| steps.input(N * g + lane, at)));
                x[g] = x[g].xor(block).whiten(key(0, g));
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
                // If keys are held in registers, with a constant index.
                let last_key = if hold { held[14] } else { key(last, g) };
                x[g] = x[g].last_round(if hold { last_key } else { key(last - 1, g) }, last_key);
            }
            for g in 0..G {
                if hold && S::OUT {
                    x[g].store(&mut before.0.as_chunks_mut().0[g]);
                    let blocks = unseen(&before.0);
                    for lane in N * g..N * (g + 1) {
                        if let Some(block) = steps.output(lane, at) {
                            *block = blocks[lane];
                        }
                    }
                    continue;
                }
                for lane in 0..N {
                    if let Some(block) = steps.output(N * g + lane, at) {
                        x[g].put(lane, block);
                    }
                }
            }
            at += 16;
        }
        let Some(added) = steps.next_part() else { break };
        for g in 0..G {
            x[g] = x[g].xor(V::gather(cpu, each(|lane| added[N * g + lane])));
        }
    }
    for g in 0..G {
        x[g].store(&mut before.0.as_chunks_mut().0[g]);
    }
}

/// Declares a backend of so many chains in parallel, so many in each vector, and the functions of its trait that take them from
/// messages.
macro_rules! lanes_of_chains {
    (
        $vis:vis $Backend:ident needs $Cpu:ident: $width:literal lanes, $n:literal in each $V:ident;
        $Trait:ident: $(fn $name:ident($arg:ident: $ty:ty $(, $args:ident: $tys:ty)*) = $chains:ident),+
        $(; $($more:tt)+)?
    ) => {
        $vis struct $Backend {
            cpu: crate::core::cpu::$Cpu,
        }

        impl $Trait for $Backend {
            $( kernel! { $Cpu: fn $name(&self, chosen: $crate::aes::groups::Chosen<'_>, $arg: $ty $(, $args: $tys)*) = $Backend::$chains } )+
            $( $($more)+ )?
        }

        impl $Backend {
            $vis fn new(cpu: crate::core::cpu::$Cpu, (): ()) -> Self {
                Self { cpu }
            }
        }

        $( features! { $Cpu, kernel_of_chains! { $Backend $chains($arg: $ty $(, $args: $tys)*) } } )+
        features! { $Cpu, rope_of_chains! { $Backend $width $n $V } }
    };
}

macro_rules! kernel_of_chains {
    ($arch:tt [$($feature:tt)+] $Backend:ident $chains:ident($($arg:ident: $ty:ty),+)) => {
        impl $Backend {
            #[inline]
            #[target_feature($(enable = $feature),+)]
            fn $chains(&self, chosen: $crate::aes::groups::Chosen<'_>, $($arg: $ty),+) {
                self.rope(chosen, $chains(chosen, $($arg),+));
            }
        }
    };
}

macro_rules! rope_of_chains {
    ($arch:tt [$($feature:tt)+] $Backend:ident $width:literal $n:literal $V:ident) => {
        impl $Backend {
            #[inline]
            #[target_feature($(enable = $feature),+)]
            fn rope<'a, K: $crate::aes::groups::Key + ?Sized + 'a, S: $crate::aes::chains::Strand<K>>(
                &self,
                chosen: $crate::aes::groups::Chosen<'a>,
                mut messages: impl Iterator<Item = $crate::aes::chains::Chain<'a, K, S>>,
            ) {
                use $crate::aes::chains::{OneKey, OwnKeys, Rope, Spare, Strand};
                let rounds = chosen.rounds;
                // As a part of the rope, it would be copied with it.
                let mut more = None;
                match chosen.one_key {
                    Some(key) => {
                        let mut rope = Rope::<_, _, _, $width>::new(OneKey(key), rounds);
                        while let Some(len) = rope.next(&mut messages) {
                            let Rope { lanes, before, strands, spare, .. } = &mut rope;
                            let spare = Spare { few: spare, more: &mut more };
                            let mut steps = Strand::take(strands, lanes.running, len, spare);
                            self.lanes(lanes, before, &mut steps);
                        }
                    }
                    None => {
                        let keys = OwnKeys::<$width>::new();
                        let mut rope = Rope::<_, _, _, $width>::new(keys, rounds);
                        while let Some(len) = rope.next(&mut messages) {
                            let Rope { lanes, before, strands, spare, .. } = &mut rope;
                            let spare = Spare { few: spare, more: &mut more };
                            let mut steps = Strand::take(strands, lanes.running, len, spare);
                            self.lanes(lanes, before, &mut steps);
                        }
                    }
                }
            }

            #[inline(never)]
            #[target_feature($(enable = $feature),+)]
            fn lanes<'a, Keys: $crate::aes::chains::KeysOfLanes<'a>>(
                &self,
                chains: &mut $crate::aes::chains::Chains<Keys>,
                before: &mut $crate::aes::chains::Before<$width>,
                steps: &mut impl $crate::aes::chains::Steps<$width>,
            ) {
                use $crate::aes::chains::encrypt_lanes;
                const QUARTER: usize = $width / 4;
                const HALF: usize = $width / 2;
                let cpu = self.cpu;
                match chains.running {
                    0..=QUARTER => encrypt_lanes::<$V, _, _, $n, { QUARTER / $n }, $width>(cpu, chains, before, steps),
                    ..=HALF => encrypt_lanes::<$V, _, _, $n, { HALF / $n }, $width>(cpu, chains, before, steps),
                    _ => encrypt_lanes::<$V, _, _, $n, { $width / $n }, $width>(cpu, chains, before, steps),
                }
            }
        }
    };
}
pub(crate) use {kernel_of_chains, lanes_of_chains, rope_of_chains};

/// The round keys of the lanes.
pub(crate) trait KeysOfLanes<'a> {
    /// Whether each lane has its own key.
    const OWN: bool;

    fn set(&mut self, lane: usize, keys: &'a RoundKeys);
    fn move_lane(&mut self, from: usize, to: usize);

    /// Prepares the keys of `G` vectors of lanes, before the first use.
    fn settle<V: Lanes<N>, const N: usize, const G: usize>(&mut self, cpu: V::Cpu, rounds: usize);

    /// Called before each step: registers are for the state of lanes, and keys are loaded again.
    fn forget(&mut self);

    /// Round key `r` of the lanes of vector `g`.
    fn key<V: Lanes<N>, const N: usize>(&self, cpu: V::Cpu, r: usize, g: usize) -> V;
}

/// One key for all lanes.
pub(crate) struct OneKey<'a>(pub(crate) &'a RoundKeys);

impl<'a> KeysOfLanes<'a> for OneKey<'a> {
    const OWN: bool = false;

    #[inline(always)]
    fn set(&mut self, _: usize, _: &'a RoundKeys) {}

    #[inline(always)]
    fn move_lane(&mut self, _: usize, _: usize) {}

    #[inline(always)]
    fn settle<V: Lanes<N>, const N: usize, const G: usize>(&mut self, _: V::Cpu, _: usize) {}

    #[inline(always)]
    fn forget(&mut self) {
        self.0 = unseen(self.0);
    }

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
    const OWN: bool = true;

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

    /// Whole vectors are stored: a vector load would stall on blocks that were stored singly.
    #[inline(always)]
    fn settle<V: Lanes<N>, const N: usize, const G: usize>(&mut self, cpu: V::Cpu, rounds: usize) {
        let Self { table, of, stale } = self;
        for g in 0..G {
            let lanes = ((1 << N) - 1) << (N * g);
            if *stale & lanes == 0 {
                continue;
            }
            // A lane without a message uses the key of another lane.
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
    fn forget(&mut self) {}

    #[inline(always)]
    fn key<V: Lanes<N>, const N: usize>(&self, cpu: V::Cpu, r: usize, g: usize) -> V {
        V::load(cpu, &self.table[r].as_chunks().0[g])
    }
}
