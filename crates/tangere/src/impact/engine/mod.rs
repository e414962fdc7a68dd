//! Continuous collision detection engine: the first contact of moving bodies, in three phases
//! (`aragon2013`).
//!
//! | phase | question | file |
//! |---|---|---|
//! | broad phase | which pairs of bodies may meet, and the earliest time | `broad_phase`, over `pairs` |
//! | traversal | which nodes of their BVHs may touch first, by a priority queue over time | `search`, `priority_queue`, `frame_cache`, `lower_bounds`, `box_bound`, `ball_bound`, `face_bound`, `revolution`, over `hierarchy` |
//! | narrow phase | when two faces touch, and how | `conservative_advancement`, `separating_axes`, `third_order`, `linear_motion`, `ball_pair`, `curved`, `contact_geometry`, `resting_contact`, over `closest`, `primitive`, `trajectory` |
//!
//! Bodies are rigid ([`RigidMotion`]) or deform, node by node. The engine predicts: while motions
//! do not change, queries cost nothing until the first time at which something may touch. When a
//! body gets a new motion, only the pairs of that body are predicted again.
//!
//! Conservative: the reported time is a lower bound of the time of impact, up to the rounding of
//! positions.
//!
//! Cost of a query for a body of 18,000 faces and a plate: some microseconds in translation, tens
//! with spin, besides building the hierarchy.
//!
//! *Deviates:* `aragon2013` tests at each time step whether volumes overlap and may find a contact
//! late; here each phase bounds the time of impact from below. Bodies that overlap at the start are
//! reported, not refused.

mod ball_bound;
mod ball_pair;
mod body;
mod body_shape;
mod box_bound;
mod broad_phase;
mod bvh_node;
mod bvh_node_lanes;
mod conservative_advancement;
mod contact_geometry;
mod curved;
mod deformation;
mod engine_settings;
mod face_bound;
mod faces_at_points;
mod finite_elements;
mod first_contacts;
mod found_contacts;
mod frame_cache;
mod gap_bound;
mod impact_contact;
mod lane_vectors;
mod last_axis;
mod linear_motion;
mod lower_bounds;
mod motion_estimate;
mod mover;
mod priority_queue;
mod relative_frame;
mod resting_contact;
mod revolution;
mod search;
mod separating_axes;
mod third_order;
mod triangle_pair;

pub use body::Body;
pub use body_shape::BodyShape;
pub use engine_settings::EngineSettings;
pub use face_bound::Refinement;
pub use first_contacts::{FirstContactSettings, FirstContacts};
pub use impact_contact::{Certificate, Counts, Impact, ImpactContact};
pub use motion_estimate::Observed;

use std::collections::BTreeSet;

use super::rigid_motion::RigidMotion;
use crate::error::{Argument, Error, Result, number};
use crate::geometry::COORDINATE_MAX;
use crate::memory;
use broad_phase::BroadPhase;
use found_contacts::FoundContacts;
use motion_estimate::Observations;
use mover::Mover;
use priority_queue::Entry;
use search::{Search, SearchEnd, SearchSettings};

/// The first contact of moving bodies: predicts the next impact and updates it as motions change.
///
/// ```
/// use tangere::generate;
/// use tangere::geometry::Pose;
/// use tangere::impact::{Body, BodyShape, EngineSettings, ImpactEngine, RigidMotion};
///
/// // Two meshed spheres, thrown against each other.
/// let sphere = BodyShape::of_mesh(generate::sphere(4)?)?;
/// let thrown = |x: f64, v: f64| {
///     let pose = Pose::from_translation([x, 0.0, 0.0])?;
///     let gravity = [0.0, 0.0, -9.81];
///     RigidMotion::new(pose, [v, 0.0, 50.0 * 3.0_f64.sqrt()], [0.0; 3], gravity)
/// };
/// let bodies = vec![
///     Body::new(sphere.clone(), thrown(0.0, 50.0)?),
///     Body::new(sphere, thrown(1500.0, -50.0)?),
/// ];
/// let mut engine = ImpactEngine::with_bodies(bodies, &EngineSettings::default())?;
/// let Some(impact) = engine.next_contact(20.0)? else { panic!() };
/// assert!(impact.early <= 14.98 && 14.98 <= impact.late && impact.late - impact.early < 1e-12);
/// // Advance to the impact, then change the motions.
/// engine.advance(impact.early)?;
/// for body in 0..2 {
///     let now = engine.motion(body)?;
///     let [x, y, z] = now.velocity();
///     engine.set_motion(body, RigidMotion::new(now.pose(), [-x, y, z], now.spin(), now.acceleration())?)?;
/// }
/// assert_eq!(engine.next_contact(20.0)?, None);
/// # Ok::<(), tangere::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ImpactEngine {
    movers: Vec<Mover>,
    now: f64,
    search_settings: SearchSettings,
    self_contact: bool,
    search: Search,
    broad_phase: BroadPhase,
    ignored: BTreeSet<[u32; 2]>,
    observations: Vec<Observations>,
    /// The next impact if it is known, and the queue entries of its contacts, which are queued
    /// again when the impact is discarded.
    answer: Option<(Impact, Vec<Entry>)>,
    /// Contacts that the last search had found when it reached its work limit or was stopped. The
    /// next search continues with them.
    found: FoundContacts,
    /// The time up to which the engine has searched without finding a contact.
    free_until: f64,
    /// The work at which the engine gives up, if several queries share one work limit.
    most_work: Option<u64>,
}

impl ImpactEngine {
    /// An impact engine without bodies.
    ///
    /// # Errors
    /// When the separation is negative or above 1.6e60.
    pub fn new(settings: EngineSettings) -> Result<Self> {
        if !(settings.separation >= 0.0 && settings.separation <= COORDINATE_MAX) {
            let expected = "a number from 0 to 1.6e60";
            let found = number(settings.separation);
            return Err(Error::argument(Argument::Separation, found, expected));
        }
        let search_settings = SearchSettings {
            volume: settings.volume,
            refinement: settings.refinement,
            separation: settings.separation,
            work: settings.work,
        };
        Ok(Self::at_start(
            Vec::new(),
            search_settings,
            settings.self_contact,
        ))
    }

    /// An impact engine of bodies at time 0, with nothing searched yet.
    fn at_start(bodies: Vec<Body>, search_settings: SearchSettings, self_contact: bool) -> Self {
        ImpactEngine {
            observations: vec![Observations::default(); bodies.len()],
            movers: bodies
                .into_iter()
                .map(|body| Mover::new(body, 0.0))
                .collect(),
            now: 0.0,
            search_settings,
            self_contact,
            search: Search::default(),
            broad_phase: BroadPhase::new(),
            ignored: BTreeSet::new(),
            answer: None,
            found: FoundContacts::default(),
            free_until: 0.0,
            most_work: None,
        }
    }

    /// Replaces all bodies of the impact engine; the time is 0 again, and no pair is ignored.
    ///
    /// # Errors
    /// When there are more than 2^32 - 1 bodies; the engine then stays as it was.
    pub fn update(&mut self, bodies: Vec<Body>) -> Result<()> {
        if bodies.len() > u32::MAX as usize {
            let most = u32::MAX as usize;
            return Err(Error::too_many(Argument::Bodies, bodies.len(), most));
        }
        *self = Self::at_start(bodies, self.search_settings, self.self_contact);
        for body in 0..self.movers.len() as u32 {
            self.push_self_contact(body);
        }
        Ok(())
    }

    /// An impact engine of bodies at time 0: [`ImpactEngine::new`], then [`ImpactEngine::update`].
    ///
    /// # Errors
    /// As [`ImpactEngine::new`] and [`ImpactEngine::update`].
    pub fn with_bodies(bodies: Vec<Body>, settings: &EngineSettings) -> Result<Self> {
        let mut engine = Self::new(*settings)?;
        engine.update(bodies)?;
        Ok(engine)
    }

    /// The number of bodies of the impact engine.
    pub fn len(&self) -> usize {
        self.movers.len()
    }

    /// Whether the impact engine has no bodies.
    pub fn is_empty(&self) -> bool {
        self.movers.is_empty()
    }

    /// The current time of the impact engine.
    pub fn time(&self) -> f64 {
        self.now
    }

    /// The body with this index in the impact engine, with the motion that was last set.
    ///
    /// # Errors
    /// When there is no such body.
    pub fn body(&self, body: usize) -> Result<&Body> {
        Ok(&self.mover(body)?.body)
    }

    /// The current motion of a rigid body of the impact engine.
    ///
    /// # Errors
    /// When there is no such body, or it has left the range of coordinates.
    pub fn motion(&self, body: usize) -> Result<RigidMotion> {
        let mover = self.mover(body)?;
        mover.motion().after(self.now - mover.since)
    }

    /// The current positions of the nodes of a body of the impact engine.
    ///
    /// # Errors
    /// When there is no such body, or it has left the range of coordinates.
    pub fn nodes(&self, body: usize, out: &mut Vec<[f64; 3]>) -> Result<()> {
        let mover = self.mover(body)?;
        let s = self.now - mover.since;
        let points = mover.body.shape.points();
        out.clear();
        memory::reserve(out, points.len(), Argument::Points)?;
        match &mover.body.deformation {
            Some(deformation) => {
                let share = s / deformation.duration;
                let of = |(p, end): (&[f64; 3], &[f64; 3])| match self.now >= mover.until() {
                    true => *end,
                    false => std::array::from_fn(|k| p[k] + (end[k] - p[k]) * share),
                };
                out.extend(points.iter().zip(&deformation.ends).map(of));
            }
            None => {
                let pose = mover.motion().after(s)?.pose();
                out.extend(points.iter().map(|&p| pose.apply(p)));
            }
        }
        Ok(())
    }

    /// The work that the impact engine has done so far.
    pub fn counts(&self) -> Counts {
        self.search.counts
    }

    /// A lower bound of the next time of impact in the engine. Queries up to this time cost
    /// nothing.
    pub fn next_time(&self) -> f64 {
        match &self.answer {
            Some((impact, _)) => impact.early,
            None => {
                let next = self.search.next_time().min(self.found.early());
                next.min(self.broad_phase.until()).max(self.now)
            }
        }
    }

    /// The first contact of the bodies of the engine from now up to the horizon, with all contacts
    /// whose time intervals overlap its own; `None` if nothing touches.
    ///
    /// Bodies that overlap now touch now, with [`Certificate::Overlap`]; [`Self::ignore`] excludes
    /// them. Bodies that touch now and separate are not reported.
    ///
    /// # Errors
    /// When the horizon is before now or NaN, or after the time until which all motions are known.
    pub fn next_contact(&mut self, horizon: f64) -> Result<Option<Impact>> {
        self.check_horizon(horizon)?;
        if self.answer.is_none() && (self.free_until < horizon || self.free_until == self.now) {
            self.run_search(horizon)?;
        }
        let within = |(impact, _): &&(Impact, Vec<Entry>)| impact.early <= horizon;
        let answer = self
            .answer
            .as_ref()
            .filter(within)
            .map(|(impact, _)| impact.clone());
        // A search that reached its work limit continues at the next query.
        if answer
            .as_ref()
            .is_some_and(|a| a.certificate == Certificate::Unresolved)
        {
            self.answer = None;
        }
        Ok(answer)
    }

    /// An error if the horizon of a query to the impact engine is before now, or after the time
    /// until which all motions are known.
    fn check_horizon(&self, horizon: f64) -> Result<()> {
        if horizon.is_nan() || horizon < self.now {
            let expected = format!("a time from now, {}, on", number(self.now));
            return Err(Error::argument(
                Argument::Horizon,
                number(horizon),
                expected,
            ));
        }
        for (body, mover) in self.movers.iter().enumerate() {
            let known = mover.until();
            if horizon > known {
                let expected = format!(
                    "at most {}, until which the motion of body {body} is known",
                    number(known)
                );
                return Err(Error::argument(
                    Argument::Horizon,
                    number(horizon),
                    expected,
                ));
            }
        }
        Ok(())
    }

    /// Runs the search of the impact engine up to a horizon, and stores the next impact.
    fn run_search(&mut self, horizon: f64) -> Result<()> {
        let mut found = std::mem::take(&mut self.found);
        let most = self.most_work.unwrap_or_else(|| self.renewed_work());
        let end = self.find_contacts(horizon, most, &mut found);
        match end {
            Err(error) => {
                self.found = found;
                return Err(error);
            }
            // The contacts found may be neither the first nor complete.
            Ok(SearchEnd::OutOfWork(time)) => {
                let impact = Impact::unresolved(time.min(found.early()));
                self.found = found;
                self.answer = Some((impact, Vec::new()));
            }
            _ if found.contacts.is_empty() => self.free_until = horizon,
            // What may be the first contact is none that is known.
            _ if found.is_hidden() => {
                let impact = Impact::unresolved(found.early());
                self.found = found;
                self.answer = Some((impact, Vec::new()));
            }
            _ => {
                let entries = found.entries().collect();
                found.contacts.retain(|found| !found.touch.is_hidden);
                self.answer = Some((
                    Impact::new(&self.movers, &found, self.search_settings.separation),
                    entries,
                ));
            }
        }
        Ok(())
    }

    /// The work at which the engine gives up if its work limit counts from now on.
    fn renewed_work(&self) -> u64 {
        self.search.work().saturating_add(self.search_settings.work)
    }

    /// Finds the first contact of the engine up to a horizon, and all contacts that may be
    /// simultaneous with it, even if they are after the horizon. Search and broad phase take turns
    /// until their work is above `most`.
    fn find_contacts(
        &mut self,
        horizon: f64,
        most: u64,
        found: &mut FoundContacts,
    ) -> Result<SearchEnd> {
        loop {
            let known = self.broad_phase.until();
            let until = known.min(horizon);
            let settings = &self.search_settings;
            let end = (self.search).run(&self.movers, self.now, until, settings, most, found)?;
            let wanted = found.until().unwrap_or(horizon);
            if known >= wanted || end != SearchEnd::Complete {
                return Ok(end);
            }
            self.extend_broad_phase()?;
        }
    }

    /// Extends the broad phase of the impact engine to a later time, and queues the new pairs of
    /// bodies with lower bounds of their times of impact.
    fn extend_broad_phase(&mut self) -> Result<()> {
        let (movers, ignored) = (&self.movers, &self.ignored);
        let (search, search_settings) = (&mut self.search, &self.search_settings);
        self.broad_phase
            .extend(movers, self.now, search_settings.separation, |pair| {
                if !ignored.contains(&pair) {
                    predict(search, movers, pair, search_settings);
                }
            })
    }

    /// Advances the impact engine to a time. Bodies follow their motions and pass through whatever
    /// they meet.
    ///
    /// # Errors
    /// When the time is before now or not finite.
    pub fn advance(&mut self, time: f64) -> Result<()> {
        if !(time >= self.now && time < f64::INFINITY) {
            let expected = format!("a finite time from now, {}, on", number(self.now));
            return Err(Error::argument(Argument::Time, number(time), expected));
        }
        self.now = time;
        let is_passed = |(impact, _): &(Impact, Vec<Entry>)| impact.early < time;
        if self.answer.as_ref().is_some_and(is_passed) || self.found.early() < time {
            self.forget_answer();
        }
        Ok(())
    }

    /// Sets the motion of a rigid body of the impact engine from now on.
    ///
    /// # Errors
    /// When there is no such body, or it deforms.
    pub fn set_motion(&mut self, body: usize, motion: RigidMotion) -> Result<()> {
        self.mover(body)?;
        self.movers[body].body.set_motion(motion)?;
        self.restart(body);
        Ok(())
    }

    /// Sets the current positions of the nodes of a deforming body of the impact engine, and their
    /// linear motion to `ends` within a duration.
    ///
    /// # Errors
    /// As [`Body::deforming`], and when there is no such body or it is rigid.
    pub fn set_nodes(
        &mut self,
        body: usize,
        points: &[[f64; 3]],
        ends: &[[f64; 3]],
        duration: f64,
    ) -> Result<()> {
        self.mover(body)?;
        self.movers[body].body.set_nodes(points, ends, duration)?;
        self.search.counts.update += 1;
        self.restart(body);
        Ok(())
    }

    /// Sets the current positions of the nodes of a deforming body of the impact engine, and their
    /// velocities for a duration.
    ///
    /// # Errors
    /// As [`Self::set_nodes`].
    pub fn set_node_velocities(
        &mut self,
        body: usize,
        points: &[[f64; 3]],
        velocities: &[[f64; 3]],
        duration: f64,
    ) -> Result<()> {
        let ends = deformation::moved(points, velocities, duration)?;
        self.set_nodes(body, points, &ends, duration)
    }

    /// Excludes a pair of bodies of the impact engine, such as two that overlap or are joined. A
    /// body paired with itself excludes its self-contact.
    ///
    /// # Errors
    /// When there is no such body.
    pub fn ignore(&mut self, a: usize, b: usize) -> Result<()> {
        let pair = self.pair(a, b)?;
        if self.ignored.insert(pair) {
            self.forget_answer();
            self.search.forget(|bodies| bodies == pair);
        }
        Ok(())
    }

    /// Includes an ignored pair of bodies of the impact engine again.
    ///
    /// # Errors
    /// When there is no such body.
    pub fn watch(&mut self, a: usize, b: usize) -> Result<()> {
        let pair = self.pair(a, b)?;
        if self.ignored.remove(&pair) {
            self.forget_answer();
            if pair[0] == pair[1] {
                self.push_self_contact(pair[0]);
            } else {
                self.broad_phase.mark_listed(pair);
                predict(&mut self.search, &self.movers, pair, &self.search_settings);
            }
        }
        Ok(())
    }

    /// The body with this index in the impact engine, with its motion; an error if there is none.
    fn mover(&self, body: usize) -> Result<&Mover> {
        self.movers.get(body).ok_or_else(|| {
            let expected = match self.movers.len() {
                0 => "nothing: there are no bodies".to_owned(),
                n => format!("0 to {}", n - 1),
            };
            Error::argument(Argument::Body, body, expected)
        })
    }

    /// The pair of two bodies of the impact engine, the lower index first; an error if there is no
    /// such body.
    fn pair(&self, a: usize, b: usize) -> Result<[u32; 2]> {
        self.mover(a)?;
        self.mover(b)?;
        Ok([a.min(b) as u32, a.max(b) as u32])
    }

    /// Computes lower bounds of the time of impact of all pairs of a body of the impact engine
    /// again, after the motion of the body has changed.
    fn restart(&mut self, body: usize) {
        self.forget_answer();
        self.movers[body].restart(self.now);
        let body = body as u32;
        self.search.forget(|bodies| bodies.contains(&body));
        self.push_self_contact(body);
        let (movers, ignored) = (&self.movers, &self.ignored);
        let (search, search_settings) = (&mut self.search, &self.search_settings);
        self.broad_phase
            .update_body(movers, body, self.now, search_settings.separation, |pair| {
                if !ignored.contains(&pair) {
                    predict(search, movers, pair, search_settings);
                }
            });
    }

    /// Queues the self-contact of a deforming body of the impact engine.
    fn push_self_contact(&mut self, body: u32) {
        let mover = &self.movers[body as usize];
        let pair = [body, body];
        if self.self_contact && mover.body.is_deforming() && !self.ignored.contains(&pair) {
            self.search.push(Entry {
                time: mover.since,
                bodies: pair,
                parts: [0, 0],
                refined: false,
                steps: 0,
            });
        }
    }

    /// Forgets the next impact of the engine: puts the entries of its contacts back into the queue.
    fn forget_answer(&mut self) {
        self.free_until = self.now;
        let answered = self.answer.take().map(|(_, entries)| entries);
        let found = std::mem::take(&mut self.found);
        for entry in answered.into_iter().flatten().chain(found.entries()) {
            self.search.push(entry);
        }
    }
}

/// Predicts a pair of bodies of the impact engine: queues it with a lower bound of its time of
/// impact.
fn predict(
    search: &mut Search,
    movers: &[Mover],
    pair: [u32; 2],
    search_settings: &SearchSettings,
) {
    let from = pair.map(|i| movers[i as usize].since);
    let from = from[0].max(from[1]);
    let time = search.lower_bound(movers, pair, [0, 0], from, search_settings);
    search.counts.trajectory += 1;
    search.counts.volume -= 1;
    search.push(Entry {
        time,
        bodies: pair,
        parts: [0, 0],
        refined: false,
        steps: 0,
    });
}
