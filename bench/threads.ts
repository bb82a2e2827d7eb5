import { readdirSync, readFileSync } from 'node:fs'
import { ticksPerSecond, treeOf } from './processes.ts'

const lookEveryMs = 50

/**
 * Watches every thread of a program and of what it has started. When asked, it tells the processor seconds by the kind
 * of process and the name of the thread; what a thread used in its last moments is not seen.
 */
export function watchThreads(processId: number): () => ReadonlyMap<string, number> {
  const first = new Map<string, number>()
  const last = new Map<string, { readonly name: string; readonly seconds: number }>()

  function look(isFirst: boolean): void {
    for (const thread of threadsOf(processId)) {
      if (!first.has(thread.id)) first.set(thread.id, isFirst ? thread.seconds : 0)
      last.set(thread.id, thread)
    }
  }

  look(true)
  const timer = setInterval(() => look(false), lookEveryMs)
  return () => {
    clearInterval(timer)
    look(false)
    const sums = new Map<string, number>()
    for (const [id, { name, seconds }] of last) {
      sums.set(name, (sums.get(name) ?? 0) + seconds - (first.get(id) ?? 0))
    }
    return new Map([...sums].filter(([, seconds]) => seconds > 0).sort(([, one], [, other]) => other - one))
  }
}

function* threadsOf(processId: number) {
  for (const id of treeOf(processId)) {
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

/** `renderer`, `network.mojom.NetworkService` and so on; `browser` for the first process. */
function kindOf(processId: number): string {
  const words = read(`/proc/${processId}/cmdline`).split('\0').join(' ')
  const kind = /--utility-sub-type=(?:\w+\.)*(\w+)/.exec(words) ?? /--type=(\S+)/.exec(words)
  return kind?.[1] ?? 'browser'
}

const list = (folder: string): readonly string[] => attempt(() => readdirSync(folder), [])
const read = (path: string): string => attempt(() => readFileSync(path, 'utf8'), '')

/** Threads end while we look. */
function attempt<Result>(look: () => Result, otherwise: Result): Result {
  try {
    return look()
  } catch {
    return otherwise
  }
}
