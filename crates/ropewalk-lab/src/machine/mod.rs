//! The properties of the machine that affect measurements: stored with every record.
//!
//! Nothing here fails. Fields that this operating system or this processor does not report are missing.

use std::path::Path;

mod files;
pub mod hidden;
pub mod masks;
mod models;
mod processor;
pub mod quota;
mod system;
pub mod topology;
pub mod watch;

pub use processor::Processor;
pub use quota::Quota;
pub use system::{Cache, Cores, Frequency, Steal};

/// A machine at one moment.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Machine {
    /// The version of the format; it changes if a field changes its meaning.
    pub schema: u32,
    /// `machine`, which distinguishes this line from others.
    pub record: &'static str,
    /// The moment, in UTC: `2026-12-01T08:30:00Z`.
    pub date: String,
    /// The version of ropewalk.
    pub ropewalk: &'static str,
    /// The target that it was built for: `x86_64-linux`.
    pub target: String,
    /// The processor.
    pub processor: Processor,
    /// The number of cores.
    pub cores: Cores,
    /// The processor time that control groups allow this process, if it is limited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quota: Option<Quota>,
    /// The caches of the first core, nearest first.
    pub caches: Vec<Cache>,
    /// How the first core chooses its frequency.
    pub frequency: Frequency,
    /// Ticks of the time-stamp counter in a second, if the processor or its host reports it.
    pub tsc_hz: Option<u64>,
    /// The hypervisor, as far as it can be detected: `KVM`, or `none`.
    pub hypervisor: Option<String>,
    /// The release of the kernel.
    pub kernel: Option<String>,
    /// The time that the host has given to other guests.
    pub steal: Option<Steal>,
}

impl Machine {
    /// The machine this runs on, now.
    pub fn read() -> Self {
        Self::read_from(Path::new("/"))
    }

    /// Whether it is a virtual machine, as far as it can be detected.
    pub fn is_guest(&self) -> bool {
        self.hypervisor.as_ref().is_some_and(|name| name != "none")
    }

    /// With the files of the kernel below `root`.
    fn read_from(root: &Path) -> Self {
        Self {
            schema: 1,
            record: "machine",
            date: humantime::format_rfc3339_seconds(std::time::SystemTime::now()).to_string(),
            ropewalk: env!("CARGO_PKG_VERSION"),
            target: format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS),
            processor: Processor::read(root),
            cores: Cores::read(root),
            quota: Quota::read(root),
            caches: system::caches(root),
            frequency: Frequency::read(root),
            tsc_hz: processor::tsc_hz(),
            hypervisor: processor::hypervisor().or_else(|| system::hypervisor(root)),
            kernel: files::line(root, "proc/sys/kernel/osrelease"),
            steal: Steal::read(root),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_field_is_the_schema() {
        let json = serde_json::to_string(&Machine::read()).unwrap();
        assert!(json.starts_with(r#"{"schema":1,"record":"machine","date":"2"#), "{json}");
    }

    #[test]
    fn nothing_is_needed() {
        let machine = Machine::read_from(Path::new("/nowhere"));
        assert_eq!(machine.kernel, None);
        assert_eq!(machine.steal, None);
        assert_eq!(machine.quota, None);
        assert_eq!(machine.caches, []);
        assert_eq!(machine.cores.threads_per_core, None);
        assert_eq!(machine.frequency, Frequency::default());
    }
}
