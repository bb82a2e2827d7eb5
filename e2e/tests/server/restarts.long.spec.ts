import { setTimeout as pause } from 'node:timers/promises'
import type { Locator, Page } from '@playwright/test'
import { createAccount } from '../../support/account/account.ts'
import { openFiles } from '../../support/account/open-files.ts'
import { fileRow } from '../../support/account/users.ts'
import { saveDownload } from '../../support/files/downloads.ts'
import { makeRandomFile } from '../../support/files/random-file.ts'
import { messageCards, messageInput, openChat } from '../../support/messages.ts'
import { isNginxInstalled, nginxMissingMessage, sampleSite, startNginx } from '../../support/network/nginx.ts'
import { test as base, expect } from '../../support/network/proxied-journey.ts'
import {
  acceptFile,
  blockDirectPaths,
  connectAtPortal,
  directConnectionOptions,
  sendFiles,
} from '../../support/portals/portals.ts'
import { type ServerProcess, startServer } from '../../support/server/server.ts'
import { createSession } from '../../support/sessions.ts'

/** More than what the browser decrypts in memory. */
const storedBytes = 110_000_000
const sentBytes = 60_000_000
const afterOutage = { timeout: 480_000 }

/** `npm run journeys:restarts` stops the server for up to a minute, with and without a proxy. */
const stops = process.env['RESTART_SECONDS']
  ?.split(',')
  .map(Number)
  .flatMap((seconds) => [
    { seconds, isBehindNginx: false },
    { seconds, isBehindNginx: true },
  ]) ?? [
  { seconds: 1.5, isBehindNginx: false },
  { seconds: 5, isBehindNginx: true },
]

const trustsProxy = { TRUSTED_PROXIES: '127.0.0.1' }

const test = base.extend<{ server: ServerProcess }>({
  server: async ({ browserName: _ }, use) => {
    const server = await startServer({ environment: trustsProxy })
    await use(server)
    await server.stop()
  },
})

test.use({ launchOptions: directConnectionOptions })

/** Stops a server as a service manager does, and starts it again on the same port with the same data. */
async function restart(server: ServerProcess, seconds: number): Promise<ServerProcess> {
  server.requestStop()
  await server.ended
  await pause(seconds * 1000)
  const { port } = new URL(server.url)
  return startServer({ dataFolder: server.dataFolder, environment: { ...trustsProxy, PORT: port } })
}

for (const { seconds, isBehindNginx } of stops) {
  const place = isBehindNginx ? 'behind nginx' : 'without a proxy'
  test(`F12 FIL-09 a server that is stopped for ${seconds} s ${place} is waited for everywhere`, async ({
    page,
    context,
    anotherBrowser,
    server,
    folder,
    throughProxy,
  }) => {
    test.skip(isBehindNginx && !isNginxInstalled, nginxMissingMessage)
    test.setTimeout(600_000 + seconds * 8000)
    const { url } = isBehindNginx ? await openNginx() : server
    const account = await createAccount(server.url)
    const stored = await makeRandomFile({ folder, name: 'stored.bin', bytes: storedBytes })
    const sent = await makeRandomFile({ folder, name: 'sent.bin', bytes: sentBytes })
    const passed = await makeRandomFile({ folder, name: 'passed.bin', bytes: 20_000_000 })

    await openFiles(page, account, url)
    await page.locator('input[type=file]').first().setInputFiles(stored.path)
    await expect(fileRow(page, stored.name)).toBeVisible({ timeout: 480_000 })
    const guestContext = await anotherBrowser()
    for (const one of [context, guestContext]) await blockDirectPaths(one)
    const chat = await context.newPage()
    await chat.goto(url)
    await openChat(chat)
    const host = await context.newPage()
    await host.goto(url)
    const pin = await createSession(host)
    const guest = await joinSession(await guestContext.newPage(), url, pin)
    const [creator, joiner] = await connectAtPortal([context, guestContext], url)

    await page.locator('input[type=file]').first().setInputFiles(sent.path)
    await expect(page.getByRole('progressbar', { name: /sent\.bin/ })).toBeVisible()
    await sendFiles(creator, [passed.path])
    const received = acceptFile(joiner, folder)
    const saved = saveDownload(page, folder, () => download(page, stored.name))
    const restarting = restart(server, seconds)
    await server.ended
    for (const [where, text] of [
      [chat, 'written to oneself meanwhile'],
      [guest, 'written to the host meanwhile'],
    ] as const) {
      await messageInput(where).fill(text)
      await where.getByRole('button', { name: 'Send', exact: true }).click()
    }
    const again = await restarting
    throughProxy(again, again.kill)

    await Promise.all([
      expect(messageText(chat, 'written to oneself meanwhile')).toBeVisible(afterOutage),
      expect(messageText(host, 'written to the host meanwhile')).toBeVisible(afterOutage),
      expect(fileRow(page, sent.name)).toBeVisible(afterOutage),
      saved.then(({ sha256 }) => expect(sha256).toBe(stored.sha256)),
      received.then(({ sha256 }) => expect(sha256).toBe(passed.sha256)),
    ])
    const copy = await saveDownload(page, folder, () => download(page, sent.name))
    expect(copy.sha256).toBe(sent.sha256)

    async function openNginx() {
      const nginx = await startNginx(server.url, sampleSite())
      return throughProxy(nginx, nginx.stop)
    }
  })
}

const messageText = (page: Page, text: string): Locator => messageCards(page).getByText(text, { exact: true }).first()

const download = (page: Page, name: string): Promise<void> =>
  fileRow(page, name).getByRole('button', { name: 'Download' }).click()

async function joinSession(guest: Page, url: string, pin: string): Promise<Page> {
  await guest.goto(url)
  await guest.getByRole('tab', { name: 'Join Session' }).click()
  await guest.getByRole('textbox', { name: 'PIN' }).fill(pin)
  await guest.getByRole('button', { name: 'Join Session' }).click()
  await expect(guest.getByText('Session Connected')).toBeVisible()
  return guest
}
