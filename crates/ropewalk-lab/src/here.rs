//! What is known of the machine that a run is on.

use crate::{
    limits::Rates,
    machine::Machine,
    measure::environment::{self, Variable},
    tasks::Cell,
};

/// The machine of a run.
pub struct Here {
    /// The processor, in its maker's words.
    pub processor: String,
    /// Logical processors, where the system tells.
    pub cores: Option<usize>,
    /// What simulates the machine, where it is simulated.
    pub hypervisor: Option<String>,
    /// All that is stored with the measurements.
    pub machine: serde_json::Value,
    /// What its instructions take.
    pub rates: Rates,
    /// Processors' worth of time that a control group allows.
    pub quota: Option<f64>,
    /// Whether a hypervisor simulates it.
    pub guest: bool,
    /// Variables of the environment that libraries were not given.
    pub not_given: Vec<Variable>,
}

impl Here {
    /// Looks around, and times instructions on the core that this process is pinned to. `quiet` is
    /// what is known of [`crate::measure::clock::Clock::quiet`].
    pub fn look(quiet: Option<f64>) -> Self {
        let (machine, rates) = (Machine::read(), Rates::measure(quiet));
        let processor = machine.processor.brand.clone();
        let (quota, guest) = (machine.quota.map(|quota| quota.cores), machine.is_guest());
        let hypervisor = machine.hypervisor.clone().filter(|name| name != "none");
        let cores = machine.cores.online;
        let mut record = serde_json::to_value(machine).unwrap_or_default();
        let not_given = environment::not_given();
        if let Some(fields) = record.as_object_mut() {
            if !not_given.is_empty() {
                // Values may name private folders.
                let names: Vec<&str> = not_given.iter().map(|it| it.name.as_str()).collect();
                fields.insert("not_given".into(), names.into());
            }
            fields.insert("rates".into(), serde_json::to_value(&rates).unwrap_or_default());
        }
        Self {
            processor: processor.unwrap_or_else(|| std::env::consts::ARCH.into()),
            cores,
            hypervisor,
            machine: record,
            rates,
            quota,
            guest,
            not_given,
        }
    }

    /// The fewest core cycles that a message of `cell` can take, where that is known.
    pub fn limit(&self, cell: &Cell) -> Option<f64> {
        self.rates.least_cycles(cell)
    }
}
