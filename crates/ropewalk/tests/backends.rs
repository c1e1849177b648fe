//! What holds for every backend of every primitive: the tests walk the list.

mod common;

use ropewalk::{PRIMITIVES, cpu};

#[test]
fn known_answer_comes_out_of_every_backend() {
    for primitive in PRIMITIVES {
        for info in primitive.backends.iter().filter(|info| (info.available)()) {
            assert_eq!(
                (primitive.self_test)(info.name),
                Ok(true),
                "{} of {}",
                info.name,
                primitive.name
            );
        }
    }
}

/// `ROPEWALK_EXPECT` names the backends that must run here, by what the operating system says of
/// the processor: what is not tested must not pass for tested.
#[test]
fn expected_backends_are_available() {
    let expected = std::env::var("ROPEWALK_EXPECT").unwrap_or_default();
    for name in expected.split(',').filter(|name| !name.is_empty()) {
        let infos = PRIMITIVES.iter().flat_map(|primitive| primitive.backends);
        let found: Vec<_> = infos.filter(|info| info.name == name).collect();
        assert!(!found.is_empty(), "{name} is in no list");
        assert!(found.iter().all(|info| (info.available)()), "{name} cannot run here");
    }
}

/// What `ROPEWALK_CPU` names is off in every test: what runs masked must not run unmasked.
#[test]
fn mask_of_the_environment_holds() {
    for feature in cpu::masked_by(&common::masked::list()).expect("names of features") {
        assert!(!feature.present() || feature.masked(), "{}", feature.name);
    }
}

#[test]
fn every_list_ends_with_portable() {
    for primitive in PRIMITIVES {
        let last = primitive.backends.last().expect("a primitive has backends");
        assert!(last.name.ends_with("/portable") && (last.available)(), "{}", primitive.name);
    }
}
