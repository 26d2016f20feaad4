// Tax on a customer's invoices (BIL-20).
import { type Rejection, specificRejection } from '../../errors/errors.ts';
import type { Address, CustomerRow, PendingCheckout } from '../../rows/rows.ts';
import { isCountryNeeded, type Tax, TaxNotComputedError, type TaxPayer } from '../../tax/tax.ts';
import type { Draft } from '../state/draft.ts';
import { countryMissing } from '../state/rejections.ts';

const regionOf = (address: Address | null): string | null => address?.region ?? address?.state ?? null;

/** Merges the payer details entered at a checkout with the details of the stored customer. */
export const enteredPayer = (
  customer: Pick<CustomerRow, 'address' | 'country' | 'taxDocument'>,
  typed: Pick<PendingCheckout, 'billingAddress' | 'taxDocument'>,
): TaxPayer => ({
  country: typed.billingAddress?.country ?? customer.country,
  region: regionOf(typed.billingAddress ?? customer.address),
  taxDocument: typed.taxDocument ?? customer.taxDocument,
});

/**
 * Returns the rejection if the tax can't be determined because the payer's country is unknown (BIL-20).
 * `null` if the country is known or isn't needed.
 */
export function countryRejection(draft: Draft): Rejection | null {
  const { country } = draft.payer ?? draft.customer;
  return isCountryNeeded({ country, registrations: draft.aggregate.taxRegistrations })
    ? countryMissing
    : null;
}

/**
 * Returns the tax that currently applies to the customer. Throws TaxNotComputedError, which
 * `decide` converts to `payment_failed`.
 */
export function customerTax(draft: Draft): Tax {
  const { aggregate, customer } = draft;
  const tax = draft.computeTax({
    ...(draft.payer ?? enteredPayer(customer, { billingAddress: null, taxDocument: null })),
    at: draft.now,
    sellerCountry: aggregate.environment.organizationCountry,
    registrations: aggregate.taxRegistrations,
  });
  if ('failure' in tax) throw new TaxNotComputedError(tax.failure);
  return tax;
}

/** Returns the rejection for a command whose tax can't be computed. */
export const taxRejection = ({ message }: TaxNotComputedError): Rejection =>
  specificRejection('payment_failed', 'tax_not_computed', {
    values: { message },
    details: { reason: 'tax_not_computed' },
  });
