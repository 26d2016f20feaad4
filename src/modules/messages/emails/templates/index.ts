import type { EmailKind } from '../../../../domain/messages/emails.ts';
import { canceledEmail } from './canceled.ts';
import { cardExpiringEmail } from './card-expiring.ts';
import { checkoutEmail } from './checkout.ts';
import { commitmentEndedEmail } from './commitment-ended.ts';
import type { EmailText } from './content.ts';
import { creditNoteEmail } from './credit-note.ts';
import { debitNoticeEmail } from './debit-notice.ts';
import { dueInvoiceEmail } from './due-invoice.ts';
import { lotExpiringEmail } from './lot-expiring.ts';
import { mandateAcceptedEmail } from './mandate-accepted.ts';
import { methodNeededEmail } from './method-needed.ts';
import { paymentFailedEmail } from './payment-failed.ts';
import { receiptEmail } from './receipt.ts';
import { refundEmail } from './refund.ts';
import { topUpFailedEmail } from './top-up-failed.ts';
import { topUpPausedEmail } from './top-up-paused.ts';
import { trialEndingEmail } from './trial-ending.ts';
import { usageLimitEmail } from './usage-limit.ts';

export const emailTexts: { readonly [kind in EmailKind]: EmailText } = {
  checkout: checkoutEmail,
  receipt: receiptEmail,
  invoice: dueInvoiceEmail,
  payment_failed: paymentFailedEmail,
  trial_ending: trialEndingEmail,
  card_expiring: cardExpiringEmail,
  subscription_canceled: canceledEmail,
  refund: refundEmail,
  credit_note: creditNoteEmail,
  lot_expiring: lotExpiringEmail,
  commitment_ended: commitmentEndedEmail,
  top_up_failed: topUpFailedEmail,
  top_up_paused: topUpPausedEmail,
  mandate_accepted: mandateAcceptedEmail,
  debit_notice: debitNoticeEmail,
  method_needed: methodNeededEmail,
  usage_limit: usageLimitEmail,
};
