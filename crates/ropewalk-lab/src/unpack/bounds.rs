//! Limits on what one file may unpack to. A file that exceeds a limit gives one error, and is not read
//! further.

use std::{
    cell::Cell,
    fmt,
    io::{self, Read},
    rc::Rc,
};

/// The deepest nesting of archives. A `.deb` counts as one, together with the tar file in it.
pub const DEPTH: usize = 3;

/// The most members of a file, including those of nested archives.
pub const MEMBERS: u64 = 1 << 20;

/// The most bytes that are held in memory: a library or program, with the zip archives around it.
pub const MEMBER: u64 = crate::inspect::MOST;

/// The most bytes that a file may unpack to.
pub const TOTAL: u64 = 16 << 30;

/// The largest ratio of that to the size of the file.
pub const RATIO: u64 = 100;

/// Bytes that may always be unpacked: short files of zeros compress well.
pub const FREE: u64 = 256 << 20;

/// The most memory of a decompressor, in bytes.
pub const DICTIONARY: u64 = 192 << 20;

/// The longest name of a member of a tar file in bytes, with its other attributes.
pub const NAME: u64 = 1 << 20;

/// The limit that is exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Over {
    Members,
    Total,
    Ratio,
}

impl fmt::Display for Over {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Members => write!(f, "more than {MEMBERS} members")?,
            Self::Total => write!(f, "more than {} GiB when unpacked", TOTAL >> 30)?,
            Self::Ratio => write!(f, "more than {RATIO} times its size when unpacked")?,
        }
        write!(f, ", and is not read on: unpack it, and name its files")
    }
}

/// The total of what is unpacked from one file.
#[derive(Default)]
pub(super) struct Budget {
    packed: u64,
    unpacked: Cell<u64>,
    members: Cell<u64>,
}

impl Budget {
    /// For a file of that length.
    pub(super) fn of(packed: u64) -> Self {
        Self { packed, ..Self::default() }
    }

    pub(super) fn count_member(&self) {
        self.members.set(self.members.get() + 1);
    }

    fn add(&self, bytes: usize) {
        self.unpacked.set(self.unpacked.get().saturating_add(bytes as u64));
    }

    pub(super) fn over(&self) -> Option<Over> {
        let unpacked = self.unpacked.get();
        if self.members.get() > MEMBERS {
            Some(Over::Members)
        } else if unpacked > TOTAL {
            Some(Over::Total)
        } else if unpacked > FREE.max(self.packed.saturating_mul(RATIO)) {
            Some(Over::Ratio)
        } else {
            None
        }
    }
}

/// A decompressor that counts each byte.
pub(super) struct Metered<R> {
    from: R,
    budget: Rc<Budget>,
}

impl<R> Metered<R> {
    pub(super) fn new(from: R, budget: &Rc<Budget>) -> Self {
        Self { from, budget: Rc::clone(budget) }
    }
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let read = self.from.read(to)?;
        self.budget.add(read);
        match self.budget.over() {
            Some(over) => Err(io::Error::other(over.to_string())),
            None => Ok(read),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_has_its_error() {
        let of = |packed, unpacked: u64, members| {
            let budget = Budget::of(packed);
            budget.unpacked.set(unpacked);
            budget.members.set(members);
            budget.over()
        };
        assert_eq!(of(1, FREE, MEMBERS), None);
        assert_eq!(of(1, FREE + 1, 0), Some(Over::Ratio));
        assert_eq!(of(FREE, RATIO * FREE, 0), Some(Over::Total));
        assert_eq!(of(4 << 20, 400 << 20, 0), None);
        assert_eq!(of(4 << 20, (400 << 20) + 1, 0), Some(Over::Ratio));
        assert_eq!(of(u64::MAX, TOTAL, 0), None);
        assert_eq!(of(u64::MAX, TOTAL + 1, 0), Some(Over::Total));
        assert_eq!(of(1, 0, MEMBERS + 1), Some(Over::Members));
    }

    struct Endless;

    impl Read for Endless {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            Ok(to.len())
        }
    }

    #[test]
    fn what_exceeds_a_limit_is_read_no_further() {
        let budget = Rc::new(Budget::of(1));
        let mut endless = Metered::new(Endless, &budget);
        let error = io::copy(&mut endless, &mut io::sink()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "more than 100 times its size when unpacked, and is not read on: unpack it, and name its files"
        );
        assert!(budget.unpacked.get() <= FREE + (1 << 20));
    }
}
