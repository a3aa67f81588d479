//! The couriers known to the shop, and their tracking pages (spec domain facts 6.3).

use serde::Serialize;
use utoipa::ToSchema;

/// A courier, or a way of sending without one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Courier {
    /// Courier code used in orders.
    pub code: &'static str,
    /// Display name.
    pub name: &'static str,
    /// Tracking page; the invoice number is appended. None without a number.
    #[serde(skip)]
    pub tracking: &'static str,
    /// Whether its parcels have a tracking number.
    pub numbered: bool,
}

/// All known couriers.
pub const COURIERS: &[Courier] = &[
    Courier {
        code: "kr.cjlogistics",
        name: "CJ대한통운",
        tracking: "https://trace.cjlogistics.com/next/tracking.html?wblNo=",
        numbered: true,
    },
    Courier {
        code: "kr.epost",
        name: "우체국택배",
        tracking: "https://m.epost.go.kr/postal/mobile/mobile.trace.RetrieveDomRigiTraceList.comm?ems_gubun=E&sid1=",
        numbered: true,
    },
    Courier {
        code: "kr.hanjin",
        name: "한진택배",
        tracking: "https://www.hanjin.co.kr/kor/CMS/DeliveryMgr/WaybillResult.do?mCode=MN038&schLang=KR&wblnumText2=",
        numbered: true,
    },
    Courier {
        code: "kr.lotte",
        name: "롯데택배",
        tracking: "https://www.lotteglogis.com/open/tracking?invno=",
        numbered: true,
    },
    Courier {
        code: "kr.logen",
        name: "로젠택배",
        tracking: "https://www.ilogen.com/m/personal/trace.pop/",
        numbered: true,
    },
    Courier {
        code: "kr.kdexp",
        name: "경동택배",
        tracking: "https://kdexp.com/service/delivery/etc/delivery.do?barcode=",
        numbered: true,
    },
    Courier {
        code: "kr.cupost",
        name: "CU 편의점택배",
        tracking: "https://www.cupost.co.kr/postbox/delivery/localResult.cupost?invoice_no=",
        numbered: true,
    },
    Courier {
        code: "own.delivery",
        name: "직접 배송",
        tracking: "",
        numbered: false,
    },
    Courier {
        code: "own.quick",
        name: "퀵 서비스",
        tracking: "",
        numbered: false,
    },
    Courier {
        code: "own.pickup",
        name: "방문 수령",
        tracking: "",
        numbered: false,
    },
];

/// Other names that couriers' programs write, and their codes in Sweet Tracker.
const SYNONYMS: &[(&str, &[&str])] = &[
    (
        "kr.cjlogistics",
        &["04", "CJ", "CJ택배", "대한통운", "CJGLS"],
    ),
    ("kr.epost", &["01", "우체국", "우편등기", "등기"]),
    ("kr.hanjin", &["05", "한진"]),
    ("kr.lotte", &["08", "롯데", "롯데글로벌로지스", "현대택배"]),
    ("kr.logen", &["06", "로젠"]),
    ("kr.kdexp", &["23", "경동"]),
    ("kr.cupost", &["46", "CU", "CUPOST", "CU편의점"]),
    ("own.delivery", &["자체배송", "업체배송"]),
    ("own.quick", &["퀵"]),
    ("own.pickup", &["방문수령", "픽업", "직접수령"]),
];

/// The courier that a cell of a file names: by code, by name, or as couriers' programs write it. Spaces and case do not count.
pub fn courier_named(text: &str) -> Option<&'static Courier> {
    let plain = |text: &str| -> String {
        let letters = text.chars().filter(|letter| !letter.is_whitespace());
        letters.flat_map(char::to_uppercase).collect()
    };
    let said = plain(text);
    COURIERS.iter().find(|courier| {
        let names = SYNONYMS.iter().filter(|(code, _)| *code == courier.code);
        [courier.code, courier.name]
            .into_iter()
            .chain(names.flat_map(|(_, names)| names.iter().copied()))
            .any(|name| plain(name) == said)
    })
}

/// The name of a courier; none for an unknown one.
pub fn courier_name(courier: &str) -> Option<String> {
    let known = COURIERS.iter().find(|known| known.code == courier);
    known.map(|known| known.name.to_owned())
}

/// Tracking page of a parcel; none for an unknown courier.
pub fn tracking_url(courier: &str, invoice_no: &str) -> Option<String> {
    COURIERS
        .iter()
        .find(|known| known.code == courier && known.numbered && !invoice_no.is_empty())
        .map(|known| format!("{}{invoice_no}", known.tracking))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_courier_is_known_by_what_programs_write() {
        for (text, code) in [
            ("kr.hanjin", Some("kr.hanjin")),
            ("CJ 대한통운", Some("kr.cjlogistics")),
            ("cj택배", Some("kr.cjlogistics")),
            ("04", Some("kr.cjlogistics")),
            ("우체국 택배", Some("kr.epost")),
            ("자체 배송", Some("own.delivery")),
            ("없는택배", None),
            ("", None),
        ] {
            assert_eq!(courier_named(text).map(|one| one.code), code, "{text}");
        }
    }

    #[test]
    fn what_has_no_number_is_not_followed() {
        assert_eq!(tracking_url("own.delivery", ""), None);
        assert!(tracking_url("kr.hanjin", "123456789012").is_some());
        let without = COURIERS.iter().filter(|courier| !courier.numbered);
        let without: Vec<&str> = without.map(|courier| courier.code).collect();
        assert_eq!(without, domain::order::WITHOUT_NUMBER);
    }
}
