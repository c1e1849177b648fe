//! The nesting level of a file in archives.

use super::bounds::{DEPTH, MEMBER};

/// The position of a file in archives, and the memory that is left for it.
#[derive(Clone, Copy)]
pub(super) struct Level {
    archives: usize,
    /// Whether it is directly from a decompressor.
    pub(super) compressed: bool,
    /// Whether it is the data of a Debian package.
    pub(super) package: bool,
    /// The bytes of it that may be held in memory.
    pub(super) room: u64,
}

impl Default for Level {
    fn default() -> Self {
        Self { archives: 0, compressed: false, package: false, room: MEMBER }
    }
}

impl Level {
    /// Whether it is a file on disk, compressed or not, and not in an archive.
    pub(super) fn is_on_disk(self) -> bool {
        self.archives == 0
    }

    pub(super) fn decompressed(self) -> Self {
        Self { compressed: true, ..self }
    }

    pub(super) fn of_package(self) -> Self {
        Self { package: true, ..self }
    }

    /// While that many bytes are held in memory for it.
    pub(super) fn holding(self, bytes: u64) -> Self {
        Self { room: self.room.saturating_sub(bytes), ..self }
    }

    /// One archive deeper; none if that is too deep.
    pub(super) fn in_archive(self) -> Option<Self> {
        let archives = self.archives + 1;
        let deeper = Self { archives, compressed: false, package: false, ..self };
        (archives <= DEPTH).then_some(deeper)
    }
}
