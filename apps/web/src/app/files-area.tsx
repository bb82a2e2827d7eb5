import { FilesPage } from '#/files/files-page.tsx'
import { RecoveryOffer } from '#/security/recovery-offer.tsx'

/** Files, with what an account should be told there once. */
export function FilesArea() {
  return <FilesPage aside={<RecoveryOffer />} />
}
