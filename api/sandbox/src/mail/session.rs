//! One SMTP conversation (RFC 5321), without TLS and without a password.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::mail_faults::{MailFault, Step};
use crate::service::{Service, new_id};
use crate::state::{Entry, ReceivedMail};

/// Longest line, with its end.
const LINE_MOST: u64 = 4096;
/// Largest mail.
const MAIL_MOST: usize = 10 * 1024 * 1024;
/// Most receivers of one mail.
const RECEIVERS_MOST: usize = 100;
/// How long a client may be silent.
const PATIENCE: Duration = Duration::from_secs(60);

struct Session<'a> {
    service: &'a Arc<Service>,
    stream: BufReader<TcpStream>,
    from: Option<String>,
    to: Vec<String>,
}

/// What follows a step.
enum Next {
    Continue,
    Close,
}

/// Holds a conversation to its end.
pub(super) async fn hold(service: &Arc<Service>, stream: TcpStream) -> io::Result<()> {
    let mut session = Session {
        service,
        stream: BufReader::new(stream),
        from: None,
        to: Vec::new(),
    };
    let greeting = "220 sandbox.invalid ESMTP Jangbu mail sandbox";
    if let Next::Close = session.step(Step::Connect, greeting, |_| ()).await? {
        return Ok(());
    }
    while let Some(line) = session.line().await? {
        if let Next::Close = session.command(&line).await? {
            break;
        }
    }
    Ok(())
}

impl Session<'_> {
    /// The next line without its end; none at the end of the connection.
    async fn line(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut line = Vec::new();
        let mut limited = (&mut self.stream).take(LINE_MOST);
        let read = timeout(PATIENCE, limited.read_until(b'\n', &mut line)).await??;
        if read == 0 {
            return Ok(None);
        }
        if line.pop() != Some(b'\n') || line.pop() != Some(b'\r') {
            return Err(io::Error::other("a line without its end"));
        }
        Ok(Some(line))
    }

    async fn say(&mut self, reply: &str) -> io::Result<Next> {
        let stream = self.stream.get_mut();
        stream.write_all(format!("{reply}\r\n").as_bytes()).await?;
        stream.flush().await?;
        Ok(Next::Continue)
    }

    /// Executes a step and answers it, unless a fault is to happen.
    async fn step(
        &mut self,
        step: Step,
        reply: &str,
        execute: impl FnOnce(&mut Self),
    ) -> io::Result<Next> {
        let fault = self.service.mail_faults().pick(step, &self.to);
        match fault {
            Some(MailFault::Refuse { code }) => {
                return self.say(&format!("{code} refused by the sandbox")).await;
            }
            Some(MailFault::DropBefore) => return Ok(Next::Close),
            Some(MailFault::DropAfter | MailFault::Late { .. }) | None => {}
        }
        execute(self);
        match fault {
            Some(MailFault::DropAfter) => return Ok(Next::Close),
            Some(MailFault::Late { milliseconds }) => {
                tokio::time::sleep(Duration::from_millis(milliseconds)).await;
            }
            _ => {}
        }
        self.say(reply).await
    }

    async fn command(&mut self, line: &[u8]) -> io::Result<Next> {
        let Ok(line) = std::str::from_utf8(line) else {
            return self.say("500 not text").await;
        };
        let upper = line.to_ascii_uppercase();
        let verb = upper.split([' ', ':']).next().unwrap_or_default();
        match verb {
            "EHLO" => {
                let limit = MAIL_MOST;
                self.say(&format!(
                    "250-sandbox.invalid\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250-PIPELINING\r\n250 SIZE {limit}"
                ))
                .await
            }
            "HELO" => self.say("250 sandbox.invalid").await,
            "MAIL" if self.from.is_some() => self.say("503 one sender").await,
            "MAIL" => match path(line, "MAIL FROM:") {
                Some(from) => {
                    self.step(Step::Mail, "250 2.1.0 Ok", |session| {
                        session.from = Some(from);
                    })
                    .await
                }
                None => self.say("501 5.5.4 MAIL FROM:<address>").await,
            },
            "RCPT" if self.from.is_none() => self.say("503 5.5.1 MAIL first").await,
            "RCPT" if self.to.len() >= RECEIVERS_MOST => self.say("452 4.5.3 too many").await,
            "RCPT" => match path(line, "RCPT TO:").filter(|to| to.contains('@')) {
                Some(to) => {
                    self.to.push(to);
                    let before = self.to.len();
                    let mut taken = false;
                    let next = self
                        .step(Step::Rcpt, "250 2.1.5 Ok", |_| taken = true)
                        .await?;
                    if !taken {
                        self.to.truncate(before.saturating_sub(1));
                    }
                    Ok(next)
                }
                None => self.say("501 5.1.3 RCPT TO:<address>").await,
            },
            "DATA" if self.to.is_empty() => self.say("503 5.5.1 RCPT first").await,
            "DATA" => self.data().await,
            "RSET" => {
                self.forget();
                self.say("250 2.0.0 Ok").await
            }
            "NOOP" => self.say("250 2.0.0 Ok").await,
            "VRFY" => self.say("252 2.5.0 send some mail").await,
            "QUIT" => {
                self.say("221 2.0.0 Bye").await?;
                Ok(Next::Close)
            }
            "" => self.say("500 5.5.2 no command").await,
            _ => self.say("502 5.5.1 no such command here").await,
        }
    }

    fn forget(&mut self) {
        self.from = None;
        self.to.clear();
    }

    /// Takes a mail: journalled first, then acknowledged.
    async fn data(&mut self) -> io::Result<Next> {
        let mut begins = false;
        let ready = "354 end with a dot on a line of its own";
        let next = self.step(Step::Data, ready, |_| begins = true).await?;
        if matches!(next, Next::Close) || !begins {
            return Ok(next);
        }
        let mut content = Vec::new();
        loop {
            let Some(line) = self.line().await? else {
                return Ok(Next::Close);
            };
            // a dot at the start of a line was doubled by the client (RFC 5321 4.5.2)
            match line.strip_prefix(b".") {
                Some([]) => break,
                Some(rest) => content.extend_from_slice(rest),
                None => content.extend_from_slice(&line),
            }
            content.extend_from_slice(b"\r\n");
            if content.len() > MAIL_MOST {
                self.say("552 5.3.4 too large").await?;
                return Ok(Next::Close);
            }
        }
        let id = new_id("MAIL");
        let (now, _) = self.service.read(|_, now| now);
        let mail = ReceivedMail {
            id: id.clone(),
            from: self.from.take().unwrap_or_default(),
            to: self.to.clone(),
            content: String::from_utf8_lossy(&content).into_owned(),
            at: now,
        };
        let fault = self.service.mail_faults().pick(Step::Message, &self.to);
        self.forget();
        match fault {
            Some(MailFault::Refuse { code }) => {
                return self.say(&format!("{code} refused by the sandbox")).await;
            }
            Some(MailFault::DropBefore) => return Ok(Next::Close),
            Some(MailFault::DropAfter | MailFault::Late { .. }) | None => {}
        }
        let position = self.service.record(Entry::MailReceived(mail));
        position.reached().await.map_err(io::Error::other)?;
        match fault {
            Some(MailFault::DropAfter) => return Ok(Next::Close),
            Some(MailFault::Late { milliseconds }) => {
                tokio::time::sleep(Duration::from_millis(milliseconds)).await;
            }
            _ => {}
        }
        self.say(&format!("250 2.0.0 Ok: queued as {id}")).await
    }
}

/// The address of a command: between the angle brackets, whatever parameters follow.
fn path(line: &str, command: &str) -> Option<String> {
    let (start, rest) = line.split_at_checked(command.len())?;
    if !start.eq_ignore_ascii_case(command) {
        return None;
    }
    let (address, _) = rest.trim_start().strip_prefix('<')?.split_once('>')?;
    let is_plain = !address
        .chars()
        .any(|letter| letter.is_control() || letter == ' ');
    is_plain.then(|| address.to_owned())
}

#[cfg(test)]
mod tests {
    use super::path;

    #[test]
    fn an_address_is_between_angle_brackets() {
        let found = |line: &str| path(line, "RCPT TO:");
        assert_eq!(found("RCPT TO:<a@b.kr>").as_deref(), Some("a@b.kr"));
        assert_eq!(
            found("rcpt to: <a@b.kr> NOTIFY=NEVER").as_deref(),
            Some("a@b.kr")
        );
        assert_eq!(found("RCPT TO:a@b.kr"), None);
        assert_eq!(found("RCPT <a@b.kr>"), None);
    }
}
