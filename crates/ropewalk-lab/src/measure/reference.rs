//! The right answers.

use crate::{
    peers::{Opened, PEERS, Unavailable},
    tasks::Cell,
};

/// The digest of the right answer of a cell: the answer of its [model](crate::tasks::Kind::model), computed
/// in this process, which loads no other library. Ropewalk's is that of the portable backend.
///
/// # Errors
/// If that peer does not support the task.
pub fn answer(cell: &Cell) -> Result<String, Unavailable> {
    let name = cell.task.kind.model();
    let peer = PEERS.iter().find(|peer| peer.name() == name).expect("it is a peer");
    let library = peer.open("")?;
    let plain = plain(&*library, cell)
        .ok_or_else(|| Unavailable(format!("{name} has no answer to compare with")))?;
    Ok(digest(&library.prepare(cell, &plain)?.answer()))
}

/// The name of ropewalk among the peers.
pub const OURS: &str = "ropewalk";

/// Whether the code of a peer is that of ropewalk: the library itself, or the C library. Neither is a rival,
/// and both read `ROPEWALK_CPU`.
pub fn is_ours(peer: &str) -> bool {
    [OURS, "ropewalk-c"].contains(&peer)
}

/// A digest of an answer, since answers can be long. It detects errors, not attacks: a wrong answer has
/// another digest even if the hash function itself is wrong.
pub fn digest(answer: &[u8]) -> String {
    ropewalk::sha256::digest(answer).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The portable backend, or the only one.
fn plain(library: &dyn Opened, cell: &Cell) -> Option<String> {
    let mut backends = library.backends(cell.task, cell.count).into_iter();
    backends.find(|name| name.is_empty() || name.ends_with("/portable"))
}
