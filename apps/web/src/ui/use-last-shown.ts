import { useState } from 'react'

/** The last value that was not null, so that a dialog keeps its text while it closes. */
export function useLastShown<Shown extends object>(value: Shown | null): Shown | null {
  const [last, setLast] = useState(value)
  if (value !== null && value !== last) setLast(value)
  return value ?? last
}
