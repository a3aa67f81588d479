//! Delivery status notifications (RFC 3464): what a relay mails back about a mail that it had taken.
//!
//! Read leniently, but nothing is guessed: a notification without a status, or about a mail without a `Message-ID`, is none.

use super::Failure;

/// Deeper parts are not looked into.
const DEPTH_MOST: u8 = 4;

/// What a notification says of a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeliveryStatus {
    /// The part of the `Message-ID` of the mail before the at-sign.
    pub id: String,
    /// The outcome.
    pub action: Action,
}

/// The outcome of a mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// It does not arrive.
    Failed {
        /// Why.
        why: Failure,
        /// The enhanced status code as a number: 511 for 5.1.1.
        code: Option<u16>,
    },
    /// It is late, or arrived, or went on to a server that says no more.
    Other,
}

/// Reads a notification; none if the mail is none.
pub fn read(mail: &str) -> Option<DeliveryStatus> {
    let mut found = NotificationParts::default();
    look(mail, &mut found, 0);
    Some(DeliveryStatus {
        id: found.id?,
        action: found.action?,
    })
}

#[derive(Default)]
struct NotificationParts {
    id: Option<String>,
    action: Option<Action>,
}

/// Looks into a part of a mail, or the whole of it.
fn look(part: &str, found: &mut NotificationParts, depth: u8) {
    let (headers, body) = split(part);
    let headers = fields(&headers);
    let kind = field(&headers, "content-type").unwrap_or_default();
    let name = kind.split(';').next().unwrap_or_default().trim();
    match name.to_ascii_lowercase().as_str() {
        "message/delivery-status" | "message/global-delivery-status" => {
            let blocks = body.replace("\r\n", "\n");
            let actions = blocks.split("\n\n").filter_map(action);
            // One receiver a mail; a failure counts before anything else.
            let worst = actions.reduce(|one, other| match one {
                Action::Failed { .. } => one,
                Action::Other => other,
            });
            found.action = found.action.or(worst);
        }
        "message/rfc822" | "message/global" | "text/rfc822-headers" | "message/rfc822-headers" => {
            let (headers, _) = split(&body);
            let id = field(&fields(&headers), "message-id").and_then(id_of);
            found.id = found.id.take().or(id);
        }
        multipart if multipart.starts_with("multipart/") && depth < DEPTH_MOST => {
            let Some(boundary) = boundary(kind) else {
                return;
            };
            let mark = format!("--{boundary}");
            for part in body.split(mark.as_str()).skip(1) {
                if !part.starts_with("--") {
                    look(part.trim_start_matches(['\r', '\n', ' ']), found, depth + 1);
                }
            }
        }
        _ => {}
    }
}

/// Headers and body.
fn split(part: &str) -> (String, String) {
    let text = part.replace("\r\n", "\n");
    match text.split_once("\n\n") {
        Some((headers, body)) => (headers.to_owned(), body.to_owned()),
        None => (text, String::new()),
    }
}

/// Names in lower case and values, unfolded.
fn fields(headers: &str) -> Vec<(String, String)> {
    let mut fields: Vec<(String, String)> = Vec::new();
    for line in headers.lines() {
        match (line.starts_with([' ', '\t']), fields.last_mut()) {
            (true, Some((_, value))) => {
                value.push(' ');
                value.push_str(line.trim());
            }
            _ => {
                if let Some((name, value)) = line.split_once(':') {
                    let name = name.trim().to_ascii_lowercase();
                    fields.push((name, value.trim().to_owned()));
                }
            }
        }
    }
    fields
}

fn field<'a>(fields: &'a [(String, String)], wanted: &str) -> Option<&'a str> {
    let found = fields.iter().find(|(name, _)| name == wanted);
    found.map(|(_, value)| value.as_str())
}

fn boundary(kind: &str) -> Option<String> {
    let parameter = kind.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        name.trim()
            .eq_ignore_ascii_case("boundary")
            .then(|| value.trim())
    })?;
    let boundary = parameter.trim_matches('"');
    (!boundary.is_empty()).then(|| boundary.to_owned())
}

/// The part of a `Message-ID` before the at-sign.
fn id_of(value: &str) -> Option<String> {
    let inner = value.trim().strip_prefix('<')?.strip_suffix('>')?;
    inner.split_once('@').map(|(id, _)| id.to_owned())
}

/// What the fields of a receiver say; none of other fields.
fn action(block: &str) -> Option<Action> {
    let fields = fields(block);
    let action = field(&fields, "action")?;
    if !action.eq_ignore_ascii_case("failed") {
        return Some(Action::Other);
    }
    let status = field(&fields, "status").unwrap_or_default();
    let status = status.split_whitespace().next().unwrap_or_default();
    let digits: Vec<&str> = status.split('.').collect();
    let why = match digits.as_slice() {
        ["5", "1", _] | ["5", "2", "1"] => Failure::Address,
        _ => Failure::Undelivered,
    };
    let is_short = digits.len() == 3 && digits.iter().all(|part| part.len() == 1);
    let code = is_short.then(|| digits.concat().parse().ok()).flatten();
    Some(Action::Failed { why, code })
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    /// As Postfix writes it.
    fn notification(status: &str, original: &str) -> String {
        format!(
            "From: MAILER-DAEMON@relay.example\r\nTo: noreply@jangbu.example\r\nMessage-ID: <4Xy@relay.example>\r\n\
             References: <0193ffff@jangbu.example>\r\nMIME-Version: 1.0\r\n\
             Content-Type: multipart/report; report-type=delivery-status;\r\n\tboundary=\"4Xy/relay.example\"\r\n\r\n\
             This is a MIME-encapsulated message.\r\nMessage-ID: <0193eeee@jangbu.example>\r\n\r\n--4Xy/relay.example\r\n\
             Content-Description: Notification\r\nContent-Type: text/plain\r\n\r\nI'm sorry.\r\n\r\n\
             --4Xy/relay.example\r\nContent-Type: message/delivery-status\r\n\r\n\
             Reporting-MTA: dns; relay.example\r\nArrival-Date: Fri, 27 Nov 2026 12:00:00 +0900\r\n\r\n\
             Final-Recipient: rfc822; hong@example.com\r\n{status}\r\n\r\n\
             --4Xy/relay.example\r\nContent-Type: {original}\r\n\r\n--4Xy/relay.example--\r\n"
        )
    }

    const HEADERS: &str = "text/rfc822-headers\r\n\r\nSubject: a\r\nMessage-ID:\r\n <0193a1b2@jangbu.example>\r\nTo: hong@example.com";
    const WHOLE: &str = "message/rfc822\r\n\r\nMessage-Id: <0193a1b2@jangbu.example>\r\nTo: hong@example.com\r\n\r\nMessage-ID: <x@y>";

    #[test]
    fn a_notification_says_what_became_of_which_mail() {
        let failed = |why, code| Action::Failed { why, code };
        for (status, expected) in [
            (
                "Action: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 5.1.1 no such\r\n user",
                failed(Failure::Address, Some(511)),
            ),
            (
                "Action: FAILED\r\nStatus: 5.2.1 (disabled)",
                failed(Failure::Address, Some(521)),
            ),
            (
                "Action: failed\r\nStatus: 5.2.2",
                failed(Failure::Undelivered, Some(522)),
            ),
            (
                "Action: failed\r\nStatus: 4.4.7",
                failed(Failure::Undelivered, Some(447)),
            ),
            (
                "Action: failed\r\nStatus: 5.7.26",
                failed(Failure::Undelivered, None),
            ),
            ("Action: failed", failed(Failure::Undelivered, None)),
            ("Action: delayed\r\nStatus: 4.4.1", Action::Other),
            ("Action: relayed\r\nStatus: 2.0.0", Action::Other),
        ] {
            for original in [HEADERS, WHOLE] {
                let read = read(&notification(status, original)).unwrap();
                assert_eq!(
                    (read.id.as_str(), read.action),
                    ("0193a1b2", expected),
                    "{status}"
                );
            }
        }
    }

    #[test]
    fn other_mail_says_nothing() {
        let failed = "Action: failed\r\nStatus: 5.1.1";
        for other in [
            String::new(),
            "Subject: out of office\r\n\r\nAction: failed\r\nMessage-ID: <a@b>".to_owned(),
            notification("Status: 5.1.1", HEADERS),
            notification(failed, "text/rfc822-headers\r\n\r\nSubject: a"),
            notification(failed, HEADERS).replace("boundary=", "border="),
            notification(failed, HEADERS).replace("message/delivery-status", "text/plain"),
            notification(failed, "text/rfc822-headers\r\n\r\nMessage-ID: none"),
            "Content-Type: multipart/report; boundary=\"\"\r\n\r\n--\r\n".to_owned(),
        ] {
            assert_eq!(read(&other), None, "{other}");
        }
    }

    #[test]
    fn nested_parts_end() {
        let nested = "Content-Type: multipart/mixed; boundary=a\n\n--a\n".repeat(10_000);
        assert_eq!(read(&nested), None);
    }
}
