//! Keys of RSA.

use super::*;
use crate::rsa::HashFunction;

/// Made by OpenSSL 3.0: `openssl genrsa -traditional 2048`, and what `openssl pkey` and `openssl rsa` make of it.
const PKCS1_PEM: &str = "-----BEGIN RSA PRIVATE KEY-----
MIIEowIBAAKCAQEAlF+X54g+vkzCCFIL8fm1c1NkO6eRrvk/WksnCqjQV7AnuLjA
5RdCaE5xTApUZhLeUmg26xLkOpozBqGZSIh/yCPWwKR9XY1TMPgwfz6Xok3y/+0X
DgcXlwSpyBEF1DE1fsl8tiGizpeyid+/C8YjKfteqImghjL6G0Yl3INsJyNqhQv+
m/XGHz97qYV2vlAW8MzHceYTRMMakMEy67bgy/LCpMCuiKQneNeMLMC+AGxU8D2o
0huD+3YnNJ0Z8m+Lf/3tQok5p8yGCnZwZYNp82lE9TsYnrX2iliwUtFGzquirrrA
+8q2KYcJ8TkPmDM7oK68zkx0VfhYLg7gdmW8hwIDAQABAoIBAAHdkdNfayqJXIcu
QOgx844XplL5sGM6zwkbmMoRhU0U8erop8Q5nqQhGFuUZatC4Xi3xrj969Cwz6Nt
tLesv66MhM63QrxCYqFi/XkcGFv6DuwY1wleHXXQoTHaxO/+DmYhsme31Iw0bBI/
te839ok4l+AWmuYVDf/5ydAT9vAnBPCxjySbghyln4BJZI98Qkzi6PkJzO8zNVS8
fWrUxORgZ1bAaVI7cUyfyKU9PSFTG2yLtk9q7Bg9pv/T7uosg5BZZYzxyrCF/zNR
12SVGeEh/B1r421CB1JMDQG5AvHMs7gO1502JdYOblqb8GN9cAGmwKTnHiE9qXd8
PtBRc4ECgYEAyJQgCUFBj+Nd/BIIOZq2brylYHVWmtWckKSmAcel++opyoxyklqm
rLnzvq1MP2CPkfRCAOQRv6hGQLmVgAcsjrjZAD0oioDBeF2O2WYh4taL7bO8bdhh
WKQ37BTwI82bMGfh6NXz8SriAcHRRh6Z1tqUY7VwtDvxVIgyUGZCmfkCgYEAvV6/
RXU4Vn8R6x1s0f4QZzn90KI5HCmDk+GZR7iDT2ZadKEU7CKRgi5l5Mqs7G4Uc47k
ZlYLKT7CxvPnrmP7nNIHwMxqvViJ5X/X1Z+JxcwhTX+hMx4cg7NfHmi/YERH5Z0K
p6pDLo/1rmLjIKSG6Mj5Uv2Xs5Ame9XLsXD8qn8CgYAYDYNF+NhW2+oiVzs7RS1J
XD/ssEWBbcpHoibyIbHq4qq+SldW653/KpFrNTbmhrrQwtzDZJYoSJKcImUmJDYY
q1wCZlMdQNFykK2XrmKz5AyFpb8b4Q3TZmX6Xoxpjrdkd6CknjuRmRXfJhHlebfz
BuUyi8iHJIUNIQP/ljO4aQKBgQCRQAc943dfAQBhcqRxPYqfYt/IE2Xyr/T4jOXh
GSm+0Sc4pgVCShGJ5MTLBJo2jwioykVuKTlOXZFQwOxH2vC3jHHd8+07Zpn+qlyG
wmQOj1BL/UVLzCDa885VqMqBsF3lRNtTV0lIgatUIw1LkGbaTqzOdyzQ0hRyj745
UAy9SQKBgDPXjacVpTT0yA1vQLdoZU03rdLg89QnWpXiYjEzO4ot9ElVcTFWYgS8
5Jmzwh9WFXsa6BTRT8Bm7JJQHfRq03oSo20uwBnlvlerjavEJfdb9L1pQA89I+rQ
BcpS+QW3GJvyZezX/KKtQ4DHkpxvjS+p2BHlTEfmCnMg2/s3Ya9Y
-----END RSA PRIVATE KEY-----
";
const PKCS8_PEM: &str = "-----BEGIN PRIVATE KEY-----
MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQCUX5fniD6+TMII
Ugvx+bVzU2Q7p5Gu+T9aSycKqNBXsCe4uMDlF0JoTnFMClRmEt5SaDbrEuQ6mjMG
oZlIiH/II9bApH1djVMw+DB/PpeiTfL/7RcOBxeXBKnIEQXUMTV+yXy2IaLOl7KJ
378LxiMp+16oiaCGMvobRiXcg2wnI2qFC/6b9cYfP3uphXa+UBbwzMdx5hNEwxqQ
wTLrtuDL8sKkwK6IpCd414wswL4AbFTwPajSG4P7dic0nRnyb4t//e1CiTmnzIYK
dnBlg2nzaUT1OxietfaKWLBS0UbOq6KuusD7yrYphwnxOQ+YMzugrrzOTHRV+Fgu
DuB2ZbyHAgMBAAECggEAAd2R019rKolchy5A6DHzjhemUvmwYzrPCRuYyhGFTRTx
6uinxDmepCEYW5Rlq0LheLfGuP3r0LDPo220t6y/royEzrdCvEJioWL9eRwYW/oO
7BjXCV4dddChMdrE7/4OZiGyZ7fUjDRsEj+17zf2iTiX4Baa5hUN//nJ0BP28CcE
8LGPJJuCHKWfgElkj3xCTOLo+QnM7zM1VLx9atTE5GBnVsBpUjtxTJ/IpT09IVMb
bIu2T2rsGD2m/9Pu6iyDkFlljPHKsIX/M1HXZJUZ4SH8HWvjbUIHUkwNAbkC8cyz
uA7XnTYl1g5uWpvwY31wAabApOceIT2pd3w+0FFzgQKBgQDIlCAJQUGP4138Egg5
mrZuvKVgdVaa1ZyQpKYBx6X76inKjHKSWqasufO+rUw/YI+R9EIA5BG/qEZAuZWA
ByyOuNkAPSiKgMF4XY7ZZiHi1ovts7xt2GFYpDfsFPAjzZswZ+Ho1fPxKuIBwdFG
HpnW2pRjtXC0O/FUiDJQZkKZ+QKBgQC9Xr9FdThWfxHrHWzR/hBnOf3QojkcKYOT
4ZlHuINPZlp0oRTsIpGCLmXkyqzsbhRzjuRmVgspPsLG8+euY/uc0gfAzGq9WInl
f9fVn4nFzCFNf6EzHhyDs18eaL9gREflnQqnqkMuj/WuYuMgpIboyPlS/ZezkCZ7
1cuxcPyqfwKBgBgNg0X42Fbb6iJXOztFLUlcP+ywRYFtykeiJvIhseriqr5KV1br
nf8qkWs1NuaGutDC3MNklihIkpwiZSYkNhirXAJmUx1A0XKQrZeuYrPkDIWlvxvh
DdNmZfpejGmOt2R3oKSeO5GZFd8mEeV5t/MG5TKLyIckhQ0hA/+WM7hpAoGBAJFA
Bz3jd18BAGFypHE9ip9i38gTZfKv9PiM5eEZKb7RJzimBUJKEYnkxMsEmjaPCKjK
RW4pOU5dkVDA7Efa8LeMcd3z7Ttmmf6qXIbCZA6PUEv9RUvMINrzzlWoyoGwXeVE
21NXSUiBq1QjDUuQZtpOrM53LNDSFHKPvjlQDL1JAoGAM9eNpxWlNPTIDW9At2hl
TTet0uDz1CdaleJiMTM7ii30SVVxMVZiBLzkmbPCH1YVexroFNFPwGbsklAd9GrT
ehKjbS7AGeW+V6uNq8Ql91v0vWlADz0j6tAFylL5BbcYm/Jl7Nf8oq1DgMeSnG+N
L6nYEeVMR+YKcyDb+zdhr1g=
-----END PRIVATE KEY-----
";
const PUBLIC_PEM: &str = "-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAlF+X54g+vkzCCFIL8fm1
c1NkO6eRrvk/WksnCqjQV7AnuLjA5RdCaE5xTApUZhLeUmg26xLkOpozBqGZSIh/
yCPWwKR9XY1TMPgwfz6Xok3y/+0XDgcXlwSpyBEF1DE1fsl8tiGizpeyid+/C8Yj
KfteqImghjL6G0Yl3INsJyNqhQv+m/XGHz97qYV2vlAW8MzHceYTRMMakMEy67bg
y/LCpMCuiKQneNeMLMC+AGxU8D2o0huD+3YnNJ0Z8m+Lf/3tQok5p8yGCnZwZYNp
82lE9TsYnrX2iliwUtFGzquirrrA+8q2KYcJ8TkPmDM7oK68zkx0VfhYLg7gdmW8
hwIDAQAB
-----END PUBLIC KEY-----
";
const PKCS1_PUBLIC_PEM: &str = "-----BEGIN RSA PUBLIC KEY-----
MIIBCgKCAQEAlF+X54g+vkzCCFIL8fm1c1NkO6eRrvk/WksnCqjQV7AnuLjA5RdC
aE5xTApUZhLeUmg26xLkOpozBqGZSIh/yCPWwKR9XY1TMPgwfz6Xok3y/+0XDgcX
lwSpyBEF1DE1fsl8tiGizpeyid+/C8YjKfteqImghjL6G0Yl3INsJyNqhQv+m/XG
Hz97qYV2vlAW8MzHceYTRMMakMEy67bgy/LCpMCuiKQneNeMLMC+AGxU8D2o0huD
+3YnNJ0Z8m+Lf/3tQok5p8yGCnZwZYNp82lE9TsYnrX2iliwUtFGzquirrrA+8q2
KYcJ8TkPmDM7oK68zkx0VfhYLg7gdmW8hwIDAQAB
-----END RSA PUBLIC KEY-----
";
/// `openssl genrsa -primes 3 2048`.
const THREE_PRIMES_PEM: &str = "-----BEGIN PRIVATE KEY-----
MIIE8gIBADANBgkqhkiG9w0BAQEFAASCBNwwggTYAgEBAoIBAQCsHsQjBGIysa7b
w8vIO4emLhuK3a8spu7qL4JWHxWUdKXZh7e10fOWFnINskX7lREVVg62vArb397D
aP3uoQOsKbFqnfsZYsKE8RWnxVUtwU4WHrfvQMkmZe6RtnPqXzhl56M7l0RzVETY
00FXbeMf/kua2VRIfedXp3gfxSfHqcspxfDmGgG117uYjGKRSHBhaU7EpOusgmsu
t65pgrxzn4X0F0e1CKci5IxDeWrKrt4vcbTCD9SqS6CBlU35vRac6V1znfulZJ6Q
LC/VGmTsQH5QFKxRLaq2Zs3G7ikL3Dx43lwgbl3z3I9u5xRoSUJnisPCiJZ4a8WJ
Ohso/Ox7AgMBAAECggEACqOgNhXoR//pshXpO8hKO0BwXWYUlOsAq6MiKFali9am
Bcs41NlUeDuM80HIx6NQOgRmxm7bMPoml+eegqibRIITQGbhhZEwOu14DDXLbRec
zws5DV/vpWwu7BcIYbbTPrOckaYcTFE9CbhgwVevcWiQQ3SItWuYIjgfTdIOTyPp
OlQ8iWA5OuM+Xqd3QZ8BtcbQH2gLB8IlAxtKiLMc9CCkNT2iPdwNBTgicgspf3Ni
txZz060Y67HSowhgrPglXwE9yChHRCeAdgFPOTN4gnBOqLnVik7G+TjNSMxwvrXG
OPbZdVwWJENmASIB9TgsRZkoAoU40r916eFpu5JBAQJWB1mhlmeDHKWMucGR67cT
8iH4IDs4Whst3j1qsdNdm6HtY0AqppUNWOHirEcZ+oNBN/lB7fcDc5selFYjulWo
MwxtlwfiUltCbIaL1bJ2VcaEjZnDJg8CVgZU6H1lXA+CvO49Qz02x31y6+Zr9Zj3
BkvoDukUeGz7iAEO2hCdhX8MvMwKi/KSuN1NLGEr9aTRlTop5IP/pPNlHBgbE/AE
LjMtWk1jW/egWj2rKEghAlYEaNuutk9Mom15DA6VUfLfc02/WIgIVwH/sO0P3nTs
aAtZXie4ZPfq+SnanZWSW6iHAj1xnJ4vf0KrT7qDkdwlNDGTSKGZMzL4lQfTnwur
jjv8D+GqNQJVEACHlGOXR5wj4fjy9sJ7a5IGoVQ4YV/viefzxx71PHp4QDRI67Uw
ruiCPyxohahLjwJ8JxnyuZr2iwlVgEWZnYrsdf/5Y6EtIip9DxkOVcfuSe1I4QJW
BkSGdsXyugDFVgXenrTCqeUYWgcDXJyTVojr0E9nQGNfYAlEOPK25cqCbbSnefAN
dT3u3VMjxqxWP1tL+JSMq2tbsjPT9NltZ8f2NksU1KMrPNYHmJYwggEMMIIBCAJW
A7LNF5xCXczraUN9p4DYvGJGuHhZapQHXYiF+iDzfkFbTeK7an4DqPH2hetpXJwF
sVD8O7ILPXPTfXW0YQ+K9PYCQesN+MZV6BYD8iaWbFd7ZPmisDUCVgNx1XPYJjgX
VGuGYNJSP4u2PQgzj5SkqveC4MZHSoKdfNzeAJD/LYl9U48H4+pNpz+vnj47Zhym
dKS1rHt6boIZX6DlvO2oTPsNBj/TkOb31AYIPG7BAlYBSwZhoq9P9dMmiLfKYR8b
8kmjtGXEI/jclN6/38S/aZBhtHD1BqyT+aT9aw78HNlWs641pSM9BMwthxYxmETI
PLIwPwgwKC+/Bm5nsp0OLSnJ6kt9wQ==
-----END PRIVATE KEY-----
";
/// `openssl genpkey -algorithm RSA-PSS`.
const PSS_PEM: &str = "-----BEGIN PRIVATE KEY-----
MIIEvAIBADALBgkqhkiG9w0BAQoEggSoMIIEpAIBAAKCAQEAla92FpEXMgSL4VOx
5SJ/ZJYVoBMTRbV1kZsErPC7uSXt7f0Dw0jayGIkIjdUl9ctt2xFN1PqRpYyhtpg
KkRkyK7jLYg6pPpjqJmE3HkiRsPZu8QqSU4kxpffq3iZEeelXyta1b6SwWX4BB7C
x08ytkI5Aogmtx6jF95AP/qBXEsZnqTB2gDziu4fO/WUi/FrsBuVFari8F14Bmjh
i2Ki4Z7sUJiruWF0ZPa956aN+weCGIQurgiE/oX7SUsKoyBNJJs0vYPgRoiNe/wh
4oI8KKkCRSkfLMA46Dfqw1HOMM4Psuqt1oEXsAYhbuuzhN/lvC8PxesIQAdh9SYZ
Bmc1zQIDAQABAoIBAAxQaH8XxZg8ToOlfoOSsHdGb5YBK7s23+qwHZTaox7qs2W6
RGZ65mDIzh8wfRmWvrCRzCnukd3nulVkvreLc90cohzbUbPD05IJuyfmIT9AGnf7
fd0U/CqIUQLKw5D5BR5Ms0bVTD5z1JEGNNDvv4TF8um16LV05Ebw5kk9IwpEFSt7
6y8hazqiRRm4I1U69XiHtpECy7P0h9dFabPjqYoRMv3YI8UHJ1kP+pgnH6dCMXHs
9wsQAueTTYVFXIyFi1r6WjeXIoZJyKT4HkK2wSndXQSyDZENg+EueZ29SY+Be7Hy
MgPvuZjDgfBQMnfnrdy9fhzdbUoKIxpCJVu5MNECgYEAxwqFny6FW08Ba5s6wLpt
8y2EWWZsrBBKoHJlLfCRNU7c7JpbxX8evm8Hc7NFzRbVlavU6tcdjkSno0n7wFLR
p7v/Deog5/1h336x5erq/2M2+hzdq/hg96Q1qDMs858bK3PjuKpV+cNF9KR0MADe
r7vmUDRLs+Aam6gbCl903nkCgYEAwIU1QQ5cBpSAqy0xxIkQ0MerJbaiDyUBr95o
LM/0/tuVh3ABbCqwqV4eaJAsoJXbVIYFR8d7yS/BwUMASd5AK39F1/XpxCdsk5nf
pk+3h/QefhmqteNjLOkEJSlTcXorWCE2rdkcWS7dV9eKruK/k/LIStc6tSUZF6qk
d219rPUCgYAbYd8wHv5JqXzQiPJ0QTGPGtvyUJzyrusVV6eDwmy3oLnT8whdCzf3
it7DlA4uQM3xYUpRZHa0c818MVlpA/vDz6EvEN6mC73DOXLP5pmduNB/aCk211y/
tN+M3D165pCeUbsqVISvb6XYGifB0tzP4FG3BvrDLDl84IuXyboSQQKBgQCIeiYt
bzuHoqCwOIKuW6hjCRjnzFeIOui+PwFEu0tnnEydTaaEgqLn/gO6hnJMiM+KVNPL
dbvn/IXzNkcvFnIRI9Fkbj0AxB3xaMSmRp7JryIqrJFbDc5RmQJKQciYik3N1QXJ
Kj8xbcqVqgPzRGUhQZwBiiBhJ+Jo55xd2W2dPQKBgQCxnzDeHrfwLzj9rMdtrYPP
2+13MsMhRZDi5FCfBZ6H5UBlH++6q+t1wPRW6gRMPMluXWeth2ihvy4fyPUBNyyr
imwPXqMXgdK4+bXzPcVSAT/ef//oDqMk3uaPieM8TEteVbSOR8NMuEAGniDo1p4E
jRqb2aogkfFHQafpOlCUZw==
-----END PRIVATE KEY-----
";

#[test]
fn keys_go_both_ways() {
    for pem in [PKCS1_PEM, PKCS8_PEM] {
        let key = PrivateKey::from_pem(pem).unwrap();
        assert_eq!(key.to_pem().unwrap().as_str(), PKCS8_PEM);
        assert_eq!(key.public().to_pem().unwrap(), PUBLIC_PEM);
    }
    let PrivateKey::Rsa(key) = PrivateKey::from_pem(PKCS1_PEM).unwrap() else { panic!("of RSA") };
    let (function, digest, mut signature) = (HashFunction::Sha256, [7; 32], [0; 256]);
    key.sign_pss(function, &digest, 32, &mut signature).unwrap();
    for pem in [PUBLIC_PEM, PKCS1_PUBLIC_PEM] {
        let public = PublicKey::from_pem(pem).unwrap();
        assert_eq!(public.to_pem().unwrap(), PUBLIC_PEM);
        let PublicKey::Rsa(public) = public else { panic!("of RSA") };
        public.verify_pss(function, &digest, 32, &signature).unwrap();
    }
}

#[test]
fn what_is_no_key_is_refused_with_its_reason() {
    let refused = |pem: &str| PrivateKey::from_pem(pem).err();
    assert_eq!(refused(THREE_PRIMES_PEM), Some(private("it has more than two primes")));
    assert_eq!(refused(PSS_PEM), Some(private(NO_ALGORITHM)));
    let (_, document) = pkcs8::SecretDocument::from_pem(PKCS8_PEM).unwrap();
    let bytes = document.as_bytes();
    for len in (0..bytes.len()).step_by(7) {
        assert!(PrivateKey::from_der(&bytes[..len]).is_err(), "{len}");
    }
    assert!(PrivateKey::from_der(&[bytes, &[0]].concat()).is_err());
    // The parameters are NULL: the tag follows the identifier.
    let null = bytes.windows(2).position(|pair| pair == [5, 0]).unwrap();
    let mut other = bytes.to_vec();
    other[null] = 4;
    assert_eq!(PrivateKey::from_der(&other).err(), Some(private("its parameters are not NULL")));
    // A bit of each number: the last ones are those of the coefficient.
    let given = PrivateKeyInfoRef::try_from(bytes).unwrap().private_key;
    let given = pkcs1::RsaPrivateKeyRef::try_from(given.as_bytes()).unwrap();
    let product = "it is not the product of the primes";
    let other = "its exponents or its coefficient do not belong to its primes";
    for (number, why) in [
        (given.modulus, Error::Invalid { what: "modulus", why: product }),
        (given.prime1, Error::Invalid { what: "modulus", why: product }),
        (given.prime2, Error::Invalid { what: "modulus", why: product }),
        (given.exponent1, private(other)),
        (given.exponent2, private(other)),
        (given.coefficient, private(other)),
    ] {
        let number = number.as_bytes();
        let at = bytes.windows(number.len()).position(|bytes| bytes == number).unwrap();
        let mut changed = bytes.to_vec();
        changed[at + 7] ^= 2;
        assert_eq!(PrivateKey::from_der(&changed).err(), Some(why));
    }
    let e = given.public_exponent.as_bytes();
    let at = bytes.windows(e.len()).position(|bytes| bytes == e).unwrap();
    let mut changed = bytes.to_vec();
    changed[at + 2] ^= 1;
    let even = Error::Invalid { what: "public exponent", why: "it is even" };
    assert_eq!(PrivateKey::from_der(&changed).err(), Some(even));
}

#[test]
fn damaged_public_keys() {
    let (_, document) = pkcs8::Document::from_pem(PUBLIC_PEM).unwrap();
    let bytes = document.as_bytes();
    for len in 0..bytes.len() {
        assert!(PublicKey::from_der(&bytes[..len]).is_err(), "{len}");
    }
    for bit in 0..8 * bytes.len() {
        let mut bytes = bytes.to_vec();
        bytes[bit / 8] ^= 1 << (bit % 8);
        if let Ok(key) = PublicKey::from_der(&bytes) {
            assert_eq!(key.to_der().unwrap(), bytes, "bit {bit}");
        }
    }
    assert_eq!(
        PublicKey::from_pkcs1_der(bytes).err(),
        Some(public("it is not DER of an RSAPublicKey"))
    );
}
