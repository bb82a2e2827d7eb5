import { useQuery } from '@tanstack/react-query'
import { timeBand, timeBandText } from '#/components/brand/time-band.ts'
import { FileTimeLeft } from '#/components/files/file-time-left.tsx'
import { visibleFileName } from '#/components/names/visible-file-name.ts'
import { classNames } from '#/components/ui/class-names.ts'
import { Menu, MenuItem, MenuText } from '#/components/ui/overlays/menu.tsx'
import { useToast } from '#/components/ui/overlays/toast.tsx'
import { settingsQuery } from '#/lib/api/account.queries.ts'
import { useCall } from '#/lib/api/api-context.ts'
import { formatMinutes } from '#/strings/durations.ts'
import { messageFor } from '#/strings/errors/message-for.ts'
import { fileStrings } from '#/strings/files.ts'
import { useChangeLifetime } from './files.queries.ts'
import type { StoredFile } from './stored-files.ts'

interface LifetimeMenuProps {
  readonly file: StoredFile
  /** Epoch milliseconds. */
  readonly now: number
}

/** Shows the remaining lifetime of a file, with a menu to change it. */
export function LifetimeMenu({ file, now }: LifetimeMenuProps) {
  const tone = timeBandText[timeBand(file.expiresAt, now)]
  if (file.expiresAt <= now) return <FileTimeLeft expiresAt={file.expiresAt} now={now} className={tone} />
  return (
    <Menu
      align="start"
      trigger={
        <button type="button" className={classNames(triggerClass, tone)}>
          <FileTimeLeft expiresAt={file.expiresAt} now={now} />
          <span className="sr-only">{fileStrings.changeLifetime(visibleFileName(file.name))}</span>
        </button>
      }
    >
      <LifetimeChoices file={file} />
    </Menu>
  )
}

const triggerClass =
  'relative -mx-1.5 min-h-6 rounded-segment px-1.5 decoration-1 underline-offset-3 hover:underline pointer-coarse:min-h-8 ' +
  // A larger touch target than the text.
  'pointer-coarse:after:absolute pointer-coarse:after:-inset-y-1.5 pointer-coarse:after:inset-x-0'

function LifetimeChoices({ file }: Pick<LifetimeMenuProps, 'file'>) {
  const { data: settings } = useQuery(settingsQuery(useCall()))
  const change = useChangeLifetime()
  const toast = useToast()

  /** Uses a promise, because callbacks of the mutation are dropped when the menu unmounts before the response. */
  function choose(minutes: number) {
    change.mutateAsync({ id: file.id, minutes }).then(
      () => toast({ text: fileStrings.lifetimeChanged(formatMinutes(minutes)), tone: 'seal' }),
      (error) => toast({ text: messageFor(error, fileStrings.lifetimeFailed), tone: 'rust', urgent: true }),
    )
  }

  return (
    <>
      <MenuText>{fileStrings.lifetimeQuestion}</MenuText>
      {settings?.choices.map(({ value, label }) => (
        <MenuItem key={value} onSelect={() => choose(value)}>
          {label}
        </MenuItem>
      ))}
    </>
  )
}
