// What the server's own document (openapi.json -> schema.gen.ts) says about a call: the addresses there are, what a call carries
// and what it answers.
import type { paths } from './schema.gen'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Every documented address. */
export type Documented = keyof paths

type Operation<M extends Method, P extends Documented> = paths[P][Lowercase<M> & keyof paths[P]]

/** The addresses that know a method. */
export type PathOf<M extends Method> = {
  [P in Documented]: Operation<M, P> extends { responses: object } ? P : never
}[Documented]

/** A body as a form sends it: what has a default on the server may be left out. */
export type RequestBody<T> = T extends (infer One)[]
  ? RequestBody<One>[]
  : T extends object
    ? { [K in keyof T]?: RequestBody<T[K]> }
    : T

type Json<Answer> = Answer extends { content: { 'application/json': infer Body } } ? Body : undefined

/** What a call answers when it does not refuse. */
export type ResponseOf<M extends Method, P extends Documented> =
  Operation<M, P> extends { responses: infer Answers }
    ? Answers extends { 200: infer Good }
      ? Json<Good>
      : Answers extends { 201: infer Made }
        ? Json<Made>
        : undefined
    : never

/** The parts of a call the document knows. */
export type RequestOf<M extends Method, P extends Documented> = (Operation<M, P> extends {
  parameters: { path: infer Path }
}
  ? { path: Path }
  : { path?: undefined }) &
  (Operation<M, P> extends { parameters: { query?: infer Query } } ? { query?: Query } : { query?: undefined }) &
  (Operation<M, P> extends { requestBody: { content: { 'application/json': infer Body } } }
    ? { body: RequestBody<Body> }
    : { body?: undefined })

/** An address the document does not know (yet): there the caller says what comes back. */
export type Undocumented<P extends string> = P extends Documented ? never : P
