import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openDashboard } from './support/dashboard.tsx';

const credits = { id: 'ast_0', code: 'credits', name: 'Credits', decimals: 0, createdAt: null };

const seconds = {
  id: 'ast_1',
  code: 'gpu_seconds',
  name: 'GPU seconds',
  symbol: 'GPU s',
  decimals: 3,
  createdAt: '2026-01-01T00:00:00.000Z',
};

const open = (path: string) => openDashboard(path, { assets: [credits, seconds] });

describe('custom units', () => {
  it('are listed with their symbols and decimal places', async () => {
    await open('/assets');
    const rows = (await screen.findAllByRole('row')).slice(1);
    const texts = rows.map((row) =>
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    );
    expect(texts).toEqual([
      ['Credits', 'credits', '–', 'Active', '0'],
      ['GPU seconds', 'gpu_seconds', 'GPU s', 'Active', '3'],
    ]);
    expect(screen.queryByRole('link', { name: 'Credits' })).toBeNull();
  });

  it('are created with a code that follows the name', async () => {
    const { user, sent } = await open('/assets?open=new');
    const sheet = within(await screen.findByRole('dialog', { name: 'New unit' }));
    await user.type(await sheet.findByRole('textbox', { name: 'Name' }), 'Build minutes');
    await user.clear(sheet.getByRole('textbox', { name: /^Decimal/ }));
    await user.type(sheet.getByRole('textbox', { name: /^Decimal/ }), '2');
    await user.tab();
    sheet.getByText("The smallest amount is 0.01. You can't change the decimal places later.");
    await user.click(sheet.getByRole('button', { name: 'Create unit' }));
    expect(sent).toEqual([
      { name: 'assetCreate', input: { name: 'Build minutes', code: 'build_minutes', decimals: 2 } },
    ]);
  });

  it('keep their codes and decimal places when they are renamed', async () => {
    const { user, sent } = await open('/assets?open=ast_1');
    const sheet = within(await screen.findByRole('dialog', { name: 'GPU seconds' }));
    await user.clear(await sheet.findByRole('textbox', { name: /^Symbol/ }));
    expect(sheet.queryByRole('textbox', { name: /^Code|^Decimal/ })).toBeNull();
    await user.click(sheet.getByRole('button', { name: 'Save changes' }));
    expect(sent).toEqual([
      { name: 'assetUpdate', input: { code: 'gpu_seconds', name: 'GPU seconds', symbol: null } },
    ]);
  });

  it('are archived after a confirmation', async () => {
    const { user, sent } = await open('/assets?open=ast_1');
    await user.click(await screen.findByRole('button', { name: 'Archive unit' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Archive the unit GPU seconds?' });
    await user.click(within(dialog).getByRole('button', { name: 'Archive unit' }));
    expect(sent).toEqual([{ name: 'assetArchive', input: { code: 'gpu_seconds' } }]);
  });
});
