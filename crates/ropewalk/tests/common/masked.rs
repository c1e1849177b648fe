//! `ROPEWALK_CPU` switches processor features off for every test of a program, before the first. `ROPEWALK_TUNING` names the row of
//! tuning that all of them use.

#[cfg(target_os = "linux")]
#[used]
// SAFETY: the loader calls each function of this section once, and this one takes nothing from it.
#[unsafe(link_section = ".init_array")]
static BEFORE_MAIN: extern "C" fn() = mask;

extern "C" fn mask() {
    ropewalk::cpu::disable(&list()).expect("ROPEWALK_CPU names features");
    if let Some(name) = tuning() {
        ropewalk::tuning::force(&name).expect("ROPEWALK_TUNING names a row");
    }
}

/// The names of the features.
pub fn list() -> String {
    std::env::var("ROPEWALK_CPU").unwrap_or_default()
}

/// The name of the row.
pub fn tuning() -> Option<String> {
    std::env::var("ROPEWALK_TUNING").ok()
}
