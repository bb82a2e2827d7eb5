import { dropFiles } from '../../support/browser/drop-files.ts'
import { expectAccessible } from '../../support/browser/expect-accessible.ts'
import { makeRandomFile } from '../../support/files/random-file.ts'
import { expect, test } from '../../support/journey.ts'
import {
  acceptFile,
  directConnectionOptions,
  joinPortal,
  openPortalPage,
  readCode,
} from '../../support/portals/portals.ts'

test.use({ launchOptions: directConnectionOptions })

test('POR-01 POR-04 files chosen before a portal is created are offered once the other device connects', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  const creator = await openPortalPage(context, server.url)
  const joiner = await openPortalPage(await anotherBrowser(), server.url)
  const file = await makeRandomFile({ folder, name: 'contract.pdf', bytes: 100_000 })

  const [chooser] = await Promise.all([
    creator.waitForEvent('filechooser'),
    creator.getByRole('button', { name: 'Choose Files First' }).click(),
  ])
  await chooser.setFiles(file.path)
  await expect(creator.getByText('To be sent when another device connects: contract.pdf')).toBeVisible()
  await expectAccessible(creator, 'a portal with queued files')
  await joinPortal(joiner, await readCode(creator))

  expect((await acceptFile(joiner, folder)).sha256).toBe(file.sha256)
  await expect(creator.getByText('contract.pdf')).toHaveCount(0)
})

test('POR-01 a file dropped on the landing page opens a portal for it; closing the portal forgets it', async ({
  page,
  anotherBrowser,
  folder,
  server,
}) => {
  const file = await makeRandomFile({ folder, name: 'contract.pdf', bytes: 100_000 })
  await page.goto(server.url)
  await expect(page.getByRole('heading', { name: 'Portal Access' })).toBeVisible()

  await page.evaluate(() => dispatchEvent(new DragEvent('dragenter')))
  await expect(page.locator('.drop-overlay')).toBeAttached()
  await dropFiles(page, page.locator('body'), [file.path])
  await expect(page.getByText('To be sent when another device connects: contract.pdf')).toBeVisible()
  const joiner = await openPortalPage(await anotherBrowser(), server.url)
  await joinPortal(joiner, await readCode(page))
  expect((await acceptFile(joiner, folder)).sha256).toBe(file.sha256)

  await page.getByRole('button', { name: 'Close Portal' }).first().click()
  await page.goto(`${server.url}/portal?anonymous=true`)
  // Only a rendered page handles drops.
  await expect(page.getByRole('button', { name: 'Choose Files First' })).toBeVisible()
  await dropFiles(page, page.locator('body'), [file.path])
  await expect(page.getByText('To be sent when another device connects: contract.pdf')).toBeVisible()
  await page.getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('contract.pdf')).toHaveCount(0)
})
