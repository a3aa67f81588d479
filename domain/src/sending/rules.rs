//! What staff may write to many members.

use crate::forms::TextRule;

/// A headline: one line of plain text.
pub const TITLE: TextRule = TextRule {
    code: "title",
    message: "제목을 두 글자 이상 60자 이내로, 줄바꿈과 < > 없이 입력해 주세요.",
    holds: |text| {
        (2..=60).contains(&text.trim().chars().count())
            && !text.contains(['<', '>'])
            && !text.chars().any(char::is_control)
    },
};

/// A plain text; lines are kept.
pub const CONTENT: TextRule = TextRule {
    code: "content",
    message: "내용을 두 글자 이상 1,000자 이내로, < 와 > 없이 입력해 주세요.",
    holds: |text| {
        (2..=1_000).contains(&text.trim().chars().count())
            && !text.contains(['<', '>'])
            && !text
                .chars()
                .any(|letter| letter.is_control() && letter != '\n')
    },
};

/// A path within the shop.
pub const PATH: TextRule = TextRule {
    code: "path",
    message: "쇼핑몰 안의 주소를 /로 시작해 200자 이내로 입력해 주세요.",
    holds: |text| {
        text.is_empty()
            || (text.len() <= 200
                && text.starts_with('/')
                && !text.starts_with("//")
                && !text.contains(['\\', '<', '>', '"', ' '])
                && !text.chars().any(char::is_control))
    },
};
