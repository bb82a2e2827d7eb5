import { randomInt } from 'node:crypto'
import { drawCode } from './codes.rules.ts'
import type { Delivery, RoomChange, RoomRecord } from './room-record.rules.ts'
import type { RoomStore } from './room-store.ts'

/** Stores rooms in the memory of one process. */
export function createLocalRoomStore(): RoomStore {
  const records = new Map<string, RoomRecord>()
  let onDelivery: (delivery: Delivery) => void = () => undefined

  function apply(code: string, { record, deliveries }: RoomChange): void {
    if (record) records.set(code, record)
    else records.delete(code)
    for (const delivery of deliveries) onDelivery(delivery)
  }

  return {
    node: 'here',
    async create({ version, sources }, make) {
      const openRooms = (key: string) => [...records.values()].filter((record) => record.sources.includes(key)).length
      const hasQuota = sources.every(({ key, maxRooms }) => openRooms(key) < maxRooms)
      const code = hasQuota ? drawCode(new Set(records.keys()), version, (below) => randomInt(below)) : null
      if (code === null) return false
      apply(code, make(code))
      return true
    },
    listCodes: async (twoDigits) => new Set([...records.keys()].filter((code) => code.startsWith(twoDigits))),
    get: async (code) => records.get(code) ?? null,
    async update(code, decide) {
      const record = records.get(code)
      const outcome = record ? decide(record) : null
      if (outcome) apply(code, outcome)
      return outcome ?? (record ? 'left' : 'missing')
    },
    beginSweep: async () => ({ rooms: [...records.values()], isNodeAlive: () => true }),
    subscribe(next) {
      onDelivery = next
    },
  }
}
