//! Tables of multiples of base points. The files are written by the tests of their curves.

/// `WORDS` words of each of the first multiples, or of the first odd ones, the words of one place together.
pub(crate) type Window<const WORDS: usize, const MULTIPLES: usize = 8> = [[u64; MULTIPLES]; WORDS];

#[repr(C, align(64))]
pub(crate) struct Windows<const WORDS: usize, const COUNT: usize, const MULTIPLES: usize = 8>(
    pub(crate) [Window<WORDS, MULTIPLES>; COUNT],
);

impl<const WORDS: usize, const COUNT: usize, const MULTIPLES: usize>
    Windows<WORDS, COUNT, MULTIPLES>
{
    /// From little-endian words.
    pub(crate) const fn new(file: &[u8]) -> Self {
        assert!(file.len() == 8 * MULTIPLES * WORDS * COUNT, "all words of all windows");
        let (words, mut i) = (file.as_chunks::<8>().0, 0);
        let mut windows = [[[0; MULTIPLES]; WORDS]; COUNT];
        while i < words.len() {
            let row = &mut windows[i / MULTIPLES / WORDS][i / MULTIPLES % WORDS];
            row[i % MULTIPLES] = u64::from_le_bytes(words[i]);
            i += 1;
        }
        Self(windows)
    }
}

/// The words of one of the multiples, which are counted from 1, or zeros. In constant time: all words are read.
#[inline(always)]
pub(crate) fn look_up<const WORDS: usize, const MULTIPLES: usize>(
    window: &Window<WORDS, MULTIPLES>,
    magnitude: u64,
) -> [u64; WORDS] {
    let (mut masks, mut words) = ([0; MULTIPLES], [0; WORDS]);
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
    pub(crate) fn hold<const WORDS: usize, const MULTIPLES: usize>(
        file: &str,
        windows: &[Window<WORDS, MULTIPLES>],
        table: &[Window<WORDS, MULTIPLES>],
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
