import { specificRejection } from '../../errors/errors.ts';
import { receiptEvent } from '../../events/receipt-events.ts';
import { leftOf } from '../../payments/receipts.ts';
import { returnRest } from '../invoicing/receipts.ts';
import type { Decision } from '../state/aggregate.ts';
import { customerCommand, type Timed } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';

type Input = Timed & { readonly receiptId: string };

/** Records that money on account was returned to the payer. Fails with `validation_error` if no money of the receipt is on account. */
export const receiptReturn = customerCommand({
  kind: 'receipt.return',
  outlivesCustomer: true,
  needs: ({ receiptId }: Input) => ({ receipts: [receiptId] }),
  decide(draft: Draft, { receiptId }: Input): Decision {
    const receipt = draft.receipts.find(receiptId);
    if (receipt?.customerId !== draft.customer.id || leftOf(receipt) === 0n)
      return draft.reject(specificRejection('validation_error', 'receipt_used', { param: 'id' }));
    const returned = returnRest(draft, receipt);
    draft.emit(receiptEvent('receipt.returned', draft.customer, returned, null));
    return draft.done('done', null, returned.invoiceId);
  },
});
