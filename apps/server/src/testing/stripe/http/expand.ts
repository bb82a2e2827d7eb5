import type { StripeState } from '../state/state.ts'
import { listOf } from './lists.ts'
import { invalidRequest } from './stripe-error.ts'

const maxLevels = 4

type Fields = Record<string, unknown>

/** Returns a copy of an answer in which the named ids are replaced by their objects. */
export function expandAnswer(state: StripeState, answer: object, paths: readonly string[] = []): object {
  const copy = structuredClone(answer) as Fields
  for (const path of paths) {
    const segments = path.split('.')
    if (segments.length > maxLevels)
      throw invalidRequest(`You cannot expand more than ${maxLevels} levels of a property. Property: ${path}`)
    expandPath(state, copy, segments, path)
  }
  return copy
}

function expandPath(state: StripeState, fields: Fields, segments: readonly string[], path: string): void {
  const [key = '', ...others] = segments
  const value = fields[key] ?? findIncluded(state, fields, key)
  const isSet = value !== undefined && value !== null
  if (!isSet && !(key in fields)) throw invalidRequest(`This property cannot be expanded (${path}).`, 'expand')
  if (!isSet) return
  const expanded = typeof value === 'string' ? findObject(state, value) : value
  if (typeof expanded !== 'object' || expanded === null)
    throw invalidRequest(`This property cannot be expanded (${path}).`, 'expand')
  fields[key] = expanded
  if (others.length === 0) return
  for (const child of [expanded].flat()) expandPath(state, child as Fields, others, path)
}

/** Lists that are part of an object only when they are asked for. */
function findIncluded(state: StripeState, { object, id }: Fields, key: string): object | undefined {
  if (object === 'invoice' && key === 'payments') {
    const payments = [...state.invoicePayments.values()].filter(({ invoice }) => invoice === id)
    return structuredClone(listOf(payments, `/v1/invoice_payments?invoice=${String(id)}`))
  }
  if (object === 'checkout.session' && key === 'line_items') {
    const lines = state.checkouts.get(String(id))?.lineItems
    return lines && structuredClone(lines)
  }
  return undefined
}

function findObject(state: StripeState, id: string): object | undefined {
  const found =
    state.customers.get(id) ??
    state.products.get(id) ??
    state.prices.get(id) ??
    state.checkouts.get(id)?.session ??
    state.subscriptions.get(id) ??
    state.invoices.get(id) ??
    state.paymentIntents.get(id) ??
    state.configurations.get(id)
  return found && structuredClone(found)
}
