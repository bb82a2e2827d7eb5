import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Starts a site on another origin and records the `Referer` headers it receives. */
export async function startForeignSite(html: string) {
  const requests: { referer: string | undefined }[] = []
  const site = createServer((request, response) => {
    if (request.url === '/') requests.push({ referer: request.headers.referer })
    response.setHeader('content-type', 'text/html').end(html)
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(site.address() as AddressInfo).port}/`,
    requests,
    stop: () => new Promise((resolve) => site.close(resolve)),
  }
}
