import { randomBytes } from 'node:crypto'
import type { Page } from './devtools.ts'
import type { Stage } from './stage.ts'
import { ticketOf } from './stored.ts'

export interface PlainFile {
  readonly fileId: string
  /** Good for sharing the file; nothing opens it. */
  readonly shareEnvelope: string
}

/** Sends the bytes of the file that the page's own input holds, as they are, in slices. */
export async function uploadPlain({ account, page }: Stage, plainBytes: number, inFlight: number): Promise<PlainFile> {
  const ticket = await ticketOf(plainBytes)
  const headers = {
    authorization: `Bearer ${account.accessToken}`,
    'x-upload-id': randomBytes(16).toString('base64url'),
    'x-file-name': ticket.name,
    'x-encrypted-file-key': ticket.envelope,
    'x-chunk-size': String(ticket.chunkBytes),
  }
  const fileId = await sendSlices(page, {
    headers,
    sliceBytes: ticket.sealedChunkBytes,
    chunkBytes: ticket.chunkBytes,
    inFlight,
  })
  return { fileId, shareEnvelope: ticket.shareEnvelope }
}

/** Sends the same bytes as the body of one request, as a browser does it by itself. */
export async function postPlain({ account, page }: Stage, plainBytes: number): Promise<void> {
  const ticket = await ticketOf(plainBytes)
  const headers = {
    authorization: `Bearer ${account.accessToken}`,
    'content-type': 'application/octet-stream',
    'x-file-name': ticket.name,
    'x-encrypted-file-key': ticket.envelope,
  }
  await page.run(async (headers) => {
    const body = document.querySelector<HTMLInputElement>('#yardstick')?.files?.[0] ?? null
    const response = await fetch('/api/upload', { method: 'POST', headers, body })
    if (!response.ok) throw new Error(await response.text())
  }, headers)
}

interface Slices {
  readonly headers: Readonly<Record<string, string>>
  readonly sliceBytes: number
  readonly chunkBytes: number
  readonly inFlight: number
}

function sendSlices(page: Page, slices: Slices): Promise<string> {
  return page.run(async ({ headers, sliceBytes, chunkBytes, inFlight }) => {
    const file = document.querySelector<HTMLInputElement>('#yardstick')?.files?.[0]
    if (!file) throw new Error('No file was chosen')
    const count = Math.ceil(file.size / sliceBytes)
    let next = 0
    const lane = async () => {
      while (next < count) {
        const index = next
        next += 1
        const response = await fetch('/api/upload-chunk', {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/octet-stream', 'x-chunk-index': String(index) },
          body: file.slice(index * sliceBytes, (index + 1) * sliceBytes),
        })
        if (!response.ok) throw new Error(await response.text())
      }
    }
    await Promise.all(Array.from({ length: inFlight }, lane))
    const response = await fetch('/api/complete-chunk-upload', {
      method: 'POST',
      headers: { authorization: headers['authorization'] ?? '', 'content-type': 'application/json' },
      body: JSON.stringify({
        uploadId: headers['x-upload-id'],
        fileName: headers['x-file-name'],
        encryptedFileKey: headers['x-encrypted-file-key'],
        totalChunks: count,
        chunkSize: chunkBytes,
      }),
    })
    if (!response.ok) throw new Error(await response.text())
    return String((await response.json()).fileId)
  }, slices)
}

/** Gives the page an input of our own, beside the product's, that holds the file. */
export async function chooseYardstick(page: Page, path: string): Promise<void> {
  await page.run(() => {
    const input = document.createElement('input')
    input.type = 'file'
    input.id = 'yardstick'
    input.hidden = true
    document.body.append(input)
  })
  await page.chooseFiles('#yardstick', [path])
}
