//! Files that are there for processors without instructions, with another file for those that have them.

use std::path::{Path, PathBuf};

use super::{Finding, Verdict, inspect_alone, lacking};

/// A file, and those that take its place where the processor has instructions.
struct Pair {
    /// How the name starts, before its first dot and with `_` for `-`.
    fallback: &'static str,
    accelerated: &'static [&'static str],
}

const fn pair(fallback: &'static str, accelerated: &'static [&'static str]) -> Pair {
    Pair { fallback, accelerated }
}

const X86_AES: &str = "aesni_intel";
const X86_SHA: &str = "sha256_ssse3";

const PAIRS: &[Pair] = &[
    // PyCryptodome.
    pair("_raw_aes", &["_raw_aesni"]),
    // Linux, on 64-bit Arm, 32-bit Arm, x86 and RISC-V.
    pair("aes_arm64", &["aes_ce_cipher", "aes_ce_blk"]),
    pair("aes_neon_blk", &["aes_ce_blk"]),
    pair("aes_neon_bs", &["aes_ce_blk"]),
    pair("sha256_arm64", &["sha2_ce"]),
    pair("aes_arm", &["aes_arm_ce"]),
    pair("aes_arm_bs", &["aes_arm_ce"]),
    pair("sha256_arm", &["sha2_arm_ce"]),
    pair("aes_generic", &["aes_ce_blk", "aes_arm_ce", X86_AES, "aes_riscv64"]),
    pair("aes_ti", &["aes_ce_blk", "aes_arm_ce", X86_AES, "aes_riscv64"]),
    pair("libaes", &["aes_ce_blk", "aes_arm_ce", X86_AES, "aes_riscv64"]),
    pair("sha256_generic", &["sha2_ce", "sha2_arm_ce", X86_SHA, "sha256_riscv64"]),
    pair("libsha256", &["sha2_ce", "sha2_arm_ce", X86_SHA, "sha256_riscv64"]),
];

/// Says so of a file that lacks instructions, where another by its side has them.
pub(super) fn excuse(finding: &mut Finding, path: &Path) {
    if finding.verdict != Verdict::NotAtAll {
        return;
    }
    let Some(name) = stem(path) else { return };
    let Some(pair) = PAIRS.iter().find(|pair| pair.fallback == name) else { return };
    let lacking = lacking(&finding.algorithms);
    let has_them = |path: &PathBuf| match inspect_alone(path) {
        Ok(other) => {
            let has = |name: &&str| {
                let mut algorithms = other.algorithms.iter();
                algorithms.any(|it| it.name == *name && it.verdict == Verdict::Accelerated)
            };
            other.architecture == finding.architecture && lacking.iter().all(has)
        }
        // Compressed, as modules of the kernel often are.
        Err(_) => path.file_name().is_some_and(|name| name.to_string_lossy().contains(".ko.")),
    };
    let mut others = folders(path).into_iter().flat_map(|it| named(&it, pair.accelerated));
    let Some(other) = others.find(has_them) else { return };
    finding.verdict = Verdict::Fallback;
    finding.why = format!(
        "{} without instructions, for processors that have none; {} has them",
        lacking.join(" and "),
        other.file_name().unwrap_or_default().to_string_lossy().escape_debug(),
    );
    finding.remedy = None;
}

/// The name of a file before its first dot, with `_` for `-`, as Linux compares the names of modules.
fn stem(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    Some(name.split('.').next()?.replace('-', "_"))
}

/// Where the other file can be: in the same folder, or among the modules of the same kernel.
fn folders(path: &Path) -> Vec<PathBuf> {
    let Some(folder) = path.parent() else { return Vec::new() };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let mut folders = vec![folder.to_owned()];
    let absolute = folder.canonicalize().unwrap_or_default();
    if let Some(kernel) = absolute.ancestors().find(|it| it.ends_with("kernel")) {
        let architectures = std::fs::read_dir(kernel.join("arch")).into_iter().flatten().flatten();
        folders.extend(architectures.map(|it| it.path().join("crypto")));
    }
    folders
}

/// The files in a folder with one of these names.
fn named(folder: &Path, names: &[&str]) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|it| it.path());
    let mut files: Vec<_> = files
        .filter(|path| stem(path).is_some_and(|stem| names.contains(&stem.as_str())))
        .collect();
    files.sort();
    files
}
