import { type ReactNode, useState } from 'react';
import { Button } from '../kit/button.tsx';
import { Stack } from '../kit/layout.tsx';
import { useCustomerWords } from './customer-words.ts';

type Connection = { readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean } };

type Props = {
  /** Shows the page after a cursor; calls back with what it has, so that the next one can be asked for. */
  readonly page: (after: string | null, onConnection: (connection: Connection) => void) => ReactNode;
};

/** Pages below each other, with a button for the next one. */
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
