import { backupLimits, type LatestBackup } from '@sallyport/contract/admin-backup'
import { formatBytes } from '@sallyport/contract/formats'
import { day } from '@sallyport/contract/units'
import { Name } from '#/components/names/name.tsx'
import { Banner } from '#/components/ui/banner.tsx'
import { useNow } from '#/lib/use-now.ts'
import { adminBackupStrings as strings } from '#/strings/admin/backup.ts'
import { formatNumber } from '#/strings/format.ts'
import { TimeAgo } from '../times.tsx'
import { Detail, DetailList } from '../user/detail-list.tsx'

interface LatestBackupDetailsProps {
  readonly latest: LatestBackup | null
  /** False if the server cannot read the folder. */
  readonly isReadable: boolean
  readonly folder: string
}

const ageRefreshMs = 30_000

/** The last backup, and a warning if there is none or an old one. */
export function LatestBackupDetails({ latest, isReadable, folder }: LatestBackupDetailsProps) {
  return (
    <>
      <AgeWarning latest={latest} isReadable={isReadable} />
      <div className="mt-2">
        <DetailList>
          <Detail label={strings.last}>{latest ? <TimeAgo time={latest.time} /> : strings.never}</Detail>
          {latest ? (
            <>
              <Detail label={strings.size}>
                <span className="num">{formatBytes(latest.bytes)}</span>
              </Detail>
              <Detail label={strings.files}>
                {latest.has_files ? <span className="num">{formatNumber(latest.files)}</span> : strings.withoutFiles}
              </Detail>
              <Detail label={strings.secrecy}>{latest.is_sealed ? strings.sealed : strings.plain}</Detail>
            </>
          ) : null}
          <Detail label={strings.folder}>
            <code className="num">
              <Name>{folder}</Name>
            </code>
          </Detail>
        </DetailList>
      </div>
    </>
  )
}

function AgeWarning({ latest, isReadable }: Omit<LatestBackupDetailsProps, 'folder'>) {
  const now = useNow(ageRefreshMs)
  if (!isReadable) return <Warning tone="rust">{strings.unreadable}</Warning>
  if (latest === null) return <Warning tone="rust">{strings.none}</Warning>
  if (now - latest.time <= backupLimits.oldMs) return null
  return <Warning tone="brass">{strings.old(backupLimits.oldMs / day)}</Warning>
}

const Warning = ({ tone, children }: { readonly tone: 'rust' | 'brass'; readonly children: string }) => (
  <Banner tone={tone} className="mt-3">
    {children}
  </Banner>
)
