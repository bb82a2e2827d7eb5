import { randomInt } from 'node:crypto'
import { ignore } from '@sallyport/contract/ignore'
import { drawCode } from './codes.rules.ts'
import type { PortalRoomsStore, SavedRoom } from './portal-rooms.store.ts'
import { expire, leave } from './room.rules.ts'
import type { Delivery, RoomChange, RoomRecord } from './room-record.rules.ts'
import type { RoomStore } from './room-store.ts'

interface LocalRoomStoreDeps {
  readonly saved: PortalRoomsStore
  readonly now: () => number
}

/**
 * Stores rooms in the memory of one process. A copy in the database lets devices rejoin after a restart; it follows a
 * change within milliseconds and holds no connection.
 */
export async function createLocalRoomStore({ saved, now }: LocalRoomStoreDeps): Promise<RoomStore> {
  const records = new Map<string, RoomRecord>()
  const unsaved = new Set<string>()
  let isSaving = false
  let onDelivery: (delivery: Delivery) => void = () => undefined

  async function saveChanges(): Promise<void> {
    if (isSaving) return
    isSaving = true
    for (const code of unsaved) {
      unsaved.delete(code)
      const record = records.get(code)
      const saving = record?.room.creator.resume ? saved.save(record) : saved.remove(code)
      await saving.catch((error: unknown) => ignore(error, 'only a restart would miss this change'))
    }
    isSaving = false
  }

  function apply(code: string, { record, deliveries }: RoomChange): void {
    const before = records.get(code)
    if (record) records.set(code, record)
    else records.delete(code)
    for (const delivery of deliveries) onDelivery(delivery)
    if (record?.room === before?.room) return
    unsaved.add(code)
    void saveChanges()
  }

  for (const room of await saved.list()) {
    const record = restore(room, now())
    if (record) records.set(room.room.code, record)
    else await saved.remove(room.room.code)
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

/** A saved room whose devices have all lost their connection, at the latest now; null if none of them may rejoin. */
function restore({ room: saved, ...rest }: SavedRoom, now: number): RoomRecord | null {
  const withoutJoiner = saved.joiner?.awaySince === null ? leave(saved, 'joiner', now, true).room : saved
  const withoutBoth =
    withoutJoiner?.creator.awaySince === null ? leave(withoutJoiner, 'creator', now, true).room : withoutJoiner
  const room = withoutBoth && expire(withoutBoth, now).room
  return room && { ...rest, room, seats: { creator: null, joiner: null } }
}
