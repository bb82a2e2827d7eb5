import type { Browser } from '@playwright/test'

/** Kills every page of a browser, as a crash does. */
export async function killPages(browser: Browser): Promise<void> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  for (const { type, id } of processInfo) if (type === 'renderer') process.kill(id, 'SIGKILL')
  await session.detach()
}
