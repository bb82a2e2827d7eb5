import * as z from 'zod'
import { endpoint } from '../http/endpoint.ts'
import { pageOf } from '../http/lists.ts'
import { boolean, expand, integer, mergeMetadata, metadata, paging } from '../http/params.ts'
import { findByParam, findByPath, invalidRequest } from '../http/stripe-error.ts'
import { newPrice, newProduct } from '../objects/catalog.ts'
import type { StoredPrice, StripeState } from '../state/state.ts'

const productFields = {
  ...expand,
  description: z.string().optional(),
  active: boolean.optional(),
  metadata: metadata.optional(),
}

const productRoutes = [
  endpoint('POST', '/v1/products', { ...productFields, name: z.string().min(1) }, ({ state, params }) => {
    const product = newProduct({
      name: params.name,
      description: params.description ?? null,
      metadata: mergeMetadata({}, params.metadata),
      active: params.active ?? true,
      created: state.clock.seconds(),
    })
    state.products.set(product.id, product)
    return product
  }),
  endpoint('GET', '/v1/products', { ...paging, active: boolean.optional() }, ({ state, params }) => {
    const products = [...state.products.values()].filter(
      ({ active }) => params.active === undefined || active === params.active,
    )
    return pageOf(products, '/v1/products', params)
  }),
  endpoint(
    'POST',
    '/v1/products/:id',
    { ...productFields, name: z.string().min(1).optional() },
    ({ state, id, params }) => {
      const product = findByPath(state.products, id, { kind: 'product' })
      product.name = params.name ?? product.name
      product.active = params.active ?? product.active
      product.description = params.description ?? product.description
      product.metadata = mergeMetadata(product.metadata, params.metadata)
      product.updated = state.clock.seconds()
      return product
    },
  ),
]

const priceFields = {
  ...expand,
  active: boolean.optional(),
  nickname: z.string().optional(),
  lookup_key: z.string().optional(),
  transfer_lookup_key: boolean.optional(),
  metadata: metadata.optional(),
}

const recurring = z.strictObject({
  interval: z.enum(['day', 'week', 'month', 'year']),
  interval_count: integer.optional(),
  usage_type: z.literal('licensed').optional(),
})

const priceRoutes = [
  endpoint(
    'POST',
    '/v1/prices',
    { ...priceFields, currency: z.string(), product: z.string(), unit_amount: integer, recurring },
    ({ state, params }) => {
      findByParam(state.products, params.product, { kind: 'product', param: 'product' })
      if (params.lookup_key !== undefined) reserveLookupKey(state, params.lookup_key, params.transfer_lookup_key)
      const price = newPrice({
        product: params.product,
        currency: params.currency,
        unitAmount: params.unit_amount,
        interval: params.recurring.interval,
        intervalCount: params.recurring.interval_count ?? 1,
        lookupKey: params.lookup_key ?? null,
        nickname: params.nickname ?? null,
        metadata: mergeMetadata({}, params.metadata),
        active: params.active ?? true,
        created: state.clock.seconds(),
      })
      state.prices.set(price.id, price)
      return price
    },
  ),
  endpoint(
    'GET',
    '/v1/prices',
    {
      ...paging,
      active: boolean.optional(),
      product: z.string().optional(),
      lookup_keys: z.array(z.string()).max(10).optional(),
    },
    ({ state, params: { active, product, lookup_keys, ...params } }) => {
      const isWanted = (price: StoredPrice): boolean =>
        (active === undefined || price.active === active) &&
        (product === undefined || price.product === product) &&
        (lookup_keys === undefined || (price.lookup_key !== null && lookup_keys.includes(price.lookup_key)))
      return pageOf([...state.prices.values()].filter(isWanted), '/v1/prices', params)
    },
  ),
  endpoint('POST', '/v1/prices/:id', priceFields, ({ state, id, params }) => {
    const price = findByPath(state.prices, id, { kind: 'price' })
    if (params.lookup_key !== undefined && params.lookup_key !== price.lookup_key) {
      if (params.lookup_key !== '') reserveLookupKey(state, params.lookup_key, params.transfer_lookup_key)
      price.lookup_key = params.lookup_key === '' ? null : params.lookup_key
    }
    price.active = params.active ?? price.active
    price.nickname = params.nickname ?? price.nickname
    price.metadata = mergeMetadata(price.metadata, params.metadata)
    return price
  }),
]

/** Takes a lookup key from the price that has it. Throws 400 if that was not asked for. */
function reserveLookupKey(state: StripeState, key: string, isTransferred = false): void {
  for (const price of state.prices.values()) {
    if (price.lookup_key !== key) continue
    if (!isTransferred) throw invalidRequest(`A price (\`${price.id}\`) already uses that lookup key.`, 'lookup_key')
    price.lookup_key = null
  }
}

export const catalogRoutes = [...productRoutes, ...priceRoutes]
