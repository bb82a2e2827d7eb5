import * as z from 'zod/mini'

export const LicenceType = z.enum(['trial', 'personal', 'vip', 'business', 'nonprofit'])
export type LicenceType = z.output<typeof LicenceType>
