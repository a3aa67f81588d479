// The length of a text to a phone, as Korean carriers count: a byte for a letter of ASCII, two for any other.
export const SMS_MOST = 90
export const LMS_MOST = 2000

export const smsBytes = (text: string): number =>
  [...text].reduce((sum, letter) => sum + ((letter.codePointAt(0) ?? 0) < 0x80 ? 1 : 2), 0)
