// A separate entry point, so that the group arithmetic is loaded only where it is needed.
export { type Cpace, type CpaceKeys, type CpaceMessage, type CpaceRole, startCpace } from './cpace.ts'
export { openGrant, sealGrant } from './grant.ts'
export { lengthPrefixed, parseLengthPrefixed } from './strings.ts'
