//! Partner search of bottom-up construction: finds the volume that has the least joint size with a
//! given one, among volumes that are added and removed.
//!
//! The volumes are in buckets of a few each. The buckets are the leaves of a binary tree, built by
//! median splits along the parameter of largest spread. Each node of the tree stores a group: data
//! that give a lower bound of the joint size with any volume below the node (`joint_volume`). A
//! search scans the bucket of the volume first. Then, on the way to the root, it descends into all
//! groups whose lower bound is below the best joint size found so far. A merged volume replaces one
//! of its parts in the bucket; once half of the volumes are gone the tree is rebuilt.

use super::joint_volume::JointVolume;

/// Maximum number of volumes in a bucket of the partner search. In a new tree each bucket has at
/// least half as many.
const BUCKET: usize = 8;

/// Partner search: volumes in a tree of groups. The name of a volume is the index of its node. With
/// `n` items, names below `n` are items, names from `n` on are merged pairs.
pub(super) struct PartnerSearch<B: JointVolume> {
    /// The groups of the tree: group `i` has the children `2 i` and `2 i + 1`, and group 1 is the
    /// root. The second half of the groups are those of the buckets.
    groups: Vec<B::Group>,
    /// The volumes in each bucket, with their names. Each bucket has `BUCKET` slots, of which the
    /// first ones are in use.
    volumes: Vec<(B, u32)>,
    /// The number of volumes in each bucket.
    counts: Vec<u32>,
    /// For each name of a volume (the index of its node), the index in `volumes` of the slot that
    /// holds this volume.
    slots: Vec<u32>,
    /// The current number of volumes in the partner search.
    count: usize,
    /// The number of volumes when the tree of the partner search was built.
    made_of: usize,
}

impl<B: JointVolume> PartnerSearch<B> {
    /// A partner search over volumes, whose names are their indices. The names of joint volumes
    /// that [`Self::join`] adds later must be below `names`.
    pub fn new(volumes: &[B], names: usize) -> Self {
        let named: Vec<(B, u32)> = volumes.iter().copied().zip(0..).collect();
        let mut search = Self {
            groups: Vec::new(),
            volumes: Vec::new(),
            counts: Vec::new(),
            slots: vec![u32::MAX; names],
            count: 0,
            made_of: 0,
        };
        search.make(named);
        search
    }

    /// Builds the tree of groups of the partner search over these volumes.
    fn make(&mut self, mut named: Vec<(B, u32)>) {
        let n = named.len();
        let buckets = n.div_ceil(BUCKET).next_power_of_two();
        let mut bounds = vec![0, n];
        while bounds.len() <= buckets {
            let mut next = Vec::with_capacity(2 * bounds.len());
            for part in bounds.windows(2) {
                let middle = part[0] + (part[1] - part[0]) / 2;
                median_split(&mut named[part[0]..part[1]], middle - part[0]);
                next.extend([part[0], middle]);
            }
            next.push(n);
            bounds = next;
        }
        self.groups.clear();
        self.groups.resize(2 * buckets, B::NONE);
        self.counts.clear();
        self.volumes.clear();
        for (bucket, part) in bounds.windows(2).enumerate() {
            let part = &named[part[0]..part[1]];
            self.counts.push(part.len() as u32);
            for (i, &(volume, name)) in part.iter().enumerate() {
                self.slots[name as usize] = (bucket * BUCKET + i) as u32;
                let group = &mut self.groups[buckets + bucket];
                *group = B::united(group, &volume.group());
            }
            self.volumes.extend_from_slice(part);
            if let Some(&filler) = named.first() {
                self.volumes.resize((bucket + 1) * BUCKET, filler);
            }
        }
        for i in (1..buckets).rev() {
            self.groups[i] = B::united(&self.groups[2 * i], &self.groups[2 * i + 1]);
        }
        (self.count, self.made_of) = (n, n);
    }

    /// The volumes in a bucket of the partner search.
    fn bucket(&self, bucket: usize) -> &[(B, u32)] {
        &self.volumes[bucket * BUCKET..bucket * BUCKET + self.counts[bucket] as usize]
    }

    /// Searches the best partner of the volume named `name`: returns its least joint size with
    /// another volume, and the name of that volume; `None` if there is no other.
    pub fn best(&self, name: u32) -> Option<(f64, u32)> {
        let slot = self.slots[name as usize] as usize;
        let volume = self.volumes[slot].0;
        let buckets = self.counts.len();
        let mut best = (f64::INFINITY, name);
        let scan = |bucket: usize, best: &mut (f64, u32)| {
            for (other, other_name) in self.bucket(bucket) {
                let size = volume.joint_size(other);
                if size < best.0 && *other_name != name {
                    *best = (size, *other_name);
                }
            }
        };
        let mut node = buckets + slot / BUCKET;
        scan(node - buckets, &mut best);
        // The tree has at most 32 levels, and each leaves one group on the stack.
        let mut open = [(0.0, 0); 34];
        while node > 1 {
            let mut height = 1;
            open[0] = (volume.least(&self.groups[node ^ 1]), node ^ 1);
            while height > 0 {
                height -= 1;
                let (least, mut inner) = open[height];
                if least >= best.0 {
                    continue;
                }
                loop {
                    if inner >= buckets {
                        scan(inner - buckets, &mut best);
                        break;
                    }
                    let [a, b] =
                        [2 * inner, 2 * inner + 1].map(|i| (volume.least(&self.groups[i]), i));
                    let (near, far) = if b.0 < a.0 { (b, a) } else { (a, b) };
                    if far.0 < best.0 {
                        open[height] = far;
                        height += 1;
                    }
                    if near.0 >= best.0 {
                        break;
                    }
                    inner = near.1;
                }
            }
            node /= 2;
        }
        (best.1 != name).then_some(best)
    }

    /// Replaces volumes `a` and `b` in the partner search by their joint volume, named `name`, in
    /// the slot of `a`.
    pub fn join(&mut self, a: u32, b: u32, name: u32) {
        let [at, from] = [a, b].map(|name| self.slots[name as usize] as usize);
        let joint = self.volumes[at].0.joint(&self.volumes[from].0);
        self.volumes[at] = (joint, name);
        self.slots[name as usize] = at as u32;
        let bucket = from / BUCKET;
        self.counts[bucket] -= 1;
        let last = bucket * BUCKET + self.counts[bucket] as usize;
        self.volumes[from] = self.volumes[last];
        let moved = self.volumes[last].1;
        if last != from {
            self.slots[moved as usize] = from as u32;
        }
        self.count -= 1;
        if self.count > BUCKET && self.count <= self.made_of / 2 {
            let all = (0..self.counts.len()).flat_map(|bucket| self.bucket(bucket));
            let named = all.copied().collect();
            self.make(named);
            return;
        }
        self.update(at / BUCKET);
        if bucket != at / BUCKET {
            self.update(bucket);
        }
    }

    /// Recomputes the groups of the partner search from a bucket toward the root, up to the first
    /// group that does not change.
    fn update(&mut self, bucket: usize) {
        let volumes = self.bucket(bucket).iter();
        let mut group = volumes.fold(B::NONE, |all, (volume, _)| B::united(&all, &volume.group()));
        let mut node = self.counts.len() + bucket;
        while node >= 1 && self.groups[node] != group {
            self.groups[node] = group;
            group = B::united(&group, &self.groups[node ^ 1]);
            node /= 2;
        }
    }
}

/// Splits the volumes of the partner search into the first `middle` ones and the rest, ordered by
/// the parameter of largest spread.
fn median_split<B: JointVolume>(volumes: &mut [(B, u32)], middle: usize) {
    if volumes.len() < 2 {
        return;
    }
    let spread = |k: usize| {
        let numbers = volumes.iter().map(|(volume, _)| volume.number(k));
        let ends = (f64::INFINITY, f64::NEG_INFINITY);
        let (low, high) = numbers.fold(ends, |(low, high), x| (x.min(low), x.max(high)));
        high - low
    };
    let spreads = (0..B::NUMBERS).map(|k| (spread(k), k));
    let (_, k) = spreads.fold(
        (0.0, 0),
        |most, next| if next.0 > most.0 { next } else { most },
    );
    // Equal parameters are sorted by name, so that the halves are deterministic.
    volumes.select_nth_unstable_by(middle, |(a, i), (b, j)| {
        a.number(k).total_cmp(&b.number(k)).then(i.cmp(j))
    });
}
