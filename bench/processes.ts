import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts processor time in hundredths of a second, whatever the machine. */
export const ticksPerSecond = 100
const watchEveryMs = 100

/** Processor seconds, its own and the kernel's for it, that a process has used so far. */
export function cpuSeconds(processId: number): number {
  const fields = statOf(processId)
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

/** Processor seconds of a process and all that it has started and that still run. */
export const cpuSecondsOfTree = (processId: number): number =>
  treeOf(processId).reduce((sum, id) => sum + cpuSeconds(id), 0)

/** Processor seconds that everything on this machine together has used. */
export function cpuSecondsOfMachine(): number {
  const [user = 0, nice = 0, system = 0, _idle, _wait, interrupt = 0, softInterrupt = 0] = (
    read('/proc/stat').split('\n')[0] ?? ''
  )
    .split(/\s+/)
    .slice(1)
    .map(Number)
  return (user + nice + system + interrupt + softInterrupt) / ticksPerSecond
}

/** Every byte of memory that a process has in use, code included. */
export const residentBytes = (processId: number): number => statusBytes(processId, ['VmRSS'])

/** The memory, without shared code, of the largest of a browser's processes that hold a page and its workers. */
export function largestRendererBytes(browserId: number): number {
  const renderers = treeOf(browserId).filter((id) => read(`/proc/${id}/cmdline`).includes('--type=renderer'))
  return Math.max(0, ...renderers.map((id) => statusBytes(id, ['RssAnon', 'RssShmem'])))
}

/** Looks ten times a second until it is asked for the highest figure it has seen. */
export function watchPeak(measure: () => number): () => number {
  let peak = measure()
  const look = () => {
    peak = Math.max(peak, measure())
  }
  const timer = setInterval(look, watchEveryMs)
  return () => {
    clearInterval(timer)
    look()
    return peak
  }
}

export function treeOf(processId: number): number[] {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const parent = Number(statOf(Number(name))[1])
    children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const reach = (id: number): number[] => [id, ...(children.get(id) ?? []).flatMap(reach)]
  return reach(processId)
}

/** The fields behind the name of the command, which may itself hold spaces and parentheses. */
const statOf = (processId: number): readonly string[] =>
  read(`/proc/${processId}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ')

function statusBytes(processId: number, names: readonly string[]): number {
  const status = read(`/proc/${processId}/status`)
  return names.reduce((sum, name) => {
    const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? '0'
    return sum + Number(kilobytes) * 1024
  }, 0)
}

/** Empty for a process that has ended in the meantime. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
