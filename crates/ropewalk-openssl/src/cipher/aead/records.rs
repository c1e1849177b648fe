//! Records of TLS 1.2, sealed and opened as a whole, and their explicit nonces.

use ropewalk::random;

use super::{
    super::{
        Way,
        io::{Buffers, Io},
        tls::{self, RECORD_AAD},
    },
    Aead, EXPLICIT, Sealing, TAG,
};
use crate::error::Reason;

impl<K: Sealing> Aead<K> {
    /// Sets the additional data from `tlsaad`. Its length field is changed to the length of the text.
    pub(super) fn set_record(&mut self, aad: &[u8]) -> Result<(), Reason> {
        let tag = if self.way == Way::Decrypt { TAG } else { 0 };
        let aad = tls::aad_of_text(aad, K::RECORD_NONCE + tag)?;
        self.record = Some(aad);
        self.record_pad = TAG;
        Ok(())
    }

    /// Sets the fixed part of each nonce, which both sides know.
    pub(super) fn set_fixed(&mut self, fixed: &[u8]) -> Result<(), Reason> {
        let len = fixed.len();
        if K::RECORD_NONCE == 0 {
            if len != self.nonce_len {
                return Err(Reason::InvalidIvLength);
            }
            self.nonce[..len].copy_from_slice(fixed);
            self.fresh();
            return Ok(());
        }
        if len < 4 || len + EXPLICIT > self.nonce_len {
            return Err(Reason::FailedToGetParameter);
        }
        self.nonce[..len].copy_from_slice(fixed);
        if self.way == Way::Encrypt {
            random::fill(&mut self.nonce[len..self.nonce_len])?;
            self.random = true;
        }
        self.counts = true;
        self.fresh();
        Ok(())
    }

    /// Writes the last bytes of the next nonce for sealing, and increments the nonce.
    pub(super) fn give_nonce(&mut self, out: &mut [u8]) -> Result<(), Reason> {
        let len = self.nonce_len;
        if !self.counts {
            return Err(Reason::CipherOperationFailed);
        }
        self.fresh();
        self.go_in_pieces()?;
        let given = if out.is_empty() { len } else { out.len().min(len) };
        let given = given.min(out.len());
        out[..given].copy_from_slice(&self.nonce[len - given..len]);
        count(&mut self.nonce[..len]);
        Ok(())
    }

    /// Sets the last bytes of the nonce of the message to open.
    pub(super) fn take_nonce(&mut self, last: &[u8]) -> Result<(), Reason> {
        self.key.get()?;
        if !self.counts || self.way == Way::Encrypt || last.len() > self.nonce_len {
            return Err(Reason::CipherOperationFailed);
        }
        let len = self.nonce_len;
        self.nonce[len - last.len()..len].copy_from_slice(last);
        self.fresh();
        Ok(())
    }

    /// Processes a whole record: the explicit nonce, the text, the tag.
    pub(super) fn record(&mut self, aad: [u8; RECORD_AAD], io: &mut Io) -> Result<usize, Reason> {
        let Self { way, key, nonce: next, nonce_len, counts, .. } = self;
        let (way, len, key) = (*way, io.len(), key.get()?);
        if K::RECORD_NONCE == 0
            && let Buffers::Apart(from, to) = io.whole()?
        {
            to.copy_from_slice(from);
        } else if !io.is_in_place() {
            return Err(Reason::CipherOperationFailed);
        }
        let fits = io.room() >= len && len >= K::RECORD_NONCE + TAG;
        if !fits || (K::RECORD_NONCE > 0 && !*counts) {
            return Err(Reason::CipherOperationFailed);
        }
        let record = io.first_of_output(len)?;
        let (explicit, rest) = record.split_at_mut(K::RECORD_NONCE);
        let (text, tag) = rest.split_at_mut(rest.len() - TAG);
        let mut nonce = *next;
        let nonce = &mut nonce[..*nonce_len];
        if K::RECORD_NONCE == 0 {
            // RFC 7905, section 2: the sequence number is XORed to the last bytes.
            for (byte, number) in nonce[4..].iter_mut().zip(&aad[..8]) {
                *byte ^= number;
            }
        } else {
            let field = *nonce_len - EXPLICIT;
            if way == Way::Encrypt {
                explicit.copy_from_slice(&nonce[field..]);
                count(&mut next[..*nonce_len]);
            } else {
                nonce[field..].copy_from_slice(explicit);
            }
        }
        if way == Way::Encrypt {
            let tag = tag.as_mut_array().ok_or(Reason::Internal)?;
            key.whole(way, nonce, &aad, Buffers::InPlace(text), tag)?;
            return Ok(len);
        }
        key.open_record(nonce, &aad, text, tag)?;
        Ok(text.len())
    }
}

/// Increments the nonce. The invocation field has at least eight bytes.
fn count(nonce: &mut [u8]) {
    if let Some(field) = nonce.last_chunk_mut::<EXPLICIT>() {
        *field = u64::from_be_bytes(*field).wrapping_add(1).to_be_bytes();
    }
}
