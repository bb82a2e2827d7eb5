import * as z from 'zod'
import { endpoint } from '../http/endpoint.ts'
import { expand, mergeMetadata, metadata } from '../http/params.ts'
import { findByPath } from '../http/stripe-error.ts'
import { newCustomer } from '../objects/catalog.ts'
import { emit } from '../state/events.ts'

const fields = {
  ...expand,
  email: z.string().optional(),
  name: z.string().optional(),
  description: z.string().optional(),
  metadata: metadata.optional(),
}

export const customerRoutes = [
  endpoint('POST', '/v1/customers', fields, ({ state, params }) => {
    const customer = newCustomer({
      email: params.email ?? null,
      name: params.name ?? null,
      description: params.description ?? null,
      metadata: mergeMetadata({}, params.metadata),
      created: state.clock.seconds(),
    })
    state.customers.set(customer.id, customer)
    emit(state, 'customer.created', customer)
    return customer
  }),
  endpoint('GET', '/v1/customers/:id', expand, ({ state, id }) =>
    findByPath(state.customers, id, { kind: 'customer' }),
  ),
  endpoint('POST', '/v1/customers/:id', fields, ({ state, id, params }) => {
    const customer = findByPath(state.customers, id, { kind: 'customer' })
    const { email, name, description } = params
    if (email !== undefined) customer.email = email === '' ? null : email
    if (name !== undefined) customer.name = name === '' ? null : name
    if (description !== undefined) customer.description = description === '' ? null : description
    customer.metadata = mergeMetadata(customer.metadata, params.metadata)
    emit(state, 'customer.updated', customer)
    return customer
  }),
]
