import { adminLimits, UserSortKey } from '@sallyport/contract/admin'
import { MoveDown, MoveUp } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useIsPhone } from '#/components/ui/hooks/use-is-phone.ts'
import { IconButton } from '#/components/ui/icon-button.tsx'
import { Select } from '#/components/ui/inputs/select.tsx'
import { TextField } from '#/components/ui/inputs/text-field.tsx'
import { adminUsersStrings } from '#/strings/admin/users.ts'
import { firstOrder, licenceFilters, type OfferedFilter, type UserListOptions } from './user-list-options.ts'

const debounceMs = 300

interface UsersFiltersProps {
  readonly options: UserListOptions
  readonly onChange: (change: Partial<UserListOptions>, how?: { readonly replace: boolean }) => void
}

/** The search and the filter of the users list; on a phone, which has no column headers, the order too. */
export function UsersFilters({ options, onChange }: UsersFiltersProps) {
  const isPhone = useIsPhone()
  return (
    <div className="grid gap-3 pad-card md:grid-cols-[minmax(0,1fr)_12rem]">
      <SearchForm search={options.search} onSearch={(search) => onChange({ search }, { replace: true })} />
      <Select
        label={adminUsersStrings.filter}
        hideLabel
        value={options.licence}
        options={licenceFilters.map((value) => ({ value, label: adminUsersStrings.filters[value] }))}
        onChange={({ target }) => onChange({ licence: target.value as OfferedFilter })}
      />
      {isPhone ? <SortControls options={options} onChange={onChange} /> : null}
    </div>
  )
}

interface SearchFormProps {
  readonly search: string
  readonly onSearch: (search: string) => void
}

function SearchForm({ search, onSearch }: SearchFormProps) {
  const [text, setText] = useState(search)
  const sentSearch = useRef(search)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    // The URL has changed otherwise: by the browser's back button, or because the filters were cleared.
    if (search === sentSearch.current) return
    clearTimeout(timer.current)
    sentSearch.current = search
    setText(search)
  }, [search])

  function send(next: string) {
    clearTimeout(timer.current)
    const trimmed = next.trim()
    if (trimmed === sentSearch.current) return
    sentSearch.current = trimmed
    onSearch(trimmed)
  }

  function edit(next: string) {
    setText(next)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => send(next), debounceMs)
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    send(text)
  }

  return (
    <search>
      <form onSubmit={submit}>
        <TextField
          label={adminUsersStrings.search}
          hideLabel
          type="search"
          name="search"
          placeholder={adminUsersStrings.searchPlaceholder}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="search"
          maxLength={adminLimits.maximumSearchLength}
          value={text}
          onChange={({ target }) => edit(target.value)}
        />
      </form>
    </search>
  )
}

function SortControls({ options: { sortBy, order }, onChange }: UsersFiltersProps) {
  const Icon = order === 'asc' ? MoveUp : MoveDown
  return (
    <div className="flex items-end gap-2">
      <Select
        label={adminUsersStrings.sortBy}
        fieldClassName="min-w-0 flex-1"
        value={sortBy}
        options={UserSortKey.options.map((value) => ({ value, label: adminUsersStrings.columns[value] }))}
        onChange={({ target }) => {
          const key = target.value as UserSortKey
          onChange({ sortBy: key, order: firstOrder(key) })
        }}
      />
      <IconButton
        variant="secondary"
        size="large"
        label={adminUsersStrings.reverse(order === 'asc' ? adminUsersStrings.ascending : adminUsersStrings.descending)}
        icon={<Icon aria-hidden size={18} strokeWidth={1.75} />}
        onClick={() => onChange({ order: order === 'asc' ? 'desc' : 'asc' })}
      />
    </div>
  )
}
