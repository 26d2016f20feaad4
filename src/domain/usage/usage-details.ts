import type { HoldRow } from '../holds/hold.ts';
import type { LimitDetails } from '../limits/book-limits.ts';
import type { FeatureRow } from '../pricing/catalog.ts';
import type { AddonActivationRow } from '../rows/rows.ts';
import type {
  ConsumingCustomer,
  ConsumingSubscription,
  UsageCellRow,
  UsageCounterRow,
  UsageValueRow,
} from '../rows/usage-rows.ts';
import type { ModelDetails, UsageEventRow } from './record.ts';
import type { AccountDetails } from './usage-account.ts';

/** Stored rows that the requests in a batch need. */
export type UsageDetails = AccountDetails & {
  /** Customers by the identifier in the request. */
  readonly customers: ReadonlyMap<string, ConsumingCustomer>;
  /** Subscriptions that give access, by customer ID. */
  readonly subscriptions: ReadonlyMap<string, ConsumingSubscription>;
  /** Features by code, except deleted features. */
  readonly features: ReadonlyMap<string, FeatureRow>;
  /** Active add-ons by subscription ID. */
  readonly addons: ReadonlyMap<string, readonly AddonActivationRow[]>;
  /** Counters by ID. */
  readonly counters: ReadonlyMap<string, UsageCounterRow>;
  /** Stored events by the event ID that the API client assigned. */
  readonly events: ReadonlyMap<string, UsageEventRow>;
  /** AI models by the name that the request contains. */
  readonly models: ReadonlyMap<string, readonly ModelDetails[]>;
  /** Stored values of properties that meters count, by ID. */
  readonly values: ReadonlyMap<string, UsageValueRow>;
  /** Stored totals by dimension values, by counter ID. */
  readonly cells: ReadonlyMap<string, readonly UsageCellRow[]>;
  /** Levels that customers had in earlier subscriptions, by the IDs of the customer and the feature. Absent if no feature holds a level. */
  readonly levels?: ReadonlyMap<string, bigint>;
  /** Holds that the requests name. */
  readonly holds: readonly HoldRow[];
  /** Events that settled these holds last, by ID. */
  readonly holdEvents: ReadonlyMap<string, UsageEventRow>;
  /** Limits and gauges of the customers. `null` if no limit and no budget is used. */
  readonly limits: LimitDetails | null;
};
