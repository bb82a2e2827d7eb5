import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'

/** Preferred first. */
const encodings = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const

/** The types of the files that a build contains. */
const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/vnd.microsoft.icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.woff2': 'font/woff2',
}

/** One encoding of a file of the page, as it is sent. */
export interface EncodedFile {
  readonly bytes: Buffer
  readonly entityTag: string
  /** Null if the bytes are not compressed. */
  readonly encoding: 'br' | 'gzip' | null
}

interface PageFile {
  readonly contentType: string
  /** Preferred first; the last one is not compressed. */
  readonly variants: readonly EncodedFile[]
}

/**
 * Reads all files of a build, some megabytes, into memory: a response then needs no descriptor and no buffer of its own,
 * however many clients do not read theirs. Empty without a build. Paths are relative and use slashes.
 */
export function readPageFiles(folder: string): ReadonlyMap<string, PageFile> {
  const paths = listFiles(folder)
  const existing = new Set(paths)
  const isCompressedCopy = (path: string): boolean =>
    encodings.some(({ suffix }) => path.endsWith(suffix) && existing.has(path.slice(0, -suffix.length)))
  return new Map(
    paths
      .filter((path) => !isCompressedCopy(path))
      .map((path) => {
        const compressed = encodings.filter(({ suffix }) => existing.has(path + suffix))
        const variants = [
          ...compressed.map(({ name, suffix }) => readVariant(join(folder, path + suffix), name)),
          readVariant(join(folder, path), null),
        ]
        return [path, { contentType: contentTypes[extname(path)] ?? 'application/octet-stream', variants }]
      }),
  )
}

/** Selects the variant for an Accept-Encoding header (RFC 9110, section 12.5.3). */
export function selectVariant({ variants }: PageFile, acceptEncoding = ''): EncodedFile {
  const accepted = acceptedEncodings(acceptEncoding)
  const compressed = variants.find(({ encoding }) => encoding !== null && accepted.has(encoding))
  return compressed ?? (variants.at(-1) as EncodedFile)
}

/** Whether an If-None-Match header (RFC 9110, section 13.1.2) names this variant. */
export function matchesEntityTag({ entityTag }: EncodedFile, ifNoneMatch = ''): boolean {
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(entityTag) || tags.includes('*')
}

function acceptedEncodings(header: string): ReadonlySet<string> {
  const accepted = new Set<string>()
  for (const item of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim())
    if (!parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))) accepted.add(name)
  }
  return accepted
}

function readVariant(path: string, encoding: EncodedFile['encoding']): EncodedFile {
  const bytes = readFileSync(path)
  const digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
  return { bytes, entityTag: `"${digest}"`, encoding }
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replaceAll('\\', '/').replace(/^\/+/, ''))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
