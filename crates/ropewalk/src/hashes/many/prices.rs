//! The cost model of lanes.

use crate::core::{
    backend::{Costs, Info},
    tuning,
};

/// The costs of lanes and of serial messages, in cycles of the reference processor.
#[derive(Clone, Copy)]
pub(crate) struct Prices {
    /// The number of lanes.
    width: usize,
    /// A group of lanes, before and after its blocks.
    start: u64,
    /// One block in each lane.
    step: u64,
    /// One block of one message.
    block: u64,
    /// The costs of a backend for narrow batches; where there is none, those of serial messages.
    few: Few,
}

/// The costs of a backend for narrow batches.
#[derive(Clone, Copy)]
struct Few {
    /// The logarithm of its number of lanes.
    lanes: u32,
    start: u64,
    step: u64,
}

impl Prices {
    pub(crate) fn new(many: &Info, costs: Costs) -> Self {
        let [start, step, block] = [costs.start, costs.step, costs.one.max(1)].map(u64::from);
        Self { width: many.lanes, start, step, block, few: Few::none(block) }
    }

    /// The same with a backend for narrow batches as the alternative to lanes.
    #[inline]
    pub(crate) fn beside(self, few: &Self) -> Self {
        let Self { width, start, step, .. } = *few;
        Self { few: Few { lanes: width.ilog2(), start, step }, ..self }
    }

    /// The same without one.
    #[cfg(feature = "hkdf")]
    pub(super) fn without_few(self) -> Self {
        Self { few: Few::none(self.block), ..self }
    }

    /// For a backend that is always used.
    pub(crate) fn forced(many: &Info) -> Self {
        Self { width: many.lanes, start: 0, step: 0, block: 1, few: Few::none(1) }
    }

    /// The number of lanes.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Whether lanes are faster for that many iterated HMACs, with `count` iterations each. A block whose words are not loaded
    /// from a message takes less: 0.81 of the cycles on Zen 3, for every hash function. Moving an iteration into a lane and out
    /// of it takes as long as a block of one message, but at most [`Tuning::lane_move`](tuning::Tuning).
    #[cfg(feature = "pbkdf2")]
    pub(crate) fn pay_linked(&self, links: usize, count: u32) -> bool {
        let start = self.start + self.block.min(tuning::row().lane_move) * links as u64;
        let few = Few { step: self.few.step * 13 / 16, ..self.few };
        let few = if self.few.lanes > 0 { few } else { self.few };
        Self { start, step: self.step * 13 / 16, few, ..*self }.pay(links, 2 * count as usize, 1)
    }

    /// The cost of that many messages in lanes, with so many blocks in all and in the longest.
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

    /// The cost of one block of one message.
    #[cfg(feature = "cbc-hmac")]
    pub(crate) fn block(&self) -> u64 {
        self.block
    }

    /// The costs of a narrow batch of that many messages. With two messages in four lanes, these do not wait for the others. With
    /// three, the fourth lane is idle. In serial, the end of each message overlaps with the next.
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

    /// With additional cycles at the start, unless lanes are always used.
    #[inline]
    pub(super) fn later(&self, cycles: u64) -> Self {
        let cycles = if self.step > 0 { cycles } else { 0 };
        Self { start: self.start + cycles, ..*self }
    }

    #[inline]
    fn with_step(&self, step: u64) -> Self {
        Self { step, ..*self }
    }

    /// Whether lanes are never faster for that many messages, however long they are.
    #[inline]
    pub(crate) fn too_few(&self, messages: usize) -> bool {
        self.otherwise(messages, 1, 0) < self.step
    }

    /// Whether lanes are faster for that many messages of that many blocks.
    #[inline]
    pub(super) fn pay(&self, messages: usize, blocks: usize, starts: u64) -> bool {
        let blocks = blocks as u64;
        self.start * starts + self.step * blocks <= self.otherwise(messages, blocks, starts)
    }

    /// The cost of the alternative: serial, or a narrow batch.
    #[inline]
    fn otherwise(&self, messages: usize, blocks: u64, starts: u64) -> u64 {
        let Few { lanes, start, step } = self.few;
        let messages = messages as u64;
        let groups = messages.saturating_add((1 << lanes) - 1) >> lanes;
        let few = (start * starts + step * blocks).saturating_mul(groups);
        (self.block * blocks).saturating_mul(messages).min(few)
    }
}

/// Whether three messages are never processed in so many lanes.
#[inline]
pub(super) fn three_serial(_few_lanes: usize) -> bool {
    // measured: four lanes of SHA-1 312 cycles a step on Emerald Rapids, three serial blocks 303
    #[cfg(target_arch = "x86_64")]
    return _few_lanes == 4 && tuning::row().serial_sha1_x3;
    #[cfg(not(target_arch = "x86_64"))]
    false
}

impl Few {
    /// Serial messages as the alternative.
    #[inline]
    const fn none(block: u64) -> Self {
        Self { lanes: 0, start: 0, step: block }
    }
}
