//! The faults, by what they are in.

mod aes;
mod aes_ccm;
mod aes_gcm;
mod aes_xts;
mod arm;
mod c;
mod chacha;
mod dispatch;
mod hash;
mod hmac;
mod many;
mod public_keys;
mod random;
mod sealing;
mod secret;

use super::table::Fault;

/// All of them. The number of a fault is its place, from 1 on.
pub(super) fn all() -> Vec<&'static Fault> {
    let areas = [
        secret::FAULTS,
        sealing::FAULTS,
        aes_gcm::FAULTS,
        chacha::FAULTS,
        arm::FAULTS,
        aes::FAULTS,
        aes_xts::FAULTS,
        aes_ccm::FAULTS,
        hash::FAULTS,
        many::FAULTS,
        hmac::FAULTS,
        random::FAULTS,
        public_keys::FAULTS,
        dispatch::FAULTS,
        c::FAULTS,
    ];
    areas.into_iter().flatten().collect()
}
