//! Which messages of a batch go side by side, of those that are chains of blocks of AES: messages whose keys have equally
//! many rounds, where that pays.

use crate::{
    aes::RoundKeys,
    backend::{Costs, Info},
};

/// A key of a chain.
pub(crate) trait Key {
    /// Its round keys, where lanes can take them.
    fn round_keys(&self) -> Option<&RoundKeys>;
}

/// Messages whose keys have equally many rounds.
#[derive(Clone, Copy)]
pub(crate) struct Chosen<'a> {
    /// 10, 12 or 14.
    pub(crate) rounds: usize,
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
        Self { rounds, all: true, one_key }
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
    /// Whether they go side by side.
    pay: [bool; 3],
    /// How many messages do not.
    alone: usize,
}

impl<'a> Groups<'a> {
    /// Of messages by their keys and how many blocks they have. Without costs, all go to lanes that can.
    #[inline]
    pub(crate) fn new<K: Key + 'a>(
        messages: impl Iterator<Item = (&'a K, usize)>,
        many: &Info,
        costs: Option<Costs>,
    ) -> Self {
        let one = costs.map_or(BLOCK, |costs| costs.one).into();
        let (mut groups, mut alone) = ([Group::default(); 3], 0);
        let mut last: Option<(&K, Option<&RoundKeys>)> = None;
        for (key, blocks) in messages {
            let keys = match last {
                Some((there, keys)) if core::ptr::eq(there, key) => keys,
                _ => key.round_keys(),
            };
            last = Some((key, keys));
            alone += 1;
            if let Some(keys) = keys {
                groups[class(keys)].add(keys, blocks, one);
            }
        }
        let pay = groups.map(|group| {
            let pays = |costs| group.cost.pays(many.lanes, &costs, group.one_key.is_some());
            group.cost.messages() > 0 && costs.is_none_or(pays)
        });
        for (group, _) in groups.iter().zip(pay).filter(|(_, pay)| *pay) {
            alone -= group.cost.messages();
        }
        Self { groups, pay, alone }
    }

    /// Those that go side by side.
    #[inline]
    pub(crate) fn chosen(&self) -> impl Iterator<Item = Chosen<'a>> {
        let paying = self.groups.iter().zip(self.pay).enumerate().filter(|(_, (_, pay))| *pay);
        paying.map(|(i, (group, _))| Chosen {
            rounds: 10 + 2 * i,
            all: self.alone == 0 && self.pay.iter().filter(|pay| **pay).count() == 1,
            one_key: group.one_key,
        })
    }

    /// Whether there are any that do not.
    #[inline]
    pub(crate) fn leave_some(&self) -> bool {
        self.alone > 0
    }

    /// Whether a message with that key is one of them.
    #[inline]
    pub(crate) fn leave(&self, key: &impl Key) -> bool {
        !key.round_keys().is_some_and(|keys| self.pay[class(keys)])
    }
}

/// Messages whose keys have equally many rounds, as they are counted.
#[derive(Clone, Copy, Default)]
struct Group<'a> {
    cost: Cost,
    /// Their key, where it is the same.
    one_key: Option<&'a RoundKeys>,
}

impl<'a> Group<'a> {
    #[inline]
    fn add(&mut self, keys: &'a RoundKeys, blocks: usize, one: u64) {
        let same = self.one_key.is_some_and(|one| core::ptr::eq(one, keys));
        self.one_key = (same || self.cost.messages() == 0).then_some(keys);
        self.cost.add(blocks, one);
    }
}

/// Which of 10, 12 and 14 rounds there are.
#[inline]
fn class(keys: &RoundKeys) -> usize {
    (keys.rounds - 10) / 2 % 3
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

/// A block that waits for the one before.
const BLOCK: u32 = 29;
/// A block of a message so short that others are begun meanwhile.
const BESIDE: u64 = 10;
/// What is hidden of a longer one.
const HIDDEN: u64 = 220;
/// What a message costs in lanes besides its blocks, and what more with a key of its own; and what keys cost a call.
const MESSAGE: u64 = 30;
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
        self.alone += (BESIDE * blocks).max((one * blocks).saturating_sub(HIDDEN));
    }

    pub(crate) fn messages(&self) -> usize {
        self.messages as usize
    }

    /// Whether lanes are worth it.
    #[inline]
    fn pays(&self, lanes: usize, costs: &Costs, one_key: bool) -> bool {
        lanes > 1 && self.messages > 1 && self.side_by_side(lanes, costs, one_key) <= self.alone
    }

    /// What lanes cost. When the last but one ends, one goes on alone.
    #[inline]
    pub(crate) fn side_by_side(&self, lanes: usize, costs: &Costs, one_key: bool) -> u64 {
        let [one, step, start] = [costs.one, costs.step, costs.start].map(u64::from);
        let steps = self.second.max(self.sum / lanes as u64);
        let alone_at_last = one * (self.most - self.second);
        let keys = if one_key { 0 } else { KEYS + KEY * self.messages };
        start + keys + MESSAGE * self.messages + step * steps + alone_at_last
    }
}

/// What lists say of chains, one by one and by that backend.
#[inline]
pub(crate) fn recorded(many: &Info) -> Costs {
    Costs { one: BLOCK, step: many.cycles, start: many.start }
}
