import { type Key, type ReactNode, useDeferredValue } from 'react';
import { type PlainPageName, useAddressSearch } from '../../../address.ts';
import type { Data } from '../../../data/hooks.ts';
import { Button } from '../../../kit/button.tsx';
import { ErrorState } from '../../../kit/error-state.tsx';
import { Card, Stack } from '../../../kit/layout.tsx';
import { Page } from '../../../kit/page.tsx';
import { Loading } from '../../../kit/states.tsx';
import { Table, type TableColumn } from '../../../kit/table.tsx';
import { SearchField } from '../../../kit/text-field.tsx';
import { EmptyList } from '../../../lists/empty-list.tsx';
import { ExportAction } from '../../../lists/export-action.tsx';
import type { catalog } from '../../../words/en/catalog.ts';
import { useWords } from '../../../words/words.ts';

type CatalogListProps<Row> = {
  /** The page's name, by which its rows are exported. */
  readonly name: PlainPageName;
  readonly title: string;
  /** One sentence on what these things are. */
  readonly text: string;
  readonly make?: { readonly label: string; readonly onPress: () => void } | undefined;
  readonly data: Pick<Data<unknown>, 'data' | 'error' | 'refetch'>;
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => Key;
  readonly columns: readonly TableColumn<Row>[];
  /** What the search looks in, besides the key of the row. */
  readonly textOf: (row: Row) => string;
  readonly empty: string;
  /** Tabs below the title: views of the list. */
  readonly tabs?: ReactNode;
  /** Above the table: fields the service searches by. */
  readonly tools?: ReactNode;
  /** Below the table: more rows, sheets. */
  readonly children?: ReactNode;
};

/** Whether a row is meant by what was typed: each word is part of its text. */
const isFound = (text: string, search: string): boolean => {
  const found = text.toLocaleLowerCase();
  return search
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => found.includes(word));
};

/** An export of the catalog has everything of its kind, whatever is searched for here. */
const whole = {};

/** A list of the catalog: a page with search, the table, and what stands instead of it. */
export function CatalogList<Row>({
  name,
  title,
  text,
  make,
  data: { data, error, refetch },
  rows,
  rowKey,
  columns,
  textOf,
  empty,
  tabs,
  tools,
  children,
}: CatalogListProps<Row>) {
  const words = useWords<typeof catalog>('catalog');
  const [{ q = '' }, change] = useAddressSearch();
  const search = useDeferredValue(q);
  const shown = rows.filter((row) => isFound(`${textOf(row)} ${rowKey(row)}`, search));
  const exporting = data !== null && rows.length > 0 && <ExportAction name={name} variables={whole} />;
  const button = make !== undefined && (
    <Button kind="primary" onPress={make.onPress} keys="n">
      {make.label}
    </Button>
  );
  return (
    <Page
      title={title}
      subtitle={text}
      tabs={tabs}
      actions={
        <>
          {exporting}
          {button}
        </>
      }
    >
      <Stack gap={3}>
        {(rows.length > 5 || q !== '') && (
          <SearchField
            label={words.search}
            value={q}
            onChange={(value) => change({ q: value === '' ? undefined : value })}
          />
        )}
        {tools}
        {error !== null && data === null && (
          <ErrorState
            title={words.listFailed}
            message={error.message}
            {...(error.requestId !== null && { requestId: error.requestId })}
            onRetry={refetch}
          />
        )}
        {error === null && data === null && <Loading lines={8} />}
        {data !== null && rows.length === 0 && q === '' && (
          <EmptyList name={name} title={empty} {...(button && { action: button })}>
            {text}
          </EmptyList>
        )}
        {data !== null && (rows.length > 0 || q !== '') && (
          <Card padding="none">
            <Table label={title} columns={columns} rows={shown} rowKey={rowKey} empty={words.noMatch(q)} />
          </Card>
        )}
      </Stack>
      {children}
    </Page>
  );
}
