//! State of an engine: the library's engine, and node velocities without a given duration.
//!
//! The library needs a duration for the motion of nodes. If none is given, the motion is extended,
//! from its initial positions, once a query reaches a later time.

use std::sync::Arc;

use tangere::geometry::flushed;
use tangere::impact::{self, EngineSettings, FirstContacts, Impact};
use tangere::{Error, Result};

use crate::errors::What;
use crate::impact::nodes::{FIRST, Nodes};

/// A body of the engine with its name.
#[derive(Clone)]
pub struct Member {
    pub body: impact::Body,
    pub name: String,
    /// The motion of the nodes of a deforming body; `None` if the body is rigid.
    pub nodes: Option<Arc<Nodes>>,
}

/// Until when the motion of a body is known: a rigid motion forever, a motion of nodes until the
/// end of its duration, and constant node velocities without a duration forever, too.
#[derive(Clone)]
enum Known {
    Forever,
    Until(f64),
    Endless(ConstantVelocities),
}

/// Nodes that move at constant velocities without end.
#[derive(Clone)]
struct ConstantVelocities {
    /// The positions of the nodes at the time `start`.
    points: Vec<[f64; 3]>,
    start: f64,
    nodes: Arc<Nodes>,
    /// The time up to which the library's engine has been given the motion of these nodes. It is
    /// extended when a query needs more.
    until: f64,
}

impl ConstantVelocities {
    fn at(&self, time: f64) -> Vec<[f64; 3]> {
        let s = time - self.start;
        let moved =
            |(p, v): (&[f64; 3], &[f64; 3])| flushed(std::array::from_fn(|k| p[k] + v[k] * s));
        self.points
            .iter()
            .zip(&self.nodes.rows)
            .map(moved)
            .collect()
    }
}

impl Known {
    fn new(points: &[[f64; 3]], start: f64, nodes: Option<&Arc<Nodes>>) -> Self {
        let Some(nodes) = nodes else {
            return Known::Forever;
        };
        match nodes.duration {
            Some(duration) => Known::Until(start + duration),
            None => Known::Endless(ConstantVelocities {
                points: points.to_vec(),
                start,
                nodes: nodes.clone(),
                until: start + FIRST,
            }),
        }
    }
}

/// The engine, and until when the motion of each body is known.
#[derive(Clone)]
pub struct State {
    pub engine: impact::ImpactEngine,
    known: Vec<Known>,
}

impl State {
    pub fn new(members: Vec<Member>, settings: &EngineSettings) -> Result<Self> {
        let known = |member: &Member| {
            let points = member.body.shape().points();
            Known::new(points, 0.0, member.nodes.as_ref())
        };
        let known = members.iter().map(known).collect();
        let bodies = members.into_iter().map(|member| member.body).collect();
        Ok(Self {
            engine: impact::ImpactEngine::with_bodies(bodies, settings)?,
            known,
        })
    }

    /// Returns the default horizon: the end `until` of the scene, at most the time until which all
    /// motions are known. It is an error if neither is finite while a body deforms without end.
    fn horizon(&self, until: Option<f64>, what: What) -> Result<f64> {
        let mut horizon = until.unwrap_or(f64::INFINITY).max(self.engine.time());
        let mut endless_body = None;
        for (body, known) in self.known.iter().enumerate() {
            match known {
                Known::Forever => {}
                Known::Until(until) => horizon = horizon.min(*until),
                Known::Endless(_) => endless_body = endless_body.or(Some(body)),
            }
        }
        match endless_body {
            Some(body) if horizon == f64::INFINITY => Err(not_finite(what, "None", body)),
            _ => Ok(horizon),
        }
    }

    /// Extends the node motions without end so that the engine knows them at least up to `time`.
    fn reach(&mut self, time: f64, what: What) -> Result<()> {
        let now = self.engine.time();
        for (body, known) in self.known.iter_mut().enumerate() {
            let Known::Endless(moving) = known else {
                continue;
            };
            if time.is_nan() || time <= moving.until {
                continue;
            }
            if time == f64::INFINITY {
                return Err(not_finite(what, "inf", body));
            }
            let mut duration = time - now;
            while now + duration < time {
                duration = duration.next_up();
            }
            let (points, ends) = (moving.at(now), moving.at(time));
            self.engine.set_nodes(body, &points, &ends, duration)?;
            moving.until = now + duration;
        }
        Ok(())
    }

    /// Whether the engine's lower bound of the next time of impact alone excludes a contact up to
    /// the horizon. False if there is no horizon, or if a node motion may have to be extended.
    pub fn is_idle(&self, horizon: Option<f64>) -> bool {
        let lasts = |known: &Known| matches!(known, Known::Endless(_));
        let is_early = horizon.is_some_and(|horizon| horizon < self.engine.next_time());
        is_early && !self.known.iter().any(lasts)
    }

    /// Returns the next contact up to a horizon; without one, up to the end of the scene, at most
    /// the time until which all motions are known.
    pub fn next_contact(
        &mut self,
        horizon: Option<f64>,
        end: Option<f64>,
    ) -> Result<Option<Impact>> {
        let horizon = horizon.map_or_else(|| self.horizon(end, What::Horizon), Ok)?;
        self.reach(horizon, What::Horizon)?;
        self.engine.next_contact(horizon)
    }

    /// Returns the first contact of each pair up to a time; without one, up to the end of the
    /// scene, at most the time until which all motions are known.
    pub fn first_contacts(
        &mut self,
        until: Option<f64>,
        end: Option<f64>,
    ) -> Result<FirstContacts> {
        let until = match until {
            Some(until) => until,
            None => self.horizon(end, What::Until)?,
        };
        self.reach(until, What::Until)?;
        self.engine.first_contacts(until)
    }

    pub fn advance(&mut self, time: f64) -> Result<()> {
        self.reach(time, What::Time)?;
        self.engine.advance(time)
    }

    /// Sets the positions of the nodes of a deforming body, and their motion.
    pub fn set_nodes(&mut self, body: usize, points: &[[f64; 3]], nodes: Nodes) -> Result<()> {
        let duration = nodes.duration.unwrap_or(FIRST);
        match nodes.are_velocities {
            true => (self.engine).set_node_velocities(body, points, &nodes.rows, duration)?,
            false => self.engine.set_nodes(body, points, &nodes.rows, duration)?,
        }
        self.known[body] = Known::new(points, self.engine.time(), Some(&Arc::new(nodes)));
        Ok(())
    }
}

fn not_finite(what: What, found: &str, body: usize) -> Error {
    let expected = format!("a finite time: body {body} deforms without end");
    Error::argument(what, found, expected)
}
