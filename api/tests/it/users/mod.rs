//! `/api/v1/users`, and access to the back office.

mod documents;
mod existence;
mod find;
mod join;
mod show;
mod staff;
