import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { sessionLimits } from '@sallyport/contract/limits'

/** What a waiting caller holds: a token to ask again with, and digits that the creator sees too. */
export interface JoinRequestToken {
  readonly knock: string
  readonly code: string
}

interface JoinRequestTokensDeps {
  /** From the secrets folder, so that every node recognizes the tokens of the others. */
  readonly secret: Buffer
  readonly now: () => number
}

const timeBytes = 6
const nonceBytes = 10
const macBytes = 16

/**
 * Creates join request tokens that the server recognizes without a record, so that one for a wrong PIN takes no storage
 * and looks like any other, for as long as a request may wait.
 */
export function createJoinRequestTokens({ secret, now }: JoinRequestTokensDeps) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'sallyport join requests', 32))
  const mac = (label: string, bytes: Buffer): Buffer => createHmac('sha256', key).update(label).update(bytes).digest()

  function codeOf(body: Buffer): string {
    return String(1000 + (mac('code', body).readUInt32BE(0) % 9000))
  }

  return {
    create(): JoinRequestToken {
      const body = Buffer.concat([Buffer.alloc(timeBytes), randomBytes(nonceBytes)])
      body.writeUIntBE(now() + sessionLimits.joinRequestMs, 0, timeBytes)
      const knock = Buffer.concat([body, mac('token', body).subarray(0, macBytes)]).toString('base64url')
      return { knock, code: codeOf(body) }
    },

    /** Parses a token; null when it was not created by this instance or has expired. */
    parse(knock: string): JoinRequestToken | null {
      const bytes = Buffer.from(knock, 'base64url')
      if (bytes.length !== timeBytes + nonceBytes + macBytes) return null
      const body = bytes.subarray(0, timeBytes + nonceBytes)
      const isAuthentic = timingSafeEqual(bytes.subarray(body.length), mac('token', body).subarray(0, macBytes))
      return isAuthentic && body.readUIntBE(0, timeBytes) > now() ? { knock, code: codeOf(body) } : null
    },
  }
}

export type JoinRequestTokens = ReturnType<typeof createJoinRequestTokens>
