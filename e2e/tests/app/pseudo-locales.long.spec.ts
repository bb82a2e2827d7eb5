import type { Page } from '@playwright/test'
import { shareFile } from '@sallyport/client/sharing/share-link'
import { files } from '@sallyport/contract/files'
import { type Account, createAccount } from '../../support/account/account.ts'
import { expect, test } from '../../support/journey.ts'
import { sendMessage } from '../../support/messages.ts'
import { createScreenCheck, type PseudoStrings, signInWith, usePseudoLocale } from '../../support/pseudo-locale.ts'

const fileName = '2026.pdf'
const message = '12:30'

test('no screen shows a text that cannot be translated', async ({ page, context, server }) => {
  const strings = await usePseudoLocale(context, 'en-XA')
  const account = await createAccount(server.url)
  const link = await share(server.url, account)
  await sendMessage(account, message)
  const { check, found } = createScreenCheck(page, [
    account.email,
    fileName,
    message,
    link.replace(/#.*|^https?:\/\//g, ''),
    'Anonymous',
  ])
  const button = (key: string) => page.getByRole('button', { name: strings(key), exact: true })
  const tab = (key: string) => page.getByRole('tab', { name: strings(key), exact: true })

  await test.step('signed out', () => visitSignedOut(page, strings, { link, check }))
  await signInWith(page, strings, account)

  await test.step('files', async () => {
    await expect(page.getByText(fileName).first()).toBeVisible()
    await check('files')
    for (const name of [strings('shareLink.title'), strings('file.change')]) {
      await page.getByRole('button', { name }).first().click()
      await expect(page.locator('[role=dialog], [role=menu]').first()).toBeVisible()
      await check(name)
      await page.keyboard.press('Escape')
      await expect(page.locator('[role=dialog], [role=menu]')).toHaveCount(0)
    }
    await button('file.deleteAll').click()
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await check('delete dialog')
    await page.keyboard.press('Escape')
    await page
      .getByRole('button', { name: strings('shell.account', { initials: account.email.slice(0, 2).toUpperCase() }) })
      .click()
    await expect(page.getByRole('menu')).toBeVisible()
    await check('account menu')
    await page.keyboard.press('Escape')
  })

  await test.step('chat', async () => {
    await page.getByRole('link', { name: strings('shell.areaNames.chat') }).click()
    await expect(page.getByRole('log').getByText(message).first()).toBeVisible()
    await check('chat')
  })

  await test.step('portals', async () => {
    await page.getByRole('link', { name: strings('shell.areaNames.portal') }).click()
    await expect(button('portalAccess.createTitle')).toBeVisible()
    await check('portal menu')
    await button('portalAccess.createTitle').click()
    await expect(page.getByText(strings('portalScreen.opened')).first()).toBeVisible()
    await check('open portal')
    await button('portalScreen.close').click()
  })

  await test.step('sessions', async () => {
    await page.getByRole('link', { name: strings('shell.areaNames.sessions') }).click()
    await expect(button('session.create')).toBeVisible()
    await check('sessions menu')
    await button('session.create').click()
    await expect(button('session.leave')).toBeVisible()
    await check('session chat')
    await tab('session.files').click()
    await check('session files')
    for (const key of ['session.invite', 'session.settings']) {
      await button(key).click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await check(key)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
    }
    await button('session.leave').click()
  })

  await test.step('settings', async () => {
    await page.goto('/settings')
    await expect(page.getByText(strings('security.thisDevice'), { exact: true })).toBeVisible()
    await check('settings')
    await button('mfa.addApp').click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await check('authenticator app')
  })

  expect(found).toEqual([])
})

interface VisitOptions {
  readonly link: string
  readonly check: (screen: string) => Promise<void>
}

async function visitSignedOut(page: Page, strings: PseudoStrings, { link, check }: VisitOptions): Promise<void> {
  const show = async (path: string, key: string) => {
    await page.goto(path)
    await expect(page.getByText(strings(key)).first()).toBeVisible()
    await check(path.replace(/#.*/, ''))
  }
  await show('/', 'landing.lead')
  await page.getByRole('button', { name: strings('landing.serverSees') }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await check('privacy summary')
  await page.keyboard.press('Escape')
  await page.getByRole('tab', { name: strings('landing.signUp') }).click()
  await expect(page.getByRole('button', { name: strings('signUp.startTrial') })).toBeVisible()
  await check('plans')
  await page.getByRole('button', { name: strings('signUp.startTrial') }).click()
  await page.getByLabel(strings('controls.password'), { exact: true }).fill('1234567')
  await page.getByLabel(strings('signUp.confirmPassword'), { exact: true }).fill('7654321')
  await expect(page.getByText(strings('password.noMatchYet'))).toBeVisible()
  await check('sign-up')
  await page.getByRole('tab', { name: strings('landing.joinSession') }).click()
  await expect(page.getByText(strings('session.noAccount'))).toBeVisible()
  await check('join session')
  await show('/#forgot', 'passwordReset.title')
  await show('/auth/confirm?error_code=otp_expired&error_description=0', 'confirm.failedTitle')
  await show('/set-password', 'setPassword.missing')
  await show('/invite/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 'invite.invalid')
  await show('/upgrade?plan=business', 'upgrade.pageTeams')
  await show('/upgrade-success?plan=personal', 'checkout.signIn')
  await show('/business-success', 'businessSignUp.done')
  await show('/checkout/test/tcs_unknown', 'checkout.unknown')
  await show('/portal?anonymous=true', 'portalAccess.createTitle')
  await show('/nowhere', 'crash.routeTitle')
  await show(link, 'share.downloadHint')
  await show(link.replace(/#.*/, ''), 'share.keyMissing')
  await show(
    link.replace(/(?<=\/s\/)[^#]/, (first) => (first === 'A' ? 'B' : 'A')),
    'share.mayHaveExpired',
  )
}

test('screens written from right to left do not scroll sideways at 320 px', async ({ page, context, server }) => {
  const strings = await usePseudoLocale(context, 'en-XB')
  const account = await createAccount(server.url)
  const link = await share(server.url, account)
  await page.setViewportSize({ width: 320, height: 720 })
  const tooWide: string[] = []
  const check = async (screen: string) => {
    expect(await page.evaluate(() => document.documentElement.dir)).toBe('rtl')
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    if (excess > 0) tooWide.push(`${screen} by ${excess} px`)
  }

  await page.goto(link)
  await expect(page.getByText(strings('share.downloadHint'))).toBeVisible()
  await check('share')
  await page.goto('/')
  await expect(page.getByText(strings('landing.lead'))).toBeVisible()
  await check('landing')
  await signInWith(page, strings, account)
  await expect(page.getByText(fileName).first()).toBeVisible()
  await check('files')
  for (const [area, key] of [
    ['chat', 'chat.emptyTitle'],
    ['portal', 'portalAccess.createTitle'],
    ['sessions', 'session.createLead'],
  ] as const) {
    await page.getByRole('link', { name: strings(`shell.areaNames.${area}`) }).click()
    await expect(page.getByText(strings(key)).first()).toBeVisible()
    await check(area)
  }
  await page.goto('/settings')
  await expect(page.getByText(strings('security.thisDevice'), { exact: true })).toBeVisible()
  await check('settings')
  expect(tooWide).toEqual([])
})

async function share(origin: string, { call, accountKey, upload }: Account): Promise<string> {
  const id = await upload(new File(['x'], fileName), 60)
  const { encryptedFileKey } = await call(files.key, { params: { id } })
  return shareFile(call, { id, encryptedFileKey, accountKey, origin })
}
