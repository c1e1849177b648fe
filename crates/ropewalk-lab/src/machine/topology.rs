//! Which of the kernel's processors are threads of one core, and which cores differ.

use std::{cmp::Reverse, collections::BTreeSet, path::Path};

use super::files::{line, number, numbers};

/// The processors that this process may run on, in the best order to distribute work: one thread of each
/// core, the fastest cores first, and then the other threads of the same cores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topology {
    cpus: Vec<Cpu>,
}

/// A core, or a thread of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cpu {
    /// The kernel's number.
    pub number: usize,
    /// The least number among the threads of its core, as its identification.
    pub core: usize,
    /// The kind of its core.
    pub kind: Kind,
}

/// The properties that distinguish cores.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kind {
    /// Intel's name: `cpu_core`, `cpu_atom`.
    pub name: Option<&'static str>,
    /// Implementer, part and revision in Arm's main identification register.
    pub midr: Option<String>,
    /// The kernel's capacity, which is 1024 for the fastest.
    pub capacity: Option<u64>,
    /// The maximum frequency.
    pub max_khz: Option<u64>,
}

/// Cores of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The kind of the first of them.
    pub kind: Kind,
    /// Their number.
    pub cores: usize,
}

impl Topology {
    /// In this order.
    #[cfg(test)]
    pub(crate) fn new(cpus: Vec<Cpu>) -> Self {
        Self { cpus }
    }

    /// For the processors `allowed`, by their numbers.
    pub fn read(allowed: &[usize]) -> Self {
        Self::read_from(Path::new("/"), allowed)
    }

    fn read_from(root: &Path, allowed: &[usize]) -> Self {
        let mut cpus: Vec<Cpu> = allowed.iter().map(|number| Cpu::read(root, *number)).collect();
        // Interrupts prefer the first, and fast cores without a name of their own are mostly the last.
        cpus.sort_by_key(|cpu| {
            let Kind { capacity, max_khz, .. } = cpu.kind;
            Reverse((capacity, max_khz, cpu.core))
        });
        let mut taken = Vec::new();
        let (mut first, mut siblings) = (Vec::new(), Vec::new());
        for cpu in cpus {
            let shares = taken.contains(&cpu.core);
            taken.push(cpu.core);
            if shares { siblings.push(cpu) } else { first.push(cpu) }
        }
        first.append(&mut siblings);
        Self { cpus: first }
    }

    /// The numbers, in order.
    pub fn numbers(&self) -> Vec<usize> {
        self.cpus.iter().map(|cpu| cpu.number).collect()
    }

    /// The number of cores of all.
    pub fn cores(&self) -> usize {
        self.cores_of(&self.numbers())
    }

    /// The number of cores of these processors.
    pub fn cores_of(&self, numbers: &[usize]) -> usize {
        let these = self.cpus.iter().filter(|cpu| numbers.contains(&cpu.number));
        these.map(|cpu| cpu.core).collect::<BTreeSet<_>>().len()
    }

    /// Two threads of one core, and two cores of one kind: for the first core that has both.
    pub fn pair(&self) -> Option<Pair> {
        self.cpus.iter().find_map(|cpu| {
            let others = || self.cpus.iter().filter(|other| other.number != cpu.number);
            let sibling = others().find(|other| other.core == cpu.core)?;
            let apart =
                others().find(|other| other.core != cpu.core && other.kind.like(&cpu.kind))?;
            Some(Pair { siblings: [cpu.number, sibling.number], apart: [cpu.number, apart.number] })
        })
    }

    /// The kinds of cores, the fastest first.
    pub fn groups(&self) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        for cpu in &self.cpus[..self.cores()] {
            match groups.iter_mut().find(|group| group.kind.like(&cpu.kind)) {
                Some(group) => group.cores += 1,
                None => groups.push(Group { kind: cpu.kind.clone(), cores: 1 }),
            }
        }
        groups
    }
}

/// Two threads on one core, and two threads on different cores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Threads of one core.
    pub siblings: [usize; 2],
    /// The first of them, and one of another core.
    pub apart: [usize; 2],
}

impl Cpu {
    fn read(root: &Path, number: usize) -> Self {
        let folder = root.join(format!("sys/devices/system/cpu/cpu{number}"));
        let siblings = line(&folder, "topology/thread_siblings_list").and_then(|l| numbers(&l));
        let core = siblings.into_iter().flatten().chain([number]).min().unwrap_or(number);
        Self { number, core, kind: Kind::read(root, &folder, number) }
    }
}

impl Kind {
    fn read(root: &Path, folder: &Path, number: usize) -> Self {
        let has = |name: &&&str| {
            let list = line(root, format!("sys/devices/{name}/cpus"));
            list.and_then(|list| numbers(&list)).is_some_and(|list| list.contains(&number))
        };
        Self {
            name: NAMES.iter().find(has).copied(),
            midr: line(folder, "regs/identification/midr_el1"),
            capacity: self::number(folder, "cpu_capacity"),
            max_khz: self::number(folder, "cpufreq/cpuinfo_max_freq"),
        }
    }

    /// Whether two are of one kind: some cores of a kind may run slightly faster.
    fn like(&self, other: &Self) -> bool {
        let near = |a: Option<u64>, b: Option<u64>| match (a, b) {
            (Some(a), Some(b)) => a.max(b) as f64 <= ALIKE * a.min(b) as f64,
            _ => a == b,
        };
        self.name == other.name
            && self.midr == other.midr
            && near(self.capacity, other.capacity)
            && near(self.max_khz, other.max_khz)
    }
}

/// Intel's kinds of cores, as the kernel names their counters.
const NAMES: &[&str] = &["cpu_core", "cpu_atom", "cpu_lowpower"];

/// The largest ratio of frequencies of cores of one kind.
const ALIKE: f64 = 1.1;

impl std::fmt::Display for Kind {
    /// Writes what distinguishes it from others.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ghz = self.max_khz.map(|khz| format!("up to {:.2} GHz", khz as f64 / 1e6));
        let midr = self.midr.as_ref().map(|midr| format!("MIDR {midr}"));
        let capacity = self.capacity.map(|capacity| format!("capacity {capacity}"));
        let known = [self.name.map(String::from), midr, capacity, ghz];
        f.write_str(&known.into_iter().flatten().collect::<Vec<_>>().join(", "))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// The files of a machine.
    fn planted(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        root
    }

    fn of(files: &[(&str, &str)], allowed: &[usize]) -> Topology {
        Topology::read_from(planted(files).path(), allowed)
    }

    const SIBLINGS: &[(&str, &str)] = &[
        ("sys/devices/system/cpu/cpu0/topology/thread_siblings_list", "0,2\n"),
        ("sys/devices/system/cpu/cpu1/topology/thread_siblings_list", "1,3\n"),
        ("sys/devices/system/cpu/cpu2/topology/thread_siblings_list", "0,2\n"),
        ("sys/devices/system/cpu/cpu3/topology/thread_siblings_list", "1,3\n"),
    ];

    #[test]
    fn cores_come_before_their_siblings() {
        let two = of(SIBLINGS, &[0, 1, 2, 3]);
        assert_eq!(two.numbers(), [1, 0, 3, 2]);
        assert_eq!(
            [1, 2, 3, 4].map(|threads| two.cores_of(&two.numbers()[..threads])),
            [1, 2, 2, 2]
        );
        assert_eq!(two.groups(), [Group { kind: Kind::default(), cores: 2 }]);
        let pair = Pair { siblings: [1, 3], apart: [1, 0] };
        assert_eq!(two.pair(), Some(pair));
    }

    /// Other processes may use the rest of the machine.
    #[test]
    fn only_what_is_allowed_counts() {
        let one_each = of(SIBLINGS, &[1, 2]);
        assert_eq!((one_each.numbers(), one_each.cores()), (vec![1, 2], 2));
        assert_eq!(one_each.pair(), None);
        let one_core = of(SIBLINGS, &[0, 2]);
        assert_eq!((one_core.cores(), one_core.pair()), (1, None));
    }

    #[test]
    fn fast_cores_come_first_and_are_told_from_slow_ones() {
        // Two cores with siblings, and two without, as in Intel's hybrid processors.
        let hybrid = [
            ("sys/devices/cpu_core/cpus", "0-3\n"),
            ("sys/devices/cpu_atom/cpus", "4-5\n"),
            ("sys/devices/system/cpu/cpu0/topology/thread_siblings_list", "0-1\n"),
            ("sys/devices/system/cpu/cpu1/topology/thread_siblings_list", "0-1\n"),
            ("sys/devices/system/cpu/cpu2/topology/thread_siblings_list", "2-3\n"),
            ("sys/devices/system/cpu/cpu3/topology/thread_siblings_list", "2-3\n"),
            ("sys/devices/system/cpu/cpu4/topology/thread_siblings_list", "4\n"),
            ("sys/devices/system/cpu/cpu5/topology/thread_siblings_list", "5\n"),
            ("sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "5000000\n"),
            ("sys/devices/system/cpu/cpu1/cpufreq/cpuinfo_max_freq", "5000000\n"),
            ("sys/devices/system/cpu/cpu2/cpufreq/cpuinfo_max_freq", "5200000\n"),
            ("sys/devices/system/cpu/cpu3/cpufreq/cpuinfo_max_freq", "5200000\n"),
            ("sys/devices/system/cpu/cpu4/cpufreq/cpuinfo_max_freq", "3900000\n"),
            ("sys/devices/system/cpu/cpu5/cpufreq/cpuinfo_max_freq", "3900000\n"),
        ];
        let hybrid = of(&hybrid, &[0, 1, 2, 3, 4, 5]);
        assert_eq!(hybrid.numbers(), [2, 0, 5, 4, 3, 1]);
        assert_eq!(hybrid.cores(), 4);
        let groups = hybrid.groups().into_iter().map(|group| (group.cores, group.kind.to_string()));
        assert_eq!(
            groups.collect::<Vec<_>>(),
            [(2, "cpu_core, up to 5.20 GHz".into()), (2, "cpu_atom, up to 3.90 GHz".into()),]
        );
        assert_eq!(hybrid.pair(), Some(Pair { siblings: [2, 3], apart: [2, 0] }));
    }

    #[test]
    fn capacities_and_parts_make_cores_unlike() {
        let little = [
            ("sys/devices/system/cpu/cpu0/cpu_capacity", "381\n"),
            ("sys/devices/system/cpu/cpu1/cpu_capacity", "1024\n"),
            ("sys/devices/system/cpu/cpu1/regs/identification/midr_el1", "0x00000000410fd0b0\n"),
            ("sys/devices/system/cpu/cpu2/cpu_capacity", "1024\n"),
            ("sys/devices/system/cpu/cpu2/regs/identification/midr_el1", "0x00000000410fd0c0\n"),
        ];
        let little = of(&little, &[0, 1, 2]);
        assert_eq!(little.numbers(), [2, 1, 0]);
        assert_eq!(little.groups().len(), 3);
        assert!(little.groups()[2].kind.to_string().ends_with("capacity 381"));
    }

    #[test]
    fn who_tells_nothing_has_as_many_cores_as_processors() {
        let silent = of(&[], &[3, 7]);
        assert_eq!((silent.numbers(), silent.cores()), (vec![7, 3], 2));
        assert_eq!(silent.groups(), [Group { kind: Kind::default(), cores: 2 }]);
    }
}
