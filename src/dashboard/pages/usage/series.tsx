import { useState } from 'react';
import { dateText, dateTimeText } from '../../../ui/format/dates.ts';
import { countText } from '../../../ui/format/numbers.ts';
import { useHour } from '../../data/clock.ts';
import { useData } from '../../data/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { BarChart } from '../../kit/charts/bar-chart.tsx';
import { Form } from '../../kit/form.tsx';
import { Stack } from '../../kit/layout.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Select } from '../../kit/select.tsx';
import { Sheet } from '../../kit/sheet.tsx';
import { EmptyState, Loading } from '../../kit/states.tsx';
import { Text } from '../../kit/text.tsx';
import { TextField } from '../../kit/text-field.tsx';
import { DataError } from '../../shell/data-error.tsx';
import { useWords, type Words } from '../../words/words.ts';
import { type UsageFeaturesQuery, UsageSeriesDocument } from './page.graphql';

type Feature = UsageFeaturesQuery['features']['nodes'][number];
type Granularity = keyof Words['usage']['spans'];

const hourMs = 3_600_000;
const spans: Readonly<Record<Granularity, number>> = {
  hour: 48 * hourMs,
  day: 30 * 24 * hourMs,
  month: 365 * 24 * hourMs,
};

type SeriesProps = { readonly features: readonly Feature[]; readonly onClose: () => void };

/** Sheet with a chart of one customer's usage of a feature. */
export function SeriesSheet({ features, onClose }: SeriesProps) {
  const words = useWords('usage');
  const [customer, setCustomer] = useState('');
  const [featureCode, setFeatureCode] = useState<string | null>(null);
  const [granularity, setGranularity] = useState<Granularity>('day');
  const [asked, setAsked] = useState<{ customerId: string; featureCode: string } | null>(null);
  const measured = features.filter(({ type }) => type !== 'boolean');
  const isReady = customer.trim() !== '' && featureCode !== null;
  return (
    <Sheet isOpen onClose={onClose} title={words.chart} size="lg">
      <Stack gap={5}>
        <Form onSubmit={() => isReady && setAsked({ customerId: customer.trim(), featureCode })}>
          <Stack>
            <TextField label={words.customerId} value={customer} onChange={setCustomer} autoFocus />
            <Select
              label={words.feature}
              value={featureCode}
              onChange={setFeatureCode}
              options={measured.map(({ code, name }) => ({ value: code, label: name }))}
            />
            <Select
              label={words.span}
              value={granularity}
              onChange={(value) => setGranularity(value as Granularity)}
              options={Object.entries(words.spans).map(([value, label]) => ({ value, label }))}
            />
            <Button kind="primary" type="submit" isDisabled={!isReady}>
              {words.show}
            </Button>
          </Stack>
        </Form>
        {asked === null ? (
          <EmptyState title={words.chartHelp} />
        ) : (
          <Series
            {...asked}
            granularity={granularity}
            name={features.find(({ code }) => code === asked.featureCode)?.name ?? asked.featureCode}
          />
        )}
      </Stack>
    </Sheet>
  );
}

type AskedProps = {
  readonly customerId: string;
  readonly featureCode: string;
  readonly granularity: Granularity;
  readonly name: string;
};

function Series({ customerId, featureCode, granularity, name }: AskedProps) {
  const kit = useKit();
  const hour = useHour();
  const words = useWords('usage');
  const { data, error, refetch } = useData(UsageSeriesDocument, {
    customerId,
    featureCode,
    granularity,
    from: new Date(hour - spans[granularity]).toISOString(),
    to: new Date(hour + hourMs).toISOString(),
  });
  if (error !== null) return <DataError error={error} onRetry={refetch} />;
  if (data === null) return <Loading height={64} />;
  const points = data.usageSeries.map(({ start }) => ({
    id: start,
    label: granularity === 'hour' ? dateTimeText(start, kit) : dateText(start, kit),
  }));
  const values = data.usageSeries.map(({ value }) => value);
  const total = values.reduce((sum, value) => sum + value, 0);
  const format = (value: number) => countText(value, kit.locale);
  return (
    <Stack>
      <BarChart
        label={words.chartTitle({ feature: name })}
        points={points}
        series={[{ id: featureCode, label: name, values }]}
        format={format}
      />
      <Text color="muted">{words.total({ total: format(total) })}</Text>
    </Stack>
  );
}
