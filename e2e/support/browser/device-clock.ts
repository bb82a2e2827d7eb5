import type { BrowserContext, Page } from '@playwright/test'

const settingEvent = 'test-device-clock'

/** Sets the clock of a device this far ahead of the machine's, for all pages that it opens. */
export const setDeviceClock = (context: BrowserContext, aheadMs: number): Promise<unknown> =>
  context.addInitScript(
    ({ aheadMs, settingEvent }) => {
      const RealDate = Date
      let currentMs = aheadMs
      class DeviceDate extends RealDate {
        constructor(...values: [] | [value: number | string | Date]) {
          if (values.length === 0) super(DeviceDate.now())
          else super(...values)
        }

        static override now(): number {
          return RealDate.now() + currentMs
        }
      }
      globalThis.Date = DeviceDate as DateConstructor
      addEventListener(settingEvent, (event) => {
        currentMs = (event as CustomEvent<number>).detail
      })
    },
    { aheadMs, settingEvent },
  )

/** Sets the clock of the device while its page is open. Pages that it opens later have the earlier time. */
export const jumpDeviceClock = (page: Page, aheadMs: number): Promise<unknown> =>
  page.evaluate(({ aheadMs, settingEvent }) => dispatchEvent(new CustomEvent(settingEvent, { detail: aheadMs })), {
    aheadMs,
    settingEvent,
  })
