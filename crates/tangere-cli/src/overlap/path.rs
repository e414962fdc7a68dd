//! The answers for two bodies of which one moves.

use super::output::{self, OverlapFormat};
use super::told::described;
use super::{Bodies, OverlapOptions};
use crate::console::Console;
use crate::failure::Failure;
use crate::info::extend;
use crate::question::Times;
use serde_json::{Value, json};
use tangere::overlap::Overlap;
use tangere_front::text;

/// What was found out.
pub struct Told<'a> {
    pub bodies: &'a Bodies,
    pub found: &'a [Overlap],
    pub times: &'a Times,
    pub has_budget: bool,
    /// At how many poses answers were compared.
    pub verified: Option<usize>,
}

impl Told<'_> {
    /// Writes and prints it.
    pub fn tell(
        &self,
        options: &OverlapOptions,
        format: Option<OverlapFormat>,
        console: &Console,
    ) -> Result<(), Failure> {
        let object = self.json();
        if let (Some(path), Some(format)) = (&options.out, format) {
            let what = format!("writing {}", path.display());
            let (written, _) = console.timed(&what, || match format {
                OverlapFormat::Standard => output::print(console, self.found),
                _ => output::write_path(path, format, self, &object).map_err(Failure::writing),
            });
            written?;
        }
        if options.json {
            return console.print_json(&object);
        }
        let [a, b] = [&options.a, &options.b].map(|path| path.display());
        let text = format!("{a} and {b}\n") + &self.text();
        match format {
            Some(OverlapFormat::Standard) => {
                console.note(text.trim_end());
                Ok(())
            }
            _ => console.print(text),
        }
    }

    /// The least and the largest volume.
    fn volumes(&self) -> [f64; 2] {
        let volumes = self.found.iter().map(|answer| answer.volume);
        [
            volumes.clone().fold(f64::INFINITY, f64::min),
            volumes.fold(f64::NEG_INFINITY, f64::max),
        ]
    }

    fn count(&self, is_one: impl Fn(&Overlap) -> bool) -> usize {
        self.found.iter().filter(|answer| is_one(answer)).count()
    }

    fn pairs(&self) -> usize {
        self.found.iter().map(|answer| answer.pairs).sum()
    }

    /// The methods that found pairs: auto may change its mind along the way.
    fn methods(&self) -> String {
        let mut methods: Vec<&str> = Vec::new();
        for answer in self.found {
            if !methods.contains(&answer.method.name()) {
                methods.push(answer.method.name());
            }
        }
        methods.join(", ")
    }

    /// One object; names and order are a contract.
    fn json(&self) -> Value {
        let [least, most] = self.volumes();
        let mut object = json!({
            "poses": self.found.len(),
            "overlapping": self.count(|answer| answer.pairs > 0),
            "volume": { "least": least, "most": most },
            "pairs": self.pairs(),
            "method": self.methods(),
            "seconds": self.times.json(),
        });
        if self.has_budget {
            let complete = self.count(|answer| answer.complete);
            extend(&mut object, json!({ "complete": complete }));
        }
        if let Some(compared) = self.verified {
            extend(
                &mut object,
                json!({ "verified": true, "verified_poses": compared }),
            );
        }
        object
    }

    /// A table.
    fn text(&self) -> String {
        let [least, most] = self.volumes().map(text::number);
        let count = |n: usize| text::count(n as u64);
        let mut rows = vec![
            ("a", described(&self.bodies.a)),
            ("b", described(&self.bodies.b)),
            ("poses", count(self.found.len())),
            ("overlapping", count(self.count(|answer| answer.pairs > 0))),
            ("volume", format!("{least} to {most}")),
            ("pairs", count(self.pairs())),
            ("method", self.methods()),
        ];
        if self.has_budget {
            rows.push(("complete", count(self.count(|answer| answer.complete))));
        }
        rows.extend(self.times.rows());
        let each = self.times.query / self.found.len() as f64;
        rows.push(("query, each", text::seconds(each)));
        if let Some(compared) = self.verified {
            let poses = text::counted(compared, "pose", "poses");
            rows.push((
                "verified",
                format!("as every pair of spheres tells, at {poses}"),
            ));
        }
        text::two_columns(&rows)
    }
}
