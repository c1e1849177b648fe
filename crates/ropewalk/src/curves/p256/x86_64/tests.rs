//! Lanes against one multiple at a time.

use super::{
    super::{
        BASE_POINT, affine as affine_of, multiple,
        tests::{close, small_and_large, words},
    },
    *,
};
use crate::{core::cpu::Token as _, fields::Coordinate as _};

fn same(got: &Point<Number>, want: &Point<Number>, what: &str) {
    assert_eq!(got.z.is_zero(), want.z.is_zero(), "{what}");
    let (got, want) = (affine_of(got), affine_of(want));
    assert_eq!(
        [got.x, got.y].map(Number::to_words),
        [want.x, want.y].map(Number::to_words),
        "{what}"
    );
}

#[test]
fn lanes_equal_one() {
    let Some(cpu) = Avx512Ifma::detect() else { return };
    let small = small_and_large().into_iter().map(|(k, _)| k).step_by(7);
    let scalars: Vec<_> = close().into_iter().chain(small).map(|k| words(&k)).collect();
    for (round, k) in scalars.chunks(8).enumerate() {
        let k: [Words; 8] = core::array::from_fn(|lane| k[lane % k.len()]);
        // Points of different lanes, of which some are near G.
        let p = k.map(|k| {
            if k[0] == 0 {
                BASE_POINT
            } else {
                affine_of(&super::super::base_multiple([k[0] % 9 + 1, 0, 0, 0]))
            }
        });
        let base = points(cpu, &base_multiples(cpu, &k));
        let any = points(cpu, &multiples(cpu, &p, &k));
        for lane in 0..8 {
            let what = format!("round {round}, {:x?}", k[lane]);
            let want = super::super::base_multiple(k[lane]);
            same(&base[lane], &want, &what);
            same(&base_multiple(cpu, k[lane]), &want, &what);
            let want = multiple(&p[lane], k[lane]);
            same(&any[lane], &want, &what);
            same(&spread::multiple(cpu, &p[lane], k[lane]), &want, &what);
        }
    }
}
