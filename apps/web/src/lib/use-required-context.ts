import { type Context, useContext } from 'react'

/** Returns a context value and throws if its provider is missing. */
export function useRequiredContext<Value>(context: Context<Value | null>): Value {
  const value = useContext(context)
  if (value === null) throw new Error('A provider is missing above this component')
  return value
}
