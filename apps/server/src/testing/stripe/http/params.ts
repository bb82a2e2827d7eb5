import * as z from 'zod'
import type { FormValue } from './form-params.ts'
import { invalidRequest, type StripeApiError } from './stripe-error.ts'

export const integer = z
  .string()
  .regex(/^-?\d{1,15}$/, { error: 'integer' })
  .transform(Number)
export const boolean = z.enum(['true', 'false'], { error: 'boolean' }).transform((value) => value === 'true')
/** An empty string unsets the value. */
export const metadata = z.union([z.literal(''), z.record(z.string(), z.string())])
export const expand = { expand: z.array(z.string()).optional() }
export const range = z.union([
  z.strictObject({ gt: integer.optional(), gte: integer.optional(), lt: integer.optional(), lte: integer.optional() }),
  integer,
])
/** Parameters of every list. */
export const paging = {
  ...expand,
  limit: integer.pipe(z.number().min(1).max(100)).optional(),
  starting_after: z.string().optional(),
  ending_before: z.string().optional(),
}

/** Validates parameters as Stripe does. Throws 400 with the code and the name of the first wrong one. */
export function parseParams<Schema extends z.ZodType>(schema: Schema, value: FormValue): z.output<Schema> {
  const { data, error } = schema.safeParse(value, { reportInput: true })
  if (error === undefined) return data
  const [issue] = error.issues
  throw issue === undefined ? invalidRequest('Invalid request') : toApiError(issue)
}

function toApiError(issue: z.core.$ZodIssue): StripeApiError {
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.map((key) => nameOf([...issue.path, key]))
    const label = names.length === 1 ? 'parameter' : 'parameters'
    return invalidRequest(`Received unknown ${label}: ${names.join(', ')}`, names[0], 'parameter_unknown')
  }
  const name = nameOf(issue.path)
  const { input } = issue
  if (input === undefined) return invalidRequest(`Missing required param: ${name}.`, name, 'parameter_missing')
  if (input === '') return invalidRequest(`You passed an empty string for '${name}'.`, name, 'parameter_invalid_empty')
  if (issue.message === 'integer')
    return invalidRequest(`Invalid integer: ${String(input)}`, name, 'parameter_invalid_integer')
  return invalidRequest(`Invalid ${name}: ${issue.message}`, name)
}

/** `['items', 0, 'id']` as `items[0][id]`. */
const nameOf = ([head, ...others]: readonly PropertyKey[]): string =>
  [String(head ?? ''), ...others.map((key) => `[${String(key)}]`)].join('')

/** Applies metadata of a request: an empty value removes a key, an empty string all of them. */
export function mergeMetadata(
  current: Readonly<Record<string, string>>,
  change: z.output<typeof metadata> | undefined,
): Record<string, string> {
  if (change === undefined) return { ...current }
  if (change === '') return {}
  return Object.fromEntries(Object.entries({ ...current, ...change }).filter(([, value]) => value !== ''))
}
