import { useState } from 'react';
import { countText } from '../../../ui/format/numbers.ts';
import { addressOf } from '../../address.ts';
import { Badge } from '../../kit/badge.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { Link } from '../../kit/link.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Select } from '../../kit/select.tsx';
import { Table } from '../../kit/table.tsx';
import { Text } from '../../kit/text.tsx';
import type { Tone } from '../../kit/tone.ts';
import { DateTime } from '../../kit/values.tsx';
import { useTimeWords } from '../../parts/time-words.ts';
import { failuresFirst, type ItemFilter, isDeclined, itemFilters, itemsOf } from './comparison.ts';

/** Deadline that a run or simulation processed. */
type RunItem = {
  readonly subscriptionId: string;
  readonly customerName: string | null;
  readonly dueAt: string;
  readonly status: string;
  readonly outcome: string | null;
  readonly detail: string | null;
  readonly error: string | null;
  readonly invoiceId?: string | null;
  readonly invoiceNumber?: string | null;
};

const maxRows = 200;

const toneOf = ({ status, outcome }: RunItem): Tone => {
  if (status === 'failed') return 'negative';
  return isDeclined(outcome) ? 'warning' : 'neutral';
};

function Outcome({ item }: { readonly item: RunItem }) {
  const words = useTimeWords();
  const { status, outcome, detail, error, invoiceId, invoiceNumber } = item;
  const text =
    status === 'failed'
      ? words.failedItem
      : outcome === null
        ? ''
        : ((words.outcomes as Readonly<Record<string, string>>)[outcome] ?? outcome);
  return (
    <Stack gap={1}>
      <Row gap={2}>
        <Badge tone={toneOf(item)}>{text}</Badge>
        {invoiceId !== null && invoiceId !== undefined && (
          <Link href={addressOf('invoice', { id: invoiceId })}>{invoiceNumber ?? invoiceId}</Link>
        )}
      </Row>
      {(error ?? detail) !== null && (
        <Text size="sm" color={error === null ? 'muted' : 'negative'}>
          {error ?? detail}
        </Text>
      )}
    </Stack>
  );
}

type ItemTableProps = {
  readonly items: readonly RunItem[];
  /** Total number of items. Defaults to the number of `items`. */
  readonly count?: number;
};

/** Lists the items of a run, failures first, with a filter by type. */
export function ItemTable({ items, count = items.length }: ItemTableProps) {
  const words = useTimeWords();
  const { locale } = useKit();
  const [filter, setFilter] = useState<ItemFilter>('all');
  const found = failuresFirst(itemsOf(items, filter));
  const shown = found.slice(0, maxRows);
  const all = filter === 'all' ? count : found.length;
  const note = count > items.length ? words.latestItems : words.firstItems;
  return (
    <Stack gap={2}>
      <Row justify="between" align="end">
        <Select
          label={words.show}
          value={filter}
          onChange={(value) => setFilter(value as ItemFilter)}
          options={itemFilters.map((value) => ({ value, label: words.filters[value] }))}
        />
        {all > shown.length && (
          <Text size="sm" color="muted">
            {note({ shown: countText(shown.length, locale), all: countText(all, locale) })}
          </Text>
        )}
      </Row>
      <Table
        label={words.items}
        rows={shown.map((item, index) => ({ item, index }))}
        rowKey={({ index }) => index}
        empty={words.noItems}
        columns={[
          { id: 'when', title: words.when, cell: ({ item }) => <DateTime at={item.dueAt} /> },
          {
            id: 'who',
            title: words.who,
            cell: ({ item }) => (
              <Link href={addressOf('subscription', { id: item.subscriptionId })}>
                {item.customerName ?? words.unnamed}
              </Link>
            ),
          },
          { id: 'what', title: words.what, cell: ({ item }) => <Outcome item={item} /> },
        ]}
      />
    </Stack>
  );
}
