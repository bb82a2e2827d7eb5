import { findChromium } from '../../../tools/system-packages.ts'
import { expectAccessible } from '../../support/browser/expect-accessible.ts'
import { expect, test } from '../../support/journey.ts'
import { directConnectionOptions } from '../../support/portals/portals.ts'

/** A device without a camera. */
const args = directConnectionOptions.args.filter((arg) => !arg.includes('fake-device'))
test.use({
  launchOptions: {
    ...directConnectionOptions,
    executablePath: findChromium(),
    args: [...args, '--use-fake-device-for-media-stream=device-count=0'],
  },
})

test('POR-02 without a camera the sheet shows a message and leads back to the code', async ({ context, server }) => {
  await context.grantPermissions(['camera'], { origin: server.url })
  const page = await context.newPage()
  await page.goto(`${server.url}/portal?anonymous=true`)

  await page.getByRole('button', { name: 'Scan QR' }).click()

  const sheet = page.getByRole('dialog', { name: 'Scan a QR code' })
  await expect(sheet.getByRole('alert')).toHaveText('No camera found. Enter the code instead.')
  await expectAccessible(page, 'the sheet without a camera')
  await page.keyboard.press('Enter')
  await expect(sheet).toHaveCount(0)
})

test('only pages of this server may ask for the camera', async ({ page, server }) => {
  const answer = await page.goto(`${server.url}/portal?anonymous=true`)

  expect(answer?.headers()['permissions-policy']).toContain('camera=(self)')
  const frames = await page.evaluate(() => {
    const policy = Reflect.get(document, 'featurePolicy') as { getAllowlistForFeature(name: string): string[] }
    return policy.getAllowlistForFeature('camera')
  })
  expect(frames).toEqual([server.url])
})
