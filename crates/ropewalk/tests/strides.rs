//! Many messages that lie at multiples of a page, as sectors and records in one array do: half of the lanes then goes a cache line
//! ahead of the others.

use common::{Random, backends};
use ropewalk::{aes_cbc, aes_ccm, aes_cmac};

mod common;

const PAGE: usize = 4096;

/// Lanes of every backend whole, and less than half, half and more of them; and more messages than lanes.
const COUNTS: [usize; 7] = [2, 4, 5, 8, 9, 16, 37];

/// As long as each other, and of lengths that differ by less and more than a line.
const SPREADS: [usize; 4] = [0, 16, 64, 1040];

/// Texts of multiples of 16 bytes, each `at` bytes behind the beginning of a page.
fn pages(memory: &mut [u8], at: usize, lens: &[usize]) -> Vec<Vec<u8>> {
    let texts = memory.chunks(PAGE).zip(lens);
    texts.map(|(page, len)| page[at..at + len].to_vec()).collect()
}

/// `case` gets memory that begins with a page, where texts lie in it, and their lengths.
fn each_case(mut case: impl FnMut(&mut [u8], usize, &[usize])) {
    let mut random = Random(11);
    let mut memory = random.bytes(38 * PAGE);
    let from = memory.as_ptr().align_offset(PAGE);
    for count in COUNTS {
        for spread in SPREADS {
            for (at, shortest) in [(0, 2048), (48, 1360), (7, 512), (0, 496)] {
                let lens: Vec<usize> = (0..count).map(|i| shortest + i * 7 % 5 * spread).collect();
                let lens: Vec<usize> = lens.iter().map(|len| (*len).min(PAGE - 64)).collect();
                case(&mut memory[from..], at, &lens);
            }
        }
    }
}

#[test]
fn aes_cbc_is_as_one_by_one() {
    let key = aes_cbc::Key::new(&[3; 16]).unwrap();
    let ivs: Vec<[u8; 16]> = (0..64).map(|i| [i; 16]).collect();
    for backend in backends(&aes_cbc::PRIMITIVE_MANY) {
        let many = aes_cbc::Many::with_backend(backend).unwrap();
        each_case(|memory, at, lens| {
            let mut right = pages(memory, at, lens);
            for (text, iv) in right.iter_mut().zip(&ivs) {
                key.encrypt(iv, text).unwrap();
            }
            let texts =
                memory.chunks_mut(PAGE).zip(lens).map(|(page, len)| &mut page[at..at + len]);
            let messages =
                texts.zip(&ivs).map(|(text, iv)| aes_cbc::Message { key: &key, iv, text });
            many.encrypt(&mut messages.collect::<Vec<_>>()).unwrap();
            assert!(right == pages(memory, at, lens), "{backend}: {lens:?} bytes at {at}");
        });
    }
}

#[test]
fn aes_cmac_is_as_one_by_one() {
    let keys = [2, 3].map(|byte| aes_cmac::Key::new(&[byte; 32]).unwrap());
    for backend in backends(&aes_cmac::PRIMITIVE_MANY) {
        let many = aes_cmac::Many::with_backend(backend).unwrap();
        each_case(|memory, at, lens| {
            // Texts that are not whole blocks too.
            let texts: Vec<&[u8]> = memory
                .chunks(PAGE)
                .zip(lens)
                .enumerate()
                .map(|(i, (page, len))| &page[at..at + len + i % 3])
                .collect();
            let key = |i: usize| &keys[usize::from(i % 4 == 3)];
            let messages = texts.iter().enumerate().map(|(i, text)| (key(i), *text));
            let right: Vec<_> = messages.clone().map(|(key, text)| key.mac(text)).collect();
            let messages: Vec<_> =
                messages.map(|(key, text)| aes_cmac::Message { key, text }).collect();
            let mut tags = vec![aes_cmac::Tag::default(); messages.len()];
            many.mac(&messages, &mut tags).unwrap();
            assert!(right == tags, "{backend}: {lens:?} bytes at {at}");
        });
    }
}

#[test]
fn aes_ccm_is_as_one_by_one() {
    let keys = [2, 3].map(|byte| aes_ccm::Key::new(&[byte; 16]).unwrap());
    let nonces: Vec<[u8; 12]> = (0..64).map(|i| [i; 12]).collect();
    for backend in backends(&aes_ccm::PRIMITIVE_MANY) {
        let many = aes_ccm::Many::with_backend(backend).unwrap();
        for (aad, shared) in [(&b""[..], true), (b"thirteen byte", true), (b"13", false)] {
            let key = |i: usize| &keys[usize::from(!shared && i % 4 == 3)];
            each_case(|memory, at, lens| {
                // Texts that are not whole blocks too.
                let lens: Vec<usize> =
                    lens.iter().enumerate().map(|(i, len)| len + i % 3 * 5).collect();
                let plain = pages(memory, at, &lens);
                let mut sealed = plain.clone();
                let right: Vec<_> = (0..lens.len())
                    .map(|i| key(i).seal(&nonces[i], aad, &mut sealed[i]).unwrap())
                    .collect();
                let mut tags = vec![aes_ccm::Tag::default(); lens.len()];
                let mut messages = messages(memory, at, &lens, &nonces, aad, key);
                many.seal(&mut messages, &mut tags).unwrap();
                assert!(right == tags, "{backend}: tags of {lens:?} bytes at {at}");
                assert!(sealed == pages(memory, at, &lens), "{backend}: {lens:?} bytes at {at}");

                let tags: Vec<&[u8]> = tags.iter().map(|tag| &**tag).collect();
                let mut results = vec![Ok(()); lens.len()];
                let mut messages = self::messages(memory, at, &lens, &nonces, aad, key);
                many.open(&mut messages, &tags, &mut results).unwrap();
                assert!(results.iter().all(Result::is_ok), "{backend}: {lens:?} bytes at {at}");
                assert!(plain == pages(memory, at, &lens), "{backend}: {lens:?} bytes at {at}");
            });
        }
    }
}

fn messages<'a, 'k: 'a>(
    memory: &'a mut [u8],
    at: usize,
    lens: &'a [usize],
    nonces: &'a [[u8; 12]],
    aad: &'a [u8],
    key: impl Fn(usize) -> &'k aes_ccm::Key,
) -> Vec<aes_ccm::Message<'a>> {
    let texts = memory.chunks_mut(PAGE).zip(lens).map(|(page, len)| &mut page[at..at + len]);
    let messages = texts.zip(nonces).enumerate();
    messages.map(|(i, (text, nonce))| aes_ccm::Message { key: key(i), nonce, aad, text }).collect()
}
