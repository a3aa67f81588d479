//! Who is asking, as arguments of handlers: a handler that needs a member, staff or a seller says so in its
//! signature and cannot forget to check (spec V152, V179).
//!
//! | argument | who gets in |
//! |---|---|
//! | [`Signed`] | a member |
//! | [`MaybeSigned`] | anybody; a bad or expired token is still refused |
//! | [`Console`] | staff |
//! | [`ConsoleOrCompany`] | staff for all rows, a seller for their own: it brings a [`RowScope`] to ask rows for |
//! | [`OrderReader`] | a member, or the guest who placed the order |
//!
//! Whoever reads has the rights their token was given; whoever changes something, those their member has now.

use axum::extract::{FromRef, FromRequestParts};
use axum::http::StatusCode;
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use domain::Actor;
use domain::ids::{MemberId, OrderId};
use domain::member::{Member, Scope};

use super::error::{ApiError, ApiResult};
use super::error_codes::Code;
use super::operation::{OperationInput, Signature};
use super::tokens::{Bearer, Session};
use crate::app::AppState;

/// A member.
#[derive(Clone, Debug)]
pub struct CurrentMember(pub Session);

/// A member, or somebody without an account.
#[derive(Clone, Debug)]
pub struct OptionalMember(pub Option<Session>);

/// Staff.
#[derive(Clone, Debug)]
pub struct Staff(pub Session);

/// Staff, or a seller.
#[derive(Clone, Debug)]
pub struct StaffOrSeller {
    /// Who.
    pub session: Session,
    /// What they may see and change.
    pub rows: RowScope,
}

/// Whose rows somebody may see and change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowScope {
    /// Everybody's.
    All,
    /// This seller's.
    Seller(MemberId),
}

/// Who may look at orders.
#[derive(Clone, Debug)]
pub enum OrderViewer {
    /// A member, at their own.
    Member(Session),
    /// A guest, at this one.
    Guest(OrderId),
}

impl CurrentMember {
    /// The member.
    pub fn member(&self) -> MemberId {
        self.0.user
    }

    /// As the cause of events.
    pub fn actor(&self) -> Actor {
        Actor::Member { id: self.0.user }
    }
}

impl OptionalMember {
    /// The member, if there is one.
    pub fn member(&self) -> Option<MemberId> {
        self.0.as_ref().map(|session| session.user)
    }

    /// As the cause of events.
    pub fn actor(&self) -> Actor {
        self.member()
            .map_or(Actor::Guest, |id| Actor::Member { id })
    }
}

impl Staff {
    /// As the cause of events.
    pub fn actor(&self) -> Actor {
        Actor::Operator { id: self.0.user }
    }
}

impl StaffOrSeller {
    /// As the cause of events: staff are operators, a seller is a member.
    pub fn actor(&self) -> Actor {
        match self.rows {
            RowScope::All => Actor::Operator {
                id: self.session.user,
            },
            RowScope::Seller(id) => Actor::Member { id },
        }
    }
}

impl RowScope {
    /// The seller to narrow a query to.
    pub fn seller(self) -> Option<MemberId> {
        match self {
            Self::All => None,
            Self::Seller(seller) => Some(seller),
        }
    }

    /// Passes if a row of this seller may be touched.
    ///
    /// # Errors
    /// `not_found`: somebody else's row does not exist.
    pub fn reaches(self, seller: MemberId) -> ApiResult<()> {
        match self {
            Self::All => Ok(()),
            Self::Seller(own) if own == seller => Ok(()),
            Self::Seller(_) => Err(ApiError::not_found()),
        }
    }
}

impl OrderViewer {
    /// Passes if this order, bought by `buyer` (a guest has no id), may be seen.
    ///
    /// # Errors
    /// `not_found`: somebody else's order does not exist.
    pub fn reaches(&self, order: OrderId, buyer: Option<MemberId>) -> ApiResult<()> {
        let own = match self {
            Self::Member(session) => buyer == Some(session.user),
            Self::Guest(own) => buyer.is_none() && *own == order,
        };
        if own {
            Ok(())
        } else {
            Err(ApiError::not_found())
        }
    }

    /// The member, if it is one.
    pub fn member(&self) -> Option<MemberId> {
        match self {
            Self::Member(session) => Some(session.user),
            Self::Guest(_) => None,
        }
    }

    /// As the cause of events.
    pub fn actor(&self) -> Actor {
        self.member()
            .map_or(Actor::Guest, |id| Actor::Member { id })
    }
}

/// Passes if `owner` is the one asking.
///
/// # Errors
/// `not_found`: somebody else's row does not exist.
pub fn own_row(asking: &CurrentMember, owner: MemberId) -> ApiResult<()> {
    if asking.member() == owner {
        Ok(())
    } else {
        Err(ApiError::not_found())
    }
}

/// The text after `Bearer`.
///
/// # Errors
/// `token_invalid` if the header says something else.
pub fn bearer_text(parts: &Parts) -> ApiResult<Option<&str>> {
    let Some(value) = parts.headers.get(AUTHORIZATION) else {
        return Ok(None);
    };
    let token = value.to_str().ok().and_then(|text| text.split_once(' '));
    match token {
        Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => Ok(Some(token.trim())),
        _ => Err(ApiError::new(Code::TokenInvalid)),
    }
}

async fn bearer(parts: &Parts, app: &AppState) -> ApiResult<Option<Bearer>> {
    let Some(token) = bearer_text(parts)? else {
        return Ok(None);
    };
    match app.tokens.read(token, app.clock.now())? {
        Bearer::Member(session) if !parts.method.is_safe() => {
            Ok(Some(Bearer::Member(current(app, session).await?)))
        }
        other => Ok(Some(other)),
    }
}

/// A session with the rights its member has now, for requests that change something: a token outlives a right by up to
/// [`ACCESS_LIFE`](super::tokens::ACCESS_LIFE). Members without rights in their token are not looked up.
async fn current(app: &AppState, session: Session) -> ApiResult<Session> {
    if session.scope.is_empty() {
        return Ok(session);
    }
    let member = app.store.load::<Member>(&session.user.to_string()).await?;
    let member = member.state;
    if member.left {
        return Err(ApiError::new(Code::LoginRequired));
    }
    Ok(Session {
        scope: member.scopes,
        ..session
    })
}

async fn session(parts: &Parts, app: &AppState) -> ApiResult<Session> {
    match bearer(parts, app).await? {
        Some(Bearer::Member(session)) => Ok(session),
        Some(Bearer::Guest(_)) | None => Err(ApiError::new(Code::LoginRequired)),
    }
}

fn has(session: &Session, scope: Scope) -> bool {
    session.scope.contains(&scope)
}

impl OperationInput for CurrentMember {
    fn describe(signature: &mut Signature) {
        signature.needs_token();
    }
}

impl OperationInput for OrderViewer {
    fn describe(signature: &mut Signature) {
        signature.needs_token();
    }
}

impl OperationInput for OptionalMember {
    fn describe(signature: &mut Signature) {
        signature.takes_token();
    }
}

impl OperationInput for Staff {
    fn describe(signature: &mut Signature) {
        signature.needs_token();
        signature.refuses(StatusCode::FORBIDDEN);
    }
}

impl OperationInput for StaffOrSeller {
    fn describe(signature: &mut Signature) {
        signature.needs_token();
        signature.refuses(StatusCode::FORBIDDEN);
    }
}

/// Lets the state's guards read any state that holds an [`AppState`].
macro_rules! guard {
    ($name:ident, |$parts:ident, $app:ident| $body:expr) => {
        impl<S: Send + Sync> FromRequestParts<S> for $name
        where
            AppState: FromRef<S>,
        {
            type Rejection = ApiError;

            async fn from_request_parts($parts: &mut Parts, state: &S) -> ApiResult<Self> {
                let $app = AppState::from_ref(state);
                $body
            }
        }
    };
}

guard!(CurrentMember, |parts, app| session(parts, &app)
    .await
    .map(Self));

guard!(
    OptionalMember,
    |parts, app| match bearer(parts, &app).await? {
        Some(Bearer::Member(session)) => Ok(Self(Some(session))),
        Some(Bearer::Guest(_)) | None => Ok(Self(None)),
    }
);

guard!(Staff, |parts, app| {
    let session = session(parts, &app).await?;
    if has(&session, Scope::Console) {
        Ok(Self(session))
    } else {
        Err(ApiError::denied(&["console"]))
    }
});

guard!(StaffOrSeller, |parts, app| {
    let session = session(parts, &app).await?;
    let rows = if has(&session, Scope::Console) {
        RowScope::All
    } else if has(&session, Scope::Company) {
        RowScope::Seller(session.user)
    } else {
        return Err(ApiError::denied(&["console", "company"]));
    };
    Ok(Self { session, rows })
});

guard!(OrderViewer, |parts, app| match bearer(parts, &app).await? {
    Some(Bearer::Member(session)) => Ok(Self::Member(session)),
    Some(Bearer::Guest(order)) => Ok(Self::Guest(order)),
    None => Err(ApiError::new(Code::LoginRequired)),
});
