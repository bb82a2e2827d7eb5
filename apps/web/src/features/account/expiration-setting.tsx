import { settingsSavedMs } from '@sallyport/contract/limits'
import { useQuery } from '@tanstack/react-query'
import { useForm } from '#/components/forms/use-form.ts'
import { Loaded } from '#/components/parts/loaded.tsx'
import { Button } from '#/components/ui/button.tsx'
import { classNames } from '#/components/ui/class-names.ts'
import { useFlash } from '#/components/ui/hooks/use-flash.ts'
import { Form } from '#/components/ui/inputs/form.tsx'
import { FormAlert } from '#/components/ui/inputs/form-alert.tsx'
import { Select } from '#/components/ui/inputs/select.tsx'
import { type ExpirationSettings, settingsQuery, useSaveExpiration } from '#/lib/api/account.queries.ts'
import { useCall } from '#/lib/api/api-context.ts'
import { settingsStrings } from '#/strings/account/settings.ts'

export const ExpirationSetting = () => (
  <Loaded
    query={useQuery(settingsQuery(useCall()))}
    failed={settingsStrings.fetchFailed}
    describeError={() => settingsStrings.fetchFailed}
    skeletonClassName="h-control-large max-w-form"
    className="mt-4"
  >
    {(settings) => <ExpirationForm settings={settings} />}
  </Loaded>
)

interface ExpirationFormProps {
  readonly settings: ExpirationSettings
}

function ExpirationForm({ settings }: ExpirationFormProps) {
  const save = useSaveExpiration()
  const saved = useFlash(settingsSavedMs)
  const form = useForm<{ readonly selected: number | null }>({
    initial: { selected: null },
    async onSubmit() {
      saved.hide()
      await save.mutateAsync(minutes)
      form.setValue('selected', null)
      saved.show()
    },
    describeError: () => settingsStrings.saveFailed,
  })
  const minutes = form.values.selected ?? settings.minutes
  const isChanged = minutes !== settings.minutes

  return (
    <Form form={form} className="mt-4 grid max-w-form gap-4">
      <Select
        label={settingsStrings.expiration}
        hint={settingsStrings.expirationHint}
        options={settings.choices.map(({ value, label }) => ({ value: String(value), label }))}
        value={String(minutes)}
        onChange={(event) => form.setValue('selected', Number(event.target.value))}
      />
      <FormAlert message={form.messages.form} />
      <div className="flex flex-wrap items-center gap-x-3.5 gap-y-2">
        <Button
          type="submit"
          variant={isChanged ? 'primary' : 'secondary'}
          busy={form.isBusy}
          busyLabel={settingsStrings.saving}
        >
          {settingsStrings.save}
        </Button>
        <p role="status" className={classNames('text-sm font-medium', saved.isShown ? 'text-seal' : 'text-ink-2')}>
          {saved.isShown ? settingsStrings.saved : null}
          {!saved.isShown && isChanged ? settingsStrings.unsaved : null}
        </p>
      </div>
    </Form>
  )
}
