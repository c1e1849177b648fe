//! TLS records, sealed by a backend, or in two steps for comparison.

use ropewalk::{Hash, aes_cbc, cbc_hmac, hmac};

use super::unavailable;
use crate::{
    peers::{Job, Unavailable, jobs},
    tasks::{AeadOp, Cell, Kind, Mode},
};

/// A job of records, with a backend for single ones or for batches, or in two steps.
pub(super) fn records<H: cbc_hmac::Hash + 'static>(
    cell: &Cell,
    backend: &str,
    batch: bool,
) -> Result<Box<dyn Job>, Unavailable> {
    let Kind::Records { op, function, .. } = cell.task.kind else { unreachable!("records") };
    if backend == SEQUENTIAL {
        if op == AeadOp::Open {
            return Err(Unavailable(
                "to open in two steps takes a time that tells of padding".into(),
            ));
        }
        return jobs::records(cell, move |keys| {
            let aes = aes_cbc::Key::new(keys.aes).map_err(unavailable)?;
            Ok(Sequential { aes, mac: hmac::Key::<H>::new(keys.mac) })
        });
    }
    if batch {
        let many = by_best_or_named!(cbc_hmac::Many::<H>, backend).map_err(unavailable)?;
        return jobs::record_calls(cell, |keys| {
            let keys = keys.iter().map(|keys| cbc_hmac::Key::<H>::new(keys.aes, keys.mac));
            Ok(Many { keys: keys.collect::<Result<_, _>>().map_err(unavailable)?, many })
        });
    }
    let keys = (jobs::key(16), jobs::mac_key(function));
    let best = cbc_hmac::Key::<H>::new(&keys.0, &keys.1).is_ok_and(|key| key.backend() == backend);
    let (best, backend) = (best && cell.mode == Mode::Setup, backend.to_owned());
    jobs::records(cell, move |keys| {
        let key = match best {
            true => cbc_hmac::Key::<H>::new(keys.aes, keys.mac),
            false => cbc_hmac::Key::<H>::with_backend(keys.aes, keys.mac, &backend),
        };
        key.map(Stitched).map_err(unavailable)
    })
}

/// The row with the MAC first and the cipher afterwards, in two calls.
pub(super) const SEQUENTIAL: &str = "hmac, then aes_cbc";

struct Stitched<H: cbc_hmac::Hash>(cbc_hmac::Key<H>);

impl<H: cbc_hmac::Hash> jobs::Records for Stitched<H> {
    fn seal(&mut self, iv: &[u8; 16], header: &[u8; 11], record: &mut [u8], len: usize) {
        self.0.seal(iv, header, record, len).expect("no text is too long");
    }
    fn open(
        &mut self,
        iv: &[u8; 16],
        header: &[u8; 11],
        record: &[u8],
        text: &mut [u8],
    ) -> Option<usize> {
        self.0.open_to(iv, header, record, text).ok()
    }
}

/// Seals and opens batches of records in a call, with one key or with separate keys. They are laid out before
/// the first call, as they are in a program.
struct Many<H: cbc_hmac::Hash> {
    keys: Vec<cbc_hmac::Key<H>>,
    many: cbc_hmac::Many<H>,
}

impl<H: cbc_hmac::Hash> jobs::RecordCalls for Many<H> {
    fn seal(&mut self, calls: usize, turn: &mut jobs::Turn, records: &mut [jobs::Record]) {
        let mut all = Vec::with_capacity(records.len());
        for (i, (iv, text, record)) in records.iter_mut().enumerate() {
            let (key, len) = (jobs::of(&self.keys, i % turn.count()), text.len());
            all.push(cbc_hmac::Message { key, iv, header: &jobs::HEADER, record, len });
        }
        for _ in 0..calls {
            let range = turn.take(all.len());
            self.many.seal(&mut all[range]).expect("no text is too long");
        }
    }

    fn open(
        &mut self,
        calls: usize,
        turn: &mut jobs::Turn,
        records: &[jobs::Record],
        texts: &mut [jobs::Text],
        lens: &mut [Option<usize>],
    ) {
        let mut all = Vec::with_capacity(texts.len());
        for (i, ((iv, ..), record)) in records.iter().zip(texts).enumerate() {
            let key = jobs::of(&self.keys, i);
            all.push(cbc_hmac::Message { key, iv, header: &jobs::HEADER, record, len: 0 });
        }
        let mut results = vec![Ok(()); all.len()];
        for _ in 0..calls {
            let range = turn.take(records.len());
            for (place, (iv, _, record)) in all.iter_mut().zip(&records[range]) {
                place.iv = iv;
                place.record.copy_from_slice(record);
            }
            self.many.open(&mut all, &mut results).expect("as many results as records");
            for ((len, result), message) in lens.iter_mut().zip(&results).zip(&all) {
                *len = result.is_ok().then_some(message.len);
            }
        }
    }

    fn open_note(&self) -> &'static str {
        jobs::COPIES
    }
}

struct Sequential<H: Hash> {
    aes: aes_cbc::Key,
    mac: hmac::Key<H>,
}

impl<H: Hash> jobs::Records for Sequential<H> {
    fn seal(&mut self, iv: &[u8; 16], header: &[u8; 11], record: &mut [u8], len: usize) {
        let mut pseudo_header = [0; 13];
        pseudo_header[..11].copy_from_slice(header);
        pseudo_header[11..].copy_from_slice(&(len as u16).to_be_bytes());
        let (text, rest) = record.split_at_mut(len);
        let mut mac = self.mac.start();
        mac.update(&pseudo_header);
        mac.update(text);
        let (place, padding) = rest.split_at_mut(H::DIGEST_LEN);
        place.copy_from_slice(mac.finish().as_ref());
        padding.fill((padding.len() - 1) as u8);
        self.aes.encrypt(iv, record).expect("whole blocks");
    }
    fn open(&mut self, _: &[u8; 16], _: &[u8; 11], _: &[u8], _: &mut [u8]) -> Option<usize> {
        unreachable!("it only seals");
    }
}
