//! The same bits for any number of threads, order of storage, skin and way of cutting a run into pieces,
//! and after restarts.

use super::systems::{
    Random, cell, law, on_all, on_group, random_spheres, setup, spheres_at, two_kinds, wall,
};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use tangere_sim::deck::{Deck, Options, Outputs, Runner, Watch};
use tangere_sim::region::Region;
use tangere_sim::setup::{Border, Change, Deform, Effect, Motion, Remap, Setup, Spheres};
use tangere_sim::{Checkpoint, Error, Simulation};

/// About a thousand spheres of two kinds that fall onto a floor, some of them driven: more than one part
/// for several threads.
fn system() -> (Setup, Spheres) {
    let mut setup = setup(cell([12.0, 10.0, 20.0], [true, true, false]), two_kinds(5));
    let gravity = Effect::Gravity([2.0, 0.0, -9.81]);
    setup.actions.push(on_all("gravity", gravity));
    let floor = Region::Planes {
        axis: 2,
        low: Some(0.02),
        high: None,
    };
    setup.actions.push(on_all("floor", wall(floor, law(3))));
    let drive = Motion::Linear([Some(2.0), None, None]);
    setup
        .actions
        .push(on_group("drive", 2, Effect::Move(drive)));
    let spheres = random_spheres(&mut Random(1), [12, 10, 9], 1.0);
    (setup, spheres)
}

const STEPS: u64 = 150;

fn end_of(setup: &Setup, spheres: &Spheres) -> u64 {
    let mut simulation = Simulation::new(setup.clone(), spheres).unwrap();
    simulation.advance(STEPS).unwrap();
    assert!(simulation.contact_count() > 100);
    simulation.hash()
}

pub fn with_threads<T: Send>(threads: usize, f: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build().unwrap().install(f)
}

#[test]
fn threads_change_nothing() {
    let (setup, spheres) = system();
    let expected = with_threads(1, || end_of(&setup, &spheres));
    for threads in [2, 3, 8] {
        let own = with_threads(threads, || end_of(&setup, &spheres));
        assert_eq!(own, expected, "{threads} threads");
    }
    // A hash that cannot fail is none.
    let mut other = spheres.clone();
    other.velocities[17][1] += 1e-12;
    assert_ne!(end_of(&setup, &other), expected);
}

/// Spheres of a long periodic tube touch others at its ends, whose rows are far away: on one thread their pairs
/// have blocks of their own, on several they are pairs of different parts.
#[test]
fn pairs_of_distant_rows_are_like_others() {
    let setup = setup(cell([4.0, 4.0, 122.0], [true; 3]), two_kinds(5));
    let mut spheres = random_spheres(&mut Random(2), [4, 4, 122], 1.0);
    for velocity in &mut spheres.velocities {
        velocity[2] += 20.0;
    }
    let expected = with_threads(1, || end_of(&setup, &spheres));
    for threads in [2, 3] {
        let own = with_threads(threads, || end_of(&setup, &spheres));
        assert_eq!(own, expected, "{threads} threads");
    }
}

#[test]
fn order_of_spheres_changes_nothing() {
    let (setup, spheres) = system();
    let expected = end_of(&setup, &spheres);
    let mut order: Vec<usize> = (0..spheres.ids.len()).collect();
    for seed in 0..2 {
        Random(seed).shuffle(&mut order);
        fn by<T: Copy>(column: &[T], order: &[usize]) -> Vec<T> {
            order.iter().map(|&i| column[i]).collect()
        }
        let shuffled = Spheres {
            ids: by(&spheres.ids, &order),
            kinds: by(&spheres.kinds, &order),
            groups: by(&spheres.groups, &order),
            positions: by(&spheres.positions, &order),
            images: by(&spheres.images, &order),
            velocities: by(&spheres.velocities, &order),
            spins: by(&spheres.spins, &order),
            radii: by(&spheres.radii, &order),
            masses: by(&spheres.masses, &order),
            forces: by(&spheres.forces, &order),
            torques: by(&spheres.torques, &order),
        };
        assert_eq!(end_of(&setup, &shuffled), expected, "seed {seed}");
    }
}

#[test]
fn skins_change_nothing() {
    let (mut setup, spheres) = system();
    let expected = end_of(&setup, &spheres);
    for skin in [0.0, 0.003, 0.6, 4.0] {
        setup.skin = skin;
        assert_eq!(end_of(&setup, &spheres), expected, "skin {skin}");
    }
}

#[test]
fn pieces_change_nothing() {
    let (setup, spheres) = system();
    let expected = end_of(&setup, &spheres);
    for length in [1, 7, 60] {
        let mut simulation = Simulation::new(setup.clone(), &spheres).unwrap();
        while simulation.step_number() < STEPS {
            let left = STEPS - simulation.step_number();
            simulation.advance(left.min(length)).unwrap();
        }
        assert_eq!(simulation.hash(), expected, "pieces of {length}");
    }
}

/// Goes on from the bytes of a checkpoint.
fn restarted(simulation: &Simulation) -> Simulation {
    let checkpoint = Checkpoint {
        state: simulation.state(),
        note: "here".into(),
    };
    let bytes = checkpoint.to_bytes().unwrap();
    let read = Checkpoint::from_bytes(&bytes).unwrap();
    assert_eq!(read, checkpoint);
    let restarted = Simulation::from_state(read.state).unwrap();
    assert_eq!(restarted.hash(), simulation.hash());
    restarted
}

#[test]
fn restarts_change_nothing() {
    let (setup, spheres) = system();
    let expected = end_of(&setup, &spheres);
    let mut random = Random(9);
    for threads in [1, 3] {
        let mut stops: Vec<u64> = (0..5).map(|_| random.below(STEPS)).collect();
        stops.sort_unstable();
        let own = with_threads(threads, || {
            let mut simulation = Simulation::new(setup.clone(), &spheres).unwrap();
            for &stop in &stops {
                simulation.advance(stop - simulation.step_number()).unwrap();
                simulation = restarted(&simulation);
            }
            simulation
                .advance(STEPS - simulation.step_number())
                .unwrap();
            simulation.hash()
        });
        assert_eq!(own, expected, "stops {stops:?}");
    }
}

/// A cell that shears and shrinks while spheres leave it: the state between two steps is all there is.
#[test]
fn restarts_of_cells_that_change() {
    for remap in [Remap::Positions, Remap::None] {
        let mut setup = setup(cell([4.0; 3], [true; 3]), two_kinds(4));
        let deform = Deform {
            from: setup.cell,
            start: 0.0,
            every: 3,
            sizes: [Some(Change::Linear([0.5, -0.5])), None, None],
            tilts: [None, None, Some(Change::Linear([0.0, 20.0]))],
            remap,
        };
        let deform = Effect::Deform(Box::new(deform));
        setup.actions.push(on_all("deform", deform));
        let spheres = random_spheres(&mut Random(3), [4, 4, 4], 1.0);
        let mut whole = Simulation::new(setup.clone(), &spheres).unwrap();
        whole.advance(200).unwrap();
        let mut parts = Simulation::new(setup, &spheres).unwrap();
        for _ in 0..20 {
            parts.advance(10).unwrap();
            parts = restarted(&parts);
        }
        assert_eq!(parts.hash(), whole.hash(), "{remap:?}");
    }
}

/// Spheres that leave the cell are removed in the step in which they leave, whatever the list.
#[test]
fn spheres_that_leave() {
    let mut setup = setup(cell([6.0, 6.0, 4.0], [false; 3]), two_kinds(2));
    setup.cell.border = [Border::Sink; 3];
    let spheres = random_spheres(&mut Random(4), [6, 6, 4], 1.0);
    let end = |skin: f64, pieces: u64, restarts: bool| {
        let mut setup = setup.clone();
        setup.skin = skin;
        let mut simulation = Simulation::new(setup, &spheres).unwrap();
        while simulation.step_number() < 3000 {
            simulation.advance(pieces).unwrap();
            if restarts {
                simulation = restarted(&simulation);
            }
        }
        (simulation.len(), simulation.hash())
    };
    let expected = end(0.1, 3000, false);
    assert!((10..140).contains(&expected.0), "{}", expected.0);
    assert_eq!(end(0.1, 300, false), expected);
    assert_eq!(end(3.0, 3000, false), expected);
    assert_eq!(end(0.1, 250, true), expected);
}

/// Histories of contacts with walls go by the names of walls, those of pairs across periodic borders by
/// the places of spheres, when a setup is replaced.
#[test]
fn contacts_outlive_changes_of_the_setup() {
    let (setup, spheres) = system();
    let mut before = setup.clone();
    let far = Region::Planes {
        axis: 0,
        low: Some(-50.0),
        high: None,
    };
    before.actions.insert(1, on_all("far", wall(far, law(2))));
    let mut simulation = Simulation::new(before, &spheres).unwrap();
    simulation.advance(STEPS / 2).unwrap();
    let histories = simulation.histories();
    assert!(!histories.walls.is_empty() && !histories.pairs.is_empty());
    simulation.set_setup(setup).unwrap();
    assert_eq!(simulation.histories(), histories);
    simulation.find_forces().unwrap();
    let kept = simulation.histories();
    assert_eq!(kept.walls.len(), histories.walls.len());
    for (own, before) in kept.walls.iter().zip(&histories.walls) {
        assert_eq!((own.id, own.shear), (before.id, before.shear));
    }
    assert_eq!(kept.pairs.len(), histories.pairs.len());
}

#[test]
fn damaged_checkpoints() {
    let mut setup = setup(cell([4.0; 3], [true; 3]), two_kinds(7));
    setup.actions[0].name = "m".into();
    let spheres = spheres_at(&[[1.0; 3], [1.9, 1.0, 1.0]], 0.5);
    let mut simulation = Simulation::new(setup, &spheres).unwrap();
    simulation.advance(3).unwrap();
    let checkpoint = Checkpoint {
        state: simulation.state(),
        note: String::new(),
    };
    let bytes = checkpoint.to_bytes().unwrap();
    assert_eq!(Checkpoint::from_bytes(&bytes).unwrap(), checkpoint);
    let is_refused =
        |bytes: &[u8]| matches!(Checkpoint::from_bytes(bytes), Err(Error::Invalid { .. }));
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << bit;
            assert!(is_refused(&damaged), "byte {at}, bit {bit}");
        }
        assert!(is_refused(&bytes[..at]), "{at} bytes");
    }
    assert!(is_refused(&[&bytes[..], &[0]].concat()));
    for foreign in [&b""[..], b"#!/bin/sh\necho\n", &[0; 4096], &[0xff; 4096]] {
        assert!(is_refused(foreign));
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state");
    assert!(matches!(Checkpoint::read(&path), Err(Error::File { .. })));
    checkpoint.write(&path).unwrap();
    assert_eq!(Checkpoint::read(&path).unwrap(), checkpoint);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// A deck with output of every kind: thermo, dumps of one file and of a file a step, means, prints.
const DECK: &str = "units lj
atom_style sphere
boundary p p f
region box block 0 6 0 6 0 12
create_box 2 box
lattice sc 1.0
region low block 0 5.5 0 5.5 0.6 4.4
create_atoms 1 region low
set group all diameter 0.98 density 1.2
set atom 20*60 type 2
velocity all create 3.0 8917
pair_style granular
pair_coeff * * hertz/material 2e4 0.6 0.3 tangential mindlin NULL 0.5 0.4 damping coeff_restitution
pair_coeff 2 2 hooke 2e4 0.5 tangential linear_history 1e4 0.5 0.4 rolling sds 1e3 1.0 0.1 damping coeff_restitution
fix move all nve/sphere
fix gravity all gravity 9.81 vector 0.3 0 -1
fix floor all wall/gran granular hooke 4e4 0.7 tangential linear_history 1e4 0.5 0.4 damping coeff_restitution zplane 0.0 12.0
timestep 2e-4
compute energy all ke
compute touching all contact/atom
variable push equal 0.2*sin(0.05*step)
fix push all addforce v_push 0 0
fix mean all ave/time 3 4 15 c_energy file means.txt
fix running all ave/time 5 2 20 c_energy ave running file running.txt
fix window all ave/time 2 3 10 c_energy ave window 3 file window.txt
fix note all print 20 \"note $(step) $(c_energy)\" file notes.txt
dump all all custom 25 all.dump id type x y z ix iy iz vx vy vz omegax omegay omegaz fx fy fz c_touching
dump each all custom 40 each.*.dump id x y z
dump_modify each first yes
thermo 10
thermo_style custom step atoms ke pe c_energy f_mean
log log.deck
run 83
reset_timestep 40
unfix push
fix push all addforce 0 v_push 0
run 60 every 20 \"print 'between $(step)'\"
write_dump all custom end.dump id x y z vx vy vz
run 35
print \"end $(step) $(ke)\"
";

/// A program that writes a checkpoint at a step, with the ends of all runs before, and stops there.
struct Interruption {
    every: u64,
    /// The number of looks before it stops.
    looks: u64,
    outputs: Arc<Outputs>,
    log: Rc<RefCell<Vec<u8>>>,
    saved: Rc<RefCell<Saved>>,
    seen: Rc<Cell<u64>>,
}

/// What lies on the disk of a program that was stopped.
#[derive(Default)]
struct Saved {
    run: u64,
    checkpoint: Option<Checkpoint>,
    /// The last state seen of each run.
    ends: BTreeMap<u64, Checkpoint>,
    lengths: BTreeMap<PathBuf, u64>,
    log: usize,
}

impl Watch for Interruption {
    fn steps(&self) -> u64 {
        self.every
    }

    fn look(&mut self, simulation: &Simulation, run: u64) -> tangere_sim::Result<()> {
        let checkpoint = Checkpoint {
            state: simulation.state(),
            note: String::new(),
        };
        let checkpoint = Checkpoint::from_bytes(&checkpoint.to_bytes()?)?;
        let mut saved = self.saved.borrow_mut();
        self.seen.set(self.seen.get() + 1);
        if self.seen.get() == self.looks {
            saved.run = run;
            saved.lengths = self.outputs.lengths();
            saved.log = self.log.borrow().len();
            saved.checkpoint = Some(checkpoint.clone());
        }
        saved.ends.insert(run, checkpoint);
        // A while after the checkpoint: what was written since is written again.
        match self.seen.get() > self.looks + 3 {
            true => Err(Error::File {
                path: String::new(),
                message: "interrupted".into(),
            }),
            false => Ok(()),
        }
    }

    fn ended(&mut self, _: &Simulation, _: u64) -> Result<(), tangere_sim::Error> {
        Ok(())
    }

    fn stopped(&mut self, _: &Simulation, error: Error) -> Error {
        error
    }
}

/// A log that others may look at.
struct Shared(Rc<RefCell<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn deck_in(folder: &Path, outputs: &Arc<Outputs>) -> Deck {
    let options = Options {
        folder: folder.to_path_buf(),
        outputs: Arc::clone(outputs),
        ..Options::default()
    };
    Deck::from_text("in.test", DECK, folder, options).unwrap()
}

/// The files of a folder and the log, without the lines that name seconds.
fn written(folder: &Path, log: &[u8]) -> BTreeMap<String, String> {
    let timeless = |text: String| {
        let lines = text.lines().filter(|line| !line.starts_with("Loop time"));
        lines.fold(String::new(), |all, line| all + line + "\n")
    };
    let mut files = BTreeMap::new();
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().display().to_string();
        files.insert(name, timeless(std::fs::read_to_string(&path).unwrap()));
    }
    let log = String::from_utf8(log.to_vec()).unwrap();
    files.insert("the log".into(), timeless(log));
    files
}

#[test]
fn decks_go_on_where_they_were_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let outputs = Arc::new(Outputs::default());
    let mut log = Vec::new();
    let mut runner = Runner::default();
    let mut deck = deck_in(folder.path(), &outputs);
    deck.run(&mut runner, &mut log).unwrap();
    let expected_hash = runner.simulation().unwrap().hash();
    let expected = written(folder.path(), &log);
    assert!(expected.len() > 8, "{:?}", expected.keys());

    let mut random = Random(77);
    // The ends of runs, at which the next one begins; then any steps.
    let mut stops = vec![(1, 83), (1, 103), (1, 123), (1, 143)];
    stops.extend((0..10).map(|_| {
        let every = 1 + random.below(4);
        (every, 1 + random.below(178 / every - 4))
    }));
    for (number, (every, looks)) in stops.into_iter().enumerate() {
        let folder = tempfile::tempdir().unwrap();
        let log = Rc::new(RefCell::new(Vec::new()));
        let saved = Rc::new(RefCell::new(Saved::default()));
        let outputs = Arc::new(Outputs::default());
        let interruption = Interruption {
            every,
            looks,
            outputs: Arc::clone(&outputs),
            log: Rc::clone(&log),
            saved: Rc::clone(&saved),
            seen: Rc::new(Cell::new(0)),
        };
        let mut runner = Runner::new(interruption);
        let mut deck = deck_in(folder.path(), &outputs);
        let mut writer = Shared(Rc::clone(&log));
        assert!(deck.run(&mut runner, &mut writer).is_err());
        drop(deck);

        let saved = saved.borrow();
        let step = saved.checkpoint.as_ref().unwrap().state.step;
        let name = format!("{number}: run {}, step {step}, {looks} looks", saved.run);
        let outputs = Arc::new(Outputs::resumed(saved.lengths.clone()));
        let mut runner = Runner::default();
        let ends = saved.ends.range(..saved.run).map(|(_, end)| end.clone());
        let checkpoint = saved.checkpoint.clone().unwrap();
        runner.resume(saved.run, checkpoint, ends.collect());
        let mut deck = deck_in(folder.path(), &outputs);
        log.borrow_mut().truncate(saved.log);
        deck.run(&mut runner, &mut writer).unwrap();
        let hash = runner.simulation().unwrap().hash();
        assert_eq!(hash, expected_hash, "{name}");
        let own = written(folder.path(), &log.borrow());
        let names: Vec<&String> = own.keys().collect();
        assert_eq!(names, expected.keys().collect::<Vec<_>>(), "{name}");
        for (file, text) in &own {
            assert_eq!(text, &expected[file], "{name}: {file}");
        }
    }
}
