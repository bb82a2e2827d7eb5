import { expectAccessible } from '../../support/browser/expect-accessible.ts'
import { createFakeCamera } from '../../support/browser/fake-camera.ts'
import { countLive } from '../../support/browser/live-objects.ts'
import { expect, test } from '../../support/journey.ts'
import { openPortal, openPortalPage } from '../../support/portals/portals.ts'
import { encodeQrCode, renderQrCode } from '../../support/portals/qr-code.ts'

const camera = createFakeCamera()
test.use({ launchOptions: camera.launchOptions })
test.afterAll(camera.remove)

test('POR-01 POR-02 T212 the camera scans the QR code of the other device and joins by its secret', async ({
  context,
  anotherBrowser,
  server,
}) => {
  const creator = await openPortalPage(context, server.url)
  const joiner = await openPortalPage(await anotherBrowser(), server.url)
  const pin = await openPortal(creator)
  camera.showPicture(await renderQrCode(creator.getByRole('img', { name: 'Scan to join instantly' })))
  const sentFrames: string[] = []
  joiner.on('websocket', (socket) => socket.on('framesent', ({ payload }) => sentFrames.push(String(payload))))

  await joiner.getByRole('button', { name: 'Scan QR' }).focus()
  await joiner.keyboard.press('Enter')

  for (const page of [creator, joiner]) {
    await expect(page.getByText('Verified (link)')).toBeVisible()
  }
  await expect(joiner.getByRole('dialog')).toHaveCount(0)
  expect(await countLive(joiner, 'MediaStream')).toBe(0)
  expect(sentFrames.length).toBeGreaterThan(3)
  expect(sentFrames.filter((text) => text.includes(pin.slice(2)))).toEqual([])
})

test('POR-02 a QR code of another site is rejected, and closing the sheet turns the camera off', async ({
  context,
  server,
}) => {
  const page = await openPortalPage(context, server.url)
  camera.showPicture(encodeQrCode('https://elsewhere.example/?join=482913#k=AAAAAAAAAAAAAAAAAAAAAA'))
  const sheet = page.getByRole('dialog', { name: 'Scan a QR code' })

  await page.getByRole('button', { name: 'Scan QR' }).click()

  await expect(sheet.getByText('This QR code isn’t for a portal on this server.')).toBeVisible()
  expect(await countLive(page, 'MediaStream')).toBe(1)
  await expectAccessible(page, 'the camera’s sheet')
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
  await expect.poll(() => countLive(page, 'MediaStream')).toBe(0)
  await expect(page.getByRole('button', { name: 'Scan QR' })).toBeFocused()
  expect(page.url()).toBe(`${server.url}/portal?anonymous=true`)
})

test('POR-02 a denied camera permission is explained: allow it or type the code', async ({ page, server }) => {
  await page.goto(`${server.url}/portal?anonymous=true`)
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Browser.setPermission', {
    origin: server.url,
    permission: { name: 'camera' },
    setting: 'denied',
  })

  await page.getByRole('button', { name: 'Scan QR' }).click()

  await expect(page.getByRole('dialog').getByRole('alert')).toHaveText(
    'Camera access is blocked. Allow it in your browser, or enter the code.',
  )
})
