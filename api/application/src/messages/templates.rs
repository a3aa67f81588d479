//! What messages say, in Korean: one text and one simple HTML page from the same parts.
//!
//! The templates are in code, not records: they are few, and what they insert is checked by the compiler (decision 66).

use domain::message::{MessageContent, Template};
use domain::sending::ADVERTISING_MARK;

/// Name of the shop in subjects.
const SHOP: &str = "장부상회";

/// A written message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MailText {
    pub(super) subject: String,
    pub(super) text: String,
    pub(super) html: String,
}

/// A part of a message.
enum Part {
    /// A paragraph.
    Text(String),
    /// Names and values.
    Facts(Vec<(&'static str, String)>),
    /// An address to open, with its title.
    Link(&'static str, String),
}

/// Korean title of a template, for staff.
pub const fn template_title(template: Template) -> &'static str {
    match template {
        Template::FindId => "아이디 찾기",
        Template::FindPassword => "비밀번호 찾기",
        Template::PasswordChanged => "비밀번호 변경 안내",
        Template::OrderPlaced => "주문 완료",
        Template::DepositAwaited => "입금 안내",
        Template::PurchaseShipped => "발송 안내",
        Template::RefundCompleted => "환불 완료",
        Template::Notice => "공지 메일",
        Template::Advertising => "광고 메일",
        Template::ContactAnswered => "문의 답변",
    }
}

/// Writes a message. `link` is the one that is valid once, where the template has one.
pub(super) fn write(
    template: Template,
    content: &MessageContent,
    shop_url: &str,
    link: Option<String>,
) -> MailText {
    let name = content.name.trim();
    let greeting = match name.is_empty() {
        true => "안녕하세요.".to_owned(),
        false => format!("{name}님, 안녕하세요."),
    };
    let (title, mut parts) = match template {
        Template::FindId => (
            "아이디 확인 안내",
            once(
                "아이디를 확인하려면 아래 주소를 열어 주세요.",
                "아이디 확인하기",
                link,
            ),
        ),
        Template::FindPassword => (
            "비밀번호 재설정 안내",
            once(
                "비밀번호를 다시 설정하려면 아래 주소를 열어 주세요.",
                "비밀번호 재설정하기",
                link,
            ),
        ),
        Template::PasswordChanged => (
            "비밀번호가 변경되었습니다",
            password_changed(content, shop_url),
        ),
        Template::OrderPlaced => (
            "주문이 완료되었습니다",
            order(
                "주문해 주셔서 감사합니다. 결제가 확인되어 상품을 준비합니다.",
                content,
                shop_url,
            ),
        ),
        Template::DepositAwaited => (
            "입금을 기다리고 있습니다",
            order(
                "아래 계좌로 기한 안에 입금해 주세요. 입금이 확인되면 상품을 준비합니다.",
                content,
                shop_url,
            ),
        ),
        Template::PurchaseShipped => (
            "상품이 발송되었습니다",
            order("주문하신 상품을 보내 드렸습니다.", content, shop_url),
        ),
        Template::RefundCompleted => (
            "환불이 완료되었습니다",
            order(
                "주문하신 상품의 금액을 돌려 드렸습니다. 카드 결제는 카드사에 따라 며칠 뒤에 반영됩니다.",
                content,
                shop_url,
            ),
        ),
        Template::Notice => (written(content), by_staff(content, shop_url)),
        Template::Advertising => {
            let mut parts = by_staff(content, shop_url);
            parts.extend(refusing(shop_url));
            (written(content), parts)
        }
        Template::ContactAnswered => ("문의에 답변드립니다", answered(content)),
    };
    parts.insert(0, Part::Text(greeting));
    MailText {
        subject: subject(title),
        text: text_of(&parts),
        html: html_of(title, &parts),
    }
}

/// The title staff wrote.
fn written(content: &MessageContent) -> &str {
    content.variables.get("title").map_or("", String::as_str)
}

/// The mark of advertising stands before everything else.
fn subject(title: &str) -> String {
    match title.strip_prefix(ADVERTISING_MARK) {
        Some(title) => format!("{ADVERTISING_MARK} [{SHOP}] {}", one_line(title.trim())),
        None => format!("[{SHOP}] {}", one_line(title)),
    }
}

/// What staff wrote: a paragraph for each line, and the way to what it is about.
fn by_staff(content: &MessageContent, shop_url: &str) -> Vec<Part> {
    let text = variable(content, "content").unwrap_or_default();
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let mut parts: Vec<Part> = lines.map(|line| Part::Text(line.to_owned())).collect();
    let path = variable(content, "path");
    parts.extend(path.map(|path| Part::Link("자세히 보기", format!("{shop_url}{path}"))));
    parts
}

/// The sender and the way to refuse, as the law asks of advertising.
fn refusing(shop_url: &str) -> [Part; 2] {
    [
        Part::Text(format!(
            "{SHOP}에서 광고 수신에 동의하신 회원께 보내 드립니다. 더 받지 않으려면 알림 설정에서 '이벤트·혜택'을 꺼 주세요. 비용은 들지 않습니다."
        )),
        Part::Link("무료 수신 거부", format!("{shop_url}/mypage")),
    ]
}

/// A link that is valid once.
fn once(text: &str, label: &'static str, link: Option<String>) -> Vec<Part> {
    let mut parts = vec![Part::Text(text.to_owned())];
    parts.extend(link.map(|link| Part::Link(label, link)));
    parts.push(Part::Text(
        "주소는 30분 동안 한 번만 사용할 수 있습니다. 요청하지 않으셨다면 이 메일을 무시해 주세요."
            .to_owned(),
    ));
    parts
}

fn variable(content: &MessageContent, name: &str) -> Option<String> {
    let value = content.variables.get(name)?;
    Some(value.clone()).filter(|value| !value.is_empty())
}

fn password_changed(content: &MessageContent, shop_url: &str) -> Vec<Part> {
    let at = variable(content, "at").unwrap_or_default();
    vec![
        Part::Text(format!(
            "{at}에 비밀번호가 변경되어 모든 기기에서 로그아웃되었습니다."
        )),
        Part::Text(
            "본인이 변경하지 않았다면 바로 비밀번호를 다시 설정하고 고객센터에 알려 주세요."
                .to_owned(),
        ),
        Part::Link("비밀번호 찾기", format!("{shop_url}/login/find-password")),
    ]
}

/// The answer to a contact, line by line, and what was asked.
fn answered(content: &MessageContent) -> Vec<Part> {
    let answer = variable(content, "answer").unwrap_or_default();
    let lines = answer.lines().filter(|line| !line.trim().is_empty());
    let mut parts: Vec<Part> = lines.map(|line| Part::Text(line.to_owned())).collect();
    let subject = variable(content, "subject").map(|subject| ("남기신 문의", subject));
    parts.push(Part::Facts(subject.into_iter().collect()));
    parts
}

/// What is said about an order: its facts in this order, as far as they are known, and the way to it.
fn order(text: &str, content: &MessageContent, shop_url: &str) -> Vec<Part> {
    let names = [
        ("orderNo", "주문번호"),
        ("items", "상품"),
        ("amount", "결제 금액"),
        ("refund", "환불 금액"),
        ("account", "입금 계좌"),
        ("holder", "예금주"),
        ("due", "입금 기한"),
        ("courier", "택배사"),
        ("invoice", "송장 번호"),
    ];
    let facts = names
        .into_iter()
        .filter_map(|(key, label)| Some((label, variable(content, key)?)));
    let mut parts = vec![Part::Text(text.to_owned()), Part::Facts(facts.collect())];
    parts.extend(variable(content, "tracking").map(|url| Part::Link("배송 조회", url)));
    match variable(content, "guest") {
        Some(_) => {
            parts.push(Part::Text(
                "비회원 주문은 주문번호와 주문하실 때 입력한 휴대폰 번호로 조회할 수 있습니다."
                    .to_owned(),
            ));
            parts.push(Part::Link(
                "비회원 주문 조회",
                format!("{shop_url}/shop/lookup"),
            ));
        }
        None => {
            let path = variable(content, "path").unwrap_or_default();
            parts.push(Part::Link("주문 보기", format!("{shop_url}{path}")));
        }
    }
    parts
}

fn text_of(parts: &[Part]) -> String {
    let part = |part: &Part| match part {
        Part::Text(text) => one_line(text),
        Part::Facts(facts) => facts
            .iter()
            .map(|(name, value)| format!("{name}: {}", one_line(value)))
            .collect::<Vec<_>>()
            .join("\n"),
        Part::Link(label, url) => format!("{label}\n{url}"),
    };
    let parts: Vec<String> = parts.iter().map(part).collect();
    parts.join("\n\n") + "\n"
}

fn html_of(title: &str, parts: &[Part]) -> String {
    let part = |part: &Part| match part {
        Part::Text(text) => format!("<p>{}</p>", escaped(text)),
        Part::Facts(facts) => {
            let row = |(name, value): &(&str, String)| {
                format!(
                    "<tr><th align=\"left\" style=\"padding:4px 16px 4px 0\">{name}</th><td>{}</td></tr>",
                    escaped(value)
                )
            };
            let rows: String = facts.iter().map(row).collect();
            format!("<table>{rows}</table>")
        }
        Part::Link(label, url) => {
            let url = escaped(url);
            format!("<p><a href=\"{url}\">{label}</a><br><small>{url}</small></p>")
        }
    };
    let parts: String = parts.iter().map(part).collect();
    let title = escaped(title);
    format!(
        "<!doctype html><html lang=\"ko\"><head><meta charset=\"utf-8\"><title>{title}</title></head>\
         <body style=\"font-family:sans-serif;line-height:1.6;max-width:560px\"><h1 style=\"font-size:20px\">{title}</h1>{parts}</body></html>"
    )
}

/// A text without line breaks: names of people and goods make no new lines.
fn one_line(text: &str) -> String {
    let spaced = |letter: char| if letter.is_control() { ' ' } else { letter };
    text.chars().map(spaced).collect()
}

fn escaped(text: &str) -> String {
    one_line(text)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(name: &str, variables: &[(&str, &str)]) -> MessageContent {
        MessageContent {
            name: name.to_owned(),
            address: "hong@example.com".to_owned(),
            variables: variables
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect(),
        }
    }

    #[test]
    fn every_template_is_written_with_what_it_is_given() {
        let with = content(
            "홍길동",
            &[("orderNo", "2611210001"), ("at", "2026년 11월 21일 12:00")],
        );
        for template in Template::ALL {
            let link = template
                .has_link()
                .then(|| "https://shop/login/x#secret".to_owned());
            let written = write(template, &with, "https://shop", link);
            assert!(written.subject.starts_with("[장부상회] "), "{written:?}");
            assert!(
                written.text.starts_with("홍길동님, 안녕하세요."),
                "{written:?}"
            );
            assert_eq!(written.text.contains("#secret"), template.has_link());
            assert!(!written.text.contains(": \n"), "an empty fact: {written:?}");
        }
    }

    #[test]
    fn advertising_is_marked_in_front_and_says_how_to_refuse_it() {
        let evil = "(광고) <b>세일</b>\r\nBcc: evil@example.com";
        let with = content(
            "",
            &[
                ("title", evil),
                ("content", "첫 줄\n\n<i>둘째</i>"),
                ("path", "/sub/event"),
            ],
        );
        let written = write(Template::Advertising, &with, "https://shop", None);
        assert!(
            written.subject.starts_with("(광고) [장부상회] "),
            "{written:?}"
        );
        assert!(!written.subject.contains(['\r', '\n']), "{written:?}");
        assert!(
            written
                .text
                .contains("첫 줄\n\n<i>둘째</i>\n\n자세히 보기\nhttps://shop/sub/event"),
            "{written:?}"
        );
        assert!(written.text.contains("무료 수신 거부"), "{written:?}");
        assert!(
            !written.html.contains("<b>") && !written.html.contains("<i>"),
            "{written:?}"
        );
    }

    #[test]
    fn names_make_neither_lines_nor_elements() {
        let evil = "<b>a</b>\r\n\r\nhttp://evil";
        let written = write(
            Template::OrderPlaced,
            &content(evil, &[("orderNo", "1"), ("items", evil)]),
            "https://shop",
            None,
        );
        assert!(!written.html.contains("<b>"), "{}", written.html);
        assert!(!written.text.contains("\nhttp://evil"), "{}", written.text);
    }
}
