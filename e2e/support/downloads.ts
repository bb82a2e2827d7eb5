import { join } from 'node:path'
import type { Download, Page } from '@playwright/test'
import { sha256Of } from './random-file.ts'

export interface Saved {
  readonly name: string
  readonly path: string
  /** Hexadecimal. */
  readonly sha256: string
}

/** Does what starts a download, and waits until the browser has saved it. */
export async function saveDownload(page: Page, folder: string, start: () => Promise<void>): Promise<Saved> {
  const [download] = await Promise.all([page.waitForEvent('download', { timeout: 120_000 }), start()])
  return save(download, folder)
}

async function save(download: Download, folder: string): Promise<Saved> {
  const path = join(folder, `saved-${download.suggestedFilename()}`)
  await download.saveAs(path)
  return { name: download.suggestedFilename(), path, sha256: await sha256Of(path) }
}
