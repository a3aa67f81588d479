//! A request of a test, and its response.

use reqwest::RequestBuilder;
use reqwest::header::HeaderMap;
use serde_json::Value;

use crate::http::contract;

/// A member who is signed in.
#[derive(Clone, Debug)]
pub struct Account {
    pub id: String,
    pub username: String,
    pub password: String,
    pub token: String,
    pub refresh: String,
}

/// A response.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub headers: HeaderMap,
    /// JSON; null if the body is not JSON.
    pub body: Value,
    pub text: String,
}

impl Reply {
    /// The code of an error.
    pub fn code(&self) -> &str {
        self.body["error"]["code"].as_str().unwrap_or("-")
    }

    /// The field and the code of the first invalid field.
    pub fn complaint(&self) -> (&str, &str) {
        let field = &self.body["error"]["fields"][0];
        (
            field["field"].as_str().unwrap_or("-"),
            field["code"].as_str().unwrap_or("-"),
        )
    }

    /// A header's text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    /// The position to wait for.
    pub fn position(&self) -> String {
        self.header("x-position").unwrap().to_owned()
    }

    /// Checks the status.
    #[track_caller]
    pub fn expect(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}", self.text);
        self
    }
}

/// A request to be sent.
pub struct Ask(pub(super) RequestBuilder);

impl Ask {
    pub fn token(self, token: &str) -> Self {
        Self(self.0.bearer_auth(token))
    }

    pub fn as_(self, account: &Account) -> Self {
        self.token(&account.token)
    }

    pub fn header(self, name: &str, value: &str) -> Self {
        Self(self.0.header(name, value))
    }

    pub fn key(self, key: &str) -> Self {
        self.header("idempotency-key", key)
    }

    pub fn json(self, body: &Value) -> Self {
        Self(self.0.json(body))
    }

    /// A body of any kind.
    pub fn body(self, kind: &str, body: impl Into<reqwest::Body>) -> Self {
        Self(self.0.header("content-type", kind).body(body))
    }

    /// The response; a stale read on a busy machine is repeated, as the web app does.
    pub async fn send(self) -> Reply {
        for _ in 0..20 {
            let reply = Self(self.0.try_clone().unwrap()).once().await;
            if reply.header("x-stale").is_none() {
                return reply;
            }
        }
        self.once().await
    }

    /// The response, even if it is stale.
    pub async fn once(self) -> Reply {
        let asked = self.0.try_clone().unwrap().build().unwrap();
        // A rejection may close the connection before the body is read; the next request on it then has to be sent again.
        let again = self.0.try_clone().unwrap();
        let response = match self.0.send().await {
            Ok(response) => response,
            Err(_) => again.send().await.unwrap(),
        };
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        contract::hold(asked.method(), asked.url().path(), status, &headers);
        let text = response.text().await.unwrap();
        let body = serde_json::from_str(&text).unwrap_or_default();
        Reply {
            status,
            headers,
            body,
            text,
        }
    }
}
