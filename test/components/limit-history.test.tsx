import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
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
