import { endpoints } from '@sallyport/contract/interface'
import { describeInterface } from '@sallyport/contract/openapi'
import { system } from '@sallyport/contract/system'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'

/** Answers the description of the interface, which is built once, when it is first asked for. */
export function interfaceDocumentRoute(app: FastifyInstance, version: string): void {
  let built: string | null = null
  const build = (): string =>
    JSON.stringify(z.parse(system.openApi.reply, { success: true, ...describeInterface(endpoints, version) }))
  app.route({
    method: system.openApi.method,
    url: system.openApi.path,
    config: { endpoint: system.openApi },
    handler: (_request, reply) => {
      built ??= build()
      return reply.type('application/json; charset=utf-8').send(built)
    },
  })
}
