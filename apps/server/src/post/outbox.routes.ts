import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import PostalMime from 'postal-mime'
import { refuse } from '../errors.ts'
import { isFromThisMachine } from '../http/this-machine.ts'
import { escapeHtml } from './letter-pages.ts'
import type { Outbox, OutboxEntry } from './outbox.ts'

const shownAtOnce = 50
const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 44rem; margin: 2rem auto; padding: 0 1rem; }
article { border-top: 1px solid #8886; padding: 1rem 0; }
h2 { font-size: 1.1rem; margin: 0; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; }`
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** A page that shows what the outbox holds, for whoever sits at the machine while developing. */
export function outboxRoutes(app: FastifyInstance, outbox: Outbox): void {
  app.get('/dev/outbox', { config: { outsideContract: 'page' } }, async (request, reply) => {
    if (!isFromThisMachine(request)) throw refuse('NOT_FOUND')
    const letters = await Promise.all((await outbox.read(shownAtOnce)).map(showEntry))
    reply.header('Content-Security-Policy', policy)
    return reply.type('text/html; charset=utf-8').send(printList(letters))
  })
}

async function showEntry({ name, content }: OutboxEntry): Promise<string> {
  if (name.endsWith('.txt')) return printEntry('Text message', content.toString('utf8'))
  const { subject = '', to = [], text = '' } = await PostalMime.parse(content)
  const addresses = to.map(({ address = '' }) => address).join(', ')
  return printEntry(subject, `To: ${addresses}\n\n${text}`)
}

const printEntry = (title: string, text: string): string =>
  `<article><h2>${escapeHtml(title)}</h2><pre>${withLinks(text)}</pre></article>`

const withLinks = (text: string): string =>
  text
    .split(/(https?:\/\/[^\s<>"']+)/)
    .map((piece, index) =>
      index % 2 === 1 ? `<a href="${escapeHtml(piece)}">${escapeHtml(piece)}</a>` : escapeHtml(piece),
    )
    .join('')

const printList = (letters: readonly string[]): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Outbox</title><style>${style}</style></head>
<body><h1>Outbox</h1>
${letters.length > 0 ? letters.join('\n') : '<p>Nothing was written yet.</p>'}
</body>
</html>
`
