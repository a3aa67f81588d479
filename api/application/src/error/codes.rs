//! The error codes of the product, with their class and Korean message: one table. The HTTP status of each is defined in the HTTP layer.

/// Class of an error: what the caller of a use case can do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorClass {
    /// The input is malformed or violates the rules of its fields.
    Invalid,
    /// A rule of the shop was violated in the present state.
    Refused,
    /// The actor is not signed in, or lacks the right.
    Forbidden,
    /// There is no such thing, or it belongs to another user.
    NotFound,
    /// A concurrent change was committed first.
    Conflict,
    /// An event of a newer program version was read.
    Outdated,
    /// The rate limit is exceeded.
    Limited,
    /// The database or a service is temporarily unavailable.
    Unavailable,
    /// A defect of the program or its data.
    Fault,
}

/// Whether a retry may succeed: determines whether a policy continues, retries or stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The same command fails again until its stream changes.
    Refused,
    /// Retry.
    Later,
    /// A retry rarely helps; an operator has to look into it.
    Fault,
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident $code:literal $class:ident $message:literal;)+) => {
        /// Error codes. Stable: the web app translates and branches on them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Code {
            $($(#[$doc])* $name,)+
        }

        impl Code {
            /// All codes, in table order.
            pub const ALL: &'static [Code] = &[$(Code::$name,)+];

            /// The code on the wire.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $code,)+ }
            }

            /// Its class.
            pub const fn class(self) -> ErrorClass {
                match self { $(Self::$name => ErrorClass::$class,)+ }
            }

            /// The default message for the user.
            pub const fn message(self) -> &'static str {
                match self { $(Self::$name => $message,)+ }
            }
        }
    };
}

codes! {
    /// The body is not JSON.
    MalformedJson "malformed_json" Invalid "요청 형식이 올바르지 않습니다.";
    /// The body does not have the expected shape; `fields` names the position, if known.
    InvalidBody "invalid_body" Invalid "요청 항목의 형식이 올바르지 않습니다.";
    /// The query, or a header equivalent to one, is invalid.
    InvalidQuery "invalid_query" Invalid "조회 조건이 올바르지 않습니다.";
    /// Fields are invalid; `fields` has the reasons.
    Invalid "invalid" Invalid "입력한 내용을 확인해 주세요.";
    /// Members were named that do not exist or have left; `details.unknown` has the place and the value of each.
    UnknownMembers "unknown_members" Invalid "찾을 수 없는 회원이 있습니다.";
    /// A token is required.
    LoginRequired "login_required" Forbidden "로그인이 필요한 서비스입니다.";
    /// The access token has expired and has to be renewed.
    TokenExpired "token_expired" Forbidden "로그인이 만료되었습니다.";
    /// The token is invalid or was logged out.
    TokenInvalid "token_invalid" Forbidden "로그인 정보가 올바르지 않습니다. 다시 로그인해 주세요.";
    /// A refresh token was used twice; the whole session is logged out.
    TokenReused "token_reused" Forbidden "보안을 위해 로그아웃되었습니다. 다시 로그인해 주세요.";
    /// Username or password is wrong; it is not disclosed which.
    BadCredentials "bad_credentials" Forbidden "아이디 또는 비밀번호가 올바르지 않습니다.";
    /// A link from a mail is not one of the member.
    LinkInvalid "link_invalid" Refused "링크가 올바르지 않습니다. 처음부터 다시 진행해 주세요.";
    /// A link from a mail was used.
    LinkUsed "link_used" Refused "이미 사용한 링크입니다. 처음부터 다시 진행해 주세요.";
    /// A link from a mail is too old.
    LinkExpired "link_expired" Refused "링크의 유효 시간이 지났습니다. 처음부터 다시 진행해 주세요.";
    /// The token lacks the required scope (spec V152).
    AccessDenied "access_denied" Forbidden "Access denied";
    /// The resource does not exist, or belongs to another user.
    NotFound "not_found" NotFound "요청하신 정보를 찾을 수 없습니다.";
    /// The address does not support the method.
    MethodNotAllowed "method_not_allowed" Refused "지원하지 않는 요청입니다.";
    /// Event streams cannot be edited or deleted.
    LedgerImmutable "ledger_immutable" Refused "장부는 수정하거나 삭제할 수 없습니다.";
    /// Version conflict; `details.version` is the present version, where the request named the version it started from.
    VersionConflict "version_conflict" Conflict "다른 변경이 먼저 처리되었습니다. 새로고침 후 다시 시도해 주세요.";
    /// The state does not allow the command.
    NotAllowedNow "not_allowed_now" Refused "현재 상태에서는 처리할 수 없습니다.";
    /// The claim covers goods of other sellers too.
    ClaimOfSeveralSellers "claim_of_several_sellers" Refused "여러 판매자의 상품이 함께 있는 신청이라 운영자가 처리합니다.";
    /// The refund differs from the one shown; `details` has both sums.
    RefundChanged "refund_changed" Refused "돌려드리는 금액이 바뀌었습니다. 다시 확인해 주세요.";
    /// Another record refers to it; the message names it.
    InUse "in_use" Refused "사용 중이어서 삭제할 수 없습니다.";
    /// The purchase has a review already.
    ReviewWritten "review_written" Refused "이미 후기를 작성한 상품입니다.";
    /// Only confirmed purchases can be reviewed.
    PurchaseNotConfirmed "purchase_not_confirmed" Refused "구매확정한 상품에만 후기를 쓸 수 있습니다.";
    /// The sign-in name is in use.
    UsernameTaken "username_taken" Refused "이미 사용 중인 아이디입니다.";
    /// The nickname is in use.
    NicknameTaken "nickname_taken" Refused "이미 사용 중인 닉네임입니다.";
    /// Another member confirmed the e-mail address.
    EmailTaken "email_taken" Refused "다른 회원이 이미 확인한 이메일입니다.";
    /// The code of a record is in use.
    CodeTaken "code_taken" Refused "이미 사용 중인 코드입니다.";
    /// Another record has the day.
    DateTaken "date_taken" Refused "이미 등록한 날짜입니다.";
    /// Not enough stock; `details` may have the quantity left.
    SoldOut "sold_out" Refused "품절되었거나 재고가 부족한 상품이 있습니다.";
    /// The product is not on sale.
    NotOnSale "not_on_sale" Refused "판매 중이 아닌 상품이 있습니다.";
    /// The limit of a coupon is reached.
    CouponUsedUp "coupon_used_up" Refused "쿠폰이 모두 소진되었습니다.";
    /// The coupon was used.
    CouponUsed "coupon_used" Refused "이미 사용한 쿠폰입니다.";
    /// The coupon has expired or is not valid yet.
    CouponExpired "coupon_expired" Refused "사용 기간이 지난 쿠폰입니다.";
    /// The coupon does not apply to the order.
    CouponNotApplicable "coupon_not_applicable" Refused "적용할 수 없는 쿠폰입니다.";
    /// The coupon was drawn already.
    CouponDrawn "coupon_drawn" Refused "이미 받은 쿠폰입니다.";
    /// Staff took the coupon back.
    CouponTaken "coupon_taken" Refused "회수된 쿠폰입니다.";
    /// Not enough points.
    PointsShort "points_short" Refused "사용할 수 있는 적립금이 부족합니다.";
    /// The points have expired.
    PointsExpired "points_expired" Refused "유효기간이 지난 적립금입니다.";
    /// Nothing is left of the points.
    NothingLeft "nothing_left" Refused "남은 적립금이 없습니다.";
    /// The price differs from the one shown; `details.quote` has the new one.
    PriceChanged "price_changed" Refused "결제 금액이 변경되었습니다. 다시 확인해 주세요.";
    /// Another order took lines of this cart; `details` has its `_order` and `orderNo`.
    CartOrdered "cart_ordered" Refused "이미 주문한 장바구니 상품입니다. 주문 내역을 확인해 주세요.";
    /// A line of the cart has a smaller quantity than when the order was priced.
    CartChanged "cart_changed" Refused "장바구니가 변경되었습니다. 수량을 확인한 뒤 다시 주문해 주세요.";
    /// A guest, or their address, has reached the limit of unpaid orders or pieces; `details` says which and how many.
    UnpaidLimit "unpaid_limit" Refused "결제하지 않은 비회원 주문이 많습니다. 앞선 주문을 결제하거나 취소한 뒤 다시 주문해 주세요.";
    /// The payment service refused; `details` may have its message.
    PaymentRefused "payment_refused" Refused "결제가 승인되지 않았습니다.";
    /// The body is larger than accepted.
    TooLarge "too_large" Invalid "요청이 너무 큽니다.";
    /// The content type is not JSON.
    UnsupportedMediaType "unsupported_media_type" Invalid "지원하지 않는 형식입니다.";
    /// The `Idempotency-Key` was used with another body.
    IdempotencyKeyReused "idempotency_key_reused" Refused "같은 요청 키로 다른 내용을 보낼 수 없습니다.";
    /// Rate limit exceeded; `Retry-After` says how long to wait.
    TooManyRequests "too_many_requests" Limited "요청이 너무 많습니다. 잠시 후 다시 시도해 주세요.";
    /// An internal failure; the request id finds it in the log.
    Internal "internal" Fault "일시적인 오류가 발생했습니다. 잠시 후 다시 시도해 주세요.";
    /// The database or a service is unavailable.
    Unavailable "unavailable" Unavailable "서비스를 잠시 이용할 수 없습니다. 잠시 후 다시 시도해 주세요.";
    /// The search engine is unavailable; everything else works.
    SearchUnavailable "search_unavailable" Unavailable "검색을 잠시 이용할 수 없습니다. 카테고리에서 상품을 찾아 주세요.";
    /// An event of a newer program version was read; another process, or this one after its upgrade, can handle the request.
    Outdated "outdated" Outdated "서비스를 업데이트하는 중입니다. 잠시 후 다시 시도해 주세요.";
    /// The shop is read-only because its database is a standby; `Retry-After` says when to retry.
    ReadOnly "read_only" Unavailable "지금은 조회만 할 수 있습니다. 잠시 후 다시 시도해 주세요.";
    /// The request took longer than 30 seconds.
    TimedOut "timed_out" Fault "처리 시간이 초과되었습니다. 잠시 후 다시 확인해 주세요.";
}

impl Code {
    /// Whether a retry may succeed.
    pub const fn outcome(self) -> Outcome {
        match self.class() {
            ErrorClass::Invalid
            | ErrorClass::Refused
            | ErrorClass::Forbidden
            | ErrorClass::NotFound => Outcome::Refused,
            ErrorClass::Conflict
            | ErrorClass::Limited
            | ErrorClass::Outdated
            | ErrorClass::Unavailable => Outcome::Later,
            ErrorClass::Fault => Outcome::Fault,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn codes_are_unique() {
        let words: HashSet<_> = Code::ALL.iter().map(|code| code.as_str()).collect();
        assert_eq!(words.len(), Code::ALL.len());
    }
}
