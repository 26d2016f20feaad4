import { addonActivate } from './addon-activate.ts';
import { addonDeactivate } from './addon-deactivate.ts';
import { attemptReport } from './attempt-report.ts';
import { attemptStep } from './attempt-step.ts';
import { autoTopUp } from './auto-topup.ts';
import { autoTopUpRemove } from './auto-topup-remove.ts';
import { autoTopUpResume } from './auto-topup-resume.ts';
import { autoTopUpSet } from './auto-topup-set.ts';
import { balanceAdjust } from './balance-adjust.ts';
import { balanceTopup } from './balance-topup.ts';
import { chargeResult } from './charge-result.ts';
import { checkoutAuthenticate } from './checkout-authenticate.ts';
import { checkoutExpiry } from './checkout-expiry.ts';
import { checkoutPay } from './checkout-pay.ts';
import { checkoutUpdate } from './checkout-update.ts';
import { commitmentPurchase } from './commitment-purchase.ts';
import { commitmentUpdate } from './commitment-update.ts';
import { correctionsEnd } from './corrections-end.ts';
import { countsChange } from './counts-change.ts';
import { creditGrant } from './credit-grant.ts';
import { creditRevoke } from './credit-revoke.ts';
import { creditsPurchase } from './credits-purchase.ts';
import { customerDelete } from './customer-delete.ts';
import { dailyScan } from './daily-scan.ts';
import { disputeOpen } from './dispute-open.ts';
import { disputeResolve } from './dispute-resolve.ts';
import { dunningRetry } from './dunning-retry.ts';
import { grantCreate } from './grant-create.ts';
import { grantExpiry } from './grant-expiry.ts';
import { grantRevoke } from './grant-revoke.ts';
import { grantUpdate } from './grant-update.ts';
import { invoiceAdjust } from './invoice-adjust.ts';
import { invoiceCreate } from './invoice-create.ts';
import { invoiceMark } from './invoice-mark.ts';
import { lotExpiry } from './lot-expiry.ts';
import { lotGrant } from './lot-grant.ts';
import { lotRevoke } from './lot-revoke.ts';
import { lotSetExpiry } from './lot-set-expiry.ts';
import { mandateRevoke } from './mandate-revoke.ts';
import { methodAuthenticate } from './method-authenticate.ts';
import { methodChoose } from './method-choose.ts';
import { methodRemove } from './method-remove.ts';
import { methodUpdate } from './method-update.ts';
import { offerApply } from './offer-apply.ts';
import { offerRemove } from './offer-remove.ts';
import { paymentAuthenticate } from './payment-authenticate.ts';
import { paymentCancel } from './payment-cancel.ts';
import { paymentCharge } from './payment-charge.ts';
import { paymentCreate } from './payment-create.ts';
import { paymentDue } from './payment-due.ts';
import { paymentPay } from './payment-pay.ts';
import { periodEnd } from './period-end.ts';
import { quoteExpiry } from './quote-expiry.ts';
import { receiptApply } from './receipt-apply.ts';
import { receiptRecord } from './receipt-record.ts';
import { receiptReturn } from './receipt-return.ts';
import { recoveryPay } from './recovery-pay.ts';
import { recurringOpen } from './recurring-open.ts';
import { start } from './start.ts';
import { subscriptionCancel } from './subscription-cancel.ts';
import { subscriptionChangePlan } from './subscription-change-plan.ts';
import { subscriptionCreate } from './subscription-create.ts';
import { subscriptionReactivate } from './subscription-reactivate.ts';
import { subscriptionRetry } from './subscription-retry.ts';
import { subscriptionRevokeChange } from './subscription-revoke-change.ts';
import { subscriptionUncancel } from './subscription-uncancel.ts';
import { transactionRefund } from './transaction-refund.ts';
import { transactionRetry } from './transaction-retry.ts';
import { trialEnd } from './trial-end.ts';
import { windowReset } from './window-reset.ts';

/** All commands that can change a customer's billing state, grouped by capability. */
export const commands = [
  subscriptionCreate,
  subscriptionCancel,
  subscriptionUncancel,
  subscriptionChangePlan,
  subscriptionRevokeChange,
  subscriptionRetry,
  subscriptionReactivate,
  recoveryPay,
  methodUpdate,
  methodChoose,
  methodRemove,
  mandateRevoke,
  methodAuthenticate,
  offerApply,
  offerRemove,
  checkoutPay,
  checkoutAuthenticate,
  checkoutUpdate,
  quoteExpiry,
  checkoutExpiry,
  balanceAdjust,
  balanceTopup,
  creditsPurchase,
  commitmentPurchase,
  commitmentUpdate,
  autoTopUpSet,
  autoTopUpResume,
  autoTopUpRemove,
  autoTopUp,
  lotGrant,
  lotRevoke,
  lotSetExpiry,
  lotExpiry,
  addonActivate,
  addonDeactivate,
  grantCreate,
  grantExpiry,
  start,
  trialEnd,
  periodEnd,
  windowReset,
  paymentDue,
  dunningRetry,
  dailyScan,
  chargeResult,
  attemptStep,
  attemptReport,
  receiptRecord,
  receiptApply,
  receiptReturn,
  invoiceAdjust,
  invoiceCreate,
  invoiceMark,
  creditGrant,
  creditRevoke,
  correctionsEnd,
  countsChange,
  transactionRefund,
  transactionRetry,
  disputeOpen,
  disputeResolve,
  paymentCreate,
  paymentCharge,
  paymentPay,
  paymentAuthenticate,
  paymentCancel,
  grantUpdate,
  grantRevoke,
  recurringOpen,
  customerDelete,
] as const;
