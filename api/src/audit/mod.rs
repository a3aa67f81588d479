//! Looking at the books from the command line: proving them, and telling what happened.

pub mod ask_payments;
pub mod causation;
pub mod explain;
pub mod export;
pub mod forget;
pub mod history;
pub mod rotate;
pub mod seal;
pub mod story;
pub mod verify;
