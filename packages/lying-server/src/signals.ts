import { type ClientSignal, ServerSignal } from '@sallyport/contract/portals'
import fc from 'fast-check'
import type * as z from 'zod/v4/core'
import { arbitraryOf, definitionOf } from './arbitrary.ts'
import type { ServerSocket } from './fake-socket.ts'

export type AnyServerSignal = ServerSignal
type SignalOf<Type extends AnyServerSignal['type']> = Extract<AnyServerSignal, { type: Type }>

const optionsOf = (union: z.$ZodType) => definitionOf(union).options ?? []
const schemas = new Map(optionsOf(ServerSignal).map((schema) => [typeOf(schema), schema]))

function typeOf(schema: z.$ZodType): string {
  const { shape } = definitionOf(schema)
  return String(shape?.['type'] && definitionOf(shape['type']).values?.[0])
}

/** The message types of a union of the contract. */
export const typesOf = (union: z.$ZodType): readonly string[] => optionsOf(union).map(typeOf)

/** The message types that a server may send to a device. */
export const signalTypes: readonly string[] = [...schemas.keys()]

/** Every message of one type that the contract allows. */
export function arbitrarySignal<Type extends AnyServerSignal['type']>(type: Type): fc.Arbitrary<SignalOf<Type>> {
  const schema = schemas.get(type)
  if (!schema) throw new Error(`The contract has no signal ${type}`)
  return arbitraryOf(schema) as fc.Arbitrary<SignalOf<Type>>
}

/** Every message that the contract allows. */
export const anySignal: fc.Arbitrary<AnyServerSignal> = fc
  .constantFrom(...signalTypes)
  .chain((type) => arbitrarySignal(type as AnyServerSignal['type']))

/** Sends messages to a device and records their types as covered. */
export const createSignalSender =
  (socket: ServerSocket, calls: Set<string>) =>
  (message: AnyServerSignal): void => {
    calls.add(`signal ${message.type}`)
    socket.send(JSON.stringify(message))
  }

export const parseSignal = (data: string | Uint8Array): ClientSignal => JSON.parse(String(data)) as ClientSignal
