//! Declares backends: a cipher, two hash functions, and their combination.

/// Declares a backend from its parts; `parts` combines them, interleaved or one after the other.
macro_rules! backend {
    (
        $(#[$doc:meta])*
        $Backend:ident needs $Cpu:ident: $Cbc:ty, $Sha1:ty, $Sha256:ty, by $parts:expr
    ) => {
        $(#[$doc])*
        pub(in crate::tls::cbc_hmac) struct $Backend {
            cpu: crate::core::cpu::$Cpu,
            cbc: $Cbc,
        }

        impl $crate::tls::cbc_hmac::Inside for $Backend {
            fn cbc(&self) -> &dyn $crate::aes::aes_cbc::Cbc {
                &self.cbc
            }
            fn round_keys(&self) -> Option<&$crate::aes::RoundKeys> {
                $crate::aes::aes_cbc::CbcLaneKey::round_keys(&self.cbc)
            }
        }

        impl $crate::tls::cbc_hmac::Records for $Backend {
            #[inline(always)]
            fn encrypt(&self, chain: &[u8; 16], text: $crate::core::text::Text<'_>) {
                $crate::aes::aes_cbc::Cbc::encrypt_long(&self.cbc, chain, text);
            }
            #[inline(always)]
            fn decrypt(&self, chain: &[u8; 16], text: $crate::core::text::Text<'_>) {
                $crate::aes::aes_cbc::Cbc::decrypt_long(&self.cbc, chain, text);
            }
            records! {
                $Sha1, 5: absorb_sha1, chain_sha1, seal_blocks_sha1, open_blocks_sha1, by $parts
            }
            records! {
                $Sha256, 8: absorb_sha256, chain_sha256, seal_blocks_sha256, open_blocks_sha256, by $parts
            }
        }

        impl $Backend {
            #[inline]
            pub(in crate::tls::cbc_hmac) fn new(cpu: crate::core::cpu::$Cpu, aes: &[u8]) -> Self {
                Self { cpu, cbc: <$Cbc>::new(cpu.into(), aes) }
            }
        }
    };
}
pub(super) use backend;

/// Implements the operations of a backend with one of the hash functions.
macro_rules! records {
    (
        $Hash:ty, $W:literal: $absorb:ident, $chain:ident, $seal_blocks:ident, $open_blocks:ident, by $parts:expr
    ) => {
        #[inline(always)]
        fn $absorb(&self, state: &mut [u32; $W], blocks: &[[u8; 64]]) {
            $crate::hashes::merkle_damgard::Compress::compress(
                &<$Hash>::new(self.cpu.into(), ()),
                state,
                blocks,
            );
        }
        #[inline(always)]
        fn $chain(&self, state: &mut [u32; $W], digest: &[u32; $W]) {
            $crate::hashes::merkle_damgard::Compress::chain(
                &<$Hash>::new(self.cpu.into(), ()),
                state,
                digest,
            );
        }
        #[inline(always)]
        fn $seal_blocks(
            &self,
            state: &mut [u32; $W],
            chain: &mut [u8; 16],
            text: $crate::core::text::Text<'_>,
        ) {
            let hash = <$Hash>::new(self.cpu.into(), ());
            $crate::tls::cbc_hmac::seal::RecordBlocks::seal_blocks(
                &$parts(self.cpu, &self.cbc, &hash),
                state,
                chain,
                text,
            );
        }
        #[inline(always)]
        fn $open_blocks(
            &self,
            state: &mut [u32; $W],
            chain: &mut [u8; 16],
            blocks: usize,
            text: $crate::core::text::Text<'_>,
        ) {
            let hash = <$Hash>::new(self.cpu.into(), ());
            $crate::tls::cbc_hmac::seal::RecordBlocks::open_blocks(
                &$parts(self.cpu, &self.cbc, &hash),
                state,
                chain,
                text,
                blocks,
            );
        }
    };
}
pub(super) use records;
