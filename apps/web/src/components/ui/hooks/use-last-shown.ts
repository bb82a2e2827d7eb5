import { useState } from 'react'

/** The last non-null value, so that a dialog keeps its text during the close animation. */
export function useLastShown<Shown extends object>(value: Shown | null): Shown | null {
  const [last, setLast] = useState(value)
  if (value !== null && value !== last) setLast(value)
  return value ?? last
}
