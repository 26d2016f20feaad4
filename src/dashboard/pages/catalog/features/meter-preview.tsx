import { numberText } from '../../../../ui/format/numbers.ts';
import { useData } from '../../../data/hooks.ts';
import { useRested } from '../../../data/use-rested.ts';
import { Callout } from '../../../kit/callout.tsx';
import { Stack } from '../../../kit/layout.tsx';
import { useKit } from '../../../kit/provider.tsx';
import { Loading } from '../../../kit/states.tsx';
import { Table } from '../../../kit/table.tsx';
import { Text } from '../../../kit/text.tsx';
import { DateTime } from '../../../kit/values.tsx';
import { useWords } from '../../../words/words.ts';
import {
  CatalogFeatureMeterPreviewDocument,
  type CatalogFeatureMeterPreviewQueryVariables,
} from './page.graphql';

type MeterPreviewInput = CatalogFeatureMeterPreviewQueryVariables['input'];

const mostDecimals = 9;

const valuesText = (values: unknown, empty: string): string =>
  Object.entries((values ?? {}) as Readonly<Record<string, string>>)
    .map(([property, value]) => `${property}: ${value === '' ? empty : value}`)
    .join(', ');

/** Shows the latest events as counted by the meter in the form. Shows nothing if `input` is `null`. */
export function MeterPreview({ input }: { readonly input: MeterPreviewInput | null }) {
  const { preview: words } = useWords('features').meter;
  const { locale } = useKit();
  const { value } = useRested(input, JSON.stringify(input));
  const isPaused = input === null || value === null;
  const variables = { input: value ?? { code: '', aggregation: 'sum' as const } };
  const { data, error } = useData(CatalogFeatureMeterPreviewDocument, variables, { isPaused });
  if (isPaused) return null;
  if (error !== null) return <Callout tone="negative">{error.message}</Callout>;
  if (data === null) return <Loading lines={4} />;
  const { events, total, totals } = data.featureMeterPreview;
  const quantity = (text: string): string => numberText(Number(text), locale, mostDecimals);
  return (
    <Stack gap={2} align="stretch">
      <Text weight="medium">{words.title}</Text>
      <Text size="sm" color="muted">
        {events.length === 0
          ? words.none
          : total === null
            ? words.unknownTotal
            : words.total({ count: events.length, total: quantity(total) })}
      </Text>
      {totals !== null && totals.length > 0 && (
        <Table
          label={words.totals}
          rows={totals}
          rowKey={({ values }) => JSON.stringify(values)}
          columns={[
            { id: 'values', title: words.values, cell: ({ values }) => valuesText(values, words.empty) },
            { id: 'total', title: words.counted, align: 'end', cell: ({ total: sum }) => quantity(sum) },
          ]}
        />
      )}
      {events.length > 0 && (
        <Table
          label={words.events}
          rows={events}
          rowKey={({ event }) => event.id}
          columns={[
            { id: 'time', title: words.time, cell: ({ event }) => <DateTime at={event.createdAt} /> },
            {
              id: 'sent',
              title: words.sent,
              align: 'end',
              priority: 'secondary',
              cell: ({ event }) => quantity(event.quantity ?? String(event.value)),
            },
            {
              id: 'counted',
              title: words.counted,
              align: 'end',
              cell: ({ counted }) => (counted === null ? '–' : quantity(counted)),
            },
          ]}
          detail={({ problem }) => problem}
        />
      )}
    </Stack>
  );
}
