//! Masks, in a program of its own since they cannot be taken back: one test, from the narrowest
//! mask to the widest.

use ropewalk::{
    Error, PRIMITIVES,
    aes_ctr::Key,
    cpu::{self, FEATURES},
};

#[test]
fn a_mask_takes_backends_away_and_portable_stays() {
    let here = || FEATURES.iter().filter(|f| f.arch == std::env::consts::ARCH);
    // From the last feature of the table to the first: what builds on others goes before them.
    for feature in here().rev() {
        let taken: Vec<_> = cpu::masked_by(feature.name).unwrap().map(|f| f.name).collect();
        cpu::disable(feature.name).unwrap();
        assert!(!feature.present() || feature.masked(), "{}", feature.name);
        for primitive in PRIMITIVES {
            for info in primitive.backends {
                let touched = info.features.iter().any(|f| taken.contains(f));
                let available = (info.available)();
                assert!(!(touched && available), "{} without {}", info.name, feature.name);
                let answer = (primitive.self_test)(info.name);
                let want = if available { Ok(true) } else { Err(Error::NoBackend) };
                assert_eq!(answer, want, "{} without {}", info.name, feature.name);
            }
            assert!(primitive.chosen().is_some(), "{} without {}", primitive.name, feature.name);
        }
    }
    cpu::disable("-all").unwrap();
    for primitive in PRIMITIVES {
        let chosen = primitive.chosen().unwrap().name;
        assert!(chosen.ends_with("/portable"), "{chosen} of {}", primitive.name);
    }
    assert_eq!(Key::new_128(&[0; 16]).backend(), "aes_ctr/portable");
    assert!(here().all(|f| f.present() == f.masked()));
}
