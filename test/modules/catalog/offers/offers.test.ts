import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MovableClock } from '../../../support/billing-world.ts';
import { createOffer, firstShop, off, otherShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { rejection } from '../../../support/refusals.ts';

const morning = '2026-03-01T08:00:00.000Z';
const noon = '2026-03-01T12:00:00.000Z';

const phases = `phases {
  ... on OfferFreeTrialPhase { type durationDays }
  ... on OfferPercentagePhase { type durationCycles durationInterval percentage }
  ... on OfferAmountOffPhase { type durationCycles durationInterval amounts { currency amount } }
  ... on OfferFixedPricePhase { type durationCycles durationInterval prices { currency amount } }
}`;
const create = `mutation ($input: OfferCreateInput!) { offerCreate(input: $input) { id name ${phases} active } }`;
const update = 'mutation ($input: OfferUpdateInput!) { offerUpdate(input: $input) { id } }';

describe('the offer API', () => {
  let t: TestApp;
  let shop: Shop;
  const wall = new MovableClock(morning);

  beforeAll(async () => {
    t = await startApp({ wall });
    shop = firstShop(t);
  });
  afterAll(() => t.close());

  it('creates active offers with their phases in order and without an availability period (OFR-1, OFR-2)', async () => {
    const prices = [
      { currency: 'usd', amount: 0 },
      { currency: 'jpy', amount: 900_000_000_000_000 },
    ];
    const provided = [
      off.trial(5),
      off.percent(4_000, 2),
      off.amount(1, 1, 'eur'),
      { type: 'fixed_price', durationCycles: null, prices },
    ];
    const { status, body } = await shop.rest('POST', '/offers', { name: 'ربيع 🌱', phases: provided });
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        id: expect.stringMatching(/^ofr_[0-9A-Za-z]{22}$/),
        name: 'ربيع 🌱',
        phases: [
          { type: 'free_trial', durationDays: 5 },
          { type: 'percentage', durationCycles: 2, durationInterval: null, percentage: 4_000 },
          {
            type: 'amount_off',
            durationCycles: 1,
            durationInterval: null,
            amounts: [{ currency: 'eur', amount: 1 }],
          },
          { type: 'fixed_price', durationCycles: null, durationInterval: null, prices },
        ],
        metadata: {},
        startsAt: null,
        endsAt: null,
        active: true,
        createdAt: morning,
        updatedAt: morning,
        object: 'offer',
        livemode: false,
      },
    });
    expect((await shop.rest('GET', `/offers/${body['id']}`)).body).toEqual(body);
  });

  it('accepts phases over GraphQL, and treats null as omitted', async () => {
    const trial = { type: 'free_trial', durationDays: 7, percentage: null, amounts: null };
    const { offerCreate } = await t.graphql<{ offerCreate: object }>(create, {
      input: { name: 'Both doors', phases: [trial, off.percent(10_000, null)] },
    });
    expect(offerCreate).toMatchObject({
      phases: [
        { type: 'free_trial', durationDays: 7 },
        { type: 'percentage', durationCycles: null, durationInterval: null, percentage: 10_000 },
      ],
    });
  });

  it.each<[string, unknown[], { field: string; message: string }[]]>([
    ['no phases', [], [{ field: 'phases', message: 'must have at least 1 item' }]],
    [
      'eleven phases',
      Array.from({ length: 11 }, () => off.percent(1)),
      [{ field: 'phases', message: 'must have at most 10 items' }],
    ],
    [
      'a trial of 0 days',
      [off.trial(0)],
      [{ field: 'phases.0.durationDays', message: 'must be at least 1' }],
    ],
    [
      'a trial of half a day',
      [off.trial(0.5)],
      [expect.objectContaining({ field: 'phases.0.durationDays' })],
    ],
    [
      'a percentage above 100%',
      [off.percent(10_001)],
      [{ field: 'phases.0.percentage', message: 'must be at most 10000' }],
    ],
    [
      'a negative discount',
      [off.amount(-1)],
      [{ field: 'phases.0.amounts.0.amount', message: 'must be at least 1' }],
    ],
    [
      'no duration',
      [{ type: 'percentage', percentage: 5 }],
      [{ field: 'phases.0.durationCycles', message: 'is required' }],
    ],
    [
      'fields of another phase type',
      [{ ...off.trial(3), percentage: 5 }],
      [{ field: 'phases.0.percentage', message: "isn't allowed if type is free_trial" }],
    ],
    [
      'an unknown phase type',
      [{ type: 'magic' }],
      [{ field: 'phases.0.type', message: 'must be one of amount_off, fixed_price, free_trial, percentage' }],
    ],
    [
      'phases in the wrong order',
      [off.percent(5, null), off.trial(3)],
      [
        {
          field: 'phases.0.durationCycles',
          message: 'Every phase except the last must have an end. Set `durationCycles`.',
        },
        { field: 'phases.1.type', message: 'A free trial must be the first phase.' },
      ],
    ],
  ])('rejects %s', async (_name, provided, details) => {
    const { status, body } = await shop.rest('POST', '/offers', { name: 'Wrong', phases: provided });
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { error: { code: 'validation_error', details } },
    });
  });

  it('reports all problems with a phase in one response over GraphQL', async () => {
    const input = { name: '', phases: [{ type: 'amount_off', percentage: 5 }], startsAt: noon, endsAt: noon };
    expect(await rejection(t, create, { input })).toMatchObject({
      code: 'validation_error',
      details: [
        { field: 'name', message: 'must have at least 1 character' },
        { field: 'phases.0.amounts', message: 'is required' },
        { field: 'phases.0.durationCycles', message: 'is required' },
        { field: 'phases.0.percentage', message: "isn't allowed if type is amount_off" },
      ],
    });
    expect(
      await rejection(t, create, {
        input: { name: 'Window', phases: [off.percent(5)], startsAt: noon, endsAt: noon },
      }),
    ).toMatchObject({
      code: 'validation_error',
      param: 'endsAt',
    });
  });

  it('changes the name and phases in an update, and keeps omitted values (OFR-5)', async () => {
    const { id } = await createOffer(shop, [off.percent(1)], {
      metadata: { a: 1 },
      startsAt: morning,
      endsAt: noon,
    });
    wall.set(noon);
    const terms = { name: 'New name', phases: [off.trial(9)] };
    const { body } = await shop.rest('PATCH', `/offers/${id}`, terms);
    const changed = {
      ...terms,
      metadata: { a: 1 },
      startsAt: morning,
      endsAt: noon,
      active: true,
      createdAt: morning,
      updatedAt: noon,
    };
    expect(body).toMatchObject(changed);
    wall.set('2026-03-02T00:00:00.000Z');
    expect((await shop.rest('PATCH', `/offers/${id}`, { ...terms, metadata: { a: 1 } })).body).toEqual(body);
    wall.set(noon);
    const more = { metadata: {}, startsAt: null, endsAt: null, active: false };
    expect((await shop.rest('PATCH', `/offers/${id}`, { ...terms, ...more })).body).toMatchObject({
      ...changed,
      ...more,
    });
    expect(
      await rejection(t, update, { input: { id, ...terms, startsAt: noon, endsAt: morning } }),
    ).toMatchObject({
      code: 'validation_error',
      details: [{ field: 'endsAt', message: 'The availability period must end after it starts.' }],
    });
  });

  it('requires a name and phases in every update', async () => {
    const { id } = await createOffer(shop);
    const { status, body } = await shop.rest('PATCH', `/offers/${id}`, { active: false });
    expect({ status, body }).toMatchObject({
      status: 400,
      body: {
        error: {
          details: [
            { field: 'name', message: 'is required' },
            { field: 'phases', message: 'is required' },
          ],
        },
      },
    });
  });

  it('lists offers from newest to oldest, filters by active state, and excludes other environments', async () => {
    const other = await otherShop(t, 'Lists');
    const ids: string[] = [];
    for (const active of [true, false, true, true])
      ids.unshift((await createOffer(other, [off.percent(5)], { active })).id);
    const [newest = '', third = '', second = '', first = ''] = ids;
    await other.rest('DELETE', `/offers/${newest}`);
    const listed = async (query: string) =>
      (await other.rest<{ data: { id: string }[] }>('GET', `/offers${query}`)).body.data.map(({ id }) => id);
    expect(await listed('')).toEqual([third, second, first]);
    expect(await listed('?active=true')).toEqual([third, first]);
    expect(await listed('?active=false')).toEqual([second]);
    expect(await listed('?limit=1')).toEqual([third]);
    expect((await shop.rest('GET', `/offers/${third}`)).status).toBe(404);
    expect((await shop.rest('GET', '/offers?active=maybe')).status).toBe(400);
  });
});
