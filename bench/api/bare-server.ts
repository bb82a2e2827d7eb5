import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream, mkdtempSync } from 'node:fs'
import { stat, unlink } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pipeline } from 'node:stream/promises'

/**
 * A minimal Node server: it pipes bodies to the disk and syncs them, pipes a file from the disk, and answers a query from
 * an embedded database. It has no authentication, validation, quotas or storage.
 */
const [folder = '', servedPath = ''] = process.argv.slice(2)
const incoming = mkdtempSync(join(folder, 'bare-'))
const question = openDatabase().prepare('select answer from answers where id = ?')

const server = createServer((request, response) => {
  answer(request, response).catch(() => response.destroy())
})

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'POST') {
    const path = join(incoming, randomUUID())
    await pipeline(request, createWriteStream(path, { flush: true }))
    await unlink(path)
    response.end()
  } else if (request.url === '/file') {
    response.setHeader('content-length', (await stat(servedPath)).size)
    await pipeline(createReadStream(servedPath), response)
  } else {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(question.get(1)))
  }
}

function openDatabase(): DatabaseSync {
  const database = new DatabaseSync(join(incoming, 'answers.db'))
  database.exec("create table answers (id integer primary key, answer text); insert into answers values (1, 'yes')")
  return database
}

server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }))
})
process.once('SIGTERM', () => process.exit(0))
