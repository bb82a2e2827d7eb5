import { errorCatalogue } from '@sallyport/contract/errors'
import fc from 'fast-check'
import type * as z from 'zod/v4/core'
import { safeParse } from 'zod/v4/core'
import { arbitraryOf, definitionOf } from './arbitrary.ts'
import { meaningOf, type SeenValues } from './seen-values.ts'

const kinds = ['field', 'field', 'field', 'graft', 'graft', 'list', 'whole', 'earlier', 'refusal'] as const

/** What a server answers in place of the truth. The seed decides everything that is drawn. */
export interface Lie {
  /** Method and path of the call, as in the contract. */
  readonly call: string
  /** Which of the answers to this call, from 0. */
  readonly nth: number | 'every'
  readonly kind: (typeof kinds)[number]
  readonly seed: number
}

/** A lie that is known by name: what an attacker would answer who knows the product. */
export interface KnownLie extends Pick<Lie, 'call' | 'nth'> {
  readonly name: string
  readonly change: (honest: never, seen: SeenValues) => unknown
}

/** Lies about these calls, one or two in a case. */
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

interface Truth {
  readonly schema: z.$ZodType
  readonly honest: unknown
  readonly seen: SeenValues
  /** Earlier answers to the same call. */
  readonly earlier: readonly unknown[]
}

export type Told =
  | { readonly body: unknown }
  | { readonly refusal: { readonly status: number; readonly body: unknown } }

/** Another answer that the schema accepts; the honest one where the lie does not apply to it. */
export function tell({ kind, seed }: Lie, truth: Truth): Told {
  const pick = <T>(arbitrary: fc.Arbitrary<T>): T => fc.sample(arbitrary, { seed, numRuns: 1 })[0] as T
  const places = placesOf(truth.schema, truth.honest)
  if (kind === 'refusal') return { refusal: pick(refusals) }
  const body = pick(answersOf(kind, truth, places))
  return { body: safeParse(truth.schema, body).success ? body : truth.honest }
}

function answersOf(kind: Lie['kind'], truth: Truth, places: readonly Place[]): fc.Arbitrary<unknown> {
  const { honest, schema, seen, earlier } = truth
  const change = (at: readonly Place[], replace: (place: Place) => fc.Arbitrary<unknown>) =>
    at.length === 0
      ? fc.constant(honest)
      : fc.constantFrom(...at).chain((place) => replace(place).map((value) => withValueAt(honest, place.path, value)))
  switch (kind) {
    case 'field':
      return change(places, (place) => otherValues(place, seen))
    case 'graft':
      return change(places.filter(isObject), (place) => grafted(place, seen))
    case 'list':
      return change(places.filter(isList), otherLists)
    case 'whole':
      return arbitraryOf(schema)
    default:
      return earlier.length === 0 ? fc.constant(honest) : fc.constantFrom(...earlier)
  }
}

interface Place {
  readonly path: readonly (string | number)[]
  readonly schema: z.$ZodType
  readonly value: unknown
}

/** Every place of an answer at which the schema leaves a choice. */
function placesOf(schema: z.$ZodType, value: unknown, path: Place['path'] = []): readonly Place[] {
  const { type, shape = {}, element, options = [], innerType } = definitionOf(schema)
  const here = { path, schema, value }
  if (type === 'literal') return []
  if (type === 'optional' || type === 'nullable') {
    return [
      here,
      ...(value === undefined || value === null ? [] : placesOf(innerType as z.$ZodType, value, path).slice(1)),
    ]
  }
  if (type === 'union') {
    const fitting = options.find((option) => safeParse(option, value).success)
    return fitting ? placesOf(fitting, value, path) : [here]
  }
  if (type === 'object') {
    const fields = Object.entries(shape)
    return [here, ...fields.flatMap(([name, field]) => placesOf(field, (value as never)[name], [...path, name]))]
  }
  if (type === 'array') {
    const items = value as readonly unknown[]
    return [here, ...items.flatMap((item, index) => placesOf(element as z.$ZodType, item, [...path, index]))]
  }
  return [here]
}

const isList = ({ value }: Place): boolean => Array.isArray(value)
const isObject = ({ value }: Place): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

function otherValues({ schema, value }: Place, seen: SeenValues): fc.Arbitrary<unknown> {
  const accepts = (candidate: unknown) => safeParse(schema, candidate).success
  const known = seen.strings.filter(accepts)
  const near = nearTo(value).filter(accepts)
  const choices = [
    arbitraryOf(schema),
    ...[known, near].filter((values) => values.length > 0).map((values) => fc.constantFrom(...values)),
  ]
  return fc.oneof(...choices)
}

/** Values that a careless client may take for the honest one. */
function nearTo(value: unknown): readonly unknown[] {
  if (typeof value === 'string') return [value.slice(0, -1), value.slice(0, 2), `${value}A`]
  return typeof value === 'number' ? [value - 1, value + 1] : []
}

/** Moves fields that belong together from another object that was seen. */
function grafted({ value }: Place, seen: SeenValues): fc.Arbitrary<unknown> {
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

function otherLists({ value }: Place): fc.Arbitrary<unknown> {
  const items = value as readonly unknown[]
  return fc.constantFrom([], items.toReversed(), [...items, ...items], items.slice(1))
}

function withValueAt(whole: unknown, [first, ...rest]: Place['path'], value: unknown): unknown {
  if (first === undefined) return value
  const copy: Record<string | number, unknown> = Array.isArray(whole) ? ([...whole] as never) : { ...(whole as object) }
  copy[first] = withValueAt(copy[first], rest, value)
  return copy
}

const refusals = fc.constantFrom(...Object.entries(errorCatalogue)).map(([code, { status, text }]) => ({
  status,
  body: { success: false, error: text, code },
}))
