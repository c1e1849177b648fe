//! Many messages, sealed and opened in a call.

use ropewalk::Error;

use super::{Case, Outcome, Secret, forge, secret, tell};

/// Messages in a batch.
pub(super) const COUNT: usize = 19;

/// Writes the operations of a module, given the lengths of its keys besides that of the case.
macro_rules! of_many {
    ($($module:ident: $lens:expr;)+) => { $(
        pub(super) mod $module {
            use ropewalk::$module::{Key, Many, Message, Tag};

            use super::*;

            const MORE: &[usize] = $lens;

            pub(in super::super) fn alike(case: &Case) -> Outcome {
                seal(case, &[case.key], |_| case.len)
            }

            pub(in super::super) fn mixed(case: &Case) -> Outcome {
                seal(case, &[&[case.key], MORE].concat(), |i| mixed_len(case, i))
            }

            fn seal(case: &Case, keys: &[usize], len: impl Fn(usize) -> usize) -> Outcome {
                let keys = made(keys)?;
                for many in [Many::with_backend(case.backend)?, Many::new()] {
                    let mut texts: Vec<_> = (0..COUNT).map(|i| secret(len(i))).collect();
                    let aads: Vec<_> = (0..COUNT).map(|i| secret(aad_len(case, i))).collect();
                    let mut tags = [Tag::default(); COUNT];
                    many.seal(&mut messages(&keys, &aads, &mut texts), &mut tags)?;
                    texts.iter_mut().try_for_each(|text| tell(text))?;
                    tags.iter().try_for_each(|tag| tell(&mut tag.to_vec()))?;
                }
                Ok(())
            }

            /// Every other one is forged.
            pub(in super::super) fn open(case: &Case) -> Outcome {
                let keys = made(&[&[case.key], MORE].concat())?;
                let many = Many::with_backend(case.backend)?;
                let mut texts: Vec<_> = (0..COUNT).map(|i| secret(mixed_len(case, i))).collect();
                let aads: Vec<_> = (0..COUNT).map(|i| secret(aad_len(case, i))).collect();
                let mut tags = [Tag::default(); COUNT];
                many.seal(&mut messages(&keys, &aads, &mut texts), &mut tags)?;
                let mut tags = tags.map(|tag| tag.to_vec());
                tags.iter_mut().step_by(2).for_each(|tag| forge(tag, case));
                let tags = tags.each_ref().map(Vec::as_slice);
                let mut results = [Ok(()); COUNT];
                many.open(&mut messages(&keys, &aads, &mut texts), &tags, &mut results)?;
                for (i, result) in results.into_iter().enumerate() {
                    match i % 2 {
                        0 if result == Err(Error::Forged) => {}
                        0 => return Err("a forged message is taken".into()),
                        _ => result?,
                    }
                }
                texts.iter_mut().skip(1).step_by(2).try_for_each(|text| tell(text))
            }

            #[inline(always)]
            fn made(lens: &[usize]) -> Result<Vec<Key>, Error> {
                let mut keys = Vec::new();
                for len in lens {
                    keys.push(Key::new(&secret(*len))?);
                }
                Ok(keys)
            }

            fn messages<'a>(
                keys: &'a [Key],
                aads: &'a [Secret],
                texts: &'a mut [Secret],
            ) -> Vec<Message<'a>> {
                let message = |(i, (aad, text)): (usize, (&'a Secret, &'a mut Secret))| Message {
                    key: &keys[i % keys.len()],
                    nonce: &[7; 12],
                    aad,
                    text,
                };
                aads.iter().zip(texts).enumerate().map(message).collect()
            }
        }
    )+ };
}

of_many! {
    aes_ccm: &[16, 24, 32];
    aes_gcm: &[16, 24, 32];
    chacha20_poly1305: &[32];
}

fn mixed_len(case: &Case, i: usize) -> usize {
    if i.is_multiple_of(3) { case.len } else { case.len * i / COUNT }
}

fn aad_len(case: &Case, i: usize) -> usize {
    [13, case.len % 61, i][i % 3]
}
