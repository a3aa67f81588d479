//! Looking at the books from the command line: proving them, and telling what happened.

pub mod history;
pub mod seal;
pub mod verify;
