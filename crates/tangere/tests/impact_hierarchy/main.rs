//! Hierarchies of bounding volumes: what they must be on any input.

use tangere::generate;
use tangere::geometry::Ball;
use tangere::impact::hierarchy::{Construction, Hierarchy, HierarchySettings, Volume};
use tangere::shape::TriMesh;

fn all_settings() -> Vec<HierarchySettings> {
    let mut all = Vec::new();
    for construction in Construction::ALL {
        for volume in Volume::ALL {
            all.extend([2, 3, 4, 8, 16].map(|branching| HierarchySettings {
                construction,
                volume,
                branching,
            }));
        }
    }
    all
}

/// Every item is in one leaf; children lie side by side after their parents; all points are in all volumes above them.
fn check(hierarchy: &Hierarchy, count: usize, points: impl Fn(usize) -> Vec<[f64; 3]>) {
    let (nodes, settings) = (hierarchy.nodes(), hierarchy.settings());
    let mut parents = vec![usize::MAX; nodes.len()];
    let mut seen = vec![false; count];
    for (i, node) in nodes.iter().enumerate() {
        assert!(node.is_leaf() || (2..=settings.branching).contains(&(node.count as usize)));
        for child in node.children() {
            assert!(child > i && parents[child] == usize::MAX);
            parents[child] = i;
        }
        if node.is_leaf() {
            let item = node.first as usize;
            assert!(!std::mem::replace(&mut seen[item], true));
            let points = points(item);
            let mut above = i;
            while above != usize::MAX {
                for &p in &points {
                    assert!(nodes[above].bounds.contains(p));
                    assert!(nodes[above].ball.contains_point(p));
                }
                above = parents[above];
            }
        }
    }
    assert!(seen.iter().all(|&seen| seen));
    assert!(parents[1..].iter().all(|&parent| parent != usize::MAX));
}

fn check_mesh(mesh: &TriMesh) {
    for settings in all_settings() {
        let hierarchy = Hierarchy::of_mesh(mesh, &settings).expect("a mesh is valid");
        check(&hierarchy, mesh.faces().len(), |f| {
            mesh.triangle(f).to_vec()
        });
    }
}

#[test]
fn all_points_are_in_all_volumes_above_them() {
    check_mesh(&generate::sphere(3).unwrap());
    check_mesh(&generate::knot(600).unwrap());
}

#[test]
fn the_ball_of_the_root_is_the_smallest() {
    let knot = generate::knot(600).unwrap();
    let smallest = Ball::smallest(knot.vertices()).unwrap();
    for settings in all_settings() {
        let root = Hierarchy::of_mesh(&knot, &settings).unwrap().nodes()[0].ball;
        assert!(root.radius <= smallest.radius * (1.0 + 1e-12));
    }
}
