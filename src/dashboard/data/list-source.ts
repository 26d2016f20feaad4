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

/** Queries for a list, and functions that extract rows and cursors from the responses. */
export type ListQueries<Row, Result, MarksResult, Variables extends Values> = {
  readonly page: Document<
    Result,
    Variables & { readonly first?: number | null; readonly after?: string | null }
  >;
  readonly marks: Document<MarksResult, Variables & { readonly every: number; readonly upTo: number }>;
  readonly rowsOf: (result: Result) => readonly Row[];
  readonly marksOf: (result: MarksResult) => Marks;
};

/** Adapts a list's queries to the data source of a grid. */
export function useListSource<Row, Result, MarksResult, Variables extends Values>(
  { page, marks, rowsOf, marksOf }: ListQueries<Row, Result, MarksResult, Variables>,
  variables: Variables,
) {
  const client = useClient();
  const key = JSON.stringify(variables);
  // biome-ignore lint/correctness/useExhaustiveDependencies: The text of the variables stands for them.
  return useMemo(
    () => ({
      page: (after: string | null, first: number, sink: Sink<Row>) => {
        const request = createRequest(remember(page) as string, { ...variables, first, after });
        const { unsubscribe } = pipe(
          client.executeQuery<Result>(request, { requestPolicy: 'cache-and-network' }),
          subscribe(({ data, error, stale }) => {
            if (data !== undefined && data !== null) sink.rows(rowsOf(data), stale);
            else if (error !== undefined) sink.failed(apiErrorOf(error));
          }),
        );
        return unsubscribe;
      },
      marks: async (every: number, upTo: number): Promise<Marks> => {
        const { data, error } = await client
          .query<MarksResult>(
            remember(marks) as string,
            { ...variables, every, upTo },
            { requestPolicy: 'network-only' },
          )
          .toPromise();
        if (data === undefined) throw apiErrorOf(error) ?? noAnswer();
        return marksOf(data);
      },
    }),
    [client, key, page, marks, rowsOf, marksOf],
  );
}
