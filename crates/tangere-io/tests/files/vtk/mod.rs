//! Files of VTK, in XML and in the legacy format.

mod bad_legacy;
mod bad_xml;
mod mutations;
mod read;
mod write;
