import { settingsSavedMs } from '@sallyport/contract/limits'
import { useQuery } from '@tanstack/react-query'
import { lastSeenMinutes, settingsQuery, useSaveExpiration } from '#/api/account.queries.ts'
import { useCall } from '#/api/api-context.ts'
import { useToast } from '#/ui/toast.tsx'
import { settingsWords } from '#/words/settings.ts'

/** The lifetime of the next file. Until the server has told, the one this device saw last. */
export function useExpiration() {
  const toast = useToast()
  const { data: settings } = useQuery(settingsQuery(useCall()))
  const saving = useSaveExpiration()
  const minutes = saving.isPending ? saving.variables : settings?.minutes

  function save(chosen: number) {
    if (chosen === minutes) return
    saving.mutate(chosen, {
      onSuccess: () => toast({ text: settingsWords.saved, tone: 'seal', duration: settingsSavedMs }),
      onError: () => toast({ text: settingsWords.saveFailed, tone: 'rust' }),
    })
  }

  return {
    /** For the request: left out while it is not known, so that the account's own setting holds. */
    minutes,
    shownMinutes: minutes ?? lastSeenMinutes(localStorage),
    choices: settings?.choices.map(({ value }) => value) ?? [],
    save,
  }
}
