import fc from 'fast-check'
import type * as z from 'zod/v4/core'

interface Definition {
  readonly type: string
  readonly checks?: readonly { readonly _zod: { readonly def: Check } }[]
  readonly pattern?: RegExp
  readonly format?: string
  readonly values?: readonly unknown[]
  readonly entries?: Readonly<Record<string, string>>
  readonly shape?: Readonly<Record<string, z.$ZodType>>
  readonly element?: z.$ZodType
  readonly items?: readonly z.$ZodType[]
  readonly options?: readonly z.$ZodType[]
  readonly innerType?: z.$ZodType
  readonly keyType?: z.$ZodType
  readonly valueType?: z.$ZodType
}

interface Check {
  readonly check: string
  readonly pattern?: RegExp
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly value?: number
}

export const definitionOf = (schema: z.$ZodType): Definition => schema._zod.def as unknown as Definition

/** Strings that a contract allows and a careless client may trust. */
const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.stringMatching(/^[1-9]\d{0,7}$/),
  fc.constantFrom(
    '',
    'https://collector.example/s/abc',
    '//collector.example/s/abc',
    '/\\collector.example/s/abc',
    '../../collector',
    'javascript:alert(1)',
    'data:text/html,1',
    '0',
    'null',
  ),
  fc.constantFrom(12, 16, 32, 60, 100).chain((length) => base64url(length)),
  fc.uuid(),
)

const base64url = (length: number) => fc.uint8Array({ minLength: length, maxLength: length }).map(toBase64url)

const toBase64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** Every value that a schema of the contract accepts. Throws for a schema type that is not supported yet. */
export function arbitraryOf(schema: z.$ZodType): fc.Arbitrary<unknown> {
  const definition = definitionOf(schema)
  const { type, values, entries, shape, element, items, options, innerType, keyType, valueType } = definition
  switch (type) {
    case 'string':
      return stringOf(definition)
    case 'number':
      return numberOf(definition)
    case 'boolean':
      return fc.boolean()
    case 'literal':
      return fc.constantFrom(...(values ?? []))
    case 'enum':
      return fc.constantFrom(...Object.values(entries ?? {}))
    case 'object':
      return objectOf(shape ?? {})
    case 'array':
      return fc.array(arbitraryOf(element as z.$ZodType), { maxLength: 3 })
    case 'tuple':
      return fc.tuple(...(items ?? []).map(arbitraryOf))
    case 'union':
      return fc.oneof(...(options ?? []).map(arbitraryOf))
    case 'nullable':
      return fc.option(arbitraryOf(innerType as z.$ZodType), { nil: null })
    case 'optional':
      return fc.option(arbitraryOf(innerType as z.$ZodType), { nil: undefined })
    case 'record':
      return recordOf(keyType as z.$ZodType, valueType as z.$ZodType)
    case 'unknown':
      return fc.jsonValue()
    default:
      throw new Error(`No arbitrary for schema type ${type}`)
  }
}

function objectOf(shape: Readonly<Record<string, z.$ZodType>>): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, arbitraryOf(schema)]))
  return fc.record(fields).map(withoutUndefined)
}

/** A record of an enumeration has all of its keys. */
function recordOf(keyType: z.$ZodType, valueType: z.$ZodType): fc.Arbitrary<unknown> {
  const { entries } = definitionOf(keyType)
  if (entries) return objectOf(Object.fromEntries(Object.values(entries).map((key) => [String(key), valueType])))
  return fc.dictionary(fc.string({ maxLength: 8 }), arbitraryOf(valueType), { maxKeys: 3 })
}

const withoutUndefined = (value: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined))

const checksOf = ({ checks = [] }: Definition): readonly Check[] => checks.map(({ _zod }) => _zod.def)

function stringOf(definition: Definition): fc.Arbitrary<string> {
  if (definition.format === 'datetime') {
    return fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }).map((date) => date.toISOString())
  }
  const checks = checksOf(definition)
  const pattern = checks.find((check) => check.format === 'regex')?.pattern
  const base = pattern ? fc.stringMatching(new RegExp(pattern.source)) : text
  const shortest = checks.find(({ check }) => check === 'min_length')?.minimum ?? 0
  const longest = checks.find(({ check }) => check === 'max_length')?.maximum ?? Number.POSITIVE_INFINITY
  return base.map((value) => value.padEnd(shortest, 'A').slice(0, longest))
}

function numberOf(definition: Definition): fc.Arbitrary<number> {
  const checks = checksOf(definition)
  const isWhole = definition.format === 'safeint' || checks.some(({ format }) => format === 'safeint')
  const min = checks.find(({ check }) => check === 'greater_than')?.value ?? Number.MIN_SAFE_INTEGER
  const max = checks.find(({ check }) => check === 'less_than')?.value ?? Number.MAX_SAFE_INTEGER
  const likely = fc.constantFrom(0, 1, 2, 3, 6).filter((value) => value >= min && value <= max)
  const any = isWhole ? fc.integer({ min, max }) : fc.double({ min, max, noNaN: true, noDefaultInfinity: true })
  return 1 >= min && 1 <= max ? fc.oneof(likely, any) : any
}
