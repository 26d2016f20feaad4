import type { Body, Made, Shop } from './shop.ts';

/** Countries that no test names, with currencies that are not sold. */
const unnamedCountries =
  'AG AI AW BI BJ BS BT BW BZ CV DJ DM ER FK GD GI GM GN GY HT IM JE KI KM KN KY LC LR LS MS MU MV MW NR NU PG PN RW SB SC SH'.split(
    ' ',
  );

/** A country nobody else of the shop has named. */
export const nextCountry = (shop: Shop): string => {
  const country = unnamedCountries[Number(shop.next('country').slice('country'.length)) - 1];
  if (country === undefined) throw new Error('The shop has used up the countries.');
  return country;
};

/** Environments registered for tax: pages need the country of a payer there, where nobody knows it. */
const registered = new Set<string>();

/** Notes that a shop is registered for tax. */
export const noteRegistration = ({ environmentId }: Shop): void => void registered.add(environmentId);

/** The billing address a page needs before it can be paid: a country without tax, or none. */
export async function neededAddress(
  shop: Shop,
  page: 'checkout' | 'paymentLink',
  token: string | null,
): Promise<Body> {
  if (!registered.has(shop.environmentId)) return {};
  const query = `query ($token: String!) { shown: ${page}(token: $token) { requiresBillingCountry } }`;
  const { shown } = await shop.t.graphql<{ shown: { requiresBillingCountry: boolean } }>(
    query,
    { token },
    { key: null },
  );
  return shown.requiresBillingCountry ? { billingAddress: { country: 'NO' } } : {};
}

/** A tax registration in a country nobody else of the shop has, so that it taxes nobody. */
export async function createTaxRegistration(shop: Shop): Promise<Made> {
  noteRegistration(shop);
  const { taxRegistrationCreate } = await shop.t.graphql<{ taxRegistrationCreate: Made }>(
    'mutation ($input: TaxRegistrationCreateInput!) { taxRegistrationCreate(input: $input) { id } }',
    { input: { country: nextCountry(shop), rateBps: 1_000 } },
    { key: shop.key },
  );
  return taxRegistrationCreate;
}
