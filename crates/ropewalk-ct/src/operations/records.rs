//! The operations of AES-CBC with HMAC.

use ropewalk::{
    aes_cbc,
    cbc_hmac::{Hash, Key},
};

use super::{Case, IV, Outcome, must_be_forged, secret, tell};

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
        plain[last] ^= 1;
    })?;
    forged::<H>(case, |plain, _| {
        let last = plain.len() - 1;
        plain[last] = 0xff;
    })?;
    forged::<H>(case, |plain, mac_end| plain[mac_end] ^= 1)
}

/// A wrong MAC before a right padding.
pub(super) fn wrong_mac<H: Hash>(case: &Case) -> Outcome {
    forged::<H>(case, |plain, mac_end| plain[mac_end - 1] ^= 1)?;
    forged::<H>(case, |plain, mac_end| plain[mac_end - H::DIGEST_LEN] ^= 0x80)
}

fn forged<H: Hash>(case: &Case, wrong: fn(&mut [u8], mac_end: usize)) -> Outcome {
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

fn sealed<H: Hash>(key: &Key<H>, case: &Case) -> Result<Vec<u8>, ropewalk::Error> {
    let mut record = vec![0; Key::<H>::sealed_len(case.len)];
    key.seal_to(&IV, &HEADER, &secret(case.len), &mut record)?;
    Ok(record)
}

fn new_key<H: Hash>(case: &Case) -> Result<Key<H>, ropewalk::Error> {
    Key::with_backend(&secret(case.key), &secret(H::DIGEST_LEN), case.backend)
}
