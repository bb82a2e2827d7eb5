import { type Carry, Undeliverable } from './carrier.ts'
import { textOf } from './letters.ts'
import type { CodeMessage } from './post.ts'

const timeoutMs = 15_000
const passing = new Set([401, 403, 407, 408, 425, 429])

/**
 * Carries text messages to an HTTP gateway: `POST {"to": "+491701234567", "text": "…"}`, any 2xx is a yes. A name and
 * a password in its address travel as Basic authorization.
 */
export function carryByGateway(url: string): Carry<CodeMessage> {
  const { address, headers } = readAddress(url)
  return async ({ id, content }, signal) => {
    const answer = await fetch(address, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json', 'Idempotency-Key': id },
      body: JSON.stringify({ to: inInternationalForm(content.to), text: textOf(content) }),
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    await answer.body?.cancel()
    if (answer.ok) return
    const failure = Object.assign(new Error('The gateway said no'), { responseCode: answer.status })
    throw answer.status < 500 && !passing.has(answer.status) ? new Undeliverable(failure) : failure
  }
}

/** The number with the plus sign in front that the normal form goes without. */
export const inInternationalForm = (phone: string): string => (phone.startsWith('+') ? phone : `+${phone}`)

function readAddress(url: string) {
  const address = new URL(url)
  const { username, password } = address
  address.username = ''
  address.password = ''
  if (username === '' && password === '') return { address, headers: {} }
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { address, headers: { Authorization: `Basic ${Buffer.from(pair).toString('base64')}` } }
}
