import { expect, onTestFinished, test, vi } from 'vitest'
import { createPrivateFile } from './private-files.ts'

test('a saved file is released where the browser has no private file system (SHR-03)', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const release = vi.fn()
  const file = createPrivateFile({ name: 'transfer-1', release, isPartial: false })
  expect(navigator.storage).toBeUndefined()

  file.removeAfterCopying(3000)
  await vi.runAllTimersAsync()

  expect(release).toHaveBeenCalledOnce()
})
