// A front door of its own, so that only who needs the group loads it.
export { type Cpace, type CpaceKeys, type CpaceMessage, type CpaceRole, startCpace } from './cpace.ts'
export { openGrant, sealGrant } from './grant.ts'
export { lengthPrefixed, readLengthPrefixed } from './strings.ts'
