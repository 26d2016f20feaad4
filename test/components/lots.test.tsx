import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openDashboard } from './support/dashboard.tsx';

const lots = [
  { id: 'lot_1', source: 'plan', amount: 500, remaining: 100, endsWithWindow: true },
  { id: 'lot_2', source: 'promotion', amount: 300, remaining: 300, description: 'Apology' },
  {
    id: 'lot_3',
    source: 'purchase',
    amount: 500,
    remaining: 250,
    expiresAt: '2026-12-31T00:00:00.000Z',
    worth: { amount: 450, currency: 'usd' },
  },
];

const subscription = {
  id: 'sub_1',
  status: 'active',
  consumptionModel: 'credits',
  currency: 'usd',
  credits: { remaining: 650, included: 500, purchased: 550 },
  pools: [{ asset: 'credits', lots }],
  creditLedger: {
    nodes: [
      {
        id: 'cle_1',
        type: 'consumption',
        cause: 'usage_event',
        amount: -400,
        resulting: 650,
        lot: { id: 'lot_1', source: 'plan' },
        usageEvent: { id: 'evt_1', eventId: 'call-42' },
      },
    ],
  },
};

const open = () =>
  openDashboard('/customers/cus_1?tab=credits', {
    customer: { id: 'cus_1', fullName: 'Ada', subscription },
    subscription,
  });

describe("a customer's lots", () => {
  it('are shown as a bar and a table with their sources, ends and worth', async () => {
    await open();
    const region = await screen.findByRole('region', { name: 'Lots' });
    screen.getByRole('img', {
      name: 'Remaining amount by lot. Included in the plan: 100, Granted: 300, Credit pack: 250',
    });
    const rows = within(region)
      .getAllByRole('row')
      .slice(1)
      .map((row) =>
        within(row)
          .getAllByRole('cell')
          .map((cell) => cell.textContent),
      );
    expect(rows).toEqual([
      ['Included in the plan', '100', '500', '–', 'Never', ''],
      ['GrantedApology', '300', '300', '–', 'Never', 'Change expiryRevoke'],
      ['Credit pack', '250', '500', '$4.50', 'Dec 31, 2026', 'Change expiry'],
    ]);
  });

  it('are listed in the balance activity with the cause of each entry', async () => {
    await open();
    const id = await screen.findByText('call-42');
    expect(id.closest('td')?.textContent).toBe('Usage eventcall-42');
  });

  it('can be granted with an amount and a priority', async () => {
    const { user, sent } = await open();
    await user.click(await screen.findByRole('button', { name: 'Grant' }));
    const dialog = await screen.findByRole('dialog', { name: 'Grant credits or balance' });
    await user.type(await within(dialog).findByRole('textbox', { name: 'Credits' }), '200');
    await user.click(await within(dialog).findByRole('textbox', { name: /Description/ }));
    within(dialog).getByText('The balance changes from 650 to 850.');
    await user.click(within(dialog).getByRole('button', { name: 'Grant' }));
    await screen.findByText('Credits or balance granted');
    expect(sent).toEqual([
      {
        name: 'lotGrant',
        input: {
          customerId: 'cus_1',
          subscriptionId: 'sub_1',
          asset: 'credits',
          amount: 200,
          priority: 5,
        },
      },
    ]);
  });

  it('can be revoked after the lost amount is shown', async () => {
    const { user, sent } = await open();
    await user.click(await screen.findByRole('button', { name: 'Revoke' }));
    const dialog = await screen.findByRole('dialog', { name: 'Revoke granted credits or balance' });
    await within(dialog).findByText("The customer loses 300 credits. You can't undo this.");
    await user.click(within(dialog).getByRole('button', { name: 'Revoke grant' }));
    await screen.findByText('Grant revoked');
    expect(sent).toEqual([{ name: 'lotRevoke', input: { id: 'lot_2' } }]);
  });

  it('show the worth of a purchase before their end changes', async () => {
    const { user, sent } = await open();
    await user.click((await screen.findAllByRole('button', { name: 'Change expiry' })).at(-1) as HTMLElement);
    const dialog = await screen.findByRole('dialog', { name: 'Change expiry' });
    await within(dialog).findByText('The lot has 250 credits left and expires on Dec 31, 2026.');
    within(dialog).getByText('The remaining amount is worth $4.50 before tax.');
    within(dialog).getByText('The lot will never expire.');
    await user.click(within(dialog).getByRole('button', { name: 'Change expiry' }));
    await screen.findByText('Expiry changed');
    expect(sent).toEqual([{ name: 'lotExpirySet', input: { id: 'lot_3', expiresAt: null } }]);
  });
});

describe('an adjustment', () => {
  it('shows the symbol and the decimals of a custom unit', async () => {
    const unit = { code: 'gpu_seconds', name: 'GPU seconds', symbol: 'GPU s', decimals: 3 };
    const { user, sent } = await openDashboard('/subscriptions/sub_1?do=balanceAdjust', {
      assets: [unit],
      subscription: {
        ...subscription,
        pools: [{ asset: 'gpu_seconds', lots: [{ id: 'lot_1', source: 'plan', remaining: 2_000 }] }],
      },
    });
    const dialog = within(await screen.findByRole('dialog', { name: 'Adjust credits or balance' }));
    await dialog.findByText('GPU s');
    await user.type(dialog.getByRole('textbox', { name: 'Amount' }), '-0.5');
    await user.click(dialog.getByRole('textbox', { name: /Reason/ }));
    dialog.getByText('The balance changes from 2 GPU s to 1.5 GPU s.');
    await user.click(dialog.getByRole('button', { name: 'Adjust balance' }));
    await screen.findByText('Balance adjusted');
    expect(sent).toEqual([
      { name: 'subscriptionBalanceAdjust', input: { subscriptionId: 'sub_1', amount: -500 } },
    ]);
  });
});

describe('the credits of a subscription', () => {
  it('have the symbol of the custom unit if the plan has no credits', async () => {
    const unit = { code: 'gpu_seconds', name: 'GPU seconds', symbol: 'GPU s', decimals: 3 };
    await openDashboard('/subscriptions/sub_1', {
      assets: [unit],
      subscription: {
        ...subscription,
        credits: { remaining: 14_099, included: 500, purchased: 13_599 },
        pools: [
          { asset: 'usd', lots: [] },
          { asset: 'gpu_seconds', lots: [] },
        ],
      },
    });
    await screen.findByText('14,099 GPU s');
    const texts = screen.getAllByRole('definition').map(({ textContent }) => textContent);
    expect(texts.filter((text) => text.endsWith('GPU s'))).toEqual([
      '14,099 GPU s',
      '500 GPU s',
      '13,599 GPU s',
    ]);
  });
});
