//! What the gateway refuses, by the codes of SOLAPI. Written independently of the client.

use encoding_rs::EUC_KR;
use serde::Deserialize;
use serde_json::{Map, Value};

/// Bytes of an SMS, of an LMS and of a subject; letters of an AlimTalk.
const SMS_BYTES: usize = 90;
const LMS_BYTES: usize = 2_000;
const SUBJECT_BYTES: usize = 40;
const TALK_LETTERS: usize = 1_000;

/// A message that a client wants to be sent.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SmsRequest {
    #[serde(default)]
    pub(super) to: String,
    #[serde(default)]
    pub(super) from: String,
    #[serde(default)]
    pub(super) text: String,
    #[serde(default, rename = "type")]
    given_kind: Option<String>,
    #[serde(default)]
    pub(super) subject: Option<String>,
    #[serde(default)]
    pub(super) kakao_options: Option<Value>,
    #[serde(default)]
    pub(super) custom_fields: Map<String, Value>,
}

impl SmsRequest {
    /// Its kind: the given one, or by its options and length.
    pub(super) fn kind(&self) -> &str {
        match &self.given_kind {
            Some(kind) => kind,
            None if self.kakao_options.is_some() => "ATA",
            None if self.subject.is_none() && bytes(&self.text) <= Some(SMS_BYTES) => "SMS",
            None => "LMS",
        }
    }
}

/// Bytes of a text in the carriers' character set; none if it has other letters.
fn bytes(text: &str) -> Option<usize> {
    let (encoded, _, failed) = EUC_KR.encode(text);
    (!failed).then_some(encoded.len())
}

fn is_number(text: &str) -> bool {
    (8..=12).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

pub(super) fn is_taken(code: &str) -> bool {
    matches!(code, "2000" | "3000" | "4000")
}

/// The status code of a message; `registered` is the only number it may come from, if one is known.
pub(super) fn code_of(wanted: &SmsRequest, registered: Option<&str>) -> &'static str {
    let has_template = wanted
        .kakao_options
        .as_ref()
        .is_some_and(|options| options.get("templateId").is_some());
    if wanted.to.is_empty() || wanted.from.is_empty() || (wanted.text.is_empty() && !has_template) {
        return "1010";
    }
    if !is_number(&wanted.to) {
        return "1011";
    }
    if !is_number(&wanted.from) || registered.is_some_and(|number| number != wanted.from) {
        return "1062";
    }
    let is_printable = |letter: char| letter == '\n' || !letter.is_control();
    if !wanted.text.chars().all(is_printable) {
        return "1028";
    }
    let fits = |name: &String, value: &Value| {
        name.len() <= 30 && value.as_str().is_some_and(|value| value.len() <= 100)
    };
    if !wanted
        .custom_fields
        .iter()
        .all(|(name, value)| fits(name, value))
    {
        return "1032";
    }
    let kind = wanted.kind();
    if kind == "ATA" {
        return talk_code(wanted);
    }
    if wanted.kakao_options.is_some() {
        return "1033";
    }
    let most = match kind {
        "SMS" => SMS_BYTES,
        "LMS" => LMS_BYTES,
        _ => return "1025",
    };
    match (bytes(&wanted.text), &wanted.subject) {
        (None, _) => "1029",
        (Some(_), Some(_)) if kind == "SMS" => "1013",
        (Some(_), Some(subject)) if bytes(subject).is_none_or(|long| long > SUBJECT_BYTES) => {
            "1014"
        }
        (Some(long), _) if long > most => "1031",
        (Some(_), _) => "2000",
    }
}

fn talk_code(wanted: &SmsRequest) -> &'static str {
    let has = |name: &str, start: &str| {
        let given = wanted
            .kakao_options
            .as_ref()
            .and_then(|options| options.get(name));
        let given = given.and_then(Value::as_str);
        given.is_some_and(|id| id.starts_with(start))
    };
    match () {
        () if !has("pfId", "KA01PF") => "1041",
        () if !has("templateId", "KA01TP") => "1042",
        () if wanted.text.chars().count() > TALK_LETTERS => "1031",
        () => "2000",
    }
}

/// What a code means, in the gateway's words.
pub(super) fn meaning(code: &str) -> &'static str {
    match code {
        "2000" => "정상 접수(이통사로 접수 예정)",
        "3000" => "이통사로 접수(리포트를 기다리는 중)",
        "4000" => "발송 처리 완료",
        "1010" => "필수 입력 값 미입력",
        "1011" => "Format Error",
        "1013" => "제목은 SMS에 사용할 수 없음",
        "1014" => "제목은 40byte까지",
        "1025" => "잘못된 메시지 타입",
        "1026" => "중복 수신번호",
        "1028" => "Non Printable Characters",
        "1029" => "EUC-KR 범위 밖의 문자",
        "1030" => "잔액 부족",
        "1031" => "길이 초과",
        "1032" => "유효하지 않은 커스텀 필드",
        "1033" => "kakaoOptions을 사용할 수 없는 타입",
        "1041" => "유효하지 않은 채널",
        "1042" => "유효하지 않은 템플릿",
        "1060" => "차단된 수신번호",
        "1061" => "수신거부",
        "1062" => "발신번호 미등록",
        "3032" => "미가입자",
        "3040" => "전송시간 초과",
        _ => "거절",
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn each_fault_has_the_code_of_the_gateway() {
        let good = json!({ "to": "01012345678", "from": "0212345678", "text": "주문" });
        let talk = json!({ "pfId": "KA01PF1", "templateId": "KA01TP1" });
        for (change, expected) in [
            (json!({}), "2000"),
            (json!({ "to": "" }), "1010"),
            (json!({ "text": "" }), "1010"),
            (json!({ "to": "010-1234-5678" }), "1011"),
            (json!({ "to": "0101" }), "1011"),
            (json!({ "from": "0299999999" }), "1062"),
            (json!({ "text": "a\u{7}" }), "1028"),
            (json!({ "text": "🍎" }), "1029"),
            (json!({ "type": "SMS", "text": "가".repeat(46) }), "1031"),
            (json!({ "text": "가".repeat(46) }), "2000"),
            (json!({ "text": "가".repeat(1001) }), "1031"),
            (json!({ "type": "SMS", "subject": "제목" }), "1013"),
            (json!({ "subject": "가".repeat(21) }), "1014"),
            (json!({ "type": "FAX" }), "1025"),
            (json!({ "customFields": { "id": 1 } }), "1032"),
            (json!({ "type": "SMS", "kakaoOptions": talk }), "1033"),
            (json!({ "kakaoOptions": talk }), "2000"),
            (
                json!({ "kakaoOptions": { "templateId": "KA01TP1" } }),
                "1041",
            ),
            (
                json!({ "kakaoOptions": { "pfId": "KA01PF1", "templateId": "x" } }),
                "1042",
            ),
        ] {
            let mut wanted = good.clone();
            for (name, value) in change.as_object().unwrap() {
                wanted[name] = value.clone();
            }
            let wanted: SmsRequest = serde_json::from_value(wanted).unwrap();
            assert_eq!(code_of(&wanted, Some("0212345678")), expected, "{change}");
        }
    }
}
