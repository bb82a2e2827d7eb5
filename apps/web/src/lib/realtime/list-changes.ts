import { replaceEqualDeep } from '@tanstack/react-query'

interface Listed {
  readonly id: string
}

/** A change of a list that a live event announces. */
export type ListChange<Item extends Listed> =
  | { readonly type: 'inserted'; readonly item: Item }
  | { readonly type: 'deleted'; readonly id: string }
  | { readonly type: 'changed'; readonly id: string; readonly update: (item: Item) => Item }

const idOf = <Item extends Listed>(change: ListChange<Item>): string =>
  change.type === 'inserted' ? change.item.id : change.id

/**
 * Applies changes in their order, in one pass through the list. New items are on top; an inserted item that is listed
 * already is left unchanged.
 */
export function applyChanges<Item extends Listed>(
  listed: readonly Item[],
  changes: readonly ListChange<Item>[],
): readonly Item[] {
  const affectedIds = new Set(changes.map(idOf))
  const affected = new Map(listed.flatMap((item) => (affectedIds.has(item.id) ? [[item.id, item] as const] : [])))
  const insertedIds = new Set<string>()
  for (const change of changes) {
    const id = idOf(change)
    const item = affected.get(id)
    if (change.type === 'inserted' && !item) {
      affected.set(id, change.item)
      insertedIds.add(id)
    } else if (change.type === 'deleted') {
      affected.delete(id)
      insertedIds.delete(id)
    } else if (change.type === 'changed' && item) affected.set(id, change.update(item))
  }
  const inserted = [...insertedIds].reverse().flatMap((id) => affected.get(id) ?? [])
  const remaining = listed.flatMap((item) => {
    if (!affectedIds.has(item.id)) return item
    return insertedIds.has(item.id) ? [] : (affected.get(item.id) ?? [])
  })
  return [...inserted, ...remaining]
}

/**
 * A query's `structuralSharing` for a list: an item that is equal to the one before with its id stays the same object.
 * By default items are compared by position, which copies the whole list for each item that is inserted on top.
 */
export function shareUnchanged(before: unknown, next: unknown): unknown {
  if (!isList(before) || !isList(next)) return next
  // After an insertion on top all further items are the same.
  let sameAtEnd = 0
  while (sameAtEnd < next.length && next.at(-1 - sameAtEnd) === before.at(-1 - sameAtEnd)) sameAtEnd += 1
  const itemsById = new Map(before.slice(0, before.length - sameAtEnd).map((item) => [item.id, item]))
  const changed = next.slice(0, next.length - sameAtEnd).map((item) => replaceEqualDeep(itemsById.get(item.id), item))
  const isSame = next.length === before.length && changed.every((item, index) => item === before[index])
  return isSame ? before : [...changed, ...next.slice(changed.length)]
}

const isList = (data: unknown): data is readonly Listed[] => Array.isArray(data)
