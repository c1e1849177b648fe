//! Each fault of `cargo xtask mutate` must still have its place in the sources.

use std::path::Path;

use anyhow::Result;

use crate::mutate;

pub(super) fn complaints(root: &Path) -> Result<Vec<String>> {
    mutate::complaints(root)
}
