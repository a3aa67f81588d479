//! The mail of a test's shop, as its sandbox took it.

use application::executor::CommandContext;
use domain::Actor;
use domain::ids::MessageId;
use domain::message::Message;
use serde_json::Value;

use super::{TestApp, until};

/// Buyers of the shop get mail.
pub const MAILED: (&str, &str) = ("JANGBU_MAIL_ORDERS", "true");
/// New addresses get a link that confirms them.
pub const CONFIRMED: (&str, &str) = ("JANGBU_MAIL_CONFIRMATIONS", "true");

/// A link in a mail: the member and the token.
#[derive(Clone, Debug)]
pub struct MailLink {
    pub member: String,
    pub token: String,
}

impl TestApp {
    /// The mails taken for this address so far, oldest first.
    pub async fn mails(&self, to: &str) -> Vec<Value> {
        let reply = self.get(&format!("{}/sandbox/mails", self.sandbox));
        let mails = reply.send().await.expect(200).body["mails"].clone();
        let mails = mails.as_array().unwrap().clone();
        mails
            .into_iter()
            .filter(|mail| mail["to"][0] == to)
            .collect()
    }

    /// The only mail for this address whose subject contains this, once it is there.
    pub async fn mail(&self, to: &str, subject: &str) -> Value {
        until("the mail comes", async || {
            let mut mails = self.mails(to).await;
            mails.retain(|mail| mail["subject"].as_str().unwrap().contains(subject));
            assert!(mails.len() <= 1, "{subject} came twice: {mails:#?}");
            mails.pop()
        })
        .await
    }

    /// The link to a page of finding an account in a mail.
    pub fn link_in(&self, mail: &Value, page: &str) -> MailLink {
        self.link_to(mail, &format!("login/{page}"))
    }

    /// The link to a page in a mail.
    pub fn link_to(&self, mail: &Value, page: &str) -> MailLink {
        let start = format!("{}/{page}/", self.app.settings.server.public_url);
        let text = mail["text"].as_str().unwrap();
        let link = text.lines().find_map(|line| line.strip_prefix(&start));
        let (member, token) = link.unwrap().split_once('#').unwrap();
        MailLink {
            member: member.to_owned(),
            token: token.to_owned(),
        }
    }

    /// Makes the mail server misbehave.
    pub async fn mail_fault(&self, rule: &Value) {
        let faults = format!("{}/sandbox/mails/faults", self.sandbox);
        self.post(&faults, rule).send().await.expect(204);
    }

    /// The messages of the log, in the order they were requested.
    pub async fn messages(&self) -> Vec<(MessageId, Message)> {
        let sql = "SELECT aggregate_id FROM events WHERE aggregate_type = 'message' AND sequence = 1 ORDER BY global_position";
        let ids: Vec<String> = sqlx::query_scalar(sql)
            .fetch_all(self.app.pool())
            .await
            .unwrap();
        let mut messages = Vec::new();
        for id in ids {
            let message = self.app.store.load::<Message>(&id).await.unwrap().state;
            messages.push((id.parse().unwrap(), message));
        }
        messages
    }

    /// Waits until there is one message and it is in this state.
    pub async fn message_becomes(&self, state: domain::message::MessageState) -> MessageId {
        until("the message changes", async || {
            let messages = self.messages().await;
            assert!(messages.len() <= 1, "{messages:?}");
            let found = messages.into_iter().next();
            found
                .filter(|(_, message)| message.state == state)
                .map(|(id, _)| id)
        })
        .await
    }

    /// The context of a command by the program.
    pub fn by_system(name: &'static str) -> CommandContext {
        CommandContext::for_actor(name, Actor::System)
    }
}
