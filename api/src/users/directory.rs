//! Who is a member, by nickname. Nicknames are sealed wherever they are kept, so no query can look into them: this process opens
//! each once, and after that only what has changed since. Who leaves is out of it with the next look.

use std::collections::BTreeMap;

use domain::ids::MemberId;
use domain::member::{MemberType, Scope};
use projections::members::members_since;
use tokio::sync::Mutex;

use super::nicknames;
use crate::app::AppState;
use crate::http::ApiResult;

/// A member as others may know them.
#[derive(Clone, Debug)]
pub struct Known {
    /// Who.
    pub id: MemberId,
    /// What they call themselves.
    pub nickname: String,
    /// Person, company or staff.
    pub member_type: MemberType,
    /// What their token may do.
    pub scopes: Vec<Scope>,
}

impl Known {
    /// Whether goods can be theirs: a company's, or the shop's own, which staff sells.
    pub fn sells(&self) -> bool {
        !self.scopes.is_empty()
    }
}

/// Everybody, as far as this process has looked.
#[derive(Debug, Default)]
pub struct Directory(Mutex<Looked>);

#[derive(Debug, Default)]
struct Looked {
    /// Up to this position of the log.
    position: i64,
    members: BTreeMap<MemberId, Known>,
}

impl Directory {
    /// Those who are wanted and have `term` in their nickname, whatever the case; by nickname.
    ///
    /// # Errors
    /// The database's.
    pub async fn find(
        &self,
        app: &AppState,
        term: &str,
        wanted: impl Fn(&Known) -> bool,
    ) -> ApiResult<Vec<Known>> {
        let term = term.trim().to_lowercase();
        let mut looked = self.0.lock().await;
        looked.look(app).await?;
        let fits = |known: &&Known| wanted(known) && known.nickname.to_lowercase().contains(&term);
        let mut found: Vec<Known> = looked.members.values().filter(fits).cloned().collect();
        drop(looked);
        found.sort_by(|one, other| (&one.nickname, one.id).cmp(&(&other.nickname, other.id)));
        Ok(found)
    }

    /// One member; none: there is no such, or they left.
    ///
    /// # Errors
    /// The database's.
    pub async fn one(&self, app: &AppState, id: MemberId) -> ApiResult<Option<Known>> {
        let mut looked = self.0.lock().await;
        looked.look(app).await?;
        Ok(looked.members.get(&id).cloned())
    }
}

impl Looked {
    /// Takes in what has changed since the last look.
    async fn look(&mut self, app: &AppState) -> ApiResult<()> {
        let changed = members_since(app.pool(), self.position).await?;
        let names = nicknames(app, changed.iter().map(|row| row.id)).await?;
        for row in changed {
            self.position = self.position.max(row.position);
            match names.get(&row.id).filter(|name| !name.is_empty()) {
                Some(nickname) => {
                    let known = Known {
                        id: row.id,
                        nickname: nickname.clone(),
                        member_type: row.member_type,
                        scopes: row.scopes,
                    };
                    self.members.insert(row.id, known);
                }
                None => {
                    self.members.remove(&row.id);
                }
            }
        }
        Ok(())
    }
}
