import { shareFile } from '@sallyport/client/sharing/share-link'
import { files } from '@sallyport/contract/files'
import { lastPartOf } from '@sallyport/crypto'
import { type Account, createAccount } from '../../support/account/account.ts'
import { openFiles } from '../../support/account/open-files.ts'
import { fileRow } from '../../support/account/users.ts'
import { saveDownload } from '../../support/files/downloads.ts'
import { expect, test } from '../../support/journey.ts'

const markup = [
  '<img src=x onerror=alert(1)>.png',
  '"><script>alert(2)</script>.txt',
  "'-alert(3)-'.html",
  'javascript:alert(4)',
  '</title><svg onload=alert(5)>.svg',
  '{{constructor.constructor("alert(6)")()}}.xml',
]

const unsafeNames: readonly { readonly name: string; readonly shown?: string; readonly saved: RegExp }[] = [
  // The browser adds an extension to a text file without one.
  { name: '../../etc/passwd', saved: /^passwd(\.txt)?$/ },
  { name: '..\\..\\boot.ini', saved: /^[^/\\]*boot\.ini$/ },
  { name: 'invoice\u202efdp.exe', shown: 'invoice[U+202E]fdp.exe', saved: /^[^\u202e]*\.exe$/ },
  { name: 'null\u0000byte.txt', shown: 'null[U+0000]byte.txt', saved: /^\P{Cc}*byte\.txt$/u },
  { name: 'CON', saved: /^(?!CON$).+/i },
  { name: 'trailing dot.', saved: /[^.]$/ },
  { name: 'naïve 文件 🗝️.txt', saved: /^naïve 文件 🗝️\.txt$/ },
]

test('T173 T185 markup in names stays text in the list, in dialogs, in titles and on share pages', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    return dialog.dismiss()
  })
  for (const name of markup) await account.upload(new File(['x'], name), 60)
  await openFiles(page, account)

  for (const name of markup) await expect(fileRow(page, lastPartOf(name))).toHaveCount(1)
  await fileRow(page, lastPartOf(markup[0] ?? ''))
    .getByRole('button', { name: 'Delete' })
    .click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  for (const [index, link] of (await createShareLinks(server.url, account)).entries()) {
    await page.goto(link)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(lastPartOf(markup.toReversed()[index] ?? ''))
  }

  expect(dialogs).toEqual([])
})

test('T040 names with path syntax are shown without folders and saved under a safe name', async ({
  page,
  folder,
  server,
}) => {
  const account = await createAccount(server.url)
  for (const { name } of unsafeNames) await account.upload(new File(['x'], name), 60)

  for (const [index, link] of (await createShareLinks(server.url, account)).entries()) {
    const { name, shown = lastPartOf(name), saved } = unsafeNames.toReversed()[index] ?? { name: '', saved: /$^/ }
    await page.goto(link)
    await expect(page.getByRole('button', { name: 'Download' })).toBeVisible()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(shown)

    const download = await saveDownload(page, folder, () => page.getByRole('button', { name: 'Download' }).click())

    expect(download.name).toMatch(saved)
  }
})

test('T178 active documents are downloaded, never displayed', async ({ page, folder, server }) => {
  const account = await createAccount(server.url)
  const scripts = [
    new File(['<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'], 'picture.svg', {
      type: 'image/svg+xml',
    }),
    new File(['<script>alert(2)</script>'], 'page.html', { type: 'text/html' }),
  ]
  for (const file of scripts) await account.upload(file, 60)

  for (const [index, link] of (await createShareLinks(server.url, account)).entries()) {
    await page.goto(link)
    const saved = await saveDownload(page, folder, () => page.getByRole('button', { name: 'Download' }).click())

    expect(saved.name).toBe(scripts.toReversed()[index]?.name)
    expect(page.url()).toBe(link)
    await expect(page.getByText('Saved to your downloads')).toBeVisible()
  }
})

/** Share links of all files, newest first. */
async function createShareLinks(origin: string, { call, accountKey }: Account): Promise<string[]> {
  const { files: listed } = await call(files.list, {})
  return Promise.all(
    listed.map(({ id, encryptedFileKey }) => shareFile(call, { id, encryptedFileKey, accountKey, origin })),
  )
}
