import { type Context, useContext } from 'react'

/** What a provider above gives; using it without one is a fault in the program. */
export function useRequired<Value>(context: Context<Value | null>): Value {
  const value = useContext(context)
  if (value === null) throw new Error('A provider is missing above this component')
  return value
}
