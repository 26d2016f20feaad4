import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MovableClock } from '../../../support/billing-world.ts';
import {
  allowCardPromotions,
  createCardPromotion,
  createOffer,
  firstShop,
  off,
  otherShop,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { rejection } from '../../../support/refusals.ts';

const fields = 'id offerId bins billingInterval autoDiscovered createdAt updatedAt object livemode';
const create = `mutation ($input: CardPromotionCreateInput!) { cardPromotionCreate(input: $input) { ${fields} } }`;
const update = `mutation ($input: CardPromotionUpdateInput!) { cardPromotionUpdate(input: $input) { ${fields} } }`;
const remove =
  'mutation ($id: ID!) { cardPromotionDelete(input: { id: $id }) { id: deletedId deleted object } }';
const list = '{ cardPromotions { edges { node { id offer { id } bins } } } }';

const morning = '2026-03-01T08:00:00.000Z';
const noon = '2026-03-01T12:00:00.000Z';

describe('the card promotion API (OFR-38)', () => {
  let t: TestApp;
  let shop: Shop;
  let offerId: string;
  const wall = new MovableClock(morning);
  const change = async (input: Record<string, unknown>) =>
    (await t.graphql<{ cardPromotionUpdate: object }>(update, { input })).cardPromotionUpdate;

  beforeAll(async () => {
    t = await startApp({ wall });
    shop = firstShop(t);
    offerId = (await createOffer(shop)).id;
  });
  afterAll(() => t.close());

  it('rejects requests until card promotions are turned on for the organization', async () => {
    const other = await otherShop(t);
    const options = { key: other.key };
    const unavailable = {
      code: 'card_promotions_not_available',
      status: 409,
      message: "Card promotions aren't enabled for the organization. Ask the operator to enable them.",
    };
    const input = { offerId: (await createOffer(other)).id, bins: ['512345'] };
    expect(await rejection(t, create, { input }, options)).toEqual(unavailable);
    expect(await t.graphql(list, {}, options)).toEqual({ cardPromotions: { edges: [] } });
    await allowCardPromotions(other);
    expect(await t.graphql(create, { input }, options)).toMatchObject({
      cardPromotionCreate: { bins: ['512345'] },
    });
  });

  it('rejects changes after card promotions are turned off for the organization', async () => {
    const other = await otherShop(t);
    const { id } = await createCardPromotion(other, ['512345']);
    await t.app.database.query('UPDATE "Organization" SET "cardPromotions" = false');
    const options = { key: other.key };
    expect(await rejection(t, update, { input: { id, autoDiscovered: true } }, options)).toMatchObject({
      code: 'card_promotions_not_available',
    });
    expect(await rejection(t, remove, { id }, options)).toMatchObject({
      code: 'card_promotions_not_available',
    });
  });

  it("accepts BINs with 6 or 8 digits, and by default creates promotions that cover all intervals and aren't applied automatically", async () => {
    await allowCardPromotions(shop);
    const { cardPromotionCreate } = await t.graphql<{ cardPromotionCreate: object }>(create, {
      input: { offerId, bins: ['51234567', '512345'] },
    });
    expect(cardPromotionCreate).toEqual({
      id: expect.stringMatching(/^cpr_[0-9A-Za-z]{22}$/),
      offerId,
      bins: ['512345', '51234567'],
      billingInterval: null,
      autoDiscovered: false,
      createdAt: morning,
      updatedAt: morning,
      object: 'card_promotion',
      livemode: false,
    });
  });

  it.each([[[]], [['12345']], [['1234567']], [['123456789']], [['12345a']], [['١٢٣٤٥٦']], [[' 123456']]])(
    'rejects the BINs %j',
    async (bins) => {
      expect(await rejection(t, create, { input: { offerId, bins } })).toMatchObject({
        code: 'validation_error',
        status: 400,
      });
    },
  );

  it('rejects repeated BINs, and BINs from another promotion until that promotion is deleted', async () => {
    expect(
      await rejection(t, create, { input: { offerId, bins: ['600000', '600001', '600000'] } }),
    ).toMatchObject({
      code: 'validation_error',
      param: 'bins.2',
    });
    const { id } = await createCardPromotion(shop, ['610000', '610001']);
    const taken = {
      code: 'duplicate',
      status: 409,
      message: 'A card promotion for this BIN already exists. Update or delete the existing card promotion.',
      param: 'bins.1',
    };
    expect(await rejection(t, create, { input: { offerId, bins: ['620000', '610001'] } })).toEqual(taken);
    const other = await createCardPromotion(shop, ['620000']);
    expect(await rejection(t, update, { input: { id: other.id, bins: ['620000', '610001'] } })).toEqual(
      taken,
    );
    expect(await t.graphql(remove, { id })).toEqual({
      cardPromotionDelete: { id, deleted: true, object: 'card_promotion' },
    });
    expect(await change({ id: other.id, bins: ['620000', '610001'] })).toMatchObject({
      bins: ['610001', '620000'],
    });
    for (const [operation, variables] of [
      [remove, { id }],
      [update, { input: { id, autoDiscovered: true } }],
      ['query ($id: ID!) { cardPromotion(id: $id) { id } }', { id }],
    ] as const) {
      expect(await rejection(t, operation, variables)).toMatchObject({
        code: 'not_found',
        status: 404,
        param: 'id',
      });
    }
  });

  it('requires an offer that starts with a discount', async () => {
    const trial = await createOffer(shop, [off.trial(3), off.percent(5)]);
    expect(await rejection(t, create, { input: { offerId: trial.id, bins: ['640000'] } })).toMatchObject({
      code: 'offer_not_applicable',
    });
    expect(await rejection(t, create, { input: { offerId: 'ofr_none', bins: ['640000'] } })).toMatchObject({
      code: 'offer_not_found',
      param: 'offerId',
    });
  });

  it('changes only the provided values, and keeps updatedAt if nothing changes', async () => {
    const { id } = await createCardPromotion(shop, ['650000']);
    wall.set(noon);
    const changed = {
      bins: ['650001'],
      billingInterval: 'yearly',
      autoDiscovered: true,
      offerId,
      createdAt: morning,
      updatedAt: noon,
    };
    expect(
      await change({ id, bins: ['650001'], billingInterval: 'yearly', autoDiscovered: true, offerId }),
    ).toMatchObject(changed);
    wall.set('2026-03-02T00:00:00.000Z');
    expect(await change({ id, bins: ['650001'], autoDiscovered: true })).toMatchObject(changed);
    expect(await change({ id, billingInterval: null })).toMatchObject({
      ...changed,
      billingInterval: null,
      updatedAt: expect.stringMatching(/^2026-03-02/),
    });
  });

  it('lists promotions from newest to oldest, with their offers and BINs', async () => {
    const other = await otherShop(t);
    const first = await createCardPromotion(other, ['660000']);
    const second = await createCardPromotion(other, ['66000000']);
    expect(await t.graphql(list, {}, { key: other.key })).toMatchObject({
      cardPromotions: {
        edges: [
          { node: { id: second.id, bins: ['66000000'] } },
          { node: { id: first.id, bins: ['660000'] } },
        ],
      },
    });
    expect(await rejection(t, remove, { id: first.id })).toMatchObject({ code: 'not_found' });
  });
});
