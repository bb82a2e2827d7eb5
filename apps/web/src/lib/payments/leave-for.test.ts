import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { leaveFor, openingMs } from './leave-for.ts'

const url = 'https://checkout.stripe.com/c/pay/cs_test_1'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** A window that leaves for a URL, and whether the promise of that has resolved. */
function leave() {
  const page = new EventTarget()
  const opened: string[] = []
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
  vi.stubGlobal('location', { assign: (target: string) => opened.push(target) })
  const resolved = vi.fn()
  void leaveFor(url).then(resolved)
  const show = (persisted: boolean) => page.dispatchEvent(Object.assign(new Event('pageshow'), { persisted }))
  return { opened, resolved, show }
}

test('leaveFor: a button stays busy while the other page opens, and is free again after the Back button', async () => {
  const { opened, resolved, show } = leave()
  await vi.advanceTimersByTimeAsync(openingMs - 1)
  show(false)
  await vi.advanceTimersByTimeAsync(0)
  expect(opened).toEqual([url])
  expect(resolved).not.toHaveBeenCalled()

  show(true)
  await vi.advanceTimersByTimeAsync(0)
  expect(resolved).toHaveBeenCalledOnce()
  expect(vi.getTimerCount()).toBe(0)
})

test('leaveFor: a button is free again if the other page has not opened', async () => {
  const { resolved } = leave()
  await vi.advanceTimersByTimeAsync(openingMs)
  expect(resolved).toHaveBeenCalledOnce()
})
