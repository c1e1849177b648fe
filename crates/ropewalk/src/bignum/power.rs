//! Powers modulo an odd number.

use super::{
    Bits, Limbs, Modulus, Number, Room,
    number::{is_nonzero, mask},
};
use crate::core::secret::Wiped;

/// Bits of a secret exponent that are processed at a time.
pub(crate) const WINDOW: u32 = 5;

impl Modulus {
    /// x^e mod m, in place of x, which is below m: for a public e.
    pub(crate) fn power_vartime(&self, x: &mut Number, e: u64, room: &mut Room) {
        let Some(top) = e.checked_ilog2() else {
            x.set(&Number::word(1, self.len()));
            return;
        };
        self.enter(x, room);
        let base = Wiped::new(x.clone());
        for i in (0..top).rev() {
            self.square(x, room);
            if e >> i & 1 == 1 {
                self.multiply(x, &base, room);
            }
        }
        self.leave(x, room);
    }

    /// x^e mod m, in place of x, which is below m: for a secret e of a public size. A modulus of more than half of the
    /// longest length gives zero.
    pub(crate) fn power(&self, x: &mut Number, e: &Number, bits: Bits, room: &mut Room) {
        if self.len() > Limbs::HALF {
            return x.as_mut_slice().fill(0);
        }
        self.enter(x, room);
        let mut table = Wiped::new(Table([[0; Limbs::HALF.get()]; _]));
        let mut power = Wiped::new(self.one().clone());
        for row in &mut table.0 {
            row[..power.len().get()].copy_from_slice(power.as_slice());
            self.multiply(&mut power, x, room);
        }
        power.set(self.one());
        for i in (0..bits.0.div_ceil(WINDOW as usize)).rev() {
            for _ in 0..WINDOW {
                self.square(&mut power, room);
            }
            table.read(e.window(Bits(i * WINDOW as usize), WINDOW), x);
            self.multiply(&mut power, x, room);
        }
        x.set(&power);
        self.leave(x, room);
    }
}

/// The first powers of a number.
struct Table([[u64; Limbs::HALF.get()]; 1 << WINDOW]);

impl Table {
    /// The row of that index: all rows are read.
    #[inline]
    fn read(&self, index: u64, out: &mut Number) {
        let out = out.as_mut_slice();
        out.fill(0);
        for (i, row) in (0..).zip(&self.0) {
            let here = mask(is_nonzero(index ^ i) ^ 1);
            for (out, limb) in out.iter_mut().zip(row) {
                *out |= limb & here;
            }
        }
    }
}
