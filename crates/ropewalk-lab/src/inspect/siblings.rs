//! Files for processors without instructions, with another file for processors with them.

use std::path::{Path, PathBuf};

use super::{Finding, Verdict, inspect_alone, lacking};

/// A file, and those that replace it if the processor has instructions.
struct Pair {
    /// The beginning of its name, before its first dot and with `_` for `-`.
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

/// Marks a file that lacks instructions as a fallback, if another file in its folder has them.
pub(super) fn excuse(finding: &mut Finding, path: &Path) {
    let Some(pair) = pair_of(finding, path) else { return };
    let lacking = lacking(&finding.algorithms);
    let has_them = |path: &PathBuf| match inspect_alone(path) {
        Ok(other) => {
            let accelerated = accelerated(&other);
            other.architecture == finding.architecture
                && lacking.iter().all(|name| accelerated.contains(name))
        }
        // Compressed, as kernel modules often are.
        Err(_) => path.file_name().is_some_and(|name| name.to_string_lossy().contains(".ko.")),
    };
    let mut others = folders(path).into_iter().flat_map(|it| named(&it, pair.accelerated));
    if let Some(other) = others.find(has_them) {
        excuse_by(finding, &other);
    }
}

/// The members of an archive that replace others, so far.
#[derive(Default)]
pub struct Members(Vec<Accelerated>);

/// A member with instructions.
struct Accelerated {
    path: PathBuf,
    architecture: &'static str,
    algorithms: Vec<&'static str>,
}

impl Members {
    /// Stores a member if it replaces others.
    pub fn add(&mut self, finding: &Finding, path: &Path) {
        let algorithms = accelerated(finding);
        let is_of_pair =
            |name: String| PAIRS.iter().any(|pair| pair.accelerated.contains(&name.as_str()));
        if !algorithms.is_empty() && stem(path).is_some_and(is_of_pair) {
            let (path, architecture) = (path.to_owned(), finding.architecture);
            self.0.push(Accelerated { path, architecture, algorithms });
        }
    }

    /// Whether another member can replace this one.
    pub fn may_excuse(finding: &Finding, path: &Path) -> bool {
        pair_of(finding, path).is_some()
    }

    /// Marks a member that lacks instructions as a fallback, if another in its folder, or of the same kernel,
    /// has them.
    pub fn excuse(&self, finding: &mut Finding, path: &Path) {
        let Some(pair) = pair_of(finding, path) else { return };
        let lacking = lacking(&finding.algorithms);
        let other = self.0.iter().find(|other| {
            stem(&other.path).is_some_and(|stem| pair.accelerated.contains(&stem.as_str()))
                && (other.path.parent() == path.parent() || of_one_kernel(&other.path, path))
                && other.architecture == finding.architecture
                && lacking.iter().all(|name| other.algorithms.contains(name))
        });
        if let Some(other) = other {
            excuse_by(finding, &other.path);
        }
    }
}

/// The pair in which a file without instructions is the fallback.
fn pair_of(finding: &Finding, path: &Path) -> Option<&'static Pair> {
    let name = stem(path).filter(|_| finding.verdict == Verdict::NotAtAll)?;
    PAIRS.iter().find(|pair| pair.fallback == name)
}

/// The algorithms for which a file has instructions.
fn accelerated(finding: &Finding) -> Vec<&'static str> {
    let algorithms = finding.algorithms.iter();
    algorithms.filter(|it| it.verdict == Verdict::Accelerated).map(|it| it.name).collect()
}

fn excuse_by(finding: &mut Finding, other: &Path) {
    finding.verdict = Verdict::Fallback;
    finding.why = format!(
        "{} without instructions, for processors that have none; {} has them",
        lacking(&finding.algorithms).join(" and "),
        other.file_name().unwrap_or_default().to_string_lossy().escape_debug(),
    );
    finding.remedy = None;
}

/// Whether both are modules of one kernel, which are in several folders below one of that name.
fn of_one_kernel(one: &Path, other: &Path) -> bool {
    let kernel =
        |path: &Path| path.ancestors().find(|it| it.ends_with("kernel")).map(Path::to_owned);
    kernel(one).is_some() && kernel(one) == kernel(other)
}

/// The name of a file before its first dot, with `_` for `-`, as Linux compares the names of modules.
fn stem(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    Some(name.split('.').next()?.replace('-', "_"))
}

/// The folders of the other file: the same folder, or those of the modules of the same kernel.
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
