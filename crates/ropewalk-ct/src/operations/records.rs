//! The operations of AES-CBC with HMAC.

use ropewalk::{
    aes_cbc,
    cbc_hmac::{Hash, Key, Many, Message},
};

use super::{COUNT, Case, IV, Outcome, forge, must_be_forged, number, secret, tell};

const HEADER: [u8; 11] = *b"\0\0\0\0\0\0\0\x01\x17\x03\x03";

pub(super) fn seal<H: Hash>(case: &Case) -> Outcome {
    let key = new_key::<H>(case)?;
    tell(&mut sealed(&key, case)?)?;
    let mut buffer = secret(Key::<H>::sealed_len(case.len));
    key.seal(&IV, &HEADER, &mut buffer, case.len)?;
    tell(&mut buffer)
}

pub(super) fn open<H: Hash>(case: &Case) -> Outcome {
    let key = new_key::<H>(case)?;
    let mut record = sealed(&key, case)?;
    tell(&mut record)?;
    let mut text = vec![0; record.len()];
    let len = key.open_to(&IV, &HEADER, &record, &mut text)?;
    tell(&mut text[..len])?;
    tell(key.open(&IV, &HEADER, &mut record)?)
}

/// A wrong padding behind a right MAC: its length, which may be more than there is, and one of its bytes.
pub(super) fn badly_padded<H: Hash>(case: &Case) -> Outcome {
    forged::<H>(case, |plain, _| {
        let last = plain.len() - 1;
        plain[last] ^= 1 + number() as u8;
    })?;
    forged::<H>(case, |plain, _| {
        let last = plain.len() - 1;
        plain[last] = 0xff;
    })?;
    forged::<H>(case, |plain, mac_end| plain[mac_end] ^= 1)
}

/// A wrong MAC before a right padding.
pub(super) fn wrong_mac<H: Hash>(case: &Case) -> Outcome {
    forged::<H>(case, |plain, mac_end| forge(&mut plain[mac_end - H::DIGEST_LEN..mac_end], case))?;
    forged::<H>(case, |plain, mac_end| plain[mac_end - H::DIGEST_LEN] ^= 0x80)
}

fn forged<H: Hash>(case: &Case, wrong: impl Fn(&mut [u8], usize)) -> Outcome {
    let key = new_key::<H>(case)?;
    let cipher = aes_cbc::Key::new(&secret(case.key))?;
    let mut record = sealed(&key, case)?;
    tell(&mut record)?;
    cipher.decrypt(&IV, &mut record)?;
    wrong(&mut record, case.len + H::DIGEST_LEN);
    cipher.encrypt(&IV, &mut record)?;
    tell(&mut record)?;
    must_be_forged(key.open_to(&IV, &HEADER, &record, &mut vec![0; record.len()]).map(drop))?;
    must_be_forged(key.open(&IV, &HEADER, &mut record).map(drop))
}

pub(super) fn seal_many_alike<H: Hash>(case: &Case) -> Outcome {
    seal_many::<H>(case, &[case.key], |_| case.len)
}

pub(super) fn seal_many_mixed<H: Hash>(case: &Case) -> Outcome {
    let len = |i| if i % 3 == 0 { case.len } else { case.len * i / COUNT };
    seal_many::<H>(case, &[case.key, 16, 32], len)
}

fn seal_many<H: Hash>(case: &Case, keys: &[usize], len: impl Fn(usize) -> usize) -> Outcome {
    let made = keys_of::<H>(keys)?;
    let lens: Vec<_> = (0..COUNT).map(len).collect();
    let mut records: Vec<_> = lens.iter().map(|len| secret(Key::<H>::sealed_len(*len))).collect();
    let mut messages = messages(&made, records.iter_mut().map(|record| &mut **record), &lens);
    Many::with_backend(case.backend)?.seal(&mut messages)?;
    records.iter_mut().try_for_each(|record| tell(record))
}

/// Verdicts, and lengths of what is right.
pub(super) const TOLD_OF_MANY: usize = COUNT + COUNT - COUNT.div_ceil(3);

/// Every third record is forged.
pub(super) fn open_many<H: Hash>(case: &Case) -> Outcome {
    let made = keys_of::<H>(&[case.key, 16])?;
    let lens: Vec<_> = (0..COUNT).map(|i| case.len * i / COUNT).collect();
    let mut records = Vec::new();
    for (i, len) in lens.iter().enumerate() {
        let mut record = secret(Key::<H>::sealed_len(*len));
        made[i % made.len()].seal(&IV, &HEADER, &mut record, *len)?;
        tell(&mut record)?;
        record[0] ^= u8::from(i % 3 == 0);
        records.push(record);
    }
    let mut results = [Ok(()); COUNT];
    let mut messages = messages(&made, records.iter_mut().map(|record| &mut **record), &lens);
    Many::with_backend(case.backend)?.open(&mut messages, &mut results)?;
    for (i, result) in results.into_iter().enumerate() {
        match i % 3 {
            0 => must_be_forged(result)?,
            _ => result?,
        }
    }
    let lens: Vec<_> = messages.iter().map(|message| message.len).collect();
    // What was forged is zeros.
    for (i, (record, len)) in records.iter_mut().zip(lens).enumerate() {
        if !i.is_multiple_of(3) {
            tell(&mut record[..len])?;
        }
    }
    Ok(())
}

#[inline(always)]
fn keys_of<H: Hash>(lens: &[usize]) -> Result<Vec<Key<H>>, ropewalk::Error> {
    let mut keys = Vec::new();
    for len in lens {
        keys.push(Key::new(&secret(*len), &secret(H::DIGEST_LEN))?);
    }
    Ok(keys)
}

fn messages<'a, H: Hash>(
    keys: &'a [Key<H>],
    records: impl Iterator<Item = &'a mut [u8]>,
    lens: &[usize],
) -> Vec<Message<'a, H>> {
    let parts = records.zip(lens).enumerate();
    parts
        .map(|(i, (record, len))| Message {
            key: &keys[i % keys.len()],
            iv: &IV,
            header: &HEADER,
            record,
            len: *len,
        })
        .collect()
}

fn sealed<H: Hash>(key: &Key<H>, case: &Case) -> Result<Vec<u8>, ropewalk::Error> {
    let mut record = vec![0; Key::<H>::sealed_len(case.len)];
    key.seal_to(&IV, &HEADER, &secret(case.len), &mut record)?;
    Ok(record)
}

#[inline(always)]
fn new_key<H: Hash>(case: &Case) -> Result<Key<H>, ropewalk::Error> {
    Key::with_backend(&secret(case.key), &secret(H::DIGEST_LEN), case.backend)
}
