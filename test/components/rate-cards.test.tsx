import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openDashboard } from './support/dashboard.tsx';

const rate = (amount: string) => ({
  model: 'per_unit',
  per: 1,
  tiers: [{ upTo: null, amount, flat: '0' }],
});

const card = {
  id: 'rcd_1',
  name: 'API prices',
  code: 'api_prices',
  version: 3,
  cells: [{ when: { model: ['large', 'xl'], region: ['eu'] }, rate: rate('0.012') }],
  default: rate('0.0015'),
};

const plan = {
  id: 'pln_1',
  name: 'Pro',
  subscriptionCount: 12,
  featureTerms: [{ id: 'plf_1', rateCard: { rateCardId: 'rcd_1' } }],
};

const impact = {
  subscribers: { value: 12, isExact: true },
  when: 'immediately',
  inFavorOf: 'customer',
  firstAt: null,
  lastAt: null,
  sample: [],
  lastBills: [{ currency: 'usd', before: 7_530, after: 7_050 }],
  unknownBills: 1,
  terms: [],
};

const open = (path: string, plans: readonly object[] = [plan]) =>
  openDashboard(path, { rateCards: { nodes: [card] }, plans: { nodes: plans }, catalogImpact: impact });

/** Rate per unit in the input of a mutation. */
const input = (amount: string) => ({
  model: 'per_unit',
  per: 1,
  tiers: [{ upTo: null, amount, flat: '0' }],
});

describe('rate cards', () => {
  it('are listed with the plans that use them and the number of prices', async () => {
    await open('/rate-cards');
    const row = (await screen.findByRole('link', { name: 'API prices' })).closest('tr') as HTMLElement;
    await within(row).findByText('Pro');
    expect(
      within(row)
        .getAllByRole('cell')
        .slice(2, 5)
        .map(({ textContent }) => textContent),
    ).toEqual(['Pro', '2', '3']);
  });

  it('are created with a price for each condition and a price for all other usage', async () => {
    const { user, sent } = await open('/rate-cards?open=new');
    const sheet = within(await screen.findByRole('dialog', { name: 'New rate card' }));
    await user.type(await sheet.findByRole('textbox', { name: 'Name' }), 'Minutes');
    const create = sheet.getByRole('button', { name: 'Create rate card' });
    expect(create.hasAttribute('disabled')).toBe(true);
    await user.type(sheet.getByRole('textbox', { name: 'Condition, row 1' }), 'runner = linux, arm');
    await user.click(sheet.getByRole('button', { name: /^Change the price of row 1/ }));
    const price = await sheet.findByRole('textbox', { name: 'Price' });
    await user.clear(price);
    await user.type(price, '0.008');
    await sheet.findByRole('button', { name: 'Change the price of row 1: $0.008 per unit' });
    await user.click(sheet.getByRole('switch', { name: /Price for all other usage/ }));
    const other = sheet.getAllByRole('textbox', { name: 'Price' }).at(-1) as HTMLElement;
    await user.clear(other);
    await user.type(other, '0.064');
    await user.click(create);
    expect(sent).toEqual([
      {
        name: 'rateCardCreate',
        input: {
          name: 'Minutes',
          code: 'minutes',
          cells: [{ when: { runner: ['linux', 'arm'] }, rate: input('0.008') }],
          default: input('0.064'),
          minimum: null,
          maximum: null,
        },
      },
    ]);
  });

  it('show which rows match the same usage', async () => {
    const { user, sent } = await open('/rate-cards?open=rcd_1');
    const sheet = within(await screen.findByRole('dialog', { name: 'API prices' }));
    await user.click(await sheet.findByRole('button', { name: 'Add row' }));
    await user.type(sheet.getByRole('textbox', { name: 'Condition, row 2' }), 'model = large; region = eu');
    await sheet.findByText(/^Another row matches the same usage/);
    expect(sheet.getByRole('button', { name: 'Save changes' }).hasAttribute('disabled')).toBe(true);
    expect(sent).toEqual([]);
  });

  it('show the affected subscribers before a change is saved', async () => {
    const { user, sent } = await open('/rate-cards?open=rcd_1');
    const sheet = within(await screen.findByRole('dialog', { name: 'API prices' }));
    await sheet.findByText('12 subscribers of Pro have these prices.');
    expect(sheet.getByRole('button', { name: 'Delete' }).hasAttribute('disabled')).toBe(true);
    await user.type(sheet.getByRole('textbox', { name: /^Maximum total/ }), '100');
    await sheet.findByText(
      'The change affects 12 subscribers of Pro: the lower price in the current period, and the new price from the next period.',
    );
    await sheet.findByText(
      'Usage charges of the last usage window would have totaled $70.50 instead of $75.30.',
    );
    sheet.getByText("1 usage window can't be priced again.");
    await user.click(sheet.getByRole('button', { name: 'Save changes' }));
    expect(sent).toEqual([
      {
        name: 'rateCardUpdate',
        input: {
          id: 'rcd_1',
          name: 'API prices',
          cells: [{ when: { model: ['large', 'xl'], region: ['eu'] }, rate: input('0.012') }],
          default: input('0.0015'),
          minimum: null,
          maximum: '100',
        },
      },
    ]);
  });

  it('can be deleted if no plan uses them', async () => {
    const { user, sent } = await open('/rate-cards?open=rcd_1', []);
    await screen.findByText(/^No plan uses this rate card/);
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Delete the rate card API prices?' });
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
    expect(sent).toEqual([{ name: 'rateCardDelete', input: { id: 'rcd_1' } }]);
  });
});
