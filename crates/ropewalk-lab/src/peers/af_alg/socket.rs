//! Sockets of the family AF_ALG.

use std::{
    io::{IoSlice, IoSliceMut},
    os::fd::{AsRawFd, OwnedFd},
};

use nix::{
    errno::Errno,
    libc::{ALG_OP_DECRYPT, ALG_OP_ENCRYPT, MSG_MORE},
    sys::socket::{
        AddressFamily, AlgAddr, ControlMessage, MsgFlags, SockFlag, SockType, bind, sendmsg,
        setsockopt, socket,
        sockopt::{AlgSetAeadAuthSize, AlgSetKey},
    },
};
use rustix::{io, net};

use crate::{peers::Unavailable, tasks::Direction};

/// Bytes that certainly fit into a socket at once.
pub(super) const PIECE: usize = 1 << 16;

/// An algorithm: the socket that has its key.
pub(super) struct Transform {
    socket: OwnedFd,
    /// Its name in errors.
    name: String,
}

impl Transform {
    /// Whether the kernel has such sockets.
    ///
    /// # Errors
    /// If it has none.
    pub(super) fn any() -> Result<(), Unavailable> {
        open().map(drop)
    }

    /// A socket of a type, by the algorithm's name or that of a driver.
    ///
    /// # Errors
    /// If the kernel lacks it.
    pub(super) fn new(kind: &str, name: &str) -> Result<Self, Unavailable> {
        let socket = open()?;
        match bind(socket.as_raw_fd(), &AlgAddr::new(kind, name)) {
            Ok(()) => Ok(Self { socket, name: name.into() }),
            Err(Errno::ENOENT) => Err(Unavailable(format!(
                "this kernel lacks the algorithm {name}, or algif_{kind}, which offers it to programs"
            ))),
            Err(error) => Err(Unavailable(format!("bind to {kind} {name}: {}", error.desc()))),
        }
    }

    /// The same with its key.
    ///
    /// # Errors
    /// If the kernel lacks it or refuses the key.
    pub(super) fn with_key(kind: &str, name: &str, key: &[u8]) -> Result<Self, Unavailable> {
        let transform = Self::new(kind, name)?;
        transform.set_key(key)?;
        Ok(transform)
    }

    /// Sets the key, before it has an operation.
    pub(super) fn set_key(&self, key: &[u8]) -> Result<(), Unavailable> {
        setsockopt(&self.socket, AlgSetKey::default(), &key)
            .map_err(|error| self.refused("ALG_SET_KEY", error))
    }

    /// Sets the length of tags.
    pub(super) fn set_tag_len(&self, len: usize) -> Result<(), Unavailable> {
        setsockopt(&self.socket, AlgSetAeadAuthSize, &len)
            .map_err(|error| self.refused("ALG_SET_AEAD_AUTHSIZE", error))
    }

    /// The socket for messages.
    pub(super) fn operation(&self) -> Result<Operation, Unavailable> {
        let socket = net::accept(&self.socket);
        socket
            .map(Operation)
            .map_err(|error| Unavailable(format!("accept of {}: {error}", self.name)))
    }

    fn refused(&self, option: &str, error: Errno) -> Unavailable {
        Unavailable(format!("{option} of {}: {}", self.name, error.desc()))
    }
}

/// A socket for messages.
pub(super) struct Operation(OwnedFd);

/// The start of a message.
pub(super) struct Start<'a> {
    pub(super) direction: Direction,
    /// Empty if there is none.
    pub(super) iv: &'a [u8],
    /// Bytes of header data before the text.
    pub(super) aad_len: Option<u32>,
}

impl Operation {
    /// Sends a message, or a chunk of one if there are `more`, and returns whether all of it was sent.
    pub(super) fn send(&self, start: Option<&Start<'_>>, parts: &[&[u8]], more: bool) -> bool {
        let flags = MsgFlags::from_bits_retain(if more { MSG_MORE } else { 0 });
        let mut slices = [IoSlice::new(&[]); 3];
        for (slice, part) in slices.iter_mut().zip(parts) {
            *slice = IoSlice::new(part);
        }
        let slices = &slices[..parts.len()];
        let (direction, aad_len, iv);
        let mut controls = arrayvec::ArrayVec::<_, 3>::new();
        if let Some(start) = start {
            direction = match start.direction {
                Direction::Encrypt => ALG_OP_ENCRYPT,
                Direction::Decrypt => ALG_OP_DECRYPT,
            };
            controls.push(ControlMessage::AlgSetOp(&direction));
            iv = start.iv;
            if !iv.is_empty() {
                controls.push(ControlMessage::AlgSetIv(iv));
            }
            if let Some(len) = start.aad_len {
                aad_len = len;
                controls.push(ControlMessage::AlgSetAeadAssoclen(&aad_len));
            }
        }
        let sent = sendmsg::<()>(self.0.as_raw_fd(), slices, &controls, flags, None);
        sent == Ok(parts.iter().map(|part| part.len()).sum())
    }

    /// Sends a chunk without a start.
    pub(super) fn push(&self, piece: &[u8], more: bool) -> bool {
        let flags = if more { net::SendFlags::MORE } else { net::SendFlags::empty() };
        net::send(&self.0, piece, flags) == Ok(piece.len())
    }

    /// Reads until the buffer is full, and returns whether it is.
    pub(super) fn read(&self, mut out: &mut [u8]) -> bool {
        while !out.is_empty() {
            match io::read(&self.0, &mut *out) {
                Ok(n @ 1..) => out = &mut out[n..],
                _ => return false,
            }
        }
        true
    }

    /// Reads several parts at once, such as a message with a tag, and returns whether it did.
    pub(super) fn read_parts(&self, parts: &mut [IoSliceMut<'_>]) -> bool {
        let room = parts.iter().map(|part| part.len()).sum();
        io::readv(&self.0, parts) == Ok(room)
    }
}

fn open() -> Result<OwnedFd, Unavailable> {
    let flags = SockFlag::SOCK_CLOEXEC;
    socket(AddressFamily::Alg, SockType::SeqPacket, flags, None).map_err(|error| {
        Unavailable(match error {
            Errno::EAFNOSUPPORT => {
                "this kernel has no AF_ALG: it is built without CONFIG_CRYPTO_USER_API".into()
            }
            error => format!("socket of AF_ALG: {}", error.desc()),
        })
    })
}
