//! Titles, variables and built-in texts of the templates. A built-in text is used while no template record is in use.

use super::events::Template;
use super::text::{TemplateText, TemplateVariable};

const GREETING: TemplateVariable =
    TemplateVariable::text("greeting", "인사말", "홍길동님, 안녕하세요.");
const NAME: TemplateVariable = TemplateVariable::text("name", "받는 사람", "홍길동");
const AT: TemplateVariable = TemplateVariable::text("at", "시각", "2026년 11월 21일 12:00");
const ORDER_NO: TemplateVariable =
    TemplateVariable::text("orderNo", "주문번호", "20261121-7KD2M9QX").required();
const ITEMS: TemplateVariable = TemplateVariable::text("items", "상품", "사과 3kg 외 1건");
const AMOUNT: TemplateVariable = TemplateVariable::text("amount", "결제 금액", "35,000");
const ORDER_LINK: TemplateVariable = TemplateVariable::link(
    "orderLink",
    "주문 보기",
    "https://shop.example/mypage/orders-detail",
);
const GUEST_NOTE: TemplateVariable = TemplateVariable::text(
    "guestNote",
    "비회원 안내",
    "비회원 주문은 주문번호와 주문하실 때 입력한 휴대폰 번호로 조회할 수 있습니다.",
);
const LOOKUP_LINK: TemplateVariable = TemplateVariable::link(
    "lookupLink",
    "비회원 주문 조회",
    "https://shop.example/shop/lookup",
);
const TITLE: TemplateVariable = TemplateVariable::text("title", "제목", "겨울 배송 안내");
const CONTENT: TemplateVariable =
    TemplateVariable::lines("content", "내용", "첫째 줄입니다.\n둘째 줄입니다.").required();
const MORE: TemplateVariable =
    TemplateVariable::link("link", "자세히 보기", "https://shop.example/sub/event");

const ONCE: &[TemplateVariable] = &[
    GREETING,
    NAME,
    AT,
    TemplateVariable::link(
        "link",
        "한 번 쓰는 주소",
        "https://shop.example/login/find-id/sample",
    )
    .required(),
];
const CHANGED: &[TemplateVariable] = &[
    GREETING,
    NAME,
    AT,
    TemplateVariable::link(
        "link",
        "비밀번호 찾기",
        "https://shop.example/login/find-password",
    ),
];
const PLACED: &[TemplateVariable] = &[
    GREETING,
    NAME,
    ORDER_NO,
    ITEMS,
    AMOUNT,
    ORDER_LINK,
    GUEST_NOTE,
    LOOKUP_LINK,
];
const DEPOSIT: &[TemplateVariable] = &[
    GREETING,
    NAME,
    ORDER_NO,
    ITEMS,
    AMOUNT,
    TemplateVariable::text("account", "입금 계좌", "국민은행 123-456-789012").required(),
    TemplateVariable::text("due", "입금 기한", "2026년 11월 24일 23:59").required(),
    ORDER_LINK,
    GUEST_NOTE,
    LOOKUP_LINK,
];
const SHIPPED: &[TemplateVariable] = &[
    GREETING,
    NAME,
    ORDER_NO,
    ITEMS,
    TemplateVariable::text("courier", "택배사", "CJ대한통운"),
    TemplateVariable::text("invoice", "송장 번호", "123456789012"),
    TemplateVariable::link(
        "tracking",
        "배송 조회",
        "https://trace.example/123456789012",
    ),
    ORDER_LINK,
    GUEST_NOTE,
    LOOKUP_LINK,
];
const REFUNDED: &[TemplateVariable] = &[
    GREETING,
    NAME,
    ORDER_NO,
    TemplateVariable::text("refund", "환불 금액", "35,000").required(),
    ORDER_LINK,
    GUEST_NOTE,
    LOOKUP_LINK,
];
const UPDATED: &[TemplateVariable] = &[
    GREETING,
    NAME,
    ORDER_NO,
    ITEMS,
    TemplateVariable::text("status", "진행 상황", "반품 신청이 접수되었습니다").required(),
    ORDER_LINK,
    GUEST_NOTE,
    LOOKUP_LINK,
];
const WRITTEN: &[TemplateVariable] = &[GREETING, NAME, TITLE, CONTENT, MORE];
const ANSWERED: &[TemplateVariable] = &[
    GREETING,
    NAME,
    TemplateVariable::lines(
        "answer",
        "답변",
        "문의해 주셔서 감사합니다.\n곧 연락드리겠습니다.",
    )
    .required(),
    TemplateVariable::text("subject", "남기신 문의", "대량 구매 문의"),
];

/// The end of every built-in text about an order.
macro_rules! order_text {
    ($first:literal, $facts:literal) => {
        concat!(
            "{{greeting}}\n",
            $first,
            "\n\n주문번호: {{orderNo}}\n",
            $facts,
            "\n주문 보기 {{orderLink}}\n{{guestNote}}\n비회원 주문 조회 {{lookupLink}}"
        )
    };
}

/// The text of a mail with a link that is valid once.
macro_rules! once_text {
    ($first:literal, $link:literal) => {
        concat!(
            "{{greeting}}\n",
            $first,
            "\n",
            $link,
            " {{link}}\n주소는 30분 동안 한 번만 사용할 수 있습니다. 요청하지 않으셨다면 이 메일을 무시해 주세요."
        )
    };
}

impl Template {
    /// Its code, as stored and on the wire.
    pub const fn code(self) -> &'static str {
        match self {
            Self::FindId => "FIND_ID",
            Self::FindPassword => "FIND_PASSWORD",
            Self::PasswordChanged => "PASSWORD_CHANGED",
            Self::OrderPlaced => "ORDER_PLACED",
            Self::DepositAwaited => "DEPOSIT_AWAITED",
            Self::PurchaseShipped => "PURCHASE_SHIPPED",
            Self::RefundCompleted => "REFUND_COMPLETED",
            Self::OrderUpdated => "ORDER_UPDATED",
            Self::Notice => "NOTICE",
            Self::Advertising => "ADVERTISING",
            Self::ContactAnswered => "CONTACT_ANSWERED",
            Self::NewDevice => "NEW_DEVICE",
            Self::EmailChanged => "EMAIL_CHANGED",
            Self::ConfirmEmail => "CONFIRM_EMAIL",
            Self::TemplateTest => "TEMPLATE_TEST",
            Self::OrderPlacedSms => "ORDER_PLACED_SMS",
            Self::DepositAwaitedSms => "DEPOSIT_AWAITED_SMS",
            Self::PurchaseShippedSms => "PURCHASE_SHIPPED_SMS",
            Self::RefundCompletedSms => "REFUND_COMPLETED_SMS",
            Self::TemplateTestSms => "TEMPLATE_TEST_SMS",
            Self::NoticeSms => "NOTICE_SMS",
            Self::AdvertisingSms => "ADVERTISING_SMS",
        }
    }

    /// Korean title, for staff.
    pub const fn title(self) -> &'static str {
        match self {
            Self::FindId => "아이디 찾기",
            Self::FindPassword => "비밀번호 찾기",
            Self::PasswordChanged => "비밀번호 변경 안내",
            Self::OrderPlaced => "주문 완료",
            Self::DepositAwaited => "입금 안내",
            Self::PurchaseShipped => "발송 안내",
            Self::RefundCompleted => "환불 완료",
            Self::OrderUpdated => "비회원 주문 진행 안내",
            Self::Notice => "공지 메일",
            Self::Advertising => "광고 메일",
            Self::ContactAnswered => "문의 답변",
            Self::NewDevice => "새 기기 로그인 안내",
            Self::EmailChanged => "이메일 변경 안내",
            Self::ConfirmEmail => "이메일 확인",
            Self::TemplateTest => "템플릿 시험 메일",
            Self::OrderPlacedSms => "주문 완료 문자",
            Self::DepositAwaitedSms => "입금 안내 문자",
            Self::PurchaseShippedSms => "발송 안내 문자",
            Self::RefundCompletedSms => "환불 완료 문자",
            Self::TemplateTestSms => "템플릿 시험 문자",
            Self::NoticeSms => "공지 문자",
            Self::AdvertisingSms => "광고 문자",
        }
    }

    /// The variables its texts may use.
    pub const fn variables(self) -> &'static [TemplateVariable] {
        match self {
            Self::FindId | Self::FindPassword | Self::ConfirmEmail => ONCE,
            Self::PasswordChanged | Self::NewDevice | Self::EmailChanged => CHANGED,
            Self::OrderPlaced | Self::OrderPlacedSms => PLACED,
            Self::DepositAwaited | Self::DepositAwaitedSms => DEPOSIT,
            Self::PurchaseShipped | Self::PurchaseShippedSms => SHIPPED,
            Self::RefundCompleted | Self::RefundCompletedSms => REFUNDED,
            Self::OrderUpdated => UPDATED,
            Self::Notice | Self::Advertising | Self::NoticeSms | Self::AdvertisingSms => WRITTEN,
            Self::ContactAnswered => ANSWERED,
            Self::TemplateTest | Self::TemplateTestSms => &[],
        }
    }

    /// The text that is used while no record is.
    pub fn built_in(self) -> TemplateText {
        let (subject, content) = self.built_in_parts();
        TemplateText {
            subject: subject.to_owned(),
            content: content.to_owned(),
        }
    }

    const fn built_in_parts(self) -> (&'static str, &'static str) {
        match self {
            Self::FindId => (
                "아이디 확인 안내",
                once_text!(
                    "아이디를 확인하려면 아래 주소를 열어 주세요.",
                    "아이디 확인하기"
                ),
            ),
            Self::FindPassword => (
                "비밀번호 재설정 안내",
                once_text!(
                    "비밀번호를 다시 설정하려면 아래 주소를 열어 주세요.",
                    "비밀번호 재설정하기"
                ),
            ),
            Self::PasswordChanged => (
                "비밀번호가 변경되었습니다",
                "{{greeting}}\n\
                 {{at}}에 비밀번호가 변경되어 모든 기기에서 로그아웃되었습니다.\n\
                 본인이 변경하지 않았다면 바로 비밀번호를 다시 설정하고 고객센터에 알려 주세요.\n\
                 비밀번호 찾기 {{link}}",
            ),
            Self::OrderPlaced => (
                "주문이 완료되었습니다",
                order_text!(
                    "주문해 주셔서 감사합니다. 결제가 확인되어 상품을 준비합니다.",
                    "상품: {{items}}\n결제 금액: {{amount}}"
                ),
            ),
            Self::DepositAwaited => (
                "입금을 기다리고 있습니다",
                order_text!(
                    "아래 계좌로 기한 안에 입금해 주세요. 입금이 확인되면 상품을 준비합니다.",
                    "상품: {{items}}\n결제 금액: {{amount}}\n입금 계좌: {{account}}\n입금 기한: {{due}}"
                ),
            ),
            Self::PurchaseShipped => (
                "상품이 발송되었습니다",
                order_text!(
                    "주문하신 상품을 보내 드렸습니다.",
                    "상품: {{items}}\n택배사: {{courier}}\n송장 번호: {{invoice}}\n배송 조회 {{tracking}}"
                ),
            ),
            Self::RefundCompleted => (
                "환불이 완료되었습니다",
                order_text!(
                    "주문하신 상품의 금액을 돌려 드렸습니다. 카드 결제는 카드사에 따라 며칠 뒤에 반영됩니다.",
                    "환불 금액: {{refund}}"
                ),
            ),
            Self::OrderUpdated => (
                "{{status}}",
                order_text!(
                    "{{status}}. 자세한 내용은 주문을 조회해 확인해 주세요.",
                    "상품: {{items}}"
                ),
            ),
            Self::Notice | Self::Advertising => (
                "{{title}}",
                "{{greeting}}\n{{content}}\n자세히 보기 {{link}}",
            ),
            Self::ContactAnswered => (
                "문의에 답변드립니다",
                "{{greeting}}\n{{answer}}\n남기신 문의: {{subject}}",
            ),
            Self::NewDevice => (
                "새 기기에서 로그인했습니다",
                "{{greeting}}\n\
                 {{at}}에 처음 보는 기기나 브라우저에서 로그인했습니다.\n\
                 본인이 로그인했다면 그대로 두셔도 됩니다. 아니라면 바로 비밀번호를 다시 설정해 주세요. 모든 기기에서 로그아웃됩니다.\n\
                 비밀번호 찾기 {{link}}",
            ),
            Self::EmailChanged => (
                "이메일 주소가 변경되었습니다",
                "{{greeting}}\n\
                 {{at}}에 회원 정보의 이메일 주소가 다른 주소로 변경되었습니다. 앞으로 안내는 새 주소로 보내 드립니다.\n\
                 본인이 변경하지 않았다면 바로 고객센터에 알려 주세요.",
            ),
            Self::ConfirmEmail => (
                "이메일 주소를 확인해 주세요",
                "{{greeting}}\n\
                 장부상회 회원 정보에 이 이메일 주소가 등록되었습니다. 아래 주소를 열고 가입한 아이디로 로그인하면 확인됩니다.\n\
                 이메일 확인하기 {{link}}\n\
                 주소는 24시간 동안 한 번만 사용할 수 있습니다. 가입하지 않으셨다면 이 메일을 무시해 주세요.",
            ),
            Self::NoticeSms | Self::AdvertisingSms => ("{{title}}", "{{content}}\n{{link}}"),
            // Its subject and content are those that are tried.
            Self::TemplateTest => ("템플릿 시험", "템플릿 시험 메일입니다."),
            Self::TemplateTestSms => ("템플릿 시험", "템플릿 시험 문자입니다."),
            Self::OrderPlacedSms => (
                "주문 접수",
                "주문번호: {{orderNo}}\n상품: {{items}}\n결제 금액: {{amount}}\n\
                 주문 보기 {{orderLink}}\n비회원 주문 조회 {{lookupLink}}",
            ),
            Self::DepositAwaitedSms => (
                "입금 안내",
                "주문번호: {{orderNo}}\n결제 금액: {{amount}}\n입금 계좌: {{account}}\n입금 기한: {{due}}\n\
                 주문 보기 {{orderLink}}\n비회원 주문 조회 {{lookupLink}}",
            ),
            Self::PurchaseShippedSms => (
                "상품 발송",
                "주문번호: {{orderNo}}\n상품: {{items}}\n{{courier}} {{invoice}}\n배송 조회 {{tracking}}",
            ),
            Self::RefundCompletedSms => {
                ("환불 완료", "주문번호: {{orderNo}}\n환불 금액: {{refund}}")
            }
        }
    }
}
