//! Audit commands: verification of the log and the read models, histories and explanations.

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
