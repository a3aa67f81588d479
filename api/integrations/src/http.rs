//! The HTTP connections of the clients.

use reqwest::redirect::Policy;
use reqwest::{Client, ClientBuilder};

/// A client for calls that must not be made twice, without timeouts; `bypass_proxy` ignores the proxy of the environment.
pub(crate) fn once_only(bypass_proxy: bool) -> ClientBuilder {
    let http = Client::builder()
        // a redirected POST would be sent twice, and to another host
        .redirect(Policy::none())
        // an idle connection that the service has just closed looks like a lost answer
        .pool_max_idle_per_host(0)
        .retry(reqwest::retry::never());
    match bypass_proxy {
        true => http.no_proxy(),
        false => http,
    }
}
