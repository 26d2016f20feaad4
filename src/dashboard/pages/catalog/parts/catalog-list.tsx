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
import { useIsMainAllowed } from '../../../lists/page-mutations.ts';
import { useWords } from '../../../words/words.ts';

type CatalogListProps<Row> = {
  /** Name of the page, which determines the export type of the list. */
  readonly name: PlainPageName;
  readonly title: string;
  /** One sentence about the objects in the list. */
  readonly text: string;
  readonly make?: { readonly label: string; readonly onPress: () => void } | undefined;
  readonly data: Pick<Data<unknown>, 'data' | 'error' | 'refetch'>;
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => Key;
  readonly columns: readonly TableColumn<Row>[];
  /** Returns text of a row that is searched in addition to the row's key. */
  readonly textOf: (row: Row) => string;
  readonly empty: string;
  readonly tabs?: ReactNode;
  /** Filter fields above the table, applied by the service. */
  readonly tools?: ReactNode;
  /** Content below the table, such as a button that loads more rows, or sheets. */
  readonly children?: ReactNode;
};

/** True if the text contains each word of the search. */
const isFound = (text: string, search: string): boolean => {
  const found = text.toLocaleLowerCase();
  return search
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => found.includes(word));
};

/** The export of a catalog list contains all objects, because the search only runs in the browser. */
const whole = {};

/** Page with a list of catalog objects: search, table, empty state and error state. */
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
  const words = useWords('catalog');
  const [{ q = '' }, change] = useAddressSearch();
  const search = useDeferredValue(q);
  const shown = rows.filter((row) => isFound(`${textOf(row)} ${rowKey(row)}`, search));
  const exporting = data !== null && rows.length > 0 && <ExportAction name={name} variables={whole} />;
  const isMainAllowed = useIsMainAllowed(name);
  const button = make !== undefined && isMainAllowed && (
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
            <Table
              label={title}
              columns={columns}
              rows={shown}
              rowKey={rowKey}
              empty={words.noMatch({ text: q })}
            />
          </Card>
        )}
      </Stack>
      {children}
    </Page>
  );
}
