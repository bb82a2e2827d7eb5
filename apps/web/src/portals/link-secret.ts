import { fromBase64url } from '@sallyport/crypto'

const secretBytes = 16

/** The secret of a link from the text it travels in. A link that was cut short is as good as a typed code. */
export function linkSecretOf(text: string | null): Uint8Array<ArrayBuffer> | undefined {
  try {
    const secret = text === null ? undefined : fromBase64url(text)
    return secret?.length === secretBytes ? secret : undefined
  } catch {
    return undefined
  }
}
