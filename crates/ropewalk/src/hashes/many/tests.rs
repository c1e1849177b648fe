//! The costs of lanes only choose how messages are processed.

use crate::{
    core::backend::Costs,
    hashes::{
        Hash as _, HashMany,
        md5::Md5Many,
        sha1::Sha1Many,
        sha256::{Sha224Many, Sha256Many},
        sha512::{Sha384Many, Sha512Many},
    },
    keyed::hmac::{self, Key},
};

/// Costs with which messages of one length use lanes; those with which messages of any lengths do, from two, three or five on;
/// and those that require many blocks.
const COSTS: [Costs; 5] = [
    Costs { one: 10, step: 10, start: 0 },
    Costs { one: 10, step: 15, start: 0 },
    Costs { one: 10, step: 25, start: 3 },
    Costs { one: 10, step: 45, start: 0 },
    Costs { one: 10, step: 30, start: 40 },
];

/// A message in a lane that another one has left has a key of its own, starts from its own state, and may be longer or shorter.
fn messages_take_turns<M: HashMany>() {
    let text: Vec<_> = (0..1000_usize).map(|i| (i * i / 7) as u8).collect();
    let keys = [0, 20, 200].map(|len| Key::<M::One>::new(&text[..len]));
    for case in 0..120 {
        let (count, most) = (case % 37, [40, 150, 700][case % 3]);
        let of = |i: usize| &text[i + case..][..(i * 131 + case * 17) % most];
        let texts: Vec<_> = (0..count).map(of).collect();
        let messages: Vec<_> = (0..count)
            .map(|i| hmac::Message { key: &keys[(i * i + case) % 3], text: of(i) })
            .collect();
        let digests: Vec<_> = texts.iter().map(|text| M::One::default().digest(text)).collect();
        let macs: Vec<_> = messages.iter().map(|message| message.key.mac(message.text)).collect();
        for costs in COSTS.into_iter().chain([M::costs()]) {
            let many = M::with_costs(costs);
            let name = format!("{}, {}, {costs:?}, case {case}", M::One::NAME, many.backend());
            let mut out = digests.clone();
            out.reverse();
            HashMany::digest(&many, &texts, &mut out).unwrap();
            assert!(out == digests, "{name}");
            let mut out = macs.clone();
            out.reverse();
            many.many().hash(&messages, &mut out).unwrap();
            assert!(out == macs, "{name}: HMAC");
        }
    }
}

#[test]
fn messages_of_any_lengths_take_turns() {
    messages_take_turns::<Md5Many>();
    messages_take_turns::<Sha1Many>();
    messages_take_turns::<Sha224Many>();
    messages_take_turns::<Sha256Many>();
    messages_take_turns::<Sha384Many>();
    messages_take_turns::<Sha512Many>();
}
