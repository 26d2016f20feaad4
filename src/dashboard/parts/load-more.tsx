import { type ReactNode, useState } from 'react';
import { Button } from '../kit/button.tsx';
import { Stack } from '../kit/layout.tsx';
import { useCustomerWords } from './customer-words.ts';

type Connection = { readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean } };

type Props = {
  /** Renders the page after a cursor. Calls `onConnection` with the loaded page, which contains the cursor of the next page. */
  readonly page: (after: string | null, onConnection: (connection: Connection) => void) => ReactNode;
};

/** Shows pages below each other, with a button that loads the next page. */
export function PagesOf({ page }: Props) {
  const { timeline: words } = useCustomerWords();
  const [cursors, setCursors] = useState<readonly (string | null)[]>([null]);
  const [last, setLast] = useState<Connection | null>(null);
  const next = last?.pageInfo.hasNextPage === true ? last.pageInfo.endCursor : null;
  return (
    <Stack gap={4}>
      {cursors.map((after) => (
        <div key={after ?? ''}>{page(after, setLast)}</div>
      ))}
      {next !== null && !cursors.includes(next) && (
        <div>
          <Button onPress={() => setCursors([...cursors, next])}>{words.more}</Button>
        </div>
      )}
    </Stack>
  );
}
