import { useMemo } from 'react';
import { addressOf, useAddressSearch } from '../../address.ts';
import { useHour } from '../../data/clock.ts';
import { useData } from '../../data/hooks.ts';
import { DateRangeField } from '../../kit/date-field.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { lazyPart } from '../../kit/lazy-part.tsx';
import { LinkTabs } from '../../kit/link-tabs.tsx';
import { Page } from '../../kit/page.tsx';
import { Segments } from '../../kit/segments.tsx';
import { Select } from '../../kit/select.tsx';
import { Loading } from '../../kit/states.tsx';
import { useCurrencies } from '../../parts/countries.ts';
import { CurrencyField } from '../../parts/currency-field.tsx';
import { DataError } from '../../shell/data-error.tsx';
import { useWords } from '../../words/words.ts';
import { HeadlineCard } from './headline.tsx';
import { MrrSection } from './mrr-section.tsx';
import { MetricsSettingsDocument } from './page.graphql';
import { type Preset, presets, searchOfPreset } from './presets.ts';
import { daysOf, type Interval, intervalOf, intervals, type Range } from './spans.ts';
import { searchOfView, type View, viewOf, views } from './views.ts';

/** MRR view: current metrics and metrics for the date range. */
const Recurring = ({ range }: { readonly range: Range }) => (
  <Stack gap={6}>
    <HeadlineCard range={range} />
    <MrrSection range={range} />
  </Stack>
);

/** Placeholder with the height of a view, so that the layout doesn't shift when the view loads. */
const Waiting = () => <Loading lines={24} />;

/** Sections of each view. */
const sections = {
  mrr: Recurring,
  retention: lazyPart(() => import('./retention.tsx').then((module) => module.RetentionSection), Waiting),
  scheduled: lazyPart(
    () => import('./scheduled-section.tsx').then((module) => module.ScheduledSection),
    Waiting,
  ),
  trials: lazyPart(() => import('./trials-section.tsx').then((module) => module.TrialsSection), Waiting),
  cash: lazyPart(() => import('./cash-section.tsx').then((module) => module.CashSection), Waiting),
  receivables: lazyPart(
    () => import('./receivables-section.tsx').then((module) => module.ReceivablesSection),
    Waiting,
  ),
  recovery: lazyPart(
    () => import('./recovery-section.tsx').then((module) => module.RecoverySection),
    Waiting,
  ),
  margin: lazyPart(() => import('./margin-section.tsx').then((module) => module.MarginSection), Waiting),
  usage: lazyPart(() => import('./usage-section.tsx').then((module) => module.UsageSection), Waiting),
} satisfies Readonly<Record<View, unknown>>;

/**
 * Business metrics, with one view each for recurring revenue, retention, scheduled changes, trials, cash, receivables,
 * recovery, usage, and margin.
 */
export default function MetricsPage() {
  const title = useWords('titles').metrics;
  const words = useWords('metrics');
  const [search] = useAddressSearch();
  const hour = useHour();
  const codes = useCurrencies();
  const settings = useData(MetricsSettingsDocument, {});
  const view = viewOf(search['view']);
  const currency =
    codes.find((code) => code === search['currency']) ?? settings.data?.organization.reportingCurrency;
  const interval = intervalOf(search['interval']);
  const direction = view === 'scheduled' ? 'ahead' : 'past';
  const days = useMemo(() => daysOf(search, new Date(hour), direction), [search, hour, direction]);
  const Section = sections[view];
  return (
    <Page title={title} subtitle={words.subtitle}>
      <Stack gap={6}>
        <LinkTabs
          label={title}
          selected={view}
          items={views.map((id) => ({
            id,
            label: words.views[id],
            href: addressOf('metrics', null, searchOfView(id, search)),
          }))}
        />
        <Controls days={days} interval={interval} currency={currency} hasPresets={direction === 'past'} />
        {settings.error !== null && <DataError error={settings.error} onRetry={settings.refetch} />}
        {currency === undefined && settings.error === null && <Loading lines={40} />}
        {currency !== undefined && (
          <Section key={view} range={{ from: days.from, to: days.until, interval, currency }} />
        )}
      </Stack>
    </Page>
  );
}

type ControlsProps = {
  readonly days: { readonly from: string; readonly until: string };
  readonly interval: Interval;
  readonly currency: Range['currency'] | undefined;
  /** True if the view shows past days. */
  readonly hasPresets: boolean;
};

/** Fields for the date range, interval and currency, which all views share. */
function Controls({ days, interval, currency, hasPresets }: ControlsProps) {
  const words = useWords('metrics');
  const [search, change] = useAddressSearch();
  const today = new Date(useHour());
  const isPreset = (id: Preset): boolean => {
    const preset = searchOfPreset(id, today);
    return preset.from === days.from && preset.until === days.until && preset.interval === interval;
  };
  return (
    <Row gap={3} align="end">
      {hasPresets && (
        <Segments
          label={words.presets.title}
          selected={presets.find((id) => isPreset(id)) ?? ''}
          items={presets.map((id) => ({
            id,
            label: words.presets[id],
            href: addressOf('metrics', null, { ...search, ...searchOfPreset(id, today) }),
          }))}
        />
      )}
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
    </Row>
  );
}
