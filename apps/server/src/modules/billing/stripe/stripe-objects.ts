/** What an object at Stripe belongs to; never names or keys. */
export const metadataKeys = {
  instance: 'sallyport_instance',
  checkout: 'sallyport_checkout',
  plan: 'sallyport_plan',
} as const

interface StripeObject {
  readonly id: string
  readonly metadata: Readonly<Record<string, string>> | null
}

/** Whether an object was created by this instance. */
export const isOwn = ({ metadata }: Pick<StripeObject, 'metadata'>, instanceId: string): boolean =>
  metadata?.[metadataKeys.instance] === instanceId

/** Returns the first object of a list that this instance has created; null without any. */
export async function findOwn<Entry extends StripeObject>(
  list: AsyncIterable<Entry>,
  instanceId: string,
): Promise<Entry | null> {
  for await (const entry of list) if (isOwn(entry, instanceId)) return entry
  return null
}

/** The id of an object that may be expanded. */
export const idOf = (object: string | { readonly id: string }): string =>
  typeof object === 'string' ? object : object.id

/** Entries that are requested at once. */
export const pageSize = 100
