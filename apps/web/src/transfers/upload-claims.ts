import { createClaims } from './claims.ts'

/** Pages that have uploads in hand. A page that is closed or killed has let go of them all. */
export const { claim: claimPage, claimed: livingPages } = createClaims('upload-page-')
