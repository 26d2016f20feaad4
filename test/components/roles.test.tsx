import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { PageRoute } from '../../src/dashboard/page-route.ts';
import { routes } from '../../src/dashboard/routes.ts';
import titles from '../../src/dashboard/words/en/titles.json';
import { openDashboard } from './support/dashboard.tsx';

type Name = Exclude<keyof typeof titles, 'groups'>;

const pages = (Object.entries(routes) as [Name, PageRoute][])
  .filter(([, { path }]) => !path.includes('$'))
  .map(([name, route]) => ({ name, title: titles[name], ...route }));
const restricted = pages.filter(({ role }) => role !== undefined);
const open = pages.filter(({ role, environment }) => role === undefined && environment !== 'live');
const closedPaths = new Set(restricted.map(({ path }) => path));

const forbidden = "Your role doesn't allow this action";

/** Dashboard paths that the page links to. */
const linked = (within = ''): string[] =>
  [...document.querySelectorAll<HTMLAnchorElement>(`${within} a[href^="/dashboard/"]`)].map(
    ({ pathname }) => pathname.replace('/dashboard/sandbox', '') || '/',
  );

/** Paths in the navigation after all groups have been opened. */
async function navigated({ user }: Awaited<ReturnType<typeof openDashboard>>): Promise<string[]> {
  for (const group of screen.getAllByRole('button', { expanded: false }))
    if (group.closest('nav') !== null) await user.click(group);
  return [...new Set(linked('nav'))].sort();
}

it('restricts the pages for keys, webhooks, and settings', () => {
  expect(restricted.map(({ name }) => name)).toEqual([
    'webhooks',
    'webhookDeliveries',
    'requests',
    'apiKeys',
    'device',
    'connect',
    'organization',
    'branding',
    'customerPages',
    'emailSettings',
    'members',
    'auditLog',
    'taxes',
    'paymentSettings',
  ]);
});

describe('the navigation', () => {
  it.each(['member', 'admin', 'owner'] as const)(
    'lists the pages that the %s role can open',
    async (role) => {
      const found = await navigated(await openDashboard('/features', {}, role));
      expect(restricted.length).toBeGreaterThan(0);
      expect(found).toEqual(
        pages
          .filter(({ group, icon }) => group !== undefined || icon !== undefined)
          .filter(({ role: needed }) => needed === undefined || role !== 'member')
          .map(({ path }) => path)
          .sort(),
      );
    },
  );
});

describe('the command palette', () => {
  it.each(['member', 'admin'] as const)('finds the pages that the %s role can open', async (role) => {
    const { user } = await openDashboard('/features', {}, role);
    await user.keyboard('{Control>}k{/Control}');
    const search = await screen.findByPlaceholderText('Search or paste an ID');
    const found: string[] = [];
    for (const { path, title } of [...restricted, { path: routes.customers.path, title: titles.customers }]) {
      fireEvent.change(search, { target: { value: title } });
      await waitFor(() => expect(search).toHaveProperty('value', title));
      if (screen.queryByRole('menuitem', { name: new RegExp(`^${title}`) }) !== null) found.push(path);
    }
    await user.keyboard('{Escape}');
    const allowed = role === 'member' ? [] : restricted.map(({ path }) => path);
    expect(found).toEqual([...allowed, routes.customers.path]);
  });
});

describe('a member', () => {
  it('sees only the shortcuts for pages that the member can open', async () => {
    const { user } = await openDashboard('/features', {}, 'member');
    await user.keyboard('?');
    const list = within(await screen.findByRole('dialog'));
    await list.findByText(titles.customers);
    expect(list.queryByText(titles.webhooks)).toBeNull();
  });

  it.each(restricted)('is rejected at $path', async ({ path }) => {
    const { sent } = await openDashboard(path, {}, 'member');
    await screen.findByText(forbidden);
    expect(sent).toEqual([]);
  });

  let pressed = 0;
  it.each(open)(
    'sees only links to pages that the member can open at $path, even after pressing each button',
    async ({ path }) => {
      await openDashboard(path, {}, 'member');
      await waitFor(() => expect(document.querySelector('main [aria-busy="true"]')).toBeNull());
      const wrong = () => linked().filter((target) => closedPaths.has(target));
      const buttons = () =>
        [...document.querySelectorAll<HTMLButtonElement>('main button')].filter((button) => !button.disabled);
      const count = buttons().length;
      for (let index = 0; index < count; index++) {
        const button = buttons()[index];
        if (button === undefined) break;
        fireEvent.click(button);
        pressed++;
        expect(wrong()).toEqual([]);
        fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' });
      }
      expect([wrong(), screen.queryByText(forbidden)]).toEqual([[], null]);
    },
  );

  it('finds more than 60 buttons on the pages that the member can open', () => {
    expect(pressed).toBeGreaterThan(60);
  });
});

describe.each(['admin', 'owner'] as const)('the %s role', (role) => {
  it.each(restricted.filter(({ environment }) => environment !== 'live'))(
    'can open $path',
    async ({ path }) => {
      await openDashboard(path, {}, role);
      expect(screen.queryByText(forbidden)).toBeNull();
    },
  );
});

describe('a limited role', () => {
  it.each([
    ['read_only', ['/payouts', '/ledger', '/metrics']],
    ['support', ['/ledger', '/metrics']],
    ['finance', ['/payouts', '/ledger', '/metrics']],
  ] as const)('%s sees no pages for keys, webhooks, and settings in the navigation', async (role, shown) => {
    const found = await navigated(await openDashboard('/features', {}, role));
    expect(found.filter((path) => closedPaths.has(path))).toEqual([]);
    expect(found.filter((path) => ['/payouts', '/ledger', '/metrics'].includes(path))).toEqual(
      [...shown].sort(),
    );
  });

  it.each([
    ['/customers', 'New customer', ['support']],
    ['/subscriptions', 'New subscription', ['support']],
    ['/invoices', 'New invoice', ['finance']],
    ['/payment-links', 'New payment link', ['finance']],
    ['/features', 'New feature', []],
  ] as const)(
    'shows the main button of %s only if the role allows the action',
    async (path, name, allowed) => {
      for (const role of ['read_only', 'support', 'finance'] as const) {
        await openDashboard(path, {}, role);
        await waitFor(() => expect(document.querySelector('main [aria-busy="true"]')).toBeNull());
        const main = within(screen.getByRole('main'));
        const isShown = (allowed as readonly string[]).includes(role);
        expect([role, main.queryAllByRole('button', { name }).length > 0]).toEqual([role, isShown]);
        cleanup();
      }
      await openDashboard(path, {}, 'member');
      expect(
        (await within(screen.getByRole('main')).findAllByRole('button', { name })).length,
      ).toBeGreaterThan(0);
    },
  );

  it.each([
    ['finance', true],
    ['support', false],
    ['read_only', false],
  ] as const)('shows the refund button for %s: %s', async (role, isShown) => {
    const node = {
      __typename: 'Transaction',
      id: 'txn_1',
      status: 'succeeded',
      amount: 4_900,
      refundedAmount: 0,
      grossAmount: 4_900,
      currency: 'usd',
      customer: { id: 'cus_1', fullName: 'Ada Lovelace', email: 'ada@example.com' },
      refunds: [],
      reports: [],
    };
    await openDashboard('/payments/txn_1', { node }, role);
    await screen.findAllByText('Ada Lovelace');
    expect(screen.queryAllByRole('button', { name: 'Refund' })).toHaveLength(isShown ? 1 : 0);
  });

  it("can't open the form for a plan", async () => {
    const { sent } = await openDashboard('/plans/new', {}, 'finance');
    await screen.findByText(forbidden);
    expect(sent).toEqual([]);
  });
});
