//! `/api/auth`.

mod ended_sign_ins;
mod refresh;
mod sign_in;
mod sign_in_limits;
