//! Sendings: an alarm, a mail or a text to a target, ordered by staff in one command and sent in parts by the worker, at a pace.
//!
//! The order holds the list of receivers, or of more than a list may hold only their number and the last of them: each part then names its
//! own. It records how far the list has been served and who was skipped: closed accounts, for texts those without a mobile number and,
//! for advertising, members without consent or with advertising switched off. A part is decided before anything is delivered;
//! the policy that follows the log delivers it under ids derived from the sending and the member, so each member gets it once however
//! often the event is read.

mod aggregate;
mod carrying_out;
mod events;
mod hours;
mod rules;

pub use aggregate::*;
pub use carrying_out::*;
pub use events::*;
pub use hours::*;
pub use rules::*;
