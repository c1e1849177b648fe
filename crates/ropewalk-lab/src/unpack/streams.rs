//! Compressed files, each format with a library.

use std::io::{self, Read};

use bzip2::read::MultiBzDecoder;
use flate2::read::{DeflateDecoder, MultiGzDecoder};
use liblzma::{
    read::XzDecoder,
    stream::{CONCATENATED, Stream},
};

use super::bounds::DICTIONARY;

/// The compression of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Gzip,
    /// As in a zip archive: without a header.
    Deflate,
    Bzip2,
    Xz,
    /// The format before xz.
    Lzma,
    Lzip,
    Zstd,
}

impl Format {
    pub(super) fn of(start: &[u8]) -> Option<Self> {
        let is = |sign: &[u8]| start.starts_with(sign);
        if is(b"\x1f\x8b\x08") {
            Some(Self::Gzip)
        } else if is(b"\xfd7zXZ\0") {
            Some(Self::Xz)
        } else if is(b"\x28\xb5\x2f\xfd") || is_skipped_by_zstd(start) {
            Some(Self::Zstd)
        } else if is_bzip2(start) {
            Some(Self::Bzip2)
        } else if is(b"LZIP\x01") {
            Some(Self::Lzip)
        } else if is_lzma(start) {
            Some(Self::Lzma)
        } else {
            None
        }
    }

    pub(super) fn decoder<'a>(self, from: &'a mut dyn Read) -> io::Result<Box<dyn Read + 'a>> {
        Ok(match self {
            Self::Gzip => Box::new(MultiGzDecoder::new(from)),
            Self::Deflate => Box::new(DeflateDecoder::new(from)),
            Self::Bzip2 => Box::new(MultiBzDecoder::new(from)),
            Self::Xz => {
                let stream = Stream::new_stream_decoder(DICTIONARY, CONCATENATED)?;
                Box::new(XzDecoder::new_stream(from, stream))
            }
            Self::Lzma => {
                Box::new(XzDecoder::new_stream(from, Stream::new_lzma_decoder(DICTIONARY)?))
            }
            Self::Lzip => {
                let stream = Stream::new_lzip_decoder(DICTIONARY, CONCATENATED)?;
                Box::new(XzDecoder::new_stream(from, stream))
            }
            Self::Zstd => {
                let mut decoder = zstd::Decoder::new(from)?;
                decoder.window_log_max(DICTIONARY.ilog2())?;
                Box::new(decoder)
            }
        })
    }
}

/// A frame that zstd skips: parallel compressors write one at the start.
fn is_skipped_by_zstd(start: &[u8]) -> bool {
    matches!(start, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

/// With the magic number of its first block, or of its end.
fn is_bzip2(start: &[u8]) -> bool {
    let block =
        |rest: &[u8]| rest.starts_with(b"1AY&SY") || rest.starts_with(b"\x17\x72\x45\x38\x50\x90");
    matches!(start, [b'B', b'Z', b'h', b'1'..=b'9', rest @ ..] if block(rest))
}

/// It has no magic number, but usual properties, a dictionary size that is a power of two, and no size or a
/// plausible one.
fn is_lzma(start: &[u8]) -> bool {
    let Some((&[properties, dictionary @ ..], rest)) = start.split_first_chunk::<5>() else {
        return false;
    };
    let dictionary = u32::from_le_bytes(dictionary);
    let size = rest.first_chunk().map_or(0, |size| u64::from_le_bytes(*size));
    properties == 0x5d
        && dictionary.is_power_of_two()
        && dictionary >= 4096
        && (size == u64::MAX || (1..1 << 40).contains(&size))
}
