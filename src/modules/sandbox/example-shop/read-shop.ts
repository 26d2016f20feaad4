import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ProvidedTerms } from '../../../domain/pricing/feature-cell.ts';
import type { BillingInterval, FeatureType } from '../../../domain/rows/enums.ts';
import { root } from '../../../platform/root.ts';

// Catalog and customers of the example shop, read from the data files in this folder. Amounts are in US cents; rates are in 1/10,000 of a
// dollar.

/** Feature of the example shop, in the format of `POST /features`. */
type ShopFeature = {
  readonly code: string;
  readonly name: string;
  readonly type: FeatureType;
  readonly description?: string;
  readonly unitName?: string;
};

/** Plan of the example shop with its prices and features, in the request formats of the REST API. Features are identified by code. */
export type ShopPlan = {
  readonly plan: {
    readonly code: string;
    readonly name: string;
    readonly description?: string;
    readonly isFree?: boolean;
  };
  readonly prices: readonly {
    readonly billingInterval: BillingInterval;
    readonly price: number;
    readonly trialDays?: number;
    readonly isDefault?: boolean;
  }[];
  readonly features: readonly (ProvidedTerms & { readonly feature: string })[];
};

/** Behavior of a customer's card. `declined` leaves the checkout unpaid, and `declinedThenGood` pays with a second card. */
export type CardKind = 'good' | 'declined' | 'declinedThenGood' | 'failsLater' | 'authenticates' | 'disputes';

/**
 * Fictional customer with a subscription. If `interval` is missing, the plan's default price applies. Customers of free plans have no
 * `card`.
 */
export type ShopCustomer = {
  readonly externalId: string;
  readonly fullName: string;
  readonly email: string;
  readonly timezone?: string;
  readonly address: {
    readonly line1: string;
    readonly city: string;
    readonly postalCode: string;
    readonly country: string;
  };
  readonly plan: string;
  readonly interval?: BillingInterval;
  readonly seats?: number;
  readonly card?: CardKind;
  readonly promoCode?: string;
};

export type Shop = {
  readonly features: readonly ShopFeature[];
  readonly plans: readonly ShopPlan[];
  readonly customers: readonly ShopCustomer[];
};

const readData = async (name: string): Promise<unknown> =>
  JSON.parse(await readFile(path.join(root, 'src/modules/sandbox/example-shop', name), 'utf8'));

/** Reads the shop from `catalog.data.json` and `customers.data.json`. The values are validated when the steps of a run use them. */
export async function readShop(): Promise<Shop> {
  const catalog = (await readData('catalog.data.json')) as Pick<Shop, 'features' | 'plans'>;
  const customers = (await readData('customers.data.json')) as Shop['customers'];
  return { ...catalog, customers };
}

/** Returns the shop with only the first customer for each combination of plan, interval, and card behavior. */
export function smallShop(shop: Shop): Shop {
  const found = new Set<string>();
  const isFirst = ({ plan, interval, card }: ShopCustomer): boolean =>
    found.size < found.add(`${plan} ${interval} ${card}`).size;
  return { ...shop, customers: shop.customers.filter(isFirst) };
}

const numbers = {
  pays: '4242 4242 4242 4242',
  isDeclined: '4000 0000 0000 0002',
  isDeclinedLater: '4000 0000 0000 0341',
  needsAuthentication: '4000 0025 0000 3155',
  isDisputed: '4000 0000 0000 0259',
};

/** Behavior of a test card. */
export type TestCard = keyof typeof numbers;

/** Returns a test card in the format of checkouts and payment links. */
export const testCard = (kind: TestCard) => ({
  number: numbers[kind],
  expMonth: 12,
  expYear: 2099,
  cvc: '123',
});

/** Cards that a customer tries in order until a payment succeeds. */
export const wallets: Record<CardKind, readonly TestCard[]> = {
  good: ['pays'],
  declined: ['isDeclined'],
  declinedThenGood: ['isDeclined', 'pays'],
  failsLater: ['isDeclinedLater'],
  authenticates: ['needsAuthentication'],
  disputes: ['isDisputed'],
};
