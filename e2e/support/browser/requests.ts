import type { BrowserContext, Request } from '@playwright/test'

const unanswered = new WeakMap<BrowserContext, Set<Request>>()

/** Records the requests of all pages that are not answered yet. Call it before the first page is opened. */
export function recordRequests(context: BrowserContext): void {
  const requests = new Set<Request>()
  unanswered.set(context, requests)
  const remove = (request: Request) => void requests.delete(request)
  context.on('request', (request) => requests.add(request))
  context.on('requestfinished', remove).on('requestfailed', remove)
}

/** The paths of the requests that are not answered yet. */
export const unansweredPaths = (context: BrowserContext): readonly string[] =>
  Array.from(unanswered.get(context) ?? [], (request) => new URL(request.url()).pathname)
