//! Settings of `ImpactEngine` from keyword arguments.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use tangere::impact::{EngineSettings, Refinement};

use crate::arguments::{chosen, flag, integer, number};
use crate::errors::value_error;
use crate::impact::bounding_volumes::volume_of;
use crate::impact::engine::ImpactEngine;
use crate::impact::scene::Members;
use crate::impact::state::State;
use crate::options::Options;
use crate::shared_state::SharedState;

/// The settings of an engine and its number of threads.
pub struct EngineArguments {
    settings: EngineSettings,
    pub threads: usize,
}

impl EngineArguments {
    /// Reads the settings from keyword arguments.
    pub fn new(function: &str, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let names = "separation volume refinement self_contact work threads";
        let options = Options::new(function, options, names)?;
        let default = EngineSettings::default();
        let settings = EngineSettings {
            separation: options.or(default.separation, "separation", number)?,
            volume: options.or(default.volume, "volume", volume_of)?,
            refinement: options.or(default.refinement, "refinement", |value, name| {
                chosen(value, name, &Refinement::ALL, Refinement::name)
            })?,
            self_contact: options.or(default.self_contact, "self_contact", flag)?,
            work: (options.read("work", |n, name| integer(n, name, 1..=u64::MAX))?)
                .unwrap_or(default.work),
        };
        let threads = options.threads()?;
        Ok(Self { settings, threads })
    }

    /// Returns the engine of the given bodies.
    pub fn engine(self, bodies: Members) -> PyResult<ImpactEngine> {
        let Members {
            members,
            until,
            step,
        } = bodies;
        let names = members.iter().map(|member| member.name.clone()).collect();
        let state = State::new(members, &self.settings).map_err(value_error)?;
        Ok(ImpactEngine {
            shared: SharedState::new(state),
            names,
            until,
            step,
            threads: self.threads,
        })
    }
}
