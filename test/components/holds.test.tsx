import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { openDashboard } from './support/dashboard.tsx';

const connection = (...nodes: readonly object[]) => ({ nodes, edges: nodes.map((node) => ({ node })) });

const hold = {
  id: 'hld_1',
  holdId: 'job-31',
  customer: { id: 'cus_1', fullName: 'Ada Lovelace', email: 'ada@example.com' },
  subscription: { id: 'sub_1', currency: 'usd' },
  featureCode: 'tokens',
  budgetKey: 'team:eu',
  status: 'open',
  quantity: '4000',
  remaining: '3300',
  amount: '0.07396',
  expiresAt: '2027-05-03T10:15:00.000Z',
  isSettledLate: false,
};
const settledLate = {
  ...hold,
  id: 'hld_2',
  holdId: null,
  status: 'settled',
  remaining: '0',
  isSettledLate: true,
};

it('lists open holds by default, and all holds with a mark for late settlements', async () => {
  const requested: (string | null)[] = [];
  const { user } = await openDashboard('/usage/holds', {
    usageHolds: ({ status }: { readonly status: string | null }) => {
      requested.push(status);
      return status === 'open' ? connection(hold) : connection(hold, settledLate);
    },
  });
  await screen.findByRole('button', { name: 'Release the hold for tokens' });
  const row = screen.getByRole('row', { name: /tokens/ });
  for (const text of ['Ada Lovelace', 'team:eu', 'job-31', 'Open', '4,000', '$0.07396', '3,300'])
    expect(within(row).getByText(text), text).toBeTruthy();
  await user.click(screen.getByRole('button', { name: /^Status|Open Status/ }));
  await user.click(await screen.findByRole('option', { name: 'All' }));
  expect(await screen.findByText('Settled late')).toBeTruthy();
  expect(screen.getAllByRole('button', { name: 'Release the hold for tokens' })).toHaveLength(1);
  expect(requested).toEqual(['open', null]);
});

it('releases an open hold after confirmation', async () => {
  const { user, sent } = await openDashboard('/usage/holds?customer=cus_1', {
    customer: hold.customer,
    usageHolds: connection(hold),
    usageRelease: { ...hold, status: 'released', remaining: '0' },
  });
  await user.click(await screen.findByRole('button', { name: 'Release the hold for tokens' }));
  expect(sent).toEqual([]);
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Release this hold?' }));
  await user.click(dialog.getByRole('button', { name: 'Release' }));
  await screen.findByText('Hold released');
  expect(sent).toMatchObject([{ name: 'usageRelease', input: { id: 'hld_1' } }]);
});
