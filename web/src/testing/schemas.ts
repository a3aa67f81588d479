// The server's resource schemas of all kinds, for tests.
import resources from '../../resources.json'
import type { ResourceSchema } from '../console/crud/schema'

export const schemas = (resources as unknown as { resources: ResourceSchema[] }).resources

export function schemaOf(kind: string): ResourceSchema {
  const schema = schemas.find(({ name }) => name === kind)
  if (!schema) throw new Error(`no such kind of record: ${kind}`)
  return schema
}
