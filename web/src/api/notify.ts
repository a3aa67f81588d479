// Messages the client layer must show although it knows no screen. The app says where they appear.

type Show = (message: string) => void

let show: Show = () => undefined

/** Called once by the app: where alerts appear. */
export function setNotifier(how: Show): void {
  show = how
}

/** Tells the reader something he has to know (spec V222-V226). */
export function notifyUser(message: string): void {
  show(message)
}
