import './modules/organizations/index.ts';
import './modules/api-keys/index.ts';
import './modules/provisioning/index.ts';
import './modules/features/index.ts';
import './modules/markets/index.ts';
import './modules/plans/index.ts';
import './modules/plan-groups/index.ts';
import './modules/add-ons/index.ts';
import './modules/credit-packs/index.ts';
import './modules/offers/index.ts';
import './modules/promo-codes/index.ts';
import './modules/card-promotions/index.ts';
import './modules/customers/index.ts';
import './modules/customer-credits/index.ts';
import './modules/invoices/index.ts';
import './modules/transactions/index.ts';
import './modules/subscriptions/index.ts';
import './modules/portal/index.ts';
import './modules/active-addons/index.ts';
import './modules/test-clock/index.ts';
import './modules/checkout/index.ts';
import './modules/events/index.ts';
import './modules/webhooks/index.ts';
import './modules/ledger/index.ts';
import { withAmounts } from './graphql/amount.ts';
import { builder } from './graphql/builder.ts';

/** The built schema: one import per area above, defined nowhere else. */
export const schema = withAmounts(builder.toSchema());
