const second = 1000
const minute = 60 * second

/** How long something will still be there, to the second in its last minute: `Gone in 5 h 10 min`, `Gone in 42 s`. */
export function goneIn(expiresAt: number, now: number): string {
  const left = Math.max(0, expiresAt - now)
  if (left <= minute) return `Gone in ${Math.ceil(left / second)} s`
  const minutes = Math.ceil(left / minute)
  if (minutes < 60) return `Gone in ${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return `Gone in ${join(`${hours} h`, minutes % 60, 'min')}`
  return `Gone in ${join(`${Math.floor(hours / 24)} d`, hours % 24, 'h')}`
}

const join = (first: string, rest: number, unit: string): string => (rest === 0 ? first : `${first} ${rest} ${unit}`)
