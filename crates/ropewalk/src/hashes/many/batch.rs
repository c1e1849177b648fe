//! The backends that a batch has, and what they cost.

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
    /// A backend that interleaves a few messages, for those that lanes do not pay for, and its prices.
    beside: Option<(Many::Few, Prices)>,
    one: One,
    prices: Prices,
}

impl<One: Chosen, Many: TwoKinds> Engines<One, Many> {
    /// The best ones of this processor, and what they were measured to cost on it.
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

    /// What the best ones of this processor are thought to cost.
    #[inline]
    pub(super) fn costs() -> Costs {
        let (many, one) = (deep(Many::best()), One::best());
        Costs::recorded(many.info(), one.info())
    }

    /// One backend, which is used whatever it costs.
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
    /// What the backend for many messages costs.
    #[inline(always)]
    pub(crate) fn prices(self) -> Prices {
        self.0.prices
    }

    /// That backend, if it has lanes.
    #[inline(always)]
    pub(crate) fn lanes(self) -> Option<&'a LanesOf<H>> {
        match &self.0.many {
            Kind::Lanes(lanes) => Some(lanes),
            Kind::Few(_) => None,
        }
    }

    /// A backend that interleaves a few messages, and what that costs, if there is one: the backend for many messages, or one
    /// for those that its lanes do not pay for.
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
