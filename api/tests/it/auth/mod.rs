//! `/api/auth`.

mod refresh;
mod sign_in;
mod sign_in_limits;
