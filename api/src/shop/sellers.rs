//! The names of sellers on cards and purchases: sealed in their profiles, opened here.

use std::collections::HashMap;

use domain::ids::MemberId;
use event_store::Opened;
use projections::SellerRef;
use projections::members;

use crate::app::AppState;
use crate::http::ApiResult;

/// Nicknames by member; one who was forgotten has none.
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
    ) -> ApiResult<Self> {
        let mut ids: Vec<MemberId> = sellers.into_iter().collect();
        ids.sort_unstable();
        ids.dedup();
        let mut names = HashMap::new();
        if ids.is_empty() {
            return Ok(Self(names));
        }
        for member in members::members(app.pool(), &ids).await? {
            if let Opened::Value(profile) = app.keys.open(&member.profile).await? {
                names.insert(member.id, profile.nickname);
            }
        }
        Ok(Self(names))
    }

    /// The name of a member; none if they were forgotten.
    pub fn get(&self, member: MemberId) -> Option<&str> {
        self.0.get(&member).map(String::as_str)
    }

    /// Writes the name in.
    pub fn name(&self, seller: &mut SellerRef) {
        seller.nickname = self.0.get(&seller.id).cloned();
    }
}
