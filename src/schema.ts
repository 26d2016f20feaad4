import './modules/organizations/index.ts';
import './modules/countries/index.ts';
import './modules/currencies/index.ts';
import './modules/api-keys/index.ts';
import './modules/provisioning/index.ts';
import './modules/members/index.ts';
import './modules/tax-registrations/index.ts';
import './modules/features/index.ts';
import './modules/ai-models/index.ts';
import './modules/markets/index.ts';
import './modules/plans/index.ts';
import './modules/regional-pricing/index.ts';
import './modules/plan-prices/index.ts';
import './modules/plan-features/index.ts';
import './modules/plan-groups/index.ts';
import './modules/add-ons/index.ts';
import './modules/credit-packs/index.ts';
import './modules/offers/index.ts';
import './modules/promo-codes/index.ts';
import './modules/card-promotions/index.ts';
import './modules/payment-connections/index.ts';
import './modules/customers/index.ts';
import './modules/customer-credits/index.ts';
import './modules/usage/index.ts';
import './modules/quota/index.ts';
import './modules/invoices/index.ts';
import './modules/transactions/index.ts';
import './modules/payments/index.ts';
import './modules/bank-accounts/index.ts';
import './modules/payout-verification/index.ts';
import './modules/payouts/index.ts';
import './modules/offer-applications/index.ts';
import './modules/subscriptions/index.ts';
import './modules/plan-changes/index.ts';
import './modules/recovery-links/index.ts';
import './modules/portal/index.ts';
import './modules/purchases/index.ts';
import './modules/active-addons/index.ts';
import './modules/previews/index.ts';
import './modules/plan-grants/index.ts';
import './modules/seats/index.ts';
import './modules/feature-access/index.ts';
import './modules/consumption/index.ts';
import './modules/test-clock/index.ts';
import './modules/checkout/index.ts';
import './modules/recovery/index.ts';
import './modules/payment-links/index.ts';
import './modules/events/index.ts';
import './modules/emails/index.ts';
import './modules/webhooks/index.ts';
import './modules/ledger/index.ts';
import './modules/reconciliation/index.ts';
import { AmountScale, amountDirective } from './graphql/amount.ts';
import { builder } from './graphql/builder.ts';
import { withDirectives } from './graphql/directives.ts';
import { ErrorCodeType, errorsDirective } from './graphql/field-errors.ts';
import { semanticNonNullDirective } from './graphql/nullability.ts';

/** The built schema: one import per area above, defined nowhere else. */
export const schema = withDirectives(
  builder.toSchema(),
  [amountDirective, errorsDirective, semanticNonNullDirective],
  [AmountScale, ErrorCodeType],
);
