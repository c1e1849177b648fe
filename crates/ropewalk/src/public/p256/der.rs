//! Signatures in DER: SEQUENCE { r INTEGER, s INTEGER } (RFC 3279, section 2.2.3).

use super::SIGNATURE_LEN;
use crate::core::Error;

/// The longest signature in DER.
pub const LONGEST: usize = 72;

/// A signature in DER.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Der {
    bytes: [u8; LONGEST],
    len: usize,
}

impl Der {
    /// Its bytes: 8 to 72.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    pub(super) fn new(signature: &[u8; SIGNATURE_LEN]) -> Self {
        let mut der = Self { bytes: [0; LONGEST], len: 2 };
        for number in signature.as_chunks::<32>().0 {
            der.push(number);
        }
        (der.bytes[0], der.bytes[1]) = (SEQUENCE, (der.len - 2) as u8);
        der
    }

    /// Adds an INTEGER with the least number of bytes, of which the first has no sign.
    fn push(&mut self, number: &[u8; 32]) {
        let zeros = number.iter().take(31).take_while(|byte| **byte == 0).count();
        let (number, sign) = (&number[zeros..], usize::from(number[zeros] >> 7));
        let len = sign + number.len();
        let to = &mut self.bytes[self.len..][..2 + len];
        (to[0], to[1]) = (INTEGER, len as u8);
        to[2 + sign..].copy_from_slice(number);
        self.len += 2 + len;
    }
}

impl AsRef<[u8]> for Der {
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}

/// Reads what [`Der::new`] writes, and nothing else.
pub(super) fn read(der: &[u8]) -> Result<[u8; SIGNATURE_LEN], Error> {
    let (content, rest) = value(der, SEQUENCE)?;
    let (r, content) = value(content, INTEGER)?;
    let (s, content) = value(content, INTEGER)?;
    if !rest.is_empty() || !content.is_empty() {
        return Err(invalid("bytes follow its end"));
    }
    let mut signature = [0; SIGNATURE_LEN];
    for (to, number) in signature.as_chunks_mut::<32>().0.iter_mut().zip([r, s]) {
        *to = positive(number)?;
    }
    Ok(signature)
}

const SEQUENCE: u8 = 0x30;
const INTEGER: u8 = 2;

fn invalid(why: &'static str) -> Error {
    Error::Invalid { what: "signature in DER", why }
}

/// The content of the value in front, and what follows it. No value has 128 bytes or more.
fn value(der: &[u8], tag: u8) -> Result<(&[u8], &[u8]), Error> {
    let [found, len, rest @ ..] = der else { return Err(invalid("it ends early")) };
    if *found != tag {
        return Err(invalid("it is not a sequence of two integers"));
    }
    if *len > 127 {
        return Err(invalid("a length has the long form"));
    }
    rest.split_at_checked(usize::from(*len)).ok_or(invalid("it ends early"))
}

fn positive(number: &[u8]) -> Result<[u8; 32], Error> {
    match number {
        [] => return Err(invalid("an integer has no bytes")),
        [128..=255, ..] => return Err(invalid("an integer is negative")),
        [0, 0..=127, ..] => return Err(invalid("an integer has a zero in front")),
        _ => {}
    }
    let number = number.strip_prefix(&[0]).unwrap_or(number);
    let mut bytes = [0; 32];
    let at = bytes.len().checked_sub(number.len()).ok_or(invalid("an integer is too long"))?;
    bytes[at..].copy_from_slice(number);
    Ok(bytes)
}
