import type { Context } from '../../context.ts';
import { specificError, validationError } from '../../domain/errors.ts';
import { checkoutSettingsOf } from '../../domain/page-settings.ts';
import type { Address } from '../../domain/subscription/state/rows.ts';
import { isCountryNeeded } from '../../domain/tax.ts';
import { loadSeller } from '../../engine/load-seller.ts';
import type { Row } from '../../platform/db/rows.ts';
import { payerAddressOf } from '../customers/store.ts';
import { readOrganization } from '../organizations/store.ts';

/** Whether a payment needs the country of the payer: the seller is registered for tax, and it is not known. */
export const needsCountry = async (
  ctx: Context,
  { country }: Pick<Row<'Customer'>, 'country'>,
): Promise<boolean> => isCountryNeeded({ country, registrations: (await loadSeller(ctx)).taxRegistrations });

/** Whether more of the customer's address is on file than a country, as pricing tables and payments store it. */
export const hasAddress = ({ address }: Pick<Row<'Customer'>, 'address'>): boolean =>
  address !== null && address.line1 !== '';

/** Throws `forbidden` for a promo code where the seller takes none at the checkout. */
export async function demandPromoCodes(ctx: Context, promoCode: string | null | undefined): Promise<void> {
  if (promoCode == null) return;
  const { pageSettings } = await readOrganization(ctx);
  if (!checkoutSettingsOf(pageSettings).promoCodes)
    throw specificError('forbidden', 'promo_codes_off', { param: 'promoCode' });
}

/** What a payer typed in beside the card, as far as the seller can ask for it. */
export type DetailsAtCheckout = {
  readonly billingAddress?: Address | null | undefined;
  readonly promoCode?: string | null | undefined;
  readonly consent?: boolean | null | undefined;
};

/**
 * Throws `validation_error` for what the seller asks for at the checkout and the payer left out, everything at once: an address, a
 * telephone number, the consent to its terms. `forbidden` for a promo code where it takes none.
 */
export async function demandDetails(
  ctx: Context,
  customer: Pick<Row<'Customer'>, 'address'>,
  { billingAddress, promoCode, consent }: DetailsAtCheckout,
): Promise<void> {
  await demandPromoCodes(ctx, promoCode);
  const settings = checkoutSettingsOf((await readOrganization(ctx)).pageSettings);
  const asksAddress = settings.addressMode === 'always' && !hasAddress(customer);
  const missing = [
    ...(asksAddress && billingAddress == null ? ['billingAddress'] : []),
    ...(asksAddress && billingAddress != null
      ? (['line1', 'city'] as const)
          .filter((name) => !billingAddress[name])
          .map((name) => `billingAddress.${name}`)
      : []),
    ...(settings.phone === 'required' && !(billingAddress ?? customer.address)?.phone
      ? ['billingAddress.phone']
      : []),
    ...(settings.consent && consent !== true ? ['consent'] : []),
  ];
  if (missing.length > 0) throw validationError(missing.map((field) => ({ field, message: 'is required' })));
}

/** The billing address as it is to be stored: the one typed in, else that of the customer with the telephone number typed in; null to leave it as it is. Throws `validation_error` where a number comes without any country. */
export function addressWithPhone(
  { address, country }: Pick<Row<'Customer'>, 'address' | 'country'>,
  {
    billingAddress,
    phone,
  }: { readonly billingAddress?: Address | null | undefined; readonly phone?: string | null | undefined },
): Address | null {
  if (billingAddress != null || phone == null) return billingAddress ?? null;
  if (address !== null) return { ...address, phone };
  if (country === null) throw validationError([{ field: 'billingAddress.country', message: 'is required' }]);
  return payerAddressOf({ country, phone });
}
