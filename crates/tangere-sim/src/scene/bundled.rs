//! Scenes that come with the program, by name.

/// A scene that comes with the program.
#[derive(Clone, Copy, Debug)]
pub struct Bundled {
    /// Its name.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

impl Bundled {
    /// What it shows: the first line of its text.
    pub fn title(&self) -> &'static str {
        let first = self.text.lines().next().unwrap_or_default();
        first.trim_start_matches("# ")
    }

    /// The scene of a name.
    pub fn named(name: &str) -> Option<&'static Self> {
        BUNDLED.iter().find(|scene| scene.name == name)
    }
}

/// All of them, in the order of names.
pub const BUNDLED: [Bundled; 5] = [
    Bundled {
        name: "chute",
        text: include_str!("../../scenes/chute.toml"),
    },
    Bundled {
        name: "gas",
        text: include_str!("../../scenes/gas.toml"),
    },
    Bundled {
        name: "hopper",
        text: include_str!("../../scenes/hopper.toml"),
    },
    Bundled {
        name: "packing",
        text: include_str!("../../scenes/packing.toml"),
    },
    Bundled {
        name: "shear",
        text: include_str!("../../scenes/shear.toml"),
    },
];
