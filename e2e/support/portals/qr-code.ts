import { expect, type Locator, type Page } from '@playwright/test'
import encodeQR from 'qr'
import decodeQR from 'qr/decode.js'

export interface Bitmap {
  readonly width: number
  readonly height: number
  /** RGBA, 4 bytes per pixel. */
  readonly data: Uint8Array
}

const pixelsPerCell = 8

/** Renders a QR code that a page shows as pixels. */
export async function renderQrCode(code: Locator): Promise<Bitmap> {
  const path = (await code.locator('path').getAttribute('d')) ?? ''
  const [, , cells = 0] = ((await code.getAttribute('viewBox')) ?? '').split(' ').map(Number)
  const dark = [...path.matchAll(/M(\d+) (\d+)h/g)].map(([, x, y]) => [Number(x), Number(y)] as const)
  return drawCells(cells, dark)
}

/** Renders a QR code of any text as pixels. */
export function encodeQrCode(text: string): Bitmap {
  const rows = encodeQR(text, 'raw')
  const dark = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [[x, y] as const] : [])))
  return drawCells(rows.length, dark)
}

function drawCells(cells: number, dark: readonly (readonly [x: number, y: number])[]): Bitmap {
  const sidePixels = cells * pixelsPerCell
  const data = new Uint8Array(sidePixels * sidePixels * 4).fill(255)
  for (const [left, top] of dark) {
    for (let y = 0; y < pixelsPerCell; y += 1) {
      const from = ((top * pixelsPerCell + y) * sidePixels + left * pixelsPerCell) * 4
      for (let at = from; at < from + pixelsPerCell * 4; at += 1) if (at % 4 !== 3) data[at] = 0
    }
  }
  return { width: sidePixels, height: sidePixels, data }
}

/** Reads the link in the QR code of an open portal with an independent decoder. */
export async function readPortalLink(page: Page): Promise<string> {
  const code = page.getByRole('img', { name: 'Scan to join instantly' })
  await expect(code).toBeVisible()
  return decodeQR(await renderQrCode(code))
}
