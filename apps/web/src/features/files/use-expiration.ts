import { settingsSavedMs } from '@sallyport/contract/limits'
import { useQuery } from '@tanstack/react-query'
import { useToast } from '#/components/ui/overlays/toast.tsx'
import { lastSeenMinutes, settingsQuery, useSaveExpiration } from '#/lib/api/account.queries.ts'
import { useCall } from '#/lib/api/api-context.ts'
import { settingsStrings } from '#/strings/account/settings.ts'

/** The lifetime of new files; until the settings are loaded, the one that this device last used. */
export function useExpiration() {
  const toast = useToast()
  const { data: settings } = useQuery(settingsQuery(useCall()))
  const saveExpiration = useSaveExpiration()
  const minutes = saveExpiration.isPending ? saveExpiration.variables : settings?.minutes

  function save(chosen: number) {
    if (chosen === minutes) return
    saveExpiration.mutate(chosen, {
      onSuccess: () => toast({ text: settingsStrings.saved, tone: 'seal', duration: settingsSavedMs }),
      onError: () => toast({ text: settingsStrings.saveFailed, tone: 'rust' }),
    })
  }

  return {
    /** Undefined until the settings are loaded; the request then omits it and the account's setting applies. */
    minutes,
    shownMinutes: minutes ?? lastSeenMinutes(localStorage),
    choices: settings?.choices.map(({ value }) => value) ?? [],
    save,
  }
}
