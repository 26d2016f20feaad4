// Generated from the REST routes by `npm run schema`.

/** API version of the client. */
export const apiVersion = '2026-08-27';

/** Operations: name, method, path, and flags for an input (i) and pages (p). */
export const operations = `activeAddons.list GET /active-addons ip
addons.list GET /addons ip
addons.create POST /addons i
addons.delete DELETE /addons/{id}
addons.get GET /addons/{id}
addons.update PATCH /addons/{id} i
addons.rateClear DELETE /addons/{id}/rate
addons.rateSet PUT /addons/{id}/rate i
aiModels.priceClear DELETE /ai-models/{id}/price
aiModels.priceSet PUT /ai-models/{id}/price i
apiKeys.list GET /api-keys ip
apiKeys.create POST /api-keys i
apiKeys.delete DELETE /api-keys/{id}
apiKeys.permissionsNarrow PATCH /api-keys/{id} i
apiKeys.policy GET /api-keys/{id}/policy
apiKeys.policySet PUT /api-keys/{id}/policy i
approvals.list GET /approvals ip
approvals.get GET /approvals/{id}
assets.list GET /assets i
assets.create POST /assets i
assets.archive DELETE /assets/{code}
assets.get GET /assets/{code}
assets.update PATCH /assets/{code} i
bankStatements.import POST /bank-statements i
catalogImpact.get POST /catalog-impact i
claimLink.create POST /claim-link i
commitments.update PATCH /commitments/{id} i
creditNotes.list GET /credit-notes ip
creditNotes.get GET /credit-notes/{id}
creditNotes.downloadLinkCreate POST /credit-notes/{id}/download-links i
creditPacks.list GET /credit-packs ip
creditPacks.create POST /credit-packs i
creditPacks.delete DELETE /credit-packs/{id}
creditPacks.update PATCH /credit-packs/{id} i
customers.list GET /customers ip
customers.create POST /customers i
customers.createBatch POST /customers/batch i
customers.get GET /customers/{id}
customers.update PATCH /customers/{id} i
customers.autoTopUpRemove DELETE /customers/{id}/auto-top-up i
customers.autoTopUp GET /customers/{id}/auto-top-up i
customers.autoTopUpSet PUT /customers/{id}/auto-top-up i
customers.autoTopUpResume POST /customers/{id}/auto-top-up/resume i
customers.budgets GET /customers/{id}/budgets ip
customers.budgetCreate POST /customers/{id}/budgets i
customers.budgetArchive DELETE /customers/{id}/budgets/{key}
customers.budget GET /customers/{id}/budgets/{key}
customers.budgetUpdate PATCH /customers/{id}/budgets/{key} i
customers.credits GET /customers/{id}/credits ip
customers.creditCreate POST /customers/{id}/credits i
customers.creditRevoke POST /customers/{id}/credits/{creditId}/revoke i
customers.invoiceCreate POST /customers/{id}/invoices i
customers.limitStates GET /customers/{id}/limits i
customers.lots GET /customers/{id}/lots ip
customers.lotGrant POST /customers/{id}/lots i
customers.planGrants GET /customers/{id}/plan-grants ip
customers.planGrantCreate POST /customers/{id}/plan-grants i
customers.planGrantUpdate PATCH /customers/{id}/plan-grants/{grantId} i
customers.planGrantRevoke POST /customers/{id}/plan-grants/{grantId}/revoke i
customers.planLimits GET /customers/{id}/plan-limits
exportSchedules.list GET /export-schedules ip
exportSchedules.create POST /export-schedules i
exportSchedules.delete DELETE /export-schedules/{id}
exportSchedules.update PATCH /export-schedules/{id} i
exports.list GET /exports ip
exports.create POST /exports i
exports.get GET /exports/{id}
exports.cancel POST /exports/{id}/cancel i
featureAccess.list GET /feature-access ip
featureAccess.get GET /feature-access/{code} i
features.list GET /features ip
features.create POST /features i
features.delete DELETE /features/{code}
features.get GET /features/{code}
features.update PATCH /features/{code} i
features.meterSet PUT /features/{code}/meter i
features.meterPreview POST /features/{code}/meter/preview i
fxRates.delete DELETE /fx-rates i
fxRates.list GET /fx-rates i
fxRates.set PUT /fx-rates i
invoices.list GET /invoices ip
invoices.adjustmentCreate POST /invoices i
invoices.get GET /invoices/{id}
invoices.downloadLinkCreate POST /invoices/{id}/download-links i
invoices.payment GET /invoices/{id}/payment-instructions
invoices.send POST /invoices/{id}/send i
invoices.statusUpdate PATCH /invoices/{id}/status i
limitCrossings.list GET /limit-crossings ip
limits.list GET /limits ip
limits.create POST /limits i
limits.delete DELETE /limits/{id}
limits.get GET /limits/{id}
limits.update PATCH /limits/{id} i
limits.raise POST /limits/{id}/raises i
limits.raiseEnd DELETE /limits/{id}/raises/{raiseId}
lots.expirySet PUT /lots/{id}/expiry i
lots.revoke POST /lots/{id}/revoke i
mandates.list GET /mandates ip
mandates.get GET /mandates/{id}
mandates.revoke POST /mandates/{id}/revoke i
markets.list GET /markets ip
markets.create POST /markets i
markets.delete DELETE /markets/{id}
markets.get GET /markets/{id}
markets.update PATCH /markets/{id} i
metrics.billed GET /metrics/billed i
metrics.cash GET /metrics/cash i
metrics.cohorts GET /metrics/cohorts i
metrics.headline GET /metrics/headline
metrics.margin GET /metrics/margin i
metrics.mrr GET /metrics/mrr i
metrics.mrrChanges GET /metrics/mrr/changes ip
metrics.receivables GET /metrics/receivables i
metrics.recovery GET /metrics/recovery i
metrics.retention GET /metrics/retention i
metrics.scheduled GET /metrics/scheduled i
metrics.trials GET /metrics/trials i
metrics.usage GET /metrics/usage i
offers.list GET /offers ip
offers.create POST /offers i
offers.delete DELETE /offers/{id}
offers.get GET /offers/{id}
offers.update PATCH /offers/{id} i
payments.list GET /payments ip
payments.create POST /payments i
payments.charge POST /payments/charge i
payments.get GET /payments/{id}
payments.cancel POST /payments/{id}/cancel i
payouts.create POST /payouts i
payouts.bankAccountAdd POST /payouts/bank-accounts i
planGroups.list GET /plan-groups ip
planGroups.create POST /plan-groups i
planGroups.delete DELETE /plan-groups/{id}
planGroups.get GET /plan-groups/{id}
planGroups.update PATCH /plan-groups/{id} i
planGroups.planAdd POST /plan-groups/{id}/plans i
planGroups.reorder PUT /plan-groups/{id}/plans/reorder i
planGroups.planRemove DELETE /plan-groups/{id}/plans/{planId}
plans.list GET /plans ip
plans.create POST /plans i
plans.delete DELETE /plans/{id}
plans.get GET /plans/{id}
plans.update PATCH /plans/{id} i
plans.featureAdd POST /plans/{id}/features i
plans.featureRemove DELETE /plans/{id}/features/{featureId}
plans.featureUpdate PATCH /plans/{id}/features/{featureId} i
plans.featureCost GET /plans/{id}/features/{featureId}/cost
plans.featureCostSet PUT /plans/{id}/features/{featureId}/cost i
plans.featureRateClear DELETE /plans/{id}/features/{featureId}/rate
plans.featureRateSet PUT /plans/{id}/features/{featureId}/rate i
plans.poolRemove DELETE /plans/{id}/pools/{asset}
plans.poolSet PUT /plans/{id}/pools/{asset} i
plans.priceAdd POST /plans/{id}/prices i
plans.priceArchive DELETE /plans/{id}/prices/{priceId}
plans.priceUpdate PATCH /plans/{id}/prices/{priceId} i
plans.priceDefaultSet PUT /plans/{id}/prices/{priceId}/default i
plans.priceRegionalDelete DELETE /plans/{id}/prices/{priceId}/regional
plans.priceRegionalUpsert PUT /plans/{id}/prices/{priceId}/regional i
plans.currencySet PUT /plans/{id}/regional i
plans.visibilitySet PUT /plans/{id}/visibility i
portal.sessionCreate POST /portal/sessions i
pricingTables.list GET /pricing-tables ip
pricingTables.create POST /pricing-tables i
pricingTables.delete DELETE /pricing-tables/{id}
pricingTables.get GET /pricing-tables/{id}
pricingTables.update PATCH /pricing-tables/{id} i
promoCodes.list GET /promo-codes ip
promoCodes.create POST /promo-codes i
promoCodes.get GET /promo-codes/{id}
promoCodes.update PATCH /promo-codes/{id} i
provision.create POST /provision i
rateCards.list GET /rate-cards ip
rateCards.create POST /rate-cards i
rateCards.delete DELETE /rate-cards/{id}
rateCards.get GET /rate-cards/{id}
rateCards.update PATCH /rate-cards/{id} i
rates.preview POST /rates/preview i
receipts.list GET /receipts ip
receipts.record POST /receipts i
receipts.get GET /receipts/{id}
receipts.apply POST /receipts/{id}/apply i
receipts.return POST /receipts/{id}/return i
requestLog.list GET /request-log ip
requestLog.entry GET /request-log/{id}
requestLog.requestReplay POST /request-log/{id}/replay i
seats.add POST /seats i
seats.set PUT /seats i
seats.balance GET /seats/balance i
seats.balances GET /seats/balances i
seats.bulkSet PUT /seats/bulk i
seats.remove POST /seats/remove i
subscriptions.list GET /subscriptions ip
subscriptions.create POST /subscriptions i
subscriptions.active GET /subscriptions/active i
subscriptions.get GET /subscriptions/{id}
subscriptions.addonActivate POST /subscriptions/{id}/addons i
subscriptions.addonDeactivate DELETE /subscriptions/{id}/addons/{addonId}
subscriptions.balanceAdjust POST /subscriptions/{id}/balance/adjust i
subscriptions.balanceTopUp POST /subscriptions/{id}/balance/topup i
subscriptions.cancel POST /subscriptions/{id}/cancel i
subscriptions.changePlan POST /subscriptions/{id}/change-plan i
subscriptions.commitments GET /subscriptions/{id}/commitments ip
subscriptions.commitmentPurchase POST /subscriptions/{id}/commitments i
subscriptions.creditsPurchase POST /subscriptions/{id}/credits i
subscriptions.offerRemove DELETE /subscriptions/{id}/offer
subscriptions.offerApply PUT /subscriptions/{id}/offer i
subscriptions.paymentMethodUpdate POST /subscriptions/{id}/payment-method/update i
subscriptions.previewChange POST /subscriptions/{id}/preview-change i
subscriptions.reactivate POST /subscriptions/{id}/reactivate i
subscriptions.recoveryLinkCreate POST /subscriptions/{id}/recovery-links i
subscriptions.uncancel POST /subscriptions/{id}/uncancel i
testClock.get GET /test-clock
testClock.advance POST /test-clock i
transactions.list GET /transactions ip
transactions.get GET /transactions/{id}
transactions.refund POST /transactions/{id}/refund i
transactions.retry POST /transactions/{id}/retry i
usage.set PUT /usage i
usage.batch POST /usage/batch i
usage.check POST /usage/check i
usage.corrections GET /usage/corrections ip
usage.track POST /usage/events i
usage.trackBatch POST /usage/events/batch i
usage.eventReplace POST /usage/events/{id}/replace i
usage.eventVoid POST /usage/events/{id}/void i
usage.holds GET /usage/holds ip
usage.hold POST /usage/holds i
usage.holdById GET /usage/holds/{id}
usage.holdExtend POST /usage/holds/{id}/extend i
usage.release POST /usage/holds/{id}/release i
usage.settle POST /usage/holds/{id}/settle i
usage.quota GET /usage/quota i
usage.quotaAdd POST /usage/quota i
usage.quotaSet PUT /usage/quota i
usage.quotas GET /usage/quota/all ip
usage.quotaRemove POST /usage/quota/remove i
usage.totals GET /usage/totals i
webhooks.list GET /webhooks ip
webhooks.create POST /webhooks i
webhooks.delete DELETE /webhooks/{id}
webhooks.get GET /webhooks/{id}
webhooks.update PATCH /webhooks/{id} i
webhooks.secretRotate POST /webhooks/{id}/rotate-secret i
webhooks.test POST /webhooks/{id}/test i`;

/** Objects of event types whose names contain an underscore. */
export const eventObjects = [
  'payment_link',
  'payment_method',
  'credit_note',
  'plan_grant',
  'auto_topup',
  'api_key',
  'rate_card',
  'payout_bank_account',
  'payment_connection',
  'payment_route',
  'tax_registration',
];
