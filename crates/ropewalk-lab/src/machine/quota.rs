//! The processor time that a control group allows its programs.

use std::path::Path;

use super::files::{line, text};

/// The limit of this process.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Quota {
    /// Cores, or parts of them.
    pub cores: f64,
    /// How often it was throttled, since its group was made.
    pub throttled: u64,
}

impl Quota {
    /// The limit of this process, with the files of the kernel below `root`: the least of its group and of
    /// the groups that contain it. None if there is no limit.
    pub fn read(root: &Path) -> Option<Self> {
        let groups = text(root, "proc/self/cgroup")?;
        groups
            .lines()
            .filter_map(|line| Self::of_group(root, line))
            .min_by(|a, b| a.cores.total_cmp(&b.cores))
    }

    /// The limit of a line such as `0::/a/b`, or `4:cpu,cpuacct:/a/b` of the first version.
    fn of_group(root: &Path, line: &str) -> Option<Self> {
        let mut fields = line.splitn(3, ':');
        let (_, controllers, path) = (fields.next()?, fields.next()?, fields.next()?);
        let top = match controllers {
            "" => "sys/fs/cgroup".to_owned(),
            some if some.split(',').any(|one| one == "cpu") => format!("sys/fs/cgroup/{some}"),
            _ => return None,
        };
        let (top, path) = (Path::new(&top), Path::new(path.trim_start_matches('/')));
        // A container may see its own group as the root, under any name.
        let around = path.ancestors().map(|path| Self::of_folder(root, &top.join(path)));
        around.flatten().min_by(|a, b| a.cores.total_cmp(&b.cores))
    }

    fn of_folder(root: &Path, folder: &Path) -> Option<Self> {
        let second = line(root, folder.join("cpu.max"));
        let first = || {
            let of = |name: &str| line(root, folder.join(name));
            Some(format!("{} {}", of("cpu.cfs_quota_us")?, of("cpu.cfs_period_us")?))
        };
        let both = second.or_else(first)?;
        let (quota, period) = both.split_once(' ')?;
        // `max` or -1 means no limit.
        let quota = quota.parse::<f64>().ok().filter(|quota| *quota > 0.0)?;
        let period = period.parse::<f64>().ok().filter(|period| *period > 0.0)?;
        let stat = text(root, folder.join("cpu.stat")).unwrap_or_default();
        let throttled =
            stat.lines().find_map(|line| line.strip_prefix("nr_throttled ")?.parse().ok());
        Some(Self { cores: quota / period, throttled: throttled.unwrap_or(0) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tightest_group_counts() {
        let root = tempfile::tempdir().unwrap();
        let put = |path: &str, text: &str| {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        assert_eq!(Quota::read(root.path()), None);
        put("proc/self/cgroup", "0::/pods/one\n");
        put("sys/fs/cgroup/pods/one/cpu.max", "max 100000\n");
        assert_eq!(Quota::read(root.path()), None);
        put("sys/fs/cgroup/pods/cpu.max", "150000 100000\n");
        put("sys/fs/cgroup/pods/cpu.stat", "usage_usec 1\nnr_periods 9\nnr_throttled 4\n");
        assert_eq!(Quota::read(root.path()), Some(Quota { cores: 1.5, throttled: 4 }));
        put("sys/fs/cgroup/pods/one/cpu.max", "50000 100000\n");
        assert_eq!(Quota::read(root.path()), Some(Quota { cores: 0.5, throttled: 0 }));
    }

    #[test]
    fn the_first_version_has_files_of_its_own() {
        let root = tempfile::tempdir().unwrap();
        let put = |path: &str, text: &str| {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        put("proc/self/cgroup", "5:memory:/a\n4:cpu,cpuacct:/a\n");
        put("sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", "-1\n");
        put("sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us", "100000\n");
        assert_eq!(Quota::read(root.path()), None);
        put("sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", "25000\n");
        assert_eq!(Quota::read(root.path()).unwrap().cores, 0.25);
    }
}
