//! Many messages in a call: any lengths and keys side by side, some of them forged, again and again with one object, beside one by
//! one on the portable backend.

mod records;

use records::records;
use ropewalk::{
    Error, aes_cbc, aes_ccm, aes_gcm, aes_xts, chacha20_poly1305,
    sha1::Sha1,
    sha3::{Sha3_224Many, Sha3_256Many, Sha3_384Many, Sha3_512Many},
    sha256::Sha256,
};

use super::{Backends, Calls, Row, run_one, tampered};
use crate::{
    Case,
    ciphers::{CipherMany, CtrMany, Vectored},
    common::{backends, edges::Placed},
    kinds::{
        Aead, AeadMany, CmacMany, HashMany, HmacMany, Long128, Long256, Sealing, Short128, Short256,
    },
};

macro_rules! rows {
    (@hmacs $($lines:tt)+) => {
        ropewalk::merkle_damgard_functions! { rows! { @hashes { $($lines)+ } } }
    };
    (@hashes {
        $( $Hash:ident $Many:ident $name:literal $title:literal $module:ident $feature:literal
            $other:tt $lists:tt $calls:tt $hmac:tt; )+
    }
        $( $OwnHash:ident $OwnMany:ident $own_name:literal $own_title:literal $own_module:ident $own_feature:literal
            $own_other:tt $own_lists:tt $own_calls:tt $own_hmac:tt; )+
    ) => {
        pub(super) const ROWS: &[Row] = &[
            Row { primitive: "aes-cbc-many", run: cbc },
            Row { primitive: "aes-cbc-hmac-sha1-many", run: records::<Sha1> },
            Row { primitive: "aes-cbc-hmac-sha256-many", run: records::<Sha256> },
            Row { primitive: "aes-ccm-many", run: aead::<aes_ccm::Many> },
            Row { primitive: "aes-cmac-many", run: hash::<CmacMany> },
            Row { primitive: "aes-ctr-many", run: counters },
            Row { primitive: "aes-gcm-many", run: aead::<aes_gcm::Many> },
            Row { primitive: "aes-xts-many", run: cipher::<aes_xts::Many> },
            Row { primitive: "chacha20-poly1305-many", run: aead::<chacha20_poly1305::Many> },
            $( Row { primitive: concat!("hmac-", $name, "-many"), run: hash::<HmacMany<ropewalk::$module::$Many>> }, )+
            $( Row { primitive: concat!($own_name, "-many"), run: hash::<ropewalk::$own_module::$OwnMany> }, )+
            Row { primitive: "sha3-many", run: sha3 },
        ];
    };
}

ropewalk::hash_functions! { rows! { @hmacs } }

pub(super) fn run(case: &mut Case<'_>) {
    run_one(case, ROWS);
}

fn sha3(case: &mut Case<'_>, backends: Backends) {
    match case.below(8) {
        0 => hash::<Sha3_224Many>(case, backends),
        1 => hash::<Sha3_256Many>(case, backends),
        2 => hash::<Sha3_384Many>(case, backends),
        3 => hash::<Sha3_512Many>(case, backends),
        4 => hash::<Short128>(case, backends),
        5 => hash::<Long128>(case, backends),
        6 => hash::<Short256>(case, backends),
        _ => hash::<Long256>(case, backends),
    }
}

fn counters(case: &mut Case<'_>, backends: Backends) {
    match case.below(3) {
        0 => cipher::<CtrMany<32>>(case, backends),
        1 => cipher::<CtrMany<64>>(case, backends),
        _ => cipher::<CtrMany<128>>(case, backends),
    }
}

/// Lengths of the messages of a batch: all alike, or each another one.
struct Lens {
    count: usize,
    longest: usize,
    alike: Option<usize>,
}

impl Lens {
    fn new(case: &mut Case<'_>) -> Self {
        let (count, longest) = (case.len(70), case.pick(&[16, 64, 200, 1100, 5000]));
        let alike = case.rarely(3).then(|| case.len(longest));
        Self { count, longest, alike }
    }

    fn next(&self, case: &mut Case<'_>) -> usize {
        self.alike.unwrap_or_else(|| case.len(self.longest))
    }
}

fn hash<H: HashMany>(case: &mut Case<'_>, Backends { tried, portable }: Backends) {
    let (many, best, right) = (H::new(tried), H::best(), H::new(portable));
    let mut calls = Calls::new(tried);
    while case.goes_on() {
        let lens = Lens::new(case);
        let messages: Vec<_> = (0..lens.count)
            .map(|_| {
                let len = lens.next(case);
                case.text(len)
            })
            .collect();
        let (name, many) = if case.rarely(4) { ("the best", &best) } else { (tried, &many) };
        calls.begin(|| {
            let lens: Vec<_> = messages.iter().map(|message| message.len()).collect();
            format!("{name}: messages of {lens:?} bytes")
        });
        if case.rarely(8) {
            let mut few = vec![H::NOTHING; messages.len() + 1];
            let refused = many.digest(&messages, &mut few);
            assert!(matches!(refused, Err(Error::Length { .. })), "{refused:?}");
            assert!(few.iter().all(|digest| *digest == H::NOTHING), "nothing is written");
        }
        let mut digests = vec![H::NOTHING; messages.len()];
        many.digest(&messages, &mut digests).unwrap();
        for (i, (message, digest)) in messages.iter().zip(&digests).enumerate() {
            let mut want = [H::NOTHING];
            right.digest(&[message], &mut want).unwrap();
            assert_eq!(digest.as_ref(), want[0].as_ref(), "message {i}");
        }
    }
}

/// What belongs to a message: which key, what is sealed with it, and what comes of that.
struct Sealed {
    key: usize,
    nonce: &'static [u8],
    aad: &'static [u8],
    text: &'static [u8],
    sealed: Vec<u8>,
    tag: Vec<u8>,
}

fn aead<M: AeadMany>(case: &mut Case<'_>, Backends { tried, portable: _ }: Backends) {
    let (many, best) = (M::with_backend(tried).unwrap(), M::best());
    let mut calls = Calls::new(tried);
    let here: Vec<_> = backends(&M::ONE).collect();
    let keys: Vec<_> = (0..=case.below(3))
        .map(|_| {
            let (len, tag_len) = (case.pick(M::Key::KEY_LENS), case.pick(M::Key::TAG_LENS));
            let (secret, backend) = (case.text(len), case.pick(&here));
            calls.begin(|| format!("key of {len} bytes for {backend}, with tags of {tag_len}"));
            [backend, M::Key::PORTABLE].map(|backend| {
                let mut key = M::Key::new(secret, backend).unwrap();
                key.set_tag_len(tag_len).unwrap();
                key
            })
        })
        .collect();
    while case.goes_on() {
        let lens = Lens::new(case);
        let messages: Vec<_> = (0..lens.count)
            .map(|_| {
                let (key, len) = (case.below(keys.len()), lens.next(case));
                let (text, aad) = (case.text(len), case.any_text(100));
                let nonce = case.text(M::Key::NONCE_LENS[0]);
                let mut sealed = text.to_vec();
                let tag = keys[key][1].seal(nonce, aad, &mut sealed).unwrap();
                Sealed { key, nonce, aad, text, sealed, tag }
            })
            .collect();
        let which = case.below(3);
        calls.begin(|| {
            let lens: Vec<_> =
                messages.iter().map(|one| (one.key, one.aad.len(), one.text.len())).collect();
            format!("way {which}: keys, lengths of additional data and texts: {lens:?}")
        });
        let mut texts: Vec<_> =
            messages.iter().map(|one| Placed::new(one.text, case.below(64))).collect();
        let mut batch = sealing::<M>(&keys, &messages, &mut texts);
        let tags = match which {
            0 => many.seal(&mut batch, messages.len()),
            1 => best.seal(&mut batch, messages.len()),
            _ => M::seal_many(&mut batch, messages.len()),
        };
        for (i, (one, tag)) in messages.iter().zip(tags.unwrap()).enumerate() {
            assert!(texts[i].unharmed() == Some(&one.sealed), "text of message {i}");
            assert_eq!(tag, one.tag, "message {i}");
        }

        let tags: Vec<_> = messages.iter().map(|one| tampered(case, one.tag.clone())).collect();
        calls.begin(|| format!("opened with tags of {:?}", lens_of(&tags)));
        let mut batch = sealing::<M>(&keys, &messages, &mut texts);
        let given: Vec<_> = tags.iter().map(Vec::as_slice).collect();
        let mut results = vec![Err(Error::NoBackend); messages.len()];
        match which {
            0 => many.open(&mut batch, &given, &mut results),
            1 => best.open(&mut batch, &given, &mut results),
            _ => M::open_many(&mut batch, &given, &mut results),
        }
        .unwrap();
        for (i, one) in messages.iter().enumerate() {
            let (out, tag) = (texts[i].unharmed().expect("nothing around it"), &tags[i]);
            if *tag == one.tag {
                assert_eq!(results[i], Ok(()), "message {i}");
                assert!(out == one.text, "text of message {i}");
            } else if tag.len() == one.tag.len() {
                assert_eq!(results[i], Err(Error::Forged), "message {i}");
                assert!(out.iter().all(|byte| *byte == 0), "message {i} is zeroed");
            } else {
                assert!(matches!(results[i], Err(Error::Length { what: "tag", .. })), "{i}");
                assert!(out == one.sealed, "message {i} is untouched");
            }
        }
    }
}

fn lens_of(of: &[Vec<u8>]) -> Vec<usize> {
    of.iter().map(Vec::len).collect()
}

fn sealing<'a, M: AeadMany>(
    keys: &'a [[M::Key; 2]],
    messages: &'a [Sealed],
    texts: &'a mut [Placed],
) -> Vec<Sealing<'a, M::Key>> {
    let of = |(one, text): (&'a Sealed, &'a mut Placed)| {
        let Sealed { key, nonce, aad, .. } = one;
        Sealing { key: &keys[*key][0], nonce, aad, text: text.get_mut() }
    };
    messages.iter().zip(texts).map(of).collect()
}

fn cipher<M: CipherMany>(case: &mut Case<'_>, Backends { tried, portable: _ }: Backends) {
    let (many, best) = (M::with_backend(tried).unwrap(), M::best());
    let mut calls = Calls::new(tried);
    let here: Vec<_> = backends(&M::ONE).collect();
    let portable = M::ONE.backends.last().expect("one runs everywhere").name;
    let right = M::with_backend(portable).unwrap();
    let keys: Vec<_> = (0..=case.below(3))
        .map(|_| {
            let len = case.pick(M::KEY_LENS);
            let (mut secret, backend) = (case.text(len).to_vec(), case.pick(&here));
            // Halves that are equal are refused.
            secret[0] = secret[len / 2] ^ 1;
            calls.begin(|| format!("key of {len} bytes for {backend}"));
            [backend, portable].map(|backend| M::key_of(&secret, backend))
        })
        .collect();
    while case.goes_on() {
        let lens = Lens::new(case);
        let messages: Vec<_> = (0..lens.count)
            .map(|_| {
                let (key, len) = (case.below(keys.len()), lens.next(case).max(M::SHORTEST));
                let mut iv: [u8; 16] = case.array();
                let ones = case.pick(&[0, 0, 4, 12]);
                iv[16 - ones..].fill(0xff);
                (key, iv, case.text(len))
            })
            .collect();
        let which = case.below(3);
        calls.begin(|| {
            let lens: Vec<_> = messages.iter().map(|(key, _, text)| (key, text.len())).collect();
            format!("way {which}: keys and lengths: {lens:?}")
        });
        let mut texts: Vec<_> =
            messages.iter().map(|(_, _, text)| Placed::new(text, case.below(64))).collect();
        let mut batch: Vec<_> = messages
            .iter()
            .zip(&mut texts)
            .map(|((key, iv, _), text)| Vectored { key: &keys[*key][0], iv, text: text.get_mut() })
            .collect();
        match which {
            0 => many.encrypt(&mut batch),
            1 => best.encrypt(&mut batch),
            _ => M::encrypt_many(&mut batch),
        }
        .unwrap();
        for (i, ((key, iv, text), one)) in messages.iter().zip(&batch).enumerate() {
            let mut want = text.to_vec();
            right.encrypt(&mut [Vectored { key: &keys[*key][1], iv, text: &mut want }]).unwrap();
            assert!(*one.text == want, "message {i}");
        }
        match which {
            0 => many.decrypt(&mut batch),
            1 => best.decrypt(&mut batch),
            _ => M::decrypt_many(&mut batch),
        }
        .unwrap();
        for (i, ((_, _, text), placed)) in messages.iter().zip(&texts).enumerate() {
            assert!(placed.unharmed() == Some(text), "message {i} back");
        }
    }
}

fn cbc(case: &mut Case<'_>, Backends { tried, portable: _ }: Backends) {
    let (many, best) = (aes_cbc::Many::with_backend(tried).unwrap(), aes_cbc::Many::new());
    let mut calls = Calls::new(tried);
    let here: Vec<_> = backends(&aes_cbc::PRIMITIVE).collect();
    let keys: Vec<_> = (0..=case.below(3))
        .map(|_| {
            let len = case.pick(&[16, 24, 32]);
            let (secret, backend) = (case.text(len), case.pick(&here));
            calls.begin(|| format!("key of {len} bytes for {backend}"));
            [backend, "aes_cbc/portable"]
                .map(|backend| aes_cbc::Key::with_backend(secret, backend).unwrap())
        })
        .collect();
    while case.goes_on() {
        let lens = Lens::new(case);
        let messages: Vec<_> = (0..lens.count)
            .map(|_| {
                let (key, len) = (case.below(keys.len()), lens.next(case) / 16 * 16);
                (key, case.array(), case.text(len))
            })
            .collect();
        calls.begin(|| {
            let lens: Vec<_> = messages.iter().map(|(key, _, text)| (key, text.len())).collect();
            format!("keys and lengths: {lens:?}")
        });
        let mut texts: Vec<_> =
            messages.iter().map(|(_, _, text)| Placed::new(text, case.below(64))).collect();
        let mut batch: Vec<_> = messages
            .iter()
            .zip(&mut texts)
            .map(|((key, iv, _), text)| aes_cbc::Message {
                key: &keys[*key][0],
                iv,
                text: text.get_mut(),
            })
            .collect();
        match case.below(3) {
            0 => many.encrypt(&mut batch),
            1 => best.encrypt(&mut batch),
            _ => aes_cbc::encrypt_many(&mut batch),
        }
        .unwrap();
        for (i, ((key, iv, text), placed)) in messages.iter().zip(&texts).enumerate() {
            let mut want = text.to_vec();
            keys[*key][1].encrypt(iv, &mut want).unwrap();
            assert!(placed.unharmed() == Some(&want), "message {i}");
        }
    }
}
