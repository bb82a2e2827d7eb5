// What the browsers on both ends of a portal need beside the proof of their code.
export { fromBase64url, toBase64url } from './base64url.ts'
export { type Bytes, concatBytes, equalBytes, utf8 } from './bytes.ts'
export { lengthPrefixed } from './cpace/strings.ts'
export { deriveBytes, importRoot } from './hkdf.ts'
export { mac } from './mac.ts'
export { type Contribution, commitmentTo, requireCommitment, startComparison } from './portal-comparison.ts'
export {
  createPortalKey,
  importPortalKey,
  openPortalRecord,
  portalDigest,
  sealPortalRecord,
  sealPortalRecordInto,
} from './portal-record.ts'
export { randomBytes } from './random.ts'
