//! Texts to phones: SMS and LMS, and AlimTalk where the record of a template names one that the gateway has.
//!
//! What carriers cannot show is replaced, and a text that is too long is cut: a name cut short is better than no message about an order.

use std::collections::BTreeMap;

use domain::ids::MessageId;
use domain::message::{
    Channel, GiveUpReason, LONG_MOST, MessageContent, MessagePart, MessageTerms, SmsKind, Template,
    TemplateText, bytes, cut, encodable, mobile_number, one_line,
};
use domain::sending::{ADVERTISING_MARK, SendingText};
use integrations::sms::{Lookup, Outcome, Report, Sms, SmsAttempt, Talk};

use super::outbox::{begin, command_of, give_up, record};
use super::templates::{SHOP, TRIED, record_in_use, text_in_use, values};
use crate::app::App;
use crate::error::AppResult;

/// A text as a phone gets it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhoneText {
    /// Subject, for an LMS.
    pub subject: String,
    /// The text.
    pub text: String,
}

impl PhoneText {
    /// Its length in bytes, as carriers count.
    pub fn bytes(&self) -> usize {
        bytes(&self.text)
    }

    /// How it travels.
    pub fn kind(&self) -> SmsKind {
        SmsKind::of(&self.text)
    }
}

/// The channel of a message to a phone: talk if the shop has a channel there and the record in use names a template.
///
/// # Errors
/// The database's.
pub async fn channel_of(app: &App, template: Template) -> AppResult<Channel> {
    Ok(match talk_template(app, template).await? {
        Some(_) => Channel::Talk,
        None => Channel::Sms,
    })
}

/// The gateway's template for a message, if it can be sent as talk.
async fn talk_template(app: &App, template: Template) -> AppResult<Option<String>> {
    if !app.sms.as_ref().is_some_and(|gateway| gateway.has_talk()) {
        return Ok(None);
    }
    let used = record_in_use(app, template).await?;
    let named = used.map(|used| used.data.talk_template);
    Ok(named.filter(|named| !named.is_empty()))
}

/// Sends a message to a phone.
///
/// # Errors
/// Database errors.
pub(super) async fn deliver(
    app: &App,
    id: MessageId,
    terms: &MessageTerms,
    content: MessageContent,
) -> AppResult<()> {
    let Some(gateway) = &app.sms else {
        return give_up(app, id, GiveUpReason::ChannelOff).await;
    };
    let template = terms.template;
    let (text, version) = text_in_use(app, template).await?;
    let talk = match terms.channel {
        Channel::Talk => talk_template(app, template).await?,
        Channel::Mail | Channel::Sms => None,
    };
    let shop_url = &app.settings.public_url;
    let refusal = refusal_lines(app);
    let written = write((template, &text), &content, shop_url, &refusal);
    let talk = talk.map(|template_id| {
        let mut variables = values(template, &content, shop_url, None);
        variables.retain(|name, _| template.variables().iter().any(|one| one.name == name));
        Talk {
            template: template_id,
            variables,
        }
    });
    let Some(attempt) = begin(app, id, version).await? else {
        return Ok(());
    };
    let sms = Sms {
        id: id.to_string(),
        attempt,
        number: mobile_number(&content.address).unwrap_or_default(),
        subject: written.subject,
        text: written.text,
        talk,
    };
    let outcome = gateway.send(&sms).await;
    record(app, id, command_of(attempt, outcome)).await
}

/// Asks the gateway for the outcome of an attempt where it is unknown. There is no answer without a gateway, or once the receiver was
/// erased.
///
/// # Errors
/// Database errors.
pub(super) async fn find(
    app: &App,
    id: MessageId,
    terms: &MessageTerms,
    attempt: u32,
) -> AppResult<Lookup> {
    let content = app.open(&terms.content).await?;
    let (Some(gateway), Some(content)) = (&app.sms, content) else {
        return Ok(Lookup::Unknown);
    };
    let asked = SmsAttempt {
        id: id.to_string(),
        attempt,
        number: mobile_number(&content.address).unwrap_or_default(),
    };
    Ok(gateway.find(&asked).await)
}

/// Asks the gateway whether an attempt has arrived. There is no report without a gateway; once the receiver was erased, only by the id of
/// the gateway.
///
/// # Errors
/// Database errors.
pub(super) async fn report(
    app: &App,
    terms: &MessageTerms,
    (id, attempt): (MessageId, u32),
    queue_id: String,
) -> AppResult<Report> {
    let Some(gateway) = &app.sms else {
        return Ok(Report::Waiting);
    };
    if !queue_id.is_empty() {
        return Ok(gateway.report(&queue_id).await);
    }
    // It named no id of its own: it is found by ours.
    Ok(match find(app, id, terms, attempt).await? {
        Lookup::Found(Outcome::Sent { queue_id }) if !queue_id.is_empty() => {
            gateway.report(&queue_id).await
        }
        _ => Report::Waiting,
    })
}

/// The end of advertising by text: whom to ask, and the free number at which it is refused.
fn refusal_lines(app: &App) -> String {
    let sender = app.settings.text_sender.as_deref().unwrap_or_default();
    let number = app.settings.refusal_number.as_deref().unwrap_or_default();
    format!("문의 {sender}\n무료수신거부 {number}")
}

/// How a sending to phones reads, and whether it had to be cut.
pub fn of_sending(app: &App, advertising: bool, text: &SendingText) -> (PhoneText, bool) {
    let content = MessageContent {
        variables: sending_variables(text),
        ..MessageContent::default()
    };
    let template = match advertising {
        true => Template::AdvertisingSms,
        false => Template::NoticeSms,
    };
    let refusal = refusal_lines(app);
    let shop_url = &app.settings.public_url;
    let written = write(
        (template, &template.built_in()),
        &content,
        shop_url,
        &refusal,
    );
    let is_cut = written.text.contains('…') && !text.content.contains('…');
    (written, is_cut)
}

/// The variables of a sending.
pub fn sending_variables(text: &SendingText) -> BTreeMap<String, String> {
    let variables = [
        ("title", &text.title),
        ("content", &text.content),
        ("path", &text.url),
    ];
    variables
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value.clone()))
        .collect()
}

/// Writes a message to a phone. Advertising has its mark before everything else and ends with the way to refuse it, which is never cut.
fn write(
    (template, text): (Template, &TemplateText),
    content: &MessageContent,
    shop_url: &str,
    refusal: &str,
) -> PhoneText {
    let mut values = values(template, content, shop_url, None);
    if let Some(title) = values.get_mut("title") {
        // The mark stands before the name of the shop.
        *title = title.replace(ADVERTISING_MARK, "").trim().to_owned();
    }
    match template {
        Template::TemplateTestSms => tried(content),
        Template::AdvertisingSms => {
            composed((template, text), &values, (ADVERTISING_MARK, refusal))
        }
        _ => composed((template, text), &values, ("", "")),
    }
}

/// How a text would look with sample values.
pub fn preview(template: Template, text: &TemplateText) -> PhoneText {
    previewed(template, text, "")
}

fn previewed(template: Template, text: &TemplateText, before: &str) -> PhoneText {
    let samples = template.variables().iter();
    let samples = samples.map(|one| (one.name.to_owned(), one.sample.to_owned()));
    composed((template, text), &samples.collect(), (before, ""))
}

/// A message that tries a text.
fn tried(content: &MessageContent) -> PhoneText {
    let [code, subject, text] =
        TRIED.map(|name| content.variables.get(name).cloned().unwrap_or_default());
    let template = Template::ALL.into_iter().find(|one| one.code() == code);
    let text = TemplateText {
        subject,
        content: text,
    };
    previewed(
        template.unwrap_or(Template::OrderPlacedSms),
        &text,
        "[시험]",
    )
}

/// The name of the shop and the subject on the first line, then the lines, and the end.
fn composed(
    (template, text): (Template, &TemplateText),
    values: &BTreeMap<String, String>,
    (before, end): (&str, &str),
) -> PhoneText {
    let (title, parts) = text.written(template, values);
    let subject = encodable(&one_line(&format!("{before}[{SHOP}] {title}")));
    let mut lines = vec![subject.clone()];
    for part in &parts {
        match part {
            MessagePart::Text(text) => lines.push(one_line(text)),
            MessagePart::Facts(facts) => {
                let line =
                    |(name, value): &(String, String)| format!("{name}: {}", one_line(value));
                lines.extend(facts.iter().map(line));
            }
            MessagePart::Link(label, url) => {
                lines.push(format!("{label} {url}").trim_start().to_owned());
            }
        }
    }
    let end = match end {
        "" => String::new(),
        end => format!("\n{}", encodable(end)),
    };
    let most = LONG_MOST.saturating_sub(bytes(&end));
    let text = cut(&encodable(&lines.join("\n")), most);
    PhoneText {
        subject,
        text: format!("{text}{end}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(variables: &[(&str, &str)]) -> MessageContent {
        let pair = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        MessageContent {
            name: "홍길동".to_owned(),
            address: "010-1234-5678".to_owned(),
            variables: variables.iter().map(pair).collect(),
        }
    }

    const END: &str = "문의 0212345678\n무료수신거부 080-123-4567";

    /// The mark before everything, the sender, and the free way out at the end; only the text between them is cut to fit.
    #[test]
    fn advertising_is_marked_and_ends_with_the_way_to_refuse_it() {
        let long = "가나다\n".repeat(600);
        for (title, content) in [
            ("봄 세일", "오늘부터 사흘 동안 할인합니다."),
            ("(광고)봄 세일", long.as_str()),
        ] {
            let text = written(
                Template::AdvertisingSms,
                &[
                    ("title", title),
                    ("content", content),
                    ("path", "/sub/event"),
                ],
            );
            assert!(text.text.starts_with("(광고)[장부상회] "), "{}", text.text);
            assert!(text.text.ends_with(&format!("\n{END}")), "{}", text.text);
            assert!(text.bytes() <= LONG_MOST, "{}", text.bytes());
            assert!(text.subject.starts_with("(광고)"), "{}", text.subject);
        }
        let notice = written(
            Template::NoticeSms,
            &[("title", "점검 안내"), ("content", "둘\n줄")],
        );
        assert_eq!(notice.text, "[장부상회] 점검 안내\n둘\n줄");
    }

    fn written(template: Template, variables: &[(&str, &str)]) -> PhoneText {
        let text = template.built_in();
        write((template, &text), &content(variables), "https://shop", END)
    }

    #[test]
    fn a_refund_fits_into_an_sms() {
        let refund = [("orderNo", "20261121-7KD2M9QX"), ("refund", "35,000")];
        let text = written(Template::RefundCompletedSms, &refund);
        assert_eq!(
            text.text,
            "[장부상회] 환불 완료\n주문번호: 20261121-7KD2M9QX\n환불 금액: 35,000"
        );
        assert_eq!((text.bytes(), text.kind()), (66, SmsKind::Sms));
    }

    #[test]
    fn guests_get_the_way_to_find_the_order_again() {
        let placed = [
            ("orderNo", "1"),
            ("items", "🍎 사과\r\n(광고)"),
            ("amount", "9"),
        ];
        let mut guest = placed.to_vec();
        guest.push(("guest", "1"));
        let text = written(Template::OrderPlacedSms, &guest).text;
        assert_eq!(
            text,
            "[장부상회] 주문 접수\n주문번호: 1\n상품: ? 사과  (광고)\n결제 금액: 9\n비회원 주문 조회 https://shop/shop/lookup"
        );
        let mut member = placed.to_vec();
        member.push(("path", "/mypage/orders-detail?order=1"));
        let text = written(Template::OrderPlacedSms, &member);
        assert!(
            text.text
                .ends_with("주문 보기 https://shop/mypage/orders-detail?order=1")
        );
        assert_eq!(text.kind(), SmsKind::Lms);
    }

    #[test]
    fn what_is_too_long_is_cut() {
        let items = "가".repeat(3_000);
        let text = written(
            Template::OrderPlacedSms,
            &[("orderNo", "1"), ("items", &items)],
        );
        assert!(text.bytes() <= LONG_MOST, "{}", text.bytes());
        assert!(text.text.ends_with('…'));
    }

    #[test]
    fn every_template_of_texts_is_written_and_tried() {
        for template in Template::ALL.into_iter().filter(|one| one.is_sms()) {
            let text = preview(template, &template.built_in());
            assert!(text.text.starts_with("[장부상회] "), "{text:?}");
            assert!(!text.text.contains("{{"), "{text:?}");
        }
        let tried = content(&[
            ("template", "REFUND_COMPLETED_SMS"),
            ("subject", "환불"),
            ("content", "금액: {{refund}}"),
        ]);
        let test = Template::TemplateTestSms;
        let text = write((test, &test.built_in()), &tried, "https://shop", END);
        assert_eq!(text.text, "[시험][장부상회] 환불\n금액: 35,000");
    }
}
