//! Korean titles of commands in histories, all in this module. A command without a title is shown by its name.

use domain::registry::RECORD_KINDS;

/// The Korean title of a command.
pub fn command_title(name: &str) -> String {
    if let Some((_, title)) = TITLES.iter().find(|(known, _)| *known == name) {
        return (*title).to_owned();
    }
    of_record(name).unwrap_or_else(|| name.to_owned())
}

const TITLES: &[(&str, &str)] = &[
    // members
    ("join", "회원 가입"),
    ("leave", "회원 탈퇴"),
    ("forget-member", "회원 정보 파기"),
    ("revise-profile", "내 정보 수정"),
    ("confirm-email", "이메일 확인"),
    ("assign-level", "회원 등급 부여"),
    ("change-scopes", "권한 변경"),
    ("erase-statutory-data", "보관 기한이 지난 정보 파기"),
    ("erase-guest-records", "비회원 주문 정보 파기"),
    ("expire-contact", "보관 기간이 끝난 제휴·문의 파기"),
    ("expire-inquiry", "보관 기간이 끝난 양식 문의 파기"),
    ("change-inquiry-state", "양식 문의 답변 상태 변경"),
    // orders
    ("place-order", "주문"),
    ("cancel-order", "주문 취소"),
    ("put-order-into-cart", "주문을 장바구니로 되돌리기"),
    ("cancel-unpaid", "미결제 주문 취소"),
    ("cancel-purchases", "주문상품 취소 신청"),
    ("return-purchase", "반품 신청"),
    ("withdraw-claim", "신청 철회"),
    ("exchange-purchase", "교환 신청"),
    ("accept-exchange", "교환 승인"),
    ("reject-exchange", "교환 거부"),
    ("open-return", "반품 접수"),
    ("open-exchange", "교환 접수"),
    ("receive-claim-fee", "교환 배송비 입금 확인"),
    ("ship-replacement", "교환 상품 발송"),
    ("delay-replacement", "교환 상품 배송 지연"),
    ("complete-exchange", "교환 상품 배송 완료"),
    ("pick-up-goods", "반품·교환 상품 수거"),
    ("inspect-goods", "반품·교환 상품 검수"),
    ("send-back-goods", "반품·교환 상품 반송"),
    ("correct-parcel", "송장 수정"),
    ("approve-return", "반품 승인"),
    ("reject-return", "반품 거부"),
    ("transfer-refund", "환불 계좌이체"),
    ("approve-cancel", "취소 승인"),
    ("reject-cancel", "취소 거부"),
    ("prepare-purchase", "상품 준비"),
    ("ship-purchase", "발송"),
    ("delay-purchase", "배송 지연 안내"),
    ("deliver-purchase", "배송 완료"),
    ("confirm-purchase", "구매확정"),
    ("correct-receiver", "배송지 수정"),
    ("disclose-receiver", "받는 분 정보 내려받기"),
    ("ship-from-file", "송장 파일로 발송"),
    ("write-staff-note", "직원 메모 작성"),
    ("correct-order", "배송지와 메모 수정"),
    // payments
    ("start-payment", "결제 시작"),
    ("cancel-user-payment", "추가 결제 취소"),
    ("cancel-payment", "결제 취소"),
    ("request-approval", "결제 승인 요청"),
    ("record-approval", "결제 승인 기록"),
    ("resolve-approval", "결제 결과 확인"),
    ("reserve-transaction", "결제 거래 확인"),
    ("record-account", "가상계좌 발급 기록"),
    ("record-deposit", "입금 기록"),
    ("record-notice", "입금 통보 기록"),
    ("doubt-notice", "확인되지 않은 입금 통보 기록"),
    ("record-refund", "환불 기록"),
    ("complete-refund", "환불 완료 기록"),
    ("give-refund-account", "환불 계좌 등록"),
    // benefits
    ("draw-coupon", "쿠폰 받기"),
    ("issue-coupon", "쿠폰 발급"),
    ("give-coupon", "쿠폰 지급"),
    ("take-coupon", "쿠폰 회수"),
    ("make-coupon-codes", "쿠폰 코드 만들기"),
    ("stop-coupon-codes", "쿠폰 코드 중지"),
    ("disclose-coupon-codes", "쿠폰 코드 열람"),
    ("redeem-coupon-code", "쿠폰 코드 등록"),
    ("enter-raffle", "추첨 응모"),
    ("draw-raffle", "추첨"),
    ("give-raffle-prize", "추첨 경품 지급"),
    ("bring-back-coupon", "회수한 쿠폰 되돌리기"),
    ("change-coupon-period", "쿠폰 사용 기한 변경"),
    ("grant-points", "적립금 지급"),
    ("reward-review", "후기 적립금 지급"),
    ("expire-points", "적립금 소멸"),
    ("announce-expiry", "적립금 소멸 예정 알림"),
    ("give-points", "적립금 수동 지급"),
    ("take-points", "적립금 거두기"),
    ("change-points-life", "적립금 유효기간 변경"),
    ("order-bulk-grant", "일괄 지급 등록"),
    ("carry-out-grant", "일괄 지급"),
    ("stop-bulk-grant", "일괄 지급 중단"),
    ("note-bulk-grant", "일괄 지급 메모"),
    // messages
    ("request-message", "메시지 발송 요청"),
    ("attempt-message", "메시지 발송"),
    ("record-message", "메시지 발송 결과 기록"),
    ("conclude-message", "메시지 발송 결과 확인"),
    ("give-up-message", "메시지 발송 중단"),
    ("resend-message", "메시지 재발송"),
    ("release-address", "반송된 주소의 발송 중단 해제"),
    ("test-message", "시험 메일 발송"),
    ("give-consent", "광고 수신 동의"),
    ("withdraw-consent", "광고 수신 동의 철회"),
    ("order-sending", "대량 발송 등록"),
    ("send-part", "대량 발송"),
    ("revise-sending", "대량 발송 수정"),
    ("stop-sending", "대량 발송 중단"),
    ("withdraw-sending", "대량 발송 회수"),
    ("withdraw-alarm", "알림 회수"),
    // content of members
    ("ask", "상품 문의"),
    ("change-inquire", "문의 수정"),
    ("remove-inquire", "문의 삭제"),
    ("ask-question", "1:1 문의 등록"),
    ("change-question", "1:1 문의 수정"),
    ("change-inquiry", "양식 문의 수정"),
    ("write-review", "후기 작성"),
    ("change-review", "후기 수정"),
    ("remove-review", "후기 삭제"),
    // goods
    ("create-category", "카테고리 등록"),
    ("revise-category", "카테고리 수정"),
    ("remove-category", "카테고리 삭제"),
    ("restore-category", "카테고리 복원"),
    ("take-off-shelves", "탈퇴한 판매자의 상품 숨김"),
    ("replace-file", "파일 교체"),
    // automatic commands
    ("retry-deadline", "거절된 자동 처리 다시 시도"),
];

/// Commands on records have the same names for all kinds: `revise-product`.
fn of_record(name: &str) -> Option<String> {
    let (act, kind) = name.split_once('-')?;
    let act = match act {
        "create" => "등록",
        "revise" => "수정",
        "remove" => "삭제",
        "restore" => "복원",
        "import" => "엑셀 등록",
        _ => return None,
    };
    let kind = RECORD_KINDS.iter().find(|known| known.kind == kind)?;
    Some(format!("{} {act}", kind.title))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_table_names_commands_and_an_unknown_one_keeps_its_name() {
        assert_eq!(command_title("place-order"), "주문");
        assert_eq!(command_title("revise-product"), "상품 수정");
        assert_eq!(command_title("restore-category"), "카테고리 복원");
        assert_eq!(command_title("revise-nothing"), "revise-nothing");
        assert_eq!(command_title("새 명령"), "새 명령");
    }
}
