import { shareFile } from '@sallyport/client/sharing/share-link'
import { files } from '@sallyport/contract/files'
import { type Account, createAccount } from '../../support/account/account.ts'
import { createMagicLink } from '../../support/account/admin.ts'
import { expect, test } from '../../support/account/mail-journey.ts'
import { addAuthenticatorApp } from '../../support/account/mfa.ts'
import { openFiles } from '../../support/account/open-files.ts'
import { followRecoveryLink, requestRecoveryLink, saveRecoveryKey } from '../../support/account/recovery.ts'
import { dropZone, enterPassword, fileRow, signOut, uploads } from '../../support/account/users.ts'
import { dropFiles } from '../../support/browser/drop-files.ts'
import { saveScreenshots } from '../../support/browser/save-screenshots.ts'
import { holdChunksFrom } from '../../support/files/hold-chunks.ts'
import { makeRandomFile } from '../../support/files/random-file.ts'
import { messageCards, openChat, sendMessage } from '../../support/messages.ts'

test.use({ verifyAddresses: false })

test('@screens landing page, files, a shared file and settings in the light and the dark theme', async ({
  page,
  folder,
  server,
}) => {
  const account = await createAccount(server.url, 'mara@example.org')
  const link = await uploadSampleFiles(server.url, account)
  const moving = await makeRandomFile({ folder, name: 'site-photos.zip', bytes: 30_000_000 })

  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible()
  await saveScreenshots(page, 'landing')

  await page.goto(link)
  await expect(page.getByRole('button', { name: 'Download' })).toBeVisible()
  await saveScreenshots(page, 'share')

  await openFiles(page, account)
  await expect(fileRow(page, 'walkthrough.mp4')).toBeVisible()
  await holdChunksFrom(page, 2)
  await dropFiles(page, dropZone(page), [moving.path])
  await expect(uploads(page).getByText('55%')).toBeVisible({ timeout: 240_000 })
  await saveScreenshots(page, 'files')

  await uploads(page).getByRole('button', { name: 'Cancel Upload' }).click()
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: 'Settings' }).click()
  await expect(page.getByRole('combobox', { name: 'File Expiration Time' })).toBeVisible()
  await saveScreenshots(page, 'settings')
})

test('@screens an invitation, password recovery, security settings and two-factor sign-in', async ({
  page,
  server,
  mail,
}) => {
  await page.goto(await createMagicLink(server, '--type', 'vip', '--storage-gb', '80'))
  await expect(page.getByRole('heading', { name: 'You’re invited' })).toBeVisible()
  await saveScreenshots(page, 'invite')

  const account = await createAccount(server.url, 'mara@example.org')
  await saveRecoveryKey(account)
  await followRecoveryLink(page, await requestRecoveryLink(page, account.email, mail))
  await expect(page.getByRole('textbox', { name: 'Recovery key' })).toBeVisible()
  await saveScreenshots(page, 'set-password')

  await openFiles(page, account)
  await addAuthenticatorApp(page)
  await page.reload()
  await page.getByRole('region', { name: 'Devices' }).getByText('This device', { exact: true }).scrollIntoViewIfNeeded()
  await saveScreenshots(page, 'security')
  await signOut(page)
  await enterPassword(page, account)
  await expect(page.getByRole('heading', { name: 'Two-factor authentication' })).toBeVisible()
  await saveScreenshots(page, 'second-step')
})

test('@screens the plans after a trial has expired', async ({ page, server }) => {
  const account = await createAccount(server.url, 'mara@example.org')
  await server.setClock(8 * 24 * 3_600_000)
  await enterPassword(page, account)
  await expect(page.getByRole('dialog', { name: 'Trial Expired - Upgrade Required' })).toBeVisible()
  await saveScreenshots(page, 'upgrade')
})

test('@screens the chat, and the files on a phone', async ({ page, server }) => {
  const account = await createAccount(server.url, 'mara@example.org')
  await uploadSampleFiles(server.url, account)
  for (const text of chatTexts) await sendMessage(account, text)
  await openFiles(page, account)
  await openChat(page)
  await expect(messageCards(page)).toHaveCount(chatTexts.length)
  await saveScreenshots(page, 'chat')

  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/?tab=files')
  await expect(page.getByRole('button', { name: 'Show walkthrough.mp4' })).toBeVisible()
  await saveScreenshots(page, 'files-phone')
})

const chatTexts = [
  'The surveyor comes on Thursday at nine; the key is with the neighbours.',
  'https://example.org/permits/harbour-front',
  'Ask Jonas for the drawings of the north side.\nThe ones from March, not those from May.',
]

async function uploadSampleFiles(origin: string, { call, accountKey, upload }: Account): Promise<string> {
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
