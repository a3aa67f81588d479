//! Rate limits per client: a general one for the API, a strict one where passwords or order numbers could be guessed.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use application::{AppError, AppResult, Code};
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{Extensions, HeaderMap, Request};
use axum::response::Response;
use domain::ids::MemberId;
use governor::clock::Clock;
use governor::middleware::NoOpMiddleware;
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use tower_governor::governor::{GovernorConfig, GovernorConfigBuilder};
use tower_governor::key_extractor::KeyExtractor;
use tower_governor::{GovernorError, GovernorLayer};

use crate::settings::Settings;

/// The rate-limiting layer.
pub type Limiter = GovernorLayer<ClientAddress, NoOpMiddleware, Body>;

/// A long-term rate and a burst size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// Interval after which one more request is allowed.
    pub period: Duration,
    /// Maximum burst.
    pub burst: u32,
}

/// How a client is identified for rate limiting: by address, for IPv6 by its /64 network.
///
/// Behind a proxy it is the last address in `X-Forwarded-For`: the one added by our own proxy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientAddress {
    /// Whether our own proxy is in front.
    pub behind_proxy: bool,
}

impl KeyExtractor for ClientAddress {
    type Key = IpAddr;

    fn extract<T>(&self, request: &Request<T>) -> Result<IpAddr, GovernorError> {
        self.of(request.headers(), request.extensions())
            .ok_or(GovernorError::UnableToExtractKey)
    }
}

impl ClientAddress {
    /// The client address of a request with these headers and extensions.
    pub fn of(self, headers: &HeaderMap, extensions: &Extensions) -> Option<IpAddr> {
        let peer = extensions
            .get::<ConnectInfo<SocketAddr>>()
            .map(|info| info.0.ip());
        let forwarded = self.behind_proxy.then(|| forwarded_for(headers)).flatten();
        forwarded.or(peer).map(network_of)
    }
}

fn forwarded_for(headers: &HeaderMap) -> Option<IpAddr> {
    let value = headers.get_all("x-forwarded-for").iter().next_back()?;
    value.to_str().ok()?.rsplit(',').next()?.trim().parse().ok()
}

/// The network an address is counted as.
pub(crate) fn network_of(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V6(v6) => match v6.to_ipv4_mapped() {
            Some(v4) => IpAddr::V4(v4),
            None => IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() & (u128::MAX << 64))),
        },
        v4 => v4,
    }
}

/// The identity of a client, for handlers that count themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Client(pub(crate) IpAddr);

impl Client {
    /// The address it is counted as.
    pub const fn address(self) -> IpAddr {
        self.0
    }
}

/// A limiter; layers made from it share its counts.
#[derive(Clone, Debug)]
pub struct Limit(Arc<GovernorConfig<ClientAddress, NoOpMiddleware>>);

impl Limit {
    /// Creates a limiter.
    ///
    /// # Errors
    /// The rate is zero.
    pub fn new(rate: Rate, client: ClientAddress) -> anyhow::Result<Self> {
        let config = GovernorConfigBuilder::default()
            .period(rate.period)
            .burst_size(rate.burst)
            .key_extractor(client)
            .finish()
            .ok_or_else(|| anyhow::anyhow!("a rate limit cannot be zero"))?;
        Ok(Self(Arc::new(config)))
    }

    /// Its layer, which responds with `refuse` to requests over the limit.
    pub fn layer(&self, refuse: fn(GovernorError) -> Response) -> Limiter {
        GovernorLayer::new(Arc::clone(&self.0)).error_handler(refuse)
    }

    /// Counts one request of this client, for handlers that decide first whether it counts.
    ///
    /// # Errors
    /// `too_many_requests`.
    pub fn count(&self, client: Client) -> AppResult<()> {
        let limiter = self.0.limiter();
        limiter.check_key(&client.0).map_err(|until| {
            let wait = until.wait_time_from(limiter.clock().now());
            AppError::new(Code::TooManyRequests).retry_after(wait.as_secs().max(1))
        })
    }

    /// Removes idle clients, to bound memory.
    pub fn forget_quiet(&self) {
        self.0.limiter().retain_recent();
    }
}

/// Counts requests per member, whatever their address.
#[derive(Clone, Debug)]
pub struct PerMember(Arc<DefaultKeyedRateLimiter<MemberId>>);

impl PerMember {
    /// A limit per minute, which is also the burst size.
    ///
    /// # Errors
    /// The limit is zero.
    pub fn new(per_minute: u32) -> anyhow::Result<Self> {
        let per_minute = NonZeroU32::new(per_minute)
            .ok_or_else(|| anyhow::anyhow!("a rate limit cannot be zero"))?;
        Ok(Self(Arc::new(RateLimiter::keyed(Quota::per_minute(
            per_minute,
        )))))
    }

    /// Counts one request.
    ///
    /// # Errors
    /// `too_many_requests`.
    pub fn count(&self, member: MemberId) -> AppResult<()> {
        self.0.check_key(&member).map_err(|until| {
            let wait = until.wait_time_from(self.0.clock().now());
            AppError::new(Code::TooManyRequests).retry_after(wait.as_secs().max(1))
        })
    }

    fn forget_quiet(&self) {
        self.0.retain_recent();
    }
}

/// The limits of the shop.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Any request to the API.
    pub general: Limit,
    /// Requests that try a password or an order number.
    pub guesses: Limit,
    /// What guests write to the shop.
    pub submissions: Limit,
    /// Uploads of a member.
    pub uploads: PerMember,
    /// Maximum size of an upload request in bytes.
    pub upload_bytes: usize,
}

impl Limits {
    /// The configured limits.
    ///
    /// # Errors
    /// A rate is zero.
    pub fn new(settings: &Settings) -> anyhow::Result<Self> {
        let client = ClientAddress {
            behind_proxy: settings.server.behind_proxy,
        };
        let set = &settings.limits;
        Ok(Self {
            general: Limit::new(
                Rate {
                    period: Duration::from_secs(1) / set.requests_per_second,
                    burst: set.burst,
                },
                client,
            )?,
            guesses: Limit::new(
                Rate {
                    period: Duration::from_secs(60) / set.guesses_per_minute,
                    burst: set.guesses_burst,
                },
                client,
            )?,
            submissions: Limit::new(
                Rate {
                    period: Duration::from_secs(3_600) / set.submissions_per_hour,
                    burst: set.submissions_burst,
                },
                client,
            )?,
            uploads: PerMember::new(set.uploads_per_minute)?,
            upload_bytes: set.upload_bytes,
        })
    }

    /// Removes idle clients.
    pub fn forget_quiet(&self) {
        self.general.forget_quiet();
        self.guesses.forget_quiet();
        self.submissions.forget_quiet();
        self.uploads.forget_quiet();
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    fn key(behind_proxy: bool, peer: &str, forwarded: &[&str]) -> String {
        let mut request = Request::builder();
        for value in forwarded {
            request = request.header("x-forwarded-for", *value);
        }
        let mut request = request.body(()).unwrap();
        request
            .extensions_mut()
            .insert(ConnectInfo(SocketAddr::new(peer.parse().unwrap(), 1)));
        ClientAddress { behind_proxy }
            .extract(&request)
            .unwrap()
            .to_string()
    }

    #[test]
    fn a_client_cannot_choose_who_it_counts_as() {
        assert_eq!(key(false, "10.0.0.1", &["1.2.3.4"]), "10.0.0.1");
        assert_eq!(key(true, "10.0.0.1", &["6.6.6.6, 1.2.3.4"]), "1.2.3.4");
        assert_eq!(key(true, "10.0.0.1", &["6.6.6.6", "1.2.3.4"]), "1.2.3.4");
        assert_eq!(key(true, "10.0.0.1", &["nonsense"]), "10.0.0.1");
        assert_eq!(key(false, "2001:db8::1:2:3:4", &[]), "2001:db8::");
        assert_eq!(key(false, "::ffff:10.0.0.1", &[]), "10.0.0.1");
    }
}
