import { shareFile } from '@sallyport/client/sharing/share-link'
import { files } from '@sallyport/contract/files'
import { type Account, createAccount } from '../support/account.ts'
import { makeMagicLink } from '../support/admin.ts'
import { drawScreen } from '../support/draw-screen.ts'
import { dropFiles } from '../support/drop-files.ts'
import { holdChunksFrom } from '../support/held-chunks.ts'
import { expect, test } from '../support/mail-journey.ts'
import { messageCards, openChat, sendMessage } from '../support/messages.ts'
import { dropZone, enterPassword, fileRow, signIn, signOut, uploads } from '../support/people.ts'
import { makeRandomFile } from '../support/random-file.ts'
import { askForLink, keepRecoveryKey } from '../support/recovery.ts'
import { addApp } from '../support/second-factor.ts'

test.use({ mustConfirm: false })

test('@screens landing page, files, a shared file and settings, by day and by night', async ({
  page,
  folder,
  server,
}) => {
  const account = await createAccount(server.url, 'mara@example.org')
  const link = await furnish(server.url, account)
  const moving = await makeRandomFile({ folder, name: 'site-photos.zip', bytes: 30_000_000 })

  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible()
  await drawScreen(page, 'landing')

  await page.goto(link)
  await expect(page.getByRole('button', { name: 'Download' })).toBeVisible()
  await drawScreen(page, 'share')

  await signIn(page, account)
  await expect(fileRow(page, 'walkthrough.mp4')).toBeVisible()
  await holdChunksFrom(page, 2)
  await dropFiles(page, dropZone(page), [moving.path])
  await expect(uploads(page).getByText('55%')).toBeVisible({ timeout: 60_000 })
  await drawScreen(page, 'files')

  await uploads(page).getByRole('button', { name: 'Cancel Upload' }).click()
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: 'Settings' }).click()
  await expect(page.getByRole('combobox', { name: 'File Expiration Time' })).toBeVisible()
  await drawScreen(page, 'settings')
})

test('@screens the ways in beside the password', async ({ page, server, mail }) => {
  await page.goto(await makeMagicLink(server, '--type', 'vip', '--storage-gb', '80'))
  await expect(page.getByRole('heading', { name: 'You are invited' })).toBeVisible()
  await drawScreen(page, 'invite')

  const account = await createAccount(server.url, 'mara@example.org')
  await keepRecoveryKey(account)
  await page.goto(await askForLink(page, account.email, mail))
  await expect(page.getByRole('textbox', { name: 'Recovery key' })).toBeVisible()
  await drawScreen(page, 'set-password')

  await signIn(page, account)
  await addApp(page)
  await page.reload()
  await page.getByRole('region', { name: 'Devices' }).getByText('This device', { exact: true }).scrollIntoViewIfNeeded()
  await drawScreen(page, 'security')
  await signOut(page)
  await enterPassword(page, account)
  await expect(page.getByRole('heading', { name: 'Second step' })).toBeVisible()
  await drawScreen(page, 'second-step')
})

test('@screens the plans once a trial is over', async ({ page, server }) => {
  const account = await createAccount(server.url, 'mara@example.org')
  await server.setClock(8 * 24 * 3_600_000)
  await enterPassword(page, account)
  await expect(page.getByRole('dialog', { name: 'Trial Expired - Upgrade Required' })).toBeVisible()
  await drawScreen(page, 'upgrade')
})

test('@screens the chat, and the files on a phone', async ({ page, server }) => {
  const account = await createAccount(server.url, 'mara@example.org')
  await furnish(server.url, account)
  for (const text of notes) await sendMessage(account, text)
  await signIn(page, account)
  await openChat(page)
  await expect(messageCards(page)).toHaveCount(notes.length)
  await drawScreen(page, 'chat')

  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/?tab=files')
  await expect(page.getByRole('button', { name: 'Show walkthrough.mp4' })).toBeVisible()
  await drawScreen(page, 'files-phone')
})

const notes = [
  'The surveyor comes on Thursday at nine; the key is with the neighbours.',
  'https://example.org/permits/harbour-front',
  'Ask Jonas for the drawings of the north side.\nThe ones from March, not those from May.',
]

async function furnish(origin: string, { call, accountKey, upload }: Account): Promise<string> {
  const stored = [
    { name: 'quarterly-report-final.pdf', bytes: 2_527_068, minutes: 720 },
    { name: 'facade-elevation-north.dwg', bytes: 4_812_345, minutes: 60 },
    { name: 'walkthrough.mp4', bytes: 4_998_000, minutes: 4320 },
  ]
  let id = ''
  for (const { name, bytes, minutes } of stored) {
    id = await upload(
      new File([crypto.getRandomValues(new Uint8Array(60_000)), new Uint8Array(bytes - 60_000)], name),
      minutes,
    )
  }
  const { encryptedFileKey } = await call(files.key, { params: { id } })
  return shareFile(call, { id, encryptedFileKey, accountKey, origin })
}
