//! All evidence in a file, or in the members of an archive together.

use std::sync::LazyLock;

use regex::bytes::Regex;

use super::{
    constants::Constants, kinds::Counts, libraries::Libraries, missing::Objects, names, tables,
};
use crate::recipes::Abi;

#[derive(Default)]
pub(super) struct Evidence {
    pub(super) counts: Counts,
    pub(super) functions: names::Met,
    pub(super) modules: Vec<String>,
    pub(super) tables: Vec<&'static str>,
    pub(super) libraries: Libraries,
    pub(super) objects: Objects,
    pub(super) abi: Option<Abi>,
    pub(super) constants: Constants,
}

/// A function of Go's cryptography, in the table of names that every Go program has.
static GO_FUNCTION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?-u)\x00(crypto/[a-z0-9/]{2,60}\.[A-Za-z0-9_.()*]{2,80})\x00")
        .expect("it was tried")
});

impl Evidence {
    /// Adds the evidence in bytes other than instructions.
    pub(super) fn add_data(&mut self, bytes: &[u8]) {
        tables::find(bytes, &mut self.tables);
        self.constants.add_words(bytes);
        tables::modules(bytes, &mut self.modules);
        self.libraries.find(bytes);
        if self.libraries.of_go() && self.functions.0.is_empty() {
            let mut at = 0;
            // The zero byte between two names belongs to both.
            while let Some(found) = GO_FUNCTION.captures_at(bytes, at) {
                let name = found.get(1).expect("it is no option");
                self.functions.add(name.as_bytes());
                at = name.end();
            }
        }
    }
    /// Combines the evidence of all objects.
    pub(super) fn finish(&mut self) {
        if !self.tables.contains(&tables::SHA256) && self.constants.have_sha256() {
            self.tables.push(tables::SHA256_IN_CODE);
        }
        self.libraries.finish();
    }
}
