import { deriveLoginSecrets, deriveMasterKey } from '@sallyport/crypto'
import { serveTasks } from './serve-tasks.ts'
import type { DeriveTasks } from './tasks.ts'

serveTasks<DeriveTasks>({
  loginSecrets: deriveLoginSecrets,
  masterKey: ({ password, userId }) => deriveMasterKey(password, userId),
})
