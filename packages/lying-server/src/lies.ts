import { errorCatalogue } from '@sallyport/contract/errors'
import fc from 'fast-check'
import type * as z from 'zod/v4/core'
import { safeParse } from 'zod/v4/core'
import { arbitraryOf, definitionOf } from './arbitrary.ts'
import { meaningOf, type SeenValues } from './seen-values.ts'

const kinds = ['field', 'field', 'field', 'graft', 'graft', 'list', 'whole', 'earlier', 'rejection'] as const

/** A false answer of the server. The seed determines every random choice. */
export interface Lie {
  /** Method and path of the call, as in the contract. */
  readonly call: string
  /** Index of the affected answer to this call, from 0. */
  readonly nth: number | 'every'
  readonly kind: (typeof kinds)[number]
  readonly seed: number
}

/** A handwritten lie: the answer of an attacker who knows the product. */
export interface KnownLie extends Pick<Lie, 'call' | 'nth'> {
  readonly name: string
  readonly change: (honest: never, seen: SeenValues) => unknown
}

/** One or two lies about these calls per case. */
export const liesAbout = (calls: readonly string[]): fc.Arbitrary<readonly Lie[]> =>
  fc.array(
    fc.record({
      call: fc.constantFrom(...calls),
      nth: fc.oneof(fc.constant('every' as const), fc.constant(0), fc.nat(6)),
      kind: fc.constantFrom(...kinds),
      seed: fc.integer(),
    }),
    { minLength: 1, maxLength: 2 },
  )

interface HonestAnswer {
  readonly schema: z.$ZodType
  readonly honest: unknown
  readonly seen: SeenValues
  /** Earlier answers to the same call. */
  readonly earlier: readonly unknown[]
}

export type LyingAnswer =
  | { readonly body: unknown }
  | { readonly rejection: { readonly status: number; readonly body: unknown } }

/** A false answer that the schema accepts, or the honest one if the lie does not apply. */
export function applyLie({ kind, seed }: Lie, honestAnswer: HonestAnswer): LyingAnswer {
  const pick = <T>(arbitrary: fc.Arbitrary<T>): T => fc.sample(arbitrary, { seed, numRuns: 1 })[0] as T
  const locations = locationsIn(honestAnswer.schema, honestAnswer.honest)
  if (kind === 'rejection') return { rejection: pick(errorAnswers) }
  const body = pick(falseAnswers(kind, honestAnswer, locations))
  return { body: safeParse(honestAnswer.schema, body).success ? body : honestAnswer.honest }
}

function falseAnswers(
  kind: Lie['kind'],
  honestAnswer: HonestAnswer,
  locations: readonly AnswerLocation[],
): fc.Arbitrary<unknown> {
  const { honest, schema, seen, earlier } = honestAnswer
  const change = (candidates: readonly AnswerLocation[], replace: (place: AnswerLocation) => fc.Arbitrary<unknown>) =>
    candidates.length === 0
      ? fc.constant(honest)
      : fc
          .constantFrom(...candidates)
          .chain((location) => replace(location).map((value) => withValueAt(honest, location.path, value)))
  switch (kind) {
    case 'field':
      return change(locations, (location) => falseValues(location, seen))
    case 'graft':
      return change(locations.filter(isObject), (location) => graftFields(location, seen))
    case 'list':
      return change(locations.filter(isList), falseLists)
    case 'whole':
      return arbitraryOf(schema)
    default:
      return earlier.length === 0 ? fc.constant(honest) : fc.constantFrom(...earlier)
  }
}

interface AnswerLocation {
  readonly path: readonly (string | number)[]
  readonly schema: z.$ZodType
  readonly value: unknown
}

/** Every location in an answer where the schema allows more than one value. */
function locationsIn(schema: z.$ZodType, value: unknown, path: AnswerLocation['path'] = []): readonly AnswerLocation[] {
  const { type, shape = {}, element, options = [], innerType } = definitionOf(schema)
  const current = { path, schema, value }
  if (type === 'literal') return []
  if (type === 'optional' || type === 'nullable') {
    return [
      current,
      ...(value === undefined || value === null ? [] : locationsIn(innerType as z.$ZodType, value, path).slice(1)),
    ]
  }
  if (type === 'union') {
    const matching = options.find((option) => safeParse(option, value).success)
    return matching ? locationsIn(matching, value, path) : [current]
  }
  if (type === 'object') {
    const fields = Object.entries(shape)
    return [current, ...fields.flatMap(([name, field]) => locationsIn(field, (value as never)[name], [...path, name]))]
  }
  if (type === 'array') {
    const items = value as readonly unknown[]
    return [current, ...items.flatMap((item, index) => locationsIn(element as z.$ZodType, item, [...path, index]))]
  }
  return [current]
}

const isList = ({ value }: AnswerLocation): boolean => Array.isArray(value)
const isObject = ({ value }: AnswerLocation): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function falseValues({ schema, value }: AnswerLocation, seen: SeenValues): fc.Arbitrary<unknown> {
  const accepts = (candidate: unknown) => safeParse(schema, candidate).success
  const known = seen.strings.filter(accepts)
  const near = similarTo(value).filter(accepts)
  const choices = [
    arbitraryOf(schema),
    ...[known, near].filter((values) => values.length > 0).map((values) => fc.constantFrom(...values)),
  ]
  return fc.oneof(...choices)
}

/** Values that a careless client may confuse with the honest one. */
function similarTo(value: unknown): readonly unknown[] {
  if (typeof value === 'string') return [value.slice(0, -1), value.slice(0, 2), `${value}A`]
  return typeof value === 'number' ? [value - 1, value + 1] : []
}

/** Replaces related fields with those of another object that the server has seen. */
function graftFields({ value }: AnswerLocation, seen: SeenValues): fc.Arbitrary<unknown> {
  const own = value as Record<string, unknown>
  const donors = seen.objects
    .map((donor) => commonFields(own, donor))
    .filter((fields) => Object.keys(fields).length > 0)
  if (donors.length === 0) return fc.constant(own)
  return fc
    .constantFrom(...donors)
    .chain((fields) => fc.subarray(Object.entries(fields), { minLength: 1 }))
    .map((fields) => ({ ...own, ...Object.fromEntries(fields) }))
}

function commonFields(own: Record<string, unknown>, donor: Readonly<Record<string, unknown>>) {
  const byMeaning = new Map(Object.entries(donor).map(([name, value]) => [meaningOf(name), value]))
  return Object.fromEntries(
    Object.entries(own).flatMap(([name, value]) => {
      const other = byMeaning.get(meaningOf(name))
      return typeof other === 'string' && other !== value ? [[name, other]] : []
    }),
  )
}

function falseLists({ value }: AnswerLocation): fc.Arbitrary<unknown> {
  const items = value as readonly unknown[]
  return fc.constantFrom([], items.toReversed(), [...items, ...items], items.slice(1))
}

function withValueAt(whole: unknown, [first, ...rest]: AnswerLocation['path'], value: unknown): unknown {
  if (first === undefined) return value
  const copy: Record<string | number, unknown> = Array.isArray(whole) ? ([...whole] as never) : { ...(whole as object) }
  copy[first] = withValueAt(copy[first], rest, value)
  return copy
}

const errorAnswers = fc.constantFrom(...Object.entries(errorCatalogue)).map(([code, { status, text }]) => ({
  status,
  body: { success: false, error: text, code },
}))
