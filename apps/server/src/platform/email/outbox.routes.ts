import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import PostalMime from 'postal-mime'
import { apiError } from '../../errors.ts'
import { isLocalRequest } from '../http/local-requests.ts'
import { escapeHtml } from './email-rendering.ts'
import type { Outbox, OutboxEntry } from './outbox.ts'

const pageSize = 50
const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 44rem; margin: 2rem auto; padding: 0 1rem; }
article { border-top: 1px solid #8886; padding: 1rem 0; }
h2 { font-size: 1.1rem; margin: 0; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; }`
const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Serves a page with the messages in the outbox, for development on the same machine. */
export function outboxRoutes(app: FastifyInstance, outbox: Outbox): void {
  app.get('/dev/outbox', { config: { outsideContract: 'page' } }, async (request, reply) => {
    if (!isLocalRequest(request)) throw apiError('NOT_FOUND')
    const articles = await Promise.all((await outbox.read(pageSize)).map(renderEntry))
    reply.header('Content-Security-Policy', contentSecurityPolicy)
    return reply.type('text/html; charset=utf-8').send(renderPage(articles))
  })
}

async function renderEntry({ name, content }: OutboxEntry): Promise<string> {
  if (name.endsWith('.txt')) return renderArticle('Text message', content.toString('utf8'))
  const { subject = '', to = [], text = '' } = await PostalMime.parse(content)
  const addresses = to.map(({ address = '' }) => address).join(', ')
  return renderArticle(subject, `To: ${addresses}\n\n${text}`)
}

const renderArticle = (title: string, text: string): string =>
  `<article><h2>${escapeHtml(title)}</h2><pre>${withLinks(text)}</pre></article>`

const withLinks = (text: string): string =>
  text
    .split(/(https?:\/\/[^\s<>"']+)/)
    .map((piece, index) =>
      index % 2 === 1 ? `<a href="${escapeHtml(piece)}">${escapeHtml(piece)}</a>` : escapeHtml(piece),
    )
    .join('')

const renderPage = (articles: readonly string[]): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Outbox</title><style>${style}</style></head>
<body><h1>Outbox</h1>
${articles.length > 0 ? articles.join('\n') : '<p>No messages yet.</p>'}
</body>
</html>
`
