import { wireAmount } from '../money/money.ts';
import type { CustomerRow, InvoiceRow } from '../rows/rows.ts';
import type { AutoTopUpRow, MonthUse } from '../rows/topup-rows.ts';
import { type EventBody, shownCustomerId, shownNumber } from './event-data.ts';

/** Kinds of events about automatic top-ups. */
export type TopUpEventKind =
  | 'auto_topup.succeeded'
  | 'auto_topup.skipped'
  | 'auto_topup.failed'
  | 'auto_topup.paused'
  | 'auto_topup.resumed';

/** Values of an event that the setting doesn't contain. */
export type TopUpEventDetails = {
  readonly currency: string;
  /** Available amount of the account, in pool units. */
  readonly available: bigint;
  readonly used: MonthUse;
  /** Invoice of the purchase, with its total including tax. Absent if nothing was charged. */
  readonly invoice?: InvoiceRow;
  /** Number of the declined attempt, from 1 to 3. Absent unless a charge was declined. */
  readonly attempt?: number;
};

/** Returns an event about an automatic top-up. `reason` and `nextAt` come from the setting. */
export const topUpEvent = (
  kind: TopUpEventKind,
  customer: Pick<CustomerRow, 'id' | 'externalId'>,
  setting: AutoTopUpRow,
  { currency, available, used, invoice, attempt }: TopUpEventDetails,
): EventBody => ({
  kind,
  subscriptionId: setting.subscriptionId,
  data: {
    subscriptionId: setting.subscriptionId,
    customerId: shownCustomerId(customer),
    autoTopUpId: setting.id,
    asset: setting.asset,
    reason: setting.reason,
    nextAt: setting.nextAt?.toISOString() ?? null,
    invoiceId: invoice?.id ?? null,
    ...(invoice === undefined ? {} : { invoiceNumber: shownNumber(invoice) }),
    amount: invoice === undefined ? null : wireAmount(invoice.total),
    currency,
    available: wireAmount(available),
    usedThisMonth: { count: used.count, amount: wireAmount(used.amount) },
    ...(attempt === undefined ? {} : { attempt }),
  },
});
