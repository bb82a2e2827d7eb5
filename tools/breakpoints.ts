import { readFileSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { root } from './bootstrap.mjs'
import type { DevTools } from './devtools-protocol.ts'

/** A page, or the main thread of a Node process. */
export type DebuggerTarget = Pick<DevTools, 'send' | 'on'>

interface Script {
  readonly scriptId: string
  readonly url: string
  readonly sourceMapURL: string
}

interface Location {
  readonly scriptId: string
  readonly lineNumber: number
  readonly columnNumber: number
}

export interface Breakpoint {
  /** The source file, relative to the project. */
  readonly file: string
  /** The text in this file at whose line execution should stop. */
  readonly text: string
  /** The URL of this file in the debugger. */
  readonly sourceUrl: string
}

const stopTimeoutMs = 10_000

/**
 * Sets a breakpoint on a line of a source file, as an editor does: through the source map if the script has one. Runs
 * `act`, which executes that line, and resolves with the source position at which execution stopped, such as `a.ts:7:3`.
 * Execution resumes. Rejects if it does not stop at that line of the source.
 */
export async function stopAtBreakpoint(
  target: DebuggerTarget,
  { file, text, sourceUrl }: Breakpoint,
  act: () => Promise<unknown>,
): Promise<string> {
  const line = lineOf(file, text)
  const scripts = new Map<string, Script>()
  target.on('Debugger.scriptParsed', (values) => {
    const script = values as unknown as Script
    scripts.set(script.scriptId, script)
  })
  const paused = new Promise<Location>((resolve) => {
    target.on('Debugger.paused', (values) => {
      const { callFrames } = values as { callFrames: readonly [{ location: Location }] }
      resolve(callFrames[0].location)
    })
  })
  await target.send('Debugger.enable')
  // After a hot update, several versions of the script are loaded.
  const locations = [...scripts.values()].flatMap((script) => locate(script, sourceUrl, line) ?? [])
  if (locations.length === 0) throw new Error(`No loaded script has code of ${file}:${line + 1}`)
  for (const location of locations) await target.send('Debugger.setBreakpointByUrl', location)
  const acting = act()
  const position = await Promise.race([paused, wait(stopTimeoutMs, null, { ref: false })])
  await target.send('Debugger.disable')
  await acting
  if (position === null) throw new Error(`Execution did not stop at ${file}:${line + 1}`)
  const stop = toSource(scripts.get(position.scriptId), position)
  if (stop.source !== sourceUrl || stop.line !== line) throw new Error(`Stopped at ${stop.source}:${stop.line + 1}`)
  return `${file}:${line + 1}:${stop.column + 1}`
}

/** The only line of a file, from 0, that contains this text. */
function lineOf(file: string, text: string): number {
  const lines = readFileSync(join(root, file), 'utf8').split('\n')
  const found = [...lines.keys()].filter((index) => lines[index]?.includes(text))
  if (found.length !== 1) throw new Error(`${file} contains "${text}" in ${found.length} lines`)
  return found[0] as number
}

/** The first position in a script that a line of a source file was compiled to; null if there is none. */
function locate(script: Script, sourceUrl: string, line: number) {
  if (script.url === sourceUrl && script.sourceMapURL === '') return { url: script.url, lineNumber: line }
  const map = readSourceMap(script)
  if (!map?.payload.sources.some((source) => resolveSource(script, source) === sourceUrl)) return null
  for (const lineNumber of map.payload.mappings.split(';').keys()) {
    for (let columnNumber = 0; columnNumber < maxColumns; columnNumber += 1) {
      const entry = map.findEntry(lineNumber, columnNumber)
      const isExact = 'originalLine' in entry && entry.generatedLine === lineNumber
      if (!isExact) continue
      if (entry.originalLine === line && resolveSource(script, entry.originalSource) === sourceUrl)
        return { url: script.url, lineNumber, columnNumber: entry.generatedColumn }
    }
  }
  return null
}

/** Longer generated lines are searched up to here. */
const maxColumns = 300

function toSource(script: Script | undefined, { lineNumber, columnNumber }: Location) {
  if (!script) throw new Error('Execution stopped in an unknown script')
  const entry = readSourceMap(script)?.findEntry(lineNumber, columnNumber)
  if (!entry || !('originalLine' in entry)) return { source: script.url, line: lineNumber, column: columnNumber }
  const { originalSource, originalLine, originalColumn } = entry
  return { source: resolveSource(script, originalSource), line: originalLine, column: originalColumn }
}

/** Vite sends source maps inline. */
function readSourceMap({ sourceMapURL }: Script): SourceMap | null {
  const [, base64] = /^data:application\/json;(?:charset=[\w-]+;)?base64,(.*)$/.exec(sourceMapURL) ?? []
  return base64 ? new SourceMap(JSON.parse(Buffer.from(base64, 'base64').toString()) as SourceMapPayload) : null
}

const resolveSource = ({ url }: Script, source: string): string => URL.parse(source, url)?.href ?? source
