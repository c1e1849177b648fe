//! The arguments of a call: objects, rows of messages, bytes anywhere, and numbers that make sense or do not.

use std::collections::BTreeMap;

use ropewalk::{
    aead, cipher, hash, mac,
    p256::{COMPRESSED_LEN, PrivateKey, UNCOMPRESSED_LEN},
};

use super::{
    calls::{BUFFERS, ERROR, ROWS, RowsOf, SMALL, World},
    files,
    header::{Function, Header, Kind, Parameter},
    judged::{is_answer, makes},
    memory::{ROOM, Span},
};
use crate::Case;

/// Lengths that no memory has.
const ABSURD: &[usize] = &[1 << 63, usize::MAX, (1 << 63) + 5, usize::MAX - 15];

/// Numbers of messages.
const COUNTS: &[usize] = &[0, 1, 2, 3, 4, 7, 8, 9, 16, 17, 31, 33];

/// Numbers that parameters of these names often are.
const USUAL: &[(&str, &[usize])] = &[
    ("nonce_len", &[12, 12, 12, 16, 12, 7, 13, 0, 1, 60]),
    ("secret_len", &[16, 24, 32, 20, 48, 64, 0, 15]),
    ("iv_len", &[16, 16, 16, 12, 0, 17]),
    ("tag_len", &[16, 20, 32, 28, 48, 64, 12, 15, 4, 0]),
    ("digest_len", &[32, 20, 64, 28, 48, 16, 0]),
    ("salt_len", &[32, 20, 0, 222, 190, 512]),
    ("modulus_len", &[256, 128, 512, 127, 0]),
    ("exponent", &[3, 65537, 2, 1, usize::MAX]),
    ("header_len", &[11, 11, 11, 10, 0, 13]),
    ("entropy_len", &[48, 48, 48, 0, 47, 49]),
    ("personalization_len", &[0, 1, 48, 49]),
    ("additional_len", &[0, 1, 48, 49]),
    ("aes_secret_len", &[16, 32, 24, 0]),
    ("mac_secret_len", &[20, 32, 0, 64, 65]),
    ("key_len", &[32, 32, 0, 31]),
    ("label_len", &[3, 9, 0, 249, 250]),
    ("context_len", &[0, 32, 48, 255, 256]),
    ("transcript_len", &[32, 20, 48, 64, 0]),
    ("public_key_len", &[65, 33, 65, 33, 64, 0]),
    ("signature_len", &[256, 256, 256, 72, 70, 8, 0]),
    ("der_len", &[72, 71, 70, 8, 0]),
    ("sector_size", &[16, 512, 4096, 17, 520, 0, 15, 1 << 24, (1 << 24) + 1]),
    ("counter_bits", &[32, 64, 128, 0, 1]),
    ("iterations", &[1, 2, 3, 5, 0]),
    ("limit", &[1, 2, 5, 0, 1 << 32, usize::MAX]),
    ("first", &[0, 1, 255, usize::MAX, usize::MAX - 1]),
    ("counter", &[0, 1, 77, 0xffff_ffff, 0xffff_fffe]),
    ("index", &[0, 1, 5, 70, usize::MAX]),
    ("status", &[0, 1, 16, 17, 0xffff_ffff]),
];

pub(super) const NAMES: &[&str] = &[
    "aes-128-gcm",
    "sha256",
    "hmac-sha256",
    "aes-256-ctr",
    "chacha20-poly1305",
    "",
    "sha3",
    "AES_128_GCM",
    "aes",
    "-vaes",
    "sha512/256",
    "a name that is longer than any that there is, by far",
];

impl World {
    /// Those of a function, in its order.
    pub(super) fn arguments(&mut self, case: &mut Case<'_>, function: &Function) -> Vec<usize> {
        // Lengths come first, since pointers depend on them.
        let mut numbers = BTreeMap::new();
        for parameter in &function.parameters {
            if let Kind::Size | Kind::U32 | Kind::U64 = parameter.kind {
                let number = number(case, &parameter.name, &numbers);
                numbers.insert(parameter.name.clone(), number);
            }
        }
        let mut arguments = BTreeMap::new();
        for (i, parameter) in function.parameters.iter().enumerate() {
            let is_made = i == 0 && makes(function);
            let argument = match &parameter.kind {
                Kind::Object(kind) => self.object_argument(case, kind, parameter.written, is_made),
                Kind::Rows(row) => self.row_argument(case, function, row, &numbers),
                _ => self.argument(case, parameter, &numbers, arguments.get("in").copied()),
            };
            arguments.insert(parameter.name.clone(), argument);
        }
        function.parameters.iter().map(|parameter| arguments[&parameter.name]).collect()
    }

    fn argument(
        &mut self,
        case: &mut Case<'_>,
        parameter: &Parameter,
        numbers: &BTreeMap<String, usize>,
        input: Option<usize>,
    ) -> usize {
        match &parameter.kind {
            Kind::Size | Kind::U32 | Kind::U64 => numbers[&parameter.name],
            Kind::Algorithm(kind) => algorithm(case, kind, numbers),
            Kind::Words => match case.rarely(20) {
                true => 0,
                false => self.names[case.below(NAMES.len())].as_ptr().expose_provenance(),
            },
            // What is told of an error is what a call has written, or nothing.
            Kind::Error => match case.rarely(4) {
                true => 0,
                false => {
                    let at = self.arenas[SMALL].end() - ERROR;
                    if !parameter.written {
                        self.spans.push(Span { at, len: ERROR, written: false });
                    }
                    at
                }
            },
            Kind::Room(len) => match case.rarely(20) {
                true => 0,
                false => {
                    let at = self.arenas[SMALL].start();
                    self.spans.push(Span { at, len: *len, written: true });
                    at
                }
            },
            Kind::Bytes => {
                let len = length_of(&parameter.name, numbers);
                let input = input.filter(|_| parameter.name == "out");
                let at = self.bytes(case, len, parameter.written, input);
                self.put_point(case, parameter, at, len);
                self.put_file(case, parameter, at, len);
                at
            }
            Kind::Object(_) | Kind::Rows(_) => unreachable!("they have functions of their own"),
        }
    }

    fn object_argument(
        &mut self,
        case: &mut Case<'_>,
        kind: &str,
        written: bool,
        is_made: bool,
    ) -> usize {
        if case.rarely(40) {
            return 0;
        }
        let at = if is_made { self.slot(case, kind) } else { self.made(case, kind) };
        let len = self.len_of(kind);
        self.spans.push(Span { at, len, written });
        at
    }

    /// Messages, each member of which has the size of a word.
    fn row_argument(
        &mut self,
        case: &mut Case<'_>,
        function: &Function,
        name: &str,
        of_call: &BTreeMap<String, usize>,
    ) -> usize {
        let (row, count) = (Header::get().row(name), of_call["count"]);
        // Tags that are compared are only read.
        let compares = ["open", "verify"].iter().any(|does| function.name.contains(does));
        let is_written = |member: &Parameter| member.written && !(compares && member.name == "tag");
        // There are not so many: the call must find that out before it looks at one.
        if count > *COUNTS.iter().max().expect("some") {
            return if case.below(2) == 0 { 0 } else { self.arenas[ROWS].start() };
        }
        let (places, len) = row.layout();
        let at = self.arenas[ROWS].end() - count * len;
        let mut rows = Vec::new();
        for i in 0..count {
            let mut values = BTreeMap::new();
            for member in &row.members {
                if let Kind::Size | Kind::U32 = member.kind {
                    values.insert(member.name.clone(), number(case, &member.name, &values));
                }
            }
            for member in &row.members {
                if let Kind::Algorithm(kind) = &member.kind {
                    values.insert(member.name.clone(), algorithm(case, kind, &values));
                }
            }
            for (member, (from, member_len)) in row.members.iter().zip(&places) {
                let value = match &member.kind {
                    Kind::Object(kind) => {
                        self.object_argument(case, kind, member.written, name == "hkdf_extraction")
                    }
                    Kind::Bytes => {
                        // All digests that are written have one length.
                        let is_of_call =
                            member.name == "digest" && of_call.contains_key("digest_len");
                        let len =
                            length_of(&member.name, if is_of_call { of_call } else { &values });
                        let input = values.get("in").copied().filter(|_| member.name == "out");
                        let at = self.bytes(case, len, is_written(member), input);
                        self.put_point(case, member, at, len);
                        at
                    }
                    _ => values[&member.name],
                };
                values.insert(member.name.clone(), value);
                let place = ROOM - (count - i) * len + from;
                self.arenas[ROWS].bytes()[place..place + member_len]
                    .copy_from_slice(&(value as u64).to_le_bytes()[..*member_len]);
                if is_answer(name, &member.name) {
                    self.spans.push(Span { at: at + i * len + from, len: 8, written: true });
                }
            }
            rows.push(values);
        }
        self.spans.push(Span { at, len: count * len, written: false });
        self.rows.push(RowsOf { members: rows });
        if case.rarely(40) { 0 } else { at }
    }

    /// So many bytes: at an end of memory, where something else of the call is, where the input is, or nowhere.
    fn bytes(
        &mut self,
        case: &mut Case<'_>,
        len: usize,
        written: bool,
        input: Option<usize>,
    ) -> usize {
        let at = match input {
            Some(input) if case.below(3) == 0 && self.is_there(input, len) => input,
            _ => self.place(case, len),
        };
        if at != 0 {
            self.spans.push(Span { at, len: len.min(ROOM), written });
        }
        at
    }

    /// Makes bytes that are read as a file those of a key, mostly.
    fn put_file(&mut self, case: &mut Case<'_>, parameter: &Parameter, at: usize, len: usize) {
        if parameter.name != "file" || parameter.written || case.rarely(8) {
            return;
        }
        let fitting: Vec<&[u8]> =
            files::all().iter().map(|file| &file[..]).filter(|file| file.len() == len).collect();
        if !fitting.is_empty() {
            self.put_bytes(at, case.pick(&fitting));
        }
    }

    /// Makes bytes that are read as a public key of P-256 those of a point, mostly: no random ones are.
    fn put_point(&mut self, case: &mut Case<'_>, parameter: &Parameter, at: usize, len: usize) {
        if parameter.name != "public_key" || parameter.written || case.rarely(8) {
            return;
        }
        let key = PrivateKey::from_bytes(&[1 + case.below(200) as u8; 32]).expect("it is below n");
        let (long, short) = (key.public().to_bytes(), key.public().to_compressed());
        let point = match len {
            UNCOMPRESSED_LEN => &long[..],
            COMPRESSED_LEN => &short,
            _ => return,
        };
        self.put_bytes(at, point);
    }

    /// Writes to a buffer. An object elsewhere would keep its mark, and have another value.
    fn put_bytes(&mut self, at: usize, bytes: &[u8]) {
        for arena in &mut self.arenas[..BUFFERS] {
            let from = at.wrapping_sub(arena.start());
            let to = arena.bytes().get_mut(from..).and_then(|to| to.get_mut(..bytes.len()));
            if let Some(to) = to {
                to.copy_from_slice(bytes);
            }
        }
    }

    fn place(&mut self, case: &mut Case<'_>, len: usize) -> usize {
        if len > ROOM {
            return if case.below(2) == 0 { 0 } else { self.arenas[0].start() };
        }
        if case.rarely(40) {
            return 0;
        }
        if case.rarely(12) && !self.spans.is_empty() {
            let span = self.spans[case.below(self.spans.len())];
            let by =
                [0, 0, 1, 8, 16, span.len, span.len / 2, usize::MAX, 0_usize.wrapping_sub(len)];
            let at = span.at.wrapping_add(case.pick(&by));
            if self.is_there(at, len) {
                return at;
            }
        }
        let first = case.below(BUFFERS);
        let order = (0..BUFFERS).map(|i| (first + i) % BUFFERS);
        for i in order {
            let gap = if self.free[i] == ROOM && case.below(3) > 0 { 0 } else { case.below(40) };
            if self.free[i] >= len + gap {
                let start = self.arenas[i].start();
                if self.free[i] == ROOM && case.rarely(5) {
                    self.free[i] = 0;
                    return start;
                }
                self.free[i] -= len + gap;
                return start + self.free[i];
            }
        }
        self.arenas[first].start()
    }

    fn is_there(&mut self, at: usize, len: usize) -> bool {
        self.arenas.iter_mut().any(|arena| arena.before(at, len).is_some())
    }
}

/// What a number is: often one that makes sense with those that are there.
fn number(case: &mut Case<'_>, name: &str, others: &BTreeMap<String, usize>) -> usize {
    if name == "count" {
        return if case.rarely(50) { case.pick(ABSURD) } else { case.pick(COUNTS) };
    }
    if name.ends_with("len") && case.rarely(60) {
        return case.pick(ABSURD);
    }
    if name == "file_len" && !case.rarely(4) {
        let files = files::all();
        return files[case.below(files.len())].len();
    }
    if let (Some(input), true) =
        (others.get("in_len").filter(|_| name == "out_len"), !case.rarely(8))
    {
        return fitting(case, *input);
    }
    if let Some((_, usual)) = USUAL.iter().find(|(of, _)| *of == name)
        // Of iterations, there are to be few.
        && (name == "iterations" || !case.rarely(10))
    {
        return case.pick(usual);
    }
    let longest = if case.rarely(4) { ROOM } else { ROOM / 8 };
    case.len(longest)
}

/// The number of an algorithm: mostly one that there is, and that takes such a secret or has such a digest.
fn algorithm(case: &mut Case<'_>, kind: &str, others: &BTreeMap<String, usize>) -> usize {
    if case.rarely(20) {
        return case.pick(&[0, 15, 99, 0xffff_ffff]);
    }
    let of_digest = others.get("digest_len").filter(|_| kind == "hash" && !case.rarely(4));
    let count = match (kind, others.get("secret_len").or(of_digest)) {
        ("hash", Some(20)) => return 2,
        ("hash", Some(28)) => return 3,
        ("hash", Some(32)) => return case.pick(&[4, 7]),
        ("hash", Some(48)) => return 5,
        ("hash", Some(64)) => return 6,
        ("key_form" | "rsa_padding", _) => 2,
        ("aead", Some(16)) => return case.pick(&[1, 4]),
        ("aead", Some(24)) => return case.pick(&[2, 5]),
        ("aead", Some(32)) => return case.pick(&[3, 6, 7]),
        ("aead", _) => aead::Algorithm::ALL.len(),
        ("cipher", _) => cipher::Algorithm::ALL.len(),
        ("hash", _) => hash::Algorithm::ALL.len(),
        _ => mac::Algorithm::ALL.len(),
    };
    1 + case.below(count)
}

/// As many bytes as some function makes of so many.
fn fitting(case: &mut Case<'_>, input: usize) -> usize {
    let more = |by: usize| input.saturating_add(by);
    let record = |mac: usize| (more(mac) / 16 * 16).saturating_add(16);
    let of = [
        input,
        more(16),
        input.saturating_sub(16),
        more(28),
        input.saturating_sub(28),
        more(8),
        input.saturating_sub(8),
        more(16) / 16 * 16,
        (more(7) / 8 * 8).saturating_add(8),
        record(20),
        record(32),
    ];
    let of = case.pick(&of);
    if of > ROOM { ABSURD[0] } else { of }
}

/// How many bytes a pointer has.
pub(super) fn length_of(name: &str, numbers: &BTreeMap<String, usize>) -> usize {
    let named = numbers.get(&format!("{name}_len"));
    match (named, name) {
        (Some(len), _) => *len,
        (None, "fixed") => 4,
        (None, "iv") => 16,
        (None, "header") => 11,
        (None, "secret" | "public_key") => 32,
        (None, "signature" | "digest") => 64,
        (None, "der") => 72,
        (None, "file") => 4096,
        (None, _) => *numbers.get("len").or(numbers.get("text_len")).expect("a length"),
    }
}
