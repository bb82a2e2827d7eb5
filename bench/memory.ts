import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { plotMemory, type Series } from './plot.ts'

const folder = fileURLToPath(new URL('../docs/performance', import.meta.url))
const sampleEveryMs = 1000

interface Looked extends Omit<Series, 'points'> {
  readonly bytes: () => number
}

export interface Samples {
  readonly seconds: number
  readonly series: readonly Series[]
}

/** Looks at memory each second while a transfer goes on that tells how many seconds it took. */
export async function sampleMemory(looked: readonly Looked[], transfer: () => Promise<number>): Promise<Samples> {
  const series = looked.map(({ bytes, ...about }) => ({ ...about, bytes, points: [] as [number, number][] }))
  const startedAt = performance.now()
  const look = (): void => {
    const at = (performance.now() - startedAt) / 1000
    for (const { bytes, points } of series) points.push([at, bytes() / 1e6])
  }
  look()
  const timer = setInterval(look, sampleEveryMs)
  const seconds = await transfer().finally(() => clearInterval(timer))
  look()
  return { seconds, series: series.map(({ bytes: _, ...rest }) => rest) }
}

/** Keeps the drawing among the documents, as `<name>.svg`. */
export function drawMemory(name: string, title: string, series: readonly Series[]): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}.svg`), plotMemory(title, series))
}
