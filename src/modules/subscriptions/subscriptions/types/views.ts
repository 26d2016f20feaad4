import { restView } from '../../../../graphql/declare/rest.ts';
import { offerApplicationsSelection } from '../../offer-applications/types.ts';
import { featuresSelection } from './features.ts';

const shared = `id customerId name description status billingInterval trialEndsAt currentPeriod { start end daysRemaining }
  cancellation { scheduledAt reason effectiveAt } cancelAtPeriodEnd
  scheduledPlanChange { changeType newPlanId newPlanName newBillingInterval scheduledFor }
  startDate endDate billingDayOfMonth nextBillingDate checkoutUrl createdAt updatedAt ${offerApplicationsSelection} priceId object livemode`;

restView('SubscriptionSummary', 'Subscription', `plan { id: planId name } ${shared}`);

restView('CreatedSubscription', 'Subscription', `plan { id: planId name } checkoutProvider ${shared}`);

restView(
  'Subscription',
  'Subscription',
  `plan { id: planId name basePrice } planGrant { id: planGrantId plan { id: planId name } expiresAt } consumptionModel ${featuresSelection}
  credits { remaining included purchased } balance { remaining included currency } minimumSpend { amount charged remaining } ${shared}`,
  { absentWhenUnset: ['planGrant', 'minimumSpend', 'features.usage.overageUnitPrice'] },
);
