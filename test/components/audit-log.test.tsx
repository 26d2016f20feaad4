import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { openDashboard } from './support/dashboard.tsx';

const entry = {
  id: 'req_1',
  createdAt: '2027-03-04T09:30:00.000Z',
  transport: 'graphql',
  operation: 'customerUpdate',
  status: 200,
  code: null,
  callerKind: 'member',
  callerName: 'Grace Hopper',
  customer: { id: 'cus_1', fullName: 'Ada Lovelace', email: 'ada@example.com' },
};
const failed = {
  ...entry,
  id: 'req_2',
  transport: 'mcp',
  operation: 'transactionRefund',
  status: 403,
  code: 'forbidden',
  callerKind: 'key',
  callerName: 'Support agent',
  customer: null,
};
const people = {
  members: [{ id: 'mem_1', name: 'Grace Hopper' }],
  apiKeys: { nodes: [{ id: 'key_1', name: 'Support agent' }] },
};
const pageInfo = { hasNextPage: false, endCursor: null };

it('shows who changed what, for which customer, through which interface, and with which result', async () => {
  await openDashboard('/settings/audit-log', { ...people, requestLog: { nodes: [entry, failed], pageInfo } });
  const rows = await screen.findAllByRole('row');
  const cells = rows.slice(1).map((row) =>
    within(row)
      .getAllByRole('cell')
      .slice(1)
      .map(({ textContent }) => textContent),
  );
  expect(cells).toEqual([
    ['Grace Hopper', 'customerUpdate', 'Ada Lovelace', 'Dashboard', '200'],
    ['Support agent', 'transactionRefund', '–', 'MCP', expect.stringContaining('403')],
  ]);
  const links = within(screen.getByRole('main'));
  expect(links.getByRole('link', { name: 'customerUpdate' }).getAttribute('href')).toBe(
    '/dashboard/sandbox/developers/requests?open=req_1',
  );
  expect(links.getByRole('link', { name: 'Ada Lovelace' }).getAttribute('href')).toBe(
    '/dashboard/sandbox/customers/cus_1',
  );
});

it.each([
  ['', {}],
  ['?person=member', { callerKind: 'member' }],
  ['?person=key_1', { callerId: 'key_1' }],
  ['?customer=cus_1', { customerId: 'cus_1' }],
])('filters by the person and the customer in the URL: %s', async (search, expected) => {
  const filters: unknown[] = [];
  await openDashboard(`/settings/audit-log${search}`, {
    ...people,
    requestLog: (filter: object) => {
      filters.push(Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== null)));
      return { nodes: [], pageInfo };
    },
  });
  await screen.findByText(search === '' ? 'No changes yet.' : 'No changes match the filters.');
  await waitFor(() => expect(filters.at(-1)).toMatchObject({ changes: true, ...expected }));
  expect(Object.keys(filters.at(-1) as object).sort()).toEqual(
    ['changes', 'first', ...Object.keys(expected)].sort(),
  );
});
