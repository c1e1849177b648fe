//! A call of a row, in the words of a title.

use crate::tasks::{Keys, Kind, Mode, size};

/// Messages in a call, the part of a message that is timed, and the distance of messages.
pub fn calls(kind: Kind, count: usize, mode: Mode, keys: Keys, stride: Option<usize>) -> String {
    let apart = stride.map(|bytes| format!(", {} apart", size::format(bytes)));
    let what: String = match (mode, count) {
        (Mode::Message, 1) => "one message a call".into(),
        (Mode::Message, count) if keys == Keys::Each => {
            format!("{count} messages a call, each with its key")
        }
        (Mode::Message, count) => format!("{count} messages a call"),
        (Mode::Stream, _) if matches!(kind, Kind::Xts { .. }) => {
            "data units under one tweak, which is there".into()
        }
        (Mode::Stream, _) => "updates in the middle of a long message".into(),
        (Mode::Setup, _) if matches!(kind, Kind::Hash(_)) => {
            "one message a call, each with a new context".into()
        }
        (Mode::Setup, _) => "one message a call, each with a new key".into(),
    };
    what + &apart.unwrap_or_default()
}
