import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openDashboard } from './support/dashboard.tsx';
import { Rejection } from './support/network.ts';

const feature = { id: 'ftr_1', code: 'calls', name: 'Calls', type: 'usage' };

const meter = {
  aggregation: 'percentile',
  property: 'hosts',
  decimals: 0,
  step: null,
  minimumPerEvent: null,
  percentile: 99,
  bucket: { every: 'hour', aggregation: 'unique' },
  filters: [{ property: 'region', in: null, notIn: ['test', ''] }],
};

type Opened = Awaited<ReturnType<typeof openDashboard>>;

const noEvents = { events: [], total: '0', totals: null };

async function openMeter(stored: object, results: object = {}) {
  const dashboard = await openDashboard('/features?open=ftr_1', {
    features: { nodes: [stored] },
    featureMeterPreview: noEvents,
    ...results,
  });
  await dashboard.user.click(await screen.findByRole('button', { name: 'Change meter' }));
  const sheet = within(await screen.findByRole('dialog', { name: 'Meter of Calls' }));
  return { ...dashboard, sheet };
}

/** Selects an option of a `Select`. */
async function choose(user: Opened['user'], sheet: ReturnType<typeof within>, label: RegExp, option: string) {
  await user.click(sheet.getByRole('button', { name: label }));
  await user.click(await screen.findByRole('option', { name: option }));
}

const save = ({ user, sheet }: Pick<Opened, 'user'> & { readonly sheet: ReturnType<typeof within> }) =>
  user.click(sheet.getByRole('button', { name: /^Save/ }));

describe("a feature's meter", () => {
  it('is a sum until it is set', async () => {
    await openDashboard('/features?open=ftr_1', { features: { nodes: [feature] } });
    expect(await screen.findByText('Meter: Sum')).toBeDefined();
  });

  it('does not exist for features without usage', async () => {
    await openDashboard('/features?open=ftr_1', { features: { nodes: [{ ...feature, type: 'seats' }] } });
    await screen.findByRole('textbox', { name: 'Name' });
    expect(screen.queryByText(/^Meter/)).toBeNull();
  });

  it('shows its impact before it is saved', async () => {
    const { user, sheet } = await openMeter(feature, {
      catalogImpact: {
        subscribers: { value: 2, isExact: true },
        when: 'at_next_period',
        inFavorOf: 'customer',
        firstAt: null,
        lastAt: null,
        sample: [],
        lastBills: [{ currency: 'usd', before: 3_000, after: 1_400 }],
        unknownBills: 0,
        terms: [],
      },
    });
    await choose(user, sheet, /Aggregation/, 'Maximum');
    await sheet.findByText(
      'Usage charges of the last usage window would have totaled $14.00 instead of $30.00.',
    );
    expect(sheet.getByText('Customers benefit.')).toBeDefined();
  });

  it('can hold a level', async () => {
    const dashboard = await openMeter(feature, { featureMeterSet: { id: 'ftr_1' } });
    const { user, sheet, sent } = dashboard;
    expect(sheet.queryByRole('checkbox', { name: /Keep the level/ })).toBeNull();
    await choose(user, sheet, /Aggregation/, 'Maximum');
    await user.click(sheet.getByRole('checkbox', { name: /Keep the level/ }));
    await save(dashboard);
    await screen.findByText('Meter saved');
    expect(sent).toEqual([
      {
        name: 'featureMeterSet',
        input: { code: 'calls', aggregation: 'max', filters: [], persists: true },
      },
    ]);
  });

  it('can count the events of another feature', async () => {
    const other = { ...feature, id: 'ftr_2', code: 'tokens', name: 'Tokens' };
    const dashboard = await openDashboard('/features?open=ftr_1', {
      features: { nodes: [feature, other] },
      featureMeterPreview: noEvents,
      featureMeterSet: { id: 'ftr_1' },
    });
    await dashboard.user.click(await screen.findByRole('button', { name: 'Change meter' }));
    const sheet = within(await screen.findByRole('dialog', { name: 'Meter of Calls' }));
    await choose(dashboard.user, sheet, /Events to count/, 'Tokens');
    await save({ ...dashboard, sheet });
    await screen.findByText('Meter saved');
    expect(dashboard.sent).toEqual([
      {
        name: 'featureMeterSet',
        input: { code: 'calls', aggregation: 'sum', filters: [], source: 'tokens' },
      },
    ]);
  });

  it('has a property, decimal places, a step, and a minimum per event', async () => {
    const dashboard = await openMeter(feature);
    const { user, sheet, sent } = dashboard;
    sheet.getByText('A change applies to each subscription from its next billing period.');
    await user.type(sheet.getByRole('textbox', { name: /^Property/ }), 'seconds');
    await user.type(sheet.getByRole('textbox', { name: /^Decimal places/ }), '1');
    await user.type(sheet.getByRole('textbox', { name: /^Round up to/ }), '0.5');
    await user.type(sheet.getByRole('textbox', { name: /^Minimum per event/ }), '2');
    await save(dashboard);
    await screen.findByText('Meter saved');
    expect(sent).toEqual([
      {
        name: 'featureMeterSet',
        input: {
          code: 'calls',
          aggregation: 'sum',
          property: 'seconds',
          decimals: 1,
          step: '0.5',
          minimumPerEvent: '2',
          filters: [],
        },
      },
    ]);
  });

  it('does not send the values of fields that another aggregation allowed', async () => {
    const dashboard = await openMeter(feature);
    const { user, sheet, sent } = dashboard;
    await user.type(sheet.getByRole('textbox', { name: /^Property/ }), 'seconds');
    await user.type(sheet.getByRole('textbox', { name: /^Round up to/ }), '60');
    await choose(user, sheet, /Aggregation/, 'Number of events');
    expect(sheet.queryByRole('textbox')).toBeNull();
    await save(dashboard);
    expect(sent).toEqual([
      { name: 'featureMeterSet', input: { code: 'calls', aggregation: 'count', filters: [] } },
    ]);
  });

  it('requires a property in order to count unique values', async () => {
    const { user, sheet } = await openMeter(feature);
    await choose(user, sheet, /Aggregation/, 'Unique values');
    const button = sheet.getByRole('button', { name: /^Save/ });
    expect(button.hasAttribute('disabled')).toBe(true);
    await user.type(sheet.getByRole('textbox', { name: 'Property' }), 'user');
    expect(button.hasAttribute('disabled')).toBe(false);
    expect(sheet.queryByRole('textbox', { name: /Decimal|Round|Minimum/ })).toBeNull();
  });

  it('always has buckets if it is an average', async () => {
    const dashboard = await openMeter(feature);
    const { user, sheet, sent } = dashboard;
    await choose(user, sheet, /Aggregation/, 'Average');
    await choose(user, sheet, /Aggregation in each bucket/, 'Maximum');
    await save(dashboard);
    expect(sent).toEqual([
      {
        name: 'featureMeterSet',
        input: {
          code: 'calls',
          aggregation: 'average',
          bucket: { every: 'hour', aggregation: 'max' },
          filters: [],
        },
      },
    ]);
  });

  it('keeps the stored percentile, buckets, and filters', async () => {
    const dashboard = await openMeter({ ...feature, meter });
    const { user, sheet, sent } = dashboard;
    const percentile = sheet.getByRole('textbox', { name: 'Percentile' });
    expect((percentile as HTMLInputElement).value).toBe('99');
    await user.click(sheet.getByRole('button', { name: 'Add filter' }));
    await user.type(sheet.getAllByRole('textbox', { name: 'Property' }).at(-1) as HTMLElement, 'plan');
    await user.type(
      sheet.getAllByRole('textbox', { name: 'Values' }).at(-1) as HTMLElement,
      'pro{Enter}team',
    );
    await save(dashboard);
    expect(sent).toEqual([
      {
        name: 'featureMeterSet',
        input: {
          code: 'calls',
          aggregation: 'percentile',
          property: 'hosts',
          percentile: 99,
          bucket: { every: 'hour', aggregation: 'unique' },
          filters: [
            { property: 'region', notIn: ['test', ''] },
            { property: 'plan', in: ['pro', 'team'] },
          ],
        },
      },
    ]);
  });

  it('divides the usage by properties and by ranges of a number', async () => {
    const dashboard = await openMeter({
      ...feature,
      meter: {
        ...meter,
        aggregation: 'sum',
        bucket: null,
        dimensions: [{ property: 'region', bands: null }],
      },
    });
    const { user, sheet, sent } = dashboard;
    await user.click(sheet.getByRole('button', { name: 'Add dimension' }));
    await user.type(sheet.getAllByRole('textbox', { name: 'Property' })[1] as HTMLElement, 'size');
    await user.click(
      sheet.getAllByRole('checkbox', { name: 'Group a number into ranges' })[1] as HTMLElement,
    );
    await user.type(sheet.getByRole('textbox', { name: 'Upper bounds' }), '5000{Enter}1000');
    sheet.getByText('Enter numbers in ascending order.');
    expect(sheet.getByRole('button', { name: /^Save/ }).hasAttribute('disabled')).toBe(true);
    await user.clear(sheet.getByRole('textbox', { name: 'Upper bounds' }));
    await user.type(sheet.getByRole('textbox', { name: 'Upper bounds' }), '1000{Enter}5000');
    await save(dashboard);
    expect(sent).toEqual([
      {
        name: 'featureMeterSet',
        input: {
          code: 'calls',
          aggregation: 'sum',
          property: 'hosts',
          decimals: 0,
          dimensions: [{ property: 'region' }, { property: 'size', bands: ['1000', '5000'] }],
          filters: [{ property: 'region', notIn: ['test', ''] }],
        },
      },
    ]);
  });

  it('shows the counted quantity of the latest events', async () => {
    const event = (id: string, value: number) => ({
      id,
      createdAt: '2027-04-05T09:00:00Z',
      value,
      quantity: null,
    });
    const { user, sheet } = await openMeter(feature, {
      featureMeterPreview: {
        events: [
          { event: event('evt_2', 61), counted: '120', values: { region: 'eu' }, problem: null },
          {
            event: event('evt_1', 7),
            counted: null,
            values: null,
            problem: 'properties.size: must be a decimal.',
          },
        ],
        total: '120',
        totals: [{ values: { region: 'eu' }, total: '120' }],
      },
    });
    await user.type(sheet.getByRole('textbox', { name: /^Round up to/ }), '60');
    await sheet.findByText('The latest 2 events together count 120.');
    const rowsOf = (name: string) =>
      within(sheet.getByRole('region', { name }))
        .getAllByRole('row')
        .slice(1)
        .map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent));
    expect(rowsOf('Total by dimension values')).toEqual([['region: eu', '120']]);
    expect(rowsOf('Latest events').map((cells) => cells.slice(-2))).toEqual([
      ['61', '120'],
      ['7', '–'],
      ['properties.size: must be a decimal.'],
    ]);
  });

  it('applies added dimensions to open usage windows only if the merchant chooses so', async () => {
    const dashboard = await openMeter({
      ...feature,
      meter: { ...meter, aggregation: 'sum', bucket: null, percentile: null },
    });
    const { user, sheet, sent } = dashboard;
    expect(sheet.queryByRole('checkbox', { name: /open usage windows/ })).toBeNull();
    await user.click(sheet.getByRole('button', { name: 'Add dimension' }));
    await user.type(sheet.getAllByRole('textbox', { name: 'Property' })[0] as HTMLElement, 'model');
    await user.click(sheet.getByRole('checkbox', { name: /open usage windows/ }));
    await save(dashboard);
    expect(sent).toMatchObject([
      { name: 'featureMeterSet', input: { dimensions: [{ property: 'model' }], recount: true } },
    ]);
  });

  it('offers no recount if the meter changes otherwise', async () => {
    const { user, sheet } = await openMeter({
      ...feature,
      meter: { ...meter, aggregation: 'sum', bucket: null, percentile: null },
    });
    await user.click(sheet.getByRole('button', { name: 'Add dimension' }));
    await user.type(sheet.getAllByRole('textbox', { name: 'Property' })[0] as HTMLElement, 'model');
    sheet.getByRole('checkbox', { name: /open usage windows/ });
    await user.type(sheet.getByRole('textbox', { name: /^Round up to/ }), '60');
    expect(sheet.queryByRole('checkbox', { name: /open usage windows/ })).toBeNull();
  });

  it('offers no dimensions for an aggregation without dimensions', async () => {
    const { user, sheet } = await openMeter(feature);
    sheet.getByRole('button', { name: 'Add dimension' });
    await choose(user, sheet, /Aggregation/, 'Maximum');
    expect(sheet.queryByRole('button', { name: 'Add dimension' })).toBeNull();
  });

  it('shows why a plan does not support the aggregation', async () => {
    const message = "The total isn't known after each event.";
    const dashboard = await openMeter(feature, {
      featureMeterSet: new Rejection('validation_error', message, [{ field: 'aggregation', message }]),
    });
    await choose(dashboard.user, dashboard.sheet, /Aggregation/, 'Latest value');
    await save(dashboard);
    expect(await dashboard.sheet.findByText(message)).toBeDefined();
  });
});
