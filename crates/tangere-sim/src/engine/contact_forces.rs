//! Force and torques of the pairs of a block that touch, eight at a time.

use super::contact_block::ContactBlock;
use super::contact_context::{ContactContext, ways};
use super::contact_groups::{Contacts, Group};
use super::find_touching::find_touching;
use super::results::{BlockResults, Effort};
use crate::laws::account::{Account, FRESH, Work};
use crate::laws::usual::{HERTZ, HOOKE, MINDLIN, Usual};
use crate::laws::{History, Law, Rolling, Touch};
use crate::vector::{differences, dots, scaled, sums, zero};
use tangere::simd::{LANES, RealKernel, Reals, prefetch_lines};

/// How many groups ahead their spheres are prefetched.
const AHEAD: usize = 4;

/// How many groups ahead the groups themselves are prefetched.
pub(super) const STREAMED: usize = 6;

/// The kernel of a block.
pub(super) struct BlockStep<'a> {
    pub block: &'a mut ContactBlock,
    pub context: &'a ContactContext<'a>,
    pub results: BlockResults<'a>,
}

impl RealKernel for BlockStep<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Reals>(self) {
        let BlockStep {
            block,
            context,
            mut results,
        } = self;
        let results = &mut results;
        // Many begin in the first step alone.
        block.begun = Vec::new();
        block.too_deep = None;
        block.closed.clear();
        block.adhesion.clear();
        find_touching::<V>(block, results, context);
        let mut all = std::mem::take(&mut block.contacts);
        for (contacts, law) in all.iter_mut().zip(context.laws) {
            match context.has_ledger {
                true => react::<V, true>(block, contacts, results, context, law),
                false => match law.usual() {
                    // Compiled for each, so that the loop over contacts has no branches for the parts of a law.
                    Some(Usual::Hooke) => {
                        let law = law.as_usual::<HOOKE>();
                        react::<V, false>(block, contacts, results, context, &law);
                    }
                    Some(Usual::Hertz) => {
                        let law = law.as_usual::<HERTZ>();
                        react::<V, false>(block, contacts, results, context, &law);
                    }
                    Some(Usual::Mindlin) => {
                        let law = law.as_usual::<MINDLIN>();
                        react::<V, false>(block, contacts, results, context, &law);
                    }
                    None => react::<V, false>(block, contacts, results, context, law),
                },
            }
        }
        block.contacts = all;
    }
}

/// Of pairs that do not overlap, the bits of those that adhesion holds.
#[inline(never)]
fn still_held<V: Reals>(law: &Law, overlap: V, radius: V, apart: u32) -> u32 {
    let mut values = [[0.0; LANES]; 2];
    overlap.store(&mut values[0]);
    radius.store(&mut values[1]);
    let is_held = |lane: &usize| {
        let [overlap, radius] = values.map(|value| value[*lane]);
        apart >> lane & 1 == 1 && 0.0 - overlap < law.normal.pull_off_gap(radius)
    };
    let held = (0..LANES).filter(is_held);
    held.fold(0, |bits, lane| bits | 1 << lane)
}

/// Force and torques of pairs that touch, all of one law.
#[inline(always)]
fn react<V: Reals, const LEDGER: bool>(
    block: &mut ContactBlock,
    contacts: &mut Contacts,
    results: &mut BlockResults<'_>,
    context: &ContactContext<'_>,
    law: &Law,
) {
    let resists = law.resists_rotation();
    if context.stores {
        let count = contacts.groups.len();
        contacts.forces.resize(count, [[0.0; LANES]; 3]);
    } else if !LEDGER {
        contacts.forces = Vec::new();
    }
    let Contacts {
        count,
        groups,
        radii,
        rolls,
        accounts,
        forces,
        resistances,
        ..
    } = contacts;
    let mut touching_now = 0;
    for number in 0..groups.len() {
        if let Some(next) = groups.get(number + AHEAD) {
            context.prefetch(next);
        }
        // What is streamed, too: hardware does not follow it from page to page.
        let next = number + STREAMED;
        prefetch_lines(groups, next..next + 1);
        let group = &mut groups[number];
        let mut no_roll = [[0.0; LANES]; 4];
        let roll = match resists {
            true => &mut rolls[number],
            false => &mut no_roll,
        };
        let mut history = History {
            shear: load_columns(&group.shear),
            contact_radius: radii.get(number).map_or(zero(), |radii| V::load(radii)),
            roll: [V::load(&roll[0]), V::load(&roll[1]), V::load(&roll[2])],
            twist: V::load(&roll[3]),
        };
        let Gathered {
            touch,
            smaller,
            overlaps,
            spin_sum,
            way,
        } = gather::<V>(context, law, group);
        let touched = u32::from(group.touching);
        let taken = (1 << group.taken) - 1;
        let mut touches = overlaps;
        let mut touching = V::bits(overlaps) & taken;
        if context.has_pull_off {
            let apart = touched & !touching;
            if apart != 0 {
                touching |= still_held(law, touch.overlap, touch.radius, apart);
                touches = zero::<V>().below(lanes_of(touching));
            }
        }
        group.touching = touching as u8;
        touching_now += touching.count_ones();
        let is_too_deep = (V::splat(context.deepest) * smaller).below(touch.overlap);
        let deep = V::bits(is_too_deep) & touching;
        if deep != 0 {
            note_depth(block, deep, &group.indices, touch.overlap);
        }
        let before = history;
        let reaction = law.react(&touch, &context.clock, &mut history);
        let half = match context.is_classic {
            true => zero(),
            false => V::splat(0.5) * touch.overlap,
        };
        if LEDGER {
            let columns = &mut accounts[number];
            let mut account = Account::from_columns(load_columns(columns));
            let resistance_before = resistances.get(number);
            let resistance_before = resistance_before.map_or([zero(); 3], load_columns);
            let back = scaled(touch.velocity, V::splat(context.clock.step));
            let way_before = differences(way, back);
            let distance_before = dots(way_before, way_before).sqrt();
            let half_before = match context.is_classic {
                true => zero(),
                false => half + V::splat(0.5) * (dots(way, way).sqrt() - distance_before),
            };
            let parted = touched & !touching;
            let work = Work {
                touch: &touch,
                parted: zero::<V>().below(lanes_of(parted)),
                force_before: load_columns(&forces[number]),
                normal_before: scaled(way_before, V::splat(1.0).div(distance_before)),
                resistance_before,
                before: &before,
                after: &history,
                reaction: &reaction,
                lacking_spin: scaled(spin_sum, half),
                lacking_before: scaled(spin_sum, half_before),
            };
            if context.has_pull_off && context.clock.advances {
                note_adhesion(
                    block,
                    law,
                    [touch.radius, account.stiffness],
                    parted,
                    touched | touching,
                );
            }
            law.account(&context.clock, &work, &mut account);
            for (column, value) in columns.iter_mut().zip(account.columns()) {
                value.store(column);
            }
            for lane in (0..LANES).filter(|lane| touching >> lane & 1 == 0) {
                if parted >> lane & 1 == 1 {
                    let [_, _, sums @ ..] = columns.map(|column| column[lane]);
                    block.closed.push(sums);
                }
                for (column, fresh) in columns.iter_mut().zip(FRESH) {
                    column[lane] = fresh;
                }
            }
        }
        // What does not touch has no force and remembers nothing.
        let force = kept_of(reaction.force, touches);
        let ([fx, fy, fz], [tx, ty, tz]) = (force, kept_of(reaction.turning, touches));
        let rows = V::transpose([tx, ty, tz, zero(), fx, fy, fz, half.only(touches)]);
        let lines = group.line as usize..group.line as usize + LANES;
        for (Effort(line), row) in results.efforts[lines.clone()].iter_mut().zip(rows) {
            row.store(line);
        }
        store_columns(kept_of(history.shear, touches), &mut group.shear);
        if let Some(radii) = radii.get_mut(number) {
            history.contact_radius.only(touches).store(radii);
        }
        if let Some(forces) = forces.get_mut(number) {
            store_columns(force, forces);
        }
        if resists {
            let [x, y, z] = kept_of(history.roll, touches);
            store_columns([x, y, z, history.twist.only(touches)], roll);
        }
        if !results.resistances.is_empty() {
            let mut torques = [[0.0; LANES]; 3];
            store_columns(kept_of(reaction.resistance, touches), &mut torques);
            let [x, y, z] = &torques;
            let lines = results.resistances[lines].iter_mut().enumerate();
            for (lane, line) in lines {
                *line = [x[lane], y[lane], z[lane], 0.0];
            }
            if let Some(kept) = resistances.get_mut(number) {
                *kept = torques;
            }
        }
    }
    *count = touching_now as usize;
}

/// Vectors in the lanes of a mask, 0 in others.
#[inline(always)]
fn kept_of<V: Reals>([x, y, z]: [V; 3], mask: V::Mask) -> [V; 3] {
    [x.only(mask), y.only(mask), z.only(mask)]
}

/// 1 in the lanes whose bits are set, 0 in others.
#[inline(always)]
fn lanes_of<V: Reals>(bits: u32) -> V {
    let lanes: [f64; LANES] = std::array::from_fn(|lane| f64::from(bits >> lane & 1));
    V::load(&lanes)
}

#[inline(always)]
fn load_columns<V: Reals, const N: usize>(columns: &[[f64; LANES]; N]) -> [V; N] {
    let mut loaded = [zero(); N];
    for k in 0..N {
        loaded[k] = V::load(&columns[k]);
    }
    loaded
}

#[inline(always)]
fn store_columns<V: Reals, const N: usize>(values: [V; N], columns: &mut [[f64; LANES]; N]) {
    for k in 0..N {
        values[k].store(&mut columns[k]);
    }
}

/// Notes the energy that adhesion sets free where pairs begin to touch, and takes where they part.
#[cold]
fn note_adhesion<V: Reals>(
    block: &mut ContactBlock,
    law: &Law,
    [radius, stiffness]: [V; 2],
    parted: u32,
    touched: u32,
) {
    let mut values = [[0.0; LANES]; 2];
    radius.store(&mut values[0]);
    stiffness.store(&mut values[1]);
    for lane in (0..LANES).filter(|lane| touched >> lane & 1 == 1) {
        let [radius, stiffness] = values.map(|value| value[lane]);
        if stiffness < 0.0 {
            block
                .adhesion
                .push(0.0 - law.normal.energy_at_touch(radius));
        }
        if parted >> lane & 1 == 1 {
            block.adhesion.push(law.normal.energy_at_parting(radius));
        }
    }
}

/// What a law needs of eight pairs.
struct Gathered<V: Reals> {
    touch: Touch<V>,
    /// The smaller radius.
    smaller: V,
    /// The pairs that overlap.
    overlaps: V::Mask,
    /// The sum of both angular velocities.
    spin_sum: [V; 3],
    /// From the first to the second.
    way: [V; 3],
}

#[inline(always)]
fn gather<V: Reals>(context: &ContactContext<'_>, law: &Law, group: &Group) -> Gathered<V> {
    let [first, second] = context.spheres(&group.rows);
    let [xa, ya, za, ra, ua, va, wa, ia] = V::transposed(first.lines());
    let [xb, yb, zb, rb, ub, vb, wb, ib] = V::transposed(second.lines());
    let [pa, qa, sa, _, pb, qb, sb, _] = V::transposed_halves(first.spins(), second.spins());
    let (a, b) = ([xa, ya, za], [xb, yb, zb]);
    let way = ways(context.cell, &group.images, a, b);
    let one = V::splat(1.0);
    let square = dots(way, way);
    let reach = ra + rb;
    // As it is tested for pairs that are apart.
    let overlaps = square.below(reach * reach);
    let distance = square.sqrt();
    let normal = scaled(way, one.div(distance));
    let velocity = [ub - ua, vb - va, wb - wa];
    let half_normal = match context.clock.is_synchronized {
        true => {
            let back = V::splat(0.5 * context.clock.step);
            let before = differences(way, scaled(velocity, back));
            scaled(before, one.div(dots(before, before).sqrt()))
        }
        false => normal,
    };
    let (spin_a, spin_b) = ([pa, qa, sa], [pb, qb, sb]);
    Gathered {
        touch: Touch {
            overlap: reach - distance,
            radius: (ra * rb).div(reach),
            mass: one.div(ia + ib),
            inertia: match law.rolling {
                // Of a sphere 2/5 + 1 of m r^2 about the contact point.
                Rolling::Epsd { .. } => V::splat(1.4).div(ia.div(ra * ra) + ib.div(rb * rb)),
                _ => zero(),
            },
            normal,
            half_normal,
            velocity,
            surface_spin: sums(scaled(spin_a, ra), scaled(spin_b, rb)),
            relative_spin: differences(spin_b, spin_a),
        },
        smaller: ra.min(rb),
        overlaps,
        spin_sum: sums(spin_a, spin_b),
        way,
    }
}

/// Notes the first of the pairs that overlap too deeply.
#[cold]
fn note_depth<V: Reals>(block: &mut ContactBlock, bits: u32, indices: &[u16; LANES], overlap: V) {
    let mut overlaps = [0.0; LANES];
    overlap.store(&mut overlaps);
    for lane in (0..LANES).filter(|lane| bits >> lane & 1 == 1) {
        let index = u32::from(indices[lane]);
        if block.too_deep.is_none_or(|(so_far, _)| index < so_far) {
            block.too_deep = Some((index, overlaps[lane]));
        }
    }
}
