//! `/api/v1/users`, and who is let into the back office.

mod documents;
mod existence;
mod join;
mod staff;
