import { loadCode } from '@sallyport/browser/load-code'
import { type ComponentType, type LazyExoticComponent, lazy, useState } from 'react'
import { type MissingNotice, PartBoundary } from './part-boundary.tsx'

/** A component whose code is loaded when it is first shown, or before by `preload`, which rejects if that fails. */
export type LazyPart<Props> = ComponentType<Props> & { readonly preload: () => Promise<void> }

interface LazyPartOptions {
  /** Where it is said that the code is missing; in place by default. */
  readonly notice?: MissingNotice
}

/** The code of a part. */
interface PartSource<Props> {
  readonly notice: MissingNotice
  readonly load: () => Promise<{ readonly default: ComponentType<Props> }>
  /** The component that loads the code. One that has failed stays so; the one after `renew` loads it again. */
  readonly current: () => LazyExoticComponent<ComponentType<Props>>
  readonly renew: () => void
}

/**
 * Splits a component into a file of its own, which is waited for while the server is away. Once that is preloaded, the
 * component renders without suspending: React replaces a fallback at the earliest 300 ms after another one, so that even
 * a moment of suspense delays the screen. If the server answers without the code, only this part is missing.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { notice = 'in-place' }: LazyPartOptions = {},
): LazyPart<Props> {
  const source = createSource(load, notice)
  return Object.assign((props: Props) => <Part source={source} props={props} />, {
    preload: async (): Promise<void> => void (await source.load()),
  })
}

function createSource<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  notice: MissingNotice,
): PartSource<Props> {
  let loaded: { readonly default: ComponentType<Props> } | null = null
  const loadModule = async () => {
    loaded ??= { default: await loadCode(load) }
    return loaded
  }
  const createLoading = () => lazy(() => (loaded ? resolved(loaded) : loadModule()))
  let current = createLoading()
  return {
    notice,
    load: loadModule,
    current: () => current,
    renew() {
      current = createLoading()
    },
  }
}

interface PartProps<Props> {
  readonly source: PartSource<Props>
  readonly props: Props
}

function Part<Props extends object>({ source, props }: PartProps<Props>) {
  const [Loading, setLoading] = useState<ComponentType<Props>>(source.current)
  function retry(): void {
    source.renew()
    setLoading(source.current)
  }
  return (
    <PartBoundary notice={source.notice} load={source.load} onRetry={retry}>
      <Loading {...(props as Props & Record<never, never>)} />
    </PartBoundary>
  )
}

/** Unlike a promise of the language, this one calls back at once. */
const resolved = <Value,>(value: Value): Promise<Value> =>
  // biome-ignore lint/suspicious/noThenProperty: React only calls `then` of what `lazy` loads
  ({ then: (onFulfilled: (value: Value) => unknown) => void onFulfilled(value) }) as unknown as Promise<Value>
