//! How much of its processors the kernel lets this process have.

use std::path::Path;

use super::files::{line, number, text};

/// Processors' worth of time that the control groups of this process allow, where they set a bound: 1.5 is one and a half.
pub(super) fn read(root: &Path) -> Option<f64> {
    let groups = text(root, "proc/self/cgroup")?;
    let bounds = groups.lines().flat_map(|group| {
        // hierarchy:controllers:path; the second version has one hierarchy, and names no controller.
        let mut parts = group.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else { return vec![] };
        match controllers {
            "" => of_each(root, "sys/fs/cgroup", path, second),
            "cpu" | "cpu,cpuacct" | "cpuacct,cpu" => {
                of_each(root, &format!("sys/fs/cgroup/{controllers}"), path, first)
            }
            _ => vec![],
        }
    });
    bounds.reduce(f64::min)
}

/// Of a group and of all those around it. In a container its path may be that on the host: then there is the mount alone.
fn of_each(root: &Path, mount: &str, path: &str, of: fn(&Path) -> Option<f64>) -> Vec<f64> {
    let mount = root.join(mount);
    let own = mount.join(path.trim_start_matches('/'));
    own.ancestors().take_while(|group| group.starts_with(&mount)).filter_map(of).collect()
}

/// `150000 100000`, or `max 100000`: microseconds of so many.
fn second(group: &Path) -> Option<f64> {
    let line = line(group, "cpu.max")?;
    let (most, period) = line.split_once(' ')?;
    bound(most.parse().ok()?, period.parse().ok()?)
}

/// The same in two files, of which the first has -1 without a bound.
fn first(group: &Path) -> Option<f64> {
    bound(number(group, "cpu.cfs_quota_us")?, number(group, "cpu.cfs_period_us")?)
}

fn bound(most: f64, period: f64) -> Option<f64> {
    (most > 0.0 && period > 0.0).then_some(most / period)
}

#[cfg(test)]
mod tests {
    use super::{super::topology::tests::planted, *};

    fn of(files: &[(&str, &str)]) -> Option<f64> {
        read(planted(files).path())
    }

    #[test]
    fn of_the_second_version() {
        let own = ("proc/self/cgroup", "0::/a/b\n");
        let most = ("sys/fs/cgroup/a/b/cpu.max", "150000 100000\n");
        let none = ("sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
        let around = ("sys/fs/cgroup/a/cpu.max", "50000 100000\n");
        assert_eq!(of(&[own, most]), Some(1.5));
        assert_eq!(of(&[own, none]), None);
        assert_eq!(of(&[own, most, around]), Some(0.5));
        // The path of a container on its host.
        assert_eq!(of(&[own, ("sys/fs/cgroup/cpu.max", "200000 100000\n")]), Some(2.0));
    }

    #[test]
    fn of_the_first_version() {
        let own = ("proc/self/cgroup", "9:memory:/x\n4:cpu,cpuacct:/a\n0::/\n");
        let period = ("sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us", "100000\n");
        let of_most =
            |most| of(&[own, period, ("sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", most)]);
        assert_eq!(of_most("150000\n"), Some(1.5));
        assert_eq!(of_most("-1\n"), None);
    }

    #[test]
    fn who_tells_nothing_has_no_bound() {
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[("proc/self/cgroup", "nonsense\n\n::\n0::/../..\n")]), None);
        let odd = [("proc/self/cgroup", "0::/\n"), ("sys/fs/cgroup/cpu.max", "0 0\n")];
        assert_eq!(of(&odd), None);
    }
}
