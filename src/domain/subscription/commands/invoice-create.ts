import { addManualInvoice, type RequestedInvoice } from '../invoicing/manual-invoice.ts';
import type { Decision } from '../state/aggregate.ts';
import { customerCommand, type Timed } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';

/** Issues an invoice with the given line items, which isn't charged automatically (BIL-23). */
export const invoiceCreate = customerCommand({
  kind: 'invoice.create',
  needs: () => ({}),
  decide: (
    draft: Draft,
    { currency, lines, memo, poNumber, reference, dueDays, metadata }: Timed & RequestedInvoice,
  ): Decision => addManualInvoice(draft, { currency, lines, memo, poNumber, reference, dueDays, metadata }),
});
