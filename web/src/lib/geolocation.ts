// The browser's position, with the visitor's permission (spec V164, V165, V167).

/** Degrees, rounded to about a kilometre, which is enough to find a store. */
export type Place = { latitude: number; longitude: number }

const UNSUPPORTED = '이 브라우저는 GPS를 지원하지 않습니다'
const DENIED = '위치 권한을 허용하신뒤 다시 시도 해 주세요.'
const LOST = '위치를 확인할 수 없습니다'
const PATIENCE_MS = 10_000
const FRESH_MS = 300_000

const rounded = (degrees: number): number => Math.round(degrees * 100) / 100

/** Asks the browser, which asks the user. Rejects with the message to show. */
export function whereAmI(): Promise<Place> {
  return new Promise((resolve, reject) => {
    if (!navigator.geolocation) return reject(new Error(UNSUPPORTED))
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve({ latitude: rounded(coords.latitude), longitude: rounded(coords.longitude) }),
      ({ code, PERMISSION_DENIED }) => reject(new Error(code === PERMISSION_DENIED ? DENIED : LOST)),
      { timeout: PATIENCE_MS, maximumAge: FRESH_MS },
    )
  })
}

/** Whether the user has given permission before: then no prompt is needed. */
export async function wasAllowed(): Promise<boolean> {
  try {
    return (await navigator.permissions.query({ name: 'geolocation' })).state === 'granted'
  } catch {
    return false
  }
}
