//! Books the console lists but never edits: they have calls of their own.

use crate::console::records::schema::{
    Action, Choice, Descriptor, Field, FieldType, Filter, STAFF_AND_SELLERS, choice,
};

const TABS: &[Choice] = &[
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
    Field::of("trackingUrl", "배송 조회", FieldType::Url).read_only(),
    Field::date("confirmOn", "자동 확정일").read_only(),
    Field::text("claim.reason", "클레임 사유").read_only(),
    Field::tags("nextActions", "할 수 있는 일").read_only(),
    Field::text("buyerName", "주문자").read_only(),
    Field::text("receiverName", "받는 분").read_only(),
    Field::datetime("createdAt", "주문일").read_only(),
    Field::datetime("paidAt", "결제일").read_only(),
];

/// What a file of purchases says of them, by the names of their fields: no ids and no codes.
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
    let named = |name: &&str| PURCHASE.iter().find(|field| field.name == *name).copied();
    IN_FILES.iter().filter_map(named).collect()
}

const FILTERS: &[Filter] = &[
    Filter::one_of("tab", TABS),
    Filter::reference("seller._id", "seller"),
    Filter::period("createdAt"),
];

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
