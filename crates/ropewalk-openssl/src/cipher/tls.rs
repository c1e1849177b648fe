//! TLS records with AES-CBC and a separate MAC (RFC 5246, section 6.2.3.2): their padding, and the position
//! of their MAC. Timing reveals nothing about the decrypted text until libssl compares the MAC.

use std::hint::black_box;

use ropewalk::random;

use crate::error::Reason;

/// The relevant difference between versions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Version {
    /// TLS 1.0, where the initialization vector of a record is the last block of the record before it.
    Chained,
    /// Later versions, and DTLS, where a record begins with its initialization vector.
    Explicit,
}

impl Version {
    /// The version of that number in records; 0 is none.
    pub(crate) fn named(number: u64) -> Result<Option<Self>, Reason> {
        match number {
            0 => Ok(None),
            0x0301 => Ok(Some(Self::Chained)),
            0x0302 | 0x0303 | 0xfeff | 0xfefd | 0x0100 => Ok(Some(Self::Explicit)),
            _ => Err(Reason::FailedToGetParameter),
        }
    }

    pub(crate) fn has_explicit_iv(self) -> bool {
        self == Self::Explicit
    }
}

/// The length of the additional data of a record: sequence number, type, version, length.
pub(crate) const RECORD_AAD: usize = 13;

/// The additional data of a record whose length field includes `beside` more bytes than the text: with the
/// length of the text.
pub(crate) fn aad_of_text(aad: &[u8], beside: usize) -> Result<[u8; RECORD_AAD], Reason> {
    let mut aad: [u8; RECORD_AAD] = aad.try_into().map_err(|_| Reason::InvalidAad)?;
    let told = usize::from(u16::from_be_bytes([aad[11], aad[12]]));
    let text = told.checked_sub(beside).ok_or(Reason::InvalidAad)? as u16;
    aad[11..].copy_from_slice(&text.to_be_bytes());
    Ok(aad)
}

/// The longest MAC.
const LONGEST: usize = 64;

/// The MAC of a record.
#[derive(Clone)]
pub(crate) struct Mac {
    bytes: [u8; LONGEST],
    len: usize,
}

impl Default for Mac {
    fn default() -> Self {
        Self { bytes: [0; LONGEST], len: 0 }
    }
}

impl Mac {
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// Fills the rest of the last block with padding.
pub(crate) fn pad(rest: &mut [u8]) {
    let padding = rest.len() as u8 - 1;
    rest.fill(padding);
}

/// Takes the MAC of a decrypted record, and returns how long its text is. Where the padding is wrong, both
/// are random or wrong: the MAC then does not match the text, and the caller cannot tell which of the two was
/// wrong. Without a MAC, wrong padding is an error.
///
/// Everything that depends on the padding is a mask, in loops that the compiler can vectorize: a function
/// call for each byte took a third of the time that libssl needs to read a record. Secrets are subtracted
/// with wrapping, since an overflow check would be a branch.
pub(crate) fn strip(record: &[u8], mac_len: usize, mac: &mut Mac) -> Result<usize, Reason> {
    let len = record.len();
    if mac_len > LONGEST || len < mac_len + 1 {
        return Err(Reason::CipherOperationFailed);
    }
    let padding = record[len - 1];
    let last = &record[len.saturating_sub(256)..];
    let mut wrong = 0;
    // The last `padding + 1` bytes should be equal to the last one.
    let first = (last.len() as i16 - 1).wrapping_sub(padding.into());
    for (i, byte) in (0_i16..).zip(last) {
        wrong |= (byte ^ padding) & !negative(i.wrapping_sub(first)) as u8;
    }
    let longest = (len - mac_len - 1).min(255) as i16;
    let good = !mask(longest.wrapping_sub(padding.into())) & mask(i16::from(wrong).wrapping_sub(1));
    let stripped = usize::from(padding).wrapping_add(1) & good as usize;
    let end = len.wrapping_sub(stripped);
    if mac_len == 0 {
        return if good == 0 { Err(Reason::CipherOperationFailed) } else { Ok(end) };
    }
    let mut random = [0; LONGEST];
    random::fill(&mut random[..mac_len])?;
    mac.len = mac_len;
    take(record, end, mac);
    for (byte, random) in mac.bytes.iter_mut().zip(random) {
        *byte = *byte & good as u8 | random & !good as u8;
    }
    Ok(end.wrapping_sub(mac_len))
}

/// All ones if it is negative, otherwise zeros.
#[inline(always)]
fn negative(number: i16) -> i16 {
    number >> 15
}

/// The same for a single number: the compiler, which would insert a branch, does not see that it is all ones
/// or zeros.
#[inline(always)]
fn mask(number: i16) -> i16 {
    black_box(negative(number))
}

/// Takes the bytes before `end`, which is secret: all bytes that may be among them are written to a ring,
/// which is then rotated.
fn take(record: &[u8], end: usize, mac: &mut Mac) {
    let len = mac.len;
    let may_be = &record[record.len().saturating_sub(len + 256)..];
    let end = end.wrapping_sub(record.len() - may_be.len()) as i16;
    let start = end.wrapping_sub(len as i16);
    let mut turned = [0; LONGEST];
    let mut turn = 0;
    for (from, bytes) in (0_i16..).step_by(len).zip(may_be.chunks(len)) {
        for (i, (to, byte)) in (0..).zip(turned.iter_mut().zip(bytes)) {
            let before_end = negative((from + i).wrapping_sub(end));
            *to |= byte & (!negative((from + i).wrapping_sub(start)) & before_end) as u8;
        }
        // The start is in one of them.
        let here = start.wrapping_sub(from);
        turn |= here & !mask(here) & mask(here.wrapping_sub(len as i16));
    }
    let mut twice = [0; 2 * LONGEST];
    for power in [1, 2, 4, 8, 16, 32] {
        twice[..len].copy_from_slice(&turned[..len]);
        twice[len..2 * len].copy_from_slice(&turned[..len]);
        let by = mask((turn & power).wrapping_neg()) as u8;
        let (before, further) = (&twice[..len], &twice[power as usize % len..][..len]);
        for (i, to) in turned[..len].iter_mut().enumerate() {
            *to = before[i] & !by | further[i] & by;
        }
    }
    mac.bytes = turned;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A record of zeros, its MAC, and padding that ends with that byte.
    fn record(text: usize, mac_len: usize, padding: u8) -> (Vec<u8>, Vec<u8>) {
        let mac: Vec<u8> = (0..mac_len).map(|i| 0x80 + i as u8).collect();
        let mut record = vec![0; text];
        record.extend(&mac);
        record.extend(vec![padding; usize::from(padding) + 1]);
        (record, mac)
    }

    #[test]
    fn every_place_of_a_mac() {
        for mac_len in [20, 32, 48] {
            for text in [0, 1, 15, 16, 300] {
                for padding in 0..=255 {
                    let (record, right) = record(text, mac_len, padding);
                    let mut mac = Mac::default();
                    assert_eq!(strip(&record, mac_len, &mut mac), Ok(text));
                    assert_eq!(mac.bytes(), right, "{text} {mac_len} {padding}");
                }
            }
        }
    }

    #[test]
    fn wrong_padding_is_told_by_a_wrong_mac_alone() {
        let (mut record, right) = record(64, 20, 11);
        let before = record.len() - 5;
        record[before] ^= 1;
        let mut mac = Mac::default();
        assert!(strip(&record, 20, &mut mac).is_ok());
        assert_ne!(mac.bytes(), right);
        // There is no space for anything.
        assert!(strip(&record[..20], 20, &mut mac).is_err());
        // Without a MAC the caller has authenticated the record before.
        assert_eq!(strip(&record, 0, &mut mac), Err(Reason::CipherOperationFailed));
    }
}
