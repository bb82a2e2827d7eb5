import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Finding, judge } from './findings.ts'
import { plotMemory, type Series } from './plot.ts'

const folder = fileURLToPath(new URL('../../docs/performance', import.meta.url))
const sampleEveryMs = 1000

interface SampledSeries extends Omit<Series, 'points'> {
  readonly bytes: () => number
}

export interface MemorySamples {
  readonly seconds: number
  readonly series: readonly Series[]
}

/** Samples memory each second during a transfer, which resolves to its seconds. */
export async function sampleMemory(
  sources: readonly SampledSeries[],
  transfer: () => Promise<number>,
): Promise<MemorySamples> {
  const series = sources.map(({ bytes, ...metadata }) => ({ ...metadata, bytes, points: [] as [number, number][] }))
  const startedAt = performance.now()
  const sample = (): void => {
    const at = (performance.now() - startedAt) / 1000
    for (const { bytes, points } of series) points.push([at, bytes() / 1e6])
  }
  sample()
  const timer = setInterval(sample, sampleEveryMs)
  const seconds = await transfer().finally(() => clearInterval(timer))
  sample()
  return { seconds, series: series.map(({ bytes: _, ...rest }) => rest) }
}

/** Writes the plot to `docs/performance/<name>.svg`. */
export function drawMemory(name: string, title: string, series: readonly Series[]): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}.svg`), plotMemory(title, series))
}

/** Judges the peak of each series of a transfer. */
export const judgeMemory = (id: string, title: string, { seconds, series }: MemorySamples): Finding[] =>
  series.map(({ name, points, limit }) =>
    judge({
      id,
      measure: `${title}, ${seconds.toFixed(0)} s: ${name}`,
      value: Math.max(...points.map(([, megabytes]) => megabytes)),
      decimals: 0,
      unit: 'MB',
      target: { atMost: limit },
    }),
  )
