import { chromium } from '@playwright/test'
import { guard } from '../../support/guard.ts'
import { acceptFile, atPortal, direct, joinPortal, openPortal, sendFiles } from '../../support/portals.ts'
import { makeRandomFile } from '../../support/random-file.ts'
import { expect, signUp, test } from './journey.ts'

const megabyte = 1024 * 1024

test('two people meet by a PIN, write to each other and pass a file on', async ({ openWebkit, server, folder }) => {
  const [host, guest] = [await openWebkit(), await openWebkit()]
  await signUp(host, server.url)
  await host.press('link', 'Sessions')
  await host.press('button', 'Create Session')
  const pin = await host.readText('heading', /^[1-9]\d{5}$/)
  await guest.goto(`${server.url}/#joinSession`)
  await guest.fill('PIN', pin)
  await guest.press('button', 'Join Session')
  await guest.see('Session Connected')
  for (const [from, to, words] of [
    [host, guest, 'Are you there?'],
    [guest, host, 'Here I am'],
  ] as const) {
    await from.fill('Message', words)
    await from.press('button', 'Send')
    await to.see(words)
  }

  const file = await makeRandomFile({ folder, name: 'plan.bin', bytes: 7 * megabyte })
  for (const one of [host, guest]) await one.press('tab', 'Files')
  await guest.chooseFile(file.path)
  await host.press('button', /^Download.* plan\.bin$/, 60_000)

  await host.expectSaved('plan.bin', file.sha256)
})

for (const opener of ['WebKit', 'Chromium'] as const) {
  test(`a portal that ${opener} opens joins WebKit and Chromium through the server, and files go both ways`, async ({
    openWebkit,
    server,
    folder,
    complaints,
  }) => {
    const browser = await chromium.launch({
      ...direct,
      executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    })
    const context = await browser.newContext()
    await guard(context, complaints)
    const other = await atPortal(context, server.url)
    const visitor = await openWebkit()
    await visitor.goto(`${server.url}/portal?anonymous=true`)
    if (opener === 'WebKit') {
      await visitor.press('button', 'Create Portal')
      const code = await visitor.readText('plates', /\d/)
      await joinPortal(other, code.replace(/\D/g, ''))
    } else {
      await visitor.fill('Portal code', await openPortal(other))
      await visitor.press('button', 'Join')
    }
    await expect(other.getByText('Relayed')).toBeVisible({ timeout: 40_000 })
    await visitor.see('Relayed')

    const there = await makeRandomFile({ folder, name: 'there.bin', bytes: 20 * megabyte })
    await visitor.chooseFile(there.path)
    expect((await acceptFile(other, folder)).sha256).toBe(there.sha256)
    const back = await makeRandomFile({ folder, name: 'back.bin', bytes: 20 * megabyte })
    await sendFiles(other, [back.path])
    await visitor.press('button', 'Accept', 60_000)
    await visitor.expectSaved('back.bin', back.sha256)
    await browser.close()
  })
}
