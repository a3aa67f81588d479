//! The couriers the shop knows, and where a parcel of theirs can be followed (spec domain facts 6.3).

use serde::Serialize;
use utoipa::ToSchema;

/// A courier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Courier {
    /// As orders carry it.
    pub code: &'static str,
    /// As people call it.
    pub name: &'static str,
    /// Page of a parcel; the invoice number is appended.
    #[serde(skip)]
    pub tracking: &'static str,
}

/// All of them.
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

/// The name of a courier; none for one the shop does not know.
pub fn courier_name(courier: &str) -> Option<String> {
    let known = COURIERS.iter().find(|known| known.code == courier);
    known.map(|known| known.name.to_owned())
}

/// Where a parcel can be followed; none for a courier the shop does not know.
pub fn tracking_url(courier: &str, invoice_no: &str) -> Option<String> {
    COURIERS
        .iter()
        .find(|known| known.code == courier)
        .map(|known| format!("{}{invoice_no}", known.tracking))
}
