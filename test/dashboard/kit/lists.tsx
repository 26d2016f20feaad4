import PlusIcon from 'lucide-react/icons/plus';
import { useMemo, useState } from 'react';
import { Status } from '../../../src/dashboard/kit/badge.tsx';
import { Button } from '../../../src/dashboard/kit/button.tsx';
import { readOnce } from '../../../src/dashboard/kit/grid/cursor-pages.ts';
import { Grid, type GridColumn, type GridSort } from '../../../src/dashboard/kit/grid/grid.tsx';
import { useMarksPages } from '../../../src/dashboard/kit/grid/use-cursor-pages.ts';
import { DisplayMenu } from '../../../src/dashboard/kit/list/display-menu.tsx';
import type { Filter, FilterField } from '../../../src/dashboard/kit/list/filters.ts';
import { ListToolbar } from '../../../src/dashboard/kit/list/list-toolbar.tsx';
import { Menu } from '../../../src/dashboard/kit/menu.tsx';
import { Page } from '../../../src/dashboard/kit/page.tsx';
import { EmptyState } from '../../../src/dashboard/kit/states.tsx';
import { Text } from '../../../src/dashboard/kit/text.tsx';
import { Count, DateText, Money } from '../../../src/dashboard/kit/values.tsx';

const total = 100_000;

type Item = { readonly id: string; readonly place: number; readonly name: string; readonly email: string };

const names = [
  'Ada Lovelace',
  'Grace Hopper',
  'Alan Turing',
  'Katherine Johnson',
  'Edsger Dijkstra',
  'Barbara Liskov',
];

const itemAt = (place: number): Item => {
  const name = names[place % names.length] ?? '';
  return {
    id: `cus_${String(place)}`,
    place,
    name,
    email: `${name.split(' ')[0]?.toLowerCase()}${String(place)}@example.com`,
  };
};

/** Generated rows, returned after 120 ms to simulate a server. */
const page = readOnce<Item>(async (after, size) => {
  await new Promise((done) => setTimeout(done, 120));
  const start = after === null ? 0 : Number(after);
  return Array.from({ length: Math.min(size, total - start) }, (_, index) => itemAt(start + index));
});

const marks = async (every: number) => ({
  cursors: Array.from({ length: Math.ceil(total / every) - 1 }, (_, index) => String((index + 1) * every)),
  total,
  isComplete: true,
});

const states = [
  ['positive', 'Active'],
  ['warning', 'Past due'],
  ['neutral', 'Canceled'],
] as const;

const columns: readonly GridColumn<Item>[] = [
  {
    id: 'name',
    title: 'Name',
    width: 160,
    grow: 2,
    isRequired: true,
    isSortable: true,
    phone: 'title',
    cell: ({ name }) => name,
  },
  {
    id: 'email',
    title: 'Email',
    width: 200,
    grow: 3,
    phone: 'line',
    cell: ({ email }) => (
      <Text size="sm" color="muted">
        {email}
      </Text>
    ),
  },
  {
    id: 'status',
    title: 'Status',
    width: 130,
    phone: 'end',
    cell: ({ place }) => {
      const [tone, label] = states[place % 3] ?? states[0];
      return <Status tone={tone}>{label}</Status>;
    },
  },
  {
    id: 'mrr',
    title: 'MRR',
    width: 120,
    align: 'end',
    isSortable: true,
    phone: 'line',
    cell: ({ place }) => <Money minor={(place * 137) % 100_000} currency="usd" />,
    total: <Money minor={123_456_700} currency="usd" />,
  },
  {
    id: 'created',
    title: 'Created',
    width: 130,
    isSortable: true,
    cell: ({ place }) => <DateText at={new Date(Date.UTC(2026, 0, 1) + place * 300_000)} />,
  },
  { id: 'id', title: 'ID', width: 140, isShown: false, cell: ({ id }) => id },
];

const fields: readonly FilterField[] = [
  {
    id: 'status',
    label: 'Status',
    kind: 'choice',
    options: states.map(([, label]) => ({ value: label, label })),
  },
  { id: 'created', label: 'Created', kind: 'date' },
  { id: 'mrr', label: 'MRR', kind: 'money', currency: 'usd' },
  { id: 'email', label: 'Email', kind: 'text' },
];

export function Gallery() {
  const [search, setSearch] = useState('');
  const [filters, setFilters] = useState<readonly Filter[]>([
    { field: 'created', comparison: 'last', values: ['30d'] },
  ]);
  const [sort, setSort] = useState<GridSort | null>({ column: 'created', direction: 'descending' });
  const [hidden, setHidden] = useState<readonly string[]>(['id']);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set(['cus_1']));
  const [arrived, setArrived] = useState(3);
  const [opened, setOpened] = useState<string | null>(null);
  const source = useMemo(() => ({ page, marks }), []);
  const rows = useMarksPages(JSON.stringify({ search, filters, sort }), source);
  return (
    <Page
      title="Customers"
      height="full"
      actions={
        <Button kind="primary" icon={<PlusIcon />}>
          New customer
        </Button>
      }
    >
      <ListToolbar
        searchLabel="Search customers"
        search={search}
        onSearch={setSearch}
        fields={fields}
        filters={filters}
        onFilters={setFilters}
        count={<Count value={rows.rowCount} isExact={rows.isExact} />}
        actions={<DisplayMenu columns={columns} hidden={hidden} onHidden={setHidden} />}
      />
      <Grid
        label="Customers"
        columns={columns}
        hidden={hidden}
        rowCount={rows.rowCount}
        rowAt={rows.rowAt}
        rowKey={({ id }) => id}
        {...(rows.onVisible && { onVisible: rows.onVisible })}
        status={rows.status}
        sort={sort}
        onSort={setSort}
        selected={selected}
        onSelect={setSelected}
        bulkActions={<Button size="sm">Pause</Button>}
        rowHref={({ id }) => `#${id}`}
        onOpen={({ id }) => setOpened(id)}
        opened={opened}
        rowMenu={({ id }) => (
          <Menu kind="quiet" size="sm" items={[{ id: 'open', label: `Open ${id}` }]} isOutOfTabOrder />
        )}
        arrived={arrived}
        onShowArrived={() => setArrived(0)}
        empty={<EmptyState title="No customers match" />}
      />
    </Page>
  );
}
