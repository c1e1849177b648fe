//! Properties of the machine that the kernel reports.

use std::path::Path;

use super::files::{count, line, number, text};

/// The number of cores.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Cores {
    /// Processors that programs may run on, counting each thread of a core.
    pub online: Option<usize>,
    /// Threads that share one core.
    pub threads_per_core: Option<usize>,
}

/// One cache.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Cache {
    /// Its level.
    pub level: u32,
    /// `data`, `instruction` or `unified`.
    pub kind: String,
    /// Its size.
    pub bytes: u64,
    /// Threads of cores that share it.
    pub shared_by: Option<usize>,
}

/// How a core chooses its frequency.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Frequency {
    /// The policy: `performance`, `powersave` …
    pub governor: Option<String>,
    /// The driver.
    pub driver: Option<String>,
    /// The lowest frequency.
    pub min_khz: Option<u64>,
    /// The highest frequency.
    pub max_khz: Option<u64>,
    /// Whether it may temporarily exceed it.
    pub boost: Option<bool>,
}

/// Processor time of this machine since it started, in the kernel's ticks: the difference of two readings is
/// the time in between.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Steal {
    /// The time in which a core had work and the host ran something else.
    pub stolen: u64,
    /// All of it.
    pub all: u64,
}

impl Cores {
    pub(super) fn read(root: &Path) -> Self {
        let online = line(root, "sys/devices/system/cpu/online").and_then(|list| count(&list));
        let siblings = line(root, "sys/devices/system/cpu/cpu0/topology/thread_siblings_list");
        Self {
            online: online.or_else(|| std::thread::available_parallelism().ok().map(usize::from)),
            threads_per_core: siblings.and_then(|list| count(&list)),
        }
    }
}

pub(super) fn caches(root: &Path) -> Vec<Cache> {
    let of_first = root.join("sys/devices/system/cpu/cpu0/cache");
    let mut caches: Vec<Cache> =
        (0..).map_while(|i| Cache::read(&of_first.join(format!("index{i}")))).collect();
    caches.sort_by_key(|cache| cache.level);
    caches
}

impl Cache {
    fn read(folder: &Path) -> Option<Self> {
        Some(Self {
            level: number(folder, "level")?,
            kind: line(folder, "type")?.to_lowercase(),
            bytes: bytes(&line(folder, "size")?)?,
            shared_by: line(folder, "shared_cpu_list").and_then(|list| count(&list)),
        })
    }
}

/// `48K` is 49152.
fn bytes(size: &str) -> Option<u64> {
    let digits = size.trim_end_matches(|c: char| !c.is_ascii_digit());
    let unit = match &size[digits.len()..] {
        "" => 1,
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(unit)
}

impl Frequency {
    pub(super) fn read(root: &Path) -> Self {
        let cpu = root.join("sys/devices/system/cpu");
        let first = cpu.join("cpu0/cpufreq");
        let boost = number::<u8>(&cpu, "cpufreq/boost").map(|on| on != 0);
        Self {
            governor: line(&first, "scaling_governor"),
            driver: line(&first, "scaling_driver"),
            min_khz: number(&first, "scaling_min_freq"),
            max_khz: number(&first, "scaling_max_freq"),
            // Intel's driver has its own switch, with the inverse meaning.
            boost: boost
                .or_else(|| number::<u8>(&cpu, "intel_pstate/no_turbo").map(|off| off == 0)),
        }
    }
}

impl Steal {
    pub(super) fn read(root: &Path) -> Option<Self> {
        Self::parse(&text(root, "proc/stat")?)
    }

    fn parse(stat: &str) -> Option<Self> {
        let fields = stat.lines().find_map(|line| line.strip_prefix("cpu "))?;
        // user nice system idle iowait irq softirq steal; the following fields are included in the first two.
        let ticks: Vec<u64> =
            fields.split_ascii_whitespace().map_while(|ticks| ticks.parse().ok()).collect();
        Some(Self { stolen: *ticks.get(7)?, all: ticks[..8].iter().sum() })
    }

    /// The fraction of stolen time.
    pub fn share(&self) -> f64 {
        self.stolen as f64 / self.all.max(1) as f64
    }
}

/// If the processor does not report it.
pub(super) fn hypervisor(root: &Path) -> Option<String> {
    let xen = line(root, "sys/hypervisor/type");
    xen.or_else(|| line(root, "proc/device-tree/hypervisor/compatible"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(bytes("48K"), Some(49152));
        assert_eq!(bytes("260M"), Some(260 << 20));
        assert_eq!(bytes("64"), Some(64));
        assert_eq!(bytes("K"), None);
        assert_eq!(bytes("9 potatoes"), None);
        assert_eq!(bytes("99999999999999999999G"), None);
    }

    #[test]
    fn steal() {
        let stat = "cpu  99 1 13 422 2 0 1 36 7 0\ncpu0 1 2 3\n";
        let steal = Steal::parse(stat).unwrap();
        assert_eq!(steal, Steal { stolen: 36, all: 574 });
        assert!((steal.share() - 0.0627).abs() < 0.0001);
        // Kernels before 2.6.11 do not count it.
        assert_eq!(Steal::parse("cpu  99 1 13 422\n"), None);
        assert_eq!(Steal::parse(""), None);
    }

    #[test]
    fn a_machine_from_its_files() {
        let root = tempfile::tempdir().unwrap();
        let put = |path: &str, text: &str| {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        put("sys/devices/system/cpu/online", "0-7\n");
        put("sys/devices/system/cpu/cpu0/topology/thread_siblings_list", "0,4\n");
        for (i, (level, kind, size)) in
            [("1", "Data", "48K"), ("1", "Instruction", "32K"), ("2", "Unified", "2M")]
                .into_iter()
                .enumerate()
        {
            let cache = format!("sys/devices/system/cpu/cpu0/cache/index{i}");
            put(&format!("{cache}/level"), level);
            put(&format!("{cache}/type"), kind);
            put(&format!("{cache}/size"), size);
        }
        put("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
        put("sys/devices/system/cpu/cpu0/cpufreq/scaling_max_freq", "4100000\n");
        put("sys/devices/system/cpu/intel_pstate/no_turbo", "0\n");
        put("proc/device-tree/hypervisor/compatible", "linux,kvm\0");

        let cores = Cores::read(root.path());
        assert_eq!(cores, Cores { online: Some(8), threads_per_core: Some(2) });
        let caches = caches(root.path());
        assert_eq!(caches.iter().map(|c| c.bytes).collect::<Vec<_>>(), [49152, 32768, 2 << 20]);
        assert_eq!(caches[2].kind, "unified");
        let frequency = Frequency::read(root.path());
        assert_eq!(frequency.governor.as_deref(), Some("powersave"));
        assert_eq!((frequency.min_khz, frequency.max_khz), (None, Some(4_100_000)));
        assert_eq!(frequency.boost, Some(true));
        assert_eq!(hypervisor(root.path()).as_deref(), Some("linux,kvm"));
    }
}
