import { specificError, validationError } from '../../../domain/errors/errors.ts';
import { checkoutSettingsOf } from '../../../domain/pages/page-settings.ts';
import type { Address } from '../../../domain/rows/rows.ts';
import { isCountryNeeded } from '../../../domain/tax/tax.ts';
import { loadSeller } from '../../../engine/load/seller.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { payerAddressOf } from '../../customers/customers/store.ts';
import { readOrganization } from '../../organization/organizations/store.ts';

/** True if a payment requires the payer's country: the organization has a tax registration, and the country is unknown. */
export const needsCountry = async (
  ctx: Context,
  { country }: Pick<Row<'Customer'>, 'country'>,
): Promise<boolean> => isCountryNeeded({ country, registrations: (await loadSeller(ctx)).taxRegistrations });

/** True if the customer's address contains more than a country. Pricing tables and payments store only a country. */
export const hasAddress = ({ address }: Pick<Row<'Customer'>, 'address'>): boolean =>
  address !== null && address.line1 !== '';

/** Throws `forbidden` for a promo code if promo codes are turned off at checkout. */
export async function demandPromoCodes(ctx: Context, promoCode: string | null | undefined): Promise<void> {
  if (promoCode == null) return;
  const { pageSettings } = await readOrganization(ctx);
  if (!checkoutSettingsOf(pageSettings).promoCodes)
    throw specificError('forbidden', 'promo_codes_off', { param: 'promoCode' });
}

/** Payer details that the organization can require at checkout. */
export type DetailsAtCheckout = {
  readonly billingAddress?: Address | null | undefined;
  readonly promoCode?: string | null | undefined;
  readonly consent?: boolean | null | undefined;
};

/**
 * Throws `validation_error` with all missing details that the organization requires at checkout: address, phone number,
 * and consent to the organization's terms. Throws `forbidden` for a promo code if promo codes are turned off.
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

/**
 * Returns the billing address to store: the entered address, or the customer's address with the entered phone number. `null` to leave the
 * address unchanged. Throws `validation_error` for a phone number if the country is unknown.
 */
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
