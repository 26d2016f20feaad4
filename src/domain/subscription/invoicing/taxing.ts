// The tax of the customer's invoices (BIL-20).
import { type Rejection, specificRejection } from '../../errors.ts';
import { isCountryNeeded, type Tax, TaxNotComputedError, type TaxPayer } from '../../tax.ts';
import type { Draft } from '../state/draft.ts';
import { countryMissing } from '../state/rejections.ts';
import type { Address, CustomerRow, PendingCheckout } from '../state/rows.ts';

const regionOf = (address: Address | null): string | null => address?.region ?? address?.state ?? null;

/** The payer of a checkout: what was typed in there, completed by the stored customer. */
export const typedPayer = (
  customer: Pick<CustomerRow, 'address' | 'country' | 'taxDocument'>,
  typed: Pick<PendingCheckout, 'billingAddress' | 'taxDocument'>,
): TaxPayer => ({
  country: typed.billingAddress?.country ?? customer.country,
  region: regionOf(typed.billingAddress ?? customer.address),
  taxDocument: typed.taxDocument ?? customer.taxDocument,
});

/** The rejection where the tax of a payer depends on an unknown country; null otherwise (BIL-20). */
export function countryRejection(draft: Draft): Rejection | null {
  const { country } = draft.payer ?? draft.customer;
  return isCountryNeeded({ country, registrations: draft.aggregate.taxRegistrations })
    ? countryMissing
    : null;
}

/**
 * The tax of an invoice issued now. Throws TaxNotComputedError, which `decide` answers as `payment_failed`.
 */
export function customerTax(draft: Draft): Tax {
  const { aggregate, customer } = draft;
  const tax = draft.computeTax({
    ...(draft.payer ?? typedPayer(customer, { billingAddress: null, taxDocument: null })),
    at: draft.now,
    sellerCountry: aggregate.environment.organizationCountry,
    registrations: aggregate.taxRegistrations,
  });
  if ('failure' in tax) throw new TaxNotComputedError(tax.failure);
  return tax;
}

/** The rejection of a command whose invoice has a tax that cannot be computed. */
export const taxRejection = ({ message }: TaxNotComputedError): Rejection =>
  specificRejection('payment_failed', 'tax_not_computed', {
    values: { message },
    details: { reason: 'tax_not_computed' },
  });
