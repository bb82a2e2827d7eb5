import { chromium } from '@playwright/test'
import { findChromium } from '../../../tools/system-packages.ts'
import { watchForErrors } from '../../support/browser/guard.ts'
import { makeRandomFile } from '../../support/files/random-file.ts'
import {
  acceptFile,
  directConnectionOptions,
  joinPortal,
  openPortal,
  openPortalPage,
  sendFiles,
} from '../../support/portals/portals.ts'
import { expect, signUp, test } from './journey.ts'

const megabyte = 1024 * 1024

test('two users join a session by PIN, chat and share a file', async ({ openWebkit, server, folder }) => {
  const [host, guest] = [await openWebkit(), await openWebkit()]
  await signUp(host, server.url)
  await host.click('link', 'Sessions')
  await host.click('button', 'Create Session')
  const pin = await host.readText('heading', /^[1-9]\d{5}$/)
  await guest.goto(`${server.url}/#joinSession`)
  await guest.fill('PIN', pin)
  await guest.click('button', 'Join Session')
  await guest.expectText('Session Connected')
  for (const [from, to, text] of [
    [host, guest, 'Are you there?'],
    [guest, host, 'Here I am'],
  ] as const) {
    await from.fill('Message', text)
    await from.click('button', 'Send')
    await to.expectText(text)
  }

  const file = await makeRandomFile({ folder, name: 'plan.bin', bytes: 7 * megabyte })
  for (const one of [host, guest]) await one.click('tab', 'Files')
  await guest.chooseFile(file.path)
  await host.click('button', /^Download.* plan\.bin$/, 60_000)

  await host.expectSaved('plan.bin', file.sha256)
})

for (const opener of ['WebKit', 'Chromium'] as const) {
  test(`a portal opened in ${opener} connects WebKit and Chromium through the server and transfers files both ways`, async ({
    openWebkit,
    server,
    folder,
    pageErrors,
  }) => {
    const browser = await chromium.launch({
      ...directConnectionOptions,
      executablePath: findChromium(),
    })
    const context = await browser.newContext()
    await watchForErrors(context, pageErrors)
    const other = await openPortalPage(context, server.url)
    const visitor = await openWebkit()
    await visitor.goto(`${server.url}/portal?anonymous=true`)
    if (opener === 'WebKit') {
      await visitor.click('button', 'Create Portal')
      const code = await visitor.readText('plates', /\d/)
      await joinPortal(other, code.replace(/\D/g, ''))
    } else {
      await visitor.fill('Portal code', await openPortal(other))
      await visitor.click('button', 'Join')
    }
    await expect(other.getByText('Relayed')).toBeVisible({ timeout: 40_000 })
    await visitor.expectText('Relayed')

    const firstFile = await makeRandomFile({ folder, name: 'there.bin', bytes: 20 * megabyte })
    await visitor.chooseFile(firstFile.path)
    expect((await acceptFile(other, folder)).sha256).toBe(firstFile.sha256)
    const secondFile = await makeRandomFile({ folder, name: 'back.bin', bytes: 20 * megabyte })
    await sendFiles(other, [secondFile.path])
    await visitor.click('button', 'Accept', 60_000)
    await visitor.expectSaved('back.bin', secondFile.sha256)
    await browser.close()
  })
}
