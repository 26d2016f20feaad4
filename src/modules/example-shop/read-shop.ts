import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { BillingInterval, FeatureType } from '../../domain/enums.ts';
import type { ProvidedTerms } from '../../domain/pricing/feature-cell.ts';
import { root } from '../../platform/root.ts';

// What the example shop sells and to whom, as it lies in the data files beside this one. Amounts are US cents; rates are 1/10 000 of a dollar.

/** A feature of the catalog, in the form `POST /features` takes. */
export type ShopFeature = {
  readonly code: string;
  readonly name: string;
  readonly type: FeatureType;
  readonly description?: string;
  readonly unitName?: string;
};

/** A plan with its prices and the features in it, each in the form its route takes; features are named by code. */
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

/** How a customer's card behaves; `declined` leaves without paying, `declinedThenGood` comes back with another card. */
export type CardKind = 'good' | 'declined' | 'declinedThenGood' | 'failsLater' | 'authenticates';

/** An invented customer and what it buys. Without `interval` it takes the default price, without `card` its plan is free. */
export type ShopCustomer = {
  readonly externalId: string;
  readonly fullName: string;
  readonly email: string;
  /** UTC by default. */
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
};

/** A whole shop before it opens. */
export type Shop = {
  readonly features: readonly ShopFeature[];
  readonly plans: readonly ShopPlan[];
  readonly customers: readonly ShopCustomer[];
};

const readData = async (name: string): Promise<unknown> =>
  JSON.parse(await readFile(path.join(root, 'src/modules/example-shop', name), 'utf8'));

/** Reads the shop from `catalog.data.json` and `customers.data.json`. Whether its values are acceptable is for the service to say. */
export async function readShop(): Promise<Shop> {
  const catalog = (await readData('catalog.data.json')) as Pick<Shop, 'features' | 'plans'>;
  const customers = (await readData('customers.data.json')) as Shop['customers'];
  return { ...catalog, customers };
}

/** The same shop with the first customer of each plan, interval and kind of card, in their order. */
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
};

/** The test cards of the shop's customers, by how they behave. */
export type TestCard = keyof typeof numbers;

/** A test card as checkouts and links take it. */
export const testCard = (kind: TestCard) => ({
  number: numbers[kind],
  expMonth: 12,
  expYear: 2099,
  cvc: '123',
});

/** The cards a customer takes out, one after another, until one is accepted. */
export const wallets: Record<CardKind, readonly TestCard[]> = {
  good: ['pays'],
  declined: ['isDeclined'],
  declinedThenGood: ['isDeclined', 'pays'],
  failsLater: ['isDeclinedLater'],
  authenticates: ['needsAuthentication'],
};
