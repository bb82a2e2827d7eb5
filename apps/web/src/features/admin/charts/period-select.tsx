import { useSearchParams } from 'react-router'
import { Select } from '#/components/ui/inputs/select.tsx'
import { chartStrings as strings } from '#/strings/admin/charts.ts'

const initialPeriod = '30'

/** Returns the period in days that the URL names, and a function that changes it. */
export function usePeriod<Period extends string>(periods: readonly (Period | typeof initialPeriod)[]) {
  const [parameters, setParameters] = useSearchParams()
  const period = periods.find((one) => one === parameters.get('days')) ?? initialPeriod

  function setPeriod(days: string) {
    parameters.set('days', days)
    setParameters(parameters, { preventScrollReset: true })
  }

  return [period, setPeriod] as const
}

interface PeriodSelectProps {
  readonly periods: readonly string[]
  readonly period: string
  readonly onChange: (days: string) => void
}

export const PeriodSelect = ({ periods, period, onChange }: PeriodSelectProps) => (
  <Select
    label={strings.period}
    hideLabel
    fieldClassName="w-40"
    value={period}
    options={periods.map((days) => ({ value: days, label: strings.lastDays(days) }))}
    onChange={({ target }) => onChange(target.value)}
  />
)
