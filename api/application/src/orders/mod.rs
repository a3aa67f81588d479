//! Orders of shoppers. The decisions are in [`domain::checkout`].
//!
//! | topic | module |
//! |---|---|
//! | the order form | [`form`] |
//! | its lines with everything their price depends on | [`basket`] |
//! | placing it | [`mod@place`] |
//! | rows of the cart that change with it | [`cart_rows`] |
//! | limits of unpaid guest orders | [`guests`] |
//! | finding it | [`find`], [`contacts`] |
//! | correcting its receiver and the staff note | [`mod@correct`] |
//! | canceling it, or purchases of it | [`mod@cancel`] |
//! | returns, and the approval of claims | [`claims`] |
//! | pictures of the goods that come back | [`claim_pictures`] |
//! | exchanges, and the steps of claims whose goods come back | [`exchanges`] |
//! | parcels in all directions | [`shipments`] |
//! | tracking numbers from a file | [`invoice_files`], [`invoice_import`] |
//! | reading out receivers to send goods | [`disclosures`] |
//! | days until automatic status changes of a purchase | [`days`] |
//! | the shipping options that claim fees depend on | [`parcels`] |

pub mod basket;
pub mod cancel;
pub mod cart_rows;
pub mod claim_pictures;
pub mod claims;
pub mod contacts;
pub mod correct;
pub mod days;
pub mod disclosures;
pub mod exchanges;
pub mod find;
pub mod form;
pub mod guests;
pub mod invoice_files;
pub mod invoice_import;
pub mod parcels;
pub mod place;
pub mod shipments;
