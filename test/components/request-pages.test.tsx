import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { openDashboard } from './support/dashboard.tsx';

const row = (id: string) => ({
  id,
  operation: 'customerCreate',
  method: 'POST',
  route: '/graphql',
  status: 200,
});

it('returns to the first page of requests when the search is cleared', async () => {
  const requestedCursors: (string | null)[] = [];
  const { user } = await openDashboard('/developers/requests', {
    requestLog: ({ after }: { readonly after: string | null }) => {
      requestedCursors.push(after);
      return { nodes: [row('req_1')], pageInfo: { hasNextPage: true, endCursor: 'next' } };
    },
  });
  const search = screen.getByRole('searchbox');
  await user.type(search, 'customerCreate{Enter}');
  await user.click(await screen.findByRole('button', { name: 'Older' }));
  await waitFor(() => expect(requestedCursors.at(-1)).toBe('next'));
  await user.type(search, '{Escape}');
  await waitFor(() => expect(requestedCursors.at(-1)).toBeNull());
  expect(screen.queryByRole('button', { name: 'Newer' })).toBeNull();
});
