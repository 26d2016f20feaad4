// The tax of the customer's invoices (BIL-20).
import type { Refusal } from '../errors.ts';
import { type Tax, TaxNotComputedError, type TaxPayer } from '../tax.ts';
import type { Address, CustomerRow, PendingCheckout } from './rows.ts';
import type { Work } from './work.ts';

const regionOf = (address: Address | null): string | null => address?.region ?? address?.state ?? null;

/** Whom a checkout bills: what was typed in there, and of the customer what was not. */
export const typedPayer = (customer: CustomerRow, typed: Pick<PendingCheckout, 'billingAddress' | 'taxDocument'>): TaxPayer => ({
  country: typed.billingAddress?.country ?? customer.country,
  region: regionOf(typed.billingAddress ?? customer.address),
  taxDocument: typed.taxDocument ?? customer.taxDocument,
});

/** The tax of an invoice issued now. Throws TaxNotComputedError, which `decide` answers as `payment_failed`. */
export function customerTax(work: Work): Tax {
  const { aggregate, customer } = work;
  const tax = work.computeTax({
    ...(work.payer ?? typedPayer(customer, { billingAddress: null, taxDocument: null })),
    at: work.now,
    sellerCountry: aggregate.environment.organizationCountry,
    registrations: aggregate.taxRegistrations,
  });
  if ('failure' in tax) throw new TaxNotComputedError(tax.failure);
  return tax;
}

/** The refusal of what needs an invoice whose tax cannot be worked out. */
export const taxRefusal = ({ message }: TaxNotComputedError): Refusal => ({
  code: 'payment_failed',
  message: `The tax could not be computed. ${message}`,
  details: { reason: 'tax_not_computed' },
});
