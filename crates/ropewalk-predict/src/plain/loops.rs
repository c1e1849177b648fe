//! The modes, over the block cipher of the module that instantiates them.

/// An entry function that checks features.
macro_rules! entry {
    ($features:tt: fn $name:ident($m:ident: &mut Message) $body:block) => {
        pub(crate) fn $name(m: &mut Message) {
            #[target_feature(enable = $features)]
            fn enter($m: &mut Message) $body

            assert!(std::arch::is_aarch64_feature_detected!($features));
            // SAFETY: this processor has them.
            unsafe { enter(m) }
        }
    };
}

/// All modes of a module with `Keys`, `encrypt` and `decrypt`.
macro_rules! loops {
    ($features:tt, $sha1:literal, $sha256:literal) => {
        use crate::{
            plain::loops::{hmac, pad, unpad},
            tasks::{IV, LONG_KEY},
        };

        entry! { $features: fn ctr(m: &mut Message) {
            let cipher = for_encrypting(&crate::tasks::KEY);
            let (nonce, first) = IV.split_at(12);
            let first = u32::from_be_bytes(first.try_into().expect("four bytes"));
            for (i, block) in m.text.as_chunks_mut().0.iter_mut().enumerate() {
                let counter = counter(nonce, first.wrapping_add(i as u32));
                store(block, veorq_u8(load(block), encrypt(&cipher, counter)));
            }
        } }

        entry! { $features: fn ecb_encrypt(m: &mut Message) {
            let cipher = for_encrypting(&crate::tasks::KEY);
            for block in m.text.as_chunks_mut().0 {
                store(block, encrypt(&cipher, load(block)));
            }
        } }

        entry! { $features: fn ecb_decrypt(m: &mut Message) {
            let cipher = for_decrypting(&crate::tasks::KEY);
            for block in m.text.as_chunks_mut().0 {
                store(block, decrypt(&cipher, load(block)));
            }
        } }

        entry! { $features: fn cbc_encrypt(m: &mut Message) {
            chain(&mut m.text);
        } }

        entry! { $features: fn cbc_decrypt(m: &mut Message) {
            unchain(&mut m.text);
        } }

        entry! { $features: fn xts_encrypt(m: &mut Message) {
            let cipher = for_encrypting(&crate::tasks::KEY);
            let mut tweak = first_tweak();
            for block in m.text.as_chunks_mut().0 {
                let mask = load(&tweak.to_le_bytes());
                store(block, veorq_u8(encrypt(&cipher, veorq_u8(load(block), mask)), mask));
                tweak = next_tweak(tweak);
            }
        } }

        entry! { $features: fn xts_decrypt(m: &mut Message) {
            let cipher = for_decrypting(&crate::tasks::KEY);
            let mut tweak = first_tweak();
            for block in m.text.as_chunks_mut().0 {
                let mask = load(&tweak.to_le_bytes());
                store(block, veorq_u8(decrypt(&cipher, veorq_u8(load(block), mask)), mask));
                tweak = next_tweak(tweak);
            }
        } }

        entry! { $features: fn ccm_seal(m: &mut Message) {
            let cipher = for_encrypting(&crate::tasks::KEY);
            let mut mac = encrypt(&cipher, first_of_mac(m.len));
            for (i, block) in m.text.as_chunks_mut().0.iter_mut().enumerate() {
                let text = load(block);
                mac = encrypt(&cipher, veorq_u8(mac, text));
                store(block, veorq_u8(text, encrypt(&cipher, ccm_counter(i as u32 + 1))));
            }
            keep(m, veorq_u8(mac, encrypt(&cipher, ccm_counter(0))));
        } }

        entry! { $features: fn ccm_open(m: &mut Message) {
            let cipher = for_encrypting(&crate::tasks::KEY);
            let mut mac = encrypt(&cipher, first_of_mac(m.len));
            for (i, block) in m.text.as_chunks_mut().0.iter_mut().enumerate() {
                let text = veorq_u8(load(block), encrypt(&cipher, ccm_counter(i as u32 + 1)));
                store(block, text);
                mac = encrypt(&cipher, veorq_u8(mac, text));
            }
            keep(m, veorq_u8(mac, encrypt(&cipher, ccm_counter(0))));
        } }

        entry! { $features: fn cmac(m: &mut Message) {
            let cipher = for_encrypting(&crate::tasks::KEY);
            let zero = load(&[0; 16]);
            let mut key = [0; 16];
            store(&mut key, encrypt(&cipher, zero));
            let key = u128::from_be_bytes(key);
            let key = load(&((key << 1) ^ ((key >> 127) * 0x87)).to_be_bytes());
            let (last, blocks) = m.text.as_chunks().0.split_last().expect("a block");
            let mut mac = zero;
            for block in blocks {
                mac = encrypt(&cipher, veorq_u8(mac, load(block)));
            }
            mac = encrypt(&cipher, veorq_u8(mac, veorq_u8(load(last), key)));
            keep(m, mac);
        } }

        // HMAC and cipher in sequence, not interleaved.
        entry! { $features: fn record_seal_sha1(m: &mut Message) {
            pad(m, &hmac::<ropewalk::sha1::Sha1>($sha1, &m.text[..m.len]));
            chain(&mut m.text);
        } }
        entry! { $features: fn record_seal_sha256(m: &mut Message) {
            pad(m, &hmac::<ropewalk::sha256::Sha256>($sha256, &m.text[..m.len]));
            chain(&mut m.text);
        } }
        entry! { $features: fn record_open_sha1(m: &mut Message) {
            unchain(&mut m.text);
            unpad(m, &hmac::<ropewalk::sha1::Sha1>($sha1, &m.text[..m.len]));
        } }
        entry! { $features: fn record_open_sha256(m: &mut Message) {
            unchain(&mut m.text);
            unpad(m, &hmac::<ropewalk::sha256::Sha256>($sha256, &m.text[..m.len]));
        } }

        #[inline]
        #[target_feature(enable = $features)]
        fn chain(text: &mut [u8]) {
            let cipher = for_encrypting(&crate::tasks::KEY);
            let mut before = load(&IV);
            for block in text.as_chunks_mut().0 {
                before = encrypt(&cipher, veorq_u8(load(block), before));
                store(block, before);
            }
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn unchain(text: &mut [u8]) {
            let cipher = for_decrypting(&crate::tasks::KEY);
            let mut before = load(&IV);
            for block in text.as_chunks_mut().0 {
                let encrypted = load(block);
                store(block, veorq_u8(decrypt(&cipher, encrypted), before));
                before = encrypted;
            }
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn first_tweak() -> u128 {
            let mut tweak = [0; 16];
            store(&mut tweak, encrypt(&for_encrypting(&LONG_KEY.as_chunks().0[1]), load(&IV)));
            u128::from_le_bytes(tweak)
        }

        fn next_tweak(tweak: u128) -> u128 {
            (tweak << 1) ^ ((tweak >> 127) * 0x87)
        }

        /// SP 800-38C, A.2: a tag of sixteen bytes, and a length field of three bytes.
        #[inline]
        #[target_feature(enable = $features)]
        fn first_of_mac(len: usize) -> uint8x16_t {
            flagged((7 << 3) | 2, len as u32)
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn ccm_counter(count: u32) -> uint8x16_t {
            flagged(2, count)
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn flagged(flags: u8, count: u32) -> uint8x16_t {
            let nonce = crate::tasks::NONCE;
            let mut block = [0; 12];
            block[0] = flags;
            block[1..].copy_from_slice(&nonce[1..]);
            // The last byte of the nonce precedes the counter, which has three bytes.
            counter(&block, (u32::from(nonce[11]) << 24) | count)
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn keep(m: &mut Message, tag: uint8x16_t) {
            m.tag = vec![0; 16];
            store(&mut m.tag.as_chunks_mut().0[0], tag);
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn for_encrypting(secret: &[u8; 16]) -> Keys {
            std::hint::black_box(keys::expand(secret)).map(|key| load(&key))
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn for_decrypting(secret: &[u8; 16]) -> Keys {
            std::hint::black_box(keys::expand_inverse(secret)).map(|key| load(&key))
        }

        /// Twelve bytes and a counter.
        #[inline]
        #[target_feature(enable = $features)]
        fn counter(nonce: &[u8], count: u32) -> uint8x16_t {
            let mut block = [0; 16];
            block[..12].copy_from_slice(nonce);
            vreinterpretq_u8_u32(vsetq_lane_u32::<3>(
                count.swap_bytes(),
                vreinterpretq_u32_u8(load(&block)),
            ))
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn load(bytes: &[u8; 16]) -> uint8x16_t {
            // SAFETY: there are sixteen bytes.
            unsafe { vld1q_u8(bytes.as_ptr()) }
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn store(bytes: &mut [u8; 16], x: uint8x16_t) {
            // SAFETY: there is room for sixteen bytes.
            unsafe { vst1q_u8(bytes.as_mut_ptr(), x) }
        }
    };
}

use ropewalk::Hash;

use crate::tasks::{HEADER, MAC_KEY, Message};

/// RFC 5246, section 6.2.3.1.
pub(super) fn hmac<H: Hash>(backend: &str, text: &[u8]) -> Vec<u8> {
    let key = |pad: u8| {
        let mut block = [pad; 64];
        block.iter_mut().zip(MAC_KEY).for_each(|(byte, key)| *byte ^= key);
        let mut hash = H::with_backend(backend).expect("a backend that can run here");
        hash.update(&block);
        hash
    };
    let mut inner = key(0x36);
    inner.update(&HEADER);
    inner.update(&(text.len() as u16).to_be_bytes());
    inner.update(text);
    let mut outer = key(0x5c);
    outer.update(inner.finish().as_ref());
    outer.finish().as_ref().to_vec()
}

/// Appends the MAC to the text, and pads the record.
pub(super) fn pad(m: &mut Message, mac: &[u8]) {
    let (tag, padding) = m.text[m.len..].split_at_mut(mac.len());
    tag.copy_from_slice(mac);
    padding.fill(padding.len() as u8 - 1);
}

/// Compares both with early exits, which constant-time code must not have.
pub(super) fn unpad(m: &Message, mac: &[u8]) {
    let (tag, padding) = m.text[m.len..].split_at(mac.len());
    assert!(tag == mac && padding.iter().all(|byte| usize::from(*byte) == padding.len() - 1));
}
