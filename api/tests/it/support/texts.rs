//! The texts to phones of a test's shop, as its sandbox took them.

use serde_json::Value;

use super::{TestApp, until};

/// The shop sends texts.
pub const TEXTED: (&str, &str) = ("JANGBU_SMS_SENDER", "02-1234-5678");

impl TestApp {
    /// The texts taken for this number so far, oldest first.
    pub async fn texts(&self, to: &str) -> Vec<Value> {
        let reply = self.get(&format!("{}/sandbox/texts?to={to}", self.sandbox));
        let texts = reply.send().await.expect(200).body["texts"].clone();
        texts.as_array().unwrap().clone()
    }

    /// The only text for this number that contains this, once it is there.
    pub async fn text(&self, to: &str, part: &str) -> Value {
        until("the text comes", async || {
            let mut texts = self.texts(to).await;
            texts.retain(|text| text["text"].as_str().unwrap().contains(part));
            assert!(texts.len() <= 1, "{part} came twice: {texts:#?}");
            texts.pop()
        })
        .await
    }
}
