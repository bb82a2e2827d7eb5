import { writeFileSync } from 'node:fs'
import { allCases } from './cases/all-cases.ts'

// Writes vectors/cases.json anew: node packages/crypto/src/testing/generate-vectors.ts
const path = new URL('./vectors/cases.json', import.meta.url)
writeFileSync(path, `${JSON.stringify(allCases(), null, 1)}\n`)
