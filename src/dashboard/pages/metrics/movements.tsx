import { countText } from '../../../ui/format/numbers.ts';
import { useAddressSearch } from '../../address.ts';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { BarChart } from '../../kit/charts/bar-chart.tsx';
import { Waterfall } from '../../kit/charts/waterfall.tsx';
import { Card, Stack } from '../../kit/layout.tsx';
import { lazyPart } from '../../kit/lazy-part.tsx';
import { useKit } from '../../kit/provider.tsx';
import { EmptyState } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { Heading, Text } from '../../kit/text.tsx';
import { ExportButton } from '../../lists/export-action.tsx';
import { useRates } from '../../parts/metrics/amounts.ts';
import { useWords } from '../../words/words.ts';
import { type ChangesFilter, changesFrom, changesText, daysOfPoint } from './changes.ts';
import type { MrrFiguresFragment } from './mrr.graphql';
import { movedIn, movedKinds, reasonsOf, stepsOf } from './mrr.ts';
import type { Range } from './spans.ts';
import { usePointsOf } from './use-chart-values.ts';

type MovementsProps = { readonly series: MrrFiguresFragment; readonly range: Range };

const ChangesSheet = lazyPart(() => import('./changes-sheet.tsx').then((module) => module.ChangesSheet));

/** Card with MRR movements in total, by interval, and by reason. */
export function MovementsCard({ series: { currency, points }, range }: MovementsProps) {
  const words = useWords('mrr');
  const [search, change] = useAddressSearch();
  const open = (filter: ChangesFilter) => change({ changes: changesText(filter) }, { isNew: true });
  const opened = changesFrom(search['changes'], words);
  const { interval, from, to } = range;
  const pointsOf = usePointsOf(interval);
  const money = useRates(currency);
  const steps = stepsOf(points, { ...words, ...words.kinds });
  const reasons = reasonsOf(points);
  return (
    <Card
      title={words.movements}
      actions={
        <ExportButton kind="metrics_mrr_movements" label={words.movements} variables={{ filter: range }} />
      }
    >
      <Stack>
        <Text as="p">{words.movementsText}</Text>
        {steps === null ? (
          <Callout tone="warning">{words.movementsUnknown}</Callout>
        ) : (
          <Waterfall
            label={words.movements}
            steps={steps}
            onChoose={(index) => {
              const kind = movedKinds.find((each) => each === steps[index]?.id);
              open({ from, to, ...(kind !== undefined && { kind }) });
            }}
            {...money}
          />
        )}
        {reasons.length === 0 ? (
          <EmptyState title={words.nothingMoved} />
        ) : (
          <>
            <Heading level={3}>{words.bySpan}</Heading>
            <BarChart
              label={words.bySpan}
              points={pointsOf(points)}
              onChoose={(index) => open(daysOfPoint(points, index, range))}
              series={movedKinds.map((kind) => ({
                id: kind,
                label: words.kinds[kind],
                values: points.map((point) => movedIn(point, kind)),
              }))}
              {...money}
            />
            <Heading level={3}>{words.byReason}</Heading>
            <Reasons
              reasons={reasons}
              format={money.format}
              onOpen={({ kind, reason }) => open({ from, to, kind, reason })}
            />
          </>
        )}
      </Stack>
      {opened !== null && <ChangesSheet filter={opened} onClose={() => change({ changes: undefined })} />}
    </Card>
  );
}

type ReasonsProps = {
  readonly reasons: ReturnType<typeof reasonsOf>;
  readonly format: (rate: number) => string;
  readonly onOpen: (row: ReturnType<typeof reasonsOf>[number]) => void;
};

function Reasons({ reasons, format, onOpen }: ReasonsProps) {
  const { locale } = useKit();
  const words = useWords('mrr');
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
          cell: (row) => (
            <Button
              size="sm"
              kind="quiet"
              aria-label={words.showCustomers({
                count: countText(row.customers, locale),
                reason: words.reasons[row.reason],
              })}
              onPress={() => onOpen(row)}
            >
              {countText(row.customers, locale)}
            </Button>
          ),
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
