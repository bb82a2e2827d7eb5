import type { OwnShare, ShareChange } from '@sallyport/client/sharing/share-link'
import { shareLimits } from '@sallyport/contract/limits'
import { type KeyboardEvent, useState } from 'react'
import { speak } from '#/api/failure.ts'
import { Select } from '#/ui/select.tsx'
import { TextField } from '#/ui/text-field.tsx'
import { useToast } from '#/ui/toast.tsx'
import { linkWords } from '#/words/links.ts'
import { useChangeShare } from './share.queries.ts'
import type { ChosenFile } from './stored-files.ts'

interface ShareOptionsPartProps {
  readonly file: ChosenFile
  readonly share: OwnShare
}

const offeredLimits = [1, 2, 3, 5, 10, 25, 100]

/** What a link allows, what its owner calls it, and how often it was used. */
export function ShareOptionsPart({ file, share }: ShareOptionsPartProps) {
  const toast = useToast()
  const changing = useChangeShare(file)
  const [label, setLabel] = useState(share.label)

  /** Told even where the sheet was closed before the answer came. */
  function change(wanted: ShareChange) {
    changing.mutateAsync(wanted).catch((error) => {
      toast({ text: speak(error, linkWords.changeFailed), tone: 'rust', urgent: true })
    })
  }

  function keepLabel() {
    const trimmed = label.trim()
    setLabel(trimmed)
    if (trimmed !== share.label) change({ label: trimmed })
  }

  function keepOnEnter(event: KeyboardEvent) {
    if (event.key === 'Enter') keepLabel()
  }

  return (
    <div className="grid items-start gap-4 border-t border-line pt-4 md:grid-cols-2">
      <Select
        label={linkWords.limit}
        value={String(share.maxDownloads ?? '')}
        options={limitOptions(share.maxDownloads)}
        onChange={({ target }) => change({ maxDownloads: target.value === '' ? null : Number(target.value) })}
      />
      <TextField
        label={linkWords.label}
        hint={linkWords.labelHint}
        placeholder={linkWords.labelExample}
        maxLength={shareLimits.labelCharacters}
        autoComplete="off"
        value={label}
        onChange={({ target }) => setLabel(target.value)}
        onBlur={keepLabel}
        onKeyDown={keepOnEnter}
      />
      <p role="status" className="text-sm text-ink-2 md:col-span-2">
        {writeUse(share)}
      </p>
    </div>
  )
}

function limitOptions(present: number | null) {
  const limits = new Set([...offeredLimits, ...(present === null ? [] : [present])])
  const sorted = [...limits].sort((one, other) => one - other)
  return [
    { value: '', label: linkWords.noLimit },
    ...sorted.map((limit) => ({ value: String(limit), label: linkWords.downloads(limit) })),
  ]
}

function writeUse({ downloads, lastDownloadAt, maxDownloads }: OwnShare): string {
  if (lastDownloadAt === null) return linkWords.notTaken
  const last = new Date(lastDownloadAt).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })
  const taken = `${linkWords.taken(downloads, last)}.`
  return maxDownloads !== null && downloads >= maxDownloads ? `${taken} ${linkWords.usedUp}` : taken
}
