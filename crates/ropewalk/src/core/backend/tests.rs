//! Known answers decide which backend is used.

use super::*;

static VERDICTS: Verdicts = Verdicts::new();

const fn info(
    name: &'static str,
    at: usize,
    known_answers: fn(&str) -> Result<bool, Error>,
) -> Info {
    Info {
        name,
        features: &[],
        lanes: 1,
        cycles: 0,
        start: 0,
        available: || true,
        fits: || true,
        in_hardware: false,
        verdicts: || &VERDICTS,
        at,
        known_answers,
    }
}

static LIST: [Info; 4] = [
    info("masked meanwhile", 0, |_| Err(Error::NoBackend)),
    info("wrong", 1, |_| Ok(false)),
    info("right", 2, |_| Ok(true)),
    info("not asked", 3, |_| unreachable!("the one before is right")),
];

#[test]
fn known_answers_decide_and_are_remembered() {
    assert_eq!(first_right(&LIST), "right");
    assert_eq!(VERDICTS.bits(), Verdicts::wrong(1) | Verdicts::right(2));
    let [masked, wrong, right, _] = &LIST;
    for _ in 0..2 {
        let usable = [masked, wrong, right].map(Info::is_usable);
        assert_eq!(usable, [false, false, true]);
    }
    assert_eq!(first_right(&LIST[..2]), "wrong", "the last, where none is right");
}
