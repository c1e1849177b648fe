//! A row of tuning decides what runs. A program of its own, as the row is that of the process.

use ropewalk::{
    backend::Info,
    sha3, tuning,
    tuning::{Reason, force},
};

#[test]
fn a_forced_row_changes_what_runs() {
    assert_ne!(tuning::reason(), Reason::Forced);
    for row in tuning::rows() {
        force(row.name()).unwrap();
        assert_eq!(tuning::current().name(), row.name());
        assert_eq!(tuning::reason(), Reason::Forced);
        let list = sha3::PRIMITIVE.backends;
        let want = list.iter().find(|info| info.fits_tuning() && info.is_usable()).unwrap();
        assert_eq!(sha3::PRIMITIVE.chosen().map(|info| info.name), Some(want.name));
        assert_eq!(sha3::Sha3_256::default().backend(), want.name, "{}", row.name());
    }
    let has = |name: &str| {
        let is_it = |info: &&Info| info.name.ends_with(name) && (info.available)();
        sha3::PRIMITIVE.backends.iter().any(|info| is_it(&info))
    };
    // Two rows that differ in what is first.
    let pairs = [("avx512vl", "zen4", "golden-cove"), ("aarch64/sha3", "generic", "neoverse-v1")];
    for (backend, with, without) in pairs.into_iter().filter(|(name, ..)| has(name)) {
        force(with).unwrap();
        assert!(sha3::Sha3_256::default().backend().ends_with(backend), "{with}");
        force(without).unwrap();
        assert!(!sha3::Sha3_256::default().backend().ends_with(backend), "{without}");
    }
}
