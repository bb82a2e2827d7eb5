import { basename, join } from 'node:path'
import { createAccount } from '../support/account.ts'
import { dropFiles } from '../support/drop-files.ts'
import { test as base, expect } from '../support/journey.ts'
import { signIn } from '../support/people.ts'
import { makeRandomFile } from '../support/random-file.ts'
import { startServer } from '../support/server.ts'
import {
  createSession,
  joinAsStranger,
  leaveButton,
  log,
  said,
  say,
  sessionFile,
  sessionZone,
  showFiles,
} from '../support/sessions.ts'
import { stepUntilVisible, stopTime } from '../support/stopped-time.ts'
import { filesBelow } from '../support/stored-files.ts'

const minute = 60_000

/** A server whose jobs come round sixty times as often. */
const test = base.extend({
  server: async ({ browserName: _ }, use) => {
    const server = await startServer({ longWaitsShorter: 60 })
    await use(server)
    await server.stop()
  },
})

base(
  'SES-06 a message is on the other screen within 300 ms, in the median of 50',
  async ({ page, server, anotherBrowser }) => {
    await signIn(page, await createAccount(server.url))
    const pin = await createSession(page)
    const stranger = await (await anotherBrowser({ baseURL: server.url })).newPage()
    await joinAsStranger(stranger, pin)
    await say(page, 'first of all')
    await expect(said(stranger, 'first of all')).toBeVisible()
    await stranger.evaluate(() => {
      const shown: Record<string, number> = {}
      Reflect.set(window, 'shown', shown)
      new MutationObserver(() => {
        for (const item of document.querySelectorAll('[role=log] li')) {
          const name = /number \d+\./.exec(item.textContent)?.[0]
          if (name !== undefined) shown[name] ??= Date.now()
        }
      }).observe(document.body, { childList: true, subtree: true, characterData: true })
    })

    const taken: number[] = []
    for (let count = 1; count <= 50; count += 1) {
      const name = `number ${count}.`
      await page.getByRole('textbox', { name: 'Message' }).fill(name)
      const sentAt = await page.getByRole('button', { name: 'Send', exact: true }).evaluate((button: HTMLElement) => {
        const now = Date.now()
        button.click()
        return now
      })
      await stranger.waitForFunction((key) => key in (Reflect.get(window, 'shown') as object), name)
      const shownAt = await stranger.evaluate(
        (key) => (Reflect.get(window, 'shown') as Record<string, number>)[key],
        name,
      )
      taken.push((shownAt ?? Number.POSITIVE_INFINITY) - sentAt)
      // Five a second are allowed.
      await page.waitForTimeout(Math.max(0, 210 - (taken.at(-1) ?? 0)))
    }
    const median = taken.toSorted((one, other) => one - other)[25] ?? Number.POSITIVE_INFINITY
    console.log(`a message takes ${median} ms to the other screen, in the median of 50`)
    expect(median).toBeLessThan(300)
  },
)

base(
  'SES-06 SES-10 without a live channel, messages and files are there within eight seconds',
  async ({ page, server, folder, anotherBrowser }) => {
    await signIn(page, await createAccount(server.url))
    const pin = await createSession(page)
    const context = await anotherBrowser({ baseURL: server.url })
    await context.routeWebSocket(/\/api\/live/, (socket) => socket.close())
    await context.clock.install()
    const stranger = await context.newPage()
    await joinAsStranger(stranger, pin)
    await expect(stranger.getByText('No messages yet')).toBeVisible()
    await stopTime(stranger)
    await say(page, 'by asking')
    await expect(said(page, 'by asking')).toBeVisible()
    await expect(said(page, 'by asking').getByText('Sending…')).toHaveCount(0)
    await stranger.clock.runFor(8000)
    await stepUntilVisible(said(stranger, 'by asking'))
    await stranger.clock.resume()
    await showFiles(stranger)
    await expect(stranger.getByText('No files yet')).toBeVisible()
    await showFiles(page)
    await stopTime(stranger)
    const file = await makeRandomFile({ folder, name: 'asked.bin', bytes: 50_000 })
    await dropFiles(page, sessionZone(page), [file.path])
    await expect(sessionFile(page, 'asked.bin')).toBeVisible()
    await stranger.clock.runFor(8000)
    await stepUntilVisible(sessionFile(stranger, 'asked.bin'))
  },
)

test('SES-04 a session whose creator is gone without a word ends a quarter of an hour later, and its bytes with it', async ({
  page,
  server,
  folder,
  anotherBrowser,
}) => {
  const empty = objectsOf(server.dataFolder)
  await signIn(page, await createAccount(server.url))
  const creator = page.context()
  const pin = await createSession(page)
  const stranger = await (await anotherBrowser({ baseURL: server.url })).newPage()
  await joinAsStranger(stranger, pin)
  await showFiles(page)
  const file = await makeRandomFile({ folder, name: 'gone.bin', bytes: 6_000_000 })
  await dropFiles(page, sessionZone(page), [file.path])
  await showFiles(stranger)
  await expect(sessionFile(stranger, 'gone.bin')).toBeVisible()
  expect(objectsOf(server.dataFolder)).toBeGreaterThan(empty)

  await creator.close()
  await server.setClock(14 * minute)
  await stranger.getByRole('tab', { name: 'Chat' }).click()
  await say(stranger, 'still here')
  await expect(said(stranger, 'still here')).toBeVisible()
  await server.setClock(16 * minute)
  await expect(stranger.getByText('The session was closed')).toBeVisible({ timeout: 20_000 })
  await expect(log(stranger)).toHaveCount(0)
  await expect(leaveButton(stranger)).toHaveCount(0)
  await expect.poll(() => objectsOf(server.dataFolder), { timeout: 20_000 }).toBe(empty)
})

/** Files that lie in the volumes. */
const objectsOf = (dataFolder: string): number =>
  filesBelow(join(dataFolder, 'volumes')).filter((path) => !basename(path).startsWith('.')).length
