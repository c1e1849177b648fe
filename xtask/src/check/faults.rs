//! The faults that `cargo xtask mutate` plants: each must still have its place.

use std::path::Path;

use anyhow::Result;

use crate::mutate;

pub(super) fn complaints(root: &Path) -> Result<Vec<String>> {
    mutate::complaints(root)
}
