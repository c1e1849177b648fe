//! The operations of AES-CTR.

use ropewalk::aes_ctr::{Counter, Key, Many, Message, Stream};

use super::{COUNT, Case, IV, Outcome, secret, tell};

pub(super) fn in_place(case: &Case) -> Outcome {
    let key = key(case)?;
    for (counter, iv) in COUNTERS {
        let mut text = secret(case.len);
        key.apply_keystream(counter, &iv, &mut text)?;
        tell(&mut text)?;
    }
    Ok(())
}

pub(super) fn to(case: &Case) -> Outcome {
    let key = key(case)?;
    for (counter, iv) in COUNTERS {
        let mut output = vec![0; case.len];
        key.apply_keystream_to(counter, &iv, &secret(case.len), &mut output)?;
        tell(&mut output)?;
    }
    Ok(())
}

pub(super) fn stream(case: &Case) -> Outcome {
    let key = key(case)?;
    for (counter, iv) in COUNTERS {
        let mut stream = Stream::new(counter, &iv);
        let mut text = secret(case.len);
        for piece in text.chunks_mut(37) {
            stream.apply_keystream(&key, piece)?;
        }
        tell(&mut text)?;
    }
    Ok(())
}

#[inline(always)]
fn key(case: &Case) -> Result<Key, ropewalk::Error> {
    Key::with_backend(&secret(case.key), case.backend)
}

/// The last three wrap within the text.
const COUNTERS: [(Counter, [u8; 16]); 6] = [
    (Counter::Bits32, [7; 16]),
    (Counter::Bits64, [7; 16]),
    (Counter::Bits128, [7; 16]),
    (Counter::Bits32, [0xff; 16]),
    (Counter::Bits64, [0xff; 16]),
    (Counter::Bits128, [0xff; 16]),
];

pub(super) fn many_alike(case: &Case) -> Outcome {
    many(case, &[case.key], |_| case.len)
}

/// Among them neighbours that are alike but for their keys.
pub(super) fn many_mixed(case: &Case) -> Outcome {
    many(case, &[case.key, case.key], |_| case.len)?;
    let len = |i| if i % 3 == 0 { case.len } else { case.len * i / COUNT };
    many(case, &[case.key, 16, 24, 32, case.key], len)
}

fn many(case: &Case, keys: &[usize], len: impl Fn(usize) -> usize) -> Outcome {
    let mut made = Vec::new();
    for len in keys {
        made.push(Key::new(&secret(*len))?);
    }
    let mut texts: Vec<_> = (0..COUNT).map(|i| secret(len(i))).collect();
    let mut messages: Vec<_> = (texts.iter_mut().enumerate())
        .map(|(i, text)| Message { key: &made[i % made.len()], iv: &IV, text })
        .collect();
    let many = Many::with_backend(case.backend)?;
    many.apply_keystream(Counter::Bits128, &mut messages)?;
    for text in &mut texts {
        tell(text)?;
    }
    Ok(())
}
