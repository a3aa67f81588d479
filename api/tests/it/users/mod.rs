//! `/api/v1/users`, and access to the back office.

mod account_mail;
mod documents;
mod email;
mod existence;
mod find;
mod join;
mod show;
mod staff;
mod unsubscribe;
