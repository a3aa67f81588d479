//! Access rules: who may see and change which rows. Handlers identify the caller; use cases on rows of a member or seller take that
//! identity and check it.

use domain::Actor;
use domain::ids::{MemberId, OrderId};
use domain::member::{AccessLevel, MemberType, Scope};
use serde::{Deserialize, Serialize};
use time::Duration;
use utoipa::ToSchema;

use crate::error::{AppError, AppResult};

/// Lifetime of an access token. For this long after its account is closed, a token may still create rows.
pub const ACCESS_LIFE: Duration = Duration::minutes(15);

/// The member a token was issued to (the session's `payload`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    /// The member.
    #[serde(rename = "_user")]
    pub user: MemberId,
    /// Type.
    pub user_type: MemberType,
    /// Scopes.
    pub scope: Vec<Scope>,
    /// Access level.
    pub level: AccessLevel,
}

/// The rows a user of the console may see and change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowScope {
    /// All rows.
    All,
    /// Rows of this seller, or of a member who manages their own.
    Seller(MemberId),
}

impl RowScope {
    /// The seller to restrict a query to.
    pub fn seller(self) -> Option<MemberId> {
        match self {
            Self::All => None,
            Self::Seller(seller) => Some(seller),
        }
    }

    /// Checks access to a row of this seller.
    ///
    /// # Errors
    /// `not_found` for rows of others.
    pub fn reaches(self, seller: MemberId) -> AppResult<()> {
        match self {
            Self::All => Ok(()),
            Self::Seller(own) if own == seller => Ok(()),
            Self::Seller(_) => Err(AppError::not_found()),
        }
    }
}

/// The staff member or seller who edits rows of the console.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Editor {
    /// The member.
    pub member: MemberId,
    /// The rows they may see and change.
    pub rows: RowScope,
}

impl Editor {
    /// The actor of events: staff are operators, a seller is a member.
    pub fn actor(&self) -> Actor {
        match self.rows {
            RowScope::All => Actor::Operator { id: self.member },
            RowScope::Seller(id) => Actor::Member { id },
        }
    }
}

/// A shopper, who may see and change their own orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shopper {
    /// A member, for their own orders.
    Member(MemberId),
    /// A guest, for this order.
    Guest(OrderId),
}

impl Shopper {
    /// Checks access to this order, bought by `buyer` (none for a guest).
    ///
    /// # Errors
    /// `not_found` for orders of others.
    pub fn reaches(&self, order: OrderId, buyer: Option<MemberId>) -> AppResult<()> {
        let own = match self {
            Self::Member(member) => buyer == Some(*member),
            Self::Guest(own) => buyer.is_none() && *own == order,
        };
        if own {
            Ok(())
        } else {
            Err(AppError::not_found())
        }
    }

    /// The member, if any.
    pub fn member(&self) -> Option<MemberId> {
        match self {
            Self::Member(member) => Some(*member),
            Self::Guest(_) => None,
        }
    }

    /// The actor of events.
    pub fn actor(&self) -> Actor {
        self.member()
            .map_or(Actor::Guest, |id| Actor::Member { id })
    }
}
