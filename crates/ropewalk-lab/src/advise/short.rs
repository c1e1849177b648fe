//! The short answer: the cipher to use here, and how far the OpenSSL of this machine is from it.

use serde::Serialize;

use super::{
    Facts,
    needs::{Needs, Protect, USUAL_BYTES},
    offers::{Library, Offer},
    rank::{Advice, advise},
    support::{Ended, ended_before},
};
use crate::measure::reference::OURS;

/// The short answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Short {
    /// The choice.
    pub advice: Advice,
    /// The libcrypto that programs here load.
    pub openssl: Option<OpenSsl>,
}

/// The libcrypto that programs here load.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OpenSsl {
    /// The library.
    pub library: Library,
    /// Its speed over that of the choice, at the same algorithm.
    pub reaches: f64,
    /// The command that makes it faster.
    pub remedy: Option<&'static str>,
    /// The end of the support of that version, if it is past.
    pub past_support: Option<Ended>,
}

/// Authenticated encryption with keys of 256 bits.
pub fn needs() -> Needs {
    Needs {
        protect: Some(Protect::Aead),
        bits: Some(256),
        message: Some(USUAL_BYTES),
        ..Needs::default()
    }
}

/// Judges the rows of a machine.
pub fn short(facts: &Facts<'_>) -> Short {
    let advice = advise(&needs(), facts);
    let openssl = openssl(&advice, facts);
    Short { advice, openssl }
}

fn openssl(advice: &Advice, facts: &Facts<'_>) -> Option<OpenSsl> {
    let chosen = &advice.chosen.as_ref()?.offer;
    let all = || advice.chosen.iter().chain(&advice.others).map(|it| &it.offer);
    let same = || all().filter(|offer| offer.title == chosen.title);
    let theirs = same().find(|offer| offer.library.is_system_openssl())?;
    let ours = same().find(|offer| offer.library.peer == OURS);
    let version = theirs.library.version.as_deref().unwrap_or_default();
    Some(OpenSsl {
        library: theirs.library.clone(),
        reaches: chosen.time.ns / theirs.time.ns,
        remedy: ours.and_then(|ours| remedy(ours, theirs, version)),
        past_support: ended_before(version, facts.today),
    })
}

/// The provider of ropewalk, if it is faster, the version has providers, and another one serves.
fn remedy(ours: &Offer, theirs: &Offer, version: &str) -> Option<&'static str> {
    const HELPS: f64 = 1.1;
    let has_providers = ["OpenSSL 3.", "OpenSSL 4."].iter().any(|it| version.starts_with(it));
    let serves = theirs.figures[0].provider.as_deref() == Some(OURS);
    let helps = theirs.time.ns / ours.time.ns >= HELPS;
    (has_providers && !serves && helps).then_some("ropewalk provider install")
}
