//! Maps errors of the domain, the store and other crates to [`AppError`]. The only place where domain errors are mapped to codes.

use domain::alarm::AlarmError;
use domain::bulk_grant::{BulkGrantError, CarryOutError};
use domain::catalogue::tree::CategoryTreeError;
use domain::checkout::CheckoutError;
use domain::checkout::payments::StartError;
use domain::coupon::{CampaignError, DrawError, IssuedCouponError};
use domain::forms;
use domain::holiday::DATE_SCOPE;
use domain::member::MemberError;
use domain::message::MessageError;
use domain::order::{CLAIM_PICTURES_MOST, OrderError};
use domain::payment::PaymentError;
use domain::points::{GrantError, PointsError};
use domain::policies::erasure::ErasureError;
use domain::pricing::PricingError;
use domain::record::RecordError;
use domain::registry::unique_code;
use domain::review::NotReviewable;
use domain::sending::{PACE_MOST, SendingError};
use domain::stock::StockError;
use domain::user_payment::UserPaymentError;
use domain::validation::FieldError;
use event_store::{AppendError, KeyError, LockedError, StoreError};
use serde_json::json;

use super::{AppError, Code};
use crate::reservations::{DOCUMENT, EMAIL, NICKNAME, TRANSACTION, USERNAME};

impl From<StoreError> for AppError {
    #[track_caller]
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Database(error) => error.into(),
            StoreError::Newer { .. } => Self::new(Code::Outdated).caused_by(error),
            other => Self::internal(other),
        }
    }
}

/// Another record has the value of this field.
#[track_caller]
fn taken(field: &str, code: Code, message: &str) -> AppError {
    let field = FieldError::new(field, code.as_str(), message);
    AppError::new(code).saying(message).with_fields(vec![field])
}

/// Another record has the unique code of this scope: an error at the last of its fields.
#[track_caller]
fn code_taken(scope: &str) -> AppError {
    let code = match scope {
        DATE_SCOPE => Code::DateTaken,
        _ => Code::CodeTaken,
    };
    let unique = unique_code(scope);
    let field = unique.and_then(|unique| unique.fields.last());
    let message = unique.map_or(code.message(), |unique| unique.taken);
    taken(field.unwrap_or(&"code"), code, message)
}

impl From<AppendError> for AppError {
    #[track_caller]
    fn from(error: AppendError) -> Self {
        match error {
            AppendError::Conflict { .. } => Self::new(Code::VersionConflict).caused_by(error),
            AppendError::ReservationTaken { scope } => match scope.as_str() {
                USERNAME => Self::new(Code::UsernameTaken),
                NICKNAME => Self::new(Code::NicknameTaken),
                EMAIL => Self::new(Code::EmailTaken),
                DOCUMENT => AppError::document_gone(),
                TRANSACTION => PaymentError::OtherTransaction.into(),
                scope => code_taken(scope),
            },
            AppendError::CommandBodyDiffers => Self::new(Code::IdempotencyKeyReused),
            AppendError::Unavailable(_) => Self::unavailable(error),
            AppendError::Store(error) => error.into(),
            AppendError::CommandRepeated(_) => Self::internal(error),
        }
    }
}

impl From<projections::ReadError> for AppError {
    #[track_caller]
    fn from(error: projections::ReadError) -> Self {
        match error {
            projections::ReadError::Database(error) => error.into(),
            other => Self::internal(other),
        }
    }
}

impl From<KeyError> for AppError {
    #[track_caller]
    fn from(error: KeyError) -> Self {
        match error {
            KeyError::Database(error) => error.into(),
            // An erased member does not exist any more.
            KeyError::Destroyed { .. } => Self::not_found().caused_by(error),
            other => Self::internal(other),
        }
    }
}

impl From<LockedError<AppError>> for AppError {
    #[track_caller]
    fn from(error: LockedError<AppError>) -> Self {
        match error {
            LockedError::Refused(refusal) => refusal,
            LockedError::Append(error) => error.into(),
        }
    }
}

impl From<search_index::Error> for AppError {
    #[track_caller]
    fn from(error: search_index::Error) -> Self {
        Self::new(Code::SearchUnavailable).caused_by(error)
    }
}

impl From<MemberError> for AppError {
    #[track_caller]
    fn from(error: MemberError) -> Self {
        match error {
            MemberError::AlreadyJoined => Self::new(Code::VersionConflict),
            MemberError::NotJoined => Self::not_found(),
            MemberError::StaffOnly => Self::new(Code::AccessDenied),
            MemberError::UnderWay { purchases } => Self::new(Code::NotAllowedNow).saying(format!(
                "진행 중인 주문이 {purchases}건 있어 탈퇴할 수 없습니다."
            )),
            MemberError::StillKept => Self::new(Code::NotAllowedNow),
        }
    }
}

impl From<RecordError> for AppError {
    #[track_caller]
    fn from(error: RecordError) -> Self {
        match error {
            RecordError::Invalid(fields) => Self::invalid(fields),
            RecordError::AlreadyCreated => Self::new(Code::VersionConflict),
            RecordError::NotFound => Self::not_found(),
            RecordError::Malformed(_) => Self::new(Code::InvalidBody),
        }
    }
}

impl From<NotReviewable> for AppError {
    #[track_caller]
    fn from(error: NotReviewable) -> Self {
        match error {
            NotReviewable::NotTheirs => Self::not_found(),
            NotReviewable::NotConfirmed => Self::new(Code::PurchaseNotConfirmed),
        }
    }
}

impl From<OrderError> for AppError {
    #[track_caller]
    fn from(error: OrderError) -> Self {
        match &error {
            OrderError::NotPlaced | OrderError::UnknownPurchase(_) | OrderError::UnknownClaim => {
                Self::not_found()
            }
            OrderError::PurchasesRequired => missing("_purchases", "취소할 상품을 선택해 주세요."),
            OrderError::ReasonRequired => missing("reason", forms::REASON.message),
            OrderError::TooManyPictures => Self::invalid_field(
                "pictures",
                error.code(),
                &format!("사진은 {CLAIM_PICTURES_MOST}장까지 올릴 수 있습니다."),
            ),
            OrderError::PictureUsed => Self::invalid_field(
                "pictures",
                error.code(),
                "이미 사용한 사진이 있습니다. 사진을 다시 올려 주세요.",
            ),
            OrderError::InvoiceMalformed => Self::invalid_field(
                "invoiceNo",
                error.code(),
                "택배사와 숫자 8~20자리의 송장번호를 입력해 주세요.",
            ),
            OrderError::PiecesOutOfRange { most, .. } => Self::invalid_field(
                "quantity",
                error.code(),
                &format!("수량을 1개에서 {most}개 사이로 선택해 주세요."),
            ),
            OrderError::FeeDue { due } => Self::new(Code::NotAllowedNow)
                .saying("구매자가 교환 비용을 결제한 뒤에 보낼 수 있습니다.")
                .with_details(json!({ "reason": error.code(), "due": due })),
            OrderError::OtherArea => Self::invalid_field(
                "receiver.postcode",
                error.code(),
                "배송비가 다른 지역의 주소로는 바꿀 수 없습니다. 주문을 취소하고 새 주소로 다시 주문해야 합니다.",
            ),
            OrderError::NothingToSend => {
                now_not(error.code()).saying("앞으로 보낼 상품이 없어 배송지를 바꿀 수 없습니다.")
            }
            OrderError::TermsDoNotAddUp(_) | OrderError::Money(_) => Self::internal(error),
            OrderError::ClaimOfSeveralSellers => Self::new(Code::ClaimOfSeveralSellers),
            OrderError::NoFee => now_not(error.code())
                .saying("면제할 교환 배송비가 없습니다. 옵션 차액은 면제할 수 없습니다."),
            OrderError::NotByTransfer => now_not(error.code())
                .saying("옵션 차액은 계좌로 받을 수 없습니다. 구매자가 주문 내역에서 결제합니다."),
            _ => now_not(error.code()),
        }
    }
}

impl From<DrawError> for AppError {
    fn from(error: DrawError) -> Self {
        match error {
            DrawError::NotOffered => Self::not_found(),
            DrawError::NotInTime => Self::new(Code::CouponExpired),
            DrawError::NotForMember => Self::new(Code::CouponNotApplicable)
                .with_details(json!({ "reason": "not_for_you" })),
            DrawError::MemberLeft => Self::new(Code::LoginRequired),
            DrawError::UnknownMember => {
                Self::invalid_field("_user", "unknown_member", "회원을 찾을 수 없습니다.")
            }
            DrawError::Campaign(error) => error.into(),
            DrawError::Issued(error) => error.into(),
        }
    }
}

impl From<StartError> for AppError {
    fn from(error: StartError) -> Self {
        let not_now =
            |reason: &str| Self::new(Code::NotAllowedNow).with_details(json!({ "reason": reason }));
        match error {
            StartError::OrderCanceled => not_now("order_canceled"),
            StartError::AlreadyPaid => not_now("already_paid"),
            StartError::TooLate => not_now("too_late"),
            StartError::ApprovalPending => not_now("approval_pending"),
            StartError::DepositAwaited => not_now("deposit_awaited")
                .saying("입금을 기다리고 있습니다. 주문 상세에서 계좌를 확인해 주세요."),
            StartError::NoRefundAccount => {
                Self::invalid_field("account", "required", "환불 계좌를 입력해 주세요.")
            }
            StartError::TooMany => Self::new(Code::TooManyRequests),
            StartError::NotAtOnce => Self::invalid_field(
                "method",
                "not_at_once",
                "교환 배송비는 카드처럼 바로 결제되는 수단으로만 결제할 수 있습니다.",
            ),
            StartError::UserPayment(error) => error.into(),
            StartError::Order(error) => error.into(),
            StartError::Payment(error) => error.into(),
        }
    }
}

impl From<PaymentError> for AppError {
    #[track_caller]
    fn from(error: PaymentError) -> Self {
        match &error {
            PaymentError::NotStarted | PaymentError::UnknownRefund => Self::not_found(),
            PaymentError::Money(_) => Self::internal(error),
            _ => now_not(error.code()),
        }
    }
}

impl From<UserPaymentError> for AppError {
    #[track_caller]
    fn from(error: UserPaymentError) -> Self {
        match error {
            UserPaymentError::NotRequested => Self::not_found(),
            _ => now_not(error.code()),
        }
    }
}

impl From<ErasureError> for AppError {
    #[track_caller]
    fn from(error: ErasureError) -> Self {
        match error {
            ErasureError::Changed => Self::new(Code::VersionConflict),
            ErasureError::Member(error) => error.into(),
            ErasureError::Order(error) => error.into(),
        }
    }
}

impl From<StockError> for AppError {
    #[track_caller]
    fn from(error: StockError) -> Self {
        match error {
            StockError::SoldOut { available } => {
                Self::new(Code::SoldOut).with_details(json!({ "available": available }))
            }
            StockError::NoPieces | StockError::TooMany => {
                Self::invalid_field("quantity", error.code(), "수량을 확인해 주세요.")
            }
            StockError::OtherProduct | StockError::MoreThanTaken { .. } => Self::internal(error),
        }
    }
}

impl From<CampaignError> for AppError {
    #[track_caller]
    fn from(error: CampaignError) -> Self {
        match error {
            CampaignError::UsedUp => Self::new(Code::CouponUsedUp),
            CampaignError::AlreadyDrawn => Self::new(Code::CouponDrawn),
            CampaignError::NotUsed => now_not(error.code()),
            CampaignError::Money(_) => Self::internal(error),
        }
    }
}

impl From<IssuedCouponError> for AppError {
    #[track_caller]
    fn from(error: IssuedCouponError) -> Self {
        match error {
            IssuedCouponError::NotIssued | IssuedCouponError::Foreign => Self::not_found(),
            IssuedCouponError::Used => Self::new(Code::CouponUsed),
            IssuedCouponError::NotStarted | IssuedCouponError::Expired => {
                Self::new(Code::CouponExpired).with_details(json!({ "reason": error.code() }))
            }
            IssuedCouponError::AlreadyIssued => Self::new(Code::CouponDrawn),
            IssuedCouponError::NotUsed => now_not(error.code()),
            IssuedCouponError::Taken => Self::new(Code::CouponTaken),
            IssuedCouponError::EndsInPast => Self::invalid_field(
                "endsAt",
                error.code(),
                "사용 종료일을 오늘 이후의 날짜로 입력해 주세요.",
            ),
            IssuedCouponError::EndsBeforeStart => Self::invalid_field(
                "endsAt",
                error.code(),
                "사용 종료일을 사용 시작일보다 뒤의 날짜로 입력해 주세요.",
            ),
        }
    }
}

impl From<PointsError> for AppError {
    #[track_caller]
    fn from(error: PointsError) -> Self {
        match &error {
            PointsError::Short { available } => {
                Self::new(Code::PointsShort).with_details(json!({ "available": available }))
            }
            PointsError::UnknownLot | PointsError::Foreign => Self::not_found(),
            PointsError::Expired => Self::new(Code::PointsExpired),
            PointsError::NothingLeft => Self::new(Code::NothingLeft),
            PointsError::LifeOver => {
                Self::invalid_field("expiresAt", error.code(), forms::LAST_DAY_MESSAGE)
            }
            PointsError::Money(_) => Self::internal(error),
            _ => now_not(error.code()),
        }
    }
}

impl From<GrantError> for AppError {
    #[track_caller]
    fn from(error: GrantError) -> Self {
        match &error {
            GrantError::UnknownMember => {
                Self::invalid_field("_user", error.code(), "회원을 다시 선택해 주세요.")
            }
            GrantError::Uneven { step } => uneven_points("amounts", error.code(), *step),
            GrantError::Points(PointsError::NoAmount) => Self::invalid_field(
                "amounts",
                error.code(),
                "적립금을 0보다 크게 입력해 주세요.",
            ),
            GrantError::Points(error) => error.clone().into(),
        }
    }
}

/// Prompt where a form names a coupon that is not there.
const UNKNOWN_COUPON: &str = "쿠폰을 찾을 수 없습니다.";

impl From<BulkGrantError> for AppError {
    #[track_caller]
    fn from(error: BulkGrantError) -> Self {
        match error {
            BulkGrantError::NotOrdered => Self::not_found(),
            BulkGrantError::AlreadyOrdered | BulkGrantError::OtherPlace => {
                Self::new(Code::VersionConflict).caused_by(error)
            }
            BulkGrantError::NoReceivers | BulkGrantError::TooManyReceivers => {
                Self::invalid_field("_users", error.code(), "받을 회원을 다시 선택해 주세요.")
            }
            BulkGrantError::Stopped => now_not(error.code()),
        }
    }
}

impl From<SendingError> for AppError {
    #[track_caller]
    fn from(error: SendingError) -> Self {
        match error {
            SendingError::NotOrdered => Self::not_found(),
            SendingError::AlreadyOrdered | SendingError::OtherPlace | SendingError::NotDue => {
                Self::new(Code::VersionConflict).caused_by(error)
            }
            SendingError::NoReceivers | SendingError::TooManyReceivers => {
                Self::invalid_field("_users", error.code(), "받을 회원을 다시 선택해 주세요.")
            }
            SendingError::WrongPace => Self::invalid_field(
                "perMinute",
                error.code(),
                &format!("분당 발송 수를 1~{PACE_MOST} 사이로 입력해 주세요."),
            ),
            SendingError::Over | SendingError::Begun | SendingError::NothingToWithdraw => {
                now_not(error.code())
            }
        }
    }
}

impl From<AlarmError> for AppError {
    #[track_caller]
    fn from(error: AlarmError) -> Self {
        now_not(error.code())
    }
}

impl From<MessageError> for AppError {
    #[track_caller]
    fn from(error: MessageError) -> Self {
        match error {
            MessageError::NotRequested => Self::not_found(),
            MessageError::OtherState(_) | MessageError::Expired | MessageError::NotStopping => {
                now_not(error.code())
            }
            MessageError::NotDue | MessageError::OtherAttempt => {
                Self::new(Code::VersionConflict).caused_by(error)
            }
        }
    }
}

impl From<CarryOutError> for AppError {
    #[track_caller]
    fn from(error: CarryOutError) -> Self {
        match error {
            CarryOutError::Grant(error) => error.into(),
            CarryOutError::Terms(error) => error.into(),
            CarryOutError::Points(error) => error.into(),
            CarryOutError::UnknownCoupon => {
                Self::invalid_field("_coupon", "unknown_coupon", UNKNOWN_COUPON)
            }
            CarryOutError::Coupon(error) => error.into(),
        }
    }
}

impl From<CheckoutError> for AppError {
    #[track_caller]
    fn from(error: CheckoutError) -> Self {
        match error {
            CheckoutError::BuyerLeft => Self::new(Code::LoginRequired),
            CheckoutError::SellerLeft { product, name } => Self::new(Code::NotOnSale).with_details(
                json!({ "_product": product, "name": name, "reason": "seller_left" }),
            ),
            CheckoutError::SoldOut {
                stock,
                names,
                available,
            } => Self::new(Code::SoldOut)
                .with_details(json!({ "_stock": stock, "names": names, "available": available })),
            CheckoutError::OtherGoods { stock, names } => Self::new(Code::NotOnSale)
                .with_details(json!({ "_stock": stock, "names": names, "reason": "other_goods" })),
            CheckoutError::CouponUsedUp { issued, name } => Self::new(Code::CouponUsedUp)
                .with_details(json!({ "_issued": issued, "name": name })),
            CheckoutError::Coupon { issued, name, why } => {
                let reason = why.code();
                Self::from(why)
                    .with_details(json!({ "_issued": issued, "name": name, "reason": reason }))
            }
            CheckoutError::PointsShort { available } => {
                Self::new(Code::PointsShort).with_details(json!({ "available": available }))
            }
            CheckoutError::Order(error) => error.into(),
            CheckoutError::Stock(error) => error.into(),
            CheckoutError::Campaign(error) => error.into(),
            CheckoutError::Points(error) => error.into(),
            CheckoutError::Payment(error) => error.into(),
            CheckoutError::UserPayment(error) => error.into(),
            CheckoutError::Money(error) => error.into(),
        }
    }
}

impl From<PricingError> for AppError {
    #[track_caller]
    fn from(error: PricingError) -> Self {
        // Lines of a basket are numbered from 1, indexes of a list start at 0.
        let number = error.purchase_no().and_then(|no| no.parse::<usize>().ok());
        let place = number.and_then(|number| number.checked_sub(1));
        let field = |name: &str| match place {
            Some(place) => format!("carts.{place}.{name}"),
            None => name.to_owned(),
        };
        match &error {
            PricingError::EmptyOrder => missing("carts", "주문할 상품을 선택해 주세요."),
            PricingError::QuantityZero { .. } | PricingError::QuantityTooLarge { .. } => {
                Self::invalid_field(&field("quantity"), error.code(), "수량을 확인해 주세요.")
            }
            PricingError::OptionRequired { .. } => {
                Self::invalid_field(&field("_option"), error.code(), "옵션을 선택해 주세요.")
            }
            PricingError::OptionUnknown { .. } => Self::new(Code::NotOnSale),
            PricingError::CouponTwice { issued }
            | PricingError::CouponNotApplicable { issued, .. } => {
                let why = error.why().map(|why| why.to_string());
                Self::new(Code::CouponNotApplicable)
                    .with_details(json!({ "_issued": issued, "why": why }))
            }
            PricingError::DistanceUnknown { purchase_nos } => Self::invalid_field(
                "receiver.geolocation",
                error.code(),
                forms::POSITION_MESSAGE,
            )
            .with_details(json!({ "purchaseNos": purchase_nos })),
            PricingError::PointsNegative => {
                Self::invalid_field("point", error.code(), "적립금을 0 이상 입력해 주세요.")
            }
            PricingError::PointsExceed { most } => {
                Self::new(Code::PointsShort).with_details(json!({ "usable": most }))
            }
            PricingError::PointsUneven { step } => uneven_points("point", error.code(), *step),
            _ => Self::internal(error),
        }
    }
}

impl From<CategoryTreeError> for AppError {
    #[track_caller]
    fn from(error: CategoryTreeError) -> Self {
        match &error {
            CategoryTreeError::NotFound => Self::not_found(),
            CategoryTreeError::CodeTaken(_) => {
                taken("code", Code::CodeTaken, Code::CodeTaken.message())
            }
            CategoryTreeError::AlreadyAdded => Self::new(Code::VersionConflict),
            CategoryTreeError::ParentNotFound => {
                Self::invalid_field("parent", error.code(), "상위 카테고리를 선택해 주세요.")
            }
            CategoryTreeError::CodeRequired => missing("code", "코드를 입력해 주세요."),
            CategoryTreeError::NameTooShort => {
                Self::invalid_field("name", error.code(), forms::NAME.message)
            }
            CategoryTreeError::Cycle => Self::invalid_field(
                "parent",
                error.code(),
                "자기 자신의 아래로 옮길 수 없습니다.",
            ),
            CategoryTreeError::TooDeep => Self::invalid_field(
                "parent",
                error.code(),
                "더 깊은 카테고리를 만들 수 없습니다.",
            ),
        }
    }
}

/// The state does not allow the command; `details.reason` is the rule's own code.
#[track_caller]
fn now_not(reason: &str) -> AppError {
    AppError::new(Code::NotAllowedNow).with_details(json!({ "reason": reason }))
}

#[track_caller]
fn uneven_points(field: &str, code: &str, step: i64) -> AppError {
    let message = "적립금을 통화의 최소 단위에 맞춰 입력해 주세요.";
    AppError::invalid_field(field, code, message).with_details(json!({ "step": step }))
}

#[track_caller]
fn missing(field: &str, message: &str) -> AppError {
    AppError::invalid_field(field, "required", message)
}
