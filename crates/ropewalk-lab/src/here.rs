//! The known properties of the machine of a run.

use crate::{
    limits::Rates,
    machine::Machine,
    measure::environment::{self, Variable},
    tasks::Cell,
};

/// The machine of a run.
pub struct Here {
    /// The name of the processor, as its maker writes it.
    pub processor: String,
    /// The number of logical processors, if the system reports it.
    pub cores: Option<usize>,
    /// The hypervisor of the machine, if there is one.
    pub hypervisor: Option<String>,
    /// The fields that are stored with the measurements.
    pub machine: serde_json::Value,
    /// Its instruction rates.
    pub rates: Rates,
    /// The number of processors that a control group allows, as processor time.
    pub quota: Option<f64>,
    /// Whether it is a virtual machine.
    pub guest: bool,
    /// Environment variables that were removed for libraries.
    pub not_given: Vec<Variable>,
}

impl Here {
    /// Reads the machine, and times instructions on the core that this process is pinned to. `quiet` is the
    /// known value of [`crate::measure::clock::Clock::quiet`].
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
                // Values may contain names of private folders.
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
