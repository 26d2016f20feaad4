// Fields of the events of lots and prepaid commitments.
import { count, flag, id, minor, oneOf, orAbsent, orNull, text, time } from './fields.ts';
import { aboutConsumer, aboutInvoice, currency, customerId, subscriptionId } from './shared.ts';

export const lot = {
  subscriptionId: orNull(subscriptionId, 'the lot belongs to the customer'),
  customerId,
  lotId: id('lot', 'ID of the lot.'),
  asset: text('Unit of the lot: `credits`, `balance`, or the code of a custom unit.', 'credits'),
  source: oneOf('LotSource', 'Source of the lot.', 'promotion'),
  amount: count('Affected amount. In 1/10,000 of the currency unit if the lot is a balance.', 500),
  expiresAt: orNull(
    time('Time at which the lot expires.', '2027-05-01T00:00:00.000Z'),
    "the lot doesn't expire",
  ),
};

export const commitment = {
  ...aboutConsumer,
  commitmentId: id('lot', 'ID of the commitment.'),
  asset: text('Unit of the commitment: `credits`, `balance`, or the code of a custom unit.', 'balance'),
  amount: count('Amount of the commitment, in units of its asset.', 10_000_000),
  remaining: count('Remaining amount before the end, in units of the asset.', 250_000),
  price: minor('Paid price, in the smallest currency unit.', 100_000),
  currency,
  autoRenew: flag('Whether the commitment renews automatically.', false),
  expiresAt: orNull(
    time('Time at which the commitment expires.', '2027-08-27T09:30:00.000Z'),
    "the commitment doesn't expire",
  ),
  invoiceId: orAbsent(aboutInvoice.invoiceId, 'the event has no invoice'),
  invoiceNumber: orAbsent(aboutInvoice.invoiceNumber, 'the event has no invoice'),
  reason: orAbsent(text('Reason of the end.', 'expired'), 'the commitment was purchased'),
};
