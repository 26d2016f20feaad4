import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { PlainPageName } from '../../src/dashboard/address.ts';
import { firstRequestCode, firstRequests } from '../../src/dashboard/lists/first-requests.ts';
import { routes } from '../../src/dashboard/routes.ts';
import { openDashboard } from './support/dashboard.tsx';

const results = {
  organization: { id: 'org_1', name: 'Acme', cardPromotions: true },
  payoutBalance: { currency: 'usd' },
};

const lists = (Object.keys(firstRequests) as (PlainPageName & keyof typeof firstRequests)[]).map((name) => ({
  name,
  path: routes[name].path,
}));

it.each(lists)('the empty list $name explains how to create its first object', async ({ name, path }) => {
  const { user } = await openDashboard(path, results);
  const code = await waitFor(() => {
    const found = document.querySelector('main pre');
    expect(found?.textContent).toBe(firstRequestCode(name));
    return found;
  });
  const empty = [...document.querySelectorAll<HTMLElement>('main *')]
    .filter((element) => element.contains(code) && element.querySelector('p') !== null)
    .at(-1);
  const ways = [...(empty?.querySelectorAll<HTMLElement>('button, a') ?? [])].filter(({ textContent }) =>
    /\p{L}{3}/u.test(textContent),
  );
  expect([empty?.querySelector('p')?.textContent, ways.length]).toEqual([
    expect.stringMatching(/\p{L}{3}/u),
    1,
  ]);
  await user.click(ways[0] ?? document.body);
  const main = screen.getByRole('main', { hidden: true });
  await waitFor(() =>
    expect(screen.queryByRole('dialog') ?? within(main).queryByText('', { selector: 'form' })).not.toBeNull(),
  );
});
