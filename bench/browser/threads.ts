import { readdirSync, readFileSync } from 'node:fs'
import { processTree, ticksPerSecond } from '../lib/processes.ts'

const sampleMs = 50

/**
 * Samples every thread of a process and its descendants. The returned function stops sampling and returns the CPU seconds
 * by process kind and thread name; the last moments of a thread that has exited are missing.
 */
export function watchThreads(processId: number): () => ReadonlyMap<string, number> {
  const first = new Map<string, number>()
  const last = new Map<string, { readonly name: string; readonly seconds: number }>()

  function sample(isFirst: boolean): void {
    for (const thread of threadsOf(processId)) {
      if (!first.has(thread.id)) first.set(thread.id, isFirst ? thread.seconds : 0)
      last.set(thread.id, thread)
    }
  }

  sample(true)
  const timer = setInterval(() => sample(false), sampleMs)
  return () => {
    clearInterval(timer)
    sample(false)
    const sums = new Map<string, number>()
    for (const [id, { name, seconds }] of last) {
      sums.set(name, (sums.get(name) ?? 0) + seconds - (first.get(id) ?? 0))
    }
    return new Map([...sums].filter(([, seconds]) => seconds > 0).sort(([, one], [, other]) => other - one))
  }
}

function* threadsOf(processId: number) {
  for (const id of processTree(processId)) {
    const kind = kindOf(id)
    for (const thread of list(`/proc/${id}/task`)) {
      const stat = read(`/proc/${id}/task/${thread}/stat`)
      const name = /\((.*)\)/s.exec(stat)?.[1]
      const fields = stat.replace(/^.*\) /s, '').split(' ')
      if (name === undefined) continue
      const seconds = (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
      yield { id: `${id}/${thread}`, name: `${kind}: ${name.replace(/\/.*/, '')}`, seconds }
    }
  }
}

/** Returns `renderer`, `NetworkService` and so on; `browser` for the main process. */
function kindOf(processId: number): string {
  const commandLine = read(`/proc/${processId}/cmdline`).split('\0').join(' ')
  const kind = /--utility-sub-type=(?:\w+\.)*(\w+)/.exec(commandLine) ?? /--type=(\S+)/.exec(commandLine)
  return kind?.[1] ?? 'browser'
}

const list = (folder: string): readonly string[] => tryRead(() => readdirSync(folder), [])
const read = (path: string): string => tryRead(() => readFileSync(path, 'utf8'), '')

/** Returns the fallback for threads that exit during sampling. */
function tryRead<Result>(work: () => Result, fallback: Result): Result {
  try {
    return work()
  } catch {
    return fallback
  }
}
