import { jumpDeviceClock, setDeviceClock } from '../../support/browser/device-clock.ts'
import { makeRandomFile } from '../../support/files/random-file.ts'
import { expect, test } from '../../support/journey.ts'
import { acceptFile, connectAtPortal, directConnectionOptions, sendFiles } from '../../support/portals/portals.ts'

const hour = 3_600_000

test.use({ launchOptions: directConnectionOptions })

test('POR-05 a portal between devices with wrong clocks works, also after both clocks were set', async ({
  context,
  anotherBrowser,
  server,
  folder,
}) => {
  const other = await anotherBrowser()
  await setDeviceClock(context, hour / 10)
  await setDeviceClock(other, -3 * hour)
  const [creator, joiner] = await connectAtPortal([context, other], server.url)

  const file = await makeRandomFile({ folder, name: 'across.bin', bytes: 3_000_000 })
  await sendFiles(creator, [file.path])
  const timer = joiner.getByRole('alertdialog').getByRole('timer')
  await expect(timer).toBeVisible()
  await jumpDeviceClock(creator, -3 * hour)
  await jumpDeviceClock(joiner, 3 * hour)
  await expect(timer).toHaveAccessibleName(/^(2\d|1\d) seconds left to answer$/)
  const saved = await acceptFile(joiner, folder)

  expect(saved.sha256).toBe(file.sha256)
  for (const page of [creator, joiner]) await expect(page.getByRole('button', { name: 'Send File' })).toBeVisible()
})
