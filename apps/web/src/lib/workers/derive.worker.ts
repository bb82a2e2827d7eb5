import { serveTasks } from '@sallyport/browser/serve-tasks'
import { deriveLoginSecrets, deriveMasterKey } from '@sallyport/crypto'
import type { DeriveTasks } from './tasks.ts'

serveTasks<DeriveTasks>({
  loginSecrets: deriveLoginSecrets,
  masterKey: ({ password, userId }) => deriveMasterKey(password, userId),
})
