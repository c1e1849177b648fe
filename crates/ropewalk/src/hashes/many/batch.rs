//! The backends of a batch, and their costs.

use super::{FewOf, LanesOf, Prices};
use crate::{
    core::{
        Error,
        backend::{Chosen, Costs, Info, Kind, TwoKinds},
        secret::deep,
    },
    hashes::function::Backed,
};

/// Backends for many messages, and one for one message.
pub(crate) struct Engines<One, Many: TwoKinds> {
    many: Kind<Many::Lanes, Many::Few>,
    info: &'static Info,
    /// A backend for narrow batches, where lanes are slower, and its costs.
    beside: Option<(Many::Few, Prices)>,
    one: One,
    prices: Prices,
}

impl<One: Chosen, Many: TwoKinds> Engines<One, Many> {
    /// The best backends of this processor, with costs as measured on it.
    #[inline]
    pub(super) fn with_costs(costs: Costs) -> Self {
        let (many, one) = (deep(Many::best()), One::best());
        let info = many.info();
        let prices = Prices::new(info, costs);
        let many = many.kind();
        let few = match &many {
            Kind::Lanes(_) => Many::few(),
            Kind::Few(_) => None,
        };
        let beside = few.map(|(few, info)| {
            let costs = Costs::of_few(info, one.info(), costs);
            (few, Prices::new(info, costs))
        });
        let prices = match &beside {
            Some((_, few)) => prices.beside(few),
            None => prices,
        };
        Self { many, info, beside, one, prices }
    }

    /// The recorded costs of the best backends of this processor.
    #[inline]
    pub(super) fn costs() -> Costs {
        let (many, one) = (deep(Many::best()), One::best());
        Costs::recorded(many.info(), one.info())
    }

    /// One backend, which is always used.
    pub(super) fn named(name: &str) -> Result<Self, Error> {
        let many = deep(Many::named(name)?);
        let info = many.info();
        let (prices, many) = (Prices::forced(info), many.kind());
        Ok(Self { many, info, beside: None, one: One::best(), prices })
    }

    #[inline]
    pub(super) fn info(&self) -> &'static Info {
        self.info
    }
}

/// The backends of a batch of messages of one function.
pub(crate) struct Batch<'a, H: Backed>(pub(super) &'a Engines<H::One, H::Many>);

impl<H: Backed> Clone for Batch<'_, H> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<H: Backed> Copy for Batch<'_, H> {}

impl<'a, H: Backed> Batch<'a, H> {
    /// The costs of the batch backend.
    #[inline(always)]
    pub(crate) fn prices(self) -> Prices {
        self.0.prices
    }

    /// The batch backend, if it has lanes.
    #[inline(always)]
    pub(crate) fn lanes(self) -> Option<&'a LanesOf<H>> {
        match &self.0.many {
            Kind::Lanes(lanes) => Some(lanes),
            Kind::Few(_) => None,
        }
    }

    /// A backend for narrow batches with its costs, if there is one: the batch backend itself, or the one for batches too small
    /// for its lanes.
    #[inline(always)]
    pub(crate) fn few(self) -> Option<(&'a FewOf<H>, Prices)> {
        match (&self.0.many, &self.0.beside) {
            (Kind::Few(few), _) => Some((few, self.0.prices)),
            (_, Some((few, prices))) => Some((few, *prices)),
            _ => None,
        }
    }

    /// The backend for one message.
    #[inline(always)]
    pub(crate) fn one(self) -> &'a H::One {
        &self.0.one
    }
}
