import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A site of somebody else's: another origin, and what the browser told it. */
export async function startSite(html: string) {
  const asked: { referer: string | undefined }[] = []
  const site = createServer((request, response) => {
    if (request.url === '/') asked.push({ referer: request.headers.referer })
    response.setHeader('content-type', 'text/html').end(html)
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(site.address() as AddressInfo).port}/`,
    asked,
    stop: () => new Promise((resolve) => site.close(resolve)),
  }
}
