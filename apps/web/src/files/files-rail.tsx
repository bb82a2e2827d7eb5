import { formatBytes } from '@sallyport/contract/formats'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { userInfoQuery } from '#/api/account.queries.ts'
import { useCall } from '#/api/api-context.ts'
import { Ledger } from '#/motifs/ledger.tsx'
import { StorageMeter } from '#/motifs/storage-meter.tsx'
import { fileWords, licenceNames } from '#/words/files.ts'
import { ledgerEntries, ledgerIntro } from '#/words/ledger.ts'
import { hexLines, sealSampleName } from './ledger-bytes.ts'

interface LedgerOfFilesProps {
  /** The sealed name of the newest file; null while there is none. */
  readonly newestSealedName: string | null
}

interface FilesRailProps extends LedgerOfFilesProps {
  readonly children?: ReactNode
}

/** Beside the list: what the server can see of all this, and how much room is left. */
export function FilesRail({ newestSealedName, children }: FilesRailProps) {
  return (
    <aside className="grid min-w-0 grid-cols-1 content-start gap-4">
      <LedgerOfFiles newestSealedName={newestSealedName} />
      <StorageOfAccount />
      {children}
    </aside>
  )
}

function LedgerOfFiles({ newestSealedName }: LedgerOfFilesProps) {
  const { data: sample } = useQuery({ queryKey: ['sealed-sample'], queryFn: sealSampleName, staleTime: Infinity })
  const sealedName = newestSealedName ?? sample
  return (
    <Ledger
      intro={ledgerIntro}
      rows={ledgerEntries}
      ciphertext={sealedName ? hexLines(sealedName) : []}
      ciphertextLabel={newestSealedName ? fileWords.bytesOfNewest : fileWords.bytesOfSample}
    />
  )
}

function StorageOfAccount() {
  const { data: user } = useQuery(userInfoQuery(useCall()))
  if (!user) return null
  const { storage_used_bytes: used, storage_limit_bytes: limit } = user
  return (
    <StorageMeter
      usedBytes={used}
      totalBytes={limit}
      text={`${formatBytes(used)} of ${formatBytes(limit)}`}
      planName={licenceNames[user.license_type]}
    />
  )
}
