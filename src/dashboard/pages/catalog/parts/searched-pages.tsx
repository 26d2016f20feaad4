import { useDeferredValue, useState } from 'react';
import { useAddressSearch } from '../../../address.ts';
import { Button } from '../../../kit/button.tsx';
import { Row } from '../../../kit/layout.tsx';
import type { catalog } from '../../../words/en/catalog.ts';
import { useWords } from '../../../words/words.ts';

// Lists of the catalog that can have more rows than one answer: the service searches them, and they are read a page at a time.

/** What is typed in the search, once it is long enough for the service to search by; null before. */
function useSearched(): string | null {
  const [{ q = '' }] = useAddressSearch();
  const text = useDeferredValue(q).trim();
  return text.length >= 3 ? text : null;
}

/** What is searched for, and the cursors of the pages read so far; another search begins with the first page. */
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

/** Leads to the newer and the older rows, where there are any. */
export function PageButtons({ pages, setPages, info }: PageButtonsProps) {
  const words = useWords<typeof catalog>('catalog');
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
