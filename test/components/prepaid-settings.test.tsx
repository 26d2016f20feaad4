import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openDashboard } from './support/dashboard.tsx';

describe("the organization's settings for credits and refunds", () => {
  const organization = { id: 'org_1', name: 'Acme', creditOrder: 'oldest', refundTakesBack: false };

  it('are sent if they changed', async () => {
    const { user, sent } = await openDashboard('/settings/organization', { organization });
    await user.click(await screen.findByRole('button', { name: /Order of customer credits/ }));
    await user.click(await screen.findByRole('option', { name: 'Soonest expiry first' }));
    await user.click(screen.getByRole('switch', { name: /Refunds remove unused credits and balance/ }));
    await user.click(screen.getByRole('button', { name: /^Save/ }));
    expect(sent).toEqual([
      { name: 'organizationUpdate', input: { creditOrder: 'soonest_expiry', refundTakesBack: true } },
    ]);
  });
});

describe('a credit pack', () => {
  it('can require that refunds remove unused credits', async () => {
    const pack = { id: 'cpk_1', name: 'Booster', credits: 500, price: 900, isActive: true };
    const { user, sent } = await openDashboard('/credit-packs?open=cpk_1', {
      creditPacks: { nodes: [pack] },
    });
    await user.click(await screen.findByRole('switch', { name: /Refunds remove unused credits/ }));
    await user.click(screen.getByRole('button', { name: /^Save/ }));
    expect(sent).toEqual([
      {
        name: 'creditPackUpdate',
        input: expect.objectContaining({ id: 'cpk_1', refundTakesBack: true }),
      },
    ]);
  });

  it('can sell a custom unit, whose amount has the decimals of the unit', async () => {
    const credits = { id: 'ast_0', code: 'credits', name: 'Credits', decimals: 0 };
    const seconds = { id: 'ast_1', code: 'gpu_seconds', name: 'GPU seconds', symbol: 'GPU s', decimals: 3 };
    const archivedAt = '2026-01-01T00:00:00.000Z';
    const minutes = { id: 'ast_2', code: 'minutes', name: 'Minutes', decimals: 0, archivedAt };
    const packs = [
      { id: 'cpk_1', name: 'Booster', credits: 500, price: 900, currency: 'usd' },
      { id: 'cpk_2', name: 'GPU', asset: 'gpu_seconds', credits: 500_500, price: 2_002, currency: 'usd' },
    ];
    const { user, sent } = await openDashboard('/credit-packs?open=new', {
      assets: [credits, seconds, minutes],
      creditPacks: { nodes: packs },
    });
    const sheet = within(await screen.findByRole('dialog', { name: 'New credit pack' }));
    await user.type(sheet.getByRole('textbox', { name: 'Name' }), 'Second');
    await user.click(await sheet.findByRole('button', { name: /Unit/ }));
    const options = await screen.findAllByRole('option');
    expect(options.map(({ textContent }) => textContent)).toEqual(['Credits', 'GPU seconds']);
    await user.click(screen.getByRole('option', { name: 'GPU seconds' }));
    expect(sheet.getByRole('textbox', { name: 'Amount' })).toMatchObject({ value: '1,000' });
    await user.clear(sheet.getByRole('textbox', { name: 'Amount' }));
    await user.type(sheet.getByRole('textbox', { name: 'Amount' }), '0.125');
    await user.type(sheet.getByRole('textbox', { name: /^Price/ }), '9');
    await user.click(sheet.getByRole('button', { name: 'Create credit pack' }));
    expect(sent).toEqual([
      {
        name: 'creditPackCreate',
        input: expect.objectContaining({ name: 'Second', asset: 'gpu_seconds', credits: 125, price: 900 }),
      },
    ]);
    const rows = screen.getAllByRole('row', { hidden: true }).slice(1);
    expect(
      rows.map((row) =>
        within(row)
          .getAllByRole('cell', { hidden: true })
          .slice(2)
          .map(({ textContent }) => textContent),
      ),
    ).toEqual([
      ['500 credits', '$9.00', '$0.018'],
      ['500.5 GPU s', '$20.02', '$0.04'],
    ]);
  });

  it('keeps its unit when its amount changes', async () => {
    const seconds = { id: 'ast_1', code: 'gpu_seconds', name: 'GPU seconds', symbol: 'GPU s', decimals: 3 };
    const pack = { id: 'cpk_2', name: 'GPU', asset: 'gpu_seconds', credits: 500_500, price: 2_002 };
    const { user, sent } = await openDashboard('/credit-packs?open=cpk_2', {
      assets: [seconds],
      creditPacks: { nodes: [pack] },
    });
    const sheet = within(await screen.findByRole('dialog', { name: 'GPU' }));
    await sheet.findByText('GPU s');
    const amount = sheet.getByRole('textbox', { name: 'Amount' });
    expect(amount).toMatchObject({ value: '500.5' });
    expect(sheet.queryByRole('button', { name: /Unit/ })).toBeNull();
    await user.clear(amount);
    await user.type(amount, '600.25');
    await user.click(sheet.getByRole('button', { name: /^Save/ }));
    expect(sent).toEqual([
      { name: 'creditPackUpdate', input: expect.objectContaining({ id: 'cpk_2', credits: 600_250 }) },
    ]);
    expect(sent[0]?.input).not.toHaveProperty('asset');
  });
});
