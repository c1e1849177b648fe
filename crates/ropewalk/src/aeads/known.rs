//! Known answers of authenticated ciphers.

/// Defines the known answers of an authenticated cipher, given its keys, nonce lengths, and lengths of additional data and texts:
/// some for any backend, and some for those that are not portable. Each message is sealed and opened; if there is a stream, the
/// last message is also processed in chunks.
macro_rules! aead {
    (
        keys $keys:expr; nonces $nonces:expr; $any:expr, wide $wide:expr, up to $longest:literal;
        $(pieces by $Stream:ident;)? many: $shapes:expr
    ) => {
        /// Whether that backend computes them.
        pub(super) fn one(backend: &str) -> Result<bool, $crate::core::Error> {
            let keys: [Key; 3] = match $keys.map(|secret| Key::with_backend(secret, backend)) {
                [Ok(first), Ok(second), Ok(third)] => [first, second, third],
                [Err(error), ..] | [_, Err(error), _] | [.., Err(error)] => return Err(error),
            };
            let mut text = $crate::core::known::bytes::<$longest>();
            let right = messages(&keys, &mut text, &$any)?.is(ONE);
            if $crate::core::known::is_portable(backend) {
                return Ok(right);
            }
            Ok(right && messages(&keys, &mut text, &$wide)?.is(WIDE))
        }

        /// Messages with additional data and texts of these lengths.
        fn messages(
            keys: &[Key; 3],
            text: &mut [u8],
            lens: &[(usize, usize)],
        ) -> Result<$crate::core::known::Sum, $crate::core::Error> {
            let (secret, data) = ($crate::core::known::bytes::<64>(), $crate::core::known::bytes::<280>());
            let (mut sum, mut right) = ($crate::core::known::Sum::new(), true);
            for (turn, &(aad, len)) in lens.iter().enumerate() {
                let (key, text) = (&keys[turn % keys.len()], &mut text[..len]);
                let (nonce, aad) = (&secret[turn..][..$nonces[turn % $nonces.len()]], &data[..aad]);
                let tag = key.seal(nonce, aad, text)?;
                sum.add(text);
                sum.add(&tag);
                right &= key.open(nonce, aad, text, &tag).is_ok();
                sum.add(text);
                $(
                    if turn + 1 == lens.len() {
                        let mut stream = $Stream::new(key, nonce)?;
                        stream.absorb_aad(key, aad)?;
                        stream.seal(key, text)?;
                        sum.add(text);
                        right &= *stream.tag(key) == *tag;
                        let mut stream = $Stream::new(key, nonce)?;
                        stream.absorb_aad(key, aad)?;
                        let (head, rest) = text.split_at_mut(len / 3);
                        stream.open_unverified(key, head)?;
                        stream.open_unverified(key, rest)?;
                        sum.add(text);
                        right &= stream.verify(key, &tag).is_ok();
                    }
                )?
            }
            sum.add(&[right.into()]);
            Ok(sum)
        }

        /// Whether that batch backend computes them.
        pub(super) fn many(backend: &str) -> Result<bool, $crate::core::Error> {
            const COUNT: usize = 19;
            let secrets = $keys;
            let keys = [Key::new(secrets[0])?, Key::new(secrets[0])?, Key::new(secrets[1])?];
            let many = Many::with_backend(backend)?;
            let (nonces, data) = ($crate::core::known::numbered::<12, COUNT>(), $crate::core::known::bytes::<40>());
            let mut sum = $crate::core::known::Sum::new();
            // Lengths of additional data and of texts, and the number of keys; a length of 0 stands for all lengths.
            for (aad, len, of) in $shapes {
                let (mut texts, mut i) = ([$crate::core::known::bytes::<128>(); COUNT], 0);
                let mut messages = texts.each_mut().map(|text| {
                    let len = if len == 0 { 7 * i } else { len };
                    let aad = &data[..if len == 0 { i } else { aad }];
                    i += 1;
                    Message { key: &keys[i % of], nonce: &nonces[i - 1], aad, text: &mut text[..len] }
                });
                let (mut tags, mut results) = ([Tag::default(); COUNT], [Ok(()); COUNT]);
                many.seal(&mut messages, &mut tags).map_err(|wrong| wrong.error)?;
                for (message, tag) in messages.iter().zip(&tags) {
                    sum.add(message.text);
                    sum.add(tag);
                }
                let tags = tags.each_ref().map(|tag| &**tag);
                many.open(&mut messages, &tags, &mut results).map_err(|wrong| wrong.error)?;
                if results != [Ok(()); COUNT] {
                    return Ok(false);
                }
                sum.add(texts.as_flattened());
            }
            Ok(sum.is(MANY))
        }
    };
}
pub(crate) use aead;
