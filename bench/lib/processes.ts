import { readdirSync, readFileSync } from 'node:fs'

/** Linux reports CPU time in hundredths of a second on every machine. */
export const ticksPerSecond = 100
const sampleMs = 100

/** CPU seconds of a process, user and system. */
export function cpuSeconds(processId: number): number {
  const fields = readStat(processId)
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

/** CPU seconds of a process and all its running descendants. */
export const cpuSecondsOfTree = (processId: number): number =>
  processTree(processId).reduce((sum, id) => sum + cpuSeconds(id), 0)

/** CPU seconds of all processes on this machine. */
export function cpuSecondsOfMachine(): number {
  const [user = 0, nice = 0, system = 0, _idle, _wait, interrupt = 0, softInterrupt = 0] = (
    read('/proc/stat').split('\n')[0] ?? ''
  )
    .split(/\s+/)
    .slice(1)
    .map(Number)
  return (user + nice + system + interrupt + softInterrupt) / ticksPerSecond
}

/** Resident memory of a process, code included. */
export const residentBytes = (processId: number): number => readStatusBytes(processId, ['VmRSS'])

/** The open descriptors of a process: files, sockets and others; 0 if it has exited. */
export function countDescriptors(processId: number): number {
  try {
    return readdirSync(`/proc/${processId}/fd`).length
  } catch {
    return 0
  }
}

/** Memory of a browser's largest renderer process, without shared code. */
export const largestRendererBytes = (browserId: number): number =>
  Math.max(0, ...renderersOf(browserId).map((id) => readStatusBytes(id, ['RssAnon', 'RssShmem'])))

/** CPU seconds of all running renderer processes of a browser, workers included. */
export const cpuSecondsOfRenderers = (browserId: number): number =>
  renderersOf(browserId).reduce((sum, id) => sum + cpuSeconds(id), 0)

const renderersOf = (browserId: number): number[] =>
  processTree(browserId).filter((id) => read(`/proc/${id}/cmdline`).includes('--type=renderer'))

/** Samples ten times a second; the returned function stops sampling and returns the maximum. */
export function watchPeak(measure: () => number): () => number {
  let peak = measure()
  const sample = () => {
    peak = Math.max(peak, measure())
  }
  const timer = setInterval(sample, sampleMs)
  return () => {
    clearInterval(timer)
    sample()
    return peak
  }
}

export function processTree(processId: number): number[] {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const parent = Number(readStat(Number(name))[1])
    children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const collect = (id: number): number[] => [id, ...(children.get(id) ?? []).flatMap(collect)]
  return collect(processId)
}

/** The fields after the command name, which may contain spaces and parentheses. */
const readStat = (processId: number): readonly string[] =>
  read(`/proc/${processId}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ')

function readStatusBytes(processId: number, names: readonly string[]): number {
  const status = read(`/proc/${processId}/status`)
  return names.reduce((sum, name) => {
    const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? '0'
    return sum + Number(kilobytes) * 1024
  }, 0)
}

/** Returns an empty string if the process has exited. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
