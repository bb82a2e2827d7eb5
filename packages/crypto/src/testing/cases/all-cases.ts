import type { VectorCase } from '../vector-case.ts'
import { accountKeys, brokenPasswords, recoveryKeys, soundPasswords } from './accounts.ts'
import { brokenEnvelopes, soundEnvelopes } from './envelopes.ts'
import { brokenEmptyFiles, brokenFiles, changedWhileSealing, foreignHeaders, largeFiles, soundFiles } from './files.ts'
import { brokenHeaders, soundHeaders } from './headers.ts'
import { brokenMessages, soundMessages } from './messages.ts'
import { brokenNames, soundNames } from './names.ts'
import { brokenSessionMessages, soundSessionMessages } from './session-messages.ts'
import { sessionKeys } from './sessions.ts'
import { brokenShares, soundShares } from './shares.ts'

/** Every vector, worked out by the second implementation alone. */
export const allCases = (): VectorCase[] => [...quickCases(), ...slowCases()]

export const quickCases = (): VectorCase[] => [
  ...soundFiles(),
  ...brokenFiles(),
  ...brokenEmptyFiles(),
  ...foreignHeaders(),
  ...changedWhileSealing(),
  ...soundHeaders(),
  ...brokenHeaders(),
  ...soundNames(),
  ...brokenNames(),
  ...soundEnvelopes(),
  ...brokenEnvelopes(),
  ...soundShares(),
  ...brokenShares(),
  ...soundMessages(),
  ...brokenMessages(),
  ...soundSessionMessages(),
  ...brokenSessionMessages(),
  ...brokenPasswords(),
  ...accountKeys(),
  ...recoveryKeys(),
  ...sessionKeys(),
]

/** Those that take the second implementation seconds. */
const slowCases = (): VectorCase[] => [...largeFiles(), ...soundPasswords()]
