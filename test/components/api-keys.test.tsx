import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { keptPermissions, permissionsByArea } from '../../src/dashboard/pages/developers/key-permissions.ts';
import { openDashboard } from './support/dashboard.tsx';

const key = {
  id: 'key_1',
  name: 'Importer',
  prefix: 'ck_test_1',
  scopes: ['read', 'write'],
  permissions: ['*:read', 'usage:write', 'customers:write'],
  createdAt: '2027-01-01T00:00:00Z',
  expiresAt: null,
  lastUsedAt: null,
};

it('removes permissions of an API key, and offers only permissions that the key has', async () => {
  const inputs: unknown[] = [];
  const { user } = await openDashboard('/api-keys', {
    apiKeys: { nodes: [key] },
    apiKeyPermissionsNarrow: ({ input }: { readonly input: unknown }) => {
      inputs.push(input);
      return key;
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Remove permissions of Importer' }));
  const dialog = within(await screen.findByRole('dialog'));
  const save = dialog.getByRole('button', { name: 'Remove permissions' });
  expect(save.hasAttribute('disabled')).toBe(true);
  const boxes = await dialog.findAllByRole<HTMLInputElement>('checkbox');
  expect(boxes.map((box) => box.checked)).toEqual(Array.from({ length: 14 }, () => true));
  await user.click(dialog.getByRole('checkbox', { name: 'Write in Customers' }));
  await user.click(save);
  await waitFor(() => expect(inputs).toEqual([{ id: 'key_1', permissions: ['*:read', 'usage:write'] }]));
});

it('keeps a scope for all areas only if all areas are selected', () => {
  const byArea = permissionsByArea(key);
  expect(keptPermissions(key, byArea)).toEqual(['*:read', 'customers:write', 'usage:write']);
  expect(keptPermissions(key, ['usage:read', 'usage:write'])).toEqual(['usage:read', 'usage:write']);
  expect(permissionsByArea({ scopes: ['finance'] })).toHaveLength(12);
});
