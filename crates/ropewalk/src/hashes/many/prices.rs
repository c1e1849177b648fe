//! What lanes cost, and when they pay.

use crate::core::{
    backend::{Costs, Info},
    tuning,
};

/// What lanes cost and what one message at a time costs, in cycles of the reference processor.
#[derive(Clone, Copy)]
pub(crate) struct Prices {
    /// Lanes side by side.
    width: usize,
    /// For a group of lanes, before and after its blocks.
    start: u64,
    /// For one block in each lane.
    step: u64,
    /// For one block of one message.
    block: u64,
    /// What a backend of a few messages costs, for those that lanes do not pay for; where there is none, one message at a time.
    few: Few,
}

/// What a backend of few lanes costs.
#[derive(Clone, Copy)]
struct Few {
    /// The logarithm of how many it has.
    lanes: u32,
    start: u64,
    step: u64,
}

impl Prices {
    pub(crate) fn new(many: &Info, costs: Costs) -> Self {
        let [start, step, block] = [costs.start, costs.step, costs.one.max(1)].map(u64::from);
        Self { width: many.lanes, start, step, block, few: Few::none(block) }
    }

    /// The same where a backend of a few can take those that these do not pay for.
    #[inline]
    pub(crate) fn beside(self, few: &Self) -> Self {
        let Self { width, start, step, .. } = *few;
        Self { few: Few { lanes: width.ilog2(), start, step }, ..self }
    }

    /// The same where there is none.
    #[cfg(feature = "hkdf")]
    pub(super) fn without_few(self) -> Self {
        Self { few: Few::none(self.block), ..self }
    }

    /// For a backend that is to be used whatever it costs.
    pub(crate) fn forced(many: &Info) -> Self {
        Self { width: many.lanes, start: 0, step: 0, block: 1, few: Few::none(1) }
    }

    /// Lanes side by side.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Whether lanes pay for so many links of so many HMACs. A block whose words are not loaded from a message takes
    /// less, .81 of the cycles on Zen 3, whatever the hash function; and what goes to a lane and comes from it takes as long as
    /// a block of one message, or what a fast one takes.
    #[cfg(feature = "pbkdf2")]
    pub(crate) fn pay_linked(&self, links: usize, count: u32) -> bool {
        let start = self.start + self.block.min(tuning::row().lane_move) * links as u64;
        let few = Few { step: self.few.step * 13 / 16, ..self.few };
        let few = if self.few.lanes > 0 { few } else { self.few };
        Self { start, step: self.step * 13 / 16, few, ..*self }.pay(links, 2 * count as usize, 1)
    }

    /// What so many messages cost in lanes, of so many blocks in all and in the longest.
    #[cfg(feature = "cbc-hmac")]
    pub(crate) fn cost(&self, messages: usize, blocks: usize, most: usize) -> u64 {
        let cost = |width: usize, start: u64, step: u64| {
            let groups = messages.div_ceil(width) as u64;
            start * groups + step * most.max(blocks.div_ceil(width)) as u64
        };
        let Few { lanes, start, step } = self.few;
        let few = cost(1 << lanes, start, step);
        (self.block * blocks as u64).min(few).min(cost(self.width, self.start, self.step))
    }

    /// One block of one message.
    #[cfg(feature = "cbc-hmac")]
    pub(crate) fn block(&self) -> u64 {
        self.block
    }

    /// Of few lanes for so many messages. Where two of four have a message, the others do not wait for them; where three have,
    /// the fourth is for nothing; and one by one, the end of each is hidden by the next.
    #[inline]
    pub(super) fn of_few(&self, messages: usize) -> Self {
        let half = messages <= 2 && self.width > 2;
        let step = match messages {
            _ if half => self.step * 3 / 4,
            3 if three_serial(self.width) => 4 * self.block,
            _ => self.step,
        };
        let idle = if messages > 2 && messages < self.width { tuning::row().hash_idle } else { 0 };
        self.later(tuning::row().hash_overlap * messages as u64 + idle).with_step(step)
    }

    /// With so many cycles more at the start, unless lanes are used whatever they cost.
    #[inline]
    pub(super) fn later(&self, cycles: u64) -> Self {
        let cycles = if self.step > 0 { cycles } else { 0 };
        Self { start: self.start + cycles, ..*self }
    }

    #[inline]
    fn with_step(&self, step: u64) -> Self {
        Self { step, ..*self }
    }

    /// Whether lanes never pay for so many messages, however long they are.
    #[inline]
    pub(crate) fn too_few(&self, messages: usize) -> bool {
        self.otherwise(messages, 1, 0) < self.step
    }

    /// Whether lanes pay for that many messages of that many blocks.
    #[inline]
    pub(super) fn pay(&self, messages: usize, blocks: usize, starts: u64) -> bool {
        let blocks = blocks as u64;
        self.start * starts + self.step * blocks <= self.otherwise(messages, blocks, starts)
    }

    /// What they cost without lanes, or in few.
    #[inline]
    fn otherwise(&self, messages: usize, blocks: u64, starts: u64) -> u64 {
        let Few { lanes, start, step } = self.few;
        let messages = messages as u64;
        let groups = messages.saturating_add((1 << lanes) - 1) >> lanes;
        let few = (start * starts + step * blocks).saturating_mul(groups);
        (self.block * blocks).saturating_mul(messages).min(few)
    }
}

/// Whether three messages never go in so many lanes.
#[inline]
pub(super) fn three_serial(_few_lanes: usize) -> bool {
    // measured: four lanes of SHA-1 312 cycles a step on Emerald Rapids, three blocks one by one 303
    #[cfg(target_arch = "x86_64")]
    return _few_lanes == 4 && tuning::row().serial_sha1_x3;
    #[cfg(not(target_arch = "x86_64"))]
    false
}

impl Few {
    /// One message at a time.
    #[inline]
    const fn none(block: u64) -> Self {
        Self { lanes: 0, start: 0, step: block }
    }
}
