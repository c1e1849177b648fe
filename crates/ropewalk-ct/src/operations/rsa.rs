//! The operations of RSA that have a secret: the primes. Signatures are public, and so are digests and moduli.

use ropewalk::{
    Error,
    keys::{ToPkcs8 as _, Zeroizing},
    rsa::{HashFunction, Many, Padding, Parts, PrivateKey, ToSign},
};

use subtle::{ConditionallySelectable as _, ConstantTimeEq as _};

use super::{Case, Outcome, Secret, number, secret_of};

/// More than a group of lanes.
const COUNT: usize = 9;
/// Four numbers fit, three are odd, e has two inverses, n is the product, and p and q are prime.
pub(super) const OF_KEY: usize = 11;
/// A random number fits and is below n.
const FACTORS: usize = 2;
/// A message fits, and the signature is right.
const MESSAGE: usize = 2;
pub(super) const SIGNATURE: usize = OF_KEY + FACTORS + MESSAGE;
/// Factors are squared for each message but the first.
pub(super) const SIGNATURES: usize = OF_KEY + FACTORS + MESSAGE * COUNT;
const DIGEST: &[u8] = &[7; 32];
const PSS: Padding = Padding::Pss { salt_len: 32 };

pub(super) fn make(case: &Case) -> Outcome {
    new_key(case)?;
    Ok(())
}

pub(super) fn sign_pkcs1v15(case: &Case) -> Outcome {
    Ok(new_key(case)?.sign_pkcs1v15(HashFunction::Sha256, DIGEST, &mut [0; 256])?)
}

pub(super) fn sign_pss(case: &Case) -> Outcome {
    Ok(new_key(case)?.sign_pss(HashFunction::Sha256, DIGEST, 32, &mut [0; 256])?)
}

pub(super) fn sign_many(case: &Case) -> Outcome {
    let (many, [p, q], n) = (Many::with_backend(case.backend)?, &primes(), &modulus());
    let key = &PrivateKey::new(&Parts { n, e: E, p, q })?;
    let function = HashFunction::Sha256;
    let mut signatures = [[0; 256]; COUNT];
    let mut to_sign = signatures.each_mut().map(|signature| ToSign {
        key,
        padding: PSS,
        function,
        digest: DIGEST,
        signature,
    });
    let mut results = [Ok(()); COUNT];
    many.sign(&mut to_sign, &mut results)?;
    Ok(results.into_iter().collect::<Result<(), _>>()?)
}

/// The key of the secret's class, as a file in DER.
pub(crate) fn file() -> Result<Zeroizing<Vec<u8>>, Error> {
    let [p, q] = &primes();
    PrivateKey::new(&Parts { n: &modulus(), e: E, p, q })?.to_der()
}

#[inline(always)]
fn new_key(case: &Case) -> Result<PrivateKey, Error> {
    let [p, q] = &primes();
    PrivateKey::with_backend(&Parts { n: &modulus(), e: E, p, q }, case.backend)
}

const E: &[u8] = &[1, 0, 1];

/// The primes of the secret's class.
#[inline(always)]
fn primes() -> [Secret; 2] {
    [KEYS.map(|key| key.0), KEYS.map(|key| key.1)].map(|all| secret_of(&of_class::<128>(all)))
}

fn modulus() -> [u8; 256] {
    of_class(KEYS.map(|key| key.2))
}

/// The one of the secret's class. All are read, since the class is as secret.
fn of_class<const N: usize>(all: [&str; 4]) -> [u8; N] {
    let mut bytes = [0; N];
    for (i, hex) in (0_u64..).zip(all) {
        let is_it = i.ct_eq(&(number() as u64 % 4));
        for (byte, digits) in bytes.iter_mut().zip(hex.as_bytes().as_chunks::<2>().0) {
            let [high, low] = digits.map(|digit| char::from(digit).to_digit(16).unwrap_or(0) as u8);
            byte.conditional_assign(&(high << 4 | low), is_it);
        }
    }
    bytes
}

/// p, q and n. So many of the first bits of n are ones that a random number of its length is below n.
const KEYS: [(&str, &str, &str); 4] = [
    (
        "fffffffffe50c3224fbbbaf82e2b53884d93fa7ffd87e29f3b0d9ea96811aed621ba26da46db519f2517aa655f1d113ebcff484c47779f2ddfa63900a1ca28b80e342e9ecf4476ad0e48bd2041a030ec9fd85834ba0ea569da312fbbc8649dff8dd52f5b1cf7fbf21f2a6e0192cf7eaadbacbcb67597f4e09fb412b197c83bc1",
        "ffffffffff86ce89fdb65a65bc88e50c7d8de15bdd87e58d978eb5e5227c1554f289c3b81fde844cdd38795134bd1923c7580fda9bf9ca577ca87af75295777b37b06fa8b3befa95fcbf1710ea4cbee32206fe0edd88961d7fbe7c06847ab9f9d24c4bc01fb70145dbda668c4fa53a5f19b47f4aeaa7ddb3be3fdb4893512ec7",
        "fffffffffdd791ac4d72e18500ece04ec9314bb04bab6ac66fccdeeb822646bf33bcfbcd5ff38741e9cf7c4d72d04d6d62c1a680b3a179ae0df860a0addddb49f22409602c3e531530658a9c3384920e7c9ea97790fb03206f3aa9f8af4be37745ffc29497b940984246338cabbca28e3381a5b6395a833d361291986a1bb47c3379b630ba3c2e1a53aeff461317d26ec1f697cd4250d5f5e90afe9be42277f574e1af425c7c7c6db316d56ddefb6069d0fd2ab0d264980e34ee934198af175fbf5b4b8a2b65e207cff3c3702083dfd7fdc99c9dc1c0d12ea3e2307beda74975e82da97e560c80412086fc8739df57ba0b565de0ee633062529d5b45b2742107",
    ),
    (
        "fffffffffea3b89e481344159216b073b5e04a2ac20d38ab1652b1feac3747d9716594b2fadab5c6974fcc4cbd6f028b324e59f7287173172fda18c7ef46a94a3c33ac7e632cc06d895be33da89f0f3201891be30d04bc765c30cfceda14bd8f64e995c5fd34933478f36b7aaa5d6d902eeafe4449fa648a10faeadc377cdc13",
        "fffffffffe304a692fa53da613b432e96fe35a2cecb6d3f230f0c91c48a7b5c6f8cec2125907f2eed941ee38287923811d5b329949e85d4ea649a23bfca271564f53d6d7f36683ad6c556cfced29e6bc3174c4b2e26b6185db86a7b765ed669865803898b6b2a063d3aad9d6750018aafd9a849fabc3dac709896beb03f82531",
        "fffffffffcd4030777baf897cb2be84a0e8ca191cde8aa6be1281e257335cc869da16f52fc18970b6496aad2d63f84ce975aad354a64be19209b06b5e2a422144e02fd8648c4091fbc2e70573311b0048a69574e3c46552fc374276aec43a603ae44260ead78a7f2b22fefe69805dbe94f14efe827bceffc12a99515a87ae003a324bc73e8cc1c8c008d3a9ba95a91ab45a7217f1c09a04e50ccf349e2378367a858a27b2064bbfdb4be4fd78bf35bab469566ce411e911991ca8a98905b31d5e3955ce33ab24663abd4e19646673944d8a8028272a690c065ebc45572a69aa21cef10bb7a400c115dafa0fc52a6be8d2a6b4b3b0aa590612eb9f626161cdea3",
    ),
    (
        "fffffffffe40b87dee1dc8aee261e56e7340877cb5126caaa9535e45e94256fe1d4ad448b795cef684f13ae9b11c90bdc9570c6af1b75388386f0013535e2b6caacc713602f61c922280d90c822099d1e339423ee2d3546a488e9cb0ed54193bcc4bb448a5ce74bee9ab532b4670e525b865416a9290b138239c173fbe94a535",
        "fffffffffeaf813dc0d5a92da85fe6f8006e6651ca864ef53030381c2eb6989ee104c865a17ede9b2f0e043d4a48f810fb04fe10fbd915dedaf5d3135448a32af2d2096d9425cab4da7ff3f18ca472a4379cfaba48d3329a8bcbd2ff5a1b870b9a2752b93eb2220f9a3e6a8f0dd76868e089d9ecc5204736abeaca0079ed52cb",
        "fffffffffcf039bbaef5bdc7de0dd7406212b3d1f698de93cd55b006e68e7c80c8018c75092290893045cb5948b098d5cb2780b6fad67c19896fe5db4d691a37155239997900f7786c66feebc60495ef92409c517bcead30a2f9aa328a449a67bfe7248c5377f73554d82aa37c19351e885b3bfb584628550df81053028c9d4877053f606822b3d39a4892e587b484b47e21385e72b995c041b0d60a772ed7ccc3469f42dc8116fbe0425af1428c680a34a417b70ac21c95dbe22b1f7a747f178d46eb55d040f7fd60fb09a8dd2e5b7f8b3512174b363d07e0fad71f29f212c315c87c2515b8bc9fc9142102df82c1fc7c8e375a07049833971e5e4abbdafb07",
    ),
    (
        "ffffffffffdb65a03c5cccdb5b074bf52db87876630454c5ff2776e6bdccd6f344482466d1ca64e6e860377d7fc4a39f2fd5d1f553a8e3e9157aaff8611925109f3e47edf54622fdcf5cdd5bb7f8ba18aafccdd684c1392329af0fc4af93a3bdc4c3771f8e8b2f3f0e6ce41c5a9665c1c0537e8125399f00b82bde09f254f2db",
        "fffffffffe883080ed3cff64b0e3e29a95eccaefa18cedd9f86a633748d3903fa5947b6dbc5ec3336b283d377e38708d65c6d1d448a179dec34f792a6e7d9c04314299482810d76d6b5d28bf33f2a07dc84942a90425a0571dccea1b7792112da4d2334e9398ebb5e8616ac5f02367d388019457df6c2d38d8fb12e40c1e5745",
        "fffffffffe639621299a01fbd931760f1b8c32d5518a2655b95aba5dd69eb3c6a23c449b8853855c23581213cf5ff817543ab75dc03563acb329d59d96ae47acb949ec90409ccb9f4fd8a9d8c50f0158a11cf015713737cc3a557ac0e530b641ffd67bfb9972c8ff38a5519c6131441c3c798e553c5497dcf0d67ffcaa1cf8d095719c402aaf4046a8317c8de817d45433c90855b896b21392ce121554d2b658bb8e97d80fa3390f15f5d0df0e5ff8b5c5f53dda448ab71d1ba514c024b471886d1b8d3531ce28643b2da7389bca341287562f7e53d9b7e73cc8031386741e96a5ec57c891119af84f7e257b3422f85fe503fe32a7d91655ba434c6be917e207",
    ),
];
