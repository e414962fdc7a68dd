use super::*;
use tangere::generate::sphere;

const GREY: Color = Color([180, 180, 180]);

fn view(size: [usize; 2]) -> View {
    View {
        toward: [0.0, 0.0, 1.0],
        size,
        margin: 0.1,
        ground: false,
        background: Background::Transparent,
    }
}

fn at(picture: &Picture, x: usize, y: usize) -> [u8; 4] {
    picture.pixels[y * picture.size[0] + x]
}

/// Returns the area that is covered, in pixels: the sum of the opacities, each from 0 to 1.
fn coverage(picture: &Picture) -> f64 {
    picture.pixels.iter().map(|p| f64::from(p[3]) / 255.0).sum()
}

#[test]
fn nothing_is_transparent() {
    let picture = Picture::of(&Scene::default(), &view([4, 3]));
    assert_eq!(picture.pixels, vec![[0; 4]; 12]);
    let empty = Picture::of(&Scene::default(), &view([0, 0]));
    assert!(empty.pixels.is_empty());
}

#[test]
fn a_disc_covers_its_area() {
    // The diameter fills 80% of 100 pixels.
    let expected = std::f64::consts::PI * 40.0 * 40.0;
    let mut scene = Scene::default();
    scene.add_ball([5.0, 5.0, 5.0], 2.0, GREY);
    let ball = Picture::of(&scene, &view([100, 100]));
    assert!((coverage(&ball) / expected - 1.0).abs() < 0.005);

    let mut scene = Scene::default();
    let mesh = sphere(5).unwrap();
    scene.add_mesh(&mesh, |p| p.map(|x| 2.0 * x + 5.0), |_| GREY);
    let mesh = Picture::of(&scene, &view([100, 100]));
    assert!((coverage(&mesh) / expected - 1.0).abs() < 0.01);

    // A fine mesh of a sphere and a ball look alike.
    let differences = ball.pixels.iter().zip(&mesh.pixels);
    let alike = differences.filter(|(a, b)| (0..4).all(|k| a[k].abs_diff(b[k]) < 24));
    assert!(alike.count() > 9_600);
}

#[test]
fn what_is_nearer_hides_what_is_behind() {
    let (red, blue) = (Color([255, 0, 0]), Color([0, 0, 255]));
    for order in [[0, 1], [1, 0]] {
        let mut scene = Scene::default();
        for k in order {
            let (z, color) = [(0.0, red), (3.0, blue)][k];
            scene.add_ball([0.0, 0.0, z], 1.0, color);
        }
        let [r, g, b, a] = at(&Picture::of(&scene, &view([9, 9])), 4, 4);
        assert!(
            b > 100 && r == 0 && g == 0 && a == 255,
            "{:?}",
            [r, g, b, a]
        );
    }
}

#[test]
fn lines_lie_on_surfaces_and_behind_them() {
    let white = Color([255; 3]);
    let mut scene = Scene::default();
    scene.add_ball([0.0, 0.0, 0.0], 1.0, Color([90, 20, 20]));
    scene.add_line([[-1.0, 0.0, 1.0], [1.0, 0.0, 1.0]], white);
    scene.add_line([[-1.0, 0.5, -1.0], [1.0, 0.5, -1.0]], white);
    let picture = Picture::of(&scene, &view([91, 91]));
    assert_eq!(at(&picture, 45, 45), [255; 4]);
    assert!(
        at(&picture, 45, 27)[0] < 200,
        "a line behind the ball is hidden"
    );
}

#[test]
fn shadows_fall_below() {
    let mut scene = Scene::default();
    scene.add_ball([0.0, 0.0, 0.0], 1.0, GREY);
    let mut view = view([120, 120]);
    view.toward = [1.0, 0.0, 0.6];
    view.margin = 0.25;
    let without = coverage(&Picture::of(&scene, &view));
    view.ground = true;
    let with = Picture::of(&scene, &view);
    assert!(coverage(&with) > without + 100.0);
    let pixels = with.pixels.iter();
    assert!(pixels.filter(|p| p[3] > 0 && p[..3] == [0; 3]).count() > 200);
}

#[test]
fn a_hole_is_darker_than_its_rim() {
    // The inside of a cup, five faces of a cube, seen from above.
    let corner = |c: usize| [0, 1, 2].map(|k| (c >> k & 1) as f64);
    let quads = [
        [0, 1, 3, 2],
        [0, 1, 5, 4],
        [2, 3, 7, 6],
        [0, 2, 6, 4],
        [1, 3, 7, 5],
    ];
    let faces = quads
        .iter()
        .flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]);
    let cup = TriMesh::new((0..8).map(corner).collect(), faces.collect()).unwrap();
    let flat = TriMesh::new((0..4).map(corner).collect(), vec![[0, 1, 3], [0, 3, 2]]).unwrap();
    let brightness = |mesh: &TriMesh| {
        let mut scene = Scene::default();
        scene.add_mesh(mesh, |p| p, |_| GREY);
        at(&Picture::of(&scene, &view([21, 21])), 10, 10)[1]
    };
    let (inside, open) = (brightness(&cup), brightness(&flat));
    assert!(
        inside < open - 20,
        "{inside} in the cup, {open} on the table"
    );
    assert!(inside > 20, "{inside}: the cup is open to the sky");
}

#[test]
fn the_same_bits_on_any_number_of_threads() {
    let mesh = sphere(3).unwrap();
    let mut scene = Scene::default();
    scene.add_mesh(
        &mesh,
        |p| p,
        |f| GREY.mix(Color([10, 90, 160]), f as f32 / 512.0),
    );
    scene.add_ball([1.0, 0.0, 0.5], 0.4, GREY);
    scene.add_box([-1.0; 3], [1.0; 3], Color([0; 3]));
    let mut view = view([80, 60]);
    view.toward = [1.0, 2.0, 1.0];
    view.ground = true;
    let pictures = [1, 2, 5].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap().install(|| Picture::of(&scene, &view))
    });
    assert_eq!(pictures[0], pictures[1]);
    assert_eq!(pictures[0], pictures[2]);
}

#[test]
fn files_hold_the_pixels() {
    let mut scene = Scene::default();
    scene.add_ball([0.0; 3], 1.0, GREY);
    let mut view = view([16, 12]);
    for background in [
        Background::Transparent,
        Background::Gradient(GREY, Color([9; 3])),
    ] {
        view.background = background;
        let picture = Picture::of(&scene, &view);
        let file = picture.png().unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(file))
            .read_info()
            .unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let shape = reader.next_frame(&mut bytes).unwrap();
        assert_eq!([shape.width, shape.height], [16, 12]);
        let channels = shape.color_type.samples();
        assert_eq!(channels == 3, background != Background::Transparent);
        for (pixel, read) in picture.pixels.iter().zip(bytes.chunks(channels)) {
            assert_eq!(&pixel[..channels], read);
        }
    }
}
