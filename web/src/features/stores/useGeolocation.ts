// The visitor's position, for pages that show what is near.
import { useEffect, useState } from 'react'
import { type Place, wasAllowed, whereAmI } from '../../lib/geolocation'
import { toast } from '../../ui/toast'

/** The visitor's position if permission was given already, and a function to ask for it. */
export function useGeolocation(): { place: Place | undefined; asking: boolean; ask: () => void } {
  const [place, setPlace] = useState<Place>()
  const [asking, setAsking] = useState(false)
  useEffect(() => {
    let gone = false
    const quietly = async () => {
      const here = (await wasAllowed()) ? await whereAmI().catch(() => undefined) : undefined
      if (!gone && here) setPlace(here)
    }
    void quietly()
    return () => {
      gone = true
    }
  }, [])
  const ask = () => {
    setAsking(true)
    whereAmI()
      .then(setPlace, (refused: Error) => toast(refused.message, { tone: 'error' }))
      .finally(() => setAsking(false))
  }
  return { place, asking, ask }
}
