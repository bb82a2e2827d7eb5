import { createContext, useContext } from 'react'

/** A provider and its hook for something that is always there under the provider; using it elsewhere throws. */
export function createRequiredContext<Value extends object>(name: string) {
  const Context = createContext<Value | null>(null)

  function useRequired(): Value {
    const value = useContext(Context)
    if (value === null) throw new Error(`${name} is used outside its provider`)
    return value
  }

  return [Context.Provider, useRequired] as const
}
