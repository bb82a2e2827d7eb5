import type { CodeMessage } from './email-service.ts'
import { formatTextMessage } from './email-templates.ts'
import { type SendMessage, Undeliverable } from './transport.ts'

const timeoutMs = 15_000
const retryableStatuses = new Set([401, 403, 407, 408, 425, 429])

/**
 * Sends text messages to an HTTP gateway: `POST {"to": "+491701234567", "text": "…"}`; any 2xx means success. Credentials
 * in its URL are sent as Basic authorization.
 */
export function createSmsGatewayTransport(url: string): SendMessage<CodeMessage> {
  const { address, headers } = parseGatewayUrl(url)
  return async ({ id, content }, signal) => {
    const response = await fetch(address, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json', 'Idempotency-Key': id },
      body: JSON.stringify({ to: toE164(content.to), text: formatTextMessage(content) }),
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    await response.body?.cancel()
    if (response.ok) return
    const failure = Object.assign(new Error('The gateway rejected the message'), { responseCode: response.status })
    throw response.status < 500 && !retryableStatuses.has(response.status) ? new Undeliverable(failure) : failure
  }
}

/** Adds the leading plus sign that the normal form omits. */
export const toE164 = (phone: string): string => (phone.startsWith('+') ? phone : `+${phone}`)

function parseGatewayUrl(url: string) {
  const address = new URL(url)
  const { username, password } = address
  address.username = ''
  address.password = ''
  if (username === '' && password === '') return { address, headers: {} }
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { address, headers: { Authorization: `Basic ${Buffer.from(pair).toString('base64')}` } }
}
