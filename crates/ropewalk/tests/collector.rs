//! Messages that come one at a time: the same answers as one by one, each once, and in bounds.

use std::{sync::Arc, time::Duration};

use ropewalk::{
    Error, aes_cbc, aes_ccm, aes_cmac, aes_ctr, aes_gcm, aes_xts,
    collector::{
        Batch, CipherMacs, Collector, Counted, DataUnit, Digests, Encryptions, Keyed, Keystreams,
        Macs, Opening, Plaintext, Sealing, Ticket, UnitDecryptions, UnitEncryptions,
    },
    hmac,
    sha256::{self, Sha256, Sha256Many},
};

const WAIT: Duration = Duration::from_micros(50);

fn digests() -> Digests<Sha256Many, Vec<u8>> {
    Digests::new(Sha256Many::new())
}

fn micros(n: u64) -> Duration {
    Duration::from_micros(n)
}

fn text(i: usize) -> Vec<u8> {
    (0..i * 37 % 700).map(|at| (at * 7 + i) as u8).collect()
}

/// Submits so many messages, and has them all back in the order of `order`.
fn submitted<B: Batch>(
    batch: B,
    count: usize,
    message: impl Fn(usize) -> B::Message,
    mut look: impl FnMut(usize, B::Message, B::Answer),
) {
    let mut collector = Collector::new(batch, WAIT, count);
    let tickets: Vec<Ticket> = (0..count)
        .map(|i| collector.submit(message(i), micros(i as u64)).expect("there is room"))
        .collect();
    collector.flush();
    // From the last one to the first, so that places of taken ones lie behind some that are not.
    for (i, ticket) in tickets.into_iter().enumerate().rev() {
        let (message, answer) = collector.take(ticket).expect("it has run");
        look(i, message, answer);
        assert!(collector.take(ticket).is_none(), "each once");
    }
    assert_eq!(collector.held(), 0);
}

#[test]
fn digests_are_those_of_one_by_one() {
    for count in 0..70 {
        submitted(digests(), count, text, |i, message, digest| {
            assert_eq!(message, text(i));
            assert_eq!(digest, sha256::digest(&text(i)), "{i} of {count}");
        });
    }
}

#[test]
fn tags_are_those_of_one_by_one() {
    let keys = [hmac::Key::<Sha256>::new(b"one"), hmac::Key::new(b"another")].map(Arc::new);
    let message = |i: usize| Keyed { key: Arc::clone(&keys[i % 2]), text: text(i) };
    for count in 0..70 {
        submitted(Macs::new(hmac::Many::<Sha256Many>::new()), count, message, |i, _, tag| {
            assert_eq!(tag, keys[i % 2].mac(&text(i)), "{i} of {count}");
        });
    }
}

#[test]
fn tags_by_cipher_are_those_of_one_by_one() {
    let keys = [16, 24, 32].map(|len| {
        aes_cmac::Key::new(&[len as u8; 32][..len]).map(Arc::new).expect("a length of keys")
    });
    let message = |i: usize| Keyed { key: Arc::clone(&keys[i % 3]), text: text(i) };
    for count in 0..70 {
        submitted(CipherMacs::new(aes_cmac::Many::new()), count, message, |i, _, tag| {
            assert_eq!(tag, keys[i % 3].mac(&text(i)), "{i} of {count}");
        });
    }
}

#[test]
fn ciphertexts_are_those_of_one_by_one() {
    let keys = [16, 24, 32].map(|len| {
        aes_cbc::Key::new(&[len as u8; 32][..len]).map(Arc::new).expect("a length of keys")
    });
    let message = |i: usize| Plaintext {
        key: Arc::clone(&keys[i % 3]),
        iv: [i as u8; 16],
        text: vec![i as u8; i % 9 * 16],
    };
    for count in 0..70 {
        submitted(Encryptions::new(aes_cbc::Many::new()), count, message, |i, encrypted, ()| {
            let Plaintext { key, iv, mut text } = message(i);
            key.encrypt(&iv, &mut text).expect("of whole blocks");
            assert_eq!(encrypted.text, text, "{i} of {count}");
        });
    }
}

#[test]
fn key_streams_are_those_of_one_by_one() {
    let keys = [16, 24, 32].map(|len| {
        aes_ctr::Key::new(&[len as u8; 32][..len]).map(Arc::new).expect("a length of keys")
    });
    for counter in [aes_ctr::Counter::Bits32, aes_ctr::Counter::Bits128] {
        // Some of one shape, so that lanes have them, and counters that wrap.
        let message = |i: usize| Counted {
            key: Arc::clone(&keys[i / 20 % 3]),
            iv: [if i.is_multiple_of(9) { 0xff } else { i as u8 }; 16],
            text: vec![i as u8; if i < 40 { i / 8 * 16 } else { i * 7 }],
        };
        for count in 0..70 {
            let batch = Keystreams::new(aes_ctr::Many::new(), counter);
            submitted(batch, count, message, |i, encrypted, ()| {
                let Counted { key, iv, mut text } = message(i);
                key.apply_keystream(counter, &iv, &mut text).expect("no text is too long");
                assert_eq!(encrypted.text, text, "{i} of {count}");
            });
        }
    }
}

#[test]
fn data_units_are_those_of_one_by_one() {
    let keys = [32, 64].map(|len| {
        let secret: Vec<u8> = (0..len).collect();
        aes_xts::Key::new(&secret).map(Arc::new).expect("a length of keys")
    });
    let plain = |i: usize| DataUnit {
        key: Arc::clone(&keys[i / 20 % 2]),
        tweak: aes_xts::sector_tweak(i as u64),
        text: vec![i as u8; 16 + i * 11],
    };
    let encrypted = |i: usize| {
        let mut unit = plain(i);
        unit.key.encrypt(&unit.tweak, &mut unit.text).expect("neither too long nor too short");
        unit
    };
    for count in 0..70 {
        submitted(UnitEncryptions::new(aes_xts::Many::new()), count, plain, |i, unit, ()| {
            assert_eq!(unit.text, encrypted(i).text, "{i} of {count}");
        });
        submitted(UnitDecryptions::new(aes_xts::Many::new()), count, encrypted, |i, unit, ()| {
            assert_eq!(unit.text, plain(i).text, "{i} of {count}");
        });
    }
}

/// Writes a test of what a module seals and opens.
macro_rules! as_one_by_one {
    ($($name:ident: $module:ident;)+) => { $(
        #[test]
        fn $name() {
            let keys = [16, 24, 32].map(|len| {
                $module::Key::new(&[len as u8; 32][..len]).map(Arc::new).expect("a length of keys")
            });
            let message = |i: usize| Sealing {
                key: Arc::clone(&keys[i % 3]),
                nonce: [i as u8; 12],
                aad: vec![i as u8; i % 20],
                text: text(i),
            };
            for count in 0..70 {
                let mut all = Vec::new();
                submitted($module::Seals::new($module::Many::new()), count, message, |i, sealed, tag| {
                    let Sealing { key, nonce, aad, mut text } = message(i);
                    assert_eq!(key.seal(&nonce, &aad, &mut text).expect("no length is too long"), tag);
                    assert_eq!(sealed.text, text, "{i} of {count}");
                    all.push((sealed, tag.to_vec()));
                });
                all.reverse();
                // Every fifth is forged.
                let opening = |i: usize| {
                    let (sealed, mut tag) = all[i].clone();
                    tag[i % 16] ^= u8::from(i.is_multiple_of(5));
                    Opening { sealed, tag }
                };
                submitted(
                    $module::Openings::new($module::Many::new()),
                    count,
                    opening,
                    |i, opened, result| {
                        let forged = i.is_multiple_of(5);
                        assert_eq!(
                            result,
                            if forged { Err(Error::Forged) } else { Ok(()) },
                            "{i} of {count}"
                        );
                        let want = if forged { vec![0; text(i).len()] } else { text(i) };
                        assert_eq!(opened.sealed.text, want, "{i} of {count}");
                    },
                );
            }
        }
    )+ };
}

as_one_by_one! {
    what_aes_ccm_seals_and_opens_is_as_one_by_one: aes_ccm;
    what_aes_gcm_seals_and_opens_is_as_one_by_one: aes_gcm;
}

#[test]
fn full_lanes_run_at_once_and_the_rest_when_it_is_due() {
    let mut collector = Collector::new(digests(), WAIT, 1000);
    let lanes = collector.batch().lanes();
    let mut tickets = Vec::new();
    for i in 0..lanes {
        assert_eq!(collector.waiting(), i);
        tickets.push(collector.submit(text(i), micros(i as u64)).expect("there is room"));
    }
    assert_eq!(collector.waiting(), 0, "all lanes were full");
    assert_eq!(collector.due(), None);
    assert!(tickets.iter().all(|ticket| collector.take(*ticket).is_some()));

    if lanes > 1 {
        let ticket = collector.submit(text(3), micros(1000)).expect("there is room");
        assert_eq!(collector.due(), Some(micros(1050)), "from when the first came");
        assert!(!collector.poll(micros(1049)));
        assert!(collector.take(ticket).is_none(), "it waits");
        assert!(collector.poll(micros(1050)));
        assert_eq!(collector.take_first().map(|(first, ..)| first), Some(ticket));
        assert!(!collector.poll(micros(2000)), "nothing waits");
    }
}

#[test]
fn nothing_more_is_held_than_was_said() {
    let batch = digests();
    let room = batch.lanes() + 3;
    let mut collector = Collector::new(batch, WAIT, room);
    let tickets: Vec<Ticket> = (0..room)
        .map(|i| collector.submit(text(i), Duration::ZERO).expect("there is room"))
        .collect();
    let refused = collector.submit(text(99), Duration::ZERO).expect_err("there is none");
    assert_eq!((refused.error, refused.message), (Error::Full, text(99)));
    collector.flush();
    assert!(collector.submit(text(99), Duration::ZERO).is_err(), "none was taken back");
    assert!(collector.take(tickets[0]).is_some());
    assert!(collector.submit(text(99), Duration::ZERO).is_ok());
}

#[test]
fn a_bad_message_is_refused_and_spoils_no_other() {
    let key = Arc::new(aes_cbc::Key::new(&[7; 16]).expect("a length of keys"));
    let message = |len| Plaintext { key: Arc::clone(&key), iv: [0; 16], text: vec![1; len] };
    let mut collector = Collector::new(Encryptions::new(aes_cbc::Many::new()), WAIT, 64);
    let good = collector.submit(message(32), Duration::ZERO).expect("of whole blocks");
    let refused = collector.submit(message(17), Duration::ZERO).err().map(|refused| refused.error);
    assert!(matches!(refused, Some(Error::Length { what: "text", got: 17, .. })));
    collector.flush();
    let (Plaintext { mut text, iv, key }, ()) = collector.take(good).expect("it has run");
    key.decrypt(&iv, &mut text).expect("of whole blocks");
    assert_eq!(text, [1; 32]);
}

#[test]
fn a_data_unit_of_a_wrong_length_is_refused() {
    let secret: Vec<u8> = (0..32).collect();
    let key = Arc::new(aes_xts::Key::new(&secret).expect("a length of keys"));
    let unit = |len| DataUnit { key: Arc::clone(&key), tweak: [0; 16], text: vec![1; len] };
    fn refused<B: Batch>(batch: B, message: B::Message) -> Option<Error> {
        let mut collector = Collector::new(batch, WAIT, 64);
        collector.submit(message, Duration::ZERO).err().map(|refused| refused.error)
    }
    for error in [
        refused(UnitEncryptions::new(aes_xts::Many::new()), unit(15)),
        refused(UnitDecryptions::new(aes_xts::Many::new()), unit(15)),
    ] {
        assert!(matches!(error, Some(Error::Length { what: "text", got: 15, .. })));
    }
}

#[test]
fn tickets_of_nothing_give_nothing() {
    let mut collector = Collector::new(digests(), WAIT, 64);
    let mut other = Collector::new(digests(), WAIT, 64);
    let ticket = (0..10).map(|i| other.submit(text(i), Duration::ZERO).expect("room")).last();
    assert!(collector.take(ticket.expect("ten")).is_none());
    assert!(collector.take_first().is_none());
    collector.flush();
}
