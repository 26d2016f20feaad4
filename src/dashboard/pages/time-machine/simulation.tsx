import { dateTimeText } from '../../../ui/format/dates.ts';
import { moneyText } from '../../../ui/format/money.ts';
import type { ApiError } from '../../data/api-error.ts';
import { useData } from '../../data/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { FigureTile } from '../../kit/charts/figure-tile.tsx';
import { Card, Columns, Row, Stack } from '../../kit/layout.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Loading } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { Text } from '../../kit/text.tsx';
import { Count, Money } from '../../kit/values.tsx';
import { useTimeWords } from '../../parts/time-words.ts';
import { Rejection } from '../../shell/rejection.tsx';
import { isDeclined } from './comparison.ts';
import { ItemTable } from './item-table.tsx';
import { TimeSimulationDocument, type TimeSimulationQuery } from './page.graphql';

export type Simulation = TimeSimulationQuery['testClockSimulate'];

type SimulationProps = {
  readonly until: string;
  readonly isStarting: boolean;
  readonly rejection: ApiError | null;
  /** Called to advance the clock, with the simulation, or with `null` if the simulation failed. */
  readonly onAdvance: (simulation: Simulation | null) => void;
  readonly onDiscard: () => void;
};

/** Simulates advancing the clock, and shows the result. */
export function SimulationCard({ until, isStarting, rejection, onAdvance, onDiscard }: SimulationProps) {
  const words = useTimeWords();
  const kit = useKit();
  const { data, error, isLoading } = useData(TimeSimulationDocument, { until });
  const simulation =
    data !== null && data.testClockSimulate.targetTime === until ? data.testClockSimulate : null;
  const amounts = (simulation?.totals ?? [])
    .filter(({ collected }) => collected > 0)
    .map(({ collected, currency }) => moneyText(collected, currency, kit.locale));
  const isReady = simulation !== null && !isLoading;
  return (
    <Card
      title={words.simulated({ date: dateTimeText(until, kit) })}
      actions={
        <Row>
          <Button onPress={onDiscard}>{words.discard}</Button>
          {error === null ? (
            <Button
              kind="primary"
              isDisabled={!isReady}
              isPending={isStarting}
              onPress={() => onAdvance(simulation)}
            >
              {amounts.length === 0 ? words.advance : words.advanceCharging({ amounts: amounts.join(' + ') })}
            </Button>
          ) : (
            <Button isPending={isStarting} onPress={() => onAdvance(null)}>
              {words.advanceUnseen}
            </Button>
          )}
        </Row>
      }
    >
      <Stack gap={5}>
        <Rejection error={rejection} />
        {error !== null && (
          <Stack gap={2}>
            <Rejection error={error} />
            <Text color="muted">{words.tooLarge}</Text>
          </Stack>
        )}
        {simulation === null && error === null && <Loading lines={6} />}
        {simulation !== null && error === null && <Shown simulation={simulation} />}
      </Stack>
    </Card>
  );
}

function Shown({ simulation }: { readonly simulation: Simulation }) {
  const words = useTimeWords();
  const { totals, items, invoices } = simulation;
  const declines = items.filter(({ outcome }) => isDeclined(outcome)).length;
  return (
    <>
      <Text color="muted">{words.simulatedAbout}</Text>
      <Columns count={4}>
        <FigureTile
          label={words.counts.deadlines}
          value={<Count value={simulation.completedDeadlineCount} />}
        />
        <FigureTile label={words.counts.invoices} value={<Count value={invoices.length} />} />
        <FigureTile label={words.counts.declines} value={<Count value={declines} />} />
        <FigureTile label={words.counts.failures} value={<Count value={simulation.failedDeadlineCount} />} />
      </Columns>
      {totals.length === 0 ? (
        <Text>{words.noMoney}</Text>
      ) : (
        <Table
          label={words.invoiced}
          rows={totals}
          rowKey={({ currency }) => currency}
          columns={[
            { id: 'currency', title: words.currency, cell: ({ currency }) => currency.toUpperCase() },
            ...(['invoiced', 'tax', 'collected', 'unpaid'] as const).map((id) => ({
              id,
              title: words[id],
              align: 'end' as const,
              cell: (row: (typeof totals)[number]) => <Money minor={row[id]} currency={row.currency} />,
            })),
          ]}
        />
      )}
      <ItemTable items={items} />
    </>
  );
}
