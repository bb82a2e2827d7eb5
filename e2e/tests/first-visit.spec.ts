import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { shareFile } from '@sallyport/client/sharing/share-link'
import { files } from '@sallyport/contract/files'
import { createAccount } from '../support/account.ts'
import { expect, test } from '../support/journey.ts'

const kilobyte = 1024
const built = fileURLToPath(new URL('../../apps/web/dist', import.meta.url))

test('a first visit loads at most 140 KB of scripts for a shared file, and 170 KB for the landing page', async ({
  page,
  server,
  anotherBrowser,
}) => {
  const { call, accountKey, upload } = await createAccount(server.url)
  const id = await upload(new File(['eleven byte'], 'minutes.txt'))
  const { encryptedFileKey } = await call(files.key, { params: { id } })
  const link = await shareFile(call, { id, encryptedFileKey, accountKey, origin: server.url })

  const shared = watchScripts(page)
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'minutes.txt' })).toBeVisible()
  await page.waitForLoadState('networkidle')

  const stranger = await (await anotherBrowser()).newPage()
  const landing = watchScripts(stranger)
  await stranger.goto(server.url)
  await expect(stranger.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible()
  await stranger.waitForLoadState('networkidle')

  expect(packedBytes(shared)).toBeGreaterThan(50 * kilobyte)
  expect(packedBytes(shared)).toBeLessThanOrEqual(140 * kilobyte)
  expect(packedBytes(landing)).toBeLessThanOrEqual(170 * kilobyte)
})

function watchScripts(watched: Page): ReadonlySet<string> {
  const asked = new Set<string>()
  watched.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.endsWith('.js')) asked.add(pathname)
  })
  return asked
}

/** As gzip packs them, so that the figure does not hang on what a browser accepts. */
const packedBytes = (scripts: ReadonlySet<string>): number =>
  [...scripts].reduce((sum, path) => sum + statSync(`${built}${path}.gz`).size, 0)
