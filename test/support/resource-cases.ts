import { countryCodes } from '../../src/domain/tax/countries.ts';
import type { Shop } from './factories.ts';
import {
  allowCardPromotions,
  createCustomer,
  createFeature,
  createOffer,
  createPlan,
  off,
} from './factories.ts';

export type Values = Readonly<Record<string, unknown>>;

/** Fields that are unique among the objects of an environment, with the error for a value that another object has. */
type Unique = {
  readonly field: string;
  readonly code: string;
  /** Input that the error refers to. Defaults to the field. */
  readonly param?: string;
  /** True if an update can't change the field. */
  readonly isFixed?: true;
  /** True if the value is the ID of another object, which differs between environments. */
  readonly isReference?: true;
};

/** Resource in the table test. The names of its operations start with the type's name: `creditPackCreate`, `creditPack`. */
export type ResourceCase = {
  readonly type: string;
  readonly list: string | null;
  readonly object: string;
  readonly prefix: string;
  readonly missing: string;
  /** Fields of the object, in addition to the ID, the creation time, `object`, and `livemode`. */
  readonly fields: string;
  /** Field that identifies an object in requests. Defaults to `id`. */
  readonly reference?: string;
  /** True if the API has a query for one object. */
  readonly isReadable?: true;
  readonly prepare?: (shop: Shop) => Promise<void>;
  /** Returns the smallest valid input. Inputs with different numbers don't conflict. */
  readonly input: (shop: Shop, number: number) => Promise<Values>;
  /** Expected values of a new object that the input doesn't contain. */
  readonly defaults: Values;
  readonly unique?: readonly Unique[];
  /** Invalid input, and the fields that the error lists. */
  readonly wrong: readonly [changes: Values, fields: readonly string[]];
  /** Input fields that an update requires. */
  readonly required?: readonly string[];
  /** Changes to different fields. One change if an update replaces all fields. Empty if the object can't be changed. */
  readonly changes: readonly Values[];
  /** Kind of deletion. `null` if objects can't be deleted. */
  readonly deletion: 'soft' | 'permanent' | null;
};

const country = (number: number): string => countryCodes[number] ?? '';

export const resourceCases: readonly ResourceCase[] = [
  {
    type: 'CreditPack',
    list: 'creditPacks',
    object: 'credit_pack',
    prefix: 'cpk',
    missing: 'credit_pack_not_found',
    fields: 'name description credits price currency isActive validDays updatedAt',
    input: async (_shop, number) => ({ name: `Pack ${number}`, credits: 1_000, price: 2_500 }),
    defaults: { description: null, currency: 'usd', isActive: true, validDays: null },
    unique: [{ field: 'name', code: 'duplicate' }],
    wrong: [{ name: '', credits: 0, price: -1 }, ['credits', 'name', 'price']],
    changes: [{ credits: 7, description: 'Changed.' }, { price: 9 }],
    deletion: 'soft',
  },
  {
    type: 'Feature',
    list: 'features',
    object: 'feature',
    prefix: 'ftr',
    missing: 'feature_not_found',
    fields: 'code name type description unitName updatedAt',
    reference: 'code',
    isReadable: true,
    input: async (_shop, number) => ({ name: `Feature ${number}`, code: `code_${number}`, type: 'usage' }),
    defaults: { description: null, unitName: null },
    unique: [
      { field: 'code', code: 'feature_already_exists', isFixed: true },
      { field: 'name', code: 'feature_already_exists' },
    ],
    wrong: [{ code: 'Bad Code', name: '' }, ['code', 'name']],
    changes: [{ description: 'Changed.' }, { unitName: 'call' }],
    deletion: 'soft',
  },
  {
    type: 'Addon',
    list: 'addons',
    object: 'addon',
    prefix: 'adn',
    missing: 'addon_not_found',
    fields: 'name description basePrice consumptionModel includedUnits overageRate creditCost updatedAt',
    isReadable: true,
    input: async (shop, number) => {
      const { id: featureId } = await createFeature(shop);
      return { name: `Add-on ${number}`, basePrice: 900, featureId, consumptionModel: 'boolean' };
    },
    defaults: { description: '', includedUnits: 0, overageRate: null, creditCost: null },
    unique: [
      {
        field: 'featureId',
        code: 'feature_already_exists',
        isFixed: true,
        isReference: true,
      },
      { field: 'name', code: 'duplicate', isFixed: true },
    ],
    wrong: [{ name: '', basePrice: -1 }, ['basePrice', 'name']],
    changes: [{ basePrice: 7 }, { description: 'Changed.' }],
    deletion: 'soft',
  },
  {
    type: 'Market',
    list: 'markets',
    object: 'market',
    prefix: 'pmg',
    missing: 'market_not_found',
    fields: 'name countryCodes metadata updatedAt',
    isReadable: true,
    input: async (_shop, number) => ({ name: `Market ${number}`, countryCodes: [country(number)] }),
    defaults: { metadata: {} },
    unique: [{ field: 'countryCodes', code: 'duplicate' }],
    wrong: [{ name: '', countryCodes: [] }, ['countryCodes', 'name']],
    required: ['name', 'countryCodes'],
    changes: [{ name: 'Changed', metadata: { tier: 1 } }],
    deletion: 'soft',
  },
  {
    type: 'Plan',
    list: 'plans',
    object: 'plan',
    prefix: 'pln',
    missing: 'plan_not_found',
    fields: `name code description consumptionModel isPublic isDefault isFree blockOnExhaustion sortOrder planGroupId metadata updatedAt`,
    isReadable: true,
    input: async (_shop, number) => ({ name: `Plan ${number}`, code: `plan_${number}` }),
    defaults: {
      description: null,
      consumptionModel: 'metered',
      isPublic: true,
      isDefault: false,
      isFree: false,
      blockOnExhaustion: false,
      sortOrder: 0,
      planGroupId: null,
      metadata: {},
    },
    unique: [{ field: 'code', code: 'duplicate', isFixed: true }],
    wrong: [{ name: '', code: '', description: 'd'.repeat(2_001) }, ['code', 'description', 'name']],
    changes: [{ name: 'Changed', metadata: { tier: 1 } }, { description: 'Changed.' }],
    deletion: 'soft',
  },
  {
    type: 'PlanGroup',
    list: 'planGroups',
    object: 'plan_group',
    prefix: 'plg',
    missing: 'plan_group_not_found',
    fields: 'name description isPublic updatedAt',
    isReadable: true,
    input: async (_shop, number) => ({ name: `Group ${number}` }),
    defaults: { description: null, isPublic: true },
    wrong: [{ name: '', description: 'd'.repeat(2_001) }, ['description', 'name']],
    changes: [{ name: 'Changed', isPublic: false }, { description: 'Changed.' }],
    deletion: 'soft',
  },
  {
    type: 'Offer',
    list: 'offers',
    object: 'offer',
    prefix: 'ofr',
    missing: 'offer_not_found',
    fields: 'name metadata startsAt endsAt active updatedAt',
    isReadable: true,
    input: async (_shop, number) => ({ name: `Offer ${number}`, phases: [off.percent(5)] }),
    defaults: { metadata: {}, startsAt: null, endsAt: null, active: true },
    wrong: [{ name: '', phases: [] }, ['name', 'phases']],
    required: ['name', 'phases'],
    changes: [{ metadata: { tier: 1 } }, { active: false }],
    deletion: 'soft',
  },
  {
    type: 'CardPromotion',
    list: 'cardPromotions',
    object: 'card_promotion',
    prefix: 'cpr',
    missing: 'not_found',
    fields: 'offerId bins billingInterval autoDiscovered updatedAt',
    isReadable: true,
    prepare: allowCardPromotions,
    input: async (shop, number) => ({
      offerId: (await createOffer(shop)).id,
      bins: [String(500_000 + number)],
    }),
    defaults: { billingInterval: null, autoDiscovered: false },
    unique: [{ field: 'bins', code: 'duplicate' }],
    wrong: [{ bins: [], offerId: '' }, ['bins', 'offerId']],
    changes: [{ billingInterval: 'yearly' }, { autoDiscovered: true }],
    deletion: 'soft',
  },
  {
    type: 'PromoCode',
    list: 'promoCodes',
    object: 'promo_code',
    prefix: 'prc',
    missing: 'promo_code_not_found',
    fields:
      'code offerId billingInterval maxRedemptions expiresAt isActive redemptionCount planIds updatedAt',
    isReadable: true,
    input: async (shop, number) => ({ code: `CODE-${number}`, offerId: (await createOffer(shop)).id }),
    defaults: {
      billingInterval: null,
      maxRedemptions: null,
      expiresAt: null,
      isActive: true,
      redemptionCount: 0,
      planIds: [],
    },
    unique: [{ field: 'code', code: 'duplicate', isFixed: true }],
    wrong: [{ code: 'with space', maxRedemptions: 0 }, ['code', 'maxRedemptions']],
    changes: [{ maxRedemptions: 3 }, { billingInterval: 'yearly' }],
    deletion: null,
  },
  {
    type: 'Webhook',
    list: 'webhooks',
    object: 'webhook',
    prefix: 'whe',
    missing: 'webhook_not_found',
    fields: 'url events description isActive apiVersion',
    isReadable: true,
    input: async (_shop, number) => ({ url: `https://hooks.test/${number}`, events: ['customer_created'] }),
    defaults: { description: null, isActive: true, apiVersion: '2026-08-27' },
    wrong: [{ url: '', events: [] }, ['events', 'url']],
    changes: [{ isActive: false }, { description: 'Changed.' }],
    deletion: 'soft',
  },
  {
    type: 'PricingTable',
    list: 'pricingTables',
    object: 'pricing_table',
    prefix: 'ptb',
    missing: 'not_found',
    fields:
      'name planGroupId plans { planId text } highlightedPlanId intervals signUpUrl successUrl isActive updatedAt',
    isReadable: true,
    input: async (shop, number) => ({
      name: `Table ${number}`,
      plans: [{ planId: (await createPlan(shop)).id, text: null }],
    }),
    defaults: {
      planGroupId: null,
      highlightedPlanId: null,
      intervals: [],
      signUpUrl: null,
      successUrl: null,
      isActive: true,
    },
    wrong: [{ name: '', successUrl: 'nowhere' }, ['name', 'successUrl']],
    changes: [{ name: 'Changed', intervals: ['monthly'] }, { isActive: false }],
    deletion: 'soft',
  },
  {
    type: 'ExportSchedule',
    list: 'exportSchedules',
    object: 'export_schedule',
    prefix: 'exs',
    missing: 'not_found',
    fields: 'kind format gzip columns frequency isIncremental isActive lastRunAt updatedAt',
    input: async () => ({ kind: 'customers', format: 'csv', frequency: 'daily' }),
    defaults: { gzip: false, columns: [], isIncremental: false, isActive: true, lastRunAt: null },
    wrong: [{ deliveryUrl: 'nowhere', columns: ['nonsense'] }, ['deliveryUrl']],
    changes: [{ frequency: 'weekly' }, { isActive: false }],
    deletion: 'permanent',
  },
  {
    type: 'CustomerNote',
    list: null,
    object: 'customer_note',
    prefix: 'note',
    missing: 'not_found',
    fields: 'text updatedAt',
    input: async (shop) => ({ customerId: (await createCustomer(shop)).id, text: 'Note' }),
    defaults: {},
    wrong: [{ text: '' }, ['text']],
    changes: [{ text: 'Changed.' }],
    deletion: 'permanent',
  },
  {
    type: 'TaxRegistration',
    list: 'taxRegistrations',
    object: 'tax_registration',
    prefix: 'txr',
    missing: 'not_found',
    fields: 'country region rateBps',
    input: async (_shop, number) => ({ country: country(number), rateBps: 1_000 }),
    defaults: { region: null },
    unique: [{ field: 'country', code: 'duplicate', isFixed: true }],
    wrong: [{ country: 'Norway', rateBps: 10_001 }, ['country', 'rateBps']],
    changes: [],
    deletion: 'permanent',
  },
];
