//! Authentication and authorisation as handler arguments: a handler declares in its signature that it needs a member, staff or a
//! seller, so the check cannot be forgotten (spec V152, V179).
//!
//! | argument | accepts |
//! |---|---|
//! | [`CurrentMember`] | a member |
//! | [`CurrentSignIn`] | a member, for responses that outlast a request's check |
//! | [`OptionalMember`] | everybody; an invalid or expired token is still rejected |
//! | [`Staff`] | staff |
//! | [`StaffOrSeller`] | staff for all rows, a seller for their own: provides the [`RowScope`] to query with |
//! | [`OrderViewer`] | a member, or the guest who placed the order |
//!
//! Reads use the rights in the token, writes the member's present rights. A token of a sign-in that was ended is refused.

use crate::http::{ApiError, ApiResult, AppError, AppResult, Code};
use std::ops::Deref;

use axum::extract::{FromRef, FromRequestParts};
use axum::http::StatusCode;
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use domain::Actor;
use domain::ids::MemberId;
use domain::member::{Member, Scope};

use super::operation::{OperationInput, Signature};
use crate::app::AppState;
use crate::tokens::{Bearer, SignIn};
use application::access::{Editor, Session};
pub use application::access::{RowScope, Shopper};

/// A member.
#[derive(Clone, Debug)]
pub struct CurrentMember(pub Session);

/// A member, and the sign-in of their token: for responses that outlast a request's check of it.
#[derive(Clone, Debug)]
pub struct CurrentSignIn {
    /// The session.
    pub session: Session,
    /// The sign-in.
    pub sign_in: SignIn,
}

/// A member, or a visitor without an account.
#[derive(Clone, Debug)]
pub struct OptionalMember(pub Option<Session>);

/// Staff.
#[derive(Clone, Debug)]
pub struct Staff(pub Session);

/// Staff, or a seller.
#[derive(Clone, Debug)]
pub struct StaffOrSeller {
    /// The session.
    pub session: Session,
    /// The rows they may see and change.
    pub rows: RowScope,
}

/// A user who may view orders.
#[derive(Clone, Debug)]
pub struct OrderViewer {
    /// Whose orders.
    pub shopper: Shopper,
    /// The session of a member.
    pub session: Option<Session>,
}

impl CurrentMember {
    /// The member.
    pub fn member(&self) -> MemberId {
        self.0.user
    }

    /// The actor of events.
    pub fn actor(&self) -> Actor {
        Actor::Member { id: self.0.user }
    }
}

impl CurrentSignIn {
    /// Whether the token is still valid and its sign-in was not ended.
    ///
    /// # Errors
    /// Database errors.
    pub async fn is_current(&self, app: &AppState) -> AppResult<bool> {
        Ok(app.clock.now() < self.sign_in.expires_at && !is_revoked(app, self.sign_in).await?)
    }
}

impl OptionalMember {
    /// The member, if there is one.
    pub fn member(&self) -> Option<MemberId> {
        self.0.as_ref().map(|session| session.user)
    }

    /// The actor of events.
    pub fn actor(&self) -> Actor {
        self.member()
            .map_or(Actor::Guest, |id| Actor::Member { id })
    }
}

impl Staff {
    /// The actor of events.
    pub fn actor(&self) -> Actor {
        Actor::Operator { id: self.0.user }
    }
}

impl StaffOrSeller {
    /// The member, with the rows they may change.
    pub fn editor(&self) -> Editor {
        Editor {
            member: self.session.user,
            rows: self.rows,
        }
    }

    /// The actor of events: staff are operators, a seller is a member.
    pub fn actor(&self) -> Actor {
        self.editor().actor()
    }
}

impl Deref for OrderViewer {
    type Target = Shopper;

    fn deref(&self) -> &Shopper {
        &self.shopper
    }
}

/// Checks that `owner` is the current member.
///
/// # Errors
/// `not_found` for rows of others.
pub fn own_row(asking: &CurrentMember, owner: MemberId) -> AppResult<()> {
    if asking.member() == owner {
        Ok(())
    } else {
        Err(AppError::not_found())
    }
}

/// The text after `Bearer`.
///
/// # Errors
/// `token_invalid` if the header has another form.
pub fn bearer_text(parts: &Parts) -> AppResult<Option<&str>> {
    let Some(value) = parts.headers.get(AUTHORIZATION) else {
        return Ok(None);
    };
    let token = value.to_str().ok().and_then(|text| text.split_once(' '));
    match token {
        Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => Ok(Some(token.trim())),
        _ => Err(AppError::new(Code::TokenInvalid)),
    }
}

async fn bearer(parts: &Parts, app: &AppState) -> AppResult<Option<Bearer>> {
    let Some(token) = bearer_text(parts)? else {
        return Ok(None);
    };
    let (session, sign_in) = match app.tokens.read(token, app.clock.now())? {
        Bearer::Member(session, sign_in) => (session, sign_in),
        guest @ Bearer::Guest(_) => return Ok(Some(guest)),
    };
    if is_revoked(app, sign_in).await? {
        return Err(AppError::new(Code::TokenInvalid));
    }
    let session = match parts.method.is_safe() {
        true => session,
        false => current(app, session).await?,
    };
    Ok(Some(Bearer::Member(session, sign_in)))
}

async fn is_revoked(app: &AppState, sign_in: SignIn) -> AppResult<bool> {
    let Some(family) = sign_in.family else {
        return Ok(false);
    };
    let now = app.clock.now();
    app.revoked_sign_ins.contains(app.pool(), now, family).await
}

/// A session with the member's present rights, for requests that change something: a token can outlive a right by up to
/// [`MAX_AGE`](application::revoked_sign_ins::MAX_AGE), and by [`ACCESS_LIFE`](application::access::ACCESS_LIFE) if the
/// process that took the right stopped before it ended the sign-in. Members without rights in their token are not looked up.
async fn current(app: &AppState, session: Session) -> AppResult<Session> {
    if session.scope.is_empty() {
        return Ok(session);
    }
    let member = app.store.load::<Member>(&session.user.to_string()).await?;
    let member = member.state;
    if member.left {
        return Err(AppError::new(Code::LoginRequired));
    }
    Ok(Session {
        scope: member.scopes,
        ..session
    })
}

async fn session(parts: &Parts, app: &AppState) -> AppResult<Session> {
    match bearer(parts, app).await? {
        Some(Bearer::Member(session, _)) => Ok(session),
        Some(Bearer::Guest(_)) | None => Err(AppError::new(Code::LoginRequired)),
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

impl OperationInput for CurrentSignIn {
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

/// Lets the extractors work with any state that contains an [`AppState`].
macro_rules! guard {
    ($name:ident, |$parts:ident, $app:ident| $body:expr) => {
        impl<S: Send + Sync> FromRequestParts<S> for $name
        where
            AppState: FromRef<S>,
        {
            type Rejection = ApiError;

            async fn from_request_parts($parts: &mut Parts, state: &S) -> ApiResult<Self> {
                let $app = AppState::from_ref(state);
                let found: AppResult<Self> = $body;
                Ok(found?)
            }
        }
    };
}

guard!(CurrentMember, |parts, app| session(parts, &app)
    .await
    .map(Self));

guard!(
    CurrentSignIn,
    |parts, app| match bearer(parts, &app).await? {
        Some(Bearer::Member(session, sign_in)) => Ok(Self { session, sign_in }),
        Some(Bearer::Guest(_)) | None => Err(AppError::new(Code::LoginRequired)),
    }
);

guard!(
    OptionalMember,
    |parts, app| match bearer(parts, &app).await? {
        Some(Bearer::Member(session, _)) => Ok(Self(Some(session))),
        Some(Bearer::Guest(_)) | None => Ok(Self(None)),
    }
);

guard!(Staff, |parts, app| {
    let session = session(parts, &app).await?;
    if has(&session, Scope::Console) {
        Ok(Self(session))
    } else {
        Err(AppError::denied(&["console"]))
    }
});

guard!(StaffOrSeller, |parts, app| {
    let session = session(parts, &app).await?;
    let rows = if has(&session, Scope::Console) {
        RowScope::All
    } else if has(&session, Scope::Company) {
        RowScope::Seller(session.user)
    } else {
        return Err(AppError::denied(&["console", "company"]).into());
    };
    Ok(Self { session, rows })
});

guard!(OrderViewer, |parts, app| match bearer(parts, &app).await? {
    Some(Bearer::Member(session, _)) => Ok(Self {
        shopper: Shopper::Member(session.user),
        session: Some(session),
    }),
    Some(Bearer::Guest(order)) => Ok(Self {
        shopper: Shopper::Guest(order),
        session: None,
    }),
    None => Err(AppError::new(Code::LoginRequired)),
});
