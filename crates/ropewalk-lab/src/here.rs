//! What is known of the machine that a run is on.

use crate::tasks::Cell;

/// The machine of a run. What reads the processor and measures its limits plugs in at
/// [`Here::look`].
pub struct Here {
    /// The processor, in its maker's words.
    pub processor: String,
    /// All that is stored with the measurements.
    pub machine: serde_json::Value,
    /// What its instruction rates allow.
    pub limits: Option<Limits>,
}

/// The fewest core cycles a message, by cell.
pub type Limits = Box<dyn Fn(&Cell) -> Option<f64>>;

impl Here {
    /// Looks around.
    pub fn look() -> Self {
        let processor = processor();
        let machine = serde_json::json!({
            "arch": std::env::consts::ARCH,
            "processor": processor,
        });
        Self { processor, machine, limits: None }
    }

    /// The fewest core cycles that a message of `cell` can take, where that is known.
    pub fn limit(&self, cell: &Cell) -> Option<f64> {
        self.limits.as_ref().and_then(|limits| limits(cell))
    }
}

fn processor() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let mut fields = info.lines().filter_map(|line| line.split_once(':'));
    let name = fields.find(|(key, _)| key.trim() == "model name");
    name.map_or_else(|| std::env::consts::ARCH.into(), |(_, name)| name.trim().into())
}
