import type { InstrumentName, ReceiptSource } from '../../rows/enums.ts';
import { recordReceipt } from '../payments/receipts.ts';
import type { Decision } from '../state/aggregate.ts';
import { customerCommand, type Timed } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';

/** Money that arrived, as the bank reported it. */
export type ReceivedMoney = {
  readonly receiptId: string;
  /** Invoice that the money was sent for. */
  readonly invoiceId: string;
  readonly source: ReceiptSource;
  readonly instrument: InstrumentName;
  readonly currency: string;
  readonly amountMinor: bigint;
  readonly reference: string | null;
  readonly payerName: string | null;
  readonly bankReference: string;
  readonly receivedAt: Date;
};

type Input = Timed & {
  /** Receipts of the customer, oldest first. */
  readonly receipts: readonly ReceivedMoney[];
};

const invoicesOf = ({ receipts }: Input): string[] => receipts.map(({ invoiceId }) => invoiceId);

/**
 * Records money that the customer sent for invoices. Pays each invoice in full or in part; the rest stays on account (INS-71,
 * INS-72). The caller has checked that the references at the bank are new.
 */
export const receiptRecord = customerCommand({
  kind: 'receipt.record',
  outlivesCustomer: true,
  needs: (input: Input) => ({ invoices: invoicesOf(input), creditedInvoices: invoicesOf(input) }),
  decide(draft: Draft, { receipts }: Input): Decision {
    for (const { receiptId: id, ...received } of receipts)
      recordReceipt(
        draft,
        {
          id,
          seq: null,
          customerId: draft.customer.id,
          status: 'on_account',
          appliedMinor: 0n,
          returnedMinor: 0n,
          lateOf: null,
          createdAt: draft.now,
          updatedAt: draft.now,
          ...received,
        },
        draft.invoices.get(received.invoiceId),
      );
    return draft.done('done', null, receipts[0]?.invoiceId ?? null);
  },
});
