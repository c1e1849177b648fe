//! The effect of a given mask.

use serde::Serialize;

use super::{
    ARMCAP, BOTAN_CLEAR_CPUID, CPUID_OVERRIDE, DISABLE_HWF, FAT_OVERRIDE, IA32CAP, Processor,
    ROPEWALK_CPU, Reader, Unavailable, VARIABLES, armcap, botan, features, gnutls, ia32cap,
    libgcrypt, nettle, reader::features_of_list,
};

/// The effect of a value on libraries that read it in the same way.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Explained {
    /// Their names in `--for`.
    #[serde(rename = "for")]
    pub(crate) readers: Vec<String>,
    /// The features that it disables.
    pub(crate) takes: Vec<Part>,
    /// Features that it claims, and that the processor lacks, or may lack.
    pub(crate) gives: Vec<Part>,
    /// Other effects.
    pub(crate) warnings: Vec<String>,
}

/// One feature.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Part {
    /// Its name; none for an unnamed bit.
    pub(crate) name: Option<String>,
    /// The word of the bit, if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) word: Option<usize>,
    /// The bit of the word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bit: Option<u32>,
}

impl Part {
    pub(super) fn named(name: &str) -> Self {
        Self { name: Some(name.into()), word: None, bit: None }
    }
}

impl Explained {
    pub(super) fn of(readers: &[&str]) -> Self {
        let readers = readers.iter().map(|name| (*name).into()).collect();
        Self { readers, ..Self::default() }
    }

    /// For display: `takes away`, `gives` and `warning`, and the text after each.
    pub(crate) fn lines(&self) -> Vec<(&'static str, String)> {
        let mut lines: Vec<_> = listed(&self.takes).map(|text| ("takes away", text)).collect();
        lines.extend(listed(&self.gives).map(|text| ("gives", text)));
        if lines.is_empty() {
            lines.push(("takes away", "nothing".into()));
        }
        lines.extend(self.warnings.iter().map(|text| ("warning", text.clone())));
        lines
    }
}

/// One line for each word: `word 0: PCLMULQDQ (bit 33), AES-NI (bit 57)`.
fn listed(parts: &[Part]) -> impl Iterator<Item = String> {
    parts.chunk_by(|a, b| a.word == b.word).map(|parts| {
        let of = |part: &Part| match (&part.name, part.bit) {
            (Some(name), Some(bit)) => format!("{name} ({bit})"),
            (Some(name), None) => name.clone(),
            (None, bit) => format!("bit {}", bit.unwrap_or_default()),
        };
        let list = parts.iter().map(of).collect::<Vec<_>>().join(", ");
        match parts[0].word {
            Some(word) => format!("word {word}: {list}"),
            None => list,
        }
    })
}

/// The effect of `value` of `variable` on each of the readers that read it; an empty list means all.
///
/// # Errors
/// If no reader knows the variable.
pub(crate) fn explain(
    variable: &str,
    value: &str,
    readers: &[Reader],
    processor: &Processor,
) -> Result<Vec<Explained>, Unavailable> {
    let processor = &match variable {
        IA32CAP if processor.arch != "x86_64" => Processor::elsewhere("x86_64"),
        ARMCAP if processor.arch != "aarch64" => Processor::elsewhere("aarch64"),
        _ => processor.clone(),
    };
    let one = |reader: Reader| match (variable, reader) {
        (IA32CAP, Reader::Libcrypto(family)) => {
            Some(ia32cap::explain(family, value, processor.is_this()))
        }
        (ARMCAP, Reader::Libcrypto(family)) if reader != Reader::BORINGSSL => {
            Some(armcap::explain(family, value, processor))
        }
        (FAT_OVERRIDE, Reader::Nettle) => Some(nettle::explain(value, processor)),
        (CPUID_OVERRIDE, Reader::GnuTls) => Some(gnutls::explain(value, processor)),
        (BOTAN_CLEAR_CPUID, Reader::Botan) => Some(botan::explain(value)),
        (DISABLE_HWF, Reader::Libgcrypt) => Some(libgcrypt::explain(value)),
        (ROPEWALK_CPU, Reader::Ropewalk) => Some(ropewalk(value, processor)),
        _ => None,
    };
    let all = Reader::all_that_differ();
    let readers = if readers.is_empty() { &all } else { readers };
    let mut told: Vec<Explained> = Vec::new();
    for reader in readers {
        let Some(mut explained) = one(*reader) else { continue };
        let name = reader.name();
        let alike = |told: &&mut Explained| {
            told.takes == explained.takes
                && told.gives == explained.gives
                && told.warnings == explained.warnings
        };
        match told.iter_mut().find(alike) {
            Some(told) => told.readers.push(name),
            None => {
                explained.readers = vec![name];
                told.push(explained);
            }
        }
    }
    if told.is_empty() {
        let names: Vec<_> = readers.iter().map(|reader| reader.name()).collect();
        return Err(Unavailable(format!("{variable} is not read by {}", names.join(", "))));
    }
    Ok(told)
}

/// The variable and the value of a mask as given on the command line: with its variable and `=` before it, or
/// a plain number, which then belongs to OpenSSL's variable for the processor.
///
/// # Errors
/// If there is no such variable.
pub(crate) fn parse<'a>(
    text: &'a str,
    processor: &Processor,
) -> Result<(&'static str, &'a str), Unavailable> {
    let known = VARIABLES.into_iter().chain([DISABLE_HWF]);
    if let Some((name, value)) = text.split_once('=') {
        let variable = known.clone().find(|known| *known == name.trim());
        return variable.map(|variable| (variable, value)).ok_or_else(|| {
            let known = known.collect::<Vec<_>>().join(", ");
            Unavailable(format!("no mask is called `{name}`; there is {known}"))
        });
    }
    if text.starts_with(|c: char| c.is_ascii_digit() || "~|:".contains(c)) {
        let arm = processor.arch == "aarch64" && !text.contains(':');
        return Ok((if arm { ARMCAP } else { IA32CAP }, text));
    }
    Err(Unavailable(format!(
        "`{text}` is no number: write it with its variable, as in {FAT_OVERRIDE}={text}"
    )))
}

/// The features that ropewalk hides.
fn ropewalk(list: &str, processor: &Processor) -> Explained {
    let mut explained = Explained::of(&["ropewalk"]);
    let mut known = Vec::new();
    for name in list.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        match features_of_list(processor.arch, name) {
            Ok(_) => known.push(name),
            Err(why) => explained.warnings.push(format!("{why}; ropewalk ends there")),
        }
    }
    let taken = features(processor.arch, &known.join(",")).unwrap_or_default();
    explained.takes.extend(taken.into_iter().map(Part::named));
    explained
}
