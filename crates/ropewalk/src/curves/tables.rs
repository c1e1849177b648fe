//! Tables of multiples of base points, eight multiples a window. The files are written by the tests of their curves.

/// `WORDS` words of each of the multiples 1 to 8, or of the odd multiples 1 to 15, the words of one place together.
pub(crate) type Window<const WORDS: usize> = [[u64; 8]; WORDS];

#[repr(C, align(64))]
pub(crate) struct Windows<const WORDS: usize, const COUNT: usize>(
    pub(crate) [Window<WORDS>; COUNT],
);

impl<const WORDS: usize, const COUNT: usize> Windows<WORDS, COUNT> {
    /// From little-endian words.
    pub(crate) const fn new(file: &[u8]) -> Self {
        assert!(file.len() == 64 * WORDS * COUNT, "all words of all windows");
        let (words, mut windows, mut i) = (file.as_chunks::<8>().0, [[[0; 8]; WORDS]; COUNT], 0);
        while i < words.len() {
            windows[i / 8 / WORDS][i / 8 % WORDS][i % 8] = u64::from_le_bytes(words[i]);
            i += 1;
        }
        Self(windows)
    }
}

/// The words of multiple `magnitude` from 1 to 8 in their order, or zeros. In constant time: all words are read.
#[inline(always)]
pub(crate) fn look_up<const WORDS: usize>(window: &Window<WORDS>, magnitude: u64) -> [u64; WORDS] {
    let (mut masks, mut words) = ([0; 8], [0; WORDS]);
    for (mask, multiple) in masks.iter_mut().zip(1..) {
        *mask = crate::fields::zeros(magnitude ^ multiple);
    }
    for (word, row) in words.iter_mut().zip(window) {
        for (mask, entry) in masks.iter().zip(row) {
            *word |= mask & entry;
        }
    }
    words
}

#[cfg(test)]
pub(crate) mod tests {
    use super::Window;

    /// Holds a table against the multiples that a test has computed, and writes their file where `ROPEWALK_TABLES` names a folder.
    pub(crate) fn hold<const WORDS: usize>(
        file: &str,
        windows: &[Window<WORDS>],
        table: &[Window<WORDS>],
    ) {
        if let Ok(folder) = std::env::var("ROPEWALK_TABLES") {
            let words = windows.as_flattened().as_flattened();
            let bytes: Vec<_> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            std::fs::write(std::path::Path::new(&folder).join(file), bytes)
                .expect("the table is written");
            return;
        }
        assert!(windows == table, "{file}");
    }
}
