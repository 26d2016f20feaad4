import { type ReactNode, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { boundedCountText } from '../../ui/format/numbers.ts';
import { addressOf, type PlainPageName, useAddressSearch } from '../address.ts';
import { useHour } from '../data/clock.ts';
import { type ListQueries, useListSource } from '../data/list-source.ts';
import { Button } from '../kit/button.tsx';
import { ErrorState } from '../kit/error-state.tsx';
import { Grid, type GridColumn, type GridHandle } from '../kit/grid/grid.tsx';
import { useMarksPages } from '../kit/grid/use-marks-pages.ts';
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
import { SavedViews } from './saved-views.tsx';
import { useListState } from './use-list-state.ts';
import { useOpened } from './use-opened.ts';

/** The texts of a list. */
export type ListWords = {
  readonly title: string;
  readonly subtitle?: string;
  readonly search?: string;
  readonly empty: string;
  readonly emptyFiltered: string;
  readonly failed: string;
  /** How many rows there are, in words; the number alone without it. */
  readonly count?: (count: string, isOne: boolean) => string;
};

/** What the sheet of a list gets. */
type SheetParts = {
  /** What the address opens: the id of a row, or the name of a form. */
  readonly opened: string;
  /** Opens something else. */
  readonly open: (what: string) => void;
  readonly close: () => void;
  /** Reads the rows again. */
  readonly refresh: () => void;
};

type Values = Readonly<Record<string, unknown>>;

type ListPageProps<Row, Result, MarksResult, Variables extends Values> = {
  /** The page's name, for the addresses of its views. */
  readonly name: PlainPageName;
  readonly words: ListWords;
  readonly queries: ListQueries<Row, Result, MarksResult, Variables>;
  readonly columns: readonly GridColumn<Row>[];
  readonly fields: readonly FilterField[];
  /** What the list asks for, by its view, search, filters and sorting. */
  readonly variablesOf: (view: string, state: ListState, now: Date) => Variables;
  /** Views by id, the usual one first. */
  readonly views?: Readonly<Record<string, string>>;
  readonly rowKey: (row: Row) => string;
  /** The page of a row. */
  readonly rowHref?: (row: Row) => string;
  /** What the address opens beside the list: a row by its id, or a form by its name. */
  readonly sheet?: (parts: SheetParts) => ReactNode;
  /** Whether a press on a row opens its sheet and not its page. */
  readonly opensSheet?: boolean;
  /** Stands where nothing exists yet, below the sentence. */
  readonly emptyAction?: ReactNode;
  readonly actions?: ReactNode;
  /** Kinds of events, or their beginnings, that change which rows there are. */
  readonly live?: readonly string[];
  /** Above the rows: totals of what is listed. */
  readonly head?: (variables: Variables) => ReactNode;
  /** Buttons for selected rows; with them rows can be selected. `refresh` reads the rows again. */
  readonly bulkActions?: (selected: ReadonlySet<string>, refresh: () => void) => ReactNode;
  /** Tabs above the views: neighboring lists. */
  readonly tabs?: ReactNode;
  readonly children?: ReactNode;
};

const none: readonly string[] = [];
const noRows: ReadonlySet<string> = new Set();

/** Scrolls to the first row when the list is another one. */
function useTopOf(key: string) {
  const grid = useRef<GridHandle>(null);
  const shown = useRef(key);
  useEffect(() => {
    if (shown.current !== key) grid.current?.scrollTo(0);
    shown.current = key;
  }, [key]);
  return grid;
}

/** The view of a list the address names, and the addresses of all of them as tabs. */
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

/** The selected rows of a list; another list begins without any. */
function useSelection(key: string) {
  const [selection, setSelection] = useState({ key, keys: noRows });
  const selected = selection.key === key ? selection.keys : noRows;
  return { selected, onSelect: (keys: ReadonlySet<string>) => setSelection({ key, keys }) };
}

/** A list of any length with search, filters, views, sorting and totals, all of them in the address. */
export function ListPage<Row, Result, MarksResult, Variables extends Values>({
  name,
  words,
  queries,
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
}: ListPageProps<Row, Result, MarksResult, Variables>) {
  const { locale, words: kit } = useKit();
  const hour = useHour();
  const [opened, open] = useOpened();
  const list = useListState(name, { fields, columns });
  const { view, isUsual, items } = useViews(name, views);
  const variables = useMemo(
    () => variablesOf(view, list.state, new Date(hour)),
    [variablesOf, view, list.state, hour],
  );
  const settled = useDeferredValue(variables);
  const key = JSON.stringify(settled);
  const rows = useMarksPages<Row>(key, useListSource(queries, settled));
  const grid = useTopOf(key);
  const selection = useSelection(key);
  const arrivals = useFreshRows(live, rows.refresh);
  const isFiltered = !isUsual || list.state.filters.length > 0 || list.state.search !== '';
  const count = boundedCountText({ value: rows.rowCount, isExact: rows.isExact }, locale);
  return (
    <Page
      title={words.title}
      {...(words.subtitle !== undefined && { subtitle: words.subtitle })}
      height="full"
      actions={actions}
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
        count={rows.status === 'loading' ? undefined : (words.count?.(count, rows.rowCount === 1) ?? count)}
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
            <EmptyList name={name} title={words.empty} action={emptyAction} />
          )
        }
      />
      {opened !== undefined && sheet?.({ opened, open, close: () => open(undefined), refresh: rows.refresh })}
    </Page>
  );
}
