import { createHmac } from 'node:crypto'

const label = 'sallyport payment instance'
const idBytes = 16

/** The id of an instance in the metadata of its objects at Stripe, so that several instances can share one account. */
export const instanceIdOf = (saltSecret: Buffer): string =>
  createHmac('sha256', saltSecret).update(label).digest().subarray(0, idBytes).toString('base64url')
