import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openDashboard } from './support/dashboard.tsx';

const customer = { id: 'cus_1', fullName: 'Ada Lovelace', email: 'ada@example.com' };

const paymentOf = (subscription: object) => ({
  __typename: 'Transaction',
  id: 'txn_1',
  status: 'succeeded',
  amount: 4_900,
  refundedAmount: 0,
  grossAmount: 4_900,
  currency: 'usd',
  customer,
  refunds: [],
  reports: [],
  subscription: {
    id: 'sub_1',
    status: 'active',
    billingInterval: 'monthly',
    currentPeriod: { end: '2027-03-01T00:00:00.000Z' },
    plan: { planId: 'pln_1', name: 'Pro' },
    ...subscription,
  },
});

type Asked = {
  readonly transactionRefund: { readonly cancelSubscription?: boolean; readonly amount: number };
};

/** Opens the dialog that refunds a payment. By default, a full refund cancels the subscription. */
async function openRefund(subscription: object = {}) {
  const opened = await openDashboard('/payments/txn_1', {
    node: paymentOf(subscription),
    subscriptionPreview: ({ command: { transactionRefund } }: { readonly command: Asked }) => ({
      rejection: null,
      refund: { revokedCreditAmount: 0 },
      subscription: {
        subscriptionId: 'sub_1',
        cancelAtPeriodEnd: false,
        status:
          (transactionRefund.cancelSubscription ?? transactionRefund.amount === 4_900)
            ? 'canceled'
            : 'active',
      },
    }),
    transactionRefund: { id: 'ref_1', amount: 4_900, status: 'succeeded', transaction: { id: 'txn_1' } },
  });
  await opened.user.click(await screen.findByRole('button', { name: 'Refund' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Refund Ada Lovelace?' }));
  await dialog.findByRole('radiogroup', { name: 'Subscription to Pro' });
  const options = () => dialog.getAllByRole<HTMLInputElement>('radio');
  const chosen = () => options().find(({ checked }) => checked)?.value;
  return { ...opened, dialog, options, chosen };
}

describe('the dialog that refunds a payment', () => {
  it('cancels immediately by default after a full refund, and keeps the subscription after a partial refund', async () => {
    const { user, dialog, chosen, sent } = await openRefund();
    await waitFor(() => expect(chosen()).toBe('now'));
    const amount = dialog.getByRole('textbox', { name: 'Amount to refund' });
    await user.clear(amount);
    await user.type(amount, '9');
    await waitFor(() => expect(chosen()).toBe('keep'));
    await user.click(dialog.getByRole('button', { name: 'Refund $9.00' }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]).toMatchObject({
      name: 'transactionRefund',
      input: { id: 'txn_1', amount: 900, reason: 'requested_by_customer' },
    });
  });

  it.each([
    ['Keep the subscription', { cancelSubscription: false }],
    ['Cancel at the end of the period', { cancelSubscription: true, cancelAtPeriodEnd: true }],
    ['Cancel immediately', { cancelSubscription: true }],
  ])('sends the choice: %s', async (choice, input) => {
    const { user, dialog, sent } = await openRefund();
    expect(dialog.getByText('The customer keeps access until Mar 1, 2027.')).toBeDefined();
    // The choice that is already selected isn't sent, so another choice is selected first.
    await user.click(dialog.getByRole('radio', { name: /Keep/ }));
    await user.click(dialog.getByRole('radio', { name: new RegExp(choice) }));
    await user.click(dialog.getByRole('button', { name: 'Refund $49.00' }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.input).toEqual({ id: 'txn_1', amount: 4_900, reason: 'requested_by_customer', ...input });
  });

  it.each([
    { status: 'past_due' },
    { billingInterval: 'one_time', currentPeriod: null },
    { billingInterval: null },
  ])("doesn't offer the end of the period for %o", async (subscription) => {
    const { options } = await openRefund(subscription);
    expect(options().map(({ value }) => value)).toEqual(['keep', 'now']);
  });
});
