import type { Page } from '@playwright/test'
import { moveClocks } from '../browser/move-clocks.ts'
import type { RunningServer } from '../server/server.ts'
import { accessTokenOf } from './users.ts'

export const minute = 60_000
export const elapsedMs = 3 * 60 * minute - 4 * minute

/** Opens the dialog 4 minutes before the auth session ends. */
export async function openDialog(page: Page, server: RunningServer) {
  await moveClocks(page, server, { aheadMs: elapsedMs, byMs: elapsedMs })
  await page.getByRole('button', { name: 'Stay signed in' }).click()
  return page.getByRole('dialog', { name: 'Stay signed in' })
}

/** The tokens may be refreshed; the id of their auth session stays the same. */
export const storedSession = async (page: Page) => ({
  sessionId: readClaims(await accessTokenOf(page))['session_id'],
  ...(await page.evaluate(() => ({
    expiresAtMs: JSON.parse(localStorage.getItem('sessionPolicy') ?? '{}').expiresAtMs,
    masterKey: sessionStorage.getItem('masterKey'),
    accountKey: sessionStorage.getItem('accountKey'),
  }))),
})

const readClaims = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
