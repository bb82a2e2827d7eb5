import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { shareFile } from '@sallyport/client/sharing/share-link'
import { fillPath } from '@sallyport/contract/endpoint'
import { files } from '@sallyport/contract/files'
import { resourceLimits } from '@sallyport/contract/server-limits'
import { sharing } from '@sallyport/contract/sharing'
import { decodeShareFragment, shareProof, toBase64url } from '@sallyport/crypto'
import { createFloodAccount } from '../accounts.ts'
import { inParallel, repeatForever } from './repeat.ts'

const connections = 250
const manyRequests = 300
/** As many as a connection may have without being closed: one that is handled, and those that wait. */
const allowedRequests = 1 + resourceLimits.pipelinedPerConnection
const holdMs = { many: 2000, allowed: 30_000 }
const localAddress = '127.1.8.1'
const fileBytes = 8 * 1024 * 1024

interface RepeatedRequest {
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * One address requests the first page on 250 connections, as often as the server allows on half of them and 300 times on
 * the others, and reads nothing.
 */
export const pipelinePage = (url: string) => pipeline(url, async () => ({ path: '/' }))

/** The same with a script of the page. */
export const pipelineScript = (url: string) =>
  pipeline(url, async () => {
    const page = await (await fetch(url)).text()
    const path = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1]
    if (path === undefined) throw new Error('The page has no script')
    return { path }
  })

/** The same with a short JSON response. */
export const pipelineJson = (url: string) => pipeline(url, async () => ({ path: '/api/config' }))

/** The same with a file of the caller's account. */
export const pipelineOwnFile = (url: string) =>
  pipeline(url, async () => {
    const { accessToken, upload } = await createFloodAccount(url)
    const id = await upload(createFile())
    return { path: `/api/download/${id}`, headers: { authorization: `Bearer ${accessToken}` } }
  })

/** The same with a file behind a link. */
export const pipelineLink = (url: string) =>
  pipeline(url, async () => {
    const { accountKey, upload, call } = await createFloodAccount(url)
    const id = await upload(createFile())
    const { files: listed } = await call(files.list, {})
    const encryptedFileKey = listed.find((file) => file.id === id)?.encryptedFileKey
    const link = await shareFile(call, { id, encryptedFileKey, accountKey, origin: url })
    const { pathname, hash } = new URL(link)
    const path = fillPath(sharing.download.path, { token: pathname.split('/').at(-1) ?? '' })
    return {
      path,
      headers: { 'x-share-proof': toBase64url(await shareProof(await decodeShareFragment(hash.slice(1)))) },
    }
  })

const createFile = (): File => new File([randomBytes(fileBytes)], 'pipelined.bin')

async function pipeline(url: string, prepare: () => Promise<RepeatedRequest>): Promise<() => Promise<void>> {
  const { host, port } = new URL(url)
  const { path, headers = {} } = await prepare()
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  const request = `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
  return async () => {
    await inParallel(connections, (index) =>
      repeatForever(0, () =>
        index % 2 === 0
          ? sendUnread(Number(port), request.repeat(allowedRequests), holdMs.allowed)
          : sendUnread(Number(port), request.repeat(manyRequests), holdMs.many),
      ),
    )
  }
}

/** Sends the requests on a new connection, reads nothing, and hangs up after this time. */
async function sendUnread(port: number, requests: string, heldMs: number): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port, localAddress })
  socket.on('error', () => socket.destroy())
  socket.pause()
  socket.write(requests)
  await pause(heldMs)
  socket.destroy()
}
