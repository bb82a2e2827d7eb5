import { expectAccessible } from '../support/expect-accessible.ts'
import { createFakeCamera } from '../support/fake-camera.ts'
import { expect, test } from '../support/journey.ts'
import { countLive } from '../support/live-objects.ts'
import { atPortal, openPortal } from '../support/portals.ts'
import { photograph, qrCodeOf } from '../support/qr-picture.ts'

const camera = createFakeCamera()
test.use({ launchOptions: camera.launchOptions })
test.afterAll(camera.remove)

test('POR-01 POR-02 T212 the camera reads the QR code that the other device shows, and joins by its secret', async ({
  context,
  anotherBrowser,
  server,
}) => {
  const creator = await atPortal(context, server.url)
  const joiner = await atPortal(await anotherBrowser(), server.url)
  const pin = await openPortal(creator)
  camera.see(await photograph(creator.getByRole('img', { name: 'Scan to join instantly' })))
  const said: string[] = []
  joiner.on('websocket', (socket) => socket.on('framesent', ({ payload }) => said.push(String(payload))))

  await joiner.getByRole('button', { name: 'Scan QR' }).focus()
  await joiner.keyboard.press('Enter')

  for (const page of [creator, joiner]) {
    await expect(page.getByText('Verified (link)')).toBeVisible({ timeout: 30_000 })
  }
  await expect(joiner.getByRole('dialog')).toHaveCount(0)
  expect(await countLive(joiner, 'MediaStream')).toBe(0)
  expect(said.length).toBeGreaterThan(3)
  expect(said.filter((text) => text.includes(pin.slice(2)))).toEqual([])
})

test('POR-02 a QR code that leads elsewhere is refused, and the camera goes off with its sheet', async ({
  context,
  server,
}) => {
  const page = await atPortal(context, server.url)
  camera.see(qrCodeOf('https://elsewhere.example/?join=482913#k=AAAAAAAAAAAAAAAAAAAAAA'))
  const sheet = page.getByRole('dialog', { name: 'Scan a QR code' })

  await page.getByRole('button', { name: 'Scan QR' }).click()

  await expect(sheet.getByText('This QR code does not lead to a portal here.')).toBeVisible()
  expect(await countLive(page, 'MediaStream')).toBe(1)
  await expectAccessible(page, 'the camera’s sheet')
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
  await expect.poll(() => countLive(page, 'MediaStream')).toBe(0)
  await expect(page.getByRole('button', { name: 'Scan QR' })).toBeFocused()
  expect(page.url()).toBe(`${server.url}/portal?anonymous=true`)
})

test('POR-02 who does not allow the camera is told to allow it or to type the code', async ({ page, server }) => {
  await page.goto(`${server.url}/portal?anonymous=true`)
  const developer = await page.context().newCDPSession(page)
  await developer.send('Browser.setPermission', {
    origin: server.url,
    permission: { name: 'camera' },
    setting: 'denied',
  })

  await page.getByRole('button', { name: 'Scan QR' }).click()

  await expect(page.getByRole('dialog').getByRole('alert')).toHaveText(
    'The camera may not be used. Please allow the camera or type the code.',
  )
})
