//! First contact of each pair of bodies.
//!
//! Contacts are found one after the other. A pair that has touched is ignored from then on, and
//! bodies continue without a response.

use super::{Certificate, Counts, ImpactContact, ImpactEngine};
use crate::error::{Argument, Error, Result, number};
use crate::memory;
use crate::settings::builders;

/// A search in time steps counts at most this many of them, and tests at predicted times from then
/// on.
const STEPS: f64 = (1_u64 << 52) as f64;

/// Settings of [`ImpactEngine::first_contacts_with`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FirstContactSettings {
    /// Length of the time steps of the search, which begin at time 0. The engine tests pairs only
    /// at the beginning of each step in which something may touch, for the entire step. If this is
    /// `None`, it tests pairs at each predicted time at which something may touch.
    pub step: Option<f64>,
    /// Whether the search stops at the first contact of any pair of bodies.
    pub only_first: bool,
}

builders! {
    FirstContactSettings {
        /// Length of the time steps of the search for first contacts. The engine tests pairs only
        /// at the beginning of each step in which something may touch.
        with_step(step: impl Into<Option<f64>>),
        /// Whether the search for first contacts stops at the first contact of any pair.
        with_only_first(only_first: bool),
    }
}

/// The first contact of each pair of bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct FirstContacts {
    /// The first contacts, ordered by `early`, then by bodies. A pair of bodies that touches at
    /// several points at the same time has several contacts.
    pub contacts: Vec<ImpactContact>,
    /// The times at which the search for first contacts tested pairs of bodies that may touch then,
    /// ascending. The predictions at the start of the search are not listed.
    pub wakeups: Vec<f64>,
    /// The time up to which the first contacts are complete. It is the end of the search; with
    /// `only_first`, the time of the first contact; or the time at which the search reached its
    /// work limit.
    pub searched: f64,
    /// False if the work limit [`EngineSettings::work`] ended the search
    /// ([`Certificate::Unresolved`]), else true.
    ///
    /// [`EngineSettings::work`]: super::EngineSettings::work
    pub is_complete: bool,
    /// Total counts of the work of the engine: in the search for first contacts, and in all queries
    /// to the engine before that.
    pub counts: Counts,
}

impl ImpactEngine {
    /// The first contact of each pair of bodies from now up to a time, without ignored pairs.
    ///
    /// The engine does not change: its time, ignored pairs and counts stay.
    ///
    /// ```
    /// use tangere::geometry::Pose;
    /// use tangere::impact::{Body, BodyShape, EngineSettings, ImpactEngine, RigidMotion};
    ///
    /// // A ball flies past two others.
    /// let ball = |x: f64, y: f64, v: f64| {
    ///     let pose = Pose::from_translation([x, y, 0.0])?;
    ///     let motion = RigidMotion::new(pose, [v, 0.0, 0.0], [0.0; 3], [0.0; 3])?;
    ///     Ok::<_, tangere::Error>(Body::new(BodyShape::ball(0.5)?, motion))
    /// };
    /// let bodies = vec![ball(0.0, 0.0, 1.0)?, ball(7.0, 0.6, 0.0)?, ball(4.0, -0.6, 0.0)?];
    /// let engine = ImpactEngine::with_bodies(bodies, &EngineSettings::default())?;
    /// let found = engine.first_contacts(10.0)?;
    /// let pairs: Vec<_> = found.contacts.iter().map(|c| [c.a, c.b]).collect();
    /// assert_eq!(pairs, [[0, 2], [0, 1]]);
    /// assert!((found.contacts[0].early - 3.2).abs() < 1e-12 && found.is_complete);
    /// # Ok::<(), tangere::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::next_contact`].
    pub fn first_contacts(&self, until: f64) -> Result<FirstContacts> {
        self.first_contacts_with(until, &FirstContactSettings::default())
    }

    /// The first contact of each pair of bodies from now up to a time, with settings.
    ///
    /// # Errors
    /// As [`Self::first_contacts`], and when the step is not a finite number above 0.
    pub fn first_contacts_with(
        &self,
        until: f64,
        settings: &FirstContactSettings,
    ) -> Result<FirstContacts> {
        self.check_horizon(until)?;
        if let Some(step) = settings.step
            && !(step > 0.0 && step.is_finite())
        {
            let expected = "a finite number above 0";
            return Err(Error::argument(Argument::Step, number(step), expected));
        }
        let mut search = FirstContactSearch {
            engine: self.clone(),
            only_first: settings.only_first,
            found: FirstContacts {
                contacts: Vec::new(),
                wakeups: Vec::new(),
                searched: until,
                is_complete: true,
                counts: Counts::default(),
            },
        };
        search.engine.most_work = Some(search.engine.renewed_work());
        search.run(until, settings.step)?;
        let mut found = search.found;
        found.counts = search.engine.counts();
        found.contacts.sort_by(|x, y| {
            x.early
                .total_cmp(&y.early)
                .then((x.a, x.b).cmp(&(y.a, y.b)))
        });
        Ok(found)
    }
}

/// The state of a search for first contacts: a copy of the engine, and the result so far.
struct FirstContactSearch {
    engine: ImpactEngine,
    only_first: bool,
    found: FirstContacts,
}

impl FirstContactSearch {
    /// Runs the search for the first contacts of all pairs of bodies up to a time.
    fn run(&mut self, until: f64, step: Option<f64>) -> Result<()> {
        let mut goes_on = self.collect_until(self.engine.time())?;
        let mut steps: u64 = 0;
        while goes_on && self.engine.time() < until {
            let wake = self.engine.next_time();
            // If the time is infinite no work is left.
            if wake > until || wake == f64::INFINITY {
                break;
            }
            // Beyond 2^52 steps the beginnings of steps are not exact.
            match step.filter(|step| wake / step < STEPS) {
                None => {
                    if self.found.wakeups.last() != Some(&wake) {
                        self.wake(wake)?;
                    }
                    goes_on = self.collect_until(wake)?;
                }
                Some(step) => {
                    // Steps before the one that contains this time are skipped.
                    steps = steps.max((wake / step).floor() as u64);
                    while (steps + 1) as f64 * step <= wake && wake < until {
                        steps += 1;
                    }
                    self.wake(steps as f64 * step)?;
                    steps += 1;
                    let end = (steps as f64 * step).min(until).max(wake);
                    goes_on = self.collect_until(end)?;
                    self.engine.advance(end)?;
                }
            }
        }
        Ok(())
    }

    /// Records a wake-up of the search for first contacts: a time at which the engine tests pairs
    /// of bodies that may touch then.
    fn wake(&mut self, time: f64) -> Result<()> {
        memory::reserve(&mut self.found.wakeups, 1, Argument::WakeUps)?;
        self.found.wakeups.push(time);
        Ok(())
    }

    /// Collects the first contacts of pairs of bodies up to a time; returns whether to continue.
    fn collect_until(&mut self, horizon: f64) -> Result<bool> {
        while let Some(impact) = self.engine.next_contact(horizon)? {
            if impact.certificate == Certificate::Unresolved {
                self.found.searched = impact.early;
                self.found.is_complete = false;
                return Ok(false);
            }
            for contact in &impact.contacts {
                self.engine.ignore(contact.a as usize, contact.b as usize)?;
            }
            let more = impact.contacts.len();
            memory::reserve(&mut self.found.contacts, more, Argument::Contacts)?;
            self.found.contacts.extend(impact.contacts);
            self.engine.most_work = Some(self.engine.renewed_work());
            if self.only_first {
                self.found.searched = impact.early;
                return Ok(false);
            }
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;
    use crate::geometry::Pose;
    use crate::impact::{Body, BodyShape, EngineSettings, RigidMotion};

    /// A row of meshed spheres and balls, each faster than the one before.
    fn engine(settings: &EngineSettings) -> ImpactEngine {
        let sphere = BodyShape::of_mesh(generate::sphere(2).unwrap()).unwrap();
        let ball = BodyShape::ball(1.0).unwrap();
        let body = |i: usize| {
            let pose = Pose::from_translation([4.0 * i as f64, 0.1 * i as f64, 0.0]).unwrap();
            let velocity = [-(i as f64).powi(2), 0.0, 0.0];
            let spin = [0.0, 0.3 * i as f64, 0.0];
            let motion = RigidMotion::new(pose, velocity, spin, [0.0; 3]).unwrap();
            Body::new([&sphere, &ball][i % 2].clone(), motion)
        };
        ImpactEngine::with_bodies((0..5).map(body).collect(), settings).unwrap()
    }

    #[test]
    fn every_pair_touches_once_as_in_single_queries() {
        let engine = engine(&EngineSettings::default());
        let found = engine.first_contacts(20.0).unwrap();
        assert!(found.is_complete && found.searched == 20.0);
        let (mut queried, mut expected) = (engine.clone(), Vec::new());
        while let Some(impact) = queried.next_contact(20.0).unwrap() {
            for contact in &impact.contacts {
                queried
                    .ignore(contact.a as usize, contact.b as usize)
                    .unwrap();
            }
            expected.extend(impact.contacts);
        }
        assert_eq!(found.contacts, expected);
        assert_eq!(found.contacts.len(), 10);
        assert!(found.wakeups.is_sorted());
        assert!(found.contacts.is_sorted_by_key(|c| c.early));
        // The engine has not changed.
        assert_eq!((engine.time(), engine.counts()), (0.0, Counts::default()));
        assert_eq!(engine.first_contacts(20.0).unwrap(), found);
        assert_eq!(
            engine.first_contacts(f64::INFINITY).unwrap().contacts,
            found.contacts
        );
    }

    #[test]
    fn steps_and_the_first_of_all() {
        let engine = engine(&EngineSettings::default());
        let all = engine.first_contacts(20.0).unwrap();
        let stepping = FirstContactSettings::default().with_step(0.25);
        let found = engine.first_contacts_with(20.0, &stepping).unwrap();
        let pairs = |found: &FirstContacts| -> Vec<[u32; 2]> {
            found.contacts.iter().map(|c| [c.a, c.b]).collect()
        };
        assert_eq!(pairs(&found), pairs(&all));
        assert!(found.wakeups.iter().all(|t| (t / 0.25).fract() == 0.0));
        let first = stepping.with_step(None).with_only_first(true);
        let found = engine.first_contacts_with(20.0, &first).unwrap();
        assert_eq!(found.contacts, all.contacts[..1]);
        assert!(found.is_complete && found.searched == all.contacts[0].early);
    }

    #[test]
    fn later_and_without_pairs() {
        let mut engine = engine(&EngineSettings::default());
        let all = engine.first_contacts(20.0).unwrap();
        let middle = 0.5 * (all.contacts[3].early + all.contacts[4].early);
        engine.ignore(0, 1).unwrap();
        let found = engine.first_contacts(middle).unwrap();
        let early = all.contacts[..4].iter().filter(|c| [c.a, c.b] != [0, 1]);
        assert!(found.contacts.iter().eq(early));
        // Bodies that overlap now touch now.
        engine.advance(middle).unwrap();
        let found = engine.first_contacts(20.0).unwrap();
        assert_eq!(found.contacts[0].certificate, Certificate::Overlap);
        assert_eq!(found.contacts[0].early, middle);
    }

    #[test]
    fn a_search_that_gives_up_reports_how_far_it_came() {
        let engine = engine(&EngineSettings::default().with_work(1));
        let found = engine.first_contacts(20.0).unwrap();
        assert!(!found.is_complete && found.searched < 20.0);
        let all = super::tests::engine(&EngineSettings::default());
        let all = all.first_contacts(20.0).unwrap();
        let later = all.contacts.iter().filter(|c| c.late < found.searched);
        assert!(later.count() <= found.contacts.len());
    }

    #[test]
    fn bad_times_are_refused() {
        let mut engine = engine(&EngineSettings::default());
        engine.advance(1.0).unwrap();
        for until in [0.5, f64::NAN, f64::NEG_INFINITY] {
            let refused = engine.first_contacts(until).unwrap_err();
            let is_horizon = matches!(
                refused,
                Error::Argument {
                    what: Argument::Horizon,
                    ..
                }
            );
            assert!(is_horizon, "{refused}");
        }
        for step in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let settings = FirstContactSettings::default().with_step(step);
            let refused = engine.first_contacts_with(2.0, &settings).unwrap_err();
            let is_step = matches!(
                refused,
                Error::Argument {
                    what: Argument::Step,
                    ..
                }
            );
            assert!(is_step, "{refused}");
        }
    }
}
