//! Address search: all road addresses of Korea with its postcode, packed into the program.
//!
//! The data is `api/data/addresses.br` (see NOTICE; `api/data/pack_addresses.py` makes it and describes its form). It is
//! unpacked shortly after the start of the server and stays in memory, about 40 MB.

mod book;
mod unpack;
mod wording;

pub mod search;

pub use book::{AddressBook, Hit, Hits};
pub use unpack::BadData;

use std::sync::{Arc, OnceLock};

const PACKED: &[u8] = include_bytes!("../../data/addresses.br");

static BOOK: OnceLock<Result<Arc<AddressBook>, BadData>> = OnceLock::new();

/// All addresses; unpacked once, which takes about a second and should not be done while a request waits.
///
/// # Errors
/// The packed data is broken.
pub fn all() -> Result<Arc<AddressBook>, BadData> {
    BOOK.get_or_init(|| unpack::unpack(PACKED).map(Arc::new))
        .clone()
}
