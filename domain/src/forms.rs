//! Validation rules of forms, with the Korean prompt of each (spec V128-V151).
//!
//! A form implements [`Validate`]: it checks its fields with the [`TextRule`]s below and yields [`FieldError`]s that name the field
//! as on the wire. Documents edited by staff are checked in [`crate::validation`].

use crate::address::is_file;
use crate::business_day;
use crate::month_day::PartialDate;
use crate::validation::FieldError;

/// A rule for one text: its stable name, its prompt and its predicate.
#[derive(Clone, Copy, Debug)]
pub struct TextRule {
    /// Stable name.
    pub code: &'static str,
    /// Korean prompt (spec V149).
    pub message: &'static str,
    pub(crate) holds: fn(&str) -> bool,
}

impl TextRule {
    /// Whether `text` satisfies the rule.
    pub fn holds(&self, text: &str) -> bool {
        (self.holds)(text)
    }
}

/// Maximum length of names (people, companies, titles of addresses).
pub const NAME_MOST: usize = 100;
/// Maximum length of messages, reasons and notes.
pub const MESSAGE_MOST: usize = 1_000;
/// The special characters accepted in a password (spec V130; the set itself is this shop's).
pub const SPECIAL: &str = "!@#$%^&*()_+-=[]{};':\"\\|,.<>/?~`";

/// Username (spec V128, V129).
pub const USERNAME: TextRule = TextRule {
    code: "username",
    message: "아이디를 영문 소문자와 숫자 6~20자로 입력해 주세요.",
    holds: |text| {
        (6..=20).contains(&text.len())
            && text
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    },
};

/// Password (spec V130-V133).
pub const PASSWORD: TextRule = TextRule {
    code: "password",
    message: "비밀번호는 영문, 숫자, 특수문자를 모두 포함해 8~16자로 입력해 주세요.",
    holds: |text| {
        (8..=16).contains(&text.chars().count())
            && text.chars().any(|char| SPECIAL.contains(char))
            && text.chars().any(|char| char.is_ascii_alphabetic())
            && text.chars().any(|char| char.is_ascii_digit())
    },
};

/// Password on the page that changes it: empty leaves it unchanged (spec V134).
pub const PASSWORD_CHANGE: TextRule = TextRule {
    code: PASSWORD.code,
    message: PASSWORD.message,
    holds: |text| text.is_empty() || PASSWORD.holds(text),
};

/// A person's name (spec V135).
pub const NAME: TextRule = TextRule {
    code: "name",
    message: "이름을 두 글자 이상 입력해 주세요.",
    holds: is_named,
};

/// E-mail (spec V136): text, an at-sign, and a domain with a dot inside.
pub const EMAIL: TextRule = TextRule {
    code: "email",
    message: "이메일을 올바른 형식으로 입력해 주세요.",
    holds: |text| {
        text.chars().count() <= NAME_MOST
            && !text.chars().any(char::is_whitespace)
            && text.split_once('@').is_some_and(|(who, host)| {
                !who.is_empty()
                    && !host.contains('@')
                    && host.split('.').count() > 1
                    && host.split('.').all(|part| !part.is_empty())
            })
    },
};

/// Phone (spec V137).
pub const PHONE: TextRule = TextRule {
    code: "phone",
    message: "휴대폰 번호를 숫자 10~11자리로 입력해 주세요.",
    holds: |text| text.len() <= NAME_MOST && (10..=11).contains(&phone_digits(text).len()),
};

/// Subject of a post or inquiry (spec V139).
pub const SUBJECT: TextRule = TextRule {
    code: "subject",
    message: "제목을 두 글자 이상 입력해 주세요.",
    holds: is_named,
};

/// Content of a post or inquiry (spec V140).
pub const CONTENT: TextRule = TextRule {
    code: "content",
    message: "내용을 두 글자 이상 입력해 주세요.",
    holds: |text| text.trim().chars().count() > 1,
};

/// Promoter code, where a form asks for one (spec V141).
pub const PROMOTER_CODE: TextRule = TextRule {
    code: "promoterCode",
    message: "추천인 코드를 입력해 주세요.",
    holds: |text| !text.trim().is_empty() && text.chars().count() <= NAME_MOST,
};

/// The Hangul fillers: letters that are invisible.
const FILLERS: [char; 4] = ['\u{115f}', '\u{1160}', '\u{3164}', '\u{ffa0}'];

/// Nickname (spec V142, V143): letters and digits of any script.
pub const NICKNAME: TextRule = TextRule {
    code: "nickname",
    message: "닉네임을 공백과 특수문자 없이 2~15자로 입력해 주세요.",
    holds: |text| {
        (2..=15).contains(&text.chars().count())
            && text
                .chars()
                .all(|letter| letter.is_alphanumeric() && !FILLERS.contains(&letter))
    },
};

/// Company name (spec V144).
pub const COMPANY_NAME: TextRule = TextRule {
    code: "companyName",
    message: "상호를 두 글자 이상 입력해 주세요.",
    holds: is_named,
};

/// Chief executive's name (spec V145).
pub const CEO_NAME: TextRule = TextRule {
    code: "ceoName",
    message: "대표자명을 두 글자 이상 입력해 주세요.",
    holds: is_named,
};

/// Business registration number (spec V146).
pub const BUSINESS_REGISTRATION: TextRule = TextRule {
    code: "businessRegistration",
    message: "사업자등록번호를 입력해 주세요.",
    holds: is_named,
};

/// Mail-order license number (spec V147).
pub const LICENSE_CODE: TextRule = TextRule {
    code: "licenseCode",
    message: "통신판매업 신고번호를 입력해 주세요.",
    holds: is_named,
};

/// Copy of the business registration (spec V148): the address of an uploaded file.
pub const REGISTRATION_COPY: TextRule = TextRule {
    code: "registrationCopy",
    message: "사업자등록증 사본을 첨부해 주세요.",
    holds: |text| !text.trim().is_empty(),
};

/// The banks an account can be at: three-digit code and current name (domain-facts 2.1; 031 was 대구은행 until 2024).
pub const BANKS: &[(&str, &str)] = &[
    ("004", "국민은행"),
    ("088", "신한은행"),
    ("020", "우리은행"),
    ("081", "하나은행"),
    ("011", "농협은행"),
    ("003", "기업은행"),
    ("090", "카카오뱅크"),
    ("092", "토스뱅크"),
    ("089", "케이뱅크"),
    ("045", "새마을금고"),
    ("048", "신협"),
    ("071", "우체국"),
    ("023", "SC제일은행"),
    ("031", "iM뱅크"),
    ("032", "부산은행"),
    ("039", "경남은행"),
    ("034", "광주은행"),
    ("037", "전북은행"),
    ("035", "제주은행"),
    ("007", "수협은행"),
    ("012", "지역농축협"),
    ("050", "저축은행"),
    ("064", "산림조합"),
    ("002", "산업은행"),
    ("027", "한국씨티은행"),
];

/// A bank's code.
pub const BANK: TextRule = TextRule {
    code: "bank",
    message: "은행을 선택해 주세요.",
    holds: |text| BANKS.iter().any(|(code, _)| *code == text),
};

/// Bank account number; hyphens and spaces are dropped ([`account_digits`]).
pub const ACCOUNT_NUMBER: TextRule = TextRule {
    code: "accountNumber",
    message: "계좌번호를 숫자 8~16자리로 입력해 주세요.",
    holds: |text| {
        let digits = account_digits(text);
        text.len() <= NAME_MOST
            && (8..=16).contains(&digits.len())
            && digits.bytes().all(|byte| byte.is_ascii_digit())
    },
};

/// Holder of the bank account.
pub const ACCOUNT_HOLDER: TextRule = TextRule {
    code: "accountHolder",
    message: "예금주를 두 글자 이상 입력해 주세요.",
    holds: |text| is_named(text) && text.chars().count() <= 10,
};

/// Depositor name of a virtual account; the gateway takes 40 bytes.
pub const DEPOSITOR: TextRule = TextRule {
    code: "depositor",
    message: "입금자명을 두 글자 이상, 13자 이내로 입력해 주세요.",
    holds: |text| is_named(text) && text.len() <= 40,
};

/// An account number without hyphens and spaces.
pub fn account_digits(text: &str) -> String {
    text.chars()
        .filter(|letter| !matches!(letter, '-' | ' '))
        .collect()
}

/// Postcode of five digits.
pub const POSTCODE: TextRule = TextRule {
    code: "postcode",
    message: "우편번호를 숫자 5자리로 입력해 주세요.",
    holds: |text| text.len() == 5 && text.bytes().all(|byte| byte.is_ascii_digit()),
};

/// The road address.
pub const ADDRESS: TextRule = TextRule {
    code: "address",
    message: "주소를 입력해 주세요.",
    holds: is_named,
};

/// Required text of at most a name's length.
pub const REQUIRED: TextRule = TextRule {
    code: "required",
    message: "필수 항목을 입력해 주세요.",
    holds: |text| !text.trim().is_empty() && text.chars().count() <= NAME_MOST,
};

/// An optional short text.
pub const SHORT_TEXT: TextRule = TextRule {
    code: "too_long",
    message: "100자 이내로 입력해 주세요.",
    holds: |text| text.chars().count() <= NAME_MOST,
};

/// Maximum length of a web address.
pub const ADDRESS_MOST: usize = 500;

/// An optional address of a link or picture.
pub const WEB_ADDRESS: TextRule = TextRule {
    code: "too_long",
    message: "500자 이내로 입력해 주세요.",
    holds: |text| text.chars().count() <= ADDRESS_MOST,
};

/// The address of an optional picture.
pub const PICTURE: TextRule = TextRule {
    code: "not_an_address",
    message: "이 쇼핑몰에 올린 파일이거나 https://로 시작하는 주소여야 합니다.",
    holds: |text| text.is_empty() || is_file(text),
};

/// An optional message.
pub const MESSAGE: TextRule = TextRule {
    code: "too_long",
    message: "1,000자 이내로 입력해 주세요.",
    holds: |text| text.chars().count() <= MESSAGE_MOST,
};

/// A required reason.
pub const REASON: TextRule = TextRule {
    code: "reason",
    message: "사유를 두 글자 이상 입력해 주세요.",
    holds: |text| text.trim().chars().count() > 1 && text.chars().count() <= MESSAGE_MOST,
};

/// A day a person names without a time: the year may be left out. That it is not in the future is asked where today is known.
pub const NAMED_DAY: TextRule = TextRule {
    code: "date",
    message: "날짜를 1990-12-31 또는 12-31처럼 입력해 주세요.",
    holds: |text| text.is_empty() || PartialDate::parse(text).is_some(),
};

/// The bank's reference of a transfer.
pub const TRANSFER_REFERENCE: TextRule = TextRule {
    code: "reference",
    message: "이체 확인번호를 2~50자로 입력해 주세요.",
    holds: |text| (2..=50).contains(&text.trim().chars().count()),
};

/// Maximum length of the reason of a grant.
pub const MEMO_MOST: usize = 200;

/// The reason staff gives for a benefit; its member reads it, as plain text.
pub const MEMO: TextRule = TextRule {
    code: "memo",
    message: "사유를 1~200자로, < 와 > 없이 입력해 주세요.",
    holds: |text| {
        (1..=MEMO_MOST).contains(&text.trim().chars().count()) && !text.contains(['<', '>'])
    },
};

/// The last day of something that ends.
pub const LAST_DAY: TextRule = TextRule {
    code: "date",
    message: "마지막 날을 2026-12-31처럼 입력해 주세요.",
    holds: |text| business_day::parse(text).is_some(),
};

/// Prompt of a last day that has passed.
pub const LAST_DAY_MESSAGE: &str = "마지막 날을 오늘 이후로 입력해 주세요.";

/// Prompt of a percent outside 0 to 100 (spec V150).
pub const PERCENT_MESSAGE: &str = "비율을 0~100 사이로 입력해 주세요.";
/// Prompt of a date after the last one (spec V151).
pub const DATE_MESSAGE: &str = "날짜를 2999-12-31 이전으로 입력해 주세요.";
/// Prompt of terms that have to be agreed to.
pub const TERMS_MESSAGE: &str = "필수 약관에 동의해 주세요.";
/// Prompt of terms that were not requested.
pub const UNKNOWN_TERMS_MESSAGE: &str = "동의할 약관을 다시 확인해 주세요.";
/// Prompt of a missing or invalid coordinate where a fare depends on distance (spec V168).
pub const POSITION_MESSAGE: &str = "위치정보를 다시 입력하세요";

/// The terms a form requests consent to: codes of [`crate::storefront::Terms`].
#[derive(Clone, Copy, Debug)]
pub struct RequiredTerms {
    /// Required terms.
    pub needed: &'static [&'static str],
    /// Optional terms.
    pub offered: &'static [&'static str],
}

/// Terms of joining. `age` states that the member is fourteen or older: a younger one needs a parent's consent (Personal
/// Information Protection Act, article 22-2), which the shop does not collect.
pub const TERMS_OF_JOINING: RequiredTerms = RequiredTerms {
    needed: &["age", "service", "privacy"],
    offered: &["ads"],
};

/// Terms of ordering (e-commerce law, articles 8 and 13; the specification's `_terms` names none).
pub const TERMS_OF_ORDERING: RequiredTerms = RequiredTerms {
    needed: &["purchase", "privacy", "privacy-third"],
    offered: &[],
};

fn is_named(text: &str) -> bool {
    text.trim().chars().count() > 1 && text.chars().count() <= NAME_MOST
}

/// The digits of a phone number, without any other characters (spec V137).
pub fn phone_digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

/// The field errors of a form.
#[derive(Debug, Default)]
pub struct FormErrors {
    within: String,
    errors: Vec<FieldError>,
}

impl FormErrors {
    /// Requires `field` to satisfy `rule`.
    pub fn text(&mut self, field: &str, text: &str, rule: TextRule) -> &mut Self {
        self.when(rule.holds(text), field, rule.code, rule.message)
    }

    /// Requires `field` to satisfy `rule` if it is present.
    pub fn optional(&mut self, field: &str, text: Option<&str>, rule: TextRule) -> &mut Self {
        match text {
            Some(text) => self.text(field, text, rule),
            None => self,
        }
    }

    /// Requires `field` to be present and to satisfy `rule`.
    pub fn required(&mut self, field: &str, text: Option<&str>, rule: TextRule) -> &mut Self {
        self.text(field, text.unwrap_or_default(), rule)
    }

    /// Requires a whole percent (spec V150).
    pub fn percent(&mut self, field: &str, percent: i64) -> &mut Self {
        self.when(
            (0..=100).contains(&percent),
            field,
            "percent",
            PERCENT_MESSAGE,
        )
    }

    /// Requires a date up to 2999-12-31 (spec V151).
    pub fn date(&mut self, field: &str, date: time::Date) -> &mut Self {
        self.when(date.year() <= 2999, field, "date", DATE_MESSAGE)
    }

    /// Requires consent to all required terms, without duplicates and without terms that were not requested.
    pub fn terms(&mut self, field: &str, agreed: &[String], required: RequiredTerms) -> &mut Self {
        let RequiredTerms { needed, offered } = required;
        let all = needed
            .iter()
            .all(|code| agreed.iter().any(|term| term == code));
        let known = agreed.iter().enumerate().all(|(place, term)| {
            needed.iter().chain(offered).any(|code| code == term)
                && !agreed.iter().take(place).any(|before| before == term)
        });
        self.when(all, field, "terms", TERMS_MESSAGE).when(
            known,
            field,
            "unknown_terms",
            UNKNOWN_TERMS_MESSAGE,
        )
    }

    /// Requires any other condition.
    pub fn when(&mut self, fine: bool, field: &str, code: &str, message: &str) -> &mut Self {
        if !fine {
            let field = format!("{}{field}", self.within);
            self.errors.push(FieldError::new(field, code, message));
        }
        self
    }

    /// Checks a nested form, naming its fields `field.…`.
    pub fn part<F: Validate>(&mut self, field: &str, form: &F) -> &mut Self {
        let outside = self.within.clone();
        self.within = format!("{outside}{field}.");
        form.check(self);
        self.within = outside;
        self
    }
}

/// A form filled in by people.
pub trait Validate {
    /// Checks every field.
    fn check(&self, errors: &mut FormErrors);

    /// All field errors, in field order.
    fn errors(&self) -> Vec<FieldError> {
        let mut errors = FormErrors::default();
        self.check(&mut errors);
        errors.errors
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn banks_are_those_of_today_each_with_its_own_code() {
        let name = |code: &str| {
            BANKS
                .iter()
                .find(|(known, _)| *known == code)
                .map(|(_, name)| *name)
        };
        for (code, bank) in [
            ("092", "토스뱅크"),
            ("045", "새마을금고"),
            ("048", "신협"),
            ("007", "수협은행"),
            ("031", "iM뱅크"),
            ("039", "경남은행"),
            ("012", "지역농축협"),
            ("050", "저축은행"),
        ] {
            assert_eq!(name(code), Some(bank));
            assert!(BANK.holds(code));
        }
        let codes: std::collections::BTreeSet<&str> = BANKS.iter().map(|(code, _)| *code).collect();
        assert_eq!(codes.len(), BANKS.len());
        assert!(
            codes
                .iter()
                .all(|code| code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_digit()))
        );
        assert!(!BANK.holds("005"));
    }

    #[test]
    fn the_worked_rules_hold_at_their_edges() {
        let table: &[(TextRule, &[&str], &[&str])] = &[
            (
                USERNAME,
                &["abc123", "a1234567890123456789"],
                &[
                    "abc12",
                    "Abc123",
                    "abc_123",
                    "a12345678901234567890",
                    "한글아이디요",
                ],
            ),
            (
                PASSWORD,
                &["abcd123!", "a1!한글한글한글한글한"],
                &[
                    "abc123!",
                    "abcd1234",
                    "abcdefg!",
                    "1234567!",
                    "abcdefghij123456!",
                ],
            ),
            (PASSWORD_CHANGE, &["", "abcd123!"], &["abcd1234"]),
            (NAME, &["이순", "Kim"], &["김", " 김 ", ""]),
            (
                EMAIL,
                &["a@b.co"],
                &["a@b", "@b.co", "a@.co", "a b@c.de", "a@b@c.de", "a.b"],
            ),
            (
                PHONE,
                &["010-1234-5678", "0212345678"],
                &["010-1234-56a", "010123456789", ""],
            ),
            (
                NICKNAME,
                &["장부", "abc12"],
                &[
                    "장",
                    "장 부",
                    "장_부",
                    "\u{3164}\u{3164}",
                    "가나다라마바사아자차카타파하가나",
                ],
            ),
            (POSTCODE, &["06236"], &["6236", "0623a"]),
        ];
        for (rule, good, bad) in table {
            for text in *good {
                assert!(rule.holds(text), "{}: {text}", rule.code);
            }
            for text in *bad {
                assert!(!rule.holds(text), "{}: {text}", rule.code);
            }
        }
    }

    #[test]
    fn terms_are_agreed_to_in_full_and_only_those_asked_for() {
        const ASKED: RequiredTerms = RequiredTerms {
            needed: &["purchase", "privacy"],
            offered: &["ads"],
        };
        let said = |agreed: &[&str]| {
            let agreed: Vec<String> = agreed.iter().map(|code| (*code).to_owned()).collect();
            let mut errors = FormErrors::default();
            errors.terms("_terms", &agreed, ASKED);
            let codes = errors.errors.into_iter().map(|one| one.code);
            codes.collect::<Vec<_>>()
        };
        let nothing: [&str; 0] = [];
        assert_eq!(said(&["privacy", "purchase"]), nothing);
        assert_eq!(said(&["purchase", "privacy", "ads"]), nothing);
        assert_eq!(said(&[]), ["terms"]);
        assert_eq!(said(&["purchase", "ads"]), ["terms"]);
        assert_eq!(said(&["purchase", "privacy", "moon"]), ["unknown_terms"]);
        assert_eq!(said(&["purchase", "privacy", "privacy"]), ["unknown_terms"]);
        assert_eq!(said(&["purchase", "Privacy"]), ["terms", "unknown_terms"]);
    }

    #[test]
    fn a_part_names_its_fields_within_the_whole() {
        struct Inner;
        impl Validate for Inner {
            fn check(&self, errors: &mut FormErrors) {
                errors.text("phone", "1", PHONE);
            }
        }
        struct Outer;
        impl Validate for Outer {
            fn check(&self, errors: &mut FormErrors) {
                errors.part("receiver", &Inner).percent("rate", 101);
            }
        }
        let fields: Vec<_> = Outer
            .errors()
            .into_iter()
            .map(|complaint| complaint.field)
            .collect();
        assert_eq!(fields, ["receiver.phone", "rate"]);
    }
}
