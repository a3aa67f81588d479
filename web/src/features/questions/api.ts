// Questions of a member to the shop.
import { invalidator } from '../../api/query'
import type { components } from '../../api/schema.gen'

export const QUESTIONS = '/api/v1/center/questions'

export type Question = components['schemas']['QuestionView']

export const MAX_SUBJECT_LENGTH = 100
export const MAX_CONTENT_LENGTH = 2000

/** Call after a question was created, edited or deleted. */
export const invalidateQuestions = invalidator([QUESTIONS, `${QUESTIONS}/{id}`])
