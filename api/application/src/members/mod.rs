//! Members: joining, what others see of them, changing and closing accounts. The decisions are in [`domain::member`].
//!
//! | topic | module |
//! |---|---|
//! | joining through the form of the shop | [`mod@join`] |
//! | registering a member: names, document, password | [`mod@register`] |
//! | registration documents | [`registration_documents`] |
//! | names as they are compared and reserved | [`names`] |
//! | opening profiles, names shown to others | [`profiles`] |
//! | changing one's own profile and password | [`mod@revise`] |
//! | changing scopes | [`scopes`] |
//! | closing accounts, erasing personal data | [`closing`] |
//! | confirming the identity of the member | [`mod@confirm`] |

pub mod closing;
pub mod confirm;
pub mod join;
pub mod names;
pub mod profiles;
pub mod register;
pub mod registration_documents;
pub mod revise;
pub mod scopes;
