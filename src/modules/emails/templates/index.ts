import type { EmailKind } from '../../../domain/emails.ts';
import { canceledEmail } from './canceled.ts';
import { checkoutEmail } from './checkout.ts';
import type { EmailText } from './content.ts';
import { dueInvoiceEmail } from './due-invoice.ts';
import { paymentFailedEmail } from './payment-failed.ts';
import { receiptEmail } from './receipt.ts';
import { refundEmail } from './refund.ts';
import { trialEndingEmail } from './trial-ending.ts';

/** The emails customers get automatically, by kind. */
export const emailTexts: { readonly [kind in EmailKind]: EmailText } = {
  checkout: checkoutEmail,
  receipt: receiptEmail,
  invoice: dueInvoiceEmail,
  payment_failed: paymentFailedEmail,
  trial_ending: trialEndingEmail,
  subscription_canceled: canceledEmail,
  refund: refundEmail,
};
