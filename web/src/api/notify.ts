// User notifications from layers without UI; the app registers how they are shown.

type Show = (message: string) => void

let show: Show = () => undefined

/** Registered once by the app. */
export function setNotifier(how: Show): void {
  show = how
}

/** Shows a message to the user (spec V222-V226). */
export function notifyUser(message: string): void {
  show(message)
}
