import { useState } from 'react';
import { monthText, shortDateText, timeText } from '../../../ui/format/dates.ts';
import { compactCountText, countText } from '../../../ui/format/numbers.ts';
import { useCommandAddress } from '../../commands/actions.tsx';
import { useData } from '../../data/hooks.ts';
import { environment } from '../../data/place.ts';
import { useStore } from '../../data/store.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { BarChart } from '../../kit/charts/bar-chart.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { lazyPart } from '../../kit/lazy-part.tsx';
import { Section } from '../../kit/page.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Select } from '../../kit/select.tsx';
import { Loading } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { Hidden, Text } from '../../kit/text.tsx';
import { Count, DateTime } from '../../kit/values.tsx';
import { useCustomerWords } from '../../parts/customer-words.ts';
import { PagesOf } from '../../parts/load-more.tsx';
import { useConnection } from '../../parts/subscription/subscription-lists.tsx';
import type { SubscriptionTermsFragment } from '../../parts/subscription/terms.graphql';
import { CustomerUsageDocument, type CustomerUsageQuery, CustomerUsageSeriesDocument } from './tabs.graphql';
import { UsageByDimension } from './usage-by-dimension.tsx';

const CorrectionSheet = lazyPart(() =>
  import('./correction-sheet.tsx').then((module) => module.CorrectionSheet),
);

type Granularity = 'hour' | 'day' | 'month';

const hourMs = 3_600_000;
const spans: Record<Granularity, number> = {
  hour: 48 * hourMs,
  day: 30 * 24 * hourMs,
  month: 365 * 24 * hourMs,
};

/** Returns the time range of the chart, which ends with the current hour. */
function spanOf(granularity: Granularity, now: Date) {
  const to = new Date(Math.ceil((now.getTime() + 1) / hourMs) * hourMs);
  return { from: new Date(to.getTime() - spans[granularity]).toISOString(), to: to.toISOString() };
}

type SeriesProps = {
  readonly id: string;
  readonly name: string;
  readonly featureCode: string;
  readonly granularity: Granularity;
};

/** Chart of a feature's usage over time. */
function Series({ id, name, featureCode, granularity }: SeriesProps) {
  const { usage: words } = useCustomerWords();
  const settings = useKit();
  const [span] = useState(() => spanOf(granularity, settings.now()));
  const { data, error } = useData(CustomerUsageSeriesDocument, {
    customerId: id,
    featureCode,
    granularity,
    ...span,
  });
  const label = (at: string) => {
    if (granularity === 'month') return monthText(at, settings);
    return granularity === 'hour' ? timeText(at, settings) : shortDateText(at, settings);
  };
  if (error !== null) return <Callout tone="negative">{error.message}</Callout>;
  if (data === null) return <Loading lines={5} />;
  if (data.usageSeries.every(({ value }) => value === 0)) return <Text color="muted">{words.none}</Text>;
  return (
    <BarChart
      label={words.chart({ feature: name })}
      points={data.usageSeries.map(({ start }) => ({ id: start, label: label(start) }))}
      series={[
        { id: featureCode, label: words.quantity, values: data.usageSeries.map(({ value }) => value) },
      ]}
      format={(value) => countText(value, settings.locale)}
      formatShort={(value) => compactCountText(value, settings.locale)}
      height={220}
    />
  );
}

type ShownEvent = CustomerUsageQuery['customer']['usageEvents']['nodes'][number];

type PageProps = {
  readonly id: string;
  readonly onCorrect: (event: ShownEvent) => void;
  readonly after: string | null;
  readonly onConnection: Parameters<typeof useConnection>[1];
};

function EventPage({ id, after, onCorrect, onConnection }: PageProps) {
  const { usage: words, correction } = useCustomerWords();
  const { data, error } = useData(CustomerUsageDocument, { id, first: 50, after });
  const events = data?.customer.usageEvents;
  useConnection(events, onConnection);
  if (error !== null) return <Callout tone="negative">{error.message}</Callout>;
  if (events === undefined) return <Loading />;
  return (
    <Table
      label={words.events}
      rows={events.nodes}
      rowKey={({ id: of }) => of}
      empty={words.none}
      columns={[
        { id: 'time', title: words.time, cell: ({ ts }) => <DateTime at={ts} /> },
        { id: 'feature', title: words.feature, cell: ({ feature }) => feature.name },
        {
          id: 'value',
          title: words.quantity,
          align: 'end',
          cell: ({ value, quantity }) => <Count value={Number(quantity ?? value)} />,
        },
        {
          id: 'state',
          title: <Hidden>{words.blocked}</Hidden>,
          cell: ({ consumption }) =>
            consumption?.blocked === true && <Badge tone="negative">{words.blocked}</Badge>,
        },
        {
          id: 'event',
          title: 'ID',
          priority: 'secondary',
          cell: ({ eventId }) => (
            <Text size="sm" code truncate>
              {eventId}
            </Text>
          ),
        },
        {
          id: 'correct',
          title: <Hidden>{correction.title}</Hidden>,
          cell: (event) => (
            <Button size="sm" kind="quiet" onPress={() => onCorrect(event)}>
              {correction.open}
            </Button>
          ),
        },
      ]}
    />
  );
}

type Props = { readonly id: string; readonly subscription: SubscriptionTermsFragment | null };

/** Shows a customer's usage over time and the individual usage events. */
export function UsageTab({ id, subscription }: Props) {
  const { usage: words } = useCustomerWords();
  const { open } = useCommandAddress();
  const features = subscription?.features.filter(({ type }) => type === 'usage') ?? [];
  const [chosen, choose] = useState<string | null>(null);
  const [corrected, correct] = useState<ShownEvent | null>(null);
  const [round, setRound] = useState(0);
  const [granularity, setGranularity] = useState<Granularity>('day');
  const place = useStore(environment);
  const feature = chosen ?? features[0]?.code ?? null;
  const name = features.find(({ code }) => code === feature)?.name ?? feature ?? '';
  return (
    <Stack gap={6}>
      {feature === null ? (
        <Text color="muted">{words.noFeature}</Text>
      ) : (
        <Section
          title={words.chart({ feature: name })}
          actions={
            <>
              <Button size="sm" onPress={() => open('usageSet', feature)}>
                {words.set}
              </Button>
              {place === 'sandbox' && (
                <Button size="sm" onPress={() => open('usageTrack', feature)}>
                  {words.track}
                </Button>
              )}
            </>
          }
        >
          <Row gap={3} align="end">
            <Select
              label={words.feature}
              options={features.map(({ code, name }) => ({ value: code, label: name }))}
              value={feature}
              onChange={choose}
            />
            <Select
              label={words.granularity}
              options={(['hour', 'day', 'month'] as const).map((value) => ({ value, label: words[value] }))}
              value={granularity}
              onChange={(value) => setGranularity(value as Granularity)}
            />
          </Row>
          <Series
            key={`${feature} ${granularity}`}
            id={id}
            name={name}
            featureCode={feature}
            granularity={granularity}
          />
        </Section>
      )}
      {feature !== null && <UsageByDimension id={id} featureCode={feature} name={name} />}
      <Section title={words.events}>
        <PagesOf
          key={round}
          page={(after, hand) => <EventPage id={id} after={after} onCorrect={correct} onConnection={hand} />}
        />
      </Section>
      {corrected !== null && (
        <CorrectionSheet
          event={corrected}
          openSince={
            subscription?.usage.find(({ featureCode }) => featureCode === corrected.feature.code)
              ?.windowStart ?? null
          }
          onClose={() => correct(null)}
          onDone={() => {
            correct(null);
            setRound(round + 1);
          }}
        />
      )}
    </Stack>
  );
}
