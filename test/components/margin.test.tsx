import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openDashboard } from './support/dashboard.tsx';

const calls = {
  group: { key: 'calls', name: 'Calls' },
  currency: 'usd',
  price: '1250.5',
  cost: '1000',
  margin: '250.5',
  priceUsd: '1250.5',
  costUsd: '1000',
  marginUsd: '250.5',
  isBelowCost: false,
  isComplete: true,
};

const tokens = {
  group: { key: 'tokens', name: 'Tokens' },
  currency: 'usd',
  price: '0.0576',
  cost: '0.12',
  margin: '-0.0624',
  priceUsd: '0.0576',
  costUsd: '0.12',
  marginUsd: '-0.0624',
  isBelowCost: true,
  isComplete: true,
};

const month = (key: string, amounts: object) => ({ ...amounts, group: { key, name: key } });

/** Returns the results by the grouping of the query. */
const margin = ({ groupBy }: { readonly groupBy: string }) =>
  groupBy === 'month' ? [month('2026-01-01', calls), month('2026-02-01', tokens)] : [calls, tokens];

const organization = { id: 'org_1', reportingCurrency: 'usd' };

describe('the margin view', () => {
  it('shows totals and a row for each group with the margin as a share of the price', async () => {
    await openDashboard('/metrics?view=margin', { organization, margin });
    const table = await screen.findByRole('region', { name: 'Feature' });
    const rows = within(table).getAllByRole('row').slice(1);
    expect(
      rows.map((row) =>
        within(row)
          .getAllByRole('cell')
          .map(({ textContent }) => textContent),
      ),
    ).toEqual([
      ['Calls', '$1,250.50', '$1,000.00', '$250.50', '20%'],
      ['TokensBelow cost', '$0.0576', '$0.12', '-$0.0624', '-108.3%'],
      ['Total', '$1,250.5576', '$1,000.12', '$250.4376', '20%'],
    ]);
    expect(screen.getByRole('link', { name: 'Calls' }).getAttribute('href')).toContain('/features?q=calls');
  });

  it('exports the groups of the selected dates', async () => {
    const { user, sent } = await openDashboard(
      '/metrics?view=margin&from=2026-01-01&until=2026-02-28&group=feature',
      { organization, margin, exportCreate: { id: 'exp_1' } },
    );
    await user.click(await screen.findByRole('button', { name: 'Export' }));
    const dialog = await screen.findByRole('dialog', { name: 'Export Margin' });
    await user.click(await within(dialog).findByRole('button', { name: 'Start export' }));
    await within(dialog).findByRole('link', { name: 'All exports' });
    expect(sent).toEqual([
      {
        name: 'exportCreate',
        input: {
          kind: 'metrics_margin',
          format: 'csv',
          gzip: false,
          filter: { metrics_margin: { from: '2026-01-01', to: '2026-02-28', groupBy: 'feature' } },
        },
      },
    ]);
  });

  it('explains how to get a margin if no usage has a price or a cost', async () => {
    await openDashboard('/metrics?view=margin', { organization });
    await screen.findByText('No usage with a price or a cost in this period');
    expect(screen.getByText('Set the cost of a feature in a plan to see its margin.')).toBeDefined();
  });
});
