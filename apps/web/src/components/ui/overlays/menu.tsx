import { Menu as Base } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'
import { classNames } from '../class-names.ts'

interface MenuProps {
  /** The button that opens the menu, such as `<Button>MA</Button>`. */
  readonly trigger: ReactElement
  readonly align?: 'start' | 'center' | 'end'
  /** Pixels between the trigger and the menu. */
  readonly sideOffset?: number
  readonly children: ReactNode
}

export function Menu({ trigger, align = 'end', sideOffset = 6, children }: MenuProps) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} sideOffset={sideOffset} collisionPadding={8} className="z-45 outline-none">
          <Base.Popup className="menu-popup">{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

interface MenuItemProps {
  readonly icon?: ReactNode
  readonly tone?: 'ink' | 'rust'
  readonly disabled?: boolean
  readonly onSelect?: () => void
  /** Element to render as the item, such as a router link. */
  readonly render?: ReactElement
  readonly children: ReactNode
}

export function MenuItem({ icon, tone = 'ink', disabled = false, onSelect, render, children }: MenuItemProps) {
  return (
    <Base.Item
      disabled={disabled}
      onClick={onSelect}
      render={render}
      className={classNames('menu-item', tone === 'rust' && 'menu-item-rust')}
    >
      {icon}
      {children}
    </Base.Item>
  )
}

interface MenuChoiceProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly onValueChange: (value: Value) => void
  readonly choices: readonly { readonly value: Value; readonly label: string }[]
  readonly closeOnChoice?: boolean
}

/** A radio group within a menu. */
export function MenuChoice<Value extends string>(props: MenuChoiceProps<Value>) {
  const { label, value, onValueChange, choices, closeOnChoice = false } = props
  return (
    <Base.Group>
      <Base.GroupLabel className="px-3 pt-2 pb-1 text-2xs font-semibold text-ink-3">{label}</Base.GroupLabel>
      <Base.RadioGroup value={value} onValueChange={(next: Value) => onValueChange(next)}>
        {choices.map((choice) => (
          <Base.RadioItem key={choice.value} value={choice.value} closeOnClick={closeOnChoice} className="menu-item">
            <span className="grid size-4.5 place-items-center">
              <Base.RadioItemIndicator>
                <Check aria-hidden size={16} strokeWidth={2.25} />
              </Base.RadioItemIndicator>
            </span>
            {choice.label}
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
    </Base.Group>
  )
}

export function MenuSeparator() {
  return <Base.Separator className="mx-1 my-1 h-px bg-line" />
}

interface MenuTextProps {
  readonly children: ReactNode
}

/** Non-interactive text, such as the name of the signed-in account. */
export function MenuText({ children }: MenuTextProps) {
  return <div className="max-w-64 truncate px-3 py-1.5 text-xs text-ink-2">{children}</div>
}
