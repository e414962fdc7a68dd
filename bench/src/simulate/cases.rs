//! The cases: decks on states that others have made.

use std::io::Read;
use std::path::{Path, PathBuf};

/// A case: the commands before its runs, and the steps of each of two runs, of which the second counts.
pub struct Case {
    pub title: String,
    commands: String,
    /// Commands that only LAMMPS needs.
    peer_commands: &'static str,
    steps: [u64; 2],
    /// Whether it is left out of quick runs.
    pub is_large: bool,
}

impl Case {
    /// The deck, for LAMMPS or for us.
    pub fn deck(&self, is_for_peer: bool) -> String {
        let more = if is_for_peer { self.peer_commands } else { "" };
        let [warm, timed] = self.steps;
        format!("{}{more}run {warm}\nrun {timed}\n", self.commands)
    }
}

const HERTZ: &str = "gran/hertz/history 2e5 NULL 50 NULL 0.5 0";
const MINDLIN: &str =
    "hertz/material 2e5 50 0.3 tangential mindlin NULL 0 0.5 damping viscoelastic";
const ROLLING: &str = "hertz/material 2e5 50 0.3 tangential mindlin NULL 0 0.5 \
    rolling sds 1e4 10 0.1 twisting marshall damping viscoelastic";

pub fn all(shared: &Path, folder: &Path) -> Result<Vec<Case>, Box<dyn std::error::Error>> {
    let chute = unpacked(&shared.join("chute/data.chute.gz"), folder)?;
    let settled = unpacked(&shared.join("settled36k.data.gz"), folder)?;
    let poly = unpacked(&shared.join("poly_settled.data.gz"), folder)?;
    let mut cases = Vec::new();
    for copies in [1, 8] {
        let replicate = match copies {
            1 => "",
            _ => "replicate 4 2 1\n",
        };
        cases.push(Case {
            title: format!("chute, {} spheres", 32_000 * copies),
            commands: format!(
                "units lj\natom_style sphere\nboundary p p fs\nnewton off\ncomm_modify vel yes\n\
                 read_data {chute}\n{replicate}\
                 pair_style gran/hooke/history 200000.0 NULL 50.0 NULL 0.5 0\npair_coeff * *\n\
                 neighbor 0.1 bin\nneigh_modify every 1 delay 0\ntimestep 0.0001\n\
                 group bottom type 2\ngroup active subtract all bottom\n\
                 neigh_modify exclude group bottom bottom\n\
                 fix 1 all gravity 1.0 chute 26.0\nfix 2 bottom freeze\nfix 3 active nve/sphere\n"
            ),
            peer_commands: "",
            steps: [0, 100],
            is_large: copies > 1,
        });
    }
    for copies in [1, 3] {
        for (name, style, law) in [
            ("hertz/history", HERTZ, ""),
            ("hertz + mindlin", "granular", MINDLIN),
            ("with rolling and twisting", "granular", ROLLING),
        ] {
            let replicate = match copies {
                1 => String::new(),
                _ => format!("replicate {copies} 1 1\n"),
            };
            let wall = match law {
                "" => HERTZ.trim_start_matches("gran/").to_string(),
                law => format!("granular {law}"),
            };
            cases.push(Case {
                title: format!("settled, {} spheres, {name}", 36_162 * copies),
                commands: bed(
                    &settled,
                    &replicate,
                    style,
                    law,
                    &wall,
                    "neighbor 0.1 bin",
                    [1.0, 88.0],
                ),
                peer_commands: "",
                steps: [300, 300],
                is_large: copies > 1,
            });
        }
    }
    let wall = HERTZ.trim_start_matches("gran/");
    cases.push(Case {
        title: "sizes 1 to 10, hertz/history".into(),
        commands: bed(&poly, "", HERTZ, "", wall, "neighbor 0.2 multi", [5.0, 90.0]),
        peer_commands: "neigh_modify collection/interval 3 1.5 4 11\ncomm_modify mode multi vel yes\n",
        steps: [300, 300],
        is_large: false,
    });
    Ok(cases)
}

/// A bed of spheres between two planes under gravity.
fn bed(
    data: &str,
    replicate: &str,
    style: &str,
    law: &str,
    wall: &str,
    neighbor: &str,
    [gravity, height]: [f64; 2],
) -> String {
    format!(
        "units lj\natom_style sphere\nboundary p p f\nnewton off\ncomm_modify vel yes\n{neighbor}\n\
         read_data {data}\n{replicate}pair_style {style}\npair_coeff * * {law}\n\
         neigh_modify every 1 delay 0 check yes\ntimestep 5e-4\nfix 1 all nve/sphere\n\
         fix 2 all gravity {gravity} vector 0 0 -1\nfix 3 all wall/gran {wall} zplane 0 {height}\n"
    )
}

/// Unpacks a file into the folder and returns its path.
fn unpacked(path: &PathBuf, folder: &Path) -> Result<String, Box<dyn std::error::Error>> {
    let mut text = Vec::new();
    flate2::read::GzDecoder::new(std::fs::File::open(path)?).read_to_end(&mut text)?;
    let name = path.file_stem().unwrap_or_default();
    let target = folder.join(name);
    std::fs::write(&target, text)?;
    Ok(target.display().to_string())
}
