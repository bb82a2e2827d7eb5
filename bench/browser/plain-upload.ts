import { randomBytes } from 'node:crypto'
import { chunkBytesFor } from '@sallyport/contract/limits'
import {
  createFileHeader,
  createFileKey,
  deriveFileKeys,
  type FileHeader,
  sealedBytes,
  sealedSizeOf,
  sealName,
  standardRecordBytes,
  wrapFileKey,
} from '@sallyport/crypto'
import type { RandomFile } from '../../e2e/support/files/random-file.ts'
import type { Page } from '../lib/devtools.ts'
import type { BenchEnvironment } from '../lib/workbench.ts'

/** A file that is sent unencrypted under the headers of a sealed one: the server validates only its lengths. */
export interface PlainFile extends RandomFile {
  readonly header: FileHeader
  readonly headers: {
    readonly authorization: string
    readonly 'content-type': string
    readonly 'x-file-name': string
    readonly 'x-encrypted-file-key': string
  }
}

/** Creates a file with the length of the sealed form of a file of `plainBytes`. */
export async function createPlainFile({ account, makeFile }: BenchEnvironment, plainBytes: number): Promise<PlainFile> {
  const header = createFileHeader({ kind: 'personal', plainBytes })
  const fileKey = createFileKey()
  const keys = await deriveFileKeys(fileKey, header)
  const headers = {
    authorization: `Bearer ${account.accessToken}`,
    'content-type': 'application/octet-stream',
    'x-file-name': await sealName({ name: 'plain.bin', mimeType: '', lastModified: 0 }, keys),
    'x-encrypted-file-key': await wrapFileKey({ fileKey, keys, root: account.accountKey, wrapType: 'account' }),
  }
  return { ...(await makeFile(`plain-${plainBytes}.bin`, sealedBytes(header))), header, headers }
}

const picker = '#plain'

/** Selects the file in an extra file input, next to the page's own. */
async function selectFile(page: Page, { path }: PlainFile): Promise<void> {
  await page.run((picker) => {
    document.querySelector(picker)?.remove()
    document.body.append(Object.assign(document.createElement('input'), { type: 'file', id: picker.slice(1) }))
  }, picker)
  await page.chooseFiles(picker, [path])
}

/** Sends the whole file as the body of one request; resolves to the seconds. */
export async function postWhole(page: Page, file: PlainFile): Promise<number> {
  await selectFile(page, file)
  return page.run(
    async (picker, headers) => {
      const body = document.querySelector<HTMLInputElement>(picker)?.files?.[0] ?? null
      const startedAt = performance.now()
      const response = await fetch('/api/upload', { method: 'POST', headers, body })
      if (!response.ok) throw new Error(await response.text())
      return (performance.now() - startedAt) / 1000
    },
    picker,
    file.headers,
  )
}

/** Sends the file in slices of the sealed chunk size, `inFlight` at a time; resolves to the seconds. */
export async function postSlices(page: Page, file: PlainFile, inFlight: number): Promise<number> {
  await selectFile(page, file)
  const chunkBytes = chunkBytesFor(file.header.plainBytes)
  const slices = {
    picker,
    inFlight,
    chunkBytes,
    sliceBytes: sealedSizeOf(chunkBytes, standardRecordBytes),
    headers: {
      ...file.headers,
      'x-upload-id': randomBytes(16).toString('base64url'),
      'x-chunk-size': String(chunkBytes),
    },
  }
  return page.run(async ({ picker, inFlight, chunkBytes, sliceBytes, headers }) => {
    const file = document.querySelector<HTMLInputElement>(picker)?.files?.[0]
    if (!file) throw new Error('No file was chosen')
    const count = Math.ceil(file.size / sliceBytes)
    let next = 0
    const sendSlices = async () => {
      while (next < count) {
        const index = next
        next += 1
        const body = file.slice(index * sliceBytes, (index + 1) * sliceBytes)
        const chunkHeaders = { ...headers, 'x-chunk-index': String(index) }
        const response = await fetch('/api/upload-chunk', { method: 'POST', headers: chunkHeaders, body })
        if (!response.ok) throw new Error(await response.text())
      }
    }
    const startedAt = performance.now()
    await Promise.all(Array.from({ length: inFlight }, sendSlices))
    const response = await fetch('/api/complete-chunk-upload', {
      method: 'POST',
      headers: { authorization: headers.authorization, 'content-type': 'application/json' },
      body: JSON.stringify({
        uploadId: headers['x-upload-id'],
        fileName: headers['x-file-name'],
        encryptedFileKey: headers['x-encrypted-file-key'],
        totalChunks: count,
        chunkSize: chunkBytes,
      }),
    })
    if (!response.ok) throw new Error(await response.text())
    return (performance.now() - startedAt) / 1000
  }, slices)
}
