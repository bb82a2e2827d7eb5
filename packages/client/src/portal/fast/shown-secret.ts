import { type Bytes, deriveBytes, importRoot, portalDigest, toBase64url, utf8 } from '@sallyport/crypto/portal'

/** What follows from the secret that the sender of a transfer shows with each offer of it. */
export interface ShownSecret {
  /** Its digest, which the receiver writes down to know the sender again; empty where none was shown. */
  readonly proof: string
  /** Encrypts what the receiver keeps for a later page, which is shown the secret again; never written down. */
  readonly stagingKey: Bytes | null
}

const secretBytes = 32
const stagingLabel = utf8('portal/staging')

export const noSecret: ShownSecret = { proof: '', stagingKey: null }

export async function readShownSecret(secret: Bytes, tid: Bytes): Promise<ShownSecret> {
  const proof = toBase64url(await portalDigest(secret))
  if (secret.length !== secretBytes) return { proof, stagingKey: null }
  return { proof, stagingKey: await deriveBytes({ from: await importRoot(secret), salt: tid, info: stagingLabel }) }
}
