// Answers of a form: what is missing or wrong, and what is sent.
import { expect, it } from 'vitest'
import { answersFrom, type FormField, faultsOf, toSend } from './answers'

const field = (type: FormField['type'], more: Partial<FormField> = {}): FormField => ({
  _id: 'a',
  type,
  name: '항목',
  required: true,
  options: ['가', '나'],
  ...more,
})

it('names what is missing', () => {
  for (const type of ['TEXT', 'NUMBER', 'CHOICE', 'CHOICES', 'FILE', 'CONSENT'] as const) {
    expect(faultsOf([field(type)], {})['answers.a']).toBeTruthy()
    expect(faultsOf([field(type, { required: false })], {})['answers.a']).toBeUndefined()
  }
})

it('checks numbers, addresses and phone numbers', () => {
  const fault = (one: FormField, answer: string) => faultsOf([one], { a: answer })['answers.a']
  const number = field('NUMBER', { min: 1, max: 9 })
  expect(fault(number, '9')).toBeUndefined()
  expect(fault(number, '10')).toBe('9 이하로 입력해 주세요.')
  expect(fault(number, '0')).toBe('1 이상으로 입력해 주세요.')
  expect(fault(number, '1.5')).toBe('숫자로 입력해 주세요.')
  expect(fault(field('EMAIL'), 'kim@example')).toBeTruthy()
  expect(fault(field('PHONE'), '010-1234-5678')).toBeUndefined()
})

it('sends what was given in the type of its field, and reads it back', () => {
  const file = { _id: 'f', name: '소개서.pdf', url: '/files/f.pdf' }
  const fields = [
    field('NUMBER', { _id: 'n' }),
    field('PHONE', { _id: 'p' }),
    field('CHOICES', { _id: 'c' }),
    field('FILE', { _id: 'f' }),
    field('CONSENT', { _id: 'y' }),
    field('TEXT', { _id: 't' }),
  ]
  const sent = toSend(fields, { n: ' 30 ', p: '010-1234-5678', c: ['나'], f: [file], y: true, t: '  ' })
  expect(sent).toEqual({ n: 30, p: '01012345678', c: ['나'], f: ['f'], y: true })
  expect(answersFrom(fields, sent, [file])).toEqual({ n: '30', p: '01012345678', c: ['나'], f: [file], y: true })
})
