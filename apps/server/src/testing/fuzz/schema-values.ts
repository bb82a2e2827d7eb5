import fc from 'fast-check'
import type * as mini from 'zod/mini'
import * as z from 'zod/v4/core'

/** The subset of JSON Schema that the schemas of the contract convert to. */
interface JsonSchema {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly additionalProperties?: boolean | JsonSchema
}

/** Generates values that a schema of the contract accepts. */
export function valuesOf(part: mini.ZodMiniType): fc.Arbitrary<unknown> {
  return arbitraryOf(z.toJSONSchema(part as z.$ZodType, { io: 'input', unrepresentable: 'any' }) as JsonSchema)
}

function arbitraryOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return fc.oneof(...choices.map(arbitraryOf))
  switch (schema.type) {
    case 'string':
      return text(schema)
    case 'integer':
    case 'number':
      return fc.integer({ min: Math.max(schema.minimum ?? -1000, -1e9), max: Math.min(schema.maximum ?? 20_000, 1e9) })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(arbitraryOf(schema.items ?? {}), { maxLength: 3 })
    case 'object':
      return record(schema)
    default:
      return fc.jsonValue({ maxDepth: 1 })
  }
}

function text({ pattern, minLength, maxLength }: JsonSchema): fc.Arbitrary<string> {
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern))
  return fc.string({ minLength: minLength ?? 0, maxLength: Math.min(maxLength ?? 40, 40) })
}

function record({ properties = {}, required = [], additionalProperties }: JsonSchema): fc.Arbitrary<unknown> {
  const named = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, arbitraryOf(schema)]))
  const fields = fc.record(named, { requiredKeys: required.filter((name) => name in named), noNullPrototype: true })
  if (typeof additionalProperties !== 'object' || Object.keys(properties).length > 0) return fields
  return fc.dictionary(fc.string({ maxLength: 8 }), arbitraryOf(additionalProperties), { maxKeys: 3 })
}
