//! Which messages of a batch go side by side, of those that are chains of blocks of AES: messages whose keys have equally
//! many rounds, where that pays.

use super::Cost;
use crate::{aes::RoundKeys, backend::Info};

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

impl Chosen<'_> {
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
    /// Of messages by their keys and how many blocks they have. Where lanes are `forced`, all go there that can.
    #[inline]
    pub(crate) fn new<K: Key + 'a>(
        messages: impl Iterator<Item = (&'a K, usize)>,
        many: &Info,
        forced: bool,
    ) -> Self {
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
                groups[class(keys)].add(keys, blocks);
            }
        }
        let pay = groups.map(|group| {
            group.cost.messages() > 0 && (forced || group.cost.pays(many, group.one_key.is_some()))
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
    fn add(&mut self, keys: &'a RoundKeys, blocks: usize) {
        let same = self.one_key.is_some_and(|one| core::ptr::eq(one, keys));
        self.one_key = (same || self.cost.messages() == 0).then_some(keys);
        self.cost.add(blocks);
    }
}

/// Which of 10, 12 and 14 rounds there are.
#[inline]
fn class(keys: &RoundKeys) -> usize {
    (keys.rounds - 10) / 2 % 3
}
