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
import { useWords } from '../../words/words.ts';
import { usageDetails } from './list-variables.ts';
import {
  type UsageRowFragment,
  UsageStreamDocument,
  type UsageStreamSubscriptionVariables,
} from './page.graphql';

/** Maximum number of rows in the live stream. Older events are in the list. */
const maxRows = 100;

type Shown = { readonly rows: readonly UsageRowFragment[]; readonly omitted: number };

const nothing: Shown = { rows: [], omitted: 0 };

type TailProps = {
  readonly fields: readonly FilterField[];
  readonly featureIds: readonly string[];
  readonly onClose: () => void;
};

const noColumns = [] as const;

/** Live stream of usage events with the filters of the list, newest first. It can be paused. */
export function UsageTail({ fields, featureIds, onClose }: TailProps) {
  const words = useWords('usage');
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

/** Usage events since the stream was opened. If too many arrive, only a sample is shown, with the number of omitted events. */
function Stream({ filter, isPaused }: StreamProps) {
  const words = useWords('usage');
  const [{ rows, omitted }, setShown] = useState(nothing);
  useLive(
    UsageStreamDocument,
    { filter },
    ({ usageStream }) =>
      setShown((before) => ({
        rows: [...usageStream.events.toReversed(), ...before.rows].slice(0, maxRows),
        omitted: before.omitted + usageStream.omitted,
      })),
    { isPaused },
  );
  return (
    <>
      {omitted > 0 && <Text color="muted">{words.tail.leftOut({ count: omitted })}</Text>}
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
