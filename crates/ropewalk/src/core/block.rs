//! Blocks of 16 bytes, and shorter ends of messages, as numbers.

/// Sixteen bytes: a block of AES, GHASH or Poly1305, and room for a tag.
pub(crate) type Block = [u8; 16];

/// Less than 16 bytes, the first one lowest, padded with zeros: at most two loads, and none past the end.
#[inline(always)]
pub(crate) fn load_short(bytes: &[u8]) -> u128 {
    let n = bytes.len();
    if let (Some(head), Some(end)) = (bytes.first_chunk(), bytes.last_chunk()) {
        // The bytes of the end that are not in the head; two shifts, as there may be none.
        let beyond = u64::from_le_bytes(*end) >> 8 >> ((8 * (15 - n)) & 63);
        return u128::from(beyond) << 64 | u128::from(u64::from_le_bytes(*head));
    }
    if let (Some(head), Some(end)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let (head, end) = (u32::from_le_bytes(*head), u32::from_le_bytes(*end));
        return (u64::from(head) | u64::from(end) << (8 * (n - 4))).into();
    }
    // The first, the middle and the last of up to three may be the same.
    let byte = |i: usize| bytes.get(i).map_or(0, |&byte| u32::from(byte) << ((8 * i) & 31));
    (byte(0) | byte(n / 2) | byte(n.saturating_sub(1))).into()
}

/// Writes the first bytes of a number, less than sixteen, the lowest first.
#[inline(always)]
pub(crate) fn store_short(bytes: &mut [u8], number: u128) {
    let n = bytes.len();
    if let Some(head) = bytes.first_chunk_mut() {
        *head = (number as u64).to_le_bytes();
        let end = bytes.last_chunk_mut().unwrap_or_else(|| unreachable!("as long as the head"));
        *end = ((number >> ((8 * (n - 8)) & 63)) as u64).to_le_bytes();
    } else if let Some(head) = bytes.first_chunk_mut() {
        *head = (number as u32).to_le_bytes();
        let end = bytes.last_chunk_mut().unwrap_or_else(|| unreachable!("as long as the head"));
        *end = ((number as u64 >> ((8 * (n - 4)) & 63)) as u32).to_le_bytes();
    } else {
        for i in [0, n / 2, n.saturating_sub(1)] {
            if let Some(byte) = bytes.get_mut(i) {
                *byte = (number as u32 >> ((8 * i) & 31)) as u8;
            }
        }
    }
}

/// Twelve bytes, the first one lowest, as three loads that the compiler must not join. Where four and eight bytes have just been
/// stored, in either order, one wide load would stall until the stores have completed.
#[inline(always)]
pub(crate) fn load_12(bytes: &[u8; 12]) -> u128 {
    let [first, middle, last] = words_of_12(bytes);
    let low = u64::from(first) | u64::from(middle) << 32;
    u128::from(low) | u128::from(last) << 64
}

/// The same as three words.
#[inline(always)]
pub(crate) fn words_of_12(bytes: &[u8; 12]) -> [u32; 3] {
    let [first, middle, last] = bytes.as_chunks().0 else { unreachable!("three times four") };
    // A word without alignment: an array would be loaded byte by byte.
    #[repr(C, packed)]
    struct Word(u32);
    // SAFETY: a reference to the bytes to be read, as large and aligned to one byte.
    #[allow(unsafe_code)]
    let Word(middle) =
        unsafe { core::ptr::read_volatile(core::ptr::from_ref::<[u8; 4]>(middle).cast()) };
    let word = u32::from_le_bytes;
    [word(*first), u32::from_le(middle), word(*last)]
}
