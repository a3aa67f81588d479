//! Stored data stays readable.

mod seals;
mod snapshots;
mod stored_names;
mod upgrade;
