import './queries.ts';
import './live.ts';
import './mutations/session.ts';
import './mutations/customer.ts';
import './mutations/subscription.ts';
import './mutations/plan-change.ts';
import './mutations/payment.ts';
import './mutations/extras.ts';
