//! Finds members by nickname. Nicknames are stored sealed, so no query can search them: the process decrypts each one once, and afterwards
//! only those that changed. Closed accounts disappear with the next update.

use std::collections::BTreeMap;

use domain::Purpose;
use domain::ids::MemberId;
use domain::member::{MemberType, Scope};
use event_store::KeyRing;
use projections::members::{MemberRow, members_since};
use sqlx::PgPool;
use tokio::sync::{Mutex, RwLock};

use crate::error::AppResult;

/// A member with an open account.
#[derive(Clone, Debug)]
pub struct IndexedMember {
    /// The id.
    pub id: MemberId,
    /// The nickname.
    pub nickname: String,
    /// Person, company or staff.
    pub member_type: MemberType,
    /// Scopes.
    pub scopes: Vec<Scope>,
}

impl IndexedMember {
    /// Whether the member can own products: companies sell their own, staff the shop's.
    pub fn sells(&self) -> bool {
        !self.scopes.is_empty()
    }
}

/// The nicknames decrypted by this process.
pub struct NicknameIndex {
    pool: PgPool,
    keys: KeyRing,
    opened: RwLock<OpenedNames>,
    /// Held while names are decrypted, so that none is decrypted twice.
    opening: Mutex<()>,
}

#[derive(Debug, Default)]
struct OpenedNames {
    /// Up to date to this position of the log.
    position: i64,
    members: BTreeMap<MemberId, IndexedMember>,
}

impl NicknameIndex {
    /// An index of the members of this database.
    pub fn new(pool: PgPool, keys: KeyRing) -> Self {
        Self {
            pool,
            keys,
            opened: RwLock::default(),
            opening: Mutex::default(),
        }
    }

    /// The members that `filter` accepts and whose nickname contains `term`, ignoring case; by nickname.
    ///
    /// # Errors
    /// Database errors.
    pub async fn find(
        &self,
        term: &str,
        filter: impl Fn(&IndexedMember) -> bool,
    ) -> AppResult<Vec<IndexedMember>> {
        let term = term.trim().to_lowercase();
        self.update().await?;
        let fits =
            |known: &&IndexedMember| filter(known) && known.nickname.to_lowercase().contains(&term);
        let names = self.opened.read().await;
        let mut found: Vec<IndexedMember> = names.members.values().filter(fits).cloned().collect();
        drop(names);
        found.sort_by(|one, other| (&one.nickname, one.id).cmp(&(&other.nickname, other.id)));
        Ok(found)
    }

    /// One member with an open account.
    ///
    /// # Errors
    /// Database errors.
    pub async fn one(&self, id: MemberId) -> AppResult<Option<IndexedMember>> {
        self.update().await?;
        Ok(self.opened.read().await.members.get(&id).cloned())
    }

    /// Decrypts the names that changed, without holding a lock that readers wait for.
    async fn update(&self) -> AppResult<()> {
        if self.changed().await?.is_empty() {
            return Ok(());
        }
        let _turn = self.opening.lock().await;
        // Another caller may have decrypted them meanwhile.
        let changed = self.changed().await?;
        let keys = changed.iter().map(|row| (row.id.0, Purpose::Profile));
        self.keys.prefetch(keys).await?;
        let mut members = Vec::with_capacity(changed.len());
        for row in changed {
            let profile = match &row.profile {
                Some(sealed) => self.keys.open(sealed).await?.value(),
                None => None,
            };
            members.push((row, profile.map(|profile| profile.nickname)));
        }
        self.opened.write().await.apply(members);
        Ok(())
    }

    async fn changed(&self) -> AppResult<Vec<MemberRow>> {
        let position = self.opened.read().await.position;
        Ok(members_since(&self.pool, position).await?)
    }
}

impl OpenedNames {
    fn apply(&mut self, members: Vec<(MemberRow, Option<String>)>) {
        for (row, nickname) in members {
            self.position = self.position.max(row.position);
            match nickname.filter(|name| !name.is_empty()) {
                Some(nickname) => {
                    let known = IndexedMember {
                        id: row.id,
                        nickname,
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
    }
}
