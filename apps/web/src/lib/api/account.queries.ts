import type { Call } from '@sallyport/client/call'
import { ApiError } from '@sallyport/client/errors'
import { accounts } from '@sallyport/contract/accounts'
import { billing, type PaidPlan } from '@sallyport/contract/billing'
import { expirationLimits } from '@sallyport/contract/limits'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { formatMinutes } from '#/strings/durations.ts'
import { useCall } from './api-context.ts'

const minute = 60_000

export const userInfoQuery = (call: Call) =>
  queryOptions({ queryKey: ['user-info'], queryFn: async () => (await call(accounts.userInfo, {})).user })

/** The beginning of the keys of all queries of subscriptions. */
export const subscriptionKey = ['subscription'] as const

/** The subscription to this plan; without one named, the personal one if there is any. */
export const subscriptionQuery = (call: Call, plan?: PaidPlan) =>
  queryOptions({
    queryKey: [...subscriptionKey, plan ?? 'any'],
    queryFn: () => call(billing.subscription, { query: plan === undefined ? {} : { plan } }),
  })

export interface ExpirationSettings {
  readonly minutes: number
  readonly choices: readonly { readonly label: string; readonly value: number }[]
}

const choicesOf = (minutes: readonly number[]) => minutes.map((value) => ({ value, label: formatMinutes(value) }))

export const settingsQuery = (call: Call) =>
  queryOptions({ queryKey: ['settings'], queryFn: () => fetchSettings(call), staleTime: 5 * minute })

/** Falls back to fixed choices for a server without settings (404). */
async function fetchSettings(call: Call): Promise<ExpirationSettings> {
  try {
    return readSettings(await call(accounts.settings, {}))
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error
    return { minutes: expirationLimits.defaultMinutes, choices: choicesOf(expirationLimits.fallbackChoiceMinutes) }
  }
}

const lastSeenKey = 'defaultExpirationMinutes'

/** The last known default lifetime, used until the server has responded. */
export function lastSeenMinutes(storage: Storage): number {
  const minutes = Number(storage.getItem(lastSeenKey))
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
  const serverChoices = expiry_options.minutes
  localStorage.setItem(lastSeenKey, String(current_expiry_minutes))
  return {
    minutes: current_expiry_minutes,
    choices: serverChoices.length > 0 ? serverChoices : choicesOf(expirationLimits.defaultChoiceMinutes),
  }
}
