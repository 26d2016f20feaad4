import { readFile } from 'node:fs/promises';

// What the demo sells and to whom, as it lies in the data files beside this one. Amounts are US cents; rates are 1/10 000 of a dollar.

/** A feature of the catalog, in the form `POST /features` takes. */
export type ShopFeature = {
  readonly code: string;
  readonly name: string;
  readonly type: 'boolean' | 'usage' | 'seats' | 'quota';
};

/** A plan with its prices and the features in it, each in the form its route takes; features are named by code. */
export type ShopPlan = {
  readonly plan: { readonly code: string; readonly name: string };
  readonly prices: readonly { readonly billingInterval: string; readonly price: number }[];
  readonly features: readonly { readonly feature: string }[];
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
  readonly interval?: string;
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
  JSON.parse(await readFile(new URL(name, import.meta.url), 'utf8'));

/** Reads the shop from `catalog.data.json` and `customers.data.json`. Whether its values are acceptable is for the service to say. */
export async function readShop(): Promise<Shop> {
  const catalog = (await readData('catalog.data.json')) as Pick<Shop, 'features' | 'plans'>;
  const customers = (await readData('customers.data.json')) as Shop['customers'];
  return { ...catalog, customers };
}
