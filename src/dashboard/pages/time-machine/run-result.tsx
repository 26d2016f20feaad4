import { dateTimeText } from '../../../ui/format/dates.ts';
import { useData } from '../../data/hooks.ts';
import { Status } from '../../kit/badge.tsx';
import { Callout } from '../../kit/callout.tsx';
import { FactList } from '../../kit/fact-list.tsx';
import { Stack } from '../../kit/layout.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Loading } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { Text } from '../../kit/text.tsx';
import type { Tone } from '../../kit/tone.ts';
import { Count, DateTime, Money } from '../../kit/values.tsx';
import { useTimeWords } from '../../parts/time-words.ts';
import { DataError } from '../../shell/data-error.tsx';
import { actualSums, compare, type Sums } from './comparison.ts';
import { ItemTable } from './item-table.tsx';
import type { TimeRunFragment } from './run.graphql';
import { TimeRunItemsDocument, TimeRunMoneyDocument } from './runs.graphql';
import { simulationOf } from './simulations.ts';

const tones: Readonly<Record<TimeRunFragment['status'], Tone>> = {
  completed: 'positive',
  failed: 'negative',
  pending: 'info',
  running: 'info',
};

export function RunStatus({ status }: Pick<TimeRunFragment, 'status'>) {
  const words = useTimeWords();
  return <Status tone={tones[status]}>{words.statuses[status]}</Status>;
}

/** Returns a time 1 ms later. Time ranges of the API exclude their end. */
const justAfter = (instant: string): string => new Date(new Date(instant).getTime() + 1).toISOString();

type RunResultProps = { readonly id: string };

/** Result of a run: amounts by currency compared with the simulation, and its items, failures first. */
export function RunResult({ id }: RunResultProps) {
  const words = useTimeWords();
  const kit = useKit();
  const { data, error, refetch } = useData(TimeRunItemsDocument, { id, first: 1 });
  if (error !== null) return <DataError error={error} onRetry={refetch} />;
  if (data === null || data.testClockRun.id !== id) return <Loading lines={6} />;
  const run = data.testClockRun;
  return (
    <Stack gap={5}>
      {run.error !== null && (
        <Callout tone="negative" title={run.error.message}>
          {words.stoppedAt({ date: dateTimeText(run.cursorTime, kit) })} <code>{run.error.code}</code>
        </Callout>
      )}
      <FactList
        look="grid"
        items={[
          { label: words.from, value: <DateTime at={run.startedAtTime} /> },
          { label: words.to, value: <DateTime at={run.targetTime} /> },
          { label: words.executed, value: <Count value={run.completedDeadlineCount} /> },
          { label: words.failed, value: <Count value={run.failedDeadlineCount} /> },
        ]}
      />
      <RunMoney run={run} />
      <ItemTable items={run.items} count={run.itemPages.totalCount.value} />
    </Stack>
  );
}

/** Invoiced and collected amounts of a run, compared with the simulated amounts if they are stored. */
function RunMoney({ run }: { readonly run: TimeRunFragment }) {
  const span = { from: justAfter(run.startedAtTime), to: justAfter(run.cursorTime) };
  const isEmpty = run.startedAtTime === run.cursorTime;
  const { data, error, refetch } = useData(TimeRunMoneyDocument, span, { isPaused: isEmpty });
  if (isEmpty) return null;
  if (error !== null) return <DataError error={error} onRetry={refetch} />;
  if (data === null) return <Loading lines={3} />;
  const actual = actualSums(data.invoices.totals ?? [], data.transactions.totals ?? []);
  const simulated = run.status === 'completed' ? simulationOf(run.id) : null;
  return simulated === null ? (
    <ActualTable sums={actual} />
  ) : (
    <ComparedTable simulated={simulated} actual={actual} />
  );
}

function ActualTable({ sums }: { readonly sums: readonly Sums[] }) {
  const words = useTimeWords();
  if (sums.length === 0) return <Text>{words.noMoney}</Text>;
  return (
    <Table
      label={words.collected}
      rows={sums}
      rowKey={({ currency }) => currency}
      columns={[
        { id: 'currency', title: words.currency, cell: ({ currency }) => currency.toUpperCase() },
        ...(['invoiced', 'collected'] as const).map((id) => ({
          id,
          title: words[id],
          align: 'end' as const,
          cell: (row: Sums) => <Money minor={row[id]} currency={row.currency} />,
        })),
      ]}
    />
  );
}

type ComparedProps = { readonly simulated: readonly Sums[]; readonly actual: readonly Sums[] };

function ComparedTable({ simulated, actual }: ComparedProps) {
  const words = useTimeWords();
  const { locale } = useKit();
  const { rows, isEqual } = compare(simulated, actual);
  const lines = rows.flatMap((row) => (['invoiced', 'collected'] as const).map((sum) => ({ ...row, sum })));
  return (
    <Stack gap={3}>
      <Callout tone={isEqual ? 'positive' : 'warning'}>{isEqual ? words.equal : words.different}</Callout>
      {lines.length === 0 ? (
        <Text>{words.noMoney}</Text>
      ) : (
        <Table
          label={words.comparison}
          rows={lines}
          rowKey={({ currency, sum }) => `${currency} ${sum}`}
          columns={[
            {
              id: 'sum',
              title: words.comparison,
              cell: ({ currency, sum }) => `${words[sum]}, ${currency.toLocaleUpperCase(locale)}`,
            },
            ...(['simulated', 'actual'] as const).map((side) => ({
              id: side,
              title: side === 'simulated' ? words.simulatedColumn : words.actualColumn,
              align: 'end' as const,
              cell: (row: (typeof lines)[number]) => (
                <Money minor={row[side][row.sum]} currency={row.currency} />
              ),
            })),
          ]}
        />
      )}
    </Stack>
  );
}
