//! Which messages of a batch go side by side, of those that are chains of blocks of AES: messages whose keys have equally
//! many rounds, where that pays.

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

/// Bytes of a message during which the next one has begun.
pub(crate) const SHORT: usize = 112;
/// From so many messages on, lanes may be worth it for shorter ones.
pub(crate) const MANY: usize = 16;

/// Where lanes are not thought of, for so many messages of up to so many bytes, of which the first has that key, and the last
/// as well or not: the processor begins with short messages before others have ended, and few lanes do not pay for what they
/// cost besides. Where messages are few, what is asked here is in the way of the next one, and whoever asked more would lose
/// a quarter.
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
    // Bytes behind the first ones, of all messages, that take as long as what lanes cost besides.
    let few = match (one_key, slow) {
        (true, true) => 300,
        (true, false) => 600,
        (false, _) => 900,
    };
    longest.saturating_sub(SHORT).saturating_mul(messages) < few
}

/// Messages whose keys have equally many rounds.
#[derive(Clone, Copy)]
pub(crate) struct Chosen<'a> {
    /// 10, 12 or 14.
    pub(crate) rounds: usize,
    /// Whether a backend with fewer lanes is better for as few as they are.
    pub(crate) few: bool,
    /// Whether those are all there are.
    all: bool,
    /// Their key, where it is the same.
    pub(crate) one_key: Option<&'a RoundKeys>,
}

impl<'a> Chosen<'a> {
    /// All that there are, with so many rounds, and their key, where it is the same.
    #[cfg(feature = "cbc-hmac")]
    #[inline]
    pub(crate) fn all_of(rounds: usize, one_key: Option<&'a RoundKeys>) -> Self {
        Self { rounds, few: false, all: true, one_key }
    }

    /// Whether a message with that key is one of them.
    #[inline(always)]
    pub(crate) fn has(&self, key: &impl Key) -> bool {
        self.all || key.round_keys().is_some_and(|keys| keys.rounds == self.rounds)
    }
}

/// All messages of a batch, by the number of rounds.
pub(crate) struct Groups<'a> {
    groups: [Group<'a>; 3],
    /// How many of them go side by side.
    paying: usize,
    /// How many messages do not.
    alone: usize,
}

impl<'a> Groups<'a> {
    #[inline]
    pub(crate) fn new() -> Self {
        Self { groups: [Group::default(); 3], paying: 0, alone: 0 }
    }

    /// Takes messages, by their keys and how many blocks they have. Without costs, all go to lanes that can. Made of them and
    /// returned, it would be copied.
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
            // Those that follow each other and have one key are counted in registers: in memory, each would wait for the one
            // before.
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

    /// Those that go side by side, of one of three numbers of rounds.
    #[inline(always)]
    pub(crate) fn chosen(&self, number: usize) -> Option<Chosen<'a>> {
        let Group { pays, few, one_key, .. } = self.groups[number];
        let all = self.alone == 0 && self.paying == 1;
        pays.then_some(Chosen { rounds: 10 + 2 * number, few, all, one_key })
    }

    /// Whether none do.
    #[inline]
    pub(crate) fn leave_all(&self) -> bool {
        self.paying == 0
    }

    /// Whether there are any that do not.
    #[inline]
    pub(crate) fn leave_some(&self) -> bool {
        self.alone > 0
    }

    /// Whether a message with that key is one of them.
    #[inline]
    pub(crate) fn leave(&self, key: &impl Key) -> bool {
        !key.round_keys().is_some_and(|keys| self.groups[class(keys)].pays)
    }
}

/// Messages whose keys have equally many rounds, as they are counted.
#[derive(Clone, Copy, Default)]
struct Group<'a> {
    cost: Cost,
    /// Their key, where it is the same.
    one_key: Option<&'a RoundKeys>,
    /// Whether they go side by side; and whether a backend with fewer lanes is better for as few as they are.
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

/// Which of 10, 12 and 14 rounds there are.
#[inline]
fn class(keys: &RoundKeys) -> usize {
    (keys.rounds - 10) / 2 % 3
}

/// What a block costs with so many rounds, given what ten do.
#[inline]
fn of_rounds(cycles: u32, rounds: usize) -> u32 {
    cycles * rounds as u32 / 10
}

/// What messages cost that are chains of blocks of AES, side by side and one by one, in cycles of the reference
/// processor.
#[derive(Clone, Copy, Default)]
pub(crate) struct Cost {
    messages: u64,
    /// Of blocks: all, the most, and the second most.
    sum: u64,
    most: u64,
    second: u64,
    alone: u64,
}

/// Of a block of a message so short that others are begun meanwhile, what it costs.
const BESIDE: u64 = 3;
/// What a block in lanes waits longer than one alone, whose sum is part of a round.
const AFTER: u64 = 2;
/// As many messages are better in fewer lanes.
const FEW: u64 = 4;
/// What a message costs in lanes besides its blocks, and what more with a key of its own; and what keys cost a call.
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

    /// Whether lanes are worth it.
    #[inline(always)]
    fn pays(&self, lanes: usize, costs: &Costs, one_key: bool) -> bool {
        lanes > 1 && self.messages > 1 && self.side_by_side(lanes, costs, one_key) <= self.alone
    }

    /// What lanes cost. When the last but one ends, one goes on alone. Where half of the lanes or more have no message, blocks
    /// wait for the ones before and for nothing else.
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

/// What lists say of chains by that backend; one by one, ten rounds wait for each other.
#[inline]
pub(crate) fn recorded(many: &Info) -> Costs {
    Costs { one: 10 * tuning::row().aes_latency, step: many.cycles, start: many.start }
}

/// Says which backend of a list of chains few messages go to: a group of fewer lanes costs less.
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
