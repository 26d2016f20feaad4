import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { PageRoute } from '../../src/dashboard/page-route.ts';
import { routes } from '../../src/dashboard/routes.ts';
import { openDashboard } from './support/dashboard.tsx';

const pages = (Object.values(routes) as PageRoute[]).filter(({ path }) => !path.includes('$'));
const restricted = pages.filter(({ role }) => role !== undefined).map(({ path }) => path);

/** Paths in the navigation, after all groups are opened. */
async function navigated({ user }: Awaited<ReturnType<typeof openDashboard>>): Promise<string[]> {
  for (const group of screen.getAllByRole('button', { expanded: false }))
    if (group.closest('nav') !== null) await user.click(group);
  const links = [...document.querySelectorAll<HTMLAnchorElement>('nav a')];
  return links.map(({ pathname }) => pathname.replace('/dashboard/sandbox', '') || '/');
}

describe('the navigation', () => {
  it.each(['member', 'admin', 'owner'] as const)(
    'lists the restricted pages that the role %s can open',
    async (role) => {
      const found = new Set(await navigated(await openDashboard('/features', {}, role)));
      const isMember = role === 'member';
      expect(restricted.length).toBeGreaterThan(0);
      expect(restricted.filter((path) => found.has(path))).toEqual(
        isMember
          ? []
          : pages
              .filter(
                ({ role: needed, group, environment }) =>
                  needed !== undefined && needed !== 'owner' && group !== undefined && environment !== 'live',
              )
              .map(({ path }) => path),
      );
    },
  );
});

it.each(restricted)('the dashboard rejects a member who opens %s', async (path) => {
  const { sent } = await openDashboard(path, {}, 'member');
  await screen.findByText("Your role doesn't allow this action");
  expect(sent).toEqual([]);
});
