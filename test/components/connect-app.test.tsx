import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { openDashboard } from './support/dashboard.tsx';

it('approves an app with a part of the permissions of the preset', async () => {
  vi.spyOn(window.location, 'assign').mockReturnValue();
  const inputs: unknown[] = [];
  const { user } = await openDashboard('/connect?request=signed', {
    appConnectionRequest: { appName: 'Assistant', redirectHost: 'localhost:7777' },
    appConnectionApprove: ({ input }: { readonly input: unknown }) => {
      inputs.push(input);
      return { redirectUrl: 'http://localhost:7777/callback' };
    },
  });
  await user.click(await screen.findByRole('radio', { name: /^Reader/ }));
  await user.click(screen.getByRole('checkbox', { name: /^Select permissions by area/ }));
  const boxes = await screen.findAllByRole<HTMLInputElement>('checkbox', { name: /^Read in / });
  // The preset only has the scope `read`.
  expect(boxes).toHaveLength(12);
  expect(screen.getAllByRole('checkbox')).toHaveLength(13);
  for (const box of boxes.slice(2)) await user.click(box);
  await user.click(screen.getByRole('button', { name: 'Approve' }));
  await waitFor(() =>
    expect(inputs).toMatchObject([
      { request: 'signed', preset: 'reader', permissions: ['organization:read', 'catalog:read'] },
    ]),
  );
});
