import { useMemo } from 'react';
import { createRequest, useClient } from 'urql';
import { pipe, subscribe } from 'wonka';
import type { Document } from '../../ui/documents.ts';
import { apiErrorOf, noAnswer } from './api-error.ts';
import { remember } from './texts.ts';

type Values = Readonly<Record<string, unknown>>;

/** Cursor of each page of a list, and the total number of rows. */
type Marks = { readonly cursors: readonly string[]; readonly total: number; readonly isComplete: boolean };

/** Receives the rows of a page when they load and when an object in them changes. */
type Sink<Row> = {
  readonly rows: (rows: readonly Row[], isStale: boolean) => void;
  readonly failed: (error: unknown) => void;
};

/** Response to a request for a list. The only field contains the selected part of the list. */
type ListResult<Row, Total> = {
  readonly [field: string]: {
    readonly nodes?: readonly Row[];
    readonly marks?: Marks;
    readonly totals?: readonly Total[] | null;
  };
};

/** Variables that select a part of a list. `first` limits the rows, and `every` and `upTo` are the arguments of `marks`. */
type Selected = {
  readonly first?: number;
  readonly after?: string | null;
  readonly every?: number;
  readonly upTo?: number;
  readonly rows?: boolean;
  readonly marks?: boolean;
};

/** Query for a list. Rows, marks and totals are separate requests, because marks and totals of many rows load slowly. */
export type ListDocument<Row, Variables> = Document<ListResult<Row, unknown>, Variables & Selected>;

/** Query for a list with totals. */
export type TotalsDocument<Total, Variables> = Document<
  ListResult<unknown, Total>,
  Variables & { readonly first?: number; readonly rows?: boolean; readonly totals?: boolean }
>;

/** Adds the variables that select only the totals of a list. Totals don't depend on the sort order. */
export function selectTotals<Variables extends Values>(variables: Variables) {
  const { sort, ...others } = variables;
  return { ...(others as Omit<Variables, 'sort'>), first: 1, rows: false, totals: true };
}

/** Returns the selected part of the list. */
export const partOf = <Part>(result: Readonly<Record<string, Part>>): Part | undefined =>
  Object.values(result)[0];

/** Adapts a list's query to the data source of a grid. */
export function useListSource<Row, Variables extends Values>(
  document: ListDocument<Row, Variables>,
  variables: Variables,
) {
  const client = useClient();
  const key = JSON.stringify(variables);
  // biome-ignore lint/correctness/useExhaustiveDependencies: The text of the variables stands for them.
  return useMemo(
    () => ({
      page: (after: string | null, first: number, sink: Sink<Row>) => {
        const request = createRequest(remember(document) as string, { ...variables, first, after });
        const { unsubscribe } = pipe(
          client.executeQuery<ListResult<Row, unknown>>(request, { requestPolicy: 'cache-and-network' }),
          subscribe(({ data, error, stale }) => {
            if (data !== undefined && data !== null) sink.rows(partOf(data)?.nodes ?? [], stale);
            else if (error !== undefined) sink.failed(apiErrorOf(error));
          }),
        );
        return unsubscribe;
      },
      marks: async (every: number, upTo: number): Promise<Marks> => {
        const { data, error } = await client
          .query<ListResult<Row, unknown>>(
            remember(document) as string,
            { ...variables, first: 1, every, upTo, rows: false, marks: true },
            { requestPolicy: 'network-only' },
          )
          .toPromise();
        const found = data === undefined ? undefined : partOf(data)?.marks;
        if (found === undefined) throw apiErrorOf(error) ?? noAnswer();
        return found;
      },
    }),
    [client, key, document],
  );
}
