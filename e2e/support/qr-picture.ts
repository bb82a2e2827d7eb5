import { expect, type Locator, type Page } from '@playwright/test'
import encodeQR from 'qr'
import decodeQR from 'qr/decode.js'

export interface Picture {
  readonly width: number
  readonly height: number
  /** Four bytes for each point. */
  readonly data: Uint8Array
}

const cellPoints = 8

/** What a camera would see of a QR code that a page shows. */
export async function photograph(code: Locator): Promise<Picture> {
  const path = (await code.locator('path').getAttribute('d')) ?? ''
  const [, , cells = 0] = ((await code.getAttribute('viewBox')) ?? '').split(' ').map(Number)
  const dark = [...path.matchAll(/M(\d+) (\d+)h/g)].map(([, x, y]) => [Number(x), Number(y)] as const)
  return draw(cells, dark)
}

/** A QR code of anything, as somebody may hold it in front of a camera. */
export function qrCodeOf(text: string): Picture {
  const rows = encodeQR(text, 'raw')
  const dark = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [[x, y] as const] : [])))
  return draw(rows.length, dark)
}

function draw(cells: number, dark: readonly (readonly [x: number, y: number])[]): Picture {
  const side = cells * cellPoints
  const data = new Uint8Array(side * side * 4).fill(255)
  for (const [left, top] of dark) {
    for (let y = 0; y < cellPoints; y += 1) {
      const from = ((top * cellPoints + y) * side + left * cellPoints) * 4
      for (let at = from; at < from + cellPoints * 4; at += 1) if (at % 4 !== 3) data[at] = 0
    }
  }
  return { width: side, height: side, data }
}

/** The link in the QR code of an open portal, read with eyes of its own. */
export async function readLink(page: Page): Promise<string> {
  const code = page.getByRole('img', { name: 'Scan to join instantly' })
  await expect(code).toBeVisible()
  return decodeQR(await photograph(code))
}
