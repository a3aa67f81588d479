//! `/api/v1/users`, and access to the back office.

mod documents;
mod existence;
mod join;
mod staff;
