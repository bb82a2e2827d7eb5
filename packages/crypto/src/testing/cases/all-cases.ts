import type { VectorCase } from '../vector-case.ts'
import { accountKeys, invalidPasswords, recoveryKeys, validPasswords } from './accounts.ts'
import { invalidEnvelopes, validEnvelopes } from './envelopes.ts'
import {
  changedWhileSealing,
  invalidEmptyFiles,
  invalidFiles,
  largeFiles,
  mismatchedHeaders,
  validFiles,
} from './files.ts'
import { invalidHeaders, validHeaders } from './headers.ts'
import { invalidMessages, validMessages } from './messages.ts'
import { invalidNames, validNames } from './names.ts'
import { invalidSessionMessages, validSessionMessages } from './session-messages.ts'
import { sessionKeys } from './sessions.ts'
import { invalidShares, validShares } from './shares.ts'

/** All vectors, computed by the second implementation alone. */
export const allCases = (): VectorCase[] => [...quickCases(), ...slowCases()]

export const quickCases = (): VectorCase[] => [
  ...validFiles(),
  ...invalidFiles(),
  ...invalidEmptyFiles(),
  ...mismatchedHeaders(),
  ...changedWhileSealing(),
  ...validHeaders(),
  ...invalidHeaders(),
  ...validNames(),
  ...invalidNames(),
  ...validEnvelopes(),
  ...invalidEnvelopes(),
  ...validShares(),
  ...invalidShares(),
  ...validMessages(),
  ...invalidMessages(),
  ...validSessionMessages(),
  ...invalidSessionMessages(),
  ...invalidPasswords(),
  ...accountKeys(),
  ...recoveryKeys(),
  ...sessionKeys(),
]

/** The cases that take the second implementation seconds. */
const slowCases = (): VectorCase[] => [...largeFiles(), ...validPasswords()]
