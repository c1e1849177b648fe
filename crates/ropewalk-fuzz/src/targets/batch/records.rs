//! Records of AES-CBC with HMAC, sealed together and opened with some of them forged.

use ropewalk::{Error, cbc_hmac};

use super::{
    super::{Backends, Calls},
    Lens,
};
use crate::{
    Case,
    common::{backends, edges::Placed},
    text::filled,
};

/// What belongs to a record, and what is sealed.
struct Record {
    key: usize,
    iv: [u8; 16],
    header: [u8; 11],
    text: &'static [u8],
    sealed: Vec<u8>,
}

pub(super) fn records<H: cbc_hmac::Hash>(
    case: &mut Case<'_>,
    Backends { tried, portable: _ }: Backends,
) {
    let (many, best) = (cbc_hmac::Many::<H>::with_backend(tried).unwrap(), cbc_hmac::Many::new());
    let mut calls = Calls::new(tried);
    let here: Vec<_> = backends(&cbc_hmac::PRIMITIVE_SHA1).collect();
    let keys: Vec<_> = (0..=case.below(3))
        .map(|_| {
            let len = case.pick(&[16, 32]);
            let (aes, mac, backend) = (case.text(len), case.any_text(80), case.pick(&here));
            calls.begin(|| format!("key of {len} bytes and {}, for {backend}", mac.len()));
            [backend, "cbc_hmac/portable"]
                .map(|backend| cbc_hmac::Key::<H>::with_backend(aes, mac, backend).unwrap())
        })
        .collect();
    while case.goes_on() {
        let lens = Lens::new(case);
        let mut records: Vec<_> = (0..lens.count)
            .map(|_| {
                let (key, len) = (case.below(keys.len()), lens.next(case));
                let (iv, header, text) = (case.array(), case.array(), case.text(len));
                let mut sealed = vec![0; cbc_hmac::Key::<H>::sealed_len(len)];
                keys[key][1].seal_to(&iv, &header, text, &mut sealed).unwrap();
                Record { key, iv, header, text, sealed }
            })
            .collect();
        let is_best = case.rarely(3);
        calls.begin(|| {
            let lens: Vec<_> = records.iter().map(|one| (one.key, one.text.len())).collect();
            format!("by the best: {is_best}; keys and lengths: {lens:?}")
        });
        let many = if is_best { &best } else { &many };
        let mut places: Vec<_> = records
            .iter()
            .map(|Record { text, sealed, .. }| {
                let mut place = filled(sealed.len(), case.below(64));
                place.get_mut()[..text.len()].copy_from_slice(text);
                place
            })
            .collect();
        many.seal(&mut placed_records(&keys, &records, &mut places)).unwrap();
        for (i, (record, place)) in records.iter().zip(&places).enumerate() {
            assert!(place.unharmed() == Some(&record.sealed), "record {i}");
        }

        let mut forged = Vec::new();
        for Record { sealed, .. } in &mut records {
            let is_forged = case.rarely(4);
            if is_forged {
                let at = case.below(sealed.len());
                sealed[at] ^= 1 << case.below(8);
            }
            forged.push(is_forged);
        }
        calls.begin(|| format!("opened, forged: {forged:?}"));
        let mut places: Vec<_> =
            records.iter().map(|one| Placed::new(&one.sealed, case.below(64))).collect();
        let mut results = vec![Err(Error::NoBackend); records.len()];
        let mut batch = placed_records(&keys, &records, &mut places);
        many.open(&mut batch, &mut results).unwrap();
        let opened: Vec<_> = batch.iter().map(|one| one.len).collect();
        for (i, Record { text, .. }) in records.iter().enumerate() {
            let place = places[i].unharmed().expect("nothing around it");
            if forged[i] {
                assert_eq!(results[i], Err(Error::Forged), "record {i}");
                assert!(place.iter().all(|byte| *byte == 0), "record {i} is zeroed");
            } else {
                assert_eq!((results[i], opened[i]), (Ok(()), text.len()), "record {i}");
                assert!(place[..text.len()] == **text, "record {i}");
            }
        }
    }
}

fn placed_records<'a, H: cbc_hmac::Hash>(
    keys: &'a [[cbc_hmac::Key<H>; 2]],
    records: &'a [Record],
    places: &'a mut [Placed],
) -> Vec<cbc_hmac::Message<'a, H>> {
    let of = |(record, place): (&'a Record, &'a mut Placed)| {
        let Record { key, iv, header, text, .. } = record;
        let key = &keys[*key][0];
        cbc_hmac::Message { key, iv, header, record: place.get_mut(), len: text.len() }
    };
    records.iter().zip(places).map(of).collect()
}
