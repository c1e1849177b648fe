//! The hash functions of records.

use super::{Engine, Header, Key, Opened, open, seal};
use crate::{
    core::{block::Block, text::Text},
    hashes::{
        Described, Hash, StateOf, chained_block, function::FixedHash, sha1::Sha1, sha256::Sha256,
    },
};

/// A hash function of TLS records: [`Sha1`] or [`Sha256`].
#[allow(private_bounds, reason = "there are no others")]
pub trait RecordHash: Hash + RecordFunctions {}

impl RecordHash for Sha1 {}
impl RecordHash for Sha256 {}

/// The requirements of records on its function.
pub(super) trait RecordFunction:
    FixedHash<Block = [u8; 64], State: Default + AsRef<[u32]> + AsMut<[u32]>>
{
}

impl<F> RecordFunction for F where
    F: FixedHash<Block = [u8; 64], State: Default + AsRef<[u32]> + AsMut<[u32]>>
{
}

/// The functions of a backend for it, and the functions of records that call these.
pub(super) trait RecordFunctions: Hash + Described<Function: RecordFunction> {
    /// Absorbs whole blocks.
    fn absorb(engine: &Engine, state: &mut StateOf<Self>, blocks: &[[u8; 64]]);
    fn absorb_digest(engine: &Engine, state: &mut StateOf<Self>, digest: &StateOf<Self>);
    /// The digest of that state as the last block of a message, after one other block.
    fn chained_block(digest: &StateOf<Self>) -> [u8; 64];
    fn seal_blocks(engine: &Engine, state: &mut StateOf<Self>, chain: &mut Block, text: Text<'_>);
    fn open_blocks(
        engine: &Engine,
        state: &mut StateOf<Self>,
        chain: &mut Block,
        blocks: usize,
        text: Text<'_>,
    );

    /// Encrypts the text, and writes its rest, its MAC and padding to the bytes that follow it. The buffer is passed by
    /// reference: a copy would stall on words that have just been stored.
    fn seal(key: &Key<Self>, iv: &Block, header: &Header, text: &mut Text<'_>, rest: &mut [u8])
    where
        Self: RecordHash;

    /// Decrypts a record and returns whether it is right; the caller wipes.
    fn open(key: &Key<Self>, iv: &Block, header: &Header, record: &mut Text<'_>) -> Opened
    where
        Self: RecordHash;
}

macro_rules! record_functions {
    ($Hash:ident: $absorb:ident, $chain:ident, $seal_blocks:ident, $open_blocks:ident) => {
        impl RecordFunctions for $Hash {
            #[inline(always)]
            fn absorb(engine: &Engine, state: &mut StateOf<Self>, blocks: &[[u8; 64]]) {
                engine.$absorb(state, blocks);
            }
            #[inline(always)]
            fn absorb_digest(engine: &Engine, state: &mut StateOf<Self>, digest: &StateOf<Self>) {
                engine.$chain(state, digest);
            }
            #[inline(always)]
            fn chained_block(digest: &StateOf<Self>) -> [u8; 64] {
                chained_block(digest)
            }
            #[inline(always)]
            fn seal_blocks(
                engine: &Engine,
                state: &mut StateOf<Self>,
                chain: &mut Block,
                text: Text<'_>,
            ) {
                engine.$seal_blocks(state, chain, text);
            }
            #[inline(always)]
            fn open_blocks(
                engine: &Engine,
                state: &mut StateOf<Self>,
                chain: &mut Block,
                blocks: usize,
                text: Text<'_>,
            ) {
                engine.$open_blocks(state, chain, blocks, text);
            }

            #[inline(never)]
            fn seal(
                key: &Key<Self>,
                iv: &Block,
                header: &Header,
                text: &mut Text<'_>,
                rest: &mut [u8],
            ) {
                seal::seal(key, iv, header, text.reborrow(), rest);
            }
            #[inline(never)]
            fn open(key: &Key<Self>, iv: &Block, header: &Header, record: &mut Text<'_>) -> Opened {
                open::open(key, iv, header, record.reborrow())
            }
        }
    };
}

record_functions! { Sha1: absorb_sha1, chain_sha1, seal_blocks_sha1, open_blocks_sha1 }
record_functions! { Sha256: absorb_sha256, chain_sha256, seal_blocks_sha256, open_blocks_sha256 }
