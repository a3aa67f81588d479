// Questions of a member to the shop.
import { call } from '../../api/client'
import { invalidator } from '../../api/query'
import type { components } from '../../api/schema.gen'

export const QUESTIONS = '/api/v1/center/questions'

export type Question = components['schemas']['QuestionView']
export type QuestionFile = components['schemas']['QuestionFile']

export const MAX_SUBJECT_LENGTH = 100
export const MAX_CONTENT_LENGTH = 2000
export const MAX_FILES = 5

/** Call after a question was created, edited or deleted. */
export const invalidateQuestions = invalidator([QUESTIONS, `${QUESTIONS}/{id}`])

/** Uploads a private file. */
export async function uploadQuestionFile(chosen: File): Promise<QuestionFile> {
  const body = new FormData()
  body.append('file', chosen, chosen.name)
  const { file } = await call('POST', '/api/v1/files', { body })
  return { _id: file._id, name: file.name, url: file.url }
}
