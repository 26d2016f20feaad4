import { useEffect, useState } from 'preact/hooks';

/** Page of a list, and whether there are more pages. */
type Page<Node> = {
  readonly nodes: readonly Node[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
};

/** Loads a list page by page. Starts from the beginning if the first page changes. */
export function useMore<Node>(first: Page<Node>, more: (after: string) => Promise<Page<Node> | null>) {
  const [pages, setPages] = useState<readonly Page<Node>[]>([first]);
  const [isBusy, setIsBusy] = useState(false);
  const [hasFailed, setHasFailed] = useState(false);
  useEffect(() => setPages([first]), [first]);
  const { hasNextPage = false, endCursor = null } = pages.at(-1)?.pageInfo ?? {};
  const load = (): void => {
    if (endCursor === null || isBusy) return;
    setIsBusy(true);
    setHasFailed(false);
    more(endCursor)
      .then((next) => {
        if (next !== null) setPages((before) => [...before, next]);
      })
      .catch(() => setHasFailed(true))
      .finally(() => setIsBusy(false));
  };
  return {
    nodes: pages.flatMap(({ nodes }) => nodes),
    hasMore: hasNextPage && endCursor !== null,
    isBusy,
    hasFailed,
    load,
  };
}
