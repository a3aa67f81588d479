//! Lists of the console besides records, with their own endpoints: read-only data derived from the log, and the category tree.

use application::resources::schema::{Action, Field, FieldChoice, FieldType, Filter, choice};

use super::descriptor::{Descriptor, STAFF, STAFF_AND_SELLERS};

const TABS: &[FieldChoice] = &[
    choice("all", "전체"),
    choice("nonpayment", "결제대기"),
    choice("payment", "결제완료"),
    choice("delivery", "배송"),
    choice("cancel", "취소"),
    choice("exchange", "교환"),
    choice("return", "반품"),
    choice("complete", "구매확정"),
];

const PURCHASE: &[Field] = &[
    Field::text("purchaseNo", "구매번호").read_only(),
    Field::text("orderNo", "주문번호").read_only(),
    Field::text("_order", "주문").read_only(),
    Field::reference("_product", "상품", "product").read_only(),
    Field::text("_option", "옵션 번호").read_only(),
    Field::text("name", "상품명").read_only(),
    Field::text("optionName", "옵션").read_only(),
    Field::text("code", "상품코드").read_only(),
    Field::of("thumb", "이미지", FieldType::Url).read_only(),
    Field::integer("quantity", "수량").read_only(),
    Field::amount("unitPrice", "단가").read_only(),
    Field::amount("paid", "결제 금액").read_only(),
    Field::amount("payable", "주문 금액").read_only(),
    Field::text("statusText", "상태").read_only(),
    Field::text("orderStatus", "주문 상태").read_only(),
    Field::text("claimStatus", "클레임 상태").read_only(),
    Field::text("purchaseStatus", "구매 상태").read_only(),
    Field::text("collectionStatus", "회수 상태").read_only(),
    Field::reference("seller._id", "판매자", "seller").read_only(),
    Field::text("seller.nickname", "판매자").read_only(),
    Field::text("courier", "택배사").read_only(),
    Field::text("invoiceNo", "송장번호").read_only(),
    Field::one_of("method", "배송 방법", METHODS).read_only(),
    Field::date("shipBy", "발송 기한").read_only(),
    Field::text("dispatch", "발송 상태").read_only(),
    Field::boolean("pending", "처리할 신청").read_only(),
    Field::of("trackingUrl", "배송 조회", FieldType::Url).read_only(),
    Field::date("confirmOn", "자동 확정일").read_only(),
    Field::text("claim.reason", "클레임 사유").read_only(),
    Field::tags("nextActions", "할 수 있는 일").read_only(),
    Field::text("buyerName", "주문자").read_only(),
    Field::text("receiverName", "받는 분").read_only(),
    Field::datetime("createdAt", "주문일").read_only(),
    Field::datetime("paidAt", "결제일").read_only(),
];

/// Fields of purchases in an export; no ids and no codes.
const IN_FILES: [&str; 18] = [
    "purchaseNo",
    "orderNo",
    "createdAt",
    "paidAt",
    "statusText",
    "claim.reason",
    "name",
    "optionName",
    "code",
    "quantity",
    "unitPrice",
    "paid",
    "seller.nickname",
    "buyerName",
    "receiverName",
    "courier",
    "invoiceNo",
    "confirmOn",
];

/// The columns of a file of purchases.
pub fn purchase_columns() -> Vec<Field> {
    IN_FILES.iter().filter_map(purchase_column).collect()
}

fn purchase_column(name: &&str) -> Option<Field> {
    PURCHASE.iter().find(|field| field.name == *name).copied()
}

/// The columns of a file for the program of a courier. It can be filled in and read back.
pub fn parcel_columns() -> Vec<Field> {
    vec![
        Field::text("purchaseNo", "구매번호"),
        Field::text("orderNo", "주문번호"),
        Field::text("receiver.name", "받는 분"),
        Field::text("receiver.phone", "연락처"),
        Field::text("receiver.postcode", "우편번호"),
        Field::text("receiver.address1", "주소"),
        Field::text("receiver.address2", "상세주소"),
        Field::text("requestMessage", "배송 메시지"),
        Field::text("methodText", "배송 방법"),
        Field::text("name", "상품명"),
        Field::text("optionName", "옵션"),
        Field::integer("quantity", "수량"),
        Field::text("sender.name", "주문자"),
        Field::text("courier", "택배사"),
        Field::text("invoiceNo", "송장번호"),
    ]
}

/// Additional fields in the export of a claims tab. Amounts belong to a claim, not to a purchase: they are on the first purchase of the
/// claim.
const OF_CLAIMS: [Field; 14] = [
    Field::text("claim._id", "신청번호"),
    Field::text("claimFile.collection", "회수 상태"),
    Field::text("claim.reason", "신청 사유"),
    Field::text("claimFile.fault", "배송비 부담"),
    Field::datetime("claimTimes.requestedAt", "신청일"),
    Field::datetime("claimTimes.acceptedAt", "교환 승인일"),
    Field::datetime("claimTimes.pickedUpAt", "수거일"),
    Field::datetime("claimTimes.inspectedAt", "검수일"),
    Field::datetime("claimTimes.answeredAt", "처리일"),
    Field::datetime("claimTimes.completedAt", "완료일"),
    Field::date("claimFile.due", "환불 기한"),
    Field::amount("claimFile.fee", "신청 배송비"),
    Field::amount("claimFile.refund", "환불 금액"),
    Field::amount("claimFile.points", "돌려줄 적립금"),
];

/// The columns of an export of claims: the purchase, the claim, and the other columns of an export of purchases.
pub fn claim_columns() -> Vec<Field> {
    const FIRST: [&str; 6] = [
        "purchaseNo",
        "orderNo",
        "statusText",
        "name",
        "optionName",
        "quantity",
    ];
    let first = FIRST.iter().filter_map(purchase_column);
    let is_new = |name: &&&str| !FIRST.contains(*name) && **name != "claim.reason";
    let rest = IN_FILES.iter().filter(is_new).filter_map(purchase_column);
    first.chain(OF_CLAIMS).chain(rest).collect()
}

const DISPATCH_STATES: &[FieldChoice] = &[
    choice("new", "신규"),
    choice("preparing", "준비중"),
    choice("late", "발송 지연"),
    choice("shipping", "배송중"),
    choice("arrived", "배송완료"),
];

const METHODS: &[FieldChoice] = &[
    choice("GENERAL", "택배"),
    choice("EXPRESS", "퀵"),
    choice("PICK_UP", "방문 수령"),
    choice("COMPANY", "직접 배송"),
];

const FILTERS: &[Filter] = &[
    Filter::one_of("tab", TABS),
    Filter::one_of("dispatch", DISPATCH_STATES),
    Filter::boolean("pending"),
    Filter::one_of("courier", COURIER_CHOICES),
    Filter::one_of("method", METHODS),
    Filter::reference("seller._id", "seller"),
    Filter::period("createdAt"),
    Filter::period("paidAt"),
    Filter::period("shipBy"),
];

const DIRECTIONS: &[FieldChoice] = &[
    choice("OUT", "발송"),
    choice("BACK", "회수"),
    choice("SENT_BACK", "반송"),
    choice("REPLACEMENT", "교환품"),
];

const PARCEL_STATUSES: &[FieldChoice] = &[
    choice("SENT", "배송중"),
    choice("DELAYED", "배송지연"),
    choice("ARRIVED", "도착"),
    choice("RETURNED", "되돌아옴"),
];

/// The couriers supported by the shop.
const COURIER_CHOICES: &[FieldChoice] = &[
    choice("kr.cjlogistics", "CJ대한통운"),
    choice("kr.epost", "우체국택배"),
    choice("kr.hanjin", "한진택배"),
    choice("kr.lotte", "롯데택배"),
    choice("kr.logen", "로젠택배"),
    choice("kr.kdexp", "경동택배"),
    choice("kr.cupost", "CU 편의점택배"),
    choice("own.delivery", "직접 배송"),
    choice("own.quick", "퀵 서비스"),
    choice("own.pickup", "방문 수령"),
];

const DELIVERY: &[Field] = &[
    Field::text("_id", "배송").read_only(),
    Field::one_of("direction", "구분", DIRECTIONS).read_only(),
    Field::one_of("status", "배송 상태", PARCEL_STATUSES).read_only(),
    Field::text("statusText", "상태").read_only(),
    Field::text("_order", "주문").read_only(),
    Field::text("orderNo", "주문번호").read_only(),
    Field::text("purchaseNo", "구매번호").read_only(),
    Field::text("_claim", "클레임").read_only(),
    Field::reference("_product", "상품", "product").read_only(),
    Field::text("name", "상품명").read_only(),
    Field::text("optionName", "옵션").read_only(),
    Field::of("thumb", "이미지", FieldType::Url).read_only(),
    Field::integer("quantity", "수량").read_only(),
    Field::reference("seller._id", "판매자", "seller").read_only(),
    Field::text("seller.nickname", "판매자").read_only(),
    Field::one_of("courier", "택배사", COURIER_CHOICES).read_only(),
    Field::text("courierName", "택배사").read_only(),
    Field::text("invoiceNo", "송장번호").read_only(),
    Field::of("trackingUrl", "배송 조회", FieldType::Url).read_only(),
    Field::datetime("sentAt", "발송일").read_only(),
    Field::datetime("arrivedAt", "도착일").read_only(),
    Field::text("delayReason", "지연 사유").read_only(),
];

const DELIVERY_FILTERS: &[Filter] = &[
    Filter::one_of("direction", DIRECTIONS),
    Filter::one_of("status", PARCEL_STATUSES),
    Filter::one_of("courier", COURIER_CHOICES),
    Filter::reference("seller._id", "seller"),
    Filter::period("sentAt"),
];

/// Parcels.
pub fn delivery() -> Descriptor {
    Descriptor {
        name: "delivery",
        path: "/api/console/shop/deliveries",
        one: "delivery",
        many: "deliveries",
        title: "배송",
        scopes: STAFF_AND_SELLERS,
        ledger: true,
        tree: false,
        search: &["orderNo", "purchaseNo", "invoiceNo"],
        sorts: &["sentAt"],
        default_sort: "-sentAt",
        filters: DELIVERY_FILTERS,
        fields: DELIVERY.to_vec(),
        actions: &[],
        staff_only: &[],
    }
}

/// Purchases.
pub fn purchase() -> Descriptor {
    Descriptor {
        name: "purchase",
        path: "/api/console/shop/purchases",
        one: "purchase",
        many: "purchases",
        title: "주문",
        scopes: STAFF_AND_SELLERS,
        ledger: true,
        tree: false,
        search: &["orderNo", "purchaseNo", "name", "buyerName", "receiverName"],
        sorts: &["createdAt"],
        default_sort: "-createdAt",
        filters: FILTERS,
        fields: PURCHASE.to_vec(),
        actions: &[Action::Export, Action::Bulk],
        staff_only: &[],
    }
}

/// A category: the tree has its own endpoints.
pub fn category() -> Descriptor {
    Descriptor {
        name: "category",
        path: "/api/console/shop/categories",
        one: "category",
        many: "categories",
        title: "카테고리",
        scopes: STAFF,
        ledger: false,
        tree: true,
        search: &[],
        sorts: &[],
        default_sort: "",
        filters: &[],
        fields: vec![
            Field::text("code", "카테고리 코드").required(),
            Field::text("name", "카테고리명").required(),
        ],
        actions: &[],
        staff_only: &[],
    }
}

#[cfg(test)]
mod tests {
    use projections::orders::COURIERS;

    use super::*;

    #[test]
    fn the_list_of_parcels_is_narrowed_by_every_courier_there_is() {
        let offered: Vec<(&str, &str)> = COURIER_CHOICES
            .iter()
            .map(|one| (one.value, one.label))
            .collect();
        let known: Vec<(&str, &str)> = COURIERS.iter().map(|one| (one.code, one.name)).collect();
        assert_eq!(offered, known);
    }
}
