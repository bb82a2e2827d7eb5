import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type ts from 'typescript'
import { root } from '../bootstrap.mjs'
import { checkText } from './catalogue.ts'
import { findEarlyReads, findInlineTexts, findUnusedStrings } from './check-sources.ts'
import { parse, type ReadStrings, readStrings } from './read-strings.ts'

const stringsFolder = 'apps/web/src/strings/'

/** The sources of the page without tests, test doubles and the gallery. */
export function pageSources(): readonly ts.SourceFile[] {
  const { stdout } = spawnSync('git', ['ls-files', 'apps/web/src'], { cwd: root, encoding: 'utf8' })
  return stdout
    .split('\n')
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|\/(gallery|testing)\//.test(path))
    .map((path) => parse(path, readFileSync(join(root, path), 'utf8')))
}

/** The English strings of the page. */
export const readPageStrings = (): ReadStrings =>
  readStrings(pageSources().filter(({ fileName }) => fileName.startsWith(stringsFolder)))

/** Returns what keeps the page from being translated completely. */
export function checkSources(): string[] {
  const sources = pageSources()
  const { messages, problems } = readStrings(sources)
  const texts = messages.flatMap((message) =>
    Object.entries(message.forms).flatMap(([form, text]) =>
      checkText(message, form, text, 'en').map((problem) => `${message.place}: ${message.key}: ${problem}`),
    ),
  )
  const outside = sources.filter(({ fileName }) => !fileName.startsWith(stringsFolder))
  return [
    ...problems,
    ...texts,
    ...findInlineTexts(outside).map((found) => `${found} — belongs in apps/web/src/strings`),
    ...findEarlyReads(sources).map(
      (found) => `${found} — read when the module loads, before a translation; use a function`,
    ),
    ...findUnusedStrings(messages, sources).map((found) => `${found} — used nowhere`),
  ]
}
