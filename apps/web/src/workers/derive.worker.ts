import { deriveLoginSecrets, deriveMasterKey } from '@sallyport/crypto'
import { serveTasks } from './serve-tasks.ts'
import type { DeriveTasks } from './tasks.ts'

serveTasks<DeriveTasks>({
  'login-secrets': (ask) => deriveLoginSecrets(ask),
  'master-key': ({ password, userId }) => deriveMasterKey(password, userId),
})
