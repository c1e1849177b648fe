//! 64-bit programs and libraries for tests: the data for the loader, and some code.

/// The parts of an ELF file.
#[derive(Clone, Copy, Default)]
pub(crate) struct Made<'a> {
    pub(crate) machine: u16,
    pub(crate) interpreter: Option<&'a str>,
    pub(crate) needed: &'a [&'a str],
    pub(crate) soname: Option<&'a str>,
    pub(crate) rpath: Option<&'a str>,
    pub(crate) runpath: Option<&'a str>,
    /// Words of code.
    pub(crate) code: &'a [u32],
    pub(crate) data: &'a [u8],
}

pub(crate) const X86_64: u16 = 62;
pub(crate) const AARCH64: u16 = 183;

/// `aese`, `aesmc`, `sha256h`, as the Arm Architecture Reference Manual encodes them.
pub(crate) const AES_AND_SHA: &[u32] = &[
    0x4e28_4820,
    0x4e28_6800,
    0x4e28_4820,
    0x4e28_6800,
    0x4e28_4820,
    0x4e28_6800,
    0x4e28_4820,
    0x4e28_6800,
    0x5e02_4020,
    0x5e02_5020,
    0x5e02_4020,
    0x5e02_5020,
    0x5e02_4020,
    0x5e02_5020,
    0x5e02_4020,
    0x5e02_5020,
    0x5e28_2820,
    0x5e02_6020,
    0x5e28_2820,
    0x5e02_6020,
    0x5e28_2820,
    0x5e02_6020,
    0x5e28_2820,
    0x5e02_6020,
];

const HEADER: usize = 64;
const SEGMENT: usize = 56;

impl Made<'_> {
    /// The file. Its addresses are its offsets.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let count = 3 + usize::from(self.interpreter.is_some());
        let mut file = vec![0; HEADER + count * SEGMENT];
        let put = |file: &mut Vec<u8>, bytes: &[u8]| {
            file.resize(file.len().next_multiple_of(8), 0);
            let at = file.len();
            file.extend(bytes);
            (at as u64, bytes.len() as u64)
        };
        let interpreter = self.interpreter.map(|it| put(&mut file, format!("{it}\0").as_bytes()));
        let mut strings = vec![0];
        let mut entries: Vec<(u64, u64)> = Vec::new();
        let named = self.needed.iter().map(|name| (1, Some(*name)));
        for (tag, text) in named.chain([(14, self.soname), (15, self.rpath), (29, self.runpath)]) {
            let Some(text) = text else { continue };
            entries.push((tag, strings.len() as u64));
            strings.extend(format!("{text}\0").bytes());
        }
        let (at, len) = put(&mut file, &strings);
        entries.extend([(5, at), (10, len), (0, 0)]);
        let words = entries.iter().flat_map(|(tag, value)| [tag, value]);
        let table: Vec<u8> = words.flat_map(|word| word.to_le_bytes()).collect();
        let table = put(&mut file, &table);
        put(&mut file, self.data);
        let code: Vec<u8> = self.code.iter().flat_map(|word| word.to_le_bytes()).collect();
        let code = put(&mut file, if code.is_empty() { &[0; 4] } else { &code });

        let whole = (0, file.len() as u64);
        let all = [(1, 4, whole), (1, 5, code), (2, 4, table)];
        let all = all.into_iter().chain(interpreter.map(|it| (3, 4, it)));
        for (i, (kind, flags, (at, len))) in all.enumerate() {
            let mut segment = Vec::new();
            segment.extend(u32::to_le_bytes(kind));
            segment.extend(u32::to_le_bytes(flags));
            segment
                .extend([at, at, at, len, len, 8].iter().flat_map(|word: &u64| word.to_le_bytes()));
            let place = HEADER + i * SEGMENT;
            file[place..place + SEGMENT].copy_from_slice(&segment);
        }
        let mut header = b"\x7fELF\x02\x01\x01".to_vec();
        header.resize(16, 0);
        header.extend([3u16, self.machine].iter().flat_map(|half| half.to_le_bytes()));
        header.extend(1u32.to_le_bytes());
        header.extend([0u64, HEADER as u64, 0].iter().flat_map(|word| word.to_le_bytes()));
        header.extend(0u32.to_le_bytes());
        let halves = [HEADER as u16, SEGMENT as u16, count as u16, 64, 0, 0];
        header.extend(halves.iter().flat_map(|half| half.to_le_bytes()));
        file[..HEADER].copy_from_slice(&header);
        file
    }
}
