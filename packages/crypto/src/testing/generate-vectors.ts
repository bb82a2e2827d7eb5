import { writeFileSync } from 'node:fs'
import { allCases } from './cases/all-cases.ts'

// Regenerates vectors/cases.json: node packages/crypto/src/testing/generate-vectors.ts
const path = new URL('./vectors/cases.json', import.meta.url)
writeFileSync(path, `${JSON.stringify(allCases(), null, 1)}\n`)
