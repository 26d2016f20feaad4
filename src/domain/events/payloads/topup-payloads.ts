import { count, id, int, minor, object, orAbsent, orNull, text, time } from './fields.ts';
import { aboutConsumer, aboutInvoice, currency } from './shared.ts';

const topUp = {
  ...aboutConsumer,
  autoTopUpId: id('atu', 'ID of the automatic top-up.'),
  asset: text('Unit of the account: the code of a currency or of a custom unit.', 'usd'),
  reason: orNull(
    text("Reason why the top-up doesn't buy.", 'monthly_amount'),
    'the top-up buys when the account is low',
  ),
  nextAt: orNull(
    time('Time of the next evaluation.', '2027-06-01T00:00:00.000Z'),
    'a change of the customer or of the account causes it',
  ),
  invoiceId: orNull(aboutInvoice.invoiceId, 'nothing was charged'),
  invoiceNumber: orAbsent(aboutInvoice.invoiceNumber, 'nothing was charged'),
  amount: orNull(
    minor('Total of the purchase including tax, in the smallest currency unit.', 2_165),
    'nothing was charged',
  ),
  currency,
  available: count('Available amount of the account, in units of its asset.', 31_400),
  usedThisMonth: object(
    {
      name: 'EventAutoTopUpUse',
      description: 'Purchases of an automatic top-up in a calendar month.',
      fields: {
        count: int('Number of purchases.', 2),
        amount: minor('Sum of the purchases including tax, in the smallest currency unit.', 4_330),
      },
    },
    "Purchases in the current calendar month of the customer's time zone.",
  ),
};

export const topUpPayloads = {
  'auto_topup.succeeded': topUp,
  'auto_topup.skipped': topUp,
  'auto_topup.failed': {
    ...topUp,
    attempt: orAbsent(int('Number of the declined attempt, from 1 to 3.', 1), 'no charge was declined'),
  },
  'auto_topup.paused': topUp,
  'auto_topup.resumed': topUp,
};
