import type { FileOffer, PortalSink } from '@sallyport/client/portal/channel'
import { createZipSinks } from '@sallyport/client/portal/zip-sink'
import { uniqueFileName } from '@sallyport/crypto'
import { createArrivingFile } from './arriving-file.ts'

type SinkOf = (file: FileOffer) => PortalSink

/** More than so many files in one transfer come as one archive, as if they lay in a folder. */
const mostLoose = 10

/** Whether files come in folders, or are too many to be saved one by one. */
export const isFolder = (files: readonly FileOffer[]): boolean =>
  files.length > mostLoose || files.some(({ path }) => path !== undefined)

/** What a whole transfer is called: its one folder, or how many files there are. */
export function folderName(files: readonly FileOffer[]): string | null {
  const roots = new Set(files.map(({ path }) => path?.split('/')[0]))
  const [root] = roots
  return roots.size === 1 && root !== undefined ? root : null
}

/**
 * Makes the place for files that come in folders: a folder that the person chooses, where the browser lets them, and
 * otherwise one archive in the downloads. Has to be called in the midst of a press; the files may come before the answer.
 */
export function expectFolder(files: readonly FileOffer[]): SinkOf {
  const zip = () => zipSinks(files)
  const picking = window.showDirectoryPicker?.({ mode: 'readwrite' }) ?? Promise.reject(new Error('no picker'))
  const place: Promise<SinkOf> = picking.then(folderSinks, zip)
  return (file) => later(place.then((sinkOf) => sinkOf(file)))
}

function zipSinks(files: readonly FileOffer[]): SinkOf {
  const name = `${folderName(files) ?? 'files'}.zip`
  const next = createZipSinks(files, Date.now(), (size) => createArrivingFile({ name, size, mime: 'application/zip' }))
  return next
}

function folderSinks(root: FileSystemDirectoryHandle): SinkOf {
  const tops = new Map<string, Promise<string>>()
  /** What lies there already is never written over. */
  const topOf = (name: string): Promise<string> => {
    const known = tops.get(name) ?? freeName(root, name)
    tops.set(name, known)
    return known
  }
  return ({ name, path }) => {
    const parts = [...(path?.split('/') ?? []), name]
    return later(
      topOf(parts[0] ?? name).then(async (top) => {
        let folder = root
        const [leaf = name, ...folders] = [top, ...parts.slice(1)].reverse()
        for (const part of folders.reverse()) folder = await folder.getDirectoryHandle(part, { create: true })
        return fileSink(folder, leaf)
      }),
    )
  }
}

async function freeName(root: FileSystemDirectoryHandle, name: string): Promise<string> {
  const taken = new Set<string>()
  for await (const key of root.keys()) taken.add(key.normalize('NFC').toLowerCase())
  return uniqueFileName(name, taken)
}

async function fileSink(folder: FileSystemDirectoryHandle, name: string): Promise<PortalSink> {
  const stream = await (await folder.getFileHandle(name, { create: true })).createWritable()
  return {
    write: (data, position) => stream.write({ type: 'write', position, data }),
    finish: () => stream.close(),
    async discard() {
      await stream.abort()
      await folder.removeEntry(name)
    },
  }
}

/** A place that is still being made. */
function later(opening: Promise<PortalSink>): PortalSink {
  opening.catch(() => undefined)
  return {
    write: async (bytes, position) => (await opening).write(bytes, position),
    finish: async () => (await opening).finish(),
    discard: async () => (await opening).discard(),
  }
}
