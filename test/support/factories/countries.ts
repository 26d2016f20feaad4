import type { Body, Made, Shop } from './shop.ts';

/** Countries that no test mentions explicitly and whose currencies aren't supported. */
const unnamedCountries =
  'AG AI AW BI BJ BS BT BW BZ CV DJ DM ER FK GD GI GM GN GY HT IM JE KI KM KN KY LC LR LS MS MU MV MW NR NU PG PN RW SB SC SH'.split(
    ' ',
  );

/** Returns a country that isn't used elsewhere in the organization. */
export const nextCountry = (shop: Shop): string => {
  const country = unnamedCountries[Number(shop.next('country').slice('country'.length)) - 1];
  if (country === undefined) throw new Error('The shop has used up the countries.');
  return country;
};

/** IDs of the environments with a tax registration. Checkouts in these environments require the payer's country. */
const registered = new Set<string>();

export const noteRegistration = ({ environmentId }: Shop): void => void registered.add(environmentId);

/**
 * Returns input with a billing address in a country without tax if the page requires an address before payment. Otherwise, returns an empty
 * object.
 */
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

/** Creates a tax registration in a country that isn't used elsewhere in the organization, so no customer is taxed. */
export async function createTaxRegistration(shop: Shop): Promise<Made> {
  noteRegistration(shop);
  const { taxRegistrationCreate } = await shop.t.graphql<{ taxRegistrationCreate: Made }>(
    'mutation ($input: TaxRegistrationCreateInput!) { taxRegistrationCreate(input: $input) { id } }',
    { input: { country: nextCountry(shop), rateBps: 1_000 } },
    { key: shop.key },
  );
  return taxRegistrationCreate;
}
