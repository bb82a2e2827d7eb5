import type { Message } from '@sallyport/contract/messages'
import type { ServerRequest } from './server.ts'

/** The in-memory account messages of an honest server. */
export function serveMessages(): (request: ServerRequest) => unknown {
  const stored: Message[] = []
  return ({ name, json, url }) => {
    if (name === 'POST /api/messages') {
      const message = {
        id: crypto.randomUUID(),
        encryptedContent: String(json['encryptedMessage']),
        encryptedKey: String(json['encryptedKey']),
        createdAt: stored.length + 1,
        expiresAt: 4_000_000_000_000,
      }
      stored.push(message)
      return { success: true, ...message }
    }
    const after = Number(url.searchParams.get('after') ?? 0)
    return { success: true, messages: stored.filter(({ createdAt }) => createdAt > after), before: null, next: null }
  }
}
