// Types of calls from the OpenAPI document (openapi.json -> schema.gen.ts): paths, requests and responses.
import type { paths } from './schema.gen'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export type Documented = keyof paths

type Operation<M extends Method, P extends Documented> = paths[P][Lowercase<M> & keyof paths[P]]

/** Paths with an operation for the method. */
export type PathOf<M extends Method> = {
  [P in Documented]: Operation<M, P> extends { responses: object } ? P : never
}[Documented]

/** A request body in which fields with a default on the server are optional. */
export type RequestBody<T> = T extends (infer One)[]
  ? RequestBody<One>[]
  : T extends object
    ? { [K in keyof T]?: RequestBody<T[K]> }
    : T

type Json<Answer> = Answer extends { content: { 'application/json': infer Body } } ? Body : undefined

/** The body of a 200 or 201 response. */
export type ResponseOf<M extends Method, P extends Documented> =
  Operation<M, P> extends { responses: infer Answers }
    ? Answers extends { 200: infer Good }
      ? Json<Good>
      : Answers extends { 201: infer Made }
        ? Json<Made>
        : undefined
    : never

/** Path, query and body of an operation. */
export type RequestOf<M extends Method, P extends Documented> = (Operation<M, P> extends {
  parameters: { path: infer Path }
}
  ? { path: Path }
  : { path?: undefined }) &
  (Operation<M, P> extends { parameters: { query?: infer Query } } ? { query?: Query } : { query?: undefined }) &
  (Operation<M, P> extends { requestBody: { content: { 'application/json': infer Body } } }
    ? { body: RequestBody<Body> }
    : Operation<M, P> extends { requestBody: { content: { 'multipart/form-data': unknown } } }
      ? { body: FormData }
      : { body?: undefined })
