import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { shareFile } from '@sallyport/client/sharing/share-link'
import { files } from '@sallyport/contract/files'
import { createAccount } from '../../support/account/account.ts'
import { recordScripts } from '../../support/browser/page-start.ts'
import { expect, test } from '../../support/journey.ts'

const kilobyte = 1024
const webBuild = fileURLToPath(new URL('../../../apps/web/dist', import.meta.url))

test('a first visit loads at most 140 KB of scripts for a shared file, and 170 KB for the landing page', async ({
  page,
  server,
  anotherBrowser,
}) => {
  const { call, accountKey, upload } = await createAccount(server.url)
  const id = await upload(new File(['eleven byte'], 'minutes.txt'))
  const { encryptedFileKey } = await call(files.key, { params: { id } })
  const link = await shareFile(call, { id, encryptedFileKey, accountKey, origin: server.url })

  const shareScripts = recordScripts(page)
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'minutes.txt' })).toBeVisible()
  await shareScripts.waitUntilLoaded()

  const anonymousPage = await (await anotherBrowser()).newPage()
  const landingScripts = recordScripts(anonymousPage)
  await anonymousPage.goto(server.url)
  await expect(anonymousPage.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible()
  await landingScripts.waitUntilLoaded()

  expect(gzipBytes(shareScripts.paths)).toBeGreaterThan(50 * kilobyte)
  expect(gzipBytes(shareScripts.paths)).toBeLessThanOrEqual(140 * kilobyte)
  expect(gzipBytes(landingScripts.paths)).toBeLessThanOrEqual(170 * kilobyte)
})

/** The gzip size, so that the result does not depend on the encodings that a browser accepts. */
const gzipBytes = (scripts: ReadonlySet<string>): number =>
  [...scripts].reduce((sum, path) => sum + statSync(`${webBuild}${path}.gz`).size, 0)
