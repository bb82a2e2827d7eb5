import type { Page } from '@playwright/test'
import { createAccount } from '../../support/account/account.ts'
import { reauthAfterMs } from '../../support/account/security.ts'
import { startSmsGateway } from '../../support/account/sms-gateway.ts'
import { holdChunksFrom } from '../../support/files/hold-chunks.ts'
import { makeRandomFile } from '../../support/files/random-file.ts'
import { expect, test as journey } from '../../support/journey.ts'
import { allowBytes, directConnectionOptions, holdFileData, readCode } from '../../support/portals/portals.ts'
import { createScreenCheck, signInWith, usePseudoLocale } from '../../support/pseudo-locale.ts'
import { startServer } from '../../support/server/server.ts'

const fileName = '2026.bin'
const phone = '+491701234567'
const megabyte = 1024 * 1024

/** Journeys against a server that can send text messages. */
const test = journey.extend({
  server: async ({ browserName: _ }, use) => {
    const gateway = await startSmsGateway()
    const server = await startServer({ environment: { SMS_URL: gateway.url } })
    await use(server)
    await server.stop()
    await gateway.stop()
  },
})

test.use({ launchOptions: directConnectionOptions })

test('no dialog of the settings shows a text that cannot be translated', async ({ page, context, server }) => {
  const strings = await usePseudoLocale(context, 'en-XA')
  const account = await createAccount(server.url)
  const { check, found } = createScreenCheck(page, [account.email, phone, '+49 170 1234567'])
  const button = (key: string) => page.getByRole('button', { name: strings(key), exact: true })
  await signInWith(page, strings, account)
  await page.goto('/settings')
  await expect(page.getByText(strings('security.thisDevice'), { exact: true })).toBeVisible()

  await test.step('upgrade', async () => {
    await button('upgrade.upgradeShort').click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await check('upgrade')
    await button('upgrade.cancel').click()
  })

  await test.step('subscription', async () => {
    await button('upgrade.upgradeShort').click()
    await button('upgrade.subscribe').click()
    await expect(button('checkout.decline')).toBeVisible()
    await check('checkout')
    await page.getByRole('button', { name: /10\.00/ }).click()
    await expect(page.getByRole('link', { name: strings('checkout.goNow') })).toBeVisible()
    await check('after the payment')
    await page.goto('/settings')
    await button('subscription.cancel').click()
    await check('cancellation')
    await button('subscription.confirmCancel').click()
    await expect(page.getByText(strings('subscription.endingSoon'), { exact: true })).toBeVisible()
    await check('subscription')
  })

  await test.step('recovery key', async () => {
    await button('security.createRecovery').click()
    await expect(page.getByRole('list', { name: strings('security.keyGroups') })).toBeVisible()
    await check('recovery key')
    await button('security.savedConfirmation').click()
    await expect(button('security.confirm')).toBeVisible()
    await page.getByRole('dialog').getByRole('textbox').fill('0000')
    await button('security.confirm').click()
    await expect(page.getByRole('alert')).toBeVisible()
    await check('confirmation of the recovery key')
    await button('security.back').click()
    await button('security.cancel').click()
  })

  await test.step('phone number', async () => {
    await button('mfa.addPhone').click()
    await check('phone number')
    await page.getByRole('textbox', { name: strings('mfa.phoneNumber') }).fill(phone)
    await button('mfa.next').click()
    await expect(page.getByRole('textbox', { name: strings('mfa.code') })).toBeVisible()
    await page.getByRole('textbox', { name: strings('mfa.code') }).fill('000000')
    await button('mfa.turnOn').click()
    await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible()
    await check('code of the phone number')
    await page.keyboard.press('Escape')
  })

  await test.step('password', async () => {
    await server.setClock(reauthAfterMs)
    await button('mfa.addApp').click()
    await button('mfa.next').click()
    await expect(page.getByRole('dialog', { name: strings('reauthentication.title') })).toBeVisible()
    await page.getByLabel(strings('reauthentication.password'), { exact: true }).last().fill('0000')
    await button('reauthentication.confirm').click()
    await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible()
    await check('confirmation of the password')
    await button('reauthentication.cancel').click()
  })

  await test.step('unlock', async () => {
    const other = await context.newPage()
    await page.close()
    const screen = createScreenCheck(other, [account.email])
    await other.goto('/')
    await expect(other.getByText(strings('unlock.explanation'))).toBeVisible()
    await screen.check('unlock')
    expect(screen.found).toEqual([])
  })

  expect(found).toEqual([])
})

test('no running or failed transfer shows a text that cannot be translated', async ({
  page,
  context,
  folder,
  server,
}) => {
  const strings = await usePseudoLocale(context, 'en-XA')
  const account = await createAccount(server.url)
  const { check, found } = createScreenCheck(page, [account.email, fileName])
  await signInWith(page, strings, account)
  const release = await holdChunksFrom(page, 1)
  const { path } = await makeRandomFile({ folder, name: fileName, bytes: 20 * megabyte })
  await page.locator('input[type=file]').first().setInputFiles([path, path])
  await expect(page.getByRole('progressbar').first()).toBeVisible()
  await check('running upload')
  await page
    .getByRole('button', { name: strings('transfer.cancelUpload') })
    .first()
    .click()
  release()
  await expect(page.getByText(strings('transfer.states.cancelled')).first()).toBeVisible()
  await check('cancelled upload')
  expect(found).toEqual([])
})

test('no connected portal shows a text that cannot be translated', async ({ context, anotherBrowser, folder }) => {
  await holdFileData(context)
  const other = await anotherBrowser()
  const strings = await usePseudoLocale(context, 'en-XA')
  await usePseudoLocale(other, 'en-XA')
  const [sender, receiver] = [await context.newPage(), await other.newPage()]
  const screens = [sender, receiver].map((page) => createScreenCheck(page, [fileName, 'Linux', 'Chrome']))
  const checkBoth = async (screen: string) => {
    for (const { check } of screens) await check(screen)
  }
  const button = (page: Page, key: string) => page.getByRole('button', { name: strings(key), exact: true })
  for (const page of [sender, receiver]) await page.goto('/portal?anonymous=true')

  await button(sender, 'portalAccess.createTitle').click()
  await expect(sender.getByText(strings('portalScreen.waiting'))).toBeVisible()
  await receiver.getByRole('textbox', { name: strings('portalAccess.pin') }).fill(await readCode(sender))
  await button(receiver, 'portalAccess.join').click()
  await expect(sender.getByText(strings('portalScreen.deviceConnected'))).toBeVisible()
  await expect(receiver.getByText(strings('portalScreen.ready'))).toBeVisible()
  await checkBoth('connected portal')

  const { path } = await makeRandomFile({ folder, name: fileName, bytes: 20 * megabyte })
  await allowBytes(sender, 10 * megabyte)
  const [chooser] = await Promise.all([
    sender.waitForEvent('filechooser'),
    button(sender, 'portalScreen.sendFile').click(),
  ])
  await chooser.setFiles(path)
  await expect(button(receiver, 'portalScreen.accept')).toBeVisible()
  await checkBoth('offer')
  await button(receiver, 'portalScreen.accept').click()
  await expect(receiver.getByRole('progressbar')).toBeVisible()
  await checkBoth('running transfer')
  await allowBytes(sender, 100 * megabyte)
  await expect(receiver.getByText(strings('portalScreen.complete')).first()).toBeVisible()
  await checkBoth('complete transfer')
  await button(sender, 'portalScreen.close').click()
  await expect(receiver.getByText(strings('portalScreen.closedByOther')).first()).toBeVisible()
  await checkBoth('closed portal')

  expect(screens.flatMap(({ found }) => found)).toEqual([])
})
