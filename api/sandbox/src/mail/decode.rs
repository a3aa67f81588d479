//! Reads a mail (RFC 5322, 2045, 2047): headers and texts as people see them. Written independently of the client.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// A decoded mail.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct ReadableMail {
    /// Names and values, in order.
    pub(super) headers: Vec<(String, String)>,
    pub(super) text: String,
    pub(super) html: String,
}

impl ReadableMail {
    /// Decodes a mail; what cannot be decoded stays as it is.
    pub(super) fn of(content: &str) -> Self {
        let (headers, body) = split(content);
        let mut decoded = Self {
            headers: headers
                .iter()
                .map(|(name, value)| (name.clone(), words(value)))
                .collect(),
            ..Self::default()
        };
        decoded.part(&headers, body);
        decoded
    }

    /// The value of a header.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        find(&self.headers, name)
    }

    fn part(&mut self, headers: &[(String, String)], body: &str) {
        let kind = find(headers, "content-type").unwrap_or("text/plain");
        if let Some(boundary) = boundary(kind) {
            let mark = format!("--{boundary}");
            for part in body.split(&mark).skip(1) {
                if part.starts_with("--") {
                    break;
                }
                let (headers, body) = split(part.trim_start_matches("\r\n"));
                self.part(&headers, body);
            }
            return;
        }
        let text = match find(headers, "content-transfer-encoding").map(str::to_ascii_lowercase) {
            Some(how) if how == "base64" => base64(body),
            Some(how) if how == "quoted-printable" => quoted(body, false),
            _ => body.to_owned(),
        };
        let text = text.replace("\r\n", "\n").trim_end().to_owned();
        match kind.to_ascii_lowercase().starts_with("text/html") {
            true => self.html = text,
            false => self.text = text,
        }
    }
}

fn find<'a>(headers: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let mut all = headers.iter();
    all.find(|(known, _)| known.eq_ignore_ascii_case(name))
        .map(|(_, value)| value.as_str())
}

/// Headers, unfolded, and the body.
fn split(content: &str) -> (Vec<(String, String)>, &str) {
    let (head, body) = content.split_once("\r\n\r\n").unwrap_or((content, ""));
    let head = head.replace("\r\n ", " ").replace("\r\n\t", " ");
    let headers = head.split("\r\n").filter_map(|line| line.split_once(':'));
    let headers = headers.map(|(name, value)| (name.to_owned(), value.trim().to_owned()));
    (headers.collect(), body)
}

fn boundary(kind: &str) -> Option<&str> {
    if !kind.to_ascii_lowercase().starts_with("multipart/") {
        return None;
    }
    let (_, rest) = kind.split_once("boundary=")?;
    match rest.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next(),
        None => rest.split(';').next().map(str::trim),
    }
}

/// Decodes the encoded words of a header; white space between two of them is dropped.
fn words(value: &str) -> String {
    let mut out = String::new();
    let mut rest = value;
    let mut after_word = false;
    while let Some((before, from)) = rest.split_once("=?") {
        let Some((word, after)) = word(from) else {
            break;
        };
        if !(after_word && before.trim().is_empty()) {
            out.push_str(before);
        }
        out.push_str(&word);
        rest = after;
        after_word = true;
    }
    out + rest
}

/// The word after `=?`, and what follows it.
fn word(from: &str) -> Option<(String, &str)> {
    let (_, coded) = from.split_once('?')?;
    let (how, coded) = coded.split_once('?')?;
    let (text, after) = coded.split_once("?=")?;
    let decoded = match how {
        "b" | "B" => base64(text),
        "q" | "Q" => quoted(text, true),
        _ => return None,
    };
    Some((decoded, after))
}

fn base64(text: &str) -> String {
    let plain: String = text
        .chars()
        .filter(|letter| !letter.is_whitespace())
        .collect();
    let bytes = STANDARD.decode(plain).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Quoted-printable; in headers an underscore is a space.
fn quoted(text: &str, in_header: bool) -> String {
    let text = text.replace("=\r\n", "");
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let code = after.get(..2).filter(|_| *first == b'=');
        let code =
            code.and_then(|code| u8::from_str_radix(std::str::from_utf8(code).ok()?, 16).ok());
        match code {
            Some(byte) => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(match first {
                    b'_' if in_header => b' ',
                    other => *other,
                });
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::ReadableMail;

    #[test]
    fn a_mail_of_two_parts_is_read() {
        let mail = "Subject: =?utf-8?b?7KO866y4?= =?utf-8?q?_1=3D1?=\r\nTo: \"a\"\r\n <a@b.kr>\r\n\
            Content-Type: multipart/alternative;\r\n boundary=\"x\"\r\n\r\n--x\r\nContent-Type: text/plain; charset=utf-8\r\n\
            Content-Transfer-Encoding: quoted-printable\r\n\r\n=EC=A3=BC=EB=\r\n=AC=B8\r\n.\r\n\r\n--x\r\n\
            Content-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\nPGI+7KO8\r\n66y4PC9iPg==\r\n--x--\r\n";
        let decoded = ReadableMail::of(mail);
        assert_eq!(decoded.header("subject"), Some("주문 1=1"));
        assert_eq!(decoded.header("To"), Some("\"a\" <a@b.kr>"));
        assert_eq!(decoded.text, "주문\n.");
        assert_eq!(decoded.html, "<b>주문</b>");
    }
}
