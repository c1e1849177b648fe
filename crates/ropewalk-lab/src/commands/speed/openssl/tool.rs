//! The work that `openssl speed` times for an algorithm, in each of its versions, according to its
//! `apps/speed.c`.

use std::process::{Command, Stdio};

use crate::{
    measure::environment,
    tasks::{AeadOp, Function, Kind, Mac, Mode, Task},
};

/// A version of the tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tool {
    /// Its own name: `OpenSSL 3.0.19`.
    pub(super) name: String,
    number: (u32, u32, u32),
}

/// The same work, in the lab's terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Work {
    pub(super) mode: Mode,
    /// The remaining difference, if no mode does exactly the same work.
    pub(super) but: &'static str,
}

impl Tool {
    /// The version that a shell would find; the newest if there is none.
    pub(super) fn found() -> Self {
        let mut openssl = Command::new("openssl");
        openssl.arg("version").stdin(Stdio::null());
        environment::clean(&mut openssl);
        let output = openssl.output().ok().filter(|output| output.status.success());
        let said = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
        said.and_then(|said| Self::of(&said)).unwrap_or_else(Self::newest)
    }

    /// Parses the output of `openssl version`. LibreSSL's tool does the same as that of OpenSSL 1.
    pub(super) fn of(said: &str) -> Option<Self> {
        let mut words = said.split_whitespace();
        let (name, version) = (words.next()?, words.next()?);
        let mut parts = version.split('.').map(|part| {
            let digits = part.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
            digits.parse::<u32>().ok()
        });
        let number = (parts.next()??, parts.next()??, parts.next().flatten().unwrap_or(0));
        let number = if name == "OpenSSL" { number } else { (1, 0, 0) };
        Some(Self { name: format!("{name} {version}"), number })
    }

    fn newest() -> Self {
        Self { name: "OpenSSL 4".into(), number: (4, 0, 0) }
    }

    /// Whether it sends AES-GCM and AES-CCM as whole messages, each with its key: since 3.4.1, and the
    /// releases of the same day.
    fn sends_messages(&self) -> bool {
        match self.number {
            (3, 0, patch) => patch >= 16,
            (3, 1, patch) => patch >= 8,
            (3, 2, patch) => patch >= 4,
            (3, 3, patch) => patch >= 3,
            (3, 4, patch) => patch >= 1,
            (major, ..) => major >= 3,
        }
    }

    /// Whether SHAKE has one context for all messages: since 3.4.
    fn keeps_context_of_shake(&self) -> bool {
        self.number >= (3, 4, 0)
    }

    /// The work for `-evp`, `-hmac` or `-cmac`, with `-aead` or without.
    pub(super) fn work(&self, task: &Task, aead: bool) -> Work {
        let same = |mode| Work { mode, but: "" };
        let but = |mode, but| Work { mode, but };
        match task.kind {
            Kind::Gcm { op: AeadOp::Open, .. } if self.sends_messages() => {
                but(Mode::Setup, "the tool sets the nonce twice, which is felt in short messages")
            }
            Kind::Gcm { .. } if self.sends_messages() => match aead {
                true => same(Mode::Setup),
                false => but(
                    Mode::Setup,
                    "the tool has no header data, of which there are 13 bytes here",
                ),
            },
            Kind::Ccm { op: AeadOp::Open, .. } if self.sends_messages() => {
                but(Mode::Setup, "the tool sets the nonce twice, which is felt in short messages")
            }
            Kind::Ccm { .. } if self.sends_messages() => match aead {
                true => same(Mode::Setup),
                false => but(
                    Mode::Setup,
                    "the tool has no header data, of which there are 13 bytes here",
                ),
            },
            Kind::Ccm { .. } => but(
                Mode::Message,
                "the tool has no header data, of which there are 13 bytes here, and sets no nonce",
            ),
            // The newer tool has no messages of ChaCha20-Poly1305 at all.
            Kind::Gcm { op, .. } | Kind::ChaChaPoly { op } => {
                match (aead && !self.sends_messages(), op) {
                    (true, _) => same(Mode::Message),
                    (false, AeadOp::Open) => but(
                        Mode::Message,
                        "the tool goes on in the middle of one message, which no library does here when it opens",
                    ),
                    (false, _) => same(Mode::Stream),
                }
            }
            Kind::Records { .. } => but(
                Mode::Message,
                "the tool goes on in the middle of one record, without its end and padding",
            ),
            Kind::Hash(Function::Shake128 | Function::Shake256)
                if self.keeps_context_of_shake() =>
            {
                same(Mode::Message)
            }
            Kind::Hash(_) => same(Mode::Setup),
            Kind::Mac(Mac::Hmac(_) | Mac::Cmac { .. }) => same(Mode::Message),
            kind if kind.streams() => same(Mode::Stream),
            // ECB and key wrap have no initialization.
            _ => same(Mode::Message),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tasks::TASKS;

    fn tool(version: &str) -> Tool {
        Tool::of(&format!("OpenSSL {version} 1 Jan 2026 (Library: OpenSSL {version} 1 Jan 2026)"))
            .unwrap()
    }

    fn mode(version: &str, task: &str, aead: bool) -> Mode {
        let task = TASKS.iter().find(|one| one.full_name() == task).unwrap();
        tool(version).work(task, aead).mode
    }

    #[test]
    fn versions_are_read() {
        assert_eq!(tool("3.0.19").name, "OpenSSL 3.0.19");
        assert_eq!(tool("1.1.1w").number, (1, 1, 1));
        assert_eq!(tool("3.5.0-dev").number, (3, 5, 0));
        assert_eq!(Tool::of("LibreSSL 3.8.2\n").unwrap().number, (1, 0, 0));
        for said in ["", "openssl", "BoringSSL", "OpenSSL x.y.z"] {
            assert_eq!(Tool::of(said), None, "{said}");
        }
    }

    #[test]
    fn messages_are_whole_since_then() {
        for version in ["1.1.1w", "3.0.0", "3.0.15", "3.1.7", "3.2.3", "3.3.2", "3.4.0"] {
            for aes in ["aes-128-gcm/seal", "aes-256-gcm/seal"] {
                assert_eq!(mode(version, aes, false), Mode::Stream, "{version}");
                assert_eq!(mode(version, aes, true), Mode::Message, "{version}");
            }
            assert_eq!(mode(version, "aes-128-ccm/seal", false), Mode::Message, "{version}");
            assert_eq!(mode(version, "chacha20-poly1305/seal", true), Mode::Message, "{version}");
            assert_eq!(mode(version, "aes-128-gcm/open", false), Mode::Message, "{version}");
        }
        for version in
            ["3.0.16", "3.0.19", "3.1.8", "3.2.4", "3.3.3", "3.4.1", "3.5.0", "3.6.1", "4.0.0"]
        {
            for aead in [false, true] {
                for aes in
                    ["aes-128-gcm/seal", "aes-256-gcm/open", "aes-128-ccm/seal", "aes-128-ccm/open"]
                {
                    assert_eq!(mode(version, aes, aead), Mode::Setup, "{version}");
                }
                assert_eq!(
                    mode(version, "chacha20-poly1305/seal", aead),
                    Mode::Stream,
                    "{version}"
                );
            }
        }
    }

    #[test]
    fn what_is_the_same_in_all() {
        for version in ["1.1.1", "3.0.0", "3.0.19", "3.3.2", "3.6.0", "4.0.3"] {
            for (task, want) in [
                ("aes-128-ctr/encrypt", Mode::Stream),
                ("aes-128-cbc/encrypt", Mode::Stream),
                ("aes-256-cbc/decrypt", Mode::Stream),
                ("aes-128-xts/encrypt", Mode::Stream),
                ("3des-cbc/encrypt", Mode::Stream),
                ("chacha20/encrypt", Mode::Stream),
                ("chacha20-poly1305/seal", Mode::Stream),
                ("aes-128-ecb/encrypt", Mode::Message),
                ("aes-128-kw/wrap", Mode::Message),
                ("sha256/digest", Mode::Setup),
                ("hmac-sha256/mac", Mode::Message),
                ("aes-128-cmac/mac", Mode::Message),
            ] {
                assert_eq!(mode(version, task, false), want, "{version} {task}");
            }
        }
        assert_eq!(mode("3.3.2", "shake128/digest", false), Mode::Setup);
        assert_eq!(mode("3.4.0", "shake128/digest", false), Mode::Message);
    }
}
