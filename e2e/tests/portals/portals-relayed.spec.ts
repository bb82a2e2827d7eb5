import { openNewAccount } from '../../support/account/open-files.ts'
import { expectAccessible } from '../../support/browser/expect-accessible.ts'
import { makeRandomFile } from '../../support/files/random-file.ts'
import { expect, test } from '../../support/journey.ts'
import {
  acceptFile,
  connectAtPortal,
  directConnectionOptions,
  openPortal,
  openPortalPage,
  sendFiles,
} from '../../support/portals/portals.ts'

test.use({ launchOptions: directConnectionOptions })

for (const [action, legacyIndex] of [
  ['creates', 0],
  ['joins', 1],
] as const) {
  test(`POR-04 a browser without WebRTC ${action} a portal, and files are relayed encrypted both ways`, async ({
    context,
    anotherBrowser,
    folder,
    server,
  }) => {
    const contexts = [context, await anotherBrowser()] as const
    await contexts[legacyIndex].addInitScript(() => Reflect.deleteProperty(window, 'RTCPeerConnection'))
    const [creator, joiner] = await connectAtPortal(contexts, server.url)
    await expect(creator.getByText('Relayed')).toBeVisible()

    for (const [from, to] of [
      [creator, joiner],
      [joiner, creator],
    ] as const) {
      const file = await makeRandomFile({ folder, name: 'relayed.bin', bytes: 3_000_000 })
      await sendFiles(from, [file.path])
      expect((await acceptFile(to, folder)).sha256).toBe(file.sha256)
    }
  })
}

test('SHL-04 POR-07 when signed in, a link with a code opens Portal, and an unknown code shows an error', async ({
  page,
}) => {
  await openNewAccount(page)

  await page.goto('/?join=482913')

  await expect(page.getByRole('link', { name: 'Portal' })).toHaveAttribute('aria-current', 'page')
  await expect(page.getByRole('alert').getByText('Failed to join room')).toBeVisible()
  expect(page.url()).not.toContain('join')
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('POR-11 POR-01 the code field accepts only digits, and every screen is accessible', async ({
  context,
  server,
}) => {
  const page = await openPortalPage(context, server.url)
  const code = page.getByRole('textbox', { name: 'Portal code' })
  const join = page.getByRole('button', { name: 'Join', exact: true })
  await code.fill('12a34-5')
  await expect(code).toHaveValue('12345')
  await expect(join).toBeDisabled()
  await code.press('Enter')
  await code.fill('1234567')
  await expect(join).toBeDisabled()
  await code.fill('123456789')
  await expect(code).toHaveValue('12345678')
  await code.fill('123456')
  await expect(join).toBeEnabled()
  await expectAccessible(page, 'the portal’s menu')

  const pin = await openPortal(page)
  expect(pin).toMatch(/^\d{6}$/)
  await expect(page.getByRole('img', { name: 'Scan to join instantly' })).toBeVisible()
  await expect(page.getByText('Waiting for another device to join')).toBeVisible()
  await expect(page.getByText('Device Connected!')).toHaveCount(0)
  await expectAccessible(page, 'an open portal')
})
