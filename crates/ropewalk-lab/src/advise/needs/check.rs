//! Needs that exclude each other.

use super::{Fixed, Must, Needs, Protect, speed};
use crate::advise::candidates::CHOICES;

impl Needs {
    /// Checks that the needs agree with each other.
    ///
    /// # Errors
    /// If two of them do not, in one line that names both.
    pub fn check(&self) -> Result<(), String> {
        self.check_capacity()?;
        self.check_fixed()?;
        self.check_goal()?;
        self.check_rates()
    }

    fn check_capacity(&self) -> Result<(), String> {
        let others = [
            ("requests", self.requests.is_some()),
            ("record", self.record.is_some()),
            ("resumed", self.resumed.is_some()),
        ];
        if self.tls.is_none() {
            return match others.iter().find(|(_, given)| *given) {
                Some((name, _)) => Err(format!("{name} is of a server of TLS: it needs tls")),
                None => Ok(()),
            };
        }
        let others = [
            ("protect", self.protect.is_some()),
            ("fixed", self.fixed.is_some()),
            ("message", self.message.is_some()),
            ("rate", self.rate.is_some()),
            ("ops", self.ops.is_some()),
            ("latency", self.latency.is_some()),
        ];
        if let Some((name, _)) = others.iter().find(|(_, given)| *given) {
            return Err(format!(
                "tls counts the cores of a server, and {name} is of one algorithm"
            ));
        }
        if self.resumed.is_some() && self.requests.is_none() {
            return Err("resumed is a share of requests: it needs requests".into());
        }
        match self.record {
            Some(bytes) if bytes > LONGEST_RECORD => Err(format!(
                "record is {bytes} bytes, and a record of TLS has {LONGEST_RECORD} at most"
            )),
            _ => Ok(()),
        }
    }

    fn check_fixed(&self) -> Result<(), String> {
        let Some(fixed) = &self.fixed else { return Ok(()) };
        let name = fixed.full_name();
        let Some(choice) = fixed.choice() else {
            return match self.protect {
                Some(goal) if self.is_of_other_goal(fixed) => {
                    Err(format!("fixed is {name}, which is not for {}", goal.name()))
                }
                _ => Ok(()),
            };
        };
        if let Some(goal) = self.protect.filter(|goal| *goal != choice.protects) {
            let of = choice.protects.name();
            return Err(format!("fixed is {name}, for {of}, and protect is {}", goal.name()));
        }
        if let Some(bits) = self.bits.filter(|bits| *bits > choice.bits) {
            let has = choice.bits;
            return Err(format!(
                "fixed is {name}, which has {has} bits of strength, and bits is {bits}"
            ));
        }
        let lacks = self.must.iter().find(|must| match must {
            Must::Tls13 => !choice.tls13,
            Must::Fips => !choice.fips,
            Must::ConstantTime => false,
        });
        match lacks {
            Some(must) => Err(format!("fixed is {name}, which is not of {}", must.name())),
            None => Ok(()),
        }
    }

    /// Whether another operation of that algorithm has another goal.
    fn is_of_other_goal(&self, fixed: &Fixed) -> bool {
        let goals = CHOICES.iter().filter(|choice| choice.task == fixed.task);
        let goals: Vec<Protect> = goals.map(|choice| choice.protects).collect();
        !goals.is_empty() && self.protect.is_some_and(|goal| !goals.contains(&goal))
    }

    fn check_goal(&self) -> Result<(), String> {
        let goal = self.goal();
        let name = goal.name();
        let bytes = [("message", self.message.is_some()), ("rate", self.rate.is_some())];
        if let Some((need, _)) = bytes.iter().find(|(_, given)| *given && goal.has_no_message()) {
            return Err(format!(
                "{need} is of messages, and {name} has none: write ops or latency"
            ));
        }
        if goal == Protect::Signature && self.rate.is_some() && self.message.is_none() {
            return Err("rate of signatures needs message; or write ops".into());
        }
        let has = |tls13: bool| {
            let of_goal = CHOICES.iter().filter(|choice| choice.protects == goal);
            let mut strong = of_goal.filter(|choice| choice.bits >= self.least_bits());
            strong.any(|choice| !tls13 || choice.tls13)
        };
        if self.fixed.is_none() && !has(false) {
            return Err(format!("bits is {}, and no {name} has as many", self.least_bits()));
        }
        match self.fixed.is_none() && self.must.contains(&Must::Tls13) && !has(true) {
            true => Err(format!("must is tls13, and TLS 1.3 has no {name} of that strength")),
            false => Ok(()),
        }
    }

    fn check_rates(&self) -> Result<(), String> {
        if let (Some(rate), Some(link)) = (self.rate, self.link)
            && rate > link
        {
            return Err(format!("rate is {}, and link carries {}", speed(rate), speed(link)));
        }
        if let (Some(rate), Some(ops), Some(bytes)) = (self.rate, self.ops, self.message) {
            let of_ops = ops * bytes as f64;
            if (of_ops / rate - 1.0).abs() > 0.01 {
                return Err(format!(
                    "rate is {}, and ops messages of that size are {}: write one of them",
                    speed(rate),
                    speed(of_ops)
                ));
            }
        }
        Ok(())
    }
}

impl Protect {
    /// Whether a message has no bytes of its own.
    fn has_no_message(self) -> bool {
        matches!(self, Self::KeyAgreement | Self::Password)
    }
}

/// RFC 8446, section 5.1.
const LONGEST_RECORD: u64 = 1 << 14;
