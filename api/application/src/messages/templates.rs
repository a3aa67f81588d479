//! What messages say, in Korean: one text and one simple HTML page from the same parts.
//!
//! The text is that of the template record in use, or the built-in one ([`Template::built_in`]). Records are checked when they are saved;
//! one that was checked by older rules is still written: unknown variables have no value, so their lines are left out.

use std::collections::BTreeMap;

use domain::ids::MemberId;
use domain::message::{
    MessageContent, MessagePart as Part, MessageTemplate, Template, TemplateText, TemplateVersion,
    one_line,
};
use domain::sending::{ADVERTISING_MARK, marked_title};
use projections::records::{self, TypedRecord};

use super::consent;
use crate::app::App;
use crate::error::AppResult;

/// Name of the shop in subjects.
pub(super) const SHOP: &str = "장부상회";
/// Variables of a message that tries a text: its template, subject and content.
pub(super) const TRIED: [&str; 3] = ["template", "subject", "content"];

/// A written message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailText {
    /// Subject.
    pub subject: String,
    /// Plain text.
    pub text: String,
    /// The same as HTML.
    pub html: String,
}

/// The text of a template that is in use, with its record; without one it is built in.
///
/// # Errors
/// The database's.
pub async fn text_in_use(
    app: &App,
    template: Template,
) -> AppResult<(TemplateText, Option<TemplateVersion>)> {
    Ok(match record_in_use(app, template).await? {
        Some(used) => {
            let version = TemplateVersion {
                record: used.id,
                version: used.version,
            };
            (used.data.text(), Some(version))
        }
        None => (template.built_in(), None),
    })
}

/// The record of a template that is in use.
///
/// # Errors
/// The database's.
pub(super) async fn record_in_use(
    app: &App,
    template: Template,
) -> AppResult<Option<TypedRecord<MessageTemplate>>> {
    let found = records::all::<MessageTemplate>(app.pool()).await?;
    let mut found = found.into_iter();
    Ok(found.find(|one| one.data.template == template && one.data.enabled))
}

/// How the receiver of advertising refuses more of it, and who sends it.
pub(super) struct Refusal {
    /// Address of the page; the token is behind the hash sign, so that no log has it.
    pub(super) page: String,
    /// Address that a mail program asks by POST.
    pub(super) one_click: String,
    /// Name and contact of the sender.
    pub(super) sender: String,
}

impl Refusal {
    /// That of a member.
    ///
    /// # Errors
    /// The database's.
    pub(super) async fn of(app: &App, member: MemberId) -> AppResult<Self> {
        let setting = records::site_setting(app.pool()).await?;
        let company = setting.map(|found| found.data.company).unwrap_or_default();
        let (url, token) = (&app.settings.public_url, consent::token(app, member));
        let contact = [company.name, company.address, company.tel, company.email];
        let contact: Vec<String> = contact
            .into_iter()
            .filter(|text| !text.trim().is_empty())
            .collect();
        Ok(Self {
            page: format!("{url}/center/unsubscribe/{member}#{token}"),
            one_click: format!("{url}/api/v1/users/unsubscribe/{member}/{token}"),
            sender: contact.join(", "),
        })
    }
}

/// Writes a message. `link` is the one that is valid once, or the one that refuses advertising, where the template has one; `sender` the
/// contact of the sender of advertising.
pub(super) fn write(
    (template, text): (Template, &TemplateText),
    content: &MessageContent,
    shop_url: &str,
    (link, sender): (Option<String>, Option<&str>),
) -> MailText {
    if template == Template::TemplateTest {
        return tried(content, shop_url);
    }
    let values = values(template, content, shop_url, link.clone());
    let page = link.unwrap_or_else(|| format!("{shop_url}/mypage/myinfo"));
    composed(template, text, &values, (page, sender))
}

/// How a text would look with sample values.
pub fn preview(template: Template, text: &TemplateText, shop_url: &str) -> MailText {
    let samples = template.variables().iter();
    let samples = samples.map(|one| (one.name.to_owned(), one.sample.to_owned()));
    let page = format!("{shop_url}/center/unsubscribe/sample");
    composed(template, text, &samples.collect(), (page, None))
}

/// A message that tries a text.
fn tried(content: &MessageContent, shop_url: &str) -> MailText {
    let [code, subject, text] = TRIED.map(|name| variable(content, name).unwrap_or_default());
    let template = Template::ALL.into_iter().find(|one| one.code() == code);
    let text = TemplateText {
        subject,
        content: text,
    };
    let written = preview(template.unwrap_or(Template::Notice), &text, shop_url);
    MailText {
        subject: format!("[시험] {}", written.subject),
        ..written
    }
}

fn composed(
    template: Template,
    text: &TemplateText,
    values: &BTreeMap<String, String>,
    (page, sender): (String, Option<&str>),
) -> MailText {
    let (mut title, mut parts) = text.written(template, values);
    if template == Template::Advertising {
        title = marked_title(&title.replace(ADVERTISING_MARK, ""), true);
        parts.extend(refusing(page, sender.unwrap_or(SHOP)));
    }
    MailText {
        subject: subject(&title),
        text: text_of(&parts),
        html: html_of(&title, &parts),
    }
}

/// What the variables of a template stand for.
pub(super) fn values(
    template: Template,
    content: &MessageContent,
    shop_url: &str,
    link: Option<String>,
) -> BTreeMap<String, String> {
    let mut values = content.variables.clone();
    let mut set = |name: &str, value: String| values.insert(name.to_owned(), value);
    let name = content.name.trim();
    set(
        "greeting",
        match name.is_empty() {
            true => "안녕하세요.".to_owned(),
            false => format!("{name}님, 안녕하세요."),
        },
    );
    set(
        "name",
        match name.is_empty() {
            true => "고객".to_owned(),
            false => name.to_owned(),
        },
    );
    let path = variable(content, "path").map(|path| format!("{shop_url}{path}"));
    match template {
        Template::FindId | Template::FindPassword | Template::ConfirmEmail => {
            set("link", link.unwrap_or_default());
        }
        Template::PasswordChanged | Template::NewDevice | Template::EmailChanged => {
            set("link", format!("{shop_url}/login/find-password"));
        }
        Template::Notice
        | Template::Advertising
        | Template::NoticeSms
        | Template::AdvertisingSms => {
            set("link", path.unwrap_or_default());
        }
        Template::OrderPlaced
        | Template::DepositAwaited
        | Template::PurchaseShipped
        | Template::RefundCompleted
        | Template::OrderUpdated
        | Template::OrderPlacedSms
        | Template::DepositAwaitedSms
        | Template::PurchaseShippedSms
        | Template::RefundCompletedSms => match variable(content, "guest") {
            Some(_) => {
                set("guestNote", GUEST_NOTE.to_owned());
                set("lookupLink", format!("{shop_url}/shop/lookup"));
            }
            None => {
                set("orderLink", path.unwrap_or_else(|| shop_url.to_owned()));
            }
        },
        Template::ContactAnswered | Template::TemplateTest | Template::TemplateTestSms => {}
    }
    values
}

/// How guests find their order again.
const GUEST_NOTE: &str =
    "비회원 주문은 주문번호와 주문하실 때 입력한 휴대폰 번호로 조회할 수 있습니다.";

/// The mark of advertising stands before everything else.
fn subject(title: &str) -> String {
    match title.strip_prefix(ADVERTISING_MARK) {
        Some(title) => format!("{ADVERTISING_MARK} [{SHOP}] {}", one_line(title.trim())),
        None => format!("[{SHOP}] {}", one_line(title)),
    }
}

/// The sender and the way to refuse, as the law asks of advertising.
fn refusing(page: String, sender: &str) -> [Part; 3] {
    let sender = Some(sender)
        .filter(|sender| !sender.is_empty())
        .unwrap_or(SHOP);
    [
        Part::Text(
            "광고 수신에 동의하신 회원께 보내 드립니다. 더 받지 않으려면 아래 주소에서 로그인 없이 수신을 거부할 수 있습니다. 비용은 들지 않습니다."
                .to_owned(),
        ),
        Part::Link("무료 수신 거부".to_owned(), page),
        Part::Text(format!("보낸 곳: {sender}")),
    ]
}

fn variable(content: &MessageContent, name: &str) -> Option<String> {
    let value = content.variables.get(name)?;
    Some(value.clone()).filter(|value| !value.is_empty())
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
            let row = |(name, value): &(String, String)| {
                format!(
                    "<tr><th align=\"left\" style=\"padding:4px 16px 4px 0\">{}</th><td>{}</td></tr>",
                    escaped(name),
                    escaped(value)
                )
            };
            let rows: String = facts.iter().map(row).collect();
            format!("<table>{rows}</table>")
        }
        Part::Link(label, url) => {
            let (label, url) = (escaped(label), escaped(url));
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
        for template in Template::ALL.into_iter().filter(|one| !one.is_sms()) {
            let link = template
                .has_link()
                .then(|| "https://shop/login/x#secret".to_owned());
            let written = write(
                (template, &template.built_in()),
                &with,
                "https://shop",
                (link, None),
            );
            assert!(written.subject.contains("[장부상회] "), "{written:?}");
            if template.is_replaceable() {
                assert!(
                    written.text.starts_with("홍길동님, 안녕하세요."),
                    "{written:?}"
                );
            }
            assert!(!written.text.contains("{{"), "{written:?}");
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
        let written = write(
            (Template::Advertising, &Template::Advertising.built_in()),
            &with,
            "https://shop",
            (
                Some("https://shop/center/unsubscribe/m#t".to_owned()),
                Some("장부, 02-000-0000"),
            ),
        );
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
        let end =
            "무료 수신 거부\nhttps://shop/center/unsubscribe/m#t\n\n보낸 곳: 장부, 02-000-0000\n";
        assert!(written.text.ends_with(end), "{written:?}");
        assert!(
            !written.html.contains("<b>") && !written.html.contains("<i>"),
            "{written:?}"
        );
    }

    #[test]
    fn names_make_neither_lines_nor_elements() {
        let evil = "<b>a</b>\r\n\r\nhttp://evil";
        let written = write(
            (Template::OrderPlaced, &Template::OrderPlaced.built_in()),
            &content(evil, &[("orderNo", "1"), ("items", evil)]),
            "https://shop",
            (None, None),
        );
        assert!(!written.html.contains("<b>"), "{}", written.html);
        assert!(!written.text.contains("\nhttp://evil"), "{}", written.text);
    }

    #[test]
    fn a_subject_of_a_record_keeps_the_mark_of_advertising_in_front() {
        let text = TemplateText {
            subject: "소식: {{title}}".to_owned(),
            content: "{{content}}".to_owned(),
        };
        let with = content("", &[("title", "(광고) 세일"), ("content", "첫 줄")]);
        let written = write(
            (Template::Advertising, &text),
            &with,
            "https://shop",
            (None, None),
        );
        assert_eq!(written.subject, "(광고) [장부상회] 소식:  세일");
        assert!(written.text.contains("무료 수신 거부"), "{written:?}");
    }

    #[test]
    fn a_text_is_tried_with_samples() {
        let with = content(
            "직원",
            &[
                ("template", "ORDER_PLACED"),
                ("subject", "주문 {{orderNo}}"),
                ("content", "상품: {{items}}"),
            ],
        );
        let test = Template::TemplateTest;
        let written = write(
            (test, &test.built_in()),
            &with,
            "https://shop",
            (None, None),
        );
        assert_eq!(written.subject, "[시험] [장부상회] 주문 20261121-7KD2M9QX");
        assert_eq!(written.text, "상품: 사과 3kg 외 1건\n");
    }
}
