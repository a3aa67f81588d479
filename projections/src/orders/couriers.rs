//! The couriers known to the shop, and their tracking pages (spec domain facts 6.3).

use serde::Serialize;
use utoipa::ToSchema;

/// A courier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Courier {
    /// Courier code used in orders.
    pub code: &'static str,
    /// Display name.
    pub name: &'static str,
    /// Tracking page; the invoice number is appended.
    #[serde(skip)]
    pub tracking: &'static str,
}

/// All known couriers.
pub const COURIERS: &[Courier] = &[
    Courier {
        code: "kr.cjlogistics",
        name: "CJ대한통운",
        tracking: "https://trace.cjlogistics.com/next/tracking.html?wblNo=",
    },
    Courier {
        code: "kr.epost",
        name: "우체국택배",
        tracking: "https://m.epost.go.kr/postal/mobile/mobile.trace.RetrieveDomRigiTraceList.comm?ems_gubun=E&sid1=",
    },
    Courier {
        code: "kr.hanjin",
        name: "한진택배",
        tracking: "https://www.hanjin.co.kr/kor/CMS/DeliveryMgr/WaybillResult.do?mCode=MN038&schLang=KR&wblnumText2=",
    },
    Courier {
        code: "kr.lotte",
        name: "롯데택배",
        tracking: "https://www.lotteglogis.com/open/tracking?invno=",
    },
    Courier {
        code: "kr.logen",
        name: "로젠택배",
        tracking: "https://www.ilogen.com/m/personal/trace.pop/",
    },
    Courier {
        code: "kr.kdexp",
        name: "경동택배",
        tracking: "https://kdexp.com/service/delivery/etc/delivery.do?barcode=",
    },
    Courier {
        code: "kr.cupost",
        name: "CU 편의점택배",
        tracking: "https://www.cupost.co.kr/postbox/delivery/localResult.cupost?invoice_no=",
    },
];

/// The name of a courier; none for an unknown one.
pub fn courier_name(courier: &str) -> Option<String> {
    let known = COURIERS.iter().find(|known| known.code == courier);
    known.map(|known| known.name.to_owned())
}

/// Tracking page of a parcel; none for an unknown courier.
pub fn tracking_url(courier: &str, invoice_no: &str) -> Option<String> {
    COURIERS
        .iter()
        .find(|known| known.code == courier)
        .map(|known| format!("{}{invoice_no}", known.tracking))
}
