//! The effect of a value of `OPENSSL_ia32cap` on a library that reads it.

use super::{
    super::{
        Family,
        explain::{Explained, Part},
    },
    AES, NAMES, VAES, WORDS, here,
};

/// The effect on a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    /// It keeps the processor's value.
    Kept,
    /// Some bits are cleared.
    Less(u64),
    /// Some bits are set.
    More(u64),
    /// It has this value.
    Set(u64),
    /// It was left out, and is zero.
    LeftOut,
}

/// Bits that are not instruction sets.
const NO_INSTRUCTIONS: u64 = 1 << 10 | 1 << 20 | 1 << 28 | 1 << 30;

const FXSR: u64 = 1 << 24;

/// The bits that OpenSSL clears together with FXSR: PCLMULQDQ, XOP, AES-NI and AVX.
const WITH_FXSR: u64 = 1 << 33 | 1 << 43 | 1 << 57 | 1 << 60;

/// The effect of the value on a library of that family, on a processor of this machine's architecture or of
/// another.
pub(in crate::peers::masks) fn explain(family: Family, value: &str, on_this: bool) -> Explained {
    of(family, value, if on_this { here() } else { None })
}

fn of(family: Family, value: &str, here: Option<[u64; WORDS]>) -> Explained {
    let mut explained = Explained::default();
    let words = read(family, value, &mut explained.warnings);
    let (mut gone, mut lacking) = ([0; WORDS], false);
    for (index, word) in words.iter().enumerate() {
        let known = NAMES.iter().filter(|(of, ..)| *of == index);
        let known = known.fold(0, |bits, (_, bit, _)| bits | 1 << bit);
        // For unnamed bits, those that the processor can lose.
        let lost = here.map_or(known, |here| known & here[index]);
        let (takes, gives) = match *word {
            Word::Kept => (0, 0),
            Word::Less(bits) => (bits, 0),
            Word::More(bits) => (0, bits),
            Word::Set(bits) => (lost & !bits, bits),
            Word::LeftOut => (lost, 0),
        };
        gone[index] = match *word {
            Word::Less(bits) => bits,
            Word::Set(bits) => !bits,
            Word::LeftOut => !0,
            Word::Kept | Word::More(_) => 0,
        };
        let takes = if index == 0 && by_fxsr(family, *word) { takes | WITH_FXSR } else { takes };
        let new = here.map_or(gives, |here| gives & !here[index]);
        lacking |= here.is_some() && new & !if index == 0 { NO_INSTRUCTIONS } else { 0 } != 0;
        explained.takes.extend(parts(index, takes));
        explained.gives.extend(parts(index, new));
    }
    let openssl = matches!(family, Family::OpenSsl { .. });
    warn_of_omitted(value, &words, &mut explained.warnings);
    if words.iter().any(|word| matches!(word, Word::Set(_))) {
        explained.warnings.push(
            "without ~ a word is all that the processor is said to have: what it does not name is gone"
                .into(),
        );
    }
    if by_fxsr(family, words[0]) {
        explained.warnings.push("bit 24, FXSR, takes PCLMULQDQ, XOP, AES-NI and AVX along".into());
    }
    let is_gone = |(word, bit): (usize, u32)| gone[word] & 1 << bit != 0;
    if family.is_openssl_since((3, 1)) && is_gone(AES) && !is_gone(VAES) {
        let modes = if family.is_openssl_since((3, 5)) { "AES-GCM and AES-XTS" } else { "AES-GCM" };
        explained.warnings.push(format!(
            "{modes} stay fast where there is VAES: that code asks for bits of word 1 alone; no AES \
             instructions at all takes ~0x20000000000 in word 1 as well"
        ));
    }
    if lacking {
        explained.warnings.push(
            match (openssl, family) {
                (_, Family::AwsLc) => {
                    "it gives what this processor lacks: AWS-LC says so and ends the program"
                }
                _ => {
                    "it gives what this processor lacks: the first such instruction ends the program \
                     (SIGILL)"
                }
            }
            .into(),
        );
    }
    explained
}

/// Whether OpenSSL clears more bits than the word states.
fn by_fxsr(family: Family, word: Word) -> bool {
    let bit = matches!(word, Word::Less(bits) if bits & FXSR != 0);
    bit && matches!(family, Family::OpenSsl { .. })
}

fn parts(word: usize, bits: u64) -> impl Iterator<Item = Part> {
    (0..64).filter(move |bit| bits & 1 << bit != 0).map(move |bit| {
        let name = NAMES.iter().find(|(of, at, _)| (*of, *at) == (word, bit));
        Part { name: name.map(|(.., name)| (*name).into()), word: Some(word), bit: Some(bit) }
    })
}

fn warn_of_omitted(value: &str, words: &[Word], warnings: &mut Vec<String>) {
    let omitted: Vec<String> = (0..words.len())
        .filter(|index| words[*index] == Word::LeftOut)
        .map(|index| index.to_string())
        .collect();
    let (Some(last), some) = (omitted.last(), omitted.len()) else { return };
    let (which, is) = match some {
        1 => (format!("word {last}"), "is"),
        _ => (format!("words {} to {last}", omitted[0]), "are"),
    };
    let lost = if omitted[0] == "1" { ": SHA, AVX2, VAES and AVX-512 go too" } else { "" };
    let whole = format!("{}{}", value.trim_end_matches(':'), ":~0x0".repeat(some));
    warnings.push(format!(
        "{which} {is} left out, and OpenSSL clears what is left out{lost}; to keep it, write {whole}"
    ));
}

/// The family's interpretation of a value.
fn read(family: Family, value: &str, warnings: &mut Vec<String>) -> Vec<Word> {
    match family {
        Family::OpenSsl { .. } => openssl(value, family.words(), warnings),
        Family::AwsLc => aws_lc(value, warnings),
        Family::BoringSsl => boringssl(value, warnings),
    }
}

fn openssl(value: &str, count: usize, warnings: &mut Vec<String>) -> Vec<Word> {
    let parts: Vec<&str> = value.split(':').collect();
    if parts.len() > count {
        warnings.push(format!("it reads {count} words: what follows is not read"));
    }
    let word = |index: usize, warnings: &mut Vec<String>| {
        let Some(&part) = parts.get(index) else { return Word::LeftOut };
        let followed = index + 1 < parts.len();
        match part {
            // Later versions handle empty words between colons; older ones only the first.
            "" if followed && (index == 0 || count > 2) => Word::Kept,
            "" if index > 0 && count > 2 => Word::LeftOut,
            _ => {
                let (number, rest) = number(part.strip_prefix('~').unwrap_or(part));
                if !rest.is_empty() || part == "~" {
                    warnings.push(format!("`{part}` is read as far as its digits go: {number:#x}"));
                }
                if part.starts_with('~') { Word::Less(number) } else { Word::Set(number) }
            }
        }
    };
    (0..count).map(|index| word(index, warnings)).collect()
}

/// Parses like `strtoul`, but without blanks or signs: hexadecimal, octal or decimal; and the rest.
fn number(text: &str) -> (u64, &str) {
    let (digits, base) = match text.strip_prefix('0') {
        Some(rest) if rest.starts_with(['x', 'X']) => (&rest[1..], 16),
        Some(rest) => (rest, 8),
        None => (text, 10),
    };
    digits_of(digits, base)
}

fn digits_of(text: &str, base: u32) -> (u64, &str) {
    let end = text.find(|c: char| !c.is_digit(base)).unwrap_or(text.len());
    let digits = text[..end].chars().filter_map(|c| c.to_digit(base));
    // Saturates like C.
    let sum = |sum: u64, digit| sum.wrapping_mul(base.into()).wrapping_add(u64::from(digit));
    (digits.fold(0, sum), &text[end..])
}

/// Hexadecimal after `0x`, otherwise decimal; AWS-LC reads as many digits as there are.
fn aws_lc(value: &str, warnings: &mut Vec<String>) -> Vec<Word> {
    let (first, second) = value.split_once(':').map_or((value, None), |(a, b)| (a, Some(b)));
    let mut word = |part: &str| {
        let (part, make) = operation(part);
        match hexadecimal_or_decimal(part) {
            Some((number, _)) => make(number),
            None => {
                warnings.push(format!("`{part}` is no number, and its word stays as it is"));
                Word::Kept
            }
        }
    };
    vec![word(first), second.map_or(Word::Kept, word)]
}

/// The same, but each word has to end where its digits do, and the second where the value does.
fn boringssl(value: &str, warnings: &mut Vec<String>) -> Vec<Word> {
    let (first, second) = value.split_once(':').map_or((value, None), |(a, b)| (a, Some(b)));
    let mut word = |part: &str| {
        let (number, make) = operation(part);
        match hexadecimal_or_decimal(number) {
            Some((number, "")) => make(number),
            _ if part.is_empty() => Word::Kept,
            _ => {
                let why = if part.contains(':') { "it reads two words, and" } else { "" };
                let text = format!("{why} `{part}` is no number, and its word stays as it is");
                warnings.push(text.trim_start().into());
                Word::Kept
            }
        }
    };
    vec![word(first), second.map_or(Word::Kept, word)]
}

fn operation(part: &str) -> (&str, fn(u64) -> Word) {
    match part.split_at_checked(1) {
        Some(("~", rest)) => (rest, Word::Less),
        Some(("|", rest)) => (rest, Word::More),
        _ => (part, Word::Set),
    }
}

fn hexadecimal_or_decimal(text: &str) -> Option<(u64, &str)> {
    let (digits, base) = match text.strip_prefix("0x") {
        Some(digits) => (digits, 16),
        None => (text, 10),
    };
    digits.starts_with(|c: char| c.is_digit(base)).then(|| digits_of(digits, base))
}

#[cfg(test)]
mod tests {
    use super::{super::super::tests::*, *};

    /// A processor with everything that has a name, except AVX10 and APX.
    fn large() -> [u64; WORDS] {
        let mut words = [0; WORDS];
        for (word, bit, _) in NAMES.iter().filter(|(word, ..)| *word < 3) {
            words[*word] |= 1 << bit;
        }
        words
    }

    fn names(parts: &[Part]) -> Vec<&str> {
        parts.iter().map(|part| part.name.as_deref().unwrap_or("?")).collect()
    }

    #[track_caller]
    fn warned(explained: &Explained, of: &str) {
        let found = explained.warnings.iter().any(|warning| warning.contains(of));
        assert!(found, "{of}: {:?}", explained.warnings);
    }

    const COPIED: &str = "~0x200000200000000";

    /// The commonly copied value clears more than AES.
    #[test]
    fn the_trap_is_told() {
        for family in [OPENSSL_1_1, OPENSSL_3_0, OPENSSL_4_0] {
            let told = of(family, COPIED, Some(large()));
            let takes = names(&told.takes);
            assert_eq!(takes[..2], ["PCLMULQDQ", "AES-NI"]);
            for name in ["SHA", "AVX2", "VAES", "AVX512F"] {
                assert!(takes.contains(&name), "{family:?}: {takes:?}");
            }
            warned(&told, "left out");
        }
        warned(&of(OPENSSL_3_0, COPIED, None), "write ~0x200000200000000:~0x0");
        let whole = "write ~0x200000200000000:~0x0:~0x0:~0x0:~0x0";
        warned(&of(OPENSSL_4_0, COPIED, None), whole);
        // These keep the words that are left out.
        for family in [Family::AwsLc, Family::BoringSsl] {
            let told = of(family, COPIED, Some(large()));
            assert_eq!(names(&told.takes), ["PCLMULQDQ", "AES-NI"]);
            assert_eq!(told.warnings, [""; 0]);
        }
    }

    #[test]
    fn vaes_stays_where_only_aes_goes() {
        let kept = "~0x200000200000000:~0x0:~0x0:~0x0:~0x0";
        warned(&of(OPENSSL_4_0, kept, None), "AES-GCM and AES-XTS stay fast");
        warned(
            &of(Family::OpenSsl { major: 3, minor: 1 }, "~0x200000000000000:~0x0", None),
            "AES-GCM stay",
        );
        assert_eq!(of(OPENSSL_3_0, "~0x200000000000000:~0x0", None).warnings, [""; 0]);
        let both = "~0x200000000000000:~0x20000000000:~0x0:~0x0:~0x0";
        assert_eq!(of(OPENSSL_4_0, both, None).warnings, [""; 0]);
    }

    /// The explanation of a mask names exactly the features that it hides.
    #[test]
    fn a_mask_explains_itself() {
        for feature in ropewalk::cpu::FEATURES.iter().filter(|f| f.arch == "x86_64") {
            let features = masked(feature.name);
            for family in [
                OPENSSL_1_1,
                OPENSSL_3_0,
                OPENSSL_3_5,
                OPENSSL_4_0,
                Family::AwsLc,
                Family::BoringSsl,
            ] {
                let told = of(family, &super::super::value(family, &features), None);
                let bits: Vec<_> =
                    told.takes.iter().map(|part| (part.word.unwrap(), part.bit.unwrap())).collect();
                let rows = super::super::BITS.iter().filter(|(name, _)| features.contains(name));
                let mut want: Vec<_> = rows.flat_map(|(_, bits)| *bits).copied().collect();
                want.retain(|(word, _)| *word < family.words());
                want.sort_unstable();
                assert_eq!(bits, want, "{family:?} {}", feature.name);
                assert_eq!(told.gives, []);
                assert_eq!(told.warnings, [""; 0], "{family:?} {}", feature.name);
            }
        }
    }

    #[test]
    fn words_are_read_as_each_reads_them() {
        let read = |family, value| read(family, value, &mut Vec::new());
        use Word::{Kept, LeftOut, Less, More, Set};
        for (value, two, five) in [
            ("~0x20", [Less(32), LeftOut], [Less(32), LeftOut, LeftOut]),
            (":~0x20", [Kept, Less(32)], [Kept, Less(32), LeftOut]),
            (":0", [Kept, Set(0)], [Kept, Set(0), LeftOut]),
            ("~040:~32", [Less(32), Less(32)], [Less(32), Less(32), LeftOut]),
            ("::~1", [Kept, Set(0)], [Kept, Kept, Less(1)]),
            ("", [Set(0), LeftOut], [Set(0), LeftOut, LeftOut]),
            ("~1:", [Less(1), Set(0)], [Less(1), LeftOut, LeftOut]),
            ("|1:~", [Set(0), Less(0)], [Set(0), Less(0), LeftOut]),
            ("~0XfG", [Less(15), LeftOut], [Less(15), LeftOut, LeftOut]),
        ] {
            assert_eq!(read(OPENSSL_3_0, value), two, "{value}");
            assert_eq!(read(OPENSSL_3_5, value)[..3], five, "{value}");
        }
        for (value, aws_lc, boringssl) in [
            ("~0x20", [Less(32), Kept], [Less(32), Kept]),
            ("|0x20:~010", [More(32), Less(10)], [More(32), Less(10)]),
            (":5", [Kept, Set(5)], [Kept, Set(5)]),
            ("~1x:~1:~1", [Less(1), Less(1)], [Kept, Kept]),
            ("~0x1:~0x1:", [Less(1), Less(1)], [Less(1), Kept]),
        ] {
            assert_eq!(read(Family::AwsLc, value), aws_lc, "{value}");
            assert_eq!(read(Family::BoringSsl, value), boringssl, "{value}");
        }
    }

    #[test]
    fn what_the_processor_lacks_is_told() {
        let mut small = large();
        small[1] = 0;
        let value = "0xffffffffffffffff:0x20000000";
        let told = of(OPENSSL_3_0, value, Some(small));
        assert!(names(&told.gives).contains(&"SHA") && names(&told.gives).contains(&"?"));
        warned(&told, "SIGILL");
        warned(&of(Family::AwsLc, value, Some(small)), "AWS-LC says so");
        let kept = format!("{:#x}:{:#x}", large()[0], large()[1]);
        assert_eq!(of(OPENSSL_3_0, &kept, Some(large())).gives, []);
        // It identifies the maker of the processor, and affects no instruction.
        let mut other = large();
        other[0] &= !(1 << 30);
        let told = of(OPENSSL_3_0, &kept, Some(other));
        assert!(!told.warnings.iter().any(|warning| warning.contains("SIGILL")), "{told:?}");
    }

    #[test]
    fn oddities_are_told() {
        let told = of(OPENSSL_3_0, "~0x1000000:~0x0", None);
        assert!(names(&told.takes).contains(&"AES-NI"));
        warned(&told, "FXSR");
        assert!(!names(&of(Family::AwsLc, "~0x1000000:~0x0", None).takes).contains(&"AES-NI"));
        warned(&of(OPENSSL_3_0, "~0x2g:~0x0", None), "`~0x2g`");
        warned(&of(OPENSSL_3_0, "~0x0:~0x0:~0x0", None), "reads 2 words");
        warned(&of(Family::BoringSsl, "~0x0:~0x1:~0x0", None), "two words");
        warned(&of(OPENSSL_3_0, "0x0:~0x0", None), "without ~");
        assert_eq!(names(&of(OPENSSL_3_0, "~0x1:~0x0", None).takes), ["?"]);
    }
}
