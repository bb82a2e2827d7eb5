import { settingsSavedMs } from '@sallyport/contract/limits'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type ExpirationSettings, settingsQuery, useSaveExpiration } from '#/api/account.queries.ts'
import { useCall } from '#/api/api-context.ts'
import { Banner } from '#/ui/banner.tsx'
import { Button } from '#/ui/button.tsx'
import { FormAlert } from '#/ui/form-alert.tsx'
import { Select } from '#/ui/select.tsx'
import { Skeleton } from '#/ui/skeleton.tsx'
import { useFlash } from '#/ui/use-flash.ts'
import { settingsWords } from '#/words/settings.ts'

export function ExpirationSetting() {
  const { data: settings, error, refetch } = useQuery(settingsQuery(useCall()))
  if (settings) return <ExpirationForm settings={settings} />
  if (error === null) return <Skeleton className="mt-4 h-control-large max-w-form" />
  return (
    <Banner
      tone="rust"
      urgent
      className="mt-4"
      actions={
        <Button size="compact" onClick={() => void refetch()}>
          Retry
        </Button>
      }
    >
      {settingsWords.fetchFailed}
    </Banner>
  )
}

interface ExpirationFormProps {
  readonly settings: ExpirationSettings
}

function ExpirationForm({ settings }: ExpirationFormProps) {
  const save = useSaveExpiration()
  const saved = useFlash(settingsSavedMs)
  const [chosen, setChosen] = useState<number | null>(null)
  const minutes = chosen ?? settings.minutes

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (save.isPending) return
    saved.hide()
    try {
      await save.mutateAsync(minutes)
      setChosen(null)
      saved.show()
    } catch {
      // The mutation keeps the failure, and the line above the button tells of it.
    }
  }

  return (
    <form className="mt-4 grid max-w-form gap-4" onSubmit={(event) => void submit(event)}>
      <Select
        label={settingsWords.expiration}
        hint={settingsWords.expirationHint}
        options={settings.choices.map(({ value, label }) => ({ value: String(value), label }))}
        value={String(minutes)}
        onChange={(event) => setChosen(Number(event.target.value))}
      />
      <FormAlert message={save.isError ? settingsWords.saveFailed : null} />
      <div className="flex flex-wrap items-center gap-x-3.5 gap-y-2">
        <Button type="submit" variant="primary" busy={save.isPending} busyLabel={settingsWords.saving}>
          {settingsWords.save}
        </Button>
        <p role="status" className="text-sm font-medium text-seal">
          {saved.isShown ? settingsWords.saved : null}
        </p>
      </div>
    </form>
  )
}
