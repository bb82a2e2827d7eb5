export interface Series {
  readonly name: string
  readonly colour: string
  /** Megabytes by seconds since the start. */
  readonly points: readonly (readonly [seconds: number, megabytes: number])[]
  /** Upper limit in megabytes. */
  readonly limit: number
}

const width = 720
const height = 320
const margin = { left: 56, right: 16, top: 44, bottom: 40 }
const maxPoints = 180

/** Plots memory over time as SVG: a line for each series, and a dashed line for its limit. */
export function plotMemory(title: string, series: readonly Series[]): string {
  const lastSecond = Math.max(1, ...series.flatMap(({ points }) => points.map(([seconds]) => seconds)))
  const highest =
    Math.max(...series.flatMap(({ points, limit }) => [limit, ...points.map(([, value]) => value)])) * 1.05
  const x = (seconds: number) => margin.left + (seconds / lastSecond) * (width - margin.left - margin.right)
  const y = (value: number) => height - margin.bottom - (value / highest) * (height - margin.top - margin.bottom)
  const round = (value: number) => value.toFixed(1)

  const grid = ticks(highest, 5).map(
    (value) =>
      `<path d="M${margin.left} ${round(y(value))}H${width - margin.right}" stroke="#d9dde3"/>` +
      `<text x="${margin.left - 8}" y="${round(y(value) + 4)}" text-anchor="end">${value}</text>`,
  )
  const times = ticks(lastSecond, 6).map(
    (seconds) => `<text x="${round(x(seconds))}" y="${height - 20}" text-anchor="middle">${seconds} s</text>`,
  )
  const lines = series.map(({ colour, points, limit }) => {
    const path = downsample(points)
      .map(([seconds, value]) => `${round(x(seconds))},${round(y(value))}`)
      .join(' ')
    return (
      `<path d="M${margin.left} ${round(y(limit))}H${width - margin.right}" stroke="${colour}" stroke-dasharray="5 4"/>` +
      `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>`
    )
  })
  const legend = series.map(
    ({ name, colour, limit }, index) =>
      `<text x="${margin.left + index * 300}" y="36" fill="${colour}">${name}, limit ${limit} MB</text>`,
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<text x="${margin.left}" y="18" font-size="14" font-weight="bold">${title}, MB</text>`,
    ...grid,
    ...times,
    ...lines,
    ...legend,
    '</svg>\n',
  ].join('\n')
}

/** Returns about `about` round values from 0 up to the highest. */
function ticks(highest: number, targetCount: number): number[] {
  const rough = highest / targetCount
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough) ?? power
  return Array.from({ length: Math.floor(highest / step) + 1 }, (_, count) => Number((count * step).toPrecision(6)))
}

/** Reduces each interval to its highest point, so that no peak is lost. */
function downsample(points: Series['points']): Series['points'] {
  const interval = Math.ceil(points.length / maxPoints)
  return Array.from({ length: Math.ceil(points.length / interval) }, (_, index) =>
    points
      .slice(index * interval, (index + 1) * interval)
      .reduce((highest, point) => (point[1] > highest[1] ? point : highest)),
  )
}
