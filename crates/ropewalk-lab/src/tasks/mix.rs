//! Batches of messages of several lengths, as on servers.

/// Lengths of messages, in order, repeated.
#[derive(Debug, PartialEq, Eq)]
pub struct Mix {
    /// `imix`.
    pub name: &'static str,
    /// Its description.
    pub about: &'static str,
    /// In bytes. Long messages are mixed with short ones, as in practice.
    pub lengths: &'static [usize],
}

/// Every mix.
pub const MIXES: &[Mix] = &[
    Mix {
        name: "imix",
        about: "packets of 64, 570 and 1518 bytes, 7:4:1",
        lengths: &[64, 570, 64, 64, 570, 64, 1518, 64, 570, 64, 570, 64],
    },
    Mix {
        name: "tls",
        about: "records of a web server: alerts, headers, pieces of a packet, and whole records of 16 KiB",
        lengths: &[250, 16384, 1369, 31, 16384, 4096, 1369, 75, 16384, 250, 1369, 4096],
    },
    Mix {
        name: "files",
        about: "files of a source tree: most have a few KiB, and a few have most of the bytes",
        lengths: &[812, 4700, 150, 2300, 11_500, 0, 1400, 29_000, 3300, 620, 7100, 118_000],
    },
];

impl Mix {
    /// The mix of that name.
    pub fn named(name: &str) -> Option<&'static Self> {
        MIXES.iter().find(|mix| mix.name == name)
    }

    /// Bytes of message `i` of a call.
    pub fn len(&self, i: usize) -> usize {
        self.lengths[i % self.lengths.len()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imix_is_what_its_name_says() {
        let imix = Mix::named("imix").unwrap();
        let many = |len| imix.lengths.iter().filter(|l| **l == len).count();
        assert_eq!([64, 570, 1518].map(many), [7, 4, 1]);
    }

    #[test]
    fn messages_come_round() {
        for mix in MIXES {
            let n = mix.lengths.len();
            assert!((0..n).all(|i| mix.len(i) == mix.len(i + n)), "{}", mix.name);
        }
    }
}
