//! Orders of shoppers. The decisions are in [`domain::checkout`].
//!
//! | topic | module |
//! |---|---|
//! | what a buyer fills in | [`form`] |
//! | its lines with all their price depends on | [`basket`] |
//! | placing it | [`mod@place`] |
//! | rows of the cart that change with it | [`cart_rows`] |
//! | what guests may hold unpaid | [`guests`] |
//! | finding it | [`find`], [`contacts`] |
//! | its receiver as corrected, and the note of staff | [`mod@correct`] |
//! | canceling it, or purchases of it | [`mod@cancel`] |
//! | returns, and the approval of claims | [`claims`] |
//! | pictures of the goods that come back | [`claim_pictures`] |
//! | exchanges, and the steps of claims whose goods come back | [`exchanges`] |
//! | parcels, whichever way they go | [`shipments`] |
//! | days after which a purchase goes on by itself | [`days`] |
//! | the shipping options fees of claims depend on | [`parcels`] |

pub mod basket;
pub mod cancel;
pub mod cart_rows;
pub mod claim_pictures;
pub mod claims;
pub mod contacts;
pub mod correct;
pub mod days;
pub mod exchanges;
pub mod find;
pub mod form;
pub mod guests;
pub mod parcels;
pub mod place;
pub mod shipments;
