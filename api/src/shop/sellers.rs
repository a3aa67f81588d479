//! The names of sellers on cards and purchases: sealed in their profiles, opened here.

use std::collections::HashMap;

use domain::ids::MemberId;
use projections::SellerRef;

use crate::app::AppState;
use crate::http::AppResult;
use crate::users::shown_names;

/// Nicknames by member; one who was forgotten is said to have left.
#[derive(Debug, Default)]
pub struct Nicknames(HashMap<MemberId, String>);

impl Nicknames {
    /// Those of these members.
    ///
    /// # Errors
    /// The database's.
    pub async fn of(
        app: &AppState,
        sellers: impl IntoIterator<Item = MemberId>,
    ) -> AppResult<Self> {
        Ok(Self(shown_names(app, sellers).await?))
    }

    /// Writes the name in.
    pub fn name(&self, seller: &mut SellerRef) {
        seller.nickname = self.0.get(&seller.id).cloned();
    }
}
