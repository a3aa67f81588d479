//! Working state.
