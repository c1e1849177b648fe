//! The processors to scale on, and their limits.

use super::super::{Usage, plan::unique};
use crate::machine::topology::{Pair, Topology};

/// The placement of threads.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Placement {
    /// The processor of the first thread, of the second, and so on.
    pub(super) cpus: Vec<usize>,
    /// The numbers of threads.
    pub(super) threads: Vec<usize>,
}

/// All cores and then their siblings, or the pair that compares both.
pub(super) fn placements(
    given: &[usize],
    siblings: bool,
    topology: &Topology,
) -> Result<Vec<Placement>, Usage> {
    if siblings {
        let Pair { siblings, apart } = topology.pair().ok_or_else(no_pair)?;
        let apart = Placement { cpus: apart.into(), threads: vec![1, 2] };
        return Ok(vec![apart, Placement { cpus: siblings.into(), threads: vec![2] }]);
    }
    let threads = threads(given, topology)?;
    let mut cpus = topology.numbers();
    cpus.truncate(threads.iter().copied().max().unwrap_or(1));
    Ok(vec![Placement { cpus, threads }])
}

fn no_pair() -> Usage {
    Usage(
        "--siblings: it takes two cores, one of them with two threads, and this process has none; a host may hide which \
         processors of a virtual machine are threads of one core"
            .into(),
    )
}

/// In order, without repetitions; by default powers of two, the numbers at which siblings or another kind of
/// core begin, and all.
fn threads(given: &[usize], topology: &Topology) -> Result<Vec<usize>, Usage> {
    let all = topology.numbers().len();
    let mut threads = unique(given.iter().map(|threads| match threads {
        0 => Err(Usage("--threads: one works at least".into())),
        many if *many > all => Err(Usage(format!(
            "--threads {many}: this process may run on {all} {}",
            if all == 1 { "core" } else { "cores" }
        ))),
        some => Ok(*some),
    }))?;
    if threads.is_empty() {
        let doubled = std::iter::successors(Some(1), |threads| Some(threads * 2));
        threads.extend(doubled.take_while(|threads| *threads < all));
        threads.extend(ends(topology));
        threads.push(all);
    }
    threads.sort_unstable();
    threads.dedup();
    Ok(threads)
}

/// The numbers of cores after which another kind begins, or the siblings.
fn ends(topology: &Topology) -> impl Iterator<Item = usize> {
    let groups = topology.groups().into_iter();
    groups.scan(0, |cores, group| {
        *cores += group.cores;
        Some(*cores)
    })
}

/// The limits of scaling on this machine, a line each.
pub(super) fn told(topology: &Topology, quota: Option<f64>, virtual_machine: bool) -> Vec<String> {
    let all = topology.numbers().len();
    let cores = topology.cores();
    let mut told = Vec::new();
    let groups = topology.groups();
    if groups.len() > 1 {
        let groups: Vec<String> =
            groups.iter().map(|group| format!("{} of {}", group.cores, group.kind)).collect();
        told.push(format!(
            "Its {cores} cores are unlike: {}. They work in this order, and two kinds together are not so many times one.",
            groups.join("; ")
        ));
    }
    if cores < all {
        told.push(format!(
            "{all} threads are of {cores} cores: up to {cores} each has a core of its own, and from {} on some share one.",
            cores + 1
        ));
    } else if virtual_machine {
        told.push(
            "A virtual machine: what look like cores here may be threads of one on the host, which does not say.".into(),
        );
    }
    if let Some(quota) = quota.filter(|quota| *quota < all as f64) {
        told.push(format!(
            "A control group allows the time of {quota:.2} processors: with {} threads or more, all stand still for a part of \
             each period.",
            quota.floor() as usize + 1
        ));
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::topology::{Cpu, Kind};

    /// Cores of each speed, in GHz, all with the same number of threads.
    fn machine(cores: &[(usize, u64)], threads: usize) -> Topology {
        let mut cpus = Vec::new();
        let speeds: Vec<u64> = cores.iter().flat_map(|(many, ghz)| vec![*ghz; *many]).collect();
        for thread in 0..threads {
            for (core, ghz) in speeds.iter().enumerate() {
                let kind = Kind { max_khz: Some(ghz * 1_000_000), ..Kind::default() };
                cpus.push(Cpu { number: thread * speeds.len() + core, core, kind });
            }
        }
        Topology::new(cpus)
    }

    #[test]
    fn threads_double_up_to_all() {
        let cores = |cores| machine(&[(cores, 3)], 1);
        assert_eq!(threads(&[], &cores(1)).unwrap(), [1]);
        assert_eq!(threads(&[], &cores(2)).unwrap(), [1, 2]);
        assert_eq!(threads(&[], &cores(12)).unwrap(), [1, 2, 4, 8, 12]);
        assert_eq!(threads(&[3, 1, 3], &cores(4)).unwrap(), [1, 3]);
        for (given, want) in [(0, "one works"), (5, "may run on 4 cores")] {
            let Usage(why) = threads(&[given], &cores(4)).unwrap_err();
            assert!(why.contains(want), "{why}");
        }
    }

    #[test]
    fn where_siblings_and_kinds_begin_there_is_a_figure() {
        assert_eq!(threads(&[], &machine(&[(6, 3)], 2)).unwrap(), [1, 2, 4, 6, 8, 12]);
        assert_eq!(threads(&[], &machine(&[(3, 5), (4, 3)], 1)).unwrap(), [1, 2, 3, 4, 7]);
    }

    #[test]
    fn siblings_are_held_against_cores() {
        let [apart, siblings] = &placements(&[], true, &machine(&[(2, 3)], 2)).unwrap()[..] else {
            panic!("two placements")
        };
        assert_eq!((&apart.cpus, &apart.threads), (&vec![0, 1], &vec![1, 2]));
        assert_eq!((&siblings.cpus, &siblings.threads), (&vec![0, 2], &vec![2]));
        let Usage(why) = placements(&[], true, &machine(&[(2, 3)], 1)).unwrap_err();
        assert!(why.contains("a host may hide"), "{why}");
        let all = placements(&[1, 3], false, &machine(&[(2, 3)], 2)).unwrap();
        assert_eq!(all, [Placement { cpus: vec![0, 1, 2], threads: vec![1, 3] }]);
    }

    #[test]
    fn what_bounds_it_is_told() {
        let two = machine(&[(2, 3)], 2);
        let told_of = |topology: &Topology, quota, guest| told(topology, quota, guest).join("\n");
        let siblings = told_of(&two, None, true);
        assert!(siblings.contains("4 threads are of 2 cores") && siblings.contains("from 3 on"));
        assert!(
            !siblings.contains("virtual"),
            "a host that tells siblings is believed: {siblings}"
        );
        let hybrid = told_of(&machine(&[(2, 5), (4, 3)], 1), None, false);
        assert!(
            hybrid.contains("6 cores are unlike: 2 of up to 5.00 GHz; 4 of up to 3.00 GHz"),
            "{hybrid}"
        );
        let quota = told_of(&machine(&[(2, 3)], 1), Some(1.5), false);
        assert!(quota.contains("1.50 processors") && quota.contains("with 2 threads"), "{quota}");
    }

    #[test]
    fn a_plain_machine_needs_no_words() {
        let plain = machine(&[(4, 3)], 1);
        assert_eq!(told(&plain, None, false), Vec::<String>::new());
        assert_eq!(told(&plain, Some(4.0), false), Vec::<String>::new());
        assert_eq!(told(&plain, None, true).len(), 1);
    }
}
