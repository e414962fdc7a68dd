//! VTK image data: a regular grid of cells with fields.

use super::dataset::check_fields;
use super::field::Field;
use tangere::{Argument, Error, Result};

/// A regular grid of equal cells: the content of a VTI file.
#[derive(Clone, Debug, PartialEq)]
pub struct ImageData {
    /// The numbers of cells along x, y and z.
    pub cells: [usize; 3],
    /// The lower corner of the first cell.
    pub origin: [f64; 3],
    /// The lengths of the edges of a cell.
    pub spacing: [f64; 3],
    /// Fields with a value for each corner of cells, x fastest, then y, then z; there is one more
    /// corner along each axis than cells.
    pub point_data: Vec<Field>,
    /// Fields with a value for each cell, x fastest, then y, then z.
    pub cell_data: Vec<Field>,
}

impl ImageData {
    /// Checks that there are cells, that their edges are positive, and that fields have
    /// a value for each cell. Writers refuse other data.
    pub fn check(&self) -> Result<()> {
        let count = self
            .cells
            .into_iter()
            .try_fold(1usize, |n, cells| n.checked_mul(cells));
        let Some(count) = count.filter(|&count| count > 0) else {
            let found = format!("{:?}", self.cells);
            return Err(Error::argument(
                Argument::Other("cells"),
                found,
                "some along every axis",
            ));
        };
        let is_length = |x: &f64| x.is_finite() && *x > 0.0;
        if !(self.spacing.iter().all(is_length) && self.origin.iter().all(|x| x.is_finite())) {
            return Err(Error::argument(
                Argument::Other("cells"),
                format!("edges {:?} at {:?}", self.spacing, self.origin),
                "finite numbers, and edges above 0",
            ));
        }
        let corners = self.cells.into_iter();
        let corners = corners.fold(1usize, |n, cells| n.saturating_mul(cells.saturating_add(1)));
        check_fields(Argument::Other("point field"), &self.point_data, corners)?;
        check_fields(Argument::Other("cell field"), &self.cell_data, count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vtk::xml::write_vti;

    fn image() -> ImageData {
        ImageData {
            cells: [3, 1, 2],
            origin: [-1.5, 0.0, 1e-7],
            spacing: [1.0, 0.5, 0.1],
            point_data: vec![Field::scalar("height", vec![0.5f32; 24])],
            cell_data: vec![Field::scalar("side", vec![1i8, 0, -1, 1, 1, -1])],
        }
    }

    #[test]
    fn cells_of_a_box() {
        let mut file = Vec::new();
        write_vti(&image(), &mut file).unwrap();
        let text = String::from_utf8_lossy(&file);
        for part in [
            "<VTKFile type=\"ImageData\"",
            "WholeExtent=\"0 3 0 1 0 2\" Origin=\"-1.5 0.0 1e-7\" Spacing=\"1.0 0.5 0.1\"",
            "<Piece Extent=\"0 3 0 1 0 2\">",
            "<PointData Scalars=\"height\">",
            "<CellData Scalars=\"side\">",
            "<DataArray type=\"Int8\" Name=\"side\" format=\"appended\" offset=\"0\"/>",
            "</ImageData>",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        let begin = file.windows(2).position(|two| two == b"\n_").unwrap() + 2;
        assert_eq!(file[begin..begin + 8], 6u64.to_le_bytes());
        assert_eq!(file[begin + 8..begin + 14], [1, 0, 255, 1, 1, 255]);
    }

    #[test]
    fn wrong_cells_are_refused() {
        assert_eq!(image().check(), Ok(()));
        for wrong in [
            ImageData {
                cells: [3, 0, 2],
                ..image()
            },
            ImageData {
                cells: [3, 1, 3],
                ..image()
            },
            ImageData {
                cells: [usize::MAX; 3],
                ..image()
            },
            ImageData {
                point_data: vec![Field::scalar("height", vec![0.5; 6])],
                ..image()
            },
            ImageData {
                spacing: [1.0, 0.0, 1.0],
                ..image()
            },
            ImageData {
                spacing: [1.0, f64::INFINITY, 1.0],
                ..image()
            },
            ImageData {
                origin: [f64::NAN; 3],
                ..image()
            },
        ] {
            assert!(wrong.check().is_err(), "{wrong:?}");
            assert!(write_vti(&wrong, &mut Vec::new()).is_err());
        }
    }
}
