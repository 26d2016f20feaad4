import { useMemo } from 'react';
import { useAddressSearch } from '../../address.ts';
import { useHour } from '../../data/clock.ts';
import { useData } from '../../data/hooks.ts';
import { Callout } from '../../kit/callout.tsx';
import { DateRangeField } from '../../kit/date-field.tsx';
import { Columns, Stack } from '../../kit/layout.tsx';
import { Page } from '../../kit/page.tsx';
import { Select } from '../../kit/select.tsx';
import { Loading } from '../../kit/states.tsx';
import { CurrencyField } from '../../parts/currency-field.tsx';
import { useCurrencies } from '../../parts/places.ts';
import { DataError } from '../../shell/data-error.tsx';
import type { metrics } from '../../words/en/metrics.ts';
import type { titles } from '../../words/en/titles.ts';
import { useWords } from '../../words/words.ts';
import { BilledCard, CashCard, ReceivablesCard, RecoveryCard } from './charts.tsx';
import { MrrSection } from './mrr-section.tsx';
import { MetricsPageDocument, type MetricsPageQuery, MetricsSettingsDocument } from './page.graphql';
import { RetentionSection } from './retention.tsx';
import { daysOf, type Interval, intervalOf, intervals, type Range } from './spans.ts';

/** Recurring revenue, cash, billed amounts, receivables and recovery of a range of days, in one currency. */
export default function MetricsPage() {
  const title = useWords<typeof titles>('titles').metrics;
  const words = useWords<typeof metrics>('metrics');
  const [search, change] = useAddressSearch();
  const hour = useHour();
  const codes = useCurrencies();
  const settings = useData(MetricsSettingsDocument, {});
  const currency =
    codes.find((code) => code === search['currency']) ?? settings.data?.organization.reportingCurrency;
  const interval = intervalOf(search['interval']);
  const days = useMemo(() => daysOf(search, new Date(hour)), [search, hour]);
  const { data, error, refetch } = useData(
    MetricsPageDocument,
    { from: days.from, to: days.until, interval, currency: currency ?? 'usd' },
    { isPaused: currency === undefined },
  );
  return (
    <Page title={title} subtitle={words.subtitle}>
      <Stack gap={6}>
        <Columns count={3}>
          <DateRangeField
            label={words.range}
            value={days}
            onChange={(range) => range !== null && change({ from: range.from, until: range.until })}
          />
          <Select
            label={words.interval}
            value={interval}
            options={intervals.map((one) => ({ value: one, label: words.intervals[one] }))}
            onChange={(value) => change({ interval: value })}
          />
          {currency !== undefined && (
            <CurrencyField
              label={words.currency}
              value={currency}
              onChange={(value) => change({ currency: value })}
            />
          )}
        </Columns>
        {error !== null && <DataError error={error} onRetry={refetch} />}
        {settings.error !== null && <DataError error={settings.error} onRetry={settings.refetch} />}
        {currency === undefined && settings.error === null && <Loading lines={40} />}
        {currency !== undefined && error === null && (
          <Recurring range={{ from: days.from, to: days.until, interval, currency }} />
        )}
        {data !== null && error === null && (
          <Figures metrics={data.metrics} interval={interval} day={days.until} />
        )}
        {data === null && currency !== undefined && error === null && <Loading lines={8} />}
      </Stack>
    </Page>
  );
}

/** Recurring revenue, and what is left of it. */
const Recurring = ({ range }: { readonly range: Range }) => (
  <>
    <MrrSection range={range} />
    <RetentionSection range={range} />
  </>
);

type FiguresProps = {
  readonly metrics: MetricsPageQuery['metrics'];
  readonly interval: Interval;
  readonly day: string;
};

function Figures({ metrics: { cash, billed, receivables, recovery }, interval, day }: FiguresProps) {
  const words = useWords<typeof metrics>('metrics');
  const missing = [...new Set(cash.flatMap(({ missingRates }) => missingRates.map((rate) => rate.currency)))];
  return (
    <Stack gap={6}>
      {missing.length > 0 && (
        <Callout tone="warning">
          {words.missingRates({ currencies: missing.map((code) => code.toUpperCase()).join(', ') })}
        </Callout>
      )}
      {cash.some(({ isComplete }) => !isComplete) && <Callout tone="info">{words.incomplete}</Callout>}
      {cash.map((series) => (
        <CashCard key={series.currency} series={series} interval={interval} />
      ))}
      <BilledCard groups={billed} interval={interval} />
      <Columns count={2}>
        {receivables.map((owed) => (
          <ReceivablesCard key={owed.currency} owed={owed} day={day} />
        ))}
        {recovery.map((series) => (
          <RecoveryCard key={series.currency} series={series} interval={interval} />
        ))}
      </Columns>
    </Stack>
  );
}
