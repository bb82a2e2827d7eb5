import type { OwnShare, UpdateShareInput } from '@sallyport/client/sharing/share-link'
import { shareLimits } from '@sallyport/contract/limits'
import { type KeyboardEvent, useState } from 'react'
import { isEnter } from '#/components/ui/inputs/is-enter.ts'
import { Select } from '#/components/ui/inputs/select.tsx'
import { TextField } from '#/components/ui/inputs/text-field.tsx'
import { useToast } from '#/components/ui/overlays/toast.tsx'
import { messageFor } from '#/strings/errors/message-for.ts'
import { describeShare } from '#/strings/errors/share-errors.ts'
import { formatDateTime } from '#/strings/format.ts'
import { shareLinkStrings } from '#/strings/share-links.ts'
import type { FileRef } from '../stored-files.ts'
import { useChangeShare } from './share.queries.ts'

interface ShareOptionsSectionProps {
  readonly file: FileRef
  readonly share: OwnShare
}

const offeredLimits = [1, 2, 3, 5, 10, 25, 100]

/** The download limit of a link, its private label and its usage. */
export function ShareOptionsSection({ file, share }: ShareOptionsSectionProps) {
  const toast = useToast()
  const changeShare = useChangeShare(file)
  const [label, setLabel] = useState(share.label)

  /** Shows errors by a promise, so that they appear even if the sheet was closed before the response. */
  function change(update: UpdateShareInput) {
    changeShare.mutateAsync(update).catch((error) => {
      toast({ text: messageFor(error, shareLinkStrings.changeFailed, describeShare), tone: 'rust', urgent: true })
    })
  }

  function saveLabel() {
    const trimmed = label.trim()
    setLabel(trimmed)
    if (trimmed !== share.label) change({ label: trimmed })
  }

  function saveOnEnter(event: KeyboardEvent) {
    if (isEnter(event)) saveLabel()
  }

  return (
    <div className="grid items-start gap-4 border-t border-line pt-4 md:grid-cols-2">
      <Select
        label={shareLinkStrings.limit}
        value={String(share.maxDownloads ?? '')}
        options={limitOptions(share.maxDownloads)}
        onChange={({ target }) => change({ maxDownloads: target.value === '' ? null : Number(target.value) })}
      />
      <TextField
        label={shareLinkStrings.label}
        hint={shareLinkStrings.labelHint}
        placeholder={shareLinkStrings.labelExample}
        maxLength={shareLimits.labelCharacters}
        autoComplete="off"
        value={label}
        onChange={({ target }) => setLabel(target.value)}
        onBlur={saveLabel}
        onKeyDown={saveOnEnter}
      />
      <p role="status" className="text-sm text-ink-2 md:col-span-2">
        {formatUsage(share)}
      </p>
    </div>
  )
}

function limitOptions(currentLimit: number | null) {
  const limits = new Set([...offeredLimits, ...(currentLimit === null ? [] : [currentLimit])])
  const sorted = [...limits].sort((one, other) => one - other)
  return [
    { value: '', label: shareLinkStrings.noLimit },
    ...sorted.map((limit) => ({ value: String(limit), label: shareLinkStrings.downloads(limit) })),
  ]
}

function formatUsage({ downloads, lastDownloadAt, maxDownloads }: OwnShare): string {
  if (lastDownloadAt === null) return shareLinkStrings.notDownloaded
  const last = formatDateTime(lastDownloadAt, { dateStyle: 'medium', timeStyle: 'short' })
  const usage = `${shareLinkStrings.downloaded(downloads, last)}.`
  return maxDownloads !== null && downloads >= maxDownloads ? `${usage} ${shareLinkStrings.usedUp}` : usage
}
