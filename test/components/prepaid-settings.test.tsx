import { screen } from '@testing-library/react';
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
});
