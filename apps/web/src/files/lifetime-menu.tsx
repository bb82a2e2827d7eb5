import { formatMinutes } from '@sallyport/contract/formats'
import { useQuery } from '@tanstack/react-query'
import { settingsQuery } from '#/api/account.queries.ts'
import { useCall } from '#/api/api-context.ts'
import { speak } from '#/api/failure.ts'
import { FileTimeLeft } from '#/file-views/file-time-left.tsx'
import { timeBand, timeBandText } from '#/motifs/time-band.ts'
import { classNames } from '#/ui/class-names.ts'
import { Menu, MenuItem, MenuText } from '#/ui/menu.tsx'
import { useToast } from '#/ui/toast.tsx'
import { fileWords } from '#/words/files.ts'
import { useChangeLifetime } from './files.queries.ts'
import type { StoredFile } from './stored-files.ts'

interface LifetimeMenuProps {
  readonly file: StoredFile
  /** Epoch milliseconds. */
  readonly now: number
}

/** The time a file has left, and behind it the lifetimes it may be given instead. */
export function LifetimeMenu({ file, now }: LifetimeMenuProps) {
  const tone = timeBandText[timeBand(file.expiresAt, now)]
  if (file.expiresAt <= now) return <FileTimeLeft expiresAt={file.expiresAt} now={now} className={tone} />
  return (
    <Menu
      align="start"
      trigger={
        <button type="button" className={classNames(triggerClass, tone)}>
          <FileTimeLeft expiresAt={file.expiresAt} now={now} />
          <span className="sr-only">, change how long {file.name} is kept</span>
        </button>
      }
    >
      <Lifetimes file={file} />
    </Menu>
  )
}

const triggerClass =
  'relative -mx-1.5 min-h-6 rounded-segment px-1.5 decoration-1 underline-offset-3 hover:underline pointer-coarse:min-h-8 ' +
  // The finger may miss the words by a little.
  'pointer-coarse:after:absolute pointer-coarse:after:-inset-y-1.5 pointer-coarse:after:inset-x-0'

function Lifetimes({ file }: Pick<LifetimeMenuProps, 'file'>) {
  const { data: settings } = useQuery(settingsQuery(useCall()))
  const change = useChangeLifetime()
  const toast = useToast()

  /** The menu has long gone when a far server answers, so nothing that ends with it may wait for that. */
  function choose(minutes: number) {
    change.mutateAsync({ id: file.id, minutes }).then(
      () => toast({ text: fileWords.lifetimeChanged(formatMinutes(minutes)), tone: 'seal' }),
      (error) => toast({ text: speak(error, fileWords.lifetimeFailed), tone: 'rust', urgent: true }),
    )
  }

  return (
    <>
      <MenuText>{fileWords.lifetimeQuestion}</MenuText>
      {settings?.choices.map(({ value, label }) => (
        <MenuItem key={value} onSelect={() => choose(value)}>
          {label}
        </MenuItem>
      ))}
    </>
  )
}
