import { formatBytes } from '@sallyport/contract/formats'
import { adminOverviewStrings as strings } from '#/strings/admin/overview.ts'
import { formatNumber, formatPercent } from '#/strings/format.ts'
import type { Stats } from '../admin.queries.ts'
import { FigureTile } from './figure-tile.tsx'
import { isHigh } from './usage-bar.tsx'

interface FigureTilesProps {
  readonly stats: Stats
  /** The last answers, oldest first, with this one. */
  readonly history: readonly Stats[]
}

export function FigureTiles({ stats, history }: FigureTilesProps) {
  const { tiles } = strings
  const linesOf = (read: (one: Stats) => number) => history.map(read)
  const transfersOf = ({ files_uploading, files_downloading }: Stats) => files_uploading + files_downloading
  const averageBytes = stats.total_files === 0 ? 0 : stats.total_files_size / stats.total_files
  const volumePercent = (one: Stats) =>
    one.total_volume_space === 0 ? 0 : (100 * one.used_volume_space) / one.total_volume_space
  return (
    <dl className="grid grid-cols-2 gap-3 md:grid-cols-4 md:gap-4">
      <FigureTile
        label={tiles.cpu}
        value={formatPercent(stats.cpu_usage)}
        detail={strings.ofAllCores}
        history={linesOf(({ cpu_usage }) => cpu_usage)}
        top={100}
        isHigh={isHigh(stats.cpu_usage)}
      />
      <FigureTile
        label={tiles.memory}
        value={formatPercent(stats.memory_usage)}
        detail={strings.memoryUse(formatBytes(stats.memory_used), formatBytes(stats.memory_total))}
        history={linesOf(({ memory_usage }) => memory_usage)}
        top={100}
        isHigh={isHigh(stats.memory_usage)}
      />
      <FigureTile
        label={tiles.disk}
        value={formatPercent(stats.disk_usage)}
        detail={strings.fullestDisk}
        history={linesOf(({ disk_usage }) => disk_usage)}
        top={100}
        isHigh={isHigh(stats.disk_usage)}
      />
      <FigureTile
        label={tiles.users}
        value={formatNumber(stats.total_users)}
        detail={strings.active(stats.active_users)}
        history={linesOf(({ active_users }) => active_users)}
      />
      <FigureTile
        label={tiles.files}
        value={formatNumber(stats.total_files)}
        detail={stats.total_files === 0 ? strings.noFiles : strings.perFile(formatBytes(Math.round(averageBytes)))}
        history={linesOf(({ total_files }) => total_files)}
      />
      <FigureTile
        label={tiles.stored}
        value={formatBytes(stats.total_files_size)}
        detail={strings.withoutOverhead}
        history={linesOf(({ total_files_size }) => total_files_size)}
      />
      <FigureTile
        label={tiles.transfers}
        value={strings.uploads(stats.files_uploading)}
        detail={strings.downloads(stats.files_downloading)}
        history={linesOf(transfersOf)}
      />
      <FigureTile
        label={tiles.volumes}
        value={formatNumber(stats.volume_count)}
        detail={strings.volumeUse(formatBytes(stats.used_volume_space), formatBytes(stats.total_volume_space))}
        history={linesOf(volumePercent)}
        top={100}
      />
    </dl>
  )
}
