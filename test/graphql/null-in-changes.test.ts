import { type GraphQLInputObjectType, isInputObjectType, isNonNullType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Issue, isChange, ruleOf } from '../../src/graphql/declare/rules.ts';
import { checkMembers } from '../../src/graphql/input/check-input.ts';
import { schema } from '../../src/schema.ts';
import {
  attachFeature,
  createAddon,
  createCardPromotion,
  createCreditPack,
  createCustomer,
  createFeature,
  createOffer,
  createPlan,
  createPrice,
  createPricedPlan,
  createPricingTable,
  createPromoCode,
  createRateCard,
  createWebhook,
  off,
  openPortal,
  type Shop,
  shopOf,
} from '../support/factories.ts';
import { newTenant, startApp, type TestApp } from '../support/harness.ts';
import { createAsset } from '../support/operations/plan-pools.ts';
import { rejection } from '../support/refusals.ts';

// In an update, `null` either clears a value or is rejected. It's never silently ignored (GLO-5a).

const changes = Object.values(schema.getTypeMap()).filter(
  (type): type is GraphQLInputObjectType => isInputObjectType(type) && isChange(type),
);
const optional = changes.flatMap((type) =>
  Object.values(type.getFields())
    .filter((member) => !isNonNullType(member.type))
    .map((member) => ({ type, member, isClearing: ruleOf(member).nullable === true })),
);

test('the schema defines what null means in every optional field of an update input', () => {
  expect(changes.length).toBeGreaterThan(20);
  const updated = Object.values(schema.getMutationType()?.getFields() ?? {}).filter(({ name }) =>
    name.endsWith('Update'),
  );
  const inputs = updated.flatMap(({ args }) => args.map(({ type }) => String(type).replace('!', '')));
  // A plan grant's duration has alternative forms. The fields of the other forms can be `null`.
  expect(inputs.filter((name) => !changes.some((type) => type.name === name))).toEqual([
    'PlanGrantUpdateInput',
  ]);
});

describe.each(optional.filter(({ isClearing }) => !isClearing))(
  'the update field $type.name.$member.name',
  ({ type, member }) => {
    test.each(['variables', 'coerced', 'raw'] as const)('rejects null in %s', (stage) => {
      const issues: Issue[] = [];
      checkMembers(type, { [member.name]: null }, '', stage, issues);
      expect(issues.filter(({ field }) => field === member.name)).toEqual([
        { field: member.name, message: 'must not be null' },
      ]);
    });
  },
);

type Answer = Readonly<Record<string, unknown>>;
/** Test case for a field that can be cleared: the object to update, the value to set first, and a function that reads the value. */
type Clearing = {
  readonly of: (shop: Shop) => Promise<Answer>;
  readonly value: unknown | ((names: Answer) => unknown);
  readonly selection?: string;
  /** Value in the response, if it differs from the value in the input. */
  readonly shown?: unknown;
  readonly empty?: unknown;
  /** Error message of the rejection. Set if another setting requires the value. */
  readonly isNeeded?: string;
  /** True if the update needs a page token instead of an API key. */
  readonly byPage?: true;
};

const byId =
  (make: (shop: Shop) => Promise<{ readonly id: string }>) =>
  async (shop: Shop): Promise<Answer> => ({
    id: (await make(shop)).id,
  });
const customer = byId((shop) => createCustomer(shop));
const table = async (shop: Shop): Promise<Answer> => {
  const { id: planId } = await createPricedPlan(shop);
  return { id: (await createPricingTable(shop, { plans: [{ planId }] })).id, planId };
};
const feature = async (shop: Shop): Promise<Answer> => ({ code: (await createFeature(shop)).code });
const priceOf =
  (consumptionModel: string, terms: object) =>
  async (shop: Shop): Promise<Answer> => {
    const { id: planId } = await createPlan(shop, { consumptionModel });
    return { planId, priceId: (await createPrice(shop, planId, { ...terms })).id };
  };
const portal = async (shop: Shop): Promise<Answer> => ({
  token: await openPortal(shop, (await createCustomer(shop)).id),
});
const offer = async (shop: Shop): Promise<Answer> => {
  const phases = [off.percent(2_500)];
  return { id: (await createOffer(shop, phases)).id, name: shop.next('offer'), phases };
};
const budget = async (shop: Shop): Promise<Answer> => {
  const { id: customerId } = await createCustomer(shop);
  for (const key of ['company:all', 'team:eu'])
    await shop.rest('POST', `/customers/${customerId}/budgets`, { key });
  return { customerId, key: 'team:eu' };
};
const limit = async (shop: Shop): Promise<Answer> => {
  const scope = { customer: (await createCustomer(shop)).id };
  const thresholds = [{ amount: 50 }];
  const terms = {
    scope,
    measure: 'calls',
    window: { kind: 'day' },
    amount: 100,
    thresholds,
    action: 'notify',
  };
  return { id: (await shop.rest<{ id: string }>('POST', '/limits', terms)).body.id };
};
const nothing = async (): Promise<Answer> => ({});
const address = { line1: '1', city: 'Paris', postalCode: '75001', country: 'FR' };
const url = 'https://shop.test/page';
const day = '2031-01-01T00:00:00.000Z';

const clearings: Readonly<Record<string, Clearing>> = {
  'AddonUpdateInput.description': { of: byId(createAddon), value: 'About', empty: '' },
  'BudgetUpdateInput.name': { of: budget, value: 'Europe' },
  'BudgetUpdateInput.parentKey': {
    of: budget,
    value: 'company:all',
    selection: 'parentKey: parent { key }',
    shown: { key: 'company:all' },
  },
  'CardPromotionUpdateInput.billingInterval': {
    of: byId((shop) => createCardPromotion(shop, ['40000099'])),
    value: 'monthly',
  },
  'CreditPackUpdateInput.description': { of: byId(createCreditPack), value: 'About' },
  'CreditPackUpdateInput.validDays': { of: byId(createCreditPack), value: 30 },
  'CustomerUpdateInput.address': {
    of: customer,
    value: address,
    selection: 'address { line1 city postalCode country }',
  },
  'CustomerUpdateInput.externalId': { of: customer, value: 'null-1' },
  'CustomerUpdateInput.taxDocument': { of: customer, value: 'FR40303265045' },
  'ExportScheduleUpdateInput.deliveryUrl': {
    of: async (shop) => {
      const body = { kind: 'customers', format: 'csv', frequency: 'daily', isIncremental: true };
      return { id: (await shop.rest<{ id: string }>('POST', '/export-schedules', body)).body.id };
    },
    value: 'https://files.shop.test/put',
  },
  'FeatureUpdateInput.description': { of: feature, value: 'About' },
  'FeatureUpdateInput.unitName': { of: feature, value: 'page' },
  'LimitUpdateInput.amount': { of: limit, value: 200 },
  'LimitUpdateInput.anomaly': {
    of: limit,
    value: { factor: 3, minimum: 10 },
    selection: 'anomaly { factor minimum }',
  },
  'LimitUpdateInput.name': { of: limit, value: 'Calls' },
  'LimitUpdateInput.validUntil': { of: limit, value: day },
  'OfferUpdateInput.endsAt': { of: offer, value: day },
  'OfferUpdateInput.startsAt': { of: offer, value: day },
  'OrganizationUpdateInput.accessWhileProcessing': { of: nothing, value: 'wait' },
  'OrganizationUpdateInput.accentColor': { of: nothing, value: '#123456' },
  'OrganizationUpdateInput.businessType': { of: nothing, value: 'company' },
  'OrganizationUpdateInput.checkoutExpiryHours': { of: nothing, value: 24 },
  'OrganizationUpdateInput.country': { of: nothing, value: 'FR' },
  'OrganizationUpdateInput.issuerAddress': { of: nothing, value: '1 Main St' },
  'OrganizationUpdateInput.issuerName': { of: nothing, value: 'Issuer' },
  'OrganizationUpdateInput.issuerTaxId': { of: nothing, value: 'FR40303265045' },
  'OrganizationUpdateInput.logoUrl': { of: nothing, value: 'https://shop.test/logo.png' },
  'OrganizationUpdateInput.notificationEmail': { of: nothing, value: 'ops@shop.test' },
  'OrganizationUpdateInput.pinnedVersion': { of: nothing, value: '2026-08-27' },
  'OrganizationUpdateInput.privacyUrl': { of: nothing, value: url },
  'OrganizationUpdateInput.replyTo': { of: nothing, value: 'reply@shop.test' },
  'OrganizationUpdateInput.slug': { of: nothing, value: 'null-shop' },
  'OrganizationUpdateInput.statementDescriptor': { of: nothing, value: 'NULL SHOP' },
  'OrganizationUpdateInput.supportEmail': { of: nothing, value: 'help@shop.test' },
  'OrganizationUpdateInput.supportUrl': { of: nothing, value: url },
  'OrganizationUpdateInput.termsUrl': { of: nothing, value: url },
  'PlanFeatureUpdateInput.creditsPerUnit': {
    of: async (shop) => {
      const { id: planId } = await createPlan(shop, { consumptionModel: 'credits' });
      const { id: featureId } = await createFeature(shop, 'usage');
      await attachFeature(shop, planId, featureId, { creditsPerUnit: 2 });
      return { planId, featureId };
    },
    value: 3,
    isNeeded: 'A usage feature of a credits plan requires creditsPerUnit.',
  },
  'PlanGroupUpdateInput.description': {
    of: byId(async (shop) =>
      shop
        .rest<{ id: string }>('POST', '/plan-groups', { name: shop.next('group') })
        .then(({ body }) => body),
    ),
    value: 'About',
  },
  'PlanPriceUpdateInput.includedBalance': { of: priceOf('balance', { includedBalance: 5 }), value: 7 },
  'PlanPriceUpdateInput.includedCredits': { of: priceOf('credits', { includedCredits: 5 }), value: 7 },
  'PlanPriceUpdateInput.minimumSpend': { of: priceOf('metered', { minimumSpend: 5 }), value: 7 },
  'PlanUpdateInput.description': { of: byId((shop) => createPlan(shop)), value: 'About' },
  'PortalCustomerUpdateInput.address': {
    of: portal,
    value: address,
    selection: 'address { line1 city postalCode country }',
    byPage: true,
  },
  'PortalCustomerUpdateInput.taxDocument': { of: portal, value: 'FR40303265045', byPage: true },
  'PricingTableUpdateInput.highlightedPlanId': {
    of: table,
    value: ({ planId }: Answer) => planId,
    selection: 'highlightedPlanId',
  },
  'PricingTableUpdateInput.signUpUrl': { of: table, value: url },
  'PricingTableUpdateInput.successUrl': { of: table, value: url },
  'PromoCodeUpdateInput.billingInterval': { of: byId(createPromoCode), value: 'monthly' },
  'PromoCodeUpdateInput.expiresAt': { of: byId(createPromoCode), value: day },
  'PromoCodeUpdateInput.maxRedemptions': { of: byId(createPromoCode), value: 3 },
  'AssetUpdateInput.symbol': { of: async (shop) => ({ code: await createAsset(shop) }), value: 'ₜ' },
  'RateCardUpdateInput.default': {
    of: byId(createRateCard),
    value: { model: 'volume', tiers: [{ amount: '0.5' }] },
    selection: 'default { model tiers { amount } }',
  },
  'RateCardUpdateInput.maximum': { of: byId(createRateCard), value: '100' },
  'RateCardUpdateInput.minimum': { of: byId(createRateCard), value: '1' },
  'WebhookUpdateInput.description': { of: byId(createWebhook), value: 'About' },
};

/** Input fields that aren't stored, so null has no effect. */
const without = ['PortalCustomerUpdateInput.token'];

describe('null in an update', () => {
  let t: TestApp;
  let shop: Shop;
  let liveKey: string;
  beforeAll(async () => {
    t = await startApp();
    const tenant = await newTenant(t.app, 'A shop that clears');
    shop = shopOf(t, tenant.sandboxKey, tenant.sandboxId);
    liveKey = tenant.liveKey;
  });
  afterAll(() => t.close());

  test('is tested for every field that accepts null', () => {
    const members = optional
      .filter(({ isClearing }) => isClearing)
      .map(({ type, member }) => `${type.name}.${member.name}`);
    expect(members.toSorted()).toEqual([...Object.keys(clearings), ...without].toSorted());
  });

  test.each(Object.entries(clearings))(
    'clears %s, or is rejected if another setting needs the value',
    async (path, { of, value, shown, selection, empty = null, isNeeded, byPage }) => {
      const [typeName = '', member = ''] = path.split('.');
      const field = `${typeName.charAt(0).toLowerCase()}${typeName.slice(1, -'Input'.length)}`;
      const { planId, ...rest } = await of(shop);
      const names = {
        ...rest,
        ...(planId !== undefined && !typeName.startsWith('PricingTable') && { planId }),
      };
      const set = async (wanted: unknown): Promise<unknown> => {
        const answer = await t.graphql<Record<string, Answer>>(
          `mutation ($input: ${typeName}!) { ${field}(input: $input) { ${selection ?? member} } }`,
          { input: { ...names, [member]: wanted } },
          { key: byPage ? null : typeName.startsWith('Organization') ? liveKey : shop.key },
        );
        return answer[field]?.[member];
      };
      const wanted = typeof value === 'function' ? value({ planId }) : value;
      expect(await set(wanted)).toEqual(shown ?? wanted);
      if (isNeeded === undefined) expect(await set(null)).toEqual(empty);
      else await expect(set(null)).rejects.toThrow(isNeeded);
    },
  );

  test('clears customer fields over REST, and is rejected for required values', async () => {
    const { id } = await createCustomer(shop);
    const values = { taxDocument: 'FR40303265045', externalId: 'rest-null', address };
    await shop.rest('PATCH', `/customers/${id}`, values);
    for (const name of Object.keys(values)) {
      const cleared = await shop.rest('PATCH', `/customers/${id}`, { [name]: null });
      expect([cleared.status, cleared.body[name] ?? null]).toEqual([200, null]);
    }
    expect(
      await t.graphql(
        'query ($id: ID!) { customer(id: $id) { taxDocument externalId documentType address { country } } }',
        { id },
        { key: shop.key },
      ),
    ).toEqual({ customer: { taxDocument: null, externalId: null, documentType: null, address: null } });
    const before = (await shop.rest('GET', `/customers/${id}`)).body;
    for (const name of ['email', 'fullName', 'timezone', 'metadata']) {
      const rejected = await shop.rest('PATCH', `/customers/${id}`, { [name]: null });
      expect([rejected.status, rejected.body]).toMatchObject([
        400,
        { error: { code: 'validation_error', details: [{ field: name, message: 'must not be null' }] } },
      ]);
      for (const text of [
        `mutation ($input: CustomerUpdateInput!) { customerUpdate(input: $input) { id } }`,
        `mutation ($id: ID!) { customerUpdate(input: { id: $id, ${name}: null }) { id } }`,
      ])
        expect(
          await rejection(t, text, text.includes('$id') ? { id } : { input: { id, [name]: null } }, {
            key: shop.key,
          }),
        ).toMatchObject({ code: 'validation_error' });
    }
    expect((await shop.rest('GET', `/customers/${id}`)).body).toEqual(before);
  });
});
