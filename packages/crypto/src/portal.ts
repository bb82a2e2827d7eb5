// What browsers need for portals, in addition to CPace.
export { fromBase64url, toBase64url } from './base64url.ts'
export { type Bytes, concatBytes, equalBytes, utf8 } from './bytes.ts'
export { lengthPrefixed } from './cpace/strings.ts'
export { deriveBytes, importRootKey } from './hkdf.ts'
export { mac } from './mac.ts'
export { type Contribution, commitTo, startComparison, verifyCommitment } from './portal-comparison.ts'
export {
  createPortalKey,
  importPortalKey,
  openPortalRecord,
  portalDigest,
  sealPortalRecord,
  sealPortalRecordInto,
} from './portal-record.ts'
export { randomBytes } from './random.ts'
