//! Implements the operations on rows of blocks for vectors of words, from the names of its functions.

macro_rules! rows {
    (
        $T:ident($V:ty, $L:literal) needs $Cpu:ident, many registers $many:literal {
            repeat: $repeat:ident, turn: $turn:ident, rows_to_blocks: $rows:ident,
            quarter: $quarter:ident, gather: $gather:ident, xor: $xor:ident, and: $and:ident, load: $load:ident, store: $store:ident,
            add_part: $part:ident, first_number: $first:ident $(, repeat_number: $number:ident)? $(, half: $half:ident)? $(,)?
        }
    ) => {
        impl crate::core::simd::Rows<$L> for $T {
            const MANY: bool = $many;

            #[inline(always)]
            fn repeat(cpu: Self::Cpu, row: &[u32; 4]) -> Self {
                Self(proven!($Cpu: cpu, fn enter(row: &[u32; 4]) -> $V { $repeat(row) }), cpu)
            }
            $(
                #[inline(always)]
                fn repeat_number(cpu: Self::Cpu, row: u128) -> Self {
                    Self(proven!($Cpu: cpu, fn enter(row: u128) -> $V { $number(row) }), cpu)
                }
            )?
            #[inline(always)]
            fn turn<const N: i32>(self) -> Self {
                let Self(v, cpu) = self;
                Self(proven!($Cpu: cpu, fn enter<const N: i32>(v: $V) -> $V { $turn::<N>(v) }), cpu)
            }
            #[inline(always)]
            fn rows_to_blocks(rows: [Self; 4]) -> [Self; 4] {
                let (cpu, rows) = (rows[0].1, $crate::core::simd::each_of(rows, |row| row.0));
                $crate::core::simd::each_of(proven!($Cpu: cpu, fn enter(rows: [$V; 4]) -> [$V; 4] { $rows(rows) }), |v| Self(v, cpu))
            }
            #[inline(always)]
            fn quarter(words: [Self; 4]) -> [Self; 4] {
                let (cpu, words) = (words[0].1, $crate::core::simd::each_of(words, |word| word.0));
                $crate::core::simd::each_of(proven!($Cpu: cpu, fn enter(words: [$V; 4]) -> [$V; 4] { $quarter(words) }), |v| Self(v, cpu))
            }
            #[cfg(feature = "chacha20-poly1305")]
            #[inline(always)]
            fn gather(cpu: Self::Cpu, rows: &[&[u32; 4]; $L]) -> [Self; 4] {
                $crate::core::simd::each_of(proven!($Cpu: cpu, fn enter(rows: &[&[u32; 4]; $L]) -> [$V; 4] { $gather(rows) }), |v| Self(v, cpu))
            }
            #[cfg(feature = "chacha20-poly1305")]
            #[inline(always)]
            fn store_blocks(blocks: [Self; 16], to: &mut [[u8; 64]; $L]) {
                let (cpu, blocks) = (blocks[0].1, $crate::core::simd::each_of(blocks, |v| v.0));
                proven!($Cpu: cpu, fn enter(blocks: [$V; 16], to: &mut [[u8; 64]; $L]) -> () {
                    for (to, v) in to.as_flattened_mut().as_chunks_mut().0.iter_mut().zip(blocks) {
                        $store(to, v);
                    }
                })
            }
            #[cfg(feature = "chacha20-poly1305")]
            #[inline(always)]
            fn add_block(self, key_stream: &[u8; 64], text: &mut [u8; 64], copy: &mut [u8; 64]) {
                let Self(mask, cpu) = self;
                proven!($Cpu: cpu, fn enter(mask: $V, key_stream: &[u8; 64], text: &mut [u8; 64], copy: &mut [u8; 64]) -> () {
                    let parts = text.as_chunks_mut().0.iter_mut().zip(copy.as_chunks_mut().0);
                    for ((text, copy), key_stream) in parts.zip(key_stream.as_chunks().0) {
                        let (from, key_stream) = ($load(text), $load(key_stream));
                        $store(text, $xor(from, key_stream));
                        $store(copy, $xor(from, $and(key_stream, mask)));
                    }
                })
            }
            $(
                // MemorySanitizer does not track assembly.
                #[cfg(not(ropewalk_ct = "msan"))]
                #[inline(always)]
                fn half_quarter_rounds<const R: i32>(
                    [a, b, d]: [[Self; 4]; 3],
                    c: [Self; 3],
                    last: &mut Self,
                ) -> ([[Self; 4]; 3], [Self; 3]) {
                    let Self(last, cpu) = last;
                    use crate::core::simd::each;
                    let abd = [each(|i| a[i].0), each(|i| b[i].0), each(|i| d[i].0)];
                    let c = each(|i| c[i].0);
                    let ([a, b, d], c) = proven!(
                        $Cpu: *cpu,
                        fn enter<const R: i32>(abd: [[$V; 4]; 3], c: [$V; 3], last: &mut $V) -> ([[$V; 4]; 3], [$V; 3]) {
                            $half::<R>(abd, c, last)
                        }
                    );
                    let [a, b, d] = [each(|i| Self(a[i], *cpu)), each(|i| Self(b[i], *cpu)), each(|i| Self(d[i], *cpu))];
                    ([a, b, d], each(|i| Self(c[i], *cpu)))
                }
            )?
            #[inline(always)]
            fn add_at(self, text: &mut crate::core::text::Text<'_>, i: usize) {
                let Self(v, cpu) = self;
                let Some(input) = text.input().as_chunks().0.get(i) else { return };
                let sum = proven!($Cpu: cpu, fn enter(v: $V, input: &[u8; 4 * $L]) -> $V { $xor(v, $load(input)) });
                if let Some(output) = text.output().as_chunks_mut().0.get_mut(i) {
                    proven!($Cpu: cpu, fn enter(sum: $V, output: &mut [u8; 4 * $L]) -> () { $store(output, sum) })
                }
            }
            #[inline(always)]
            fn add_to(self, text: &mut crate::core::text::Text<'_>) {
                let Self(v, cpu) = self;
                match text.next::<{ 4 * $L }>() {
                    Some(piece) => proven!($Cpu: cpu, fn enter(v: $V, piece: crate::core::text::Piece<'_, { 4 * $L }>) -> () {
                        let mut piece = piece;
                        let sum = $xor(v, $load(piece.input()));
                        $store(piece.output(), sum);
                    }),
                    None => {
                        let text = text.take(4 * $L);
                        proven!($Cpu: cpu, fn enter(v: $V, text: crate::core::text::Text<'_>) -> () { $part(v, text) })
                    }
                }
            }
            #[inline(always)]
            fn first_number(self) -> u128 {
                let Self(v, cpu) = self;
                proven!($Cpu: cpu, fn enter(v: $V) -> u128 { $first(v) })
            }
        }
    };
}
