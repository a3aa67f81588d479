//! Read models and working state.

pub mod state;
