import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Creates a temporary folder that is deleted when the test has finished. */
export function createTestFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
