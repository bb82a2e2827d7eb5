import { createHash } from 'node:crypto'
import { endpoints } from '@sallyport/contract/interface'
import { describeInterface } from '@sallyport/contract/openapi'
import { system } from '@sallyport/contract/system'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'

/** Answers the description of the interface, which is built once, when it is first asked for. */
export function interfaceDocumentRoute(app: FastifyInstance, version: string): void {
  let built: { readonly body: string; readonly tag: string } | null = null
  function build() {
    const body = JSON.stringify(
      z.parse(system.openApi.reply, { success: true, ...describeInterface(endpoints, version) }),
    )
    return { body, tag: `"${createHash('sha256').update(body).digest('base64url')}"` }
  }
  app.route({
    method: system.openApi.method,
    url: system.openApi.path,
    config: { endpoint: system.openApi },
    handler: (request, reply) => {
      built ??= build()
      reply.header('ETag', built.tag).header('Cache-Control', 'no-cache')
      if (request.headers['if-none-match'] === built.tag) return reply.code(304).send()
      return reply.type('application/json; charset=utf-8').send(built.body)
    },
  })
}
