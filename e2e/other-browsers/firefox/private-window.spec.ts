import { fileRow, signUp } from '../../support/account/users.ts'
import { saveDownload } from '../../support/files/downloads.ts'
import { makeRandomFile } from '../../support/files/random-file.ts'
import { chooseFiles, expect, test } from './journey.ts'

const megabyte = 1024 * 1024

test.use({
  launchOptions: async ({ launchOptions }, use) =>
    use({ ...launchOptions, firefoxUserPrefs: { 'browser.privatebrowsing.autostart': true } }),
})

test('a private window has no OPFS and still downloads small and large files unchanged', async ({ page, folder }) => {
  await signUp(page)
  const errorName = await page.evaluate(() => navigator.storage.getDirectory().catch(({ name }: DOMException) => name))
  expect(errorName).toBe('SecurityError')

  for (const [megabytes, scheme] of [
    [3, 'blob:'],
    [6, 'http:'],
    [150, 'http:'],
  ] as const) {
    const file = await makeRandomFile({ folder, name: `${megabytes}.bin`, bytes: megabytes * megabyte })
    await chooseFiles(page, [file.path])
    await expect(fileRow(page, file.name)).toBeVisible({ timeout: 60_000 })
    const started = page.waitForEvent('download')
    const download = () => page.getByRole('button', { name: `Download ${file.name}` }).click()
    expect((await saveDownload(page, folder, download)).sha256).toBe(file.sha256)
    expect(new URL((await started).url()).protocol).toBe(scheme)
  }
})
