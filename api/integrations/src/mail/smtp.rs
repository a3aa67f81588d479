//! Client of an SMTP server (RFC 5321), with TLS (RFC 3207, RFC 8314) and a password (RFC 4954).
//!
//! The conversation is held step by step, because its outcome depends on how far it came: before the last line of the mail the server
//! cannot have it, after that it may. DKIM signatures are left to the server.

use std::fmt;
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};
use lettre::transport::smtp::Error;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::{AsyncSmtpConnection, TlsParameters};
use lettre::transport::smtp::commands::{Data, Mail as MailFrom, Rcpt};
use lettre::transport::smtp::extension::{ClientId, Extension, MailBodyParameter, MailParameter};
use lettre::transport::smtp::response::Response;
use lettre::{Address, Message};

use super::{Failure, Mail, Mailer, Outcome};

/// Longest queue id that is kept.
const QUEUE_ID_MOST: usize = 64;
/// How long a server may take to say goodbye.
const GOODBYE: Duration = Duration::from_secs(1);

/// How the connection is encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tls {
    /// Not at all: a server on this machine.
    None,
    /// By STARTTLS, which the server has to offer.
    StartTls,
    /// From the first byte.
    Implicit,
}

/// How to reach the server.
#[derive(Clone)]
pub struct SmtpConfig {
    /// Host name.
    pub host: String,
    /// Port.
    pub port: u16,
    /// Encryption.
    pub tls: Tls,
    /// Name and password; none where the server asks for none.
    pub credentials: Option<(String, String)>,
    /// Sender, as `name <address>` or an address.
    pub from: String,
    /// Longest duration of the whole conversation.
    pub timeout: Duration,
}

impl fmt::Debug for SmtpConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SmtpConfig")
            .field("host", &self.host)
            .field("port", &self.port)
            .field("tls", &self.tls)
            .finish_non_exhaustive()
    }
}

/// The client.
pub struct SmtpClient {
    config: SmtpConfig,
    from: Mailbox,
    tls: Option<TlsParameters>,
    hello: ClientId,
}

/// The client cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum SmtpClientError {
    /// The sender is not an address.
    #[error("the sender of mail is not an address")]
    From,
    /// The host cannot be used with TLS.
    #[error("mail cannot be sent with TLS: {0}")]
    Tls(Error),
}

/// A step of the conversation that failed before the server had the mail.
struct StepFailure(Failure, Option<u16>);

impl SmtpClient {
    /// Builds the client; it connects for each mail.
    ///
    /// # Errors
    /// [`SmtpClientError`].
    pub fn new(config: SmtpConfig) -> Result<Self, SmtpClientError> {
        let from: Mailbox = config.from.parse().map_err(|_| SmtpClientError::From)?;
        let tls = match config.tls {
            Tls::None => None,
            Tls::StartTls | Tls::Implicit => {
                Some(TlsParameters::new_rustls(config.host.clone()).map_err(SmtpClientError::Tls)?)
            }
        };
        let hello = ClientId::Domain(from.email.domain().to_owned());
        Ok(Self {
            config,
            from,
            tls,
            hello,
        })
    }

    /// The mail as it travels. Names, subject and texts are encoded, so line breaks in them make no header.
    fn write(&self, mail: &Mail) -> Option<(Address, Vec<u8>)> {
        let to: Address = mail.address.parse().ok()?;
        let name = Some(mail.name.trim()).filter(|name| !name.is_empty());
        let name = name.map(one_line);
        let date = SystemTime::UNIX_EPOCH
            + Duration::from_secs(u64::try_from(mail.date.unix_timestamp()).unwrap_or_default());
        let mut builder = Message::builder()
            .from(self.from.clone())
            .to(Mailbox::new(name, to.clone()))
            .subject(one_line(&mail.subject))
            .date(date)
            .message_id(Some(format!("<{}@{}>", mail.id, self.from.email.domain())));
        if let Some(url) = mail.unsubscribe.as_deref().filter(|url| is_header_url(url)) {
            builder = builder
                .raw_header(raw("List-Unsubscribe", format!("<{url}>")))
                .raw_header(raw(
                    "List-Unsubscribe-Post",
                    "List-Unsubscribe=One-Click".to_owned(),
                ));
        }
        let message = builder
            .multipart(MultiPart::alternative_plain_html(
                mail.text.clone(),
                mail.html.clone(),
            ))
            .ok()?;
        Some((to, message.formatted()))
    }

    /// The conversation up to the server's readiness to take the mail.
    async fn offer(&self, to: Address, text: &[u8]) -> Result<AsyncSmtpConnection, StepFailure> {
        let at = (self.config.host.as_str(), self.config.port);
        let timeout = Some(self.config.timeout);
        let implicit = match self.config.tls {
            Tls::Implicit => self.tls.clone(),
            Tls::None | Tls::StartTls => None,
        };
        let mut connection =
            AsyncSmtpConnection::connect_tokio1(at, timeout, &self.hello, implicit, None).await?;
        if let (Tls::StartTls, Some(tls)) = (self.config.tls, &self.tls) {
            if !connection.can_starttls() {
                return Err(StepFailure(Failure::Access, None));
            }
            connection
                .starttls(tls.clone(), &self.hello)
                .await
                .map_err(access)?;
        }
        if let Some((user, password)) = &self.config.credentials {
            let credentials = Credentials::new(user.clone(), password.clone());
            connection
                .auth(&[Mechanism::Plain, Mechanism::Login], &credentials)
                .await
                .map_err(access)?;
        }
        let mut options = Vec::new();
        let is_ascii = to.to_string().is_ascii() && self.from.email.to_string().is_ascii();
        let server = connection.server_info();
        if !is_ascii {
            if !server.supports_feature(Extension::SmtpUtfEight) {
                return Err(StepFailure(Failure::Unsendable, None));
            }
            options.push(MailParameter::SmtpUtfEight);
        }
        if !text.is_ascii() && server.supports_feature(Extension::EightBitMime) {
            options.push(MailParameter::Body(MailBodyParameter::EightBitMime));
        }
        let from = Some(self.from.email.clone());
        connection.command(MailFrom::new(from, options)).await?;
        let receiver = connection.command(Rcpt::new(to, Vec::new())).await;
        receiver.map_err(receiver_refused)?;
        connection.command(Data).await?;
        Ok(connection)
    }
}

#[async_trait]
impl Mailer for SmtpClient {
    async fn send(&self, mail: &Mail) -> Outcome {
        let Some((to, text)) = self.write(mail) else {
            return failed(StepFailure(Failure::Unsendable, None));
        };
        let begun = tokio::time::Instant::now();
        let offered = tokio::time::timeout(self.config.timeout, self.offer(to, &text)).await;
        let mut connection = match offered {
            Ok(Ok(connection)) => connection,
            Ok(Err(broken)) => return failed(broken),
            Err(_) => return failed(StepFailure(Failure::Unreachable, None)),
        };
        // From here on the server may have the mail, whatever is lost.
        let left = self.config.timeout.saturating_sub(begun.elapsed());
        let outcome = match tokio::time::timeout(left, connection.message(&text)).await {
            Ok(Ok(response)) => Outcome::Sent {
                queue_id: queue_id(&response),
            },
            Ok(Err(error)) if error.is_transient() || error.is_permanent() => failed(error.into()),
            Ok(Err(_)) | Err(_) => return Outcome::Unknown,
        };
        // The server has decided; what it says to a goodbye changes nothing.
        let _ = tokio::time::timeout(GOODBYE, connection.quit()).await;
        outcome
    }
}

fn failed(StepFailure(why, code): StepFailure) -> Outcome {
    Outcome::Failed { why, code }
}

/// Whether an address can stand in a header as it is.
fn is_header_url(url: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b'<' | b'>');
    url.bytes().all(is_plain)
}

/// A header that is not folded or encoded: clients look for its exact text.
fn raw(name: &'static str, value: String) -> HeaderValue {
    let name = HeaderName::new_from_ascii_str(name);
    HeaderValue::dangerous_new_pre_encoded(name, value.clone(), value)
}

/// A text without line breaks and other control characters.
fn one_line(text: &str) -> String {
    let spaced = |letter: char| if letter.is_control() { ' ' } else { letter };
    text.chars().map(spaced).collect()
}

impl From<Error> for StepFailure {
    fn from(error: Error) -> Self {
        let code = error.status().map(u16::from);
        let why = if error.is_permanent() {
            Failure::Rejected
        } else if error.is_transient() {
            Failure::Refused
        } else if error.is_tls() {
            Failure::Access
        } else {
            Failure::Unreachable
        };
        Self(why, code)
    }
}

/// A failure to encrypt the connection or to sign in: the mail is not to blame, so it is tried again.
fn access(error: Error) -> StepFailure {
    let StepFailure(_, code) = error.into();
    StepFailure(Failure::Access, code)
}

/// A refusal of the receiver: one for good blames the address, unless the server says that it is something else.
fn receiver_refused(error: Error) -> StepFailure {
    let text = std::error::Error::source(&error).map(ToString::to_string);
    let StepFailure(why, code) = error.into();
    match (why, code) {
        (Failure::Rejected, Some(code)) if blames_address(code, &text.unwrap_or_default()) => {
            StepFailure(Failure::Address, Some(code))
        }
        other => StepFailure(other.0, other.1),
    }
}

/// Whether a refusal of the receiver says that there is no such address: by its enhanced status code (RFC 3463) X.1.x (wrong address) or
/// X.2.1 (disabled mailbox), not by that of a policy, a full mailbox or the system; without one by the reply code (RFC 5321).
fn blames_address(code: u16, text: &str) -> bool {
    let enhanced = text.split_whitespace().next().unwrap_or_default();
    match enhanced.strip_prefix("5.") {
        Some(subject) if subject.contains('.') => subject.starts_with("1.") || subject == "2.1",
        _ => matches!(code, 550 | 551 | 553),
    }
}

/// The id in the server's queue: the last word of its answer ("2.0.0 Ok: queued as 4XyZ"), if it looks like one.
fn queue_id(response: &Response) -> String {
    let last = response.message().last().unwrap_or_default();
    let word = last.split_whitespace().next_back().unwrap_or_default();
    let is_id = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    match word.len() <= QUEUE_ID_MOST && word.bytes().all(is_id) {
        true => word.to_owned(),
        false => String::new(),
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use time::OffsetDateTime;

    fn client() -> SmtpClient {
        SmtpClient::new(SmtpConfig {
            host: "127.0.0.1".to_owned(),
            port: 9,
            tls: Tls::None,
            credentials: None,
            from: "장부 <shop@example.com>".to_owned(),
            timeout: Duration::from_secs(1),
        })
        .unwrap()
    }

    fn mail() -> Mail {
        Mail {
            id: "0193a1b2".to_owned(),
            name: "홍길동".to_owned(),
            address: "hong@example.com".to_owned(),
            subject: "주문이 접수되었습니다".to_owned(),
            text: "안녕하세요\n.\n끝".to_owned(),
            html: "<p>안녕하세요</p>".to_owned(),
            unsubscribe: None,
            date: OffsetDateTime::UNIX_EPOCH,
        }
    }

    /// The header lines of a mail, with folded ones joined.
    fn headers(mail: &Mail) -> Vec<String> {
        let (_, text) = client().write(mail).unwrap();
        let text = String::from_utf8(text).unwrap();
        let (head, _) = text.split_once("\r\n\r\n").unwrap();
        let head = head.replace("\r\n ", " ").replace("\r\n\t", " ");
        head.split("\r\n").map(str::to_owned).collect()
    }

    #[test]
    fn names_and_subjects_make_no_headers() {
        let plain: Vec<String> = headers(&mail())
            .iter()
            .map(|line| line.split(':').next().unwrap().to_owned())
            .collect();
        for evil in [
            "x\r\nBcc: everyone@example.com",
            "x\nBcc: everyone@example.com",
            "x\rBcc: everyone@example.com",
            "x\r\n\r\n<script>",
            "\" <everyone@example.com>, \"",
            "홍길동\r\nBcc: everyone@example.com",
            "x\u{2028}Bcc: everyone@example.com",
            "=?utf-8?q?x=0D=0ABcc:_everyone@example.com?=",
        ] {
            let injected = Mail {
                name: evil.to_owned(),
                subject: evil.to_owned(),
                ..mail()
            };
            let lines = headers(&injected);
            let names: Vec<String> = lines
                .iter()
                .map(|line| line.split(':').next().unwrap().to_owned())
                .collect();
            assert_eq!(names, plain, "{evil:?}: {lines:#?}");
            let (to, _) = client().write(&injected).unwrap();
            assert_eq!(to.to_string(), "hong@example.com");
        }
        for evil in [
            "hong@example.com\r\nRCPT TO:<everyone@example.com>",
            "hong@example.com>, <everyone@example.com",
            "hong@example.com\r\n",
            "hong",
            "",
        ] {
            let injected = Mail {
                address: evil.to_owned(),
                ..mail()
            };
            assert_eq!(client().write(&injected), None, "{evil:?}");
        }
    }

    #[test]
    fn advertising_is_refused_by_one_post() {
        let url = format!(
            "https://shop.example/api/v1/users/unsubscribe/{}/{}",
            "m".repeat(36),
            "t".repeat(43)
        );
        let of = |url: &str| {
            let mail = Mail {
                unsubscribe: Some(url.to_owned()),
                ..mail()
            };
            headers(&mail)
        };
        let lines = of(&url);
        assert!(
            lines.contains(&format!("List-Unsubscribe: <{url}>")),
            "{lines:#?}"
        );
        assert!(lines.contains(&"List-Unsubscribe-Post: List-Unsubscribe=One-Click".to_owned()));
        assert_eq!(headers(&mail()).len() + 2, lines.len());
        for evil in [
            "https://x\r\nBcc: a@b.c",
            "https://x>, <mailto:a@b.c",
            "https://x y",
        ] {
            assert_eq!(of(evil).len(), headers(&mail()).len(), "{evil:?}");
        }
    }

    #[test]
    fn the_same_message_has_the_same_id() {
        let id = |mail: &Mail| {
            let lines = headers(mail);
            let line = lines.iter().find(|line| line.starts_with("Message-ID:"));
            line.unwrap().clone()
        };
        assert_eq!(id(&mail()), "Message-ID: <0193a1b2@example.com>");
    }

    #[test]
    fn nothing_of_a_mail_is_in_its_debug_text() {
        let text = format!("{:?}", mail());
        assert!(!text.contains("hong") && !text.contains("안녕"), "{text}");
    }

    #[test]
    fn only_what_blames_the_address_stops_it() {
        for (code, text, expected) in [
            (550, "no such user", true),
            (550, "5.1.1 <hong@example.com>: no such user", true),
            (550, "5.2.1 mailbox disabled", true),
            (551, "user not local", true),
            (553, "mailbox name not allowed", true),
            (552, "5.2.2 mailbox full", false),
            (550, "5.7.1 relaying denied", false),
            (554, "transaction failed", false),
            (550, "5.7.26 not authenticated", false),
        ] {
            assert_eq!(blames_address(code, text), expected, "{code} {text}");
        }
    }

    #[test]
    fn only_an_id_is_kept_of_an_answer() {
        let answer = |text: &str| -> String {
            let response: Response = format!("250 {text}\r\n").parse().unwrap();
            queue_id(&response)
        };
        assert_eq!(answer("2.0.0 Ok: queued as 4XyZ"), "4XyZ");
        assert_eq!(answer("delivered to hong@example.com"), "");
        assert_eq!(answer(&"x".repeat(100)), "");
    }
}
