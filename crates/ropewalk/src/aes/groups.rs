//! Grouping of a batch of AES chains: messages whose keys have the same number of rounds are processed in lanes, if the cost
//! model says so.

use crate::{
    aes::RoundKeys,
    core::{
        backend::{Costs, Info},
        tuning,
    },
};

/// A key of a chain.
pub(crate) trait Key {
    /// Its round keys, where lanes can take them.
    fn round_keys(&self) -> Option<&RoundKeys>;
}

/// Up to this length in bytes, a message overlaps with the next one by itself.
pub(crate) const SHORT: usize = 112;
/// From this many messages on, lanes may be faster even for shorter ones.
pub(crate) const MANY: usize = 16;

/// Whether the cost model is skipped, given the number of messages, the longest length, the first key, and whether the last
/// message has the same key. The processor starts short messages before others have ended, and a narrow batch does not make up
/// for the overhead of lanes. For small batches this check delays the next message: a more precise one would cost a quarter of
/// the time.
#[inline]
pub(crate) fn too_little(
    messages: usize,
    longest: usize,
    first: &(impl Key + ?Sized),
    one_key: bool,
) -> bool {
    let slow = tuning::row().aes_latency > 3;
    if messages >= MANY {
        let more_rounds = first.round_keys().is_some_and(|keys| keys.rounds > 10);
        return longest
            <= if more_rounds {
                48
            } else if slow {
                64
            } else {
                96
            };
    }
    // Bytes after the first `SHORT`, over all messages, that take as long as the overhead of lanes.
    let few = match (one_key, slow) {
        (true, true) => 300,
        (true, false) => 600,
        (false, _) => 900,
    };
    longest.saturating_sub(SHORT).saturating_mul(messages) < few
}

/// Messages whose keys have the same number of rounds.
#[derive(Clone, Copy)]
pub(crate) struct Chosen<'a> {
    /// 10, 12 or 14.
    pub(crate) rounds: usize,
    /// Whether a backend with fewer lanes is faster for so small a group.
    pub(crate) few: bool,
    /// Whether these are all messages of the batch.
    all: bool,
    /// Their common key, if there is one.
    pub(crate) one_key: Option<&'a RoundKeys>,
}

impl<'a> Chosen<'a> {
    /// All messages of a batch, with that number of rounds, and their common key, if there is one.
    #[cfg(feature = "cbc-hmac")]
    #[inline]
    pub(crate) fn all_of(rounds: usize, one_key: Option<&'a RoundKeys>) -> Self {
        Self { rounds, few: false, all: true, one_key }
    }

    /// Whether a message with that key is in the group.
    #[inline(always)]
    pub(crate) fn has(&self, key: &impl Key) -> bool {
        self.all || key.round_keys().is_some_and(|keys| keys.rounds == self.rounds)
    }
}

/// The messages of a batch, grouped by the number of rounds.
pub(crate) struct Groups<'a> {
    groups: [Group<'a>; 3],
    /// How many of the groups go to lanes.
    paying: usize,
    /// How many messages do not.
    alone: usize,
}

impl<'a> Groups<'a> {
    #[inline]
    pub(crate) fn new() -> Self {
        Self { groups: [Group::default(); 3], paying: 0, alone: 0 }
    }

    /// Counts messages, by their keys and numbers of blocks. Without costs, all that can go to lanes do. It fills `self`: a
    /// returned value would be copied.
    #[inline]
    pub(crate) fn count<K: Key + 'a>(
        &mut self,
        messages: impl Iterator<Item = (&'a K, usize)>,
        many: &Info,
        costs: Option<Costs>,
    ) {
        let one = costs.map_or(0, |costs| costs.one);
        let mut messages = messages;
        let mut next = messages.next();
        while let Some((key, blocks)) = next {
            // Consecutive messages with one key are counted in registers: in memory, each update would depend on the one before.
            let keys = key.round_keys();
            let one = keys.map_or(0, |keys| of_rounds(one, keys.rounds)).into();
            let mut cost = Cost::default();
            cost.add(blocks, one);
            next = loop {
                match messages.next() {
                    Some((same, blocks)) if core::ptr::eq(same, key) => cost.add(blocks, one),
                    other => break other,
                }
            };
            match keys {
                Some(keys) => self.groups[class(keys)].add(keys, &cost),
                None => self.alone += cost.messages(),
            }
        }
        for (i, group) in self.groups.iter_mut().enumerate() {
            let messages = group.cost.messages();
            if messages == 0 {
                continue;
            }
            group.pays = true;
            if let Some(costs) = costs {
                let rounds = 10 + 2 * i;
                let one = of_rounds(costs.one, rounds);
                let step = of_rounds(costs.step, rounds);
                let costs = Costs { one, step, ..costs };
                group.pays = group.cost.pays(many.lanes, &costs, group.one_key.is_some());
                group.few = group.cost.are_few();
            }
            if group.pays {
                self.paying += 1;
            } else {
                self.alone += messages;
            }
        }
    }

    /// The group of one of the three numbers of rounds, if it goes to lanes.
    #[inline(always)]
    pub(crate) fn chosen(&self, number: usize) -> Option<Chosen<'a>> {
        let Group { pays, few, one_key, .. } = self.groups[number];
        let all = self.alone == 0 && self.paying == 1;
        pays.then_some(Chosen { rounds: 10 + 2 * number, few, all, one_key })
    }

    /// Whether no group goes to lanes.
    #[inline]
    pub(crate) fn leave_all(&self) -> bool {
        self.paying == 0
    }

    /// Whether any message does not go to lanes.
    #[inline]
    pub(crate) fn leave_some(&self) -> bool {
        self.alone > 0
    }

    /// Whether a message with that key does not go to lanes.
    #[inline]
    pub(crate) fn leave(&self, key: &impl Key) -> bool {
        !key.round_keys().is_some_and(|keys| self.groups[class(keys)].pays)
    }
}

/// Statistics of the messages whose keys have the same number of rounds.
#[derive(Clone, Copy, Default)]
struct Group<'a> {
    cost: Cost,
    /// Their common key, if there is one.
    one_key: Option<&'a RoundKeys>,
    /// Whether they go to lanes; and whether a backend with fewer lanes is faster for so small a group.
    pays: bool,
    few: bool,
}

impl<'a> Group<'a> {
    #[inline]
    fn add(&mut self, keys: &'a RoundKeys, cost: &Cost) {
        let same = self.one_key.is_some_and(|one| core::ptr::eq(one, keys));
        self.one_key = (same || self.cost.messages() == 0).then_some(keys);
        self.cost.join(cost);
    }
}

/// The index of 10, 12 and 14 rounds.
#[inline]
fn class(keys: &RoundKeys) -> usize {
    (keys.rounds - 10) / 2 % 3
}

/// The cost of a block with that many rounds, given the cost of ten.
#[inline]
fn of_rounds(cycles: u32, rounds: usize) -> u32 {
    cycles * rounds as u32 / 10
}

/// The cost of AES chains in lanes and in serial, in cycles of the reference processor.
#[derive(Clone, Copy, Default)]
pub(crate) struct Cost {
    messages: u64,
    /// Blocks: all, those of the longest message, and those of the second longest.
    sum: u64,
    most: u64,
    second: u64,
    alone: u64,
}

/// Short messages overlap: a block then costs this fraction of its latency.
const BESIDE: u64 = 3;
/// Additional latency of a block in lanes: a serial chain merges the addition into a round.
const AFTER: u64 = 2;
/// Up to this many messages, fewer lanes are better.
const FEW: u64 = 4;
/// The overhead of a message in lanes, the additional overhead of its own key, and the overhead of keys per call.
const MESSAGE: u64 = 27;
const KEY: u64 = 14;
const KEYS: u64 = 80;

impl Cost {
    #[inline]
    pub(crate) fn add(&mut self, blocks: usize, one: u64) {
        let blocks = blocks as u64;
        self.messages += 1;
        self.sum += blocks;
        self.second = self.second.max(blocks.min(self.most));
        self.most = self.most.max(blocks);
        self.alone +=
            (one * blocks / BESIDE).max((one * blocks).saturating_sub(tuning::row().chain_overlap));
    }

    #[inline]
    fn join(&mut self, other: &Self) {
        self.messages += other.messages;
        self.sum += other.sum;
        self.second = self.second.max(other.second).max(other.most.min(self.most));
        self.most = self.most.max(other.most);
        self.alone += other.alone;
    }

    pub(crate) fn messages(&self) -> usize {
        self.messages as usize
    }

    /// Whether a group of fewer lanes is better.
    #[inline]
    fn are_few(&self) -> bool {
        self.messages <= FEW
    }

    /// Whether lanes are faster.
    #[inline(always)]
    fn pays(&self, lanes: usize, costs: &Costs, one_key: bool) -> bool {
        lanes > 1 && self.messages > 1 && self.side_by_side(lanes, costs, one_key) <= self.alone
    }

    /// The cost of lanes. After the last but one message has ended, the last one continues serially. Where at least half of the
    /// lanes are empty, blocks are bound by latency only.
    #[inline(always)]
    pub(crate) fn side_by_side(&self, lanes: usize, costs: &Costs, one_key: bool) -> u64 {
        let [one, step, start] = [costs.one, costs.step, costs.start].map(u64::from);
        let steps = self.second.max(self.sum / lanes as u64);
        let step = if self.messages * 2 <= lanes as u64 { step.min(one + AFTER) } else { step };
        let start = if self.are_few() { start * 3 / 5 } else { start };
        let alone_at_last = one * (self.most - self.second);
        let keys = if one_key { 0 } else { KEYS + KEY * self.messages };
        start + keys + MESSAGE * self.messages + step * steps + alone_at_last
    }
}

/// The costs in the list, for chains with that backend. A serial block costs the latency of ten rounds.
#[inline]
pub(crate) fn recorded(many: &Info) -> Costs {
    Costs { one: 10 * tuning::row().aes_latency, step: many.cycles, start: many.start }
}

/// Selects the backend of a list of chains for narrow batches: a group of fewer lanes costs less.
macro_rules! engine_for_few {
    () => {
        impl ManyEngine {
            #[inline]
            fn for_few() -> Self {
                #[cfg(target_arch = "x86_64")]
                if let Some(cpu) = <$crate::core::cpu::Aesni as $crate::core::cpu::Token>::detect()
                    && Self::trusts::<x86_64::aesni_x8::Aesnix8>()
                {
                    return Self::Aesnix8(x86_64::aesni_x8::Aesnix8::new(cpu, ()));
                }
                Self::best(())
            }
        }
    };
}
pub(crate) use engine_for_few;
