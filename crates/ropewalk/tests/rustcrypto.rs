//! Types that stand where RustCrypto's stand, against those: the same bytes, the same errors.

mod common;

use aead::{AeadInOut, array::ArraySize, inout::InOutBuf};
use cipher::{
    Array, BlockCipherDecrypt, BlockCipherEncrypt, BlockModeDecrypt, BlockModeEncrypt,
    BlockSizeUser, IvState, KeyInit, KeyIvInit, SetIvState, StreamCipher, StreamCipherSeek,
    block_padding::{NoPadding, Pkcs7},
    consts::{U4, U7, U8, U10, U12, U13, U14, U15, U16, U24},
};
use common::{Random, thin};
use digest::{
    Digest, ExtendableOutput, ExtendableOutputReset, FixedOutputReset, Mac, Reset, XofReader,
    common::AlgorithmName, const_oid::AssociatedOid,
};
use ropewalk::rustcrypto as ours;
use zeroize::ZeroizeOnDrop;

/// Longer than any block, and a few of them.
const LONGEST: usize = 300;

/// Each hash function of the list, ours and theirs, and HMAC of it.
macro_rules! functions {
    ($( $Hash:ident $Many:ident $name:literal $title:literal $module:ident $feature:literal ($Theirs:path, $($facts:literal),+)
        $lists:tt $calls:tt $hmac:tt; )+) => {
        #[test]
        fn hash_functions() {
            $( hash::<ours::$Hash, $Theirs>(); )+
        }

        #[test]
        fn hmacs() {
            let keys = [0, 1, 20, 63, 64, 65, 72, 128, 136, 137, 144, 145, 200];
            $( mac::<ours::Hmac<ours::$Hash>, hmac::SimpleHmac<$Theirs>>(&keys); )+
        }
    };
}

ropewalk::hash_functions! { functions! {} }

fn hash<Ours, Theirs>()
where
    Ours: Digest + FixedOutputReset + BlockSizeUser + AssociatedOid + Clone + ZeroizeOnDrop,
    Theirs: Digest<OutputSize = Ours::OutputSize> + BlockSizeUser + AssociatedOid,
{
    assert_eq!(Ours::block_size(), Theirs::block_size());
    assert_eq!(Ours::OID, Theirs::OID);
    let data = Random(1).bytes(LONGEST);
    let mut reused = Ours::new();
    for len in thin(0..=LONGEST, 7) {
        let want = Theirs::digest(&data[..len]);
        assert_eq!(Ours::digest(&data[..len]), want, "{len}");
        for step in [1, 7, 63, 64, 65, 128, 200] {
            data[..len].chunks(step).for_each(|piece| Digest::update(&mut reused, piece));
            let copy = reused.clone().chain_update(b"");
            assert_eq!(copy.finalize(), want, "{len} by {step}, cloned");
            assert_eq!(reused.finalize_reset(), want, "{len} by {step}");
        }
        Digest::update(&mut reused, &data[..len]);
        Digest::reset(&mut reused);
    }
}

#[test]
fn extendable_outputs() {
    extendable::<ours::Shake128, sha3::Shake128>();
    extendable::<ours::Shake256, sha3::Shake256>();
}

fn extendable<Ours, Theirs>()
where
    Ours: ExtendableOutputReset + Reset + Default + BlockSizeUser + Clone + ZeroizeOnDrop,
    Theirs: ExtendableOutput + Default + BlockSizeUser,
{
    assert_eq!(Ours::block_size(), Theirs::block_size());
    let data = Random(2).bytes(LONGEST);
    let mut reused = Ours::default();
    for len in thin(0..=LONGEST, 7) {
        let mut want = [0; 2 * LONGEST];
        Theirs::digest_xof(&data[..len], &mut want);
        for step in [1, 7, 100, 200] {
            data[..len].chunks(step).for_each(|piece| reused.update(piece));
            let mut reader = reused.clone().finalize_xof();
            let mut got = [0; 2 * LONGEST];
            got.chunks_mut(step).for_each(|piece| reader.read(piece));
            assert_eq!(got, want, "{len} by {step}, cloned");
            reused.finalize_xof_reset_into(&mut got);
            assert_eq!(got, want, "{len} by {step}");
        }
        reused.update(&data);
        reused.reset();
    }
}

#[test]
fn cmacs() {
    mac::<ours::Cmac<ours::Aes128>, cmac::Cmac<aes::Aes128>>(&[16, 15]);
    mac::<ours::Cmac<ours::Aes192>, cmac::Cmac<aes::Aes192>>(&[24, 16]);
    mac::<ours::Cmac<ours::Aes256>, cmac::Cmac<aes::Aes256>>(&[32, 33]);
}

fn mac<Ours, Theirs>(keys: &[usize])
where
    Ours: Mac + KeyInit + FixedOutputReset + Clone + ZeroizeOnDrop,
    Theirs: Mac<OutputSize = Ours::OutputSize> + KeyInit + Clone,
{
    let mut random = Random(3);
    let data = random.bytes(LONGEST);
    assert_eq!(Ours::key_size(), Theirs::key_size());
    let key = random.bytes(Ours::key_size());
    let tag = <Theirs as KeyInit>::new_from_slice(&key).unwrap().finalize().into_bytes();
    let mac = <Ours as KeyInit>::new(key.as_slice().try_into().unwrap());
    assert!(mac.finalize().into_bytes() == tag);

    for &len in keys {
        let key = random.bytes(len);
        let theirs = <Theirs as KeyInit>::new_from_slice(&key);
        let ours = <Ours as KeyInit>::new_from_slice(&key);
        assert_eq!(ours.is_err(), theirs.is_err(), "{len}");
        let (Ok(mut ours), Ok(theirs)) = (ours, theirs) else { continue };
        for len in thin(0..=LONGEST, 7) {
            let want = theirs.clone().chain_update(&data[..len]).finalize().into_bytes();
            for step in [1, 7, 16, 200] {
                data[..len].chunks(step).for_each(|piece| Mac::update(&mut ours, piece));
                let mut wrong = want.clone();
                wrong[len % want.len()] ^= 1;
                assert!(ours.clone().verify(&want).is_ok(), "{len} by {step}");
                assert!(ours.clone().verify(&wrong).is_err(), "{len} by {step}, wrong");
                assert!(ours.clone().verify_slice(&want[1..]).is_err(), "{len} by {step}, short");
                assert!(ours.clone().verify_truncated_left(&want[..8]).is_ok());
                assert!(ours.finalize_reset().into_bytes() == want, "{len} by {step}");
            }
            Mac::update(&mut ours, &data);
            Mac::reset(&mut ours);
        }
    }
}

#[test]
fn authenticated_encryption() {
    gcm::<ours::Aes128, aes::Aes128, U12, U16>();
    gcm::<ours::Aes192, aes::Aes192, U12, U16>();
    gcm::<ours::Aes256, aes::Aes256, U12, U16>();
    gcm::<ours::Aes256, aes::Aes256, U8, U12>();
    gcm::<ours::Aes256, aes::Aes256, U16, U13>();
    gcm::<ours::Aes256, aes::Aes256, U24, U14>();
    gcm::<ours::Aes256, aes::Aes256, U12, U15>();
    aead::<ours::Aes128Gcm, aes_gcm::Aes128Gcm>();
    aead::<ours::Aes256Gcm, aes_gcm::Aes256Gcm>();
    aead::<ours::ChaCha20Poly1305, chacha20poly1305::ChaCha20Poly1305>();
    aead::<ours::Aes128Ccm, ccm::Ccm<aes::Aes128, U16, U12>>();
    aead::<ours::Aes192Ccm, ccm::Ccm<aes::Aes192, U16, U12>>();
    aead::<ours::Aes256Ccm, ccm::Ccm<aes::Aes256, U16, U12>>();
    aead::<ours::Ccm<ours::Aes128, U8, U13>, ccm::Ccm<aes::Aes128, U8, U13>>();
    aead::<ours::Ccm<ours::Aes256, U4, U7>, ccm::Ccm<aes::Aes256, U4, U7>>();
    aead::<ours::Ccm<ours::Aes256, U10, U8>, ccm::Ccm<aes::Aes256, U10, U8>>();
}

fn gcm<Ours, Theirs, N, T>()
where
    Ours: ours::aes::Aes + Clone + ZeroizeOnDrop,
    Theirs: BlockCipherEncrypt<BlockSize = U16> + KeyInit<KeySize = Ours::KeySize>,
    N: ArraySize,
    T: ours::aes_gcm::TagSize + aes_gcm::TagSize,
{
    aead::<ours::AesGcm<Ours, N, T>, aes_gcm::AesGcm<Theirs, N, T>>();
}

fn aead<Ours, Theirs>()
where
    Ours: AeadInOut + KeyInit + Clone + ZeroizeOnDrop,
    Theirs: AeadInOut<NonceSize = Ours::NonceSize, TagSize = Ours::TagSize>
        + KeyInit<KeySize = Ours::KeySize>,
{
    let mut random = Random(4);
    let data = random.bytes(LONGEST);
    let secret = random.bytes(Ours::key_size());
    let (ours, theirs) =
        (Ours::new_from_slice(&secret).unwrap(), Theirs::new_from_slice(&secret).unwrap());
    assert!(Ours::new_from_slice(&secret[1..]).is_err());
    for len in thin(0..=LONGEST, 7) {
        let nonce = Array::from_fn(|_| random.next() as u8);
        let aad = random.bytes(len % 50);
        let mut want = data[..len].to_vec();
        theirs.encrypt_in_place(&nonce, &aad, &mut want).unwrap();
        let (ciphertext, tag) = want.split_at(len);
        let tag = Array::try_from(tag).unwrap();

        let mut message = data[..len].to_vec();
        ours.clone().encrypt_in_place(&nonce, &aad, &mut message).unwrap();
        assert_eq!(message, want, "{len}");
        ours.clone().decrypt_in_place(&nonce, &aad, &mut message).unwrap();
        assert_eq!(message, data[..len], "{len}");

        let mut copy = vec![0; len];
        let buffers = InOutBuf::new(&data[..len], &mut copy).unwrap();
        assert_eq!(ours.encrypt_inout_detached(&nonce, &aad, buffers).unwrap(), tag, "{len}");
        assert_eq!(copy, ciphertext, "{len}");
        let buffers = InOutBuf::new(ciphertext, &mut copy).unwrap();
        ours.decrypt_inout_detached(&nonce, &aad, buffers, &tag).unwrap();
        assert_eq!(copy, data[..len], "{len}");

        let mut wrong = tag.clone();
        wrong[len % tag.len()] ^= 0x80;
        let mut text = ciphertext.to_vec();
        let result = ours.decrypt_inout_detached(&nonce, &aad, text.as_mut_slice().into(), &wrong);
        assert_eq!(result, Err(aead::Error), "{len}");
        assert_eq!(text, vec![0; len], "{len}: no byte of a forgery");
        let mut short = tag[1..].to_vec();
        assert_eq!(ours.decrypt_in_place(&nonce, &aad, &mut short), Err(aead::Error));
    }
}

#[test]
fn key_streams() {
    key_stream::<ours::Ctr32BE<ours::Aes128>, ctr::Ctr32BE<aes::Aes128>>(u32::MAX.into(), 16);
    key_stream::<ours::Ctr32BE<ours::Aes256>, ctr::Ctr32BE<aes::Aes256>>(u32::MAX.into(), 16);
    key_stream::<ours::Ctr64BE<ours::Aes128>, ctr::Ctr64BE<aes::Aes128>>(u64::MAX.into(), 16);
    key_stream::<ours::Ctr64BE<ours::Aes192>, ctr::Ctr64BE<aes::Aes192>>(u64::MAX.into(), 16);
    key_stream::<ours::Ctr128BE<ours::Aes128>, ctr::Ctr128BE<aes::Aes128>>(u128::MAX / 16, 16);
    key_stream::<ours::Ctr128BE<ours::Aes192>, ctr::Ctr128BE<aes::Aes192>>(u128::MAX / 16, 16);
    key_stream::<ours::Ctr128BE<ours::Aes256>, ctr::Ctr128BE<aes::Aes256>>(u128::MAX / 16, 16);
    key_stream::<ours::ChaCha20, chacha20::ChaCha20>(u32::MAX.into(), 64);
}

/// `last` is the number of the last block to which both can be told to go.
fn key_stream<Ours, Theirs>(last: u128, block: usize)
where
    Ours: StreamCipher + StreamCipherSeek + KeyIvInit + ZeroizeOnDrop,
    Theirs:
        StreamCipher + StreamCipherSeek + KeyIvInit<KeySize = Ours::KeySize, IvSize = Ours::IvSize>,
{
    let mut random = Random(5);
    let data = random.bytes(LONGEST);
    let key = random.bytes(Ours::key_size());
    // The middle one carries out of every size of counter.
    let ivs =
        [vec![0; Ours::iv_size()], vec![0xff; Ours::iv_size()], random.bytes(Ours::iv_size())];
    for iv in &ivs {
        let start = || {
            let ours = Ours::new_from_slices(&key, iv).unwrap();
            (ours, Theirs::new_from_slices(&key, iv).unwrap())
        };
        for step in thin(1..=LONGEST, 7) {
            let (mut ours, mut theirs) = start();
            let (mut text, mut want) = (data.clone(), data.clone());
            for (piece, want) in text.chunks_mut(step).zip(want.chunks_mut(step)) {
                ours.apply_keystream(piece);
                theirs.apply_keystream(want);
                assert_eq!(ours.current_pos::<u64>(), theirs.current_pos::<u64>());
            }
            assert_eq!(text, want, "pieces of {step}");

            // Where the first piece ended, once more: to another buffer, and the key stream alone.
            let (mut copy, mut key_stream) = (data[step..].to_vec(), data[step..].to_vec());
            ours.seek(step);
            ours.apply_keystream_b2b(&data[step..], &mut copy);
            assert_eq!(copy, want[step..], "from {step}");
            ours.seek(step);
            ours.write_keystream(&mut key_stream);
            key_stream.iter_mut().zip(&data[step..]).for_each(|(byte, data)| *byte ^= data);
            assert_eq!(key_stream, want[step..], "from {step}");
        }

        // The last blocks of the key stream, and no byte more.
        for back in [0, 1, 2, 20] {
            for len in [0, 1, block - 1, block, block + 1, 2 * block, 2 * block + 1] {
                for within in [0, 1, block - 1] {
                    let (mut ours, mut theirs) = start();
                    let Some(at) = (last - back).checked_mul(block as u128) else { continue };
                    let Some(at) = at.checked_add(within as u128) else { continue };
                    let result = ours.try_seek(at);
                    assert_eq!(
                        result.is_ok(),
                        theirs.try_seek(at).is_ok(),
                        "seek {back}, {within}"
                    );
                    if result.is_err() {
                        continue;
                    }
                    let (mut text, mut want) = (data[..len].to_vec(), data[..len].to_vec());
                    let result = ours.try_apply_keystream(&mut text);
                    assert_eq!(result.is_ok(), theirs.try_apply_keystream(&mut want).is_ok());
                    assert_eq!(text, want, "{len} bytes, {back} blocks before the end");
                    let (ours, theirs) = (ours.try_current_pos(), theirs.try_current_pos());
                    assert_eq!(ours.ok(), theirs.ok().map(|at: u128| at));
                }
            }
        }
    }
    assert!(Ours::new_from_slices(&key[1..], &ivs[0]).is_err());
    assert!(Ours::new_from_slices(&key, &ivs[0][1..]).is_err());
}

#[test]
fn blocks() {
    block_cipher::<ours::Aes128, aes::Aes128>();
    block_cipher::<ours::Aes192, aes::Aes192>();
    block_cipher::<ours::Aes256, aes::Aes256>();
}

fn block_cipher<Ours, Theirs>()
where
    Ours: BlockCipherEncrypt<BlockSize = U16>
        + BlockCipherDecrypt
        + KeyInit
        + Clone
        + AlgorithmName
        + ZeroizeOnDrop,
    Theirs:
        BlockCipherEncrypt<BlockSize = U16> + BlockCipherDecrypt + KeyInit<KeySize = Ours::KeySize>,
{
    let mut random = Random(6);
    let key = random.bytes(Ours::key_size());
    let (ours, theirs) =
        (Ours::new_from_slice(&key).unwrap().clone(), Theirs::new_from_slice(&key).unwrap());
    for blocks in 0..100 {
        let data: Vec<Array<u8, U16>> =
            (0..blocks).map(|_| Array::from_fn(|_| random.next() as u8)).collect();
        let (mut want, mut got, mut copy) = (data.clone(), data.clone(), data.clone());
        theirs.encrypt_blocks(&mut want);
        ours.encrypt_blocks(&mut got);
        assert_eq!(got, want, "{blocks}");
        ours.encrypt_blocks_b2b(&data, &mut copy).unwrap();
        assert_eq!(copy, want, "{blocks}");
        ours.encrypt_blocks_inout(InOutBuf::new(&data, &mut copy).unwrap());
        assert_eq!(copy, want, "{blocks}");
        for (block, want) in data.iter().zip(&want) {
            let (mut one, mut other) = (*block, Array::default());
            ours.encrypt_block(&mut one);
            ours.encrypt_block_b2b(block, &mut other);
            assert_eq!([one, other], [*want; 2]);
            ours.decrypt_block(&mut one);
            ours.decrypt_block_b2b(want, &mut other);
            assert_eq!([one, other], [*block; 2]);
        }
        ours.decrypt_blocks(&mut got);
        assert_eq!(got, data, "{blocks}");
        ours.decrypt_blocks_b2b(&want, &mut copy).unwrap();
        assert_eq!(copy, data, "{blocks}");
        ours.decrypt_blocks_inout(InOutBuf::new(&want, &mut copy).unwrap());
        assert_eq!(copy, data, "{blocks}");
        assert!(ours.encrypt_blocks_b2b(&data, &mut [Array::default(); 100]).is_err());
        assert!(ours.decrypt_blocks_b2b(&data, &mut [Array::default(); 100]).is_err());

        // Through closures: a mode of another crate.
        let iv = random.bytes(16);
        let mut text = random.bytes(16 * blocks + 5);
        let mut want = text.clone();
        ctr::Ctr128BE::<Ours>::new_from_slices(&key, &iv).unwrap().apply_keystream(&mut text);
        ctr::Ctr128BE::<Theirs>::new_from_slices(&key, &iv).unwrap().apply_keystream(&mut want);
        assert_eq!(text, want, "{blocks}");
        let mode = cbc::Encryptor::<Ours>::new_from_slices(&key, &iv).unwrap();
        let sealed = mode.encrypt_padded_vec::<Pkcs7>(&text);
        let mode = cbc::Decryptor::<Ours>::new_from_slices(&key, &iv).unwrap();
        assert_eq!(mode.decrypt_padded_vec::<Pkcs7>(&sealed).unwrap(), text);
    }
}

#[test]
fn chains() {
    use ours::cbc::{Decryptor, Encryptor};
    chain::<
        Encryptor<ours::Aes128>,
        Decryptor<ours::Aes128>,
        cbc::Encryptor<aes::Aes128>,
        cbc::Decryptor<aes::Aes128>,
    >();
    chain::<
        Encryptor<ours::Aes192>,
        Decryptor<ours::Aes192>,
        cbc::Encryptor<aes::Aes192>,
        cbc::Decryptor<aes::Aes192>,
    >();
    chain::<
        Encryptor<ours::Aes256>,
        Decryptor<ours::Aes256>,
        cbc::Encryptor<aes::Aes256>,
        cbc::Decryptor<aes::Aes256>,
    >();
}

fn chain<Encrypt, Decrypt, TheirEncrypt, TheirDecrypt>()
where
    Encrypt:
        BlockModeEncrypt<BlockSize = U16> + KeyIvInit<IvSize = U16> + SetIvState + ZeroizeOnDrop,
    Decrypt:
        BlockModeDecrypt<BlockSize = U16> + KeyIvInit<IvSize = U16> + SetIvState + ZeroizeOnDrop,
    TheirEncrypt: BlockModeEncrypt<BlockSize = U16> + KeyIvInit + IvState,
    TheirDecrypt: BlockModeDecrypt<BlockSize = U16> + KeyIvInit + IvState,
{
    let mut random = Random(7);
    let (key, iv) = (random.bytes(Encrypt::key_size()), random.bytes(16));
    let encrypt = || Encrypt::new_from_slices(&key, &iv).unwrap();
    let decrypt = || Decrypt::new_from_slices(&key, &iv).unwrap();
    for len in thin(0..=2 * LONGEST, 7) {
        let text = random.bytes(len);
        let theirs = TheirEncrypt::new_from_slices(&key, &iv).unwrap();
        let want = theirs.encrypt_padded_vec::<Pkcs7>(&text);
        assert_eq!(encrypt().encrypt_padded_vec::<Pkcs7>(&text), want, "{len}");
        let mut buffer = [text.clone(), vec![0; 16]].concat();
        let sealed = encrypt().encrypt_padded::<Pkcs7>(&mut buffer, len).unwrap();
        assert_eq!(sealed, want, "{len}");
        assert_eq!(decrypt().decrypt_padded_vec::<Pkcs7>(&want).unwrap(), text, "{len}");
        let mut buffer = want.clone();
        assert_eq!(decrypt().decrypt_padded::<Pkcs7>(&mut buffer).unwrap(), text, "{len}");
        let theirs = TheirDecrypt::new_from_slices(&key, &iv).unwrap();
        let unpadded = theirs.decrypt_padded_vec::<NoPadding>(&want).unwrap();
        assert_eq!(decrypt().decrypt_padded_vec::<NoPadding>(&want).unwrap(), unpadded, "{len}");

        // In pieces, in each of the ways, and from where the last one ended.
        let (blocks, _) = Array::<u8, U16>::slice_as_chunks(&unpadded);
        let (mut sealing, mut opening) = (encrypt(), decrypt());
        for (piece, want) in blocks.chunks(37).zip(want.chunks(37 * 16)) {
            let (mut one, mut two, mut three) = (piece.to_vec(), piece.to_vec(), piece.to_vec());
            let at = sealing.iv_state();
            sealing.encrypt_blocks(&mut one);
            sealing.set_iv(&at);
            sealing.encrypt_blocks_b2b(piece, &mut two).unwrap();
            sealing.set_iv(&at);
            three.iter_mut().for_each(|block| sealing.encrypt_block(block));
            let ciphertext = one.clone();
            assert_eq!([one.as_flattened_bytes(), two.as_flattened_bytes()], [want; 2], "{len}");
            assert_eq!(three, one, "{len}");

            let at = opening.iv_state();
            opening.decrypt_blocks(&mut one);
            opening.set_iv(&at);
            opening.decrypt_blocks_b2b(&ciphertext, &mut two).unwrap();
            opening.set_iv(&at);
            three.iter_mut().for_each(|block| opening.decrypt_block(block));
            assert_eq!([&one, &two, &three], [piece; 3], "{len}");
            assert_eq!(opening.iv_state(), sealing.iv_state());
            assert!(sealing.encrypt_blocks_b2b(piece, &mut []).is_err());
            assert!(opening.decrypt_blocks_b2b(piece, &mut []).is_err());
        }
    }
}

trait Flat {
    fn as_flattened_bytes(&self) -> &[u8];
}

impl Flat for Vec<Array<u8, U16>> {
    fn as_flattened_bytes(&self) -> &[u8] {
        Array::slice_as_flattened(self)
    }
}
