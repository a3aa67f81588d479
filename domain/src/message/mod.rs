//! Messages to members and guests: one stream each, from the request to the answer of the server that took it; and their texts.

mod aggregate;
mod built_in;
mod events;
mod phone_text;
mod template;
mod text;

pub use aggregate::*;
pub use events::*;
pub use phone_text::*;
pub use template::*;
pub use text::*;
