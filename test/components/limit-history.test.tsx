import { act, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { router } from '../../src/dashboard/router.tsx';
import { openDashboard } from './support/dashboard.tsx';

const ada = { id: 'cus_1', fullName: 'Ada Lovelace', email: 'ada@example.com' };
const connection = (...nodes: readonly object[]) => ({ nodes, edges: nodes.map((node) => ({ node })) });

it('filters the history of limits by a customer in the URL, and shows all customers when the field is emptied', async () => {
  const requestedCustomerIds: (string | null)[] = [];
  const { user } = await openDashboard('/usage/limits?customer=cus_1', {
    customer: ada,
    customers: connection(ada),
    limitCrossings: ({ customerId }: { readonly customerId: string | null }) => {
      requestedCustomerIds.push(customerId);
      return connection();
    },
  });
  const field = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Customer' });
  await waitFor(() => expect(field.value).toBe('Ada Lovelace'));
  expect(requestedCustomerIds).toEqual(['cus_1']);
  // Leaving the field doesn't change the filter.
  await user.click(field);
  await user.tab();
  expect(field.value).toBe('Ada Lovelace');
  await user.clear(field);
  await waitFor(() => expect(requestedCustomerIds.at(-1)).toBeNull());
});

it('shows the customer of the URL in the field after the URL changes', async () => {
  const grace = { id: 'cus_2', fullName: 'Grace Hopper', email: 'grace@example.com' };
  const { user } = await openDashboard('/usage/limits', {
    customer: ({ id }: { readonly id: string }) => (id === ada.id ? ada : grace),
    customers: connection(ada, grace),
    limitCrossings: connection(),
  });
  const field = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Customer' });
  await user.type(field, 'Ada Lovelace');
  await user.click(await screen.findByRole('option', { name: /Ada Lovelace/ }));
  await waitFor(() => expect(location.search).toBe('?customer=cus_1'));
  expect(field.value).toBe('Ada Lovelace');
  const address = '/dashboard/sandbox/usage/limits';
  const shownAt = async (search: string, name: string): Promise<void> => {
    await act(async () => router.history.push(`${address}${search}`));
    await waitFor(() => expect(field.value).toBe(name));
  };
  await shownAt('?customer=cus_2', 'Grace Hopper');
  await shownAt('', '');
  await shownAt('?customer=cus_1', 'Ada Lovelace');
  // The browser's back button leads to the previous URL of the same page.
  await act(async () => router.history.back());
  await waitFor(() => expect(field.value).toBe(''));
  // The user can still select another customer.
  await user.type(field, 'Grace Hopper');
  await user.click(await screen.findByRole('option', { name: /Grace Hopper/ }));
  await waitFor(() => expect(location.search).toBe('?customer=cus_2'));
  expect(field.value).toBe('Grace Hopper');
});

it('shows the amount by which a settlement exceeded a limit', async () => {
  await openDashboard('/usage/limits', {
    limitCrossings: connection({
      id: 'lcr_1',
      kind: 'overrun',
      cause: null,
      threshold: '5',
      value: '5.12',
      excess: '0.12',
      budget: null,
      callerName: null,
      customer: null,
      windowEnd: null,
      limit: { id: 'lim_1', measure: 'spend', currency: 'usd', asset: null, window: { kind: 'month' } },
    }),
  });
  expect((await screen.findByText(/Exceed/)).textContent).toBe('Exceeded $5.00 by $0.12');
});

it('shows the name of the API key whose operations crossed a limit', async () => {
  await openDashboard('/usage/limits', {
    limitCrossings: connection({
      id: 'lcr_1',
      kind: 'reached',
      cause: 'amount',
      threshold: '5',
      value: '5',
      budget: null,
      callerName: 'Importer',
      customer: null,
      windowEnd: null,
    }),
  });
  expect(await screen.findByRole('cell', { name: 'Importer' })).toBeTruthy();
});
