//! Uploaded files.

mod giving;
mod replacing;
