import { type ReactNode, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { boundedCountText } from '../../ui/format/numbers.ts';
import { addressOf, type PlainPageName, useAddressSearch } from '../address.ts';
import { ApiError } from '../data/api-error.ts';
import { useHour } from '../data/clock.ts';
import { type ListDocument, useListSource } from '../data/list-source.ts';
import type { LiveKind } from '../data/use-events.ts';
import { useRecovery } from '../data/use-recovery.ts';
import { Button } from '../kit/button.tsx';
import { ErrorState } from '../kit/error-state.tsx';
import { Grid, type GridColumn, type GridHandle } from '../kit/grid/grid.tsx';
import { useMarksPages } from '../kit/grid/use-cursor-pages.ts';
import { LinkTabs } from '../kit/link-tabs.tsx';
import { DisplayMenu } from '../kit/list/display-menu.tsx';
import type { FilterField } from '../kit/list/filters.ts';
import type { ListState } from '../kit/list/list-address.ts';
import { ListToolbar } from '../kit/list/list-toolbar.tsx';
import { Page } from '../kit/page.tsx';
import { useKit } from '../kit/provider.tsx';
import { EmptyState } from '../kit/states.tsx';
import { EmptyList } from './empty-list.tsx';
import { ExportAction, ExportSelection } from './export-action.tsx';
import { isExportedByIds } from './export-kinds.ts';
import { useFreshRows } from './fresh-rows.ts';
import { useIsMainAllowed } from './page-mutations.ts';
import { SavedViews } from './saved-views.tsx';
import { useListState } from './use-list-state.ts';
import { useOpened } from './use-open-item.ts';

type ListWords = {
  readonly title: string;
  readonly subtitle?: string;
  readonly search?: string;
  readonly empty: string;
  readonly emptyFiltered: string;
  readonly failed: string;
  /** Text with the number of rows. Defaults to the number alone. */
  readonly count?: (values: { readonly count: number; readonly isExact: boolean }) => string;
};

/** Props for the sheet next to a list. */
type SheetParts = {
  /** ID of the open row, or name of the open form, such as `new`. */
  readonly opened: string;
  /** Opens another row or form in the sheet. */
  readonly open: (what: string) => void;
  readonly close: () => void;
  /** Reloads the rows of the list. */
  readonly refresh: () => void;
};

type Values = Readonly<Record<string, unknown>>;

type ListPageProps<Row, Variables extends Values> = {
  /** Page name, used in the URLs of its views. */
  readonly name: PlainPageName;
  readonly words: ListWords;
  readonly document: ListDocument<Row, Variables>;
  readonly columns: readonly GridColumn<Row>[];
  readonly fields: readonly FilterField[];
  /** Returns the query variables for a view, search, filters and sort order. */
  readonly variablesOf: (view: string, state: ListState, now: Date) => Variables;
  /** Names of the views by ID, the default view first. */
  readonly views?: Readonly<Record<string, string>>;
  readonly rowKey: (row: Row) => string;
  /** Returns the URL of a row's page. */
  readonly rowHref?: (row: Row) => string;
  /** Sheet next to the list, for the row or form in the URL. */
  readonly sheet?: (parts: SheetParts) => ReactNode;
  /** True if a click on a row opens the sheet instead of the page. */
  readonly opensSheet?: boolean;
  /** Button that the empty state shows. */
  readonly emptyAction?: ReactNode;
  readonly actions?: ReactNode;
  /** Event types, or their prefixes, that add rows to the list. */
  readonly live?: readonly LiveKind[];
  /** Totals shown above the rows. */
  readonly head?: (variables: Variables) => ReactNode;
  /** Buttons for the selected rows. Omit to disable selection. `refresh` reloads the rows. */
  readonly bulkActions?: (selected: ReadonlySet<string>, refresh: () => void) => ReactNode;
  /** Tabs with links to related lists, shown above the views. */
  readonly tabs?: ReactNode;
  readonly children?: ReactNode;
};

const none: readonly LiveKind[] = [];
const noRows: ReadonlySet<string> = new Set();

/** Scrolls to the first row when the list changes. */
function useTopOf(key: string) {
  const grid = useRef<GridHandle>(null);
  const shown = useRef(key);
  useEffect(() => {
    if (shown.current !== key) grid.current?.scrollTo(0);
    shown.current = key;
  }, [key]);
  return grid;
}

/** Returns the view named in the URL, and tabs with the URLs of all views. */
function useViews(name: PlainPageName, views: Readonly<Record<string, string>>) {
  const [search] = useAddressSearch();
  const [usual = ''] = Object.keys(views);
  const named = search['view'] ?? '';
  const view = Object.hasOwn(views, named) ? named : usual;
  const items = Object.entries(views).map(([id, label]) => ({
    id,
    label,
    href: addressOf(name, null, { ...search, view: id === usual ? undefined : id, at: undefined }),
  }));
  return { view, isUsual: view === usual, items };
}

/** Manages the selected rows of a list. Clears the selection when the list changes. */
function useSelection(key: string) {
  const [selection, setSelection] = useState({ key, keys: noRows });
  const selected = selection.key === key ? selection.keys : noRows;
  return { selected, onSelect: (keys: ReadonlySet<string>) => setSelection({ key, keys }) };
}

/** List of any length with search, filters, views, sorting and totals. The URL stores its state. */
export function ListPage<Row, Variables extends Values>({
  name,
  words,
  document,
  columns,
  fields,
  variablesOf,
  views = {},
  rowHref,
  rowKey,
  sheet,
  opensSheet = false,
  emptyAction,
  actions,
  head,
  bulkActions,
  tabs,
  live = none,
  children,
}: ListPageProps<Row, Variables>) {
  const { locale, words: kit } = useKit();
  const hour = useHour();
  const [opened, open] = useOpened();
  const isMainAllowed = useIsMainAllowed(name);
  const list = useListState(name, { fields, columns });
  const { view, isUsual, items } = useViews(name, views);
  const variables = useMemo(
    () => variablesOf(view, list.state, new Date(hour)),
    [variablesOf, view, list.state, hour],
  );
  const settled = useDeferredValue(variables);
  const key = JSON.stringify(settled);
  const rows = useMarksPages<Row>(key, useListSource(document, settled));
  const grid = useTopOf(key);
  const selection = useSelection(key);
  const arrivals = useFreshRows(live, rows.refresh);
  useRecovery(rows.error instanceof ApiError && rows.error.isUncertain, rows.refresh);
  const isFiltered = !isUsual || list.state.filters.length > 0 || list.state.search !== '';
  return (
    <Page
      title={words.title}
      {...(words.subtitle !== undefined && { subtitle: words.subtitle })}
      height="full"
      actions={isMainAllowed && actions}
      tabs={
        <>
          {tabs}
          {items.length > 0 && <LinkTabs label={words.title} selected={view} items={items} />}
        </>
      }
    >
      {children}
      {head?.(settled)}
      <ListToolbar
        {...(words.search !== undefined && {
          searchLabel: words.search,
          search: list.state.search,
          onSearch: list.onSearch,
        })}
        fields={fields}
        filters={list.state.filters}
        onFilters={list.onFilters}
        count={
          rows.status === 'loading'
            ? undefined
            : (words.count?.({ count: rows.rowCount, isExact: rows.isExact }) ??
              boundedCountText({ value: rows.rowCount, isExact: rows.isExact }, locale))
        }
        views={<SavedViews name={name} />}
        actions={
          <>
            <ExportAction name={name} variables={settled} />
            <DisplayMenu columns={columns} hidden={list.state.hidden} onHidden={list.onHidden} />
          </>
        }
      />
      {rows.status === 'error' && (
        <ErrorState title={words.failed} {...list.errorOf(rows.error)} onRetry={rows.refresh} />
      )}
      <Grid
        ref={grid}
        label={words.title}
        columns={columns}
        hidden={list.state.hidden}
        rowCount={rows.rowCount}
        isExact={rows.isExact}
        rowAt={rows.rowAt}
        rowKey={rowKey}
        {...(rows.onVisible && { onVisible: rows.onVisible })}
        initialRow={list.state.at}
        onTop={list.onTop}
        {...arrivals}
        {...((bulkActions !== undefined || isExportedByIds(name)) && {
          ...selection,
          bulkActions: (
            <>
              {bulkActions?.(selection.selected, rows.refresh)}
              <ExportSelection name={name} selected={selection.selected} />
            </>
          ),
        })}
        sort={list.state.sort}
        onSort={list.onSort}
        status={rows.status}
        opened={opened ?? null}
        {...(rowHref && { rowHref })}
        {...(opensSheet && { onOpen: (row: Row) => open(rowKey(row)) })}
        empty={
          isFiltered ? (
            <EmptyState
              title={words.emptyFiltered}
              action={<Button onPress={list.onClear}>{kit.clearFilters}</Button>}
            />
          ) : (
            <EmptyList name={name} title={words.empty} action={isMainAllowed && emptyAction} />
          )
        }
      />
      {opened !== undefined && sheet?.({ opened, open, close: () => open(undefined), refresh: rows.refresh })}
    </Page>
  );
}
