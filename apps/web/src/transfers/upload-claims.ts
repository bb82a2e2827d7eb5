import { createClaims } from './claims.ts'

export type { LetGo } from './claims.ts'

/** Uploads that a page is going on with. */
export const { claim: claimUpload, claimed: claimedUploads } = createClaims('upload-')
