import { useState } from 'react';
import { addressOf } from '../../address.ts';
import { useLive } from '../../data/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { Link } from '../../kit/link.tsx';
import { FilterBar } from '../../kit/list/filter-bar.tsx';
import type { FilterField } from '../../kit/list/filters.ts';
import { Sheet } from '../../kit/sheet.tsx';
import { Table } from '../../kit/table.tsx';
import { Text } from '../../kit/text.tsx';
import { Count, DateTime } from '../../kit/values.tsx';
import { useListState } from '../../lists/use-list-state.ts';
import type { usage } from '../../words/en/usage.ts';
import { useWords } from '../../words/words.ts';
import { usageDetails } from './list-variables.ts';
import {
  type UsageRowFragment,
  UsageStreamDocument,
  type UsageStreamSubscriptionVariables,
} from './page.graphql';

/** Rows the tail keeps; older ones are in the list. */
const mostRows = 100;

type Shown = { readonly rows: readonly UsageRowFragment[]; readonly leftOut: number };

const nothing: Shown = { rows: [], leftOut: 0 };

type TailProps = {
  /** What list and tail are filtered by alike. */
  readonly fields: readonly FilterField[];
  readonly featureIds: readonly string[];
  readonly onClose: () => void;
};

const noColumns = [] as const;

/** Usage as it is recorded, by the filters of the list, the latest first, until it is paused. */
export function UsageTail({ fields, featureIds, onClose }: TailProps) {
  const words = useWords<typeof usage>('usage');
  const [isPaused, setPaused] = useState(false);
  const { state, onFilters } = useListState('usage', { fields, columns: noColumns });
  const filter = usageDetails(state, featureIds);
  return (
    <Sheet isOpen onClose={onClose} title={words.tail.title} size="lg">
      <Stack gap={4}>
        <Row justify="between">
          <FilterBar fields={fields} filters={state.filters} onChange={onFilters} />
          <Button onPress={() => setPaused(!isPaused)}>
            {isPaused ? words.tail.resume : words.tail.pause}
          </Button>
        </Row>
        {isPaused && <Text color="muted">{words.tail.paused}</Text>}
        <Stream key={JSON.stringify(filter)} filter={filter} isPaused={isPaused} />
      </Stack>
    </Sheet>
  );
}

type StreamProps = {
  readonly filter: UsageStreamSubscriptionVariables['filter'];
  readonly isPaused: boolean;
};

/** The usage that came since this was opened. A flood is sampled, and says how much is not shown. */
function Stream({ filter, isPaused }: StreamProps) {
  const words = useWords<typeof usage>('usage');
  const [{ rows, leftOut }, setShown] = useState(nothing);
  useLive(
    UsageStreamDocument,
    { filter },
    ({ usageStream }) =>
      setShown((before) => ({
        rows: [...usageStream.events.toReversed(), ...before.rows].slice(0, mostRows),
        leftOut: before.leftOut + usageStream.leftOut,
      })),
    { isPaused },
  );
  return (
    <>
      {leftOut > 0 && <Text color="muted">{words.tail.leftOut(leftOut)}</Text>}
      <Table
        label={words.tail.title}
        rows={rows}
        rowKey={({ id }) => id}
        empty={words.tail.waiting}
        columns={[
          { id: 'time', title: words.time, cell: ({ createdAt }) => <DateTime at={createdAt} /> },
          {
            id: 'customer',
            title: words.customer,
            cell: ({ customer }) => (
              <Link kind="text" href={addressOf('customer', { id: customer.id })}>
                {customer.fullName || customer.email}
              </Link>
            ),
          },
          { id: 'feature', title: words.feature, cell: ({ feature }) => feature.name },
          { id: 'value', title: words.value, align: 'end', cell: ({ value }) => <Count value={value} /> },
        ]}
      />
    </>
  );
}
