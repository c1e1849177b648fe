//! The tasks of a library, and the reason for the missing ones.

use super::{Peer, Unavailable};
use crate::tasks::{Function, Kind, Mac, TASKS, Task};

/// Whether a peer has the task in some version or build of its library.
pub fn has(peer: &dyn Peer, task: &Task) -> bool {
    let is_in_table = match task.kind {
        Kind::Hash(function) => peer.functions(function)[0],
        Kind::Mac(Mac::Hmac(function)) => peer.functions(function)[1],
        _ => false,
    };
    is_in_table || peer.has().iter().any(|word| names(word, task.name))
}

/// Whether a pattern of [`Peer::has`] matches the name of a task: a `*` stands for the length of a key or of
/// an output.
pub fn names(word: &str, name: &str) -> bool {
    let Some((before, after)) = word.split_once('*') else { return word == name };
    let length = name.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
    length.is_some_and(|length| {
        !length.is_empty() && length.bytes().all(|byte| byte.is_ascii_digit())
    })
}

impl Unavailable {
    /// The reason that a peer lacks the task: the whole algorithm, or that length of its key.
    pub fn lacks(peer: &dyn Peer, task: &Task) -> Self {
        let family = task.kind.family();
        let of_family = |other: &&Task| other.kind.family() == family;
        match TASKS.iter().filter(of_family).any(|other| has(peer, other)) {
            true => Self::no(task.kind),
            false => Self::no_such(task.kind, &family),
        }
    }

    /// The reason that this version or build of a library has no such algorithm.
    pub fn no(kind: Kind) -> Self {
        Self::no_such(kind, &kind.name())
    }

    fn no_such(kind: Kind, name: &str) -> Self {
        match kind {
            Kind::NoOp => Self("takes no part: it is the lab itself that is measured".into()),
            _ => Self(format!("has no {name}")),
        }
    }
}

/// The entry of a hash function in a peer's table.
pub(super) fn find<T: Copy>(table: &[(Function, T)], function: Function) -> Option<T> {
    table.iter().find(|(of, _)| *of == function).map(|(_, found)| *found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::peers::PEERS;

    #[test]
    fn every_word_of_a_peer_names_a_task() {
        for peer in PEERS {
            for words in peer.has() {
                let named = TASKS.iter().any(|task| names(words, task.name));
                assert!(named, "{}: {words}", peer.name());
            }
        }
    }

    #[test]
    fn a_star_is_a_length() {
        assert!(names("aes-*-gcm", "aes-192-gcm"));
        assert!(names("sha3-*", "sha3-256"));
        assert!(!names("aes-*-cbc", "aes-128-cbc-hmac-sha1"));
        assert!(!names("sha*", "sha3-256") && !names("sha*", "sha512-256"));
    }

    #[test]
    fn the_default_reason_names_what_is_lacking() {
        let why = |peer: &str, name: &str| {
            let peer = PEERS.iter().find(|it| it.name() == peer).expect("a peer of that name");
            let task = TASKS.iter().find(|task| task.name == name).expect("a task of that name");
            Unavailable::lacks(*peer, task).0
        };
        assert_eq!(why("ring", "aes-192-gcm"), "has no AES-192-GCM");
        assert_eq!(why("ring", "aes-128-xts"), "has no AES-XTS");
        assert_eq!(why("ring", "aes-256-kw"), "has no AES key wrap");
        assert_eq!(why("ring", "hmac-sha512-256"), "has no HMAC of SHA-512/256");
        assert_eq!(why("nettle", "shake128"), "has no SHAKE128");
        assert_eq!(why("libsodium", "rsa-2048"), "has no RSA");
    }
}
