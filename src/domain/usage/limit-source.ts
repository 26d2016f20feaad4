// Usage that limits count, and the rows from which values of limits are calculated.
import type { Account } from '../lots/account.ts';
import type { Catalog, FeatureRow, PlanRow } from '../pricing/catalog.ts';
import type { EventProperties } from '../rates/derived.ts';
import type { ConsumingSubscription, UsageCounterRow } from '../rows/usage-rows.ts';
import type { Meter } from './admission.ts';
import type { Consumer } from './event-data.ts';
import type { Quantity } from './record.ts';
import type { UsageTerms } from './terms.ts';

/** Customer with the subscription and the plan that determine its limits. */
export type Subscriber = Consumer & { readonly plan: PlanRow };

/** Customer, feature, and terms of a movement. */
export type Used = Subscriber & { readonly feature: FeatureRow; readonly terms: UsageTerms };

/** Usage that limits count, with the account and the counter before and after it. */
export type UsageMovement = {
  readonly subject: Used;
  readonly properties: EventProperties;
  /** `null` if the movement isn't an event: the total of the feature was set. */
  readonly quantity: Pick<Quantity, 'cost' | 'price'> | null;
  readonly before: Meter;
  readonly after: Meter;
};

/** Current state of the usage window and the account. */
export type WindowSource = {
  readonly catalog: Catalog;
  readonly now: Date;
  /** Returns the counters of a subscription. Can contain counters of earlier windows. */
  readonly countersOf: (subscriptionId: string) => readonly UsageCounterRow[];
  readonly termsOf: (
    subscription: ConsumingSubscription,
    plan: PlanRow,
    feature: FeatureRow,
  ) => UsageTerms | null;
  readonly meterOf: (subject: Used) => Meter;
  readonly accountOf: (subject: Subscriber) => Account;
};
