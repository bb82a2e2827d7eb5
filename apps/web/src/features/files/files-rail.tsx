import { formatBytes } from '@sallyport/contract/formats'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { PrivacySummary } from '#/components/brand/privacy-summary.tsx'
import { StorageMeter } from '#/components/brand/storage-meter.tsx'
import { userInfoQuery } from '#/lib/api/account.queries.ts'
import { useCall } from '#/lib/api/api-context.ts'
import { configQuery } from '#/lib/api/config.query.ts'
import { privacySummaryEntries, privacySummaryStrings } from '#/strings/account/privacy-summary.ts'
import { upgradeStrings } from '#/strings/account/upgrade.ts'
import { fileStrings, licenceNames } from '#/strings/files.ts'
import { encryptSampleName, hexLines } from './privacy-sample.ts'

interface FilesPrivacySummaryProps {
  /** The encrypted name of the newest file; null while there is none. */
  readonly newestEncryptedName: string | null
}

interface FilesRailProps extends FilesPrivacySummaryProps {
  readonly children?: ReactNode
}

/** The side column: what the server can see, and how much storage is left. */
export function FilesRail({ newestEncryptedName, children }: FilesRailProps) {
  return (
    <aside className="grid min-w-0 grid-cols-1 content-start gap-4">
      <FilesPrivacySummary newestEncryptedName={newestEncryptedName} />
      <AccountStorage />
      {children}
    </aside>
  )
}

function FilesPrivacySummary({ newestEncryptedName }: FilesPrivacySummaryProps) {
  const { data: sample } = useQuery({ queryKey: ['sealed-sample'], queryFn: encryptSampleName, staleTime: Infinity })
  const encryptedName = newestEncryptedName ?? sample
  return (
    <PrivacySummary
      intro={privacySummaryStrings.intro}
      rows={privacySummaryEntries()}
      ciphertext={encryptedName ? hexLines(encryptedName) : []}
      ciphertextLabel={newestEncryptedName ? fileStrings.newestNameBytes : fileStrings.sampleNameBytes}
    />
  )
}

function AccountStorage() {
  const call = useCall()
  const { data: user } = useQuery(userInfoQuery(call))
  const { data: config } = useQuery(configQuery(call))
  if (!user) return null
  const { storage_used_bytes: used, storage_limit_bytes: limit } = user
  return (
    <StorageMeter
      usedBytes={used}
      totalBytes={limit}
      text={upgradeStrings.usage(formatBytes(used), formatBytes(limit))}
      planName={config?.plans.length === 0 ? null : licenceNames[user.license_type]}
    />
  )
}
