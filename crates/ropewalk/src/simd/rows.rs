//! Writes what vectors of words need for rows of blocks, from the names of its functions.

macro_rules! rows {
    (
        $T:ident($V:ty, $L:literal) needs $Cpu:ident {
            repeat: $repeat:ident, turn: $turn:ident, rows_to_blocks: $rows:ident,
            words_to_blocks: $words:ident, xor: $xor:ident, load: $load:ident, store: $store:ident,
            add_part: $part:ident, add_last: $last:ident, first_number: $first:ident $(,)?
        }
    ) => {
        impl crate::simd::Rows<$L> for $T {
            #[inline(always)]
            fn repeat(cpu: Self::Cpu, row: &[u32; 4]) -> Self {
                Self(proven!($Cpu: cpu, fn enter(row: &[u32; 4]) -> $V { $repeat(row) }), cpu)
            }
            #[inline(always)]
            fn turn<const N: i32>(self) -> Self {
                let Self(v, cpu) = self;
                Self(proven!($Cpu: cpu, fn enter<const N: i32>(v: $V) -> $V { $turn::<N>(v) }), cpu)
            }
            #[inline(always)]
            fn rows_to_blocks(rows: [Self; 4]) -> [Self; 4] {
                let (cpu, rows) = (rows[0].1, rows.map(|row| row.0));
                proven!($Cpu: cpu, fn enter(rows: [$V; 4]) -> [$V; 4] { $rows(rows) })
                    .map(|v| Self(v, cpu))
            }
            #[inline(always)]
            fn words_to_blocks(words: [Self; 16]) -> [Self; 16] {
                let (cpu, words) = (words[0].1, words.map(|word| word.0));
                proven!($Cpu: cpu, fn enter(words: [$V; 16]) -> [$V; 16] { $words(words) })
                    .map(|v| Self(v, cpu))
            }
            #[inline(always)]
            fn add_blocks(key_stream: [Self; 16], text: &mut crate::text::Text<'_>) {
                let (cpu, key_stream) = (key_stream[0].1, key_stream.map(|v| v.0));
                let Some(piece) = text.next::<{ 64 * $L }>() else { return };
                proven!($Cpu: cpu, fn enter(key_stream: [$V; 16], piece: crate::text::Piece<'_, { 64 * $L }>) -> () {
                    let mut piece = piece;
                    for i in 0..16 {
                        let sum = $xor(key_stream[i], $load(&piece.input().as_chunks().0[i]));
                        $store(&mut piece.output().as_chunks_mut().0[i], sum);
                    }
                })
            }
            #[inline(always)]
            fn add_to(self, text: &mut crate::text::Text<'_>) {
                let Self(v, cpu) = self;
                match text.next::<{ 4 * $L }>() {
                    Some(piece) => proven!($Cpu: cpu, fn enter(v: $V, piece: crate::text::Piece<'_, { 4 * $L }>) -> () {
                        let mut piece = piece;
                        let sum = $xor(v, $load(piece.input()));
                        $store(piece.output(), sum);
                    }),
                    None => {
                        let text = text.take(4 * $L);
                        proven!($Cpu: cpu, fn enter(v: $V, text: crate::text::Text<'_>) -> () { $part(v, text) })
                    }
                }
            }
            #[inline(always)]
            fn add_last(self, text: crate::text::Text<'_>) -> [u128; 4] {
                let Self(v, cpu) = self;
                proven!($Cpu: cpu, fn enter(v: $V, text: crate::text::Text<'_>) -> [u128; 4] { $last(v, text) })
            }
            #[inline(always)]
            fn apply_key_stream(
                cpu: Self::Cpu,
                key: &[u32; 12],
                counter: u32,
                nonce: &[u8; 12],
                text: crate::text::Text<'_>,
            ) {
                proven!($Cpu: cpu, fn enter(cpu: crate::cpu::$Cpu, key: &[u32; 12], counter: u32, nonce: &[u8; 12], text: crate::text::Text<'_>) -> () {
                    crate::chacha20::wide::apply::<$T, $L>(cpu, key, counter, nonce, text)
                })
            }
            #[inline(always)]
            fn first_number(self) -> u128 {
                let Self(v, cpu) = self;
                proven!($Cpu: cpu, fn enter(v: $V) -> u128 { $first(v) })
            }
        }
    };
}
