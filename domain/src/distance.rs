//! Great-circle distances: the only floating-point arithmetic of this crate; its results are kilometres.

use crate::shipping::Geolocation;

/// The earth's radius in kilometres (spec V280).
pub const EARTH_RADIUS_KM: f64 = 6371.0;

/// A distance in kilometres: a finite number, zero or more.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Kilometres(f64);

impl Kilometres {
    /// A distance of `km` kilometres; none if negative, infinite or not a number.
    pub fn new(km: f64) -> Option<Self> {
        (km.is_finite() && km >= 0.0).then_some(Self(km))
    }

    /// The number of kilometres.
    pub const fn get(self) -> f64 {
        self.0
    }

    /// Whether this distance, rounded down to whole kilometres, is at least `threshold`.
    pub fn reaches(self, threshold: u32) -> bool {
        self.0 >= f64::from(threshold)
    }

    /// The great-circle distance between two points on the earth; none where a coordinate is not a finite number.
    pub fn between(from: Geolocation, to: Geolocation) -> Option<Self> {
        Self::on_sphere(from, to, EARTH_RADIUS_KM)
    }

    /// The great-circle (haversine) distance between two points on a sphere of `radius_km`.
    #[expect(
        clippy::float_arithmetic,
        reason = "kilometres are not money, and a great circle needs sines"
    )]
    pub fn on_sphere(from: Geolocation, to: Geolocation, radius_km: f64) -> Option<Self> {
        let half_way_north = (to.latitude - from.latitude).to_radians() / 2.0;
        let half_way_east = (to.longitude - from.longitude).to_radians() / 2.0;
        let chord = half_way_north.sin().powi(2)
            + from.latitude.to_radians().cos()
                * to.latitude.to_radians().cos()
                * half_way_east.sin().powi(2);
        // Rounding may put the square slightly outside 0..=1, where a root or an arc sine is not a number.
        Self::new(2.0 * radius_km * chord.clamp(0.0, 1.0).sqrt().asin())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(latitude: f64, longitude: f64) -> Geolocation {
        Geolocation {
            longitude,
            latitude,
        }
    }

    #[test]
    fn a_great_circle_needs_two_real_points() {
        let seoul = at(37.5665, 126.978);
        assert_eq!(Kilometres::between(seoul, seoul), Kilometres::new(0.0));
        assert_eq!(Kilometres::between(seoul, at(f64::NAN, 0.0)), None);
        // antipodes: half of the circumference, and no NaN from a root just above one
        let half = Kilometres::between(at(0.0, 0.0), at(0.0, 180.0)).map(Kilometres::get);
        assert_eq!(half.map(f64::round), Some(20_015.0));
    }

    #[test]
    fn a_distance_is_rounded_down_to_thresholds() {
        let distance = Kilometres::new(9.999);
        assert_eq!(distance.map(|km| km.reaches(9)), Some(true));
        assert_eq!(distance.map(|km| km.reaches(10)), Some(false));
        assert_eq!(Kilometres::new(-1.0), None);
        assert_eq!(Kilometres::new(f64::INFINITY), None);
    }
}
