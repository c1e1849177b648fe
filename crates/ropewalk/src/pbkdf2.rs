//! PBKDF2 (RFC 8018, section 5.2): keys from passwords.
//!
//! Whoever guesses passwords has chips that do nothing else. Where another function may be chosen, one that
//! needs memory too is better.
//!
//! ```
//! use ropewalk::{hmac, pbkdf2, sha256::Sha256};
//!
//! let password = hmac::Key::<Sha256>::new(b"correct horse battery staple");
//! let mut key = [0; 32];
//! pbkdf2::derive(&password, b"sixteen or more!", 600, &mut key)?;
//! # Ok::<(), ropewalk::Error>(())
//! ```
//!
//! Blocks of a key, and many keys, go side by side:
//!
//! ```
//! use ropewalk::{
//!     hmac,
//!     pbkdf2::{Derivation, derive_many},
//!     sha512::{Sha512, Sha512Many},
//! };
//!
//! let passwords = [b"correct horse".as_slice(), b"battery staple"].map(hmac::Key::<Sha512>::new);
//! let mut keys = [[0; 32]; 2];
//! let [first, second] = &mut keys;
//! derive_many::<Sha512Many>(&mut [
//!     Derivation { password: &passwords[0], salt: b"sixteen or more!", iterations: 600, out: first },
//!     Derivation { password: &passwords[1], salt: b"another of them!", iterations: 600, out: second },
//! ])
//! .map_err(|wrong| wrong.error)?;
//! # Ok::<(), ropewalk::Error>(())
//! ```

use crate::{
    Error, HashMany, InMessage,
    hash::{Hash, ManyCore},
    hmac,
    many::{self, Item, Link, Links, Prices, few::FEW},
    secret::Wiped,
};

/// Fills `out`, given a key that was made of the password. An iteration costs two blocks of the hash function for each
/// digest of `out`; those go side by side where that pays and the key has the best backend of this processor.
///
/// # Errors
/// [`Error::Length`] for no iteration, and where `out` is longer than 2^32 − 1 digests; it is then
/// untouched.
pub fn derive<H: Hash>(
    password: &hmac::Key<H>,
    salt: &[u8],
    iterations: u32,
    out: &mut [u8],
) -> Result<(), Error> {
    let mut derivation = Derivation { password, salt, iterations, out };
    derivation.check()?;
    // Who has named a backend gets that one.
    if password.backend() == H::info(&H::best()).name {
        H::Many::default().derive(derivation.blocks());
    } else {
        derivation.blocks().for_each(Block::alone);
    }
    Ok(())
}

/// A key to derive.
pub struct Derivation<'a, H: Hash> {
    /// A key that was made of the password.
    pub password: &'a hmac::Key<H>,
    /// The salt, of any length.
    pub salt: &'a [u8],
    /// How many: at least one.
    pub iterations: u32,
    /// Where the key goes.
    pub out: &'a mut [u8],
}

/// Derives many keys side by side. `M` is what hashes many messages: [`Sha256Many`](crate::sha256::Sha256Many).
///
/// # Errors
/// [`InMessage`] with [`Error::Length`] as [`derive()`] for the first that is wrong; nothing is then written.
pub fn derive_many<M: HashMany>(
    derivations: &mut [Derivation<'_, M::One>],
) -> Result<(), InMessage> {
    if let [Derivation { password, salt, iterations, out }] = derivations {
        let derived = derive(password, salt, *iterations, out);
        return derived.map_err(|error| InMessage { index: 0, error });
    }
    Many::<M>::new().derive(derivations)
}

/// PBKDF2 of many keys side by side, by what hashes many: `Many<Sha256Many>`. What a call needs meanwhile is on the stack,
/// at most 12 KiB, and wiped.
pub struct Many<M: HashMany>(M);

impl<M: HashMany> Many<M> {
    /// With the best backends of this processor. What is too little for lanes goes block by block, by the backend of its
    /// key.
    #[inline]
    pub fn new() -> Self {
        Self(M::default())
    }

    /// With one backend, by its name in the hash function's list of those for many, even where one block at a time is
    /// faster.
    ///
    /// # Errors
    /// [`Error::NoBackend`] where it cannot run here.
    pub fn with_backend(name: &str) -> Result<Self, Error> {
        Ok(Self(M::with_backend(name)?))
    }

    /// The name of its backend.
    pub fn backend(&self) -> &'static str {
        self.0.backend()
    }

    /// Derives each key, as [`derive_many`].
    ///
    /// # Errors
    /// As [`derive_many`].
    pub fn derive(&self, derivations: &mut [Derivation<'_, M::One>]) -> Result<(), InMessage> {
        for (index, derivation) in derivations.iter().enumerate() {
            derivation.check().map_err(|error| InMessage { index, error })?;
        }
        self.0.derive(derivations.iter_mut().flat_map(Derivation::blocks));
        Ok(())
    }
}

impl<M: HashMany> Default for Many<M> {
    fn default() -> Self {
        Self::new()
    }
}

impl<H: Hash> Derivation<'_, H> {
    fn check(&self) -> Result<(), Error> {
        if self.iterations == 0 {
            return Err(Error::Length { what: "iterations", got: 0, allowed: "from 1 on" });
        }
        let got = self.out.len();
        if got.div_ceil(H::DIGEST_LEN) as u64 > u64::from(u32::MAX) {
            return Err(Error::Length { what: "key", got, allowed: "up to 2^32 - 1 digests" });
        }
        Ok(())
    }

    fn blocks(&mut self) -> impl Iterator<Item = Block<'_, H>> {
        let Self { password, salt, iterations, out } = self;
        let pieces = (1..).zip(out.chunks_mut(H::DIGEST_LEN));
        pieces.map(|(i, out)| Block { password: *password, salt, i, left: *iterations - 1, out })
    }
}

/// A block T_i of a key.
pub(crate) struct Block<'a, H: Hash> {
    password: &'a hmac::Key<H>,
    salt: &'a [u8],
    i: u32,
    /// Iterations besides the first, or those that are left of them.
    left: u32,
    out: &'a mut [u8],
}

impl<H: Hash> Block<'_, H> {
    /// U_1.
    fn first(&self) -> H::Digest {
        let mut first = self.password.start();
        first.update(self.salt);
        first.update(&self.i.to_be_bytes());
        first.finish()
    }

    fn alone(mut self) {
        let mut last = Wiped::new(self.first());
        let mut sum = Wiped::new(*last);
        self.go_on(&mut last, &mut sum);
    }

    /// Goes on from the last U and the sum of all.
    #[inline(never)]
    fn go_on(&mut self, last: &mut H::Digest, sum: &mut H::Digest) {
        let Self { password, .. } = *self;
        for _ in 0..self.left {
            *last = password.mac(last.as_ref());
            for (sum, byte) in sum.as_mut().iter_mut().zip(last.as_ref()) {
                *sum ^= byte;
            }
        }
        self.left = 0;
        self.out.copy_from_slice(&sum.as_ref()[..self.out.len()]);
    }
}

/// Derives blocks in lanes, each of which takes the next one when its own is done, where that pays.
pub(crate) fn derive_blocks<
    'a,
    const WORDS: usize,
    const LANES: usize,
    const BLOCK: usize,
    const DIGEST: usize,
    M,
    H,
>(
    many: &M,
    mut blocks: impl Iterator<Item = Block<'a, H>>,
) where
    M: many::Hash<WORDS, LANES, BLOCK, DIGEST>,
    H: Hash<Digest = [u8; DIGEST]> + 'a,
    for<'m> hmac::Message<'m, H>: Item<M::Word, WORDS, DIGEST>,
{
    // What lanes take of the stack is not there for those who cannot pay for them.
    let prices = many.prices();
    if many.few() {
        return derive_in_few(many, blocks, prices);
    }
    loop {
        let mut group: [Option<Block<'_, H>>; LANES] = [const { None }; LANES];
        let (mut count, mut least) = (0, u32::MAX);
        for (place, block) in group[..prices.width()].iter_mut().zip(&mut blocks) {
            (count, least) = (count + 1, least.min(block.left));
            *place = Some(block);
        }
        if count == 0 {
            return;
        }
        let group = group.into_iter().flatten();
        if prices.pay_linked(count, least) {
            return derive_in_lanes(many, group.chain(blocks));
        }
        match many.prices_of_few() {
            Some(few) => derive_in_few(many, group, few),
            None => group.for_each(Block::alone),
        }
    }
}

#[inline(never)]
fn derive_in_lanes<
    'a,
    const WORDS: usize,
    const LANES: usize,
    const BLOCK: usize,
    const DIGEST: usize,
    M,
    H,
>(
    many: &M,
    mut blocks: impl Iterator<Item = Block<'a, H>>,
) where
    M: many::Hash<WORDS, LANES, BLOCK, DIGEST>,
    H: Hash<Digest = [u8; DIGEST]> + 'a,
    for<'m> hmac::Message<'m, H>: Item<M::Word, WORDS, DIGEST>,
{
    let prices = many.prices();
    let width = prices.width();
    let mut lanes: [Option<Block<'_, H>>; LANES] = [const { None }; LANES];
    let mut links = Wiped::new(Links { keys: [M::start(); 2], last: M::start(), sum: M::start() });
    loop {
        for (lane, place) in lanes.iter_mut().enumerate().take(width) {
            if place.is_some() {
                continue;
            }
            let Some(block) = blocks.next() else { break };
            let Link { keys: [inner, outer], last, sum } = &*Wiped::new(link(many, &block));
            links.keys[0].set_lane(lane, inner);
            links.keys[1].set_lane(lane, outer);
            links.last.set_lane(lane, last);
            links.sum.set_lane(lane, sum);
            *place = Some(block);
        }
        let running = lanes.iter().flatten();
        let Some(count) = running.clone().map(|block| block.left).min() else { return };
        // Too few are not worth it: each goes on to its end.
        let pay = prices.pay_linked(running.count(), count);
        if pay && count > 0 {
            many.iterate(&mut links, count);
            lanes.iter_mut().flatten().for_each(|block| block.left -= count);
        }
        for (lane, place) in lanes.iter_mut().enumerate() {
            if let Some(block) = place
                && (!pay || block.left == 0)
            {
                let (mut last, mut sum) = (Wiped::new([0; DIGEST]), Wiped::new([0; DIGEST]));
                many.finish(&Wiped::new(links.last.lane(lane)), &mut last);
                many.finish(&Wiped::new(links.sum.lane(lane)), &mut sum);
                block.go_on(&mut last, &mut sum);
                *place = None;
            }
        }
    }
}

/// The same where lanes are few, and one of them is as good as the backend for one message.
fn derive_in_few<
    'a,
    const WORDS: usize,
    const LANES: usize,
    const BLOCK: usize,
    const DIGEST: usize,
    M,
    H,
>(
    many: &M,
    mut blocks: impl Iterator<Item = Block<'a, H>>,
    prices: Prices,
) where
    M: many::Hash<WORDS, LANES, BLOCK, DIGEST>,
    H: Hash<Digest = [u8; DIGEST]> + 'a,
    for<'m> hmac::Message<'m, H>: Item<M::Word, WORDS, DIGEST>,
{
    let width = prices.width();
    let nothing = M::start().lane(0);
    let nothing = Link { keys: [nothing; 2], last: nothing, sum: nothing };
    let mut links = Wiped::new([nothing; FEW]);
    let (mut lanes, mut running) = ([const { None::<Block<'_, H>> }; FEW], 0);
    loop {
        while running < width
            && let Some(block) = blocks.next()
        {
            if block.left == 0 {
                block.alone();
                continue;
            }
            links[running] = link(many, &block);
            lanes[running] = Some(block);
            running += 1;
        }
        let blocks = lanes[..running].iter_mut().flatten();
        let Some(count) = blocks.map(|block| block.left).min() else { return };
        many.iterate_few(&mut links[..running], count);
        lanes[..running].iter_mut().flatten().for_each(|block| block.left -= count);
        // The last lane takes the place of one that is done.
        let mut lane = 0;
        while lane < running {
            let done = lanes[lane].take_if(|block| block.left == 0);
            let Some(block) = done else {
                lane += 1;
                continue;
            };
            let mut sum = Wiped::new([0; DIGEST]);
            many.finish(&links[lane].sum, &mut sum);
            block.out.copy_from_slice(&sum[..block.out.len()]);
            running -= 1;
            lanes.swap(lane, running);
            links.swap(lane, running);
        }
    }
}

/// After the first HMAC of a block.
fn link<const WORDS: usize, const LANES: usize, const BLOCK: usize, const DIGEST: usize, M, H>(
    _: &M,
    block: &Block<'_, H>,
) -> Link<M::Word, WORDS>
where
    M: many::Hash<WORDS, LANES, BLOCK, DIGEST>,
    H: Hash<Digest = [u8; DIGEST]>,
    for<'m> hmac::Message<'m, H>: Item<M::Word, WORDS, DIGEST>,
{
    let first = Wiped::new(M::state_of(&Wiped::new(block.first())));
    let key = hmac::Message { key: block.password, text: &[] };
    Link { keys: [key.inner(), key.outer()], last: *first, sum: *first }
}
