//! Methods of the papers as they were published. They find the same pairs as all others, and are
//! kept to check a paper's figures and to teach; the automatic choice never picks them.
//!
//! | file | method | paper |
//! |---|---|---|
//! | `djb2` | [`Method::Djb2`](super::Method::Djb2): hierarchical spatial hash | weller2014, section 4 |

pub(crate) mod djb2;
