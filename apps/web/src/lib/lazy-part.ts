import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { loadCode } from './load-code.ts'

/** A component whose code is loaded when it is first shown, or before by `preload`, which rejects if that fails. */
export type LazyPart<Props> = LazyExoticComponent<ComponentType<Props>> & { readonly preload: () => Promise<void> }

/**
 * Splits a component into a file of its own, which is waited for while the server is away. Once that is preloaded, the
 * component renders without suspending: React replaces a fallback at the earliest 300 ms after another one, so that even
 * a moment of suspense delays the screen.
 */
export function lazyPart<Props>(load: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  let loaded: { readonly default: ComponentType<Props> } | null = null
  const loadModule = async () => {
    loaded = { default: await loadCode(load) }
    return loaded
  }
  const preload = async (): Promise<void> => void (await loadModule())
  return Object.assign(
    lazy(() => (loaded ? resolved(loaded) : loadModule())),
    { preload },
  )
}

/** Unlike a promise of the language, this one calls back at once. */
const resolved = <Value>(value: Value): Promise<Value> =>
  // biome-ignore lint/suspicious/noThenProperty: React only calls `then` of what `lazy` loads
  ({ then: (onFulfilled: (value: Value) => unknown) => void onFulfilled(value) }) as unknown as Promise<Value>
