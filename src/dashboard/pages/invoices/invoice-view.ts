import type { InvoiceQuery } from './invoice.graphql';

/** An invoice as its page reads it. */
export type InvoiceView = Extract<NonNullable<InvoiceQuery['node']>, { readonly invoiceNumber: string }>;

/** The invoice of an answer; null when the id names nothing, or something else. */
export const invoiceOf = ({ node }: InvoiceQuery): InvoiceView | null =>
  node !== null && 'invoiceNumber' in node ? node : null;
