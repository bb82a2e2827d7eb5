import { type SignalSent, SignalTold } from '@sallyport/contract/portals'
import fc from 'fast-check'
import type * as z from 'zod/v4/core'
import { arbitraryOf, definitionOf } from './arbitrary.ts'
import type { ServerSocket } from './fake-socket.ts'

export type ServerSignal = SignalTold
type SignalOf<Type extends ServerSignal['type']> = Extract<ServerSignal, { type: Type }>

const optionsOf = (union: z.$ZodType) => definitionOf(union).options ?? []
const schemas = new Map(optionsOf(SignalTold).map((schema) => [typeOf(schema), schema]))

function typeOf(schema: z.$ZodType): string {
  const { shape } = definitionOf(schema)
  return String(shape?.['type'] && definitionOf(shape['type']).values?.[0])
}

/** The kinds of message in a union of the contract. */
export const typesOf = (union: z.$ZodType): readonly string[] => optionsOf(union).map(typeOf)

/** The kinds of message that a server may send to a device. */
export const signalTypes: readonly string[] = [...schemas.keys()]

/** Every message of one kind that the contract allows. */
export function arbitrarySignal<Type extends ServerSignal['type']>(type: Type): fc.Arbitrary<SignalOf<Type>> {
  const schema = schemas.get(type)
  if (!schema) throw new Error(`The contract has no signal ${type}`)
  return arbitraryOf(schema) as fc.Arbitrary<SignalOf<Type>>
}

/** Every message that the contract allows. */
export const anySignal: fc.Arbitrary<ServerSignal> = fc
  .constantFrom(...signalTypes)
  .chain((type) => arbitrarySignal(type as ServerSignal['type']))

/** Sends messages to a device, and notes their kinds as covered. */
export const signalSender =
  (socket: ServerSocket, calls: Set<string>) =>
  (message: ServerSignal): void => {
    calls.add(`signal ${message.type}`)
    socket.send(JSON.stringify(message))
  }

export const readSignal = (data: string | Uint8Array): SignalSent => JSON.parse(String(data)) as SignalSent
