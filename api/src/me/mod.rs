//! What a member has: my page.

pub mod info;
