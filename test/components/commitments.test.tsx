import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openDashboard } from './support/dashboard.tsx';
import { Rejection } from './support/network.ts';

const commitments = [
  {
    __typename: 'Commitment',
    id: 'cmt_2',
    asset: 'usd',
    status: 'active',
    description: 'Annual commitment',
    price: 1_200_000,
    grant: 130_000_000,
    remaining: 120_500_000,
    drawn: 9_500_000,
    validMonths: 12,
    atEnd: 'roll_once',
    autoRenew: true,
    expiresAt: '2027-04-05T00:00:00.000Z',
    invoice: { id: 'inv_2', invoiceNumber: 'INV-2' },
  },
  {
    __typename: 'Commitment',
    id: 'cmt_1',
    asset: 'usd',
    status: 'ended',
    description: 'Pilot',
    price: 100_000,
    grant: 10_000_000,
    remaining: 0,
    drawn: 8_250_000,
    expiresAt: '2026-04-05T00:00:00.000Z',
    invoice: { id: 'inv_1', invoiceNumber: 'INV-1' },
  },
];

const subscription = {
  id: 'sub_1',
  name: 'Metered',
  status: 'active',
  consumptionModel: 'metered',
  currency: 'usd',
  customer: { id: 'cus_1', fullName: 'Ada' },
  commitments: { nodes: commitments },
};

const preview = {
  totals: [{ currency: 'usd', collected: 1_200_000, invoiced: 1_200_000 }],
  events: ['commitment_purchased'],
};

const open = (results: object = {}, of: object = {}) =>
  openDashboard('/subscriptions/sub_1', {
    subscription: { ...subscription, ...of },
    subscriptionPreview: preview,
    node: commitments[0],
    ...results,
  });

const openForm = async (results: object = {}, of: object = {}) => {
  const opened = await open(results, of);
  await opened.user.click(await screen.findByRole('button', { name: 'Create prepaid commitment' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Create prepaid commitment' }));
  await dialog.findByRole('textbox', { name: /^Price before tax/ });
  /** Waits for the preview of the current values, and creates the commitment. */
  const create = async () => {
    const name = 'Create commitment and charge $12,000.00';
    await waitFor(() => expect(dialog.getByRole('button', { name })).toMatchObject({ disabled: false }));
    await opened.user.click(dialog.getByRole('button', { name }));
  };
  return { ...opened, dialog, create };
};

describe('prepaid commitments of a subscription', () => {
  it('are listed with the price, the used and remaining amounts, the end, and the renewal', async () => {
    await open();
    const region = await screen.findByRole('region', { name: 'Prepaid commitments' });
    await within(region).findByText('Annual commitment');
    const texts = within(region)
      .getAllByRole('row')
      .slice(1)
      .map((row) =>
        within(row)
          .getAllByRole('cell')
          .map(({ textContent }) => textContent),
      );
    expect(texts).toEqual([
      [
        'Annual commitmentINV-2',
        '$12,000.00',
        '$13,000.00',
        '$950.00',
        '$12,050.00',
        'Apr 5, 2027Renews automaticallyRolls over once',
        'Change',
      ],
      ['PilotINV-1', '$1,000.00', '$1,000.00', '$825.00', '$0.00', 'Apr 5, 2026Ended', ''],
    ]);
  });

  it('are created with a money amount on a metered plan, after a preview of the charge', async () => {
    const { user, sent, dialog, create } = await openForm();
    await user.type(dialog.getByRole('textbox', { name: /^Price before tax/ }), '12000');
    await user.type(await dialog.findByRole('textbox', { name: /^Amount/ }), '13000.50');
    await user.clear(dialog.getByRole('textbox', { name: 'Term in months' }));
    await user.type(dialog.getByRole('textbox', { name: 'Term in months' }), '6');
    await user.click(dialog.getByRole('checkbox', { name: /^Renew automatically/ }));
    await create();
    await screen.findByText('Prepaid commitment created');
    expect(sent).toEqual([
      {
        name: 'commitmentPurchase',
        input: {
          subscriptionId: 'sub_1',
          price: 1_200_000,
          grant: 130_005_000,
          validMonths: 6,
          atEnd: 'expire',
          autoRenew: true,
        },
      },
    ]);
  });

  it("are created in a custom unit with the unit's decimals", async () => {
    const assets = [{ code: 'gpu_seconds', name: 'GPU seconds', symbol: 'GPU s', decimals: 3 }];
    const { user, sent, dialog, create } = await openForm(
      { assets },
      { pools: [{ asset: 'gpu_seconds', lots: [] }] },
    );
    await user.type(dialog.getByRole('textbox', { name: /^Price before tax/ }), '90');
    await user.type(await dialog.findByRole('textbox', { name: 'Amount' }), '500.125');
    await user.type(dialog.getByRole('textbox', { name: /^Description/ }), 'GPU time');
    await create();
    await screen.findByText('Prepaid commitment created');
    expect(sent).toEqual([
      {
        name: 'commitmentPurchase',
        input: {
          subscriptionId: 'sub_1',
          price: 9_000,
          asset: 'gpu_seconds',
          grant: 500_125,
          validMonths: 12,
          atEnd: 'expire',
          autoRenew: false,
          description: 'GPU time',
        },
      },
    ]);
  });

  it('show the rejection of an amount at its field, and keep the entered values', async () => {
    const message = 'The resulting balance would be outside the allowed range.';
    const { user, sent, dialog } = await openForm({
      subscriptionPreview: { rejection: { code: 'validation_error', message, param: 'grant' } },
    });
    await user.type(dialog.getByRole('textbox', { name: /^Price before tax/ }), '10');
    await user.type(await dialog.findByRole('textbox', { name: /^Amount/ }), '20');
    const field = await dialog.findByRole('textbox', { name: /^Amount/, description: new RegExp(message) });
    expect(field).toMatchObject({ value: '20' });
    expect(dialog.getByRole('button', { name: 'Create commitment' })).toMatchObject({ disabled: true });
    expect(sent).toEqual([]);
  });

  it('show a declined charge, and keep the entered values', async () => {
    const { user, dialog, create } = await openForm({
      commitmentPurchase: new Rejection('charge_failed', 'The card was declined.'),
    });
    await user.type(dialog.getByRole('textbox', { name: /^Price before tax/ }), '12000');
    await user.type(await dialog.findByRole('textbox', { name: /^Amount/ }), '13000');
    await create();
    await dialog.findByText('The card was declined.');
    expect(dialog.getByRole('textbox', { name: /^Amount/ })).toMatchObject({ value: '13000.00' });
  });

  it('stop renewing after the consequences are shown', async () => {
    const { user, sent } = await open();
    await user.click(await screen.findByRole('button', { name: 'Change' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Change prepaid commitment' }));
    await dialog.findByText('On Apr 5, 2027, the customer is charged $12,000.00 plus tax for the next term.');
    await user.click(await dialog.findByRole('checkbox', { name: /^Renew automatically/ }));
    await dialog.findByText("The commitment ends on Apr 5, 2027 and isn't charged again.");
    dialog.getByText('The remaining amount can be used for one more term.');
    await user.click(dialog.getByRole('button', { name: 'Save changes' }));
    await screen.findByText('Prepaid commitment changed');
    expect(sent).toEqual([
      { name: 'commitmentUpdate', input: { id: 'cmt_2', atEnd: 'roll_once', autoRenew: false } },
    ]);
  });

  it("can't be created for a canceled subscription", async () => {
    await open({}, { status: 'canceled', commitments: { nodes: [] } });
    await screen.findByText('No prepaid commitments.');
    expect(screen.queryByRole('button', { name: 'Create prepaid commitment' })).toBeNull();
  });
});
