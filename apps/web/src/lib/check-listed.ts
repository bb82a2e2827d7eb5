import { serverClock } from '@sallyport/browser/server-clock'
import { checkListedTimes } from '@sallyport/client/check-listed-times'

/** Corrects the server's clock if it contradicts what the server has just listed. */
export const checkListed = (listed: Parameters<typeof checkListedTimes>[1]): void =>
  checkListedTimes(serverClock, listed, Date.now())
