//! What one function has written, another one takes: it opens, verifies or unwraps, and gives back what there was.

use std::collections::BTreeMap;

use ropewalk::p256::UNCOMPRESSED_LEN;

use super::{
    super::Calls,
    arguments::length_of,
    calls::{SMALL, World},
    header::{Function, Header, Kind},
    judged::{OK, OVERLAP},
    library,
    memory::{Arena, Span},
};
use crate::Case;

/// Functions, and those that take what they have written.
const INVERSES: &[(&str, &str)] = &[
    ("aead_seal", "aead_open"),
    ("aead_seal_appended", "aead_open_appended"),
    ("aead_seal_once", "aead_open_once"),
    ("aead_stream_finish", "aead_stream_finish_verify"),
    ("cbc_encrypt_padded", "cbc_decrypt_padded"),
    ("cipher_encrypt", "cipher_decrypt"),
    ("ed25519_sign", "ed25519_verify"),
    ("ed25519_sign_context", "ed25519_verify_context"),
    ("ed25519_sign_prehashed", "ed25519_verify_prehashed"),
    ("gmac", "gmac_verify"),
    ("mac_finish", "mac_finish_verify"),
    ("mac_once", "mac_verify"),
    ("p256_sign", "p256_verify"),
    ("p256_sign_deterministic", "p256_verify_der"),
    ("p256_signature_to_der", "p256_signature_from_der"),
    ("record_seal", "record_open"),
    ("rsa_key_write", "rsa_key_read"),
    ("rsa_public_key_write", "rsa_public_key_read"),
    ("rsa_sign_pkcs1v15", "rsa_verify_pkcs1v15"),
    ("rsa_sign_pss", "rsa_verify_pss"),
    ("sealer_seal_message", "sealer_open_message"),
    ("wrap", "unwrap"),
    ("wrap_padded", "unwrap_padded"),
];

/// Functions that wipe a state, and those that copy it beforehand.
const CLONES: &[(&str, &str)] =
    &[("aead_stream_finish", "aead_stream_clone"), ("mac_finish", "mac_clone")];

/// The one that does not work in place, which is the only memory that certainly has nothing else of the call.
const NOT_IN_PLACE: &str = "sealer_open_message";

/// The function that belongs to another one.
fn partner(pairs: &[(&str, &str)], of: &Function) -> Option<&'static Function> {
    let (_, partner) = pairs.iter().find(|(name, _)| *name == of.name)?;
    Some(Header::get().function(partner))
}

/// A call that takes back what another one writes.
pub(super) struct Inverse {
    function: &'static Function,
    arguments: BTreeMap<String, usize>,
    /// What the other one reads, where that comes back.
    input: Option<Vec<u8>>,
}

impl World {
    /// The inverse of a call that has not been made yet, if there is one, every other time.
    pub(super) fn inverse(
        &mut self,
        case: &mut Case<'_>,
        function: &Function,
        arguments: &[usize],
    ) -> Option<Inverse> {
        let inverse = partner(INVERSES, function)?;
        if !case.rarely(2) {
            return None;
        }
        let names = function.parameters.iter().map(|parameter| parameter.name.clone());
        let mut named: BTreeMap<_, _> = names.zip(arguments.iter().copied()).collect();
        let mut input = None;
        if let (Some(&from), Some(&to)) = (named.get("in"), named.get("out")) {
            let [from_len, to_len] = ["in", "out"].map(|name| length_of(name, &named));
            // An object may be marked as used meanwhile.
            let is_object = self.slots_hold(from, from_len);
            input = self.now(from, from_len).filter(|_| !is_object);
            let opened_len = match inverse {
                _ if inverse.parameters.iter().any(|of| of.name == "len") => to_len,
                _ if inverse.name.starts_with("unwrap") => to_len.wrapping_sub(8),
                _ => from_len,
            };
            let told = self.arenas[SMALL].start();
            let new = [
                ("in", to),
                ("in_len", to_len),
                ("out", if inverse.name == NOT_IN_PLACE { from } else { to }),
                ("len", to_len),
                ("out_len", opened_len),
                ("text_len", told),
                ("key_len", told),
            ];
            named.extend(new.map(|(name, value)| (name.to_owned(), value)));
        }
        if let Some(clone) = partner(CLONES, function) {
            let state = &inverse.parameters[0];
            let Kind::Object(kind) = &state.kind else { unreachable!("a state comes first") };
            let copy = self.slot(case, kind);
            // Where that is the state itself, or there is none, nothing is made.
            library::call(clone, &[copy, arguments[0], 0]);
            named.insert(state.name.clone(), copy);
        }
        for algorithm in ["ed25519", "p256", "rsa"] {
            if inverse.name.starts_with(&format!("{algorithm}_verify")) {
                let key = self.public_key_of(case, algorithm, arguments[0]);
                named.insert("key".into(), key);
            }
        }
        Some(Inverse { function: inverse, arguments: named, input })
    }

    /// The public key of a private one, if that was made.
    fn public_key_of(&mut self, case: &mut Case<'_>, algorithm: &str, key: usize) -> usize {
        let public = self.slot(case, &format!("{algorithm}_public_key"));
        if algorithm == "rsa" {
            library::call(Header::get().function("rsa_public"), &[public, key, 0]);
            return public;
        }
        let bytes = self.arenas[SMALL].start();
        let plain = |name: &str, key: usize| {
            let arguments = match algorithm {
                "ed25519" => [key, bytes, 0, 0],
                _ => [key, bytes, UNCOMPRESSED_LEN, 0],
            };
            library::call(Header::get().function(&format!("{algorithm}_{name}")), &arguments);
        };
        plain("public", key);
        plain("public_key_init", public);
        public
    }

    /// The arguments that depend on what the other call has written.
    fn given(&mut self, inverse: &Inverse) -> BTreeMap<String, usize> {
        let mut named = inverse.arguments.clone();
        match inverse.function.name.as_str() {
            "p256_signature_from_der" => {
                let len = self.length_at(named["der_len"]);
                named.insert("der_len".into(), len);
            }
            "rsa_key_read" | "rsa_public_key_read" => {
                let len = self.length_at(named["file_len"]);
                named.insert("file_len".into(), len);
            }
            "p256_verify_der" => {
                let len = self.arenas[SMALL].start();
                let der = len + 8;
                let to_der = Header::get().function("p256_signature_to_der");
                library::call(to_der, &[named["signature"], der, len, 0]);
                named.insert("signature_len".into(), self.length_at(len));
                named.insert("signature".into(), der);
            }
            _ => {}
        }
        named
    }

    /// The length that a call has written.
    fn length_at(&mut self, at: usize) -> usize {
        let bytes = self.now(at, 8).expect("a length has been written");
        usize::from_le_bytes(bytes.try_into().expect("eight bytes"))
    }

    /// Makes the inverse of a call that has succeeded.
    pub(super) fn take_back(&mut self, inverse: &Inverse, calls: &mut Calls) {
        let Inverse { function, input, .. } = inverse;
        let named = &self.given(inverse);
        self.spans.clear();
        for parameter in &function.parameters {
            let at = named[&parameter.name];
            let len = match &parameter.kind {
                Kind::Bytes => length_of(&parameter.name, named),
                Kind::Room(len) => *len,
                Kind::Object(kind) => self.len_of(kind),
                _ => continue,
            };
            self.spans.push(Span { at, len, written: parameter.written });
        }
        let arguments: Vec<_> = function.parameters.iter().map(|of| named[&of.name]).collect();
        self.arenas.iter_mut().for_each(Arena::settle);
        calls.begin(|| self.told(function, &arguments));
        let returned = library::call(function, &arguments);
        calls.returned(returned);
        self.judge(function, &arguments, returned);
        if function.name == NOT_IN_PLACE && returned == OVERLAP {
            return;
        }
        if let Some(input) = input {
            assert_eq!(returned, OK, "{} does not take what was made", function.name);
            let output = self.now(named["out"], input.len());
            assert!(output.as_ref() == Some(input), "{} gives something else", function.name);
        }
    }
}
