import { useDeferredValue, useState } from 'react';
import { useAddressSearch } from '../../../address.ts';
import { Button } from '../../../kit/button.tsx';
import { Row } from '../../../kit/layout.tsx';
import { useWords } from '../../../words/words.ts';

// Search and pagination for catalog lists that don't fit into one response.

/**
 * Returns the search text from the URL. `null` if the text is shorter than the minimum length that the
 * service requires.
 */
function useSearched(): string | null {
  const [{ q = '' }] = useAddressSearch();
  const text = useDeferredValue(q).trim();
  return text.length >= 2 ? text : null;
}

/** Manages the search text and the cursors of loaded pages. A new search starts at the first page. */
export function useSearchedPages() {
  const search = useSearched();
  const [read, setRead] = useState<{ search: string | null; cursors: readonly (string | null)[] }>({
    search,
    cursors: [null],
  });
  const pages = read.search === search ? read.cursors : [null];
  return {
    search,
    after: pages.at(-1) ?? null,
    pages,
    setPages: (cursors: readonly (string | null)[]) => setRead({ search, cursors }),
  };
}

type PageButtonsProps = Pick<ReturnType<typeof useSearchedPages>, 'pages' | 'setPages'> & {
  readonly info: { readonly hasNextPage: boolean; readonly endCursor: string | null } | undefined;
};

/** Buttons that show newer and older rows, if such rows exist. */
export function PageButtons({ pages, setPages, info }: PageButtonsProps) {
  const words = useWords('catalog');
  if (pages.length === 1 && info?.hasNextPage !== true) return null;
  return (
    <Row gap={2} justify="end">
      <Button isDisabled={pages.length === 1} onPress={() => setPages(pages.slice(0, -1))}>
        {words.newer}
      </Button>
      <Button
        isDisabled={info?.hasNextPage !== true}
        onPress={() => setPages([...pages, info?.endCursor ?? null])}
      >
        {words.older}
      </Button>
    </Row>
  );
}
