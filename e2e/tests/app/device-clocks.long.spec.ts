import { test } from '../../support/journey.ts'
import { checkTimedScreens } from '../../support/timed-screens.ts'

const minute = 60_000
const hour = 60 * minute

for (const aheadMs of [6 * minute, -6 * minute, 3 * hour, -3 * hour]) {
  for (const timezoneId of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    test(`every screen shows the server’s time on a device ${aheadMs / minute} min ahead in ${timezoneId}`, async ({
      server,
      folder,
      anotherBrowser,
    }) => {
      const jumps = [0, -aheadMs, 24 * hour]
      await checkTimedScreens({ server, folder, anotherBrowser, aheadMs, jumps, timezoneId })
    })
  }
}
