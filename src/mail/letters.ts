import type { LetterKind } from '../domain/letters.ts';
import type { LetterText } from './about.ts';
import { canceledLetter } from './canceled-letter.ts';
import { checkoutLetter } from './checkout-letter.ts';
import { dueInvoiceLetter } from './due-invoice-letter.ts';
import { paymentFailedLetter } from './payment-failed-letter.ts';
import { receiptLetter } from './receipt-letter.ts';
import { refundLetter } from './refund-letter.ts';
import { trialEndingLetter } from './trial-ending-letter.ts';

/** The letters customers get by themselves, by kind. */
export const letterTexts: { readonly [kind in LetterKind]: LetterText } = {
  checkout: checkoutLetter,
  receipt: receiptLetter,
  invoice: dueInvoiceLetter,
  payment_failed: paymentFailedLetter,
  trial_ending: trialEndingLetter,
  subscription_canceled: canceledLetter,
  refund: refundLetter,
};
