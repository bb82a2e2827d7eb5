import * as z from 'zod/mini'

/** What goes over the one channel that every device knows, beside the chunks: each chunk is one binary message. */
const ClassicMessage = z.discriminatedUnion('type', [
  /** Devices of ours say that they know better ways. */
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
export type ClassicMessage = z.output<typeof ClassicMessage>

/** Null for what is no message of this protocol. */
export function readClassicMessage(text: string): ClassicMessage | null {
  try {
    const parsed = z.safeParse(ClassicMessage, JSON.parse(text))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

/** Keys travel in base64 with padding; null for anything that is not one. */
export function readClassicKey(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
    return bytes.length === 32 ? bytes : null
  } catch {
    return null
  }
}

export const writeClassicKey = (key: Uint8Array): string => btoa(String.fromCharCode(...key))
