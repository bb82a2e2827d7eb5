import { ignore } from '@sallyport/contract/ignore'
import * as z from 'zod/mini'
import { parseMessage } from '../channel.ts'

/** Text messages of the main channel, which every device supports. Each chunk is one binary message. */
const LegacyMessageSchema = z.discriminatedUnion('type', [
  /** `px` announces the fast protocol. */
  z.object({ type: z.literal('connection-ready'), px: z.optional(z.number()) }),
  z.object({
    type: z.literal('encryption-key'),
    key: z.string().check(z.maxLength(100)),
    fileName: z.string(),
    originalSize: z.number(),
  }),
  z.object({ type: z.literal('transfer-complete') }),
  z.object({ type: z.literal('transfer-reset') }),
  z.object({ type: z.literal('portal-closed') }),
])
export type LegacyMessage = z.output<typeof LegacyMessageSchema>

/** Null for anything but a valid message of this protocol. */
export const parseLegacyMessage = (text: string): LegacyMessage | null => parseMessage(LegacyMessageSchema, text)

/** Keys are sent as padded base64; null for anything else. */
export function parseLegacyKey(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
    return bytes.length === 32 ? bytes : null
  } catch (error) {
    ignore(error, 'a key is not base64')
    return null
  }
}

export const encodeLegacyKey = (key: Uint8Array): string => btoa(String.fromCharCode(...key))
