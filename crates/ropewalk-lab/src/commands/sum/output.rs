//! The output: digests to standard output, errors to standard error, and the progress.

use std::{
    ffi::OsStr,
    fmt::Display,
    fs::File,
    io::{self, BufWriter, IsTerminal, Write},
    sync::atomic::Ordering::Relaxed,
};

use indicatif::{HumanBytes, HumanCount, ProgressBar, ProgressFinish, ProgressStyle};

use super::{list::tag, names::escape, read::Desk, work::Entry};
use crate::{
    filename::{line_shown, shown},
    stdio,
};

/// Where everything goes.
pub(super) struct Output {
    out: BufWriter<File>,
    /// Whether it is a terminal.
    screen: bool,
    bar: ProgressBar,
    written: u64,
    /// Whether there was an error.
    pub(super) failed: bool,
}

/// The format of a line.
#[derive(Clone, Copy)]
pub(super) struct Format {
    pub(super) tag: bool,
    pub(super) binary: bool,
    /// Lines end with a zero, and names are not escaped.
    pub(super) zero: bool,
}

const BUFFER: usize = 64 << 10;

impl Output {
    pub(super) fn open() -> io::Result<Self> {
        let out = stdio::output()?;
        let screen = out.is_terminal();
        let style = ProgressStyle::with_template("{spinner} {msg}").expect("a sound template");
        let bar = ProgressBar::new_spinner().with_style(style);
        let bar = bar.with_finish(ProgressFinish::AndClear);
        let out = BufWriter::with_capacity(BUFFER, out);
        Ok(Self { out, screen, bar, written: 0, failed: false })
    }

    /// Writes the digest of a file.
    pub(super) fn digest(
        &mut self,
        entry: &Entry,
        digest: &[u8],
        format: Format,
    ) -> io::Result<()> {
        let (name, escaped) = match format.zero {
            true => (entry.name.as_encoded_bytes().into(), false),
            false => escape(&entry.name),
        };
        let mut line = Vec::with_capacity(name.len() + 2 * digest.len() + 20);
        if escaped {
            line.push(b'\\');
        }
        if format.tag {
            line.extend(tag(entry.algorithm).as_bytes());
            line.extend(b" (");
            line.extend(&*name);
            line.extend(b") = ");
            hex(digest, &mut line);
        } else {
            hex(digest, &mut line);
            line.extend(if format.binary { b" *" } else { b"  " });
            line.extend(&*name);
        }
        line.push(if format.zero { 0 } else { b'\n' });
        self.text(&line)
    }

    /// Writes a line. Names are unchanged in files and pipes, but control sequences are escaped on a
    /// terminal.
    pub(super) fn text(&mut self, line: &[u8]) -> io::Result<()> {
        let line = if self.screen { &line_shown(line) } else { line };
        if self.out.buffer().len() + line.len() > self.out.capacity() {
            self.flush()?;
        }
        self.out.write_all(line)
    }

    /// Reports an error of a file.
    pub(super) fn complain(&mut self, name: &OsStr, why: impl Display) -> io::Result<()> {
        self.failed = true;
        self.warn(format_args!("{}: {why}", shown(name)))
    }

    /// Prints a message, after the output so far.
    pub(super) fn warn(&mut self, text: impl Display) -> io::Result<()> {
        self.flush()?;
        // Errors are ignored: the user may have closed standard error.
        self.bar.suspend(|| drop(writeln!(io::stderr(), "ropewalk: {text}")));
        Ok(())
    }

    /// Shows the progress.
    pub(super) fn show(&mut self, desk: &Desk, more: u64) {
        self.written += more;
        if !self.bar.is_hidden() {
            let (files, bytes) = (HumanCount(self.written), desk.read.load(Relaxed));
            let speed = bytes as f64 / self.bar.elapsed().as_secs_f64().max(1e-3);
            let (bytes, speed) = (HumanBytes(bytes), HumanBytes(speed as u64));
            self.bar.set_message(format!("{files} files, {bytes}, {speed} a second"));
            self.bar.tick();
        }
    }

    /// Flushes the buffer.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        let Self { out, bar, .. } = self;
        match out.buffer() {
            [] => Ok(()),
            _ => bar.suspend(|| out.flush()),
        }
    }

    /// Writes the rest.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        self.bar.finish_and_clear();
        self.flush()
    }
}

fn hex(digest: &[u8], line: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    line.extend(digest.iter().flat_map(|byte| [byte >> 4, byte & 15]).map(|i| DIGITS[i as usize]));
}
