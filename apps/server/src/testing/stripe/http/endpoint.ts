import * as z from 'zod'
import type { StripeState } from '../state/state.ts'
import { expandAnswer } from './expand.ts'
import type { FormValue } from './form-params.ts'
import { expand, parseParams } from './params.ts'

export type HttpMethod = 'GET' | 'POST' | 'DELETE'

/** An endpoint of the API. */
export interface Endpoint {
  readonly method: HttpMethod
  readonly path: RegExp
  readonly answer: (state: StripeState, id: string, params: FormValue) => object
}

interface EndpointInput<Params> {
  readonly state: StripeState
  /** The id in the path; empty without one. */
  readonly id: string
  readonly params: Params
}

const expandSchema = z.object(expand)

/** Defines an endpoint at a path like `/v1/customers/:id`, with all of its parameters. */
export function endpoint<Shape extends z.ZodRawShape>(
  method: HttpMethod,
  path: string,
  shape: Shape,
  handle: (input: EndpointInput<z.output<z.ZodObject<Shape, z.core.$strict>>>) => object,
): Endpoint {
  const schema = z.strictObject(shape)
  return {
    method,
    path: new RegExp(`^${path.replace(':id', '([^/]+)')}$`),
    answer(state, id, form) {
      const params = parseParams(schema, form)
      const { data } = expandSchema.safeParse(params)
      return expandAnswer(state, handle({ state, id, params }), data?.expand)
    },
  }
}
