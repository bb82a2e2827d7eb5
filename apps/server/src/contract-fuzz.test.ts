import { testEachRoute } from './testing/fuzz/contract-fuzz.ts'

testEachRoute(20)
