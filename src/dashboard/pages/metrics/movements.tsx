import { countText } from '../../../ui/format/numbers.ts';
import { Callout } from '../../kit/callout.tsx';
import { BarChart } from '../../kit/charts/bar-chart.tsx';
import { Waterfall } from '../../kit/charts/waterfall.tsx';
import { Card, Stack } from '../../kit/layout.tsx';
import { useKit } from '../../kit/provider.tsx';
import { EmptyState } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { Heading, Text } from '../../kit/text.tsx';
import type { mrr } from '../../words/en/mrr.ts';
import { useWords } from '../../words/words.ts';
import type { MrrFiguresFragment } from './mrr.graphql';
import { movedIn, movedKinds, reasonsOf, stepsOf } from './mrr.ts';
import type { Interval } from './spans.ts';
import { usePointsOf, useRates } from './use-chart-values.ts';

type MovementsProps = { readonly series: MrrFiguresFragment; readonly interval: Interval };

/** What moved recurring revenue: over all days, by span, and by reason. */
export function MovementsCard({ series: { currency, points }, interval }: MovementsProps) {
  const words = useWords<typeof mrr>('mrr');
  const pointsOf = usePointsOf(interval);
  const money = useRates(currency);
  const steps = stepsOf(points, { ...words, ...words.kinds });
  const reasons = reasonsOf(points);
  return (
    <Card title={words.movements}>
      <Stack>
        <Text as="p">{words.movementsText}</Text>
        {steps === null ? (
          <Callout tone="warning">{words.movementsUnknown}</Callout>
        ) : (
          <Waterfall label={words.movements} steps={steps} {...money} />
        )}
        {reasons.length === 0 ? (
          <EmptyState title={words.nothingMoved} />
        ) : (
          <>
            <Heading level={3}>{words.bySpan}</Heading>
            <BarChart
              label={words.bySpan}
              points={pointsOf(points)}
              series={movedKinds.map((kind) => ({
                id: kind,
                label: words.kinds[kind],
                values: points.map((point) => movedIn(point, kind)),
              }))}
              {...money}
            />
            <Heading level={3}>{words.byReason}</Heading>
            <Reasons reasons={reasons} format={money.format} />
          </>
        )}
      </Stack>
    </Card>
  );
}

type ReasonsProps = {
  readonly reasons: ReturnType<typeof reasonsOf>;
  readonly format: (rate: number) => string;
};

function Reasons({ reasons, format }: ReasonsProps) {
  const { locale } = useKit();
  const words = useWords<typeof mrr>('mrr');
  return (
    <Table
      label={words.byReason}
      rows={reasons}
      rowKey={({ id }) => id}
      columns={[
        { id: 'kind', title: words.kind, cell: ({ kind }) => words.kinds[kind] },
        { id: 'reason', title: words.reason, cell: ({ reason }) => words.reasons[reason] },
        {
          id: 'customers',
          title: words.customersLeft,
          align: 'end',
          cell: ({ customers }) => countText(customers, locale),
        },
        {
          id: 'amount',
          title: words.amount,
          align: 'end',
          cell: ({ amount }) => (amount === null ? '–' : format(amount)),
        },
      ]}
    />
  );
}
