//! Methods of the papers as they were published. They find the same pairs as all others, count
//! their tests, and are kept to check a paper's figures and to teach; the automatic choice never
//! picks them.
//!
//! | file | method | paper |
//! |---|---|---|
//! | `linked_cells` | [`Method::Linked`](super::Method::Linked): header and list arrays | leszczynski2004, section 2.1 |
//! | `sorted_distances` | [`Method::ShellsPublished`](super::Method::ShellsPublished): one reference point | leszczynski2004, section 2.2 |

pub(super) mod linked_cells;
pub(super) mod sorted_distances;
