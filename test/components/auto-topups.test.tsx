import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openDashboard } from './support/dashboard.tsx';

const topUp = {
  id: 'atu_1',
  asset: 'usd',
  status: 'paused',
  threshold: 50_000,
  refill: { amount: 2_000 },
  maxPerMonth: 5,
  maxAmountPerMonth: 20_000,
  reason: 'declined',
  usedThisMonth: { count: 1, amount: 2_000 },
  subscription: { id: 'sub_1' },
  attempts: { nodes: [] },
};

const open = (row: object = topUp, of: object = {}) =>
  openDashboard('/subscriptions/sub_1', {
    subscription: {
      id: 'sub_1',
      status: 'active',
      consumptionModel: 'balance',
      currency: 'usd',
      customer: { id: 'cus_1', fullName: 'Ada', autoTopUps: [row] },
    },
    ...of,
  });

describe('an automatic top-up of a subscription', () => {
  it('is resumed if it is paused', async () => {
    const { user, sent } = await open(topUp, {
      autoTopUpResume: { id: 'atu_1', status: 'on', reason: null },
    });
    await screen.findByText('Paused. Adds $20.00 plus tax when $5.00 or less is available.');
    await user.click(screen.getByRole('button', { name: 'Resume automatic top-up' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Resume automatic top-up' }));
    dialog.getByText(/If the account is low, the payment method is charged immediately\.$/);
    await user.click(dialog.getByRole('button', { name: 'Resume top-up' }));
    await screen.findByText('Automatic top-up resumed');
    expect(sent).toEqual([{ name: 'autoTopUpResume', input: { customerId: 'cus_1', asset: 'usd' } }]);
  });

  it('is removed after the effects are confirmed', async () => {
    const { user, sent } = await open();
    await user.click(await screen.findByRole('button', { name: 'Remove automatic top-up' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Remove automatic top-up' }));
    dialog.getByText(/^The account is no longer topped up\. A purchase in progress still takes effect\./);
    expect(sent).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Remove top-up' }));
    await screen.findByText('Automatic top-up removed');
    expect(sent).toEqual([{ name: 'autoTopUpRemove', input: { customerId: 'cus_1', asset: 'usd' } }]);
  });

  it("isn't resumed while it is on", async () => {
    await open({ ...topUp, status: 'on', reason: null });
    await screen.findByRole('button', { name: 'Remove automatic top-up' });
    expect(screen.queryByRole('button', { name: 'Resume automatic top-up' })).toBeNull();
  });
});

describe('the form for an automatic top-up', () => {
  it('sends the threshold, the refill, both limits, and the reference of the consent', async () => {
    const { user, sent } = await open(
      { ...topUp, status: 'on', reason: null },
      { autoTopUpSet: { id: 'atu_1', status: 'on', reason: null } },
    );
    await user.click(await screen.findByRole('button', { name: 'Set automatic top-up' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Set automatic top-up' }));
    const button = dialog.getByRole('button', { name: 'Set top-up' });
    await user.type(await dialog.findByLabelText('Top up at or below'), '5');
    await user.type(dialog.getByLabelText('Amount to add before tax'), '20');
    await user.type(dialog.getByLabelText('Most per month, tax included'), '100');
    expect(button).toHaveProperty('disabled', true);
    await user.type(dialog.getByLabelText(/^Reference of the consent/), 'Order form 7');
    await user.click(button);
    await screen.findByText('Automatic top-up set');
    expect(sent).toEqual([
      {
        name: 'autoTopUpSet',
        input: {
          customerId: 'cus_1',
          asset: 'usd',
          threshold: 50_000,
          refill: { amount: 2_000 },
          maxPerMonth: 5,
          maxAmountPerMonth: 10_000,
          minPause: 1,
          consentReference: 'Order form 7',
        },
      },
    ]);
  });
});
