import type { Database } from '../../platform/db/schema.ts'
import type { RoomRecord } from './room-record.rules.ts'

/** A room without the connections of its devices, which end with the process. */
export type SavedRoom = Omit<RoomRecord, 'seats'>

/** SQL for the open rooms of a single node. */
export function createPortalRoomsStore(db: Database) {
  return {
    async list(): Promise<readonly SavedRoom[]> {
      const rows = await db.selectFrom('portal_rooms').select('room').execute()
      return rows.map(({ room }) => JSON.parse(room) as SavedRoom)
    },
    async save({ room, address, sources }: SavedRoom): Promise<void> {
      const text = JSON.stringify({ room, address, sources } satisfies SavedRoom)
      await db
        .insertInto('portal_rooms')
        .values({ code: room.code, room: text })
        .onConflict((conflict) => conflict.column('code').doUpdateSet({ room: text }))
        .execute()
    },
    async remove(code: string): Promise<void> {
      await db.deleteFrom('portal_rooms').where('code', '=', code).execute()
    },
  }
}

export type PortalRoomsStore = ReturnType<typeof createPortalRoomsStore>
