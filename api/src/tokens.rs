//! Tokens. An access token (15 minutes) and a guest's token for one order (7 days) are signed with HS256 and verified without a
//! look-up (whether the sign-in of an access token was ended is checked by the extractors); of a refresh token (256 random bits, or the result of [`Tokens::successor`]) only a hash is stored.
//!
//! Time is the shop's clock, which tests can move.

use application::access::{ACCESS_LIFE, Session};
use application::{AppError, AppResult, Code};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::ids::{MemberId, OrderId};
use domain::member::{AccessLevel, MemberType, Scope};
use hmac::{Hmac, KeyInit, Mac};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, encode};
use rand::TryRng;
use rand::rngs::SysRng;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

/// Lifetime of a guest's token for an order.
pub const GUEST_LIFE: Duration = Duration::days(7);
/// Time in which an uploaded registration document can be claimed.
pub const JOINING_LIFE: Duration = Duration::HOUR;
/// Lifetime of an unused refresh token.
pub const REFRESH_LIFE: Duration = Duration::days(14);

#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum Claims {
    #[serde(rename_all = "camelCase")]
    Access {
        sub: MemberId,
        user_type: MemberType,
        scope: Vec<Scope>,
        level: AccessLevel,
        /// None in tokens of earlier versions.
        #[serde(default)]
        family: Option<Uuid>,
        iat: i64,
        exp: i64,
    },
    GuestOrder {
        order: OrderId,
        iat: i64,
        exp: i64,
    },
    #[serde(rename_all = "camelCase")]
    JoiningDocument {
        document: Uuid,
        iat: i64,
        exp: i64,
    },
}

/// Content of a valid token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bearer {
    /// A member, and the sign-in.
    Member(Session, SignIn),
    /// The guest who placed this order.
    Guest(OrderId),
}

/// The sign-in that an access token belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignIn {
    /// The family of its refresh tokens. None in tokens of earlier versions.
    pub family: Option<Uuid>,
    /// When the access token expires.
    pub expires_at: OffsetDateTime,
}

/// Signs and verifies tokens.
#[derive(Clone)]
pub struct Tokens {
    signing: EncodingKey,
    reading: DecodingKey,
    validation: Validation,
    successors: Hmac<Sha256>,
}

/// Label of the key that derives successors; changing it signs out the members whose tokens are being renewed at that time.
const SUCCESSORS: &[u8] = b"refresh token successors";

impl Tokens {
    /// Creates it from the shop's token key.
    pub fn new(key: &[u8; 32]) -> Self {
        let mut validation = Validation::new(Algorithm::HS256);
        // jsonwebtoken would use the system clock; `read` uses the shop's.
        validation.validate_exp = false;
        validation.required_spec_claims.clear();
        Self {
            signing: EncodingKey::from_secret(key),
            reading: DecodingKey::from_secret(key),
            validation,
            successors: keyed(&keyed(key).chain_update(SUCCESSORS).finalize().into_bytes()),
        }
    }

    /// The refresh token that follows this one, and its hash to store. It is deterministic, so that parallel uses of one token get
    /// the same response although no token is stored; it cannot be predicted without the shop's key.
    pub fn successor(&self, token: &str) -> (String, [u8; 32]) {
        let successor = self.successors.clone().chain_update(token.as_bytes());
        let successor = URL_SAFE_NO_PAD.encode(successor.finalize().into_bytes());
        let hash = refresh_hash(&successor);
        (successor, hash)
    }

    /// An access token of the sign-in with this family of refresh tokens.
    ///
    /// # Errors
    /// Never for these claims.
    pub fn access(
        &self,
        session: &Session,
        family: Uuid,
        now: OffsetDateTime,
    ) -> AppResult<String> {
        self.sign(&Claims::Access {
            sub: session.user,
            user_type: session.user_type,
            scope: session.scope.clone(),
            level: session.level,
            family: Some(family),
            iat: now.unix_timestamp(),
            exp: (now + ACCESS_LIFE).unix_timestamp(),
        })
    }

    /// A guest's token for one order.
    ///
    /// # Errors
    /// Never for these claims.
    pub fn guest(&self, order: OrderId, now: OffsetDateTime) -> AppResult<String> {
        let exp = (now + GUEST_LIFE).unix_timestamp();
        self.sign(&Claims::GuestOrder {
            order,
            iat: now.unix_timestamp(),
            exp,
        })
    }

    /// A token to claim an uploaded registration document.
    ///
    /// # Errors
    /// Never for these claims.
    pub fn joining(&self, document: Uuid, now: OffsetDateTime) -> AppResult<String> {
        self.sign(&Claims::JoiningDocument {
            document,
            iat: now.unix_timestamp(),
            exp: (now + JOINING_LIFE).unix_timestamp(),
        })
    }

    /// The document a token claims.
    ///
    /// # Errors
    /// `token_invalid` for a foreign token or another kind of token, `token_expired` for an expired one.
    pub fn joining_document(&self, token: &str, now: OffsetDateTime) -> AppResult<Uuid> {
        match self.claims(token)? {
            Claims::JoiningDocument { document, exp, .. } if exp > now.unix_timestamp() => {
                Ok(document)
            }
            Claims::JoiningDocument { .. } => Err(AppError::new(Code::TokenExpired)),
            Claims::Access { .. } | Claims::GuestOrder { .. } => {
                Err(AppError::new(Code::TokenInvalid))
            }
        }
    }

    fn claims(&self, token: &str) -> AppResult<Claims> {
        Ok(decode::<Claims>(token, &self.reading, &self.validation)
            .map_err(|_| AppError::new(Code::TokenInvalid))?
            .claims)
    }

    fn sign(&self, claims: &Claims) -> AppResult<String> {
        encode(&Header::new(Algorithm::HS256), claims, &self.signing).map_err(AppError::internal)
    }

    /// Verifies a token.
    ///
    /// # Errors
    /// `token_invalid` for a foreign token, `token_expired` for an expired one.
    pub fn read(&self, token: &str, now: OffsetDateTime) -> AppResult<Bearer> {
        let claims = self.claims(token)?;
        let (exp, bearer) = match claims {
            Claims::Access {
                sub,
                user_type,
                scope,
                level,
                family,
                exp,
                ..
            } => {
                let session = Session {
                    user: sub,
                    user_type,
                    scope,
                    level,
                };
                let expires_at = OffsetDateTime::from_unix_timestamp(exp)
                    .map_err(|_| AppError::new(Code::TokenInvalid))?;
                (exp, Bearer::Member(session, SignIn { family, expires_at }))
            }
            Claims::GuestOrder { order, exp, .. } => (exp, Bearer::Guest(order)),
            // It claims a document and grants no access.
            Claims::JoiningDocument { .. } => return Err(AppError::new(Code::TokenInvalid)),
        };
        if exp <= now.unix_timestamp() {
            return Err(AppError::new(Code::TokenExpired));
        }
        Ok(bearer)
    }
}

fn keyed(key: &[u8]) -> Hmac<Sha256> {
    // HMAC accepts keys of any length.
    Hmac::new_from_slice(key).unwrap_or_else(|_| Hmac::new(&Default::default()))
}

/// A random token (a first refresh token, a device's) and its hash to store.
///
/// # Errors
/// The system provides no randomness.
pub fn fresh_token() -> AppResult<(String, [u8; 32])> {
    let mut bytes = [0_u8; 32];
    SysRng
        .try_fill_bytes(&mut bytes)
        .map_err(AppError::internal)?;
    let token = URL_SAFE_NO_PAD.encode(bytes);
    let hash = refresh_hash(&token);
    Ok((token, hash))
}

/// The stored hash of such a token; it has enough entropy for a plain hash.
pub fn refresh_hash(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use time::macros::datetime;

    use super::*;

    const NOW: OffsetDateTime = datetime!(2026-11-21 09:00 UTC);

    fn session() -> Session {
        Session {
            user: MemberId(Uuid::from_u128(1)),
            user_type: MemberType::Person,
            scope: vec![Scope::Console],
            level: AccessLevel::Admin,
        }
    }

    const FAMILY: Uuid = Uuid::from_u128(9);

    #[test]
    fn a_token_says_what_was_signed_until_it_runs_out() {
        let tokens = Tokens::new(&[7; 32]);
        let access = tokens.access(&session(), FAMILY, NOW).unwrap();
        let sign_in = SignIn {
            family: Some(FAMILY),
            expires_at: NOW + ACCESS_LIFE,
        };
        assert_eq!(
            tokens.read(&access, NOW).unwrap(),
            Bearer::Member(session(), sign_in)
        );
        let late = tokens.read(&access, NOW + ACCESS_LIFE).unwrap_err();
        assert_eq!(late.code(), Code::TokenExpired);
        let document = Uuid::from_u128(3);
        let joining = tokens.joining(document, NOW).unwrap();
        assert_eq!(tokens.joining_document(&joining, NOW).unwrap(), document);
        assert!(
            tokens
                .joining_document(&joining, NOW + JOINING_LIFE)
                .is_err()
        );
        assert!(tokens.joining_document(&access, NOW).is_err());
        assert!(tokens.read(&joining, NOW).is_err());
        let order = OrderId(Uuid::from_u128(2));
        let guest = tokens.guest(order, NOW).unwrap();
        assert_eq!(
            tokens.read(&guest, NOW + Duration::days(6)).unwrap(),
            Bearer::Guest(order)
        );
        assert_eq!(
            tokens.read(&guest, NOW + GUEST_LIFE).unwrap_err().code(),
            Code::TokenExpired
        );
    }

    #[test]
    fn another_key_another_algorithm_or_a_changed_claim_is_no_token_of_ours() {
        let tokens = Tokens::new(&[7; 32]);
        let access = tokens.access(&session(), FAMILY, NOW).unwrap();
        let invalid = |token: &str| {
            assert_eq!(
                tokens.read(token, NOW).unwrap_err().code(),
                Code::TokenInvalid
            )
        };
        invalid(
            &Tokens::new(&[8; 32])
                .access(&session(), FAMILY, NOW)
                .unwrap(),
        );
        invalid("");
        invalid("a.b.c");
        let mut parts = access.split('.');
        let (_, claims, signature) = (parts.next(), parts.next().unwrap(), parts.next().unwrap());
        let none = URL_SAFE_NO_PAD.encode(r#"{"alg":"none","typ":"JWT"}"#);
        invalid(&format!("{none}.{claims}."));
        invalid(&format!("{none}.{claims}.{signature}"));
        let hs512 = Header::new(Algorithm::HS512);
        let claims = serde_json::json!({ "kind": "access", "exp": i64::MAX });
        invalid(&encode(&hs512, &claims, &EncodingKey::from_secret(&[7; 32])).unwrap());
    }
}
