import type { Call } from '@sallyport/client/call'
import { ApiError } from '@sallyport/client/errors'
import { accounts } from '@sallyport/contract/accounts'
import { formatMinutes } from '@sallyport/contract/formats'
import { expirationLimits } from '@sallyport/contract/limits'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useCall } from './api-context.ts'

const minute = 60_000

export const userInfoQuery = (call: Call) =>
  queryOptions({ queryKey: ['user-info'], queryFn: async () => (await call(accounts.userInfo, {})).user })

export interface ExpirationSettings {
  readonly minutes: number
  readonly choices: readonly { readonly label: string; readonly value: number }[]
}

const choicesOf = (minutes: readonly number[]) => minutes.map((value) => ({ value, label: formatMinutes(value) }))

export const settingsQuery = (call: Call) =>
  queryOptions({ queryKey: ['settings'], queryFn: () => fetchSettings(call), staleTime: 5 * minute })

/** A server without settings (404) gets the choices that are written down for that case. */
async function fetchSettings(call: Call): Promise<ExpirationSettings> {
  try {
    return readSettings(await call(accounts.settings, {}))
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error
    return { minutes: expirationLimits.defaultMinutes, choices: choicesOf(expirationLimits.fallbackChoiceMinutes) }
  }
}

const lastSeenName = 'defaultExpirationMinutes'

/** The lifetime this device was last told, for the moment before the server has answered. */
export function lastSeenMinutes(storage: Storage): number {
  const minutes = Number(storage.getItem(lastSeenName))
  return Number.isInteger(minutes) && minutes > 0 ? minutes : expirationLimits.defaultMinutes
}

export function useSaveExpiration() {
  const call = useCall()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (minutes: number) =>
      readSettings(await call(accounts.saveSettings, { body: { defaultExpirationMinutes: minutes } })),
    onSuccess: (settings) => queries.setQueryData(settingsQuery(call).queryKey, settings),
  })
}

type SettingsReply = Awaited<ReturnType<typeof callSettings>>
const callSettings = (call: Call) => call(accounts.settings, {})

function readSettings({ current_expiry_minutes, expiry_options }: SettingsReply): ExpirationSettings {
  const offered = expiry_options.minutes
  localStorage.setItem(lastSeenName, String(current_expiry_minutes))
  return {
    minutes: current_expiry_minutes,
    choices: offered.length > 0 ? offered : choicesOf(expirationLimits.defaultChoiceMinutes),
  }
}
