import { useMemo } from 'react';
import { createRequest, useClient } from 'urql';
import { pipe, subscribe } from 'wonka';
import type { Document } from '../../ui/documents.ts';
import { apiErrorOf, noAnswer } from './api-error.ts';
import { remember } from './texts.ts';

type Values = Readonly<Record<string, unknown>>;

/** Where the pages of a list begin. */
type Marks = { readonly cursors: readonly string[]; readonly total: number; readonly isComplete: boolean };

/** How a page gives its rows: again whenever an object in them changes. */
type Sink<Row> = {
  readonly rows: (rows: readonly Row[], isStale: boolean) => void;
  readonly failed: (error: unknown) => void;
};

/** The two queries of a list, and where their answers have the rows and the marks. */
export type ListQueries<Row, Result, MarksResult, Variables extends Values> = {
  readonly page: Document<
    Result,
    Variables & { readonly first?: number | null; readonly after?: string | null }
  >;
  readonly marks: Document<MarksResult, Variables & { readonly every: number; readonly upTo: number }>;
  readonly rowsOf: (result: Result) => readonly Row[];
  readonly marksOf: (result: MarksResult) => Marks;
};

/** The rows of a list as a grid reads them: pages from any cursor on, and the cursors of its pages. */
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
