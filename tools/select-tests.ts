import { basename } from 'node:path'

/** The folders of a feature's unit tests. Its end-to-end tests are in the folder of the same name. */
const unitFolders: Readonly<Record<string, readonly string[]>> = {
  account: ['server/src/modules/accounts', 'server/src/modules/auth', 'server/src/modules/admin', 'features/account'],
  chat: ['server/src/modules/chat', 'features/chat', 'client/src/chat'],
  files: ['server/src/modules/files', 'features/files', 'transfers/src'],
  portals: ['server/src/modules/portals', 'features/portals', 'client/src/portal'],
  sessions: ['server/src/modules/sessions', 'features/sessions', 'client/src/sessions'],
  sharing: ['features/sharing', 'client/src/sharing'],
}

export interface SelectedTests {
  /** Parts of the paths of unit tests; empty if a change can concern all. */
  readonly unitFolders: readonly string[]
  readonly journeyFiles: readonly string[]
  /** Whether a change is in code of more than one feature. */
  readonly isShared: boolean
}

/**
 * Selects the tests for changed files. A feature's end-to-end tests are those whose name has a word of the path in common,
 * such as `devices.spec.ts` for `features/account/devices`, or else all in its folder.
 */
export function selectTests(changed: readonly string[], journeys: readonly string[]): SelectedTests {
  const sources = changed.filter((path) => /\.(tsx?|css)$/.test(path))
  const features = new Set(sources.map((path) => locate(path)?.feature))
  const isShared = features.delete(undefined)
  return {
    unitFolders: isShared ? [] : [...features].flatMap((feature) => unitFolders[feature ?? ''] ?? []),
    journeyFiles: [...new Set(sources.flatMap((path) => journeysFor(path, journeys)))].toSorted(),
    isShared,
  }
}

/** Finds the feature of a file, and its path in there. */
function locate(path: string): { readonly feature: string; readonly rest: string } | undefined {
  const [, feature = '', rest = ''] = /^e2e\/(?:tests|support)\/(\w+)\/(.*)$/.exec(path) ?? []
  if (feature in unitFolders) return { feature, rest }
  for (const [name, folders] of Object.entries(unitFolders)) {
    for (const folder of folders) {
      const [before, inside] = path.split(`/${folder}/`)
      if (before !== path && inside !== undefined) return { feature: name, rest: inside }
    }
  }
  return undefined
}

function journeysFor(path: string, journeys: readonly string[]): readonly string[] {
  if (path.startsWith('e2e/tests/')) return journeys.filter((journey) => journey === path)
  const place = locate(path)
  if (!place) return []
  const all = journeys.filter((journey) => journey.startsWith(`e2e/tests/${place.feature}/`))
  const words = wordsOf(place.rest, place.feature)
  const named = all.filter((journey) => wordsOf(basename(journey), place.feature).some((word) => words.includes(word)))
  return named.length > 0 ? named : all
}

/** The words of a path that say more than its feature does. */
function wordsOf(path: string, feature: string): string[] {
  const known = ['spec', 'test', 'ts', 'tsx', 'css', 'store', 'routes', 'rules', 'use', feature]
  return path.split(/[/.-]/).filter((word) => !known.includes(word))
}
