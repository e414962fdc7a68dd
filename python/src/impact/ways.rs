//! How an engine is made.

use pyo3::prelude::*;
use tangere::impact::hierarchy::Volume;
use tangere::impact::{EngineSettings, Refinement};

use crate::arguments::{Given, chosen, flag, integer, number};
use crate::errors::value_error;
use crate::impact::engine::ImpactEngine;
use crate::impact::scene::Members;
use crate::impact::state::State;
use crate::run::threads_of;
use crate::slot::Slot;

type Argument<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

/// How an engine is made, from arguments.
pub struct Ways {
    settings: EngineSettings,
    threads: usize,
}

impl Ways {
    /// From the arguments that tell.
    pub fn new(
        [separation, volume, refinement, self_contact]: [Given<'_>; 4],
        work: Argument<'_, '_>,
        threads: Argument<'_, '_>,
    ) -> PyResult<Self> {
        let mut settings = EngineSettings::default();
        if let Some(value) = separation.0 {
            settings.separation = number(&value, "separation")?;
        }
        if let Some(value) = volume.0 {
            settings.volume = chosen(&value, "volume", &Volume::ALL, Volume::name)?;
        }
        if let Some(value) = refinement.0 {
            let all = &Refinement::ALL;
            settings.refinement = chosen(&value, "refinement", all, Refinement::name)?;
        }
        if let Some(value) = self_contact.0 {
            settings.self_contact = flag(&value, "self_contact")?;
        }
        if let Some(value) = work {
            settings.work = integer(value, "work", 1..=u64::MAX)?;
        }
        Ok(Self {
            settings,
            threads: threads_of(threads)?,
        })
    }

    /// The engine of bodies.
    pub fn engine(self, bodies: Members) -> PyResult<ImpactEngine> {
        let Members {
            members,
            until,
            step,
        } = bodies;
        let names = members.iter().map(|member| member.name.clone()).collect();
        let state = State::new(members, &self.settings).map_err(value_error)?;
        Ok(ImpactEngine {
            slot: Slot::new(state),
            names,
            until,
            step,
            threads: self.threads,
        })
    }
}
