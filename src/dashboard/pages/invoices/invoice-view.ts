import type { InvoiceQuery } from './invoice.graphql';

/** Invoice with the fields that the page loads. */
export type InvoiceView = Extract<NonNullable<InvoiceQuery['node']>, { readonly invoiceNumber: string }>;

/** Returns the invoice in a response. `null` if the ID doesn't exist or belongs to an object of another type. */
export const invoiceOf = ({ node }: InvoiceQuery): InvoiceView | null =>
  node !== null && 'invoiceNumber' in node ? node : null;
