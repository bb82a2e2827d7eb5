import { TimeRing } from './hour-ring.tsx'
import { minute, timeScales } from './time-band.ts'

interface LifetimeRingProps {
  readonly minutes: number
}

/** The full lifetime of a new file on the same scales. */
export function LifetimeRing({ minutes }: LifetimeRingProps) {
  const band = minutes < 60 ? 'hour' : 'day'
  return <TimeRing band={band} share={(minutes * minute) / timeScales[band]} />
}
