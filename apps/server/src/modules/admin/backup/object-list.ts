import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import * as z from 'zod'

const StoredObject = z.object({
  index: z.number().int().nonnegative(),
  bytes: z.number().int().nonnegative(),
  /** CRC-32 of the sealed bytes. */
  checksum: z.number().int(),
})

/** A file of the copied database with its objects: one line of the list of a run. */
const ListedFile = z.object({
  id: z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  volume: z.string(),
  objects: z.array(StoredObject),
})

export type ListedObject = z.output<typeof StoredObject>
export type ListedFile = z.output<typeof ListedFile>

/** Yields the files of a list one after another. */
export async function* readObjectList(path: string): AsyncGenerator<ListedFile> {
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })
  for await (const line of lines) if (line !== '') yield ListedFile.parse(JSON.parse(line))
}

/** The list as a stream of lines. */
export const formatObjectList = (files: AsyncIterable<ListedFile>): Readable =>
  Readable.from(formatLines(files), { objectMode: false })

async function* formatLines(files: AsyncIterable<ListedFile>): AsyncGenerator<Buffer> {
  for await (const file of files) yield Buffer.from(`${JSON.stringify(file)}\n`)
}
