// Stored limits, budgets, gauges, and raises. Amounts of limits are whole numbers in the unit of the measure: whole units, calls,
// minor units of a currency, or pool units of an asset.

/**
 * Number of a movement that a limit bounds: the quantity of a feature, the price that is billed in arrears, the price as if nothing
 * were included, the amount taken from lots, or 1. `remaining` is the available amount of an account, which a limit bounds from
 * below. `level` is the number of seats or quota units, which usage doesn't change. `money` is the money that an operation moves.
 */
export type LimitMeasure = 'units' | 'spend' | 'value' | 'drawn' | 'calls' | 'remaining' | 'level' | 'money';

/** Effect of a movement that a limit doesn't accept. */
export type LimitAction = 'block' | 'notify' | 'throttle' | 'approve';

export type LimitWindowKind =
  | 'event'
  | 'rolling'
  | 'session'
  | 'fixed'
  | 'day'
  | 'week'
  | 'month'
  | 'usage_window'
  | 'billing_period'
  | 'lifetime';

/** Time over which a limit sums movements. Parameters that a kind doesn't have are `null`. */
export type LimitWindow = {
  readonly kind: LimitWindowKind;
  /** Length of `rolling`, `session`, and `fixed` windows. */
  readonly minutes: number | null;
  /** Number of steps of a `rolling` window. */
  readonly steps: number | null;
  /** ISO time from which `fixed` windows are counted. */
  readonly anchor: string | null;
  /** Time zone of calendar windows. Defaults to the customer's time zone if `null`. */
  readonly timeZone: string | null;
  /** First day of a `week`, from 1 (Monday) to 7. */
  readonly weekStart: number | null;
};

/** Values of a property. A movement matches if its property has one of the values. */
export type LimitDimension = { readonly property: string; readonly values: readonly string[] };

/** Movements that a limit counts. Empty lists match all movements. */
export type LimitFilter = {
  /** Codes of features. */
  readonly features: readonly string[];
  readonly dimensions: readonly LimitDimension[];
  /**
   * Names of operations, or for API keys and members also names of areas. A limit on operations doesn't count usage. Empty if the limit counts
   * all operations. Absent if the limit counts usage.
   */
  readonly operations?: readonly string[];
};

/**
 * Time at which a threshold can be crossed again: in the next window, when the value is on the other side of the threshold again, or
 * when a refill lifts the remaining amount above the threshold.
 */
export type Rearm = 'window' | 'recross' | 'refill';

/** Amount of an account: the last grant of the plan, or the last refill. */
export type LastAmount = 'last_grant' | 'last_refill';

/** Value at which an event is sent. Either an amount or basis points of the limit's amount, of the last grant, or of the last refill. */
export type LimitThreshold = {
  readonly amount: number | null;
  readonly bps: number | null;
  /** Number of which `bps` is a share. Absent or `null` if it's the limit's amount. */
  readonly of?: LastAmount | null;
  readonly rearm: Rearm;
};

/** Amount of a limit in a currency, in minor units. */
export type CurrencyAmount = { readonly currency: string; readonly amount: number };

/** Share of another number as the amount of a limit: the included amount, the last grant or refill, or the amount of a limit. */
export type LimitShare = { readonly bps: number; readonly of: string };

/** Unusual value of a day: above `minimum`, in the unit of the limit's amount, and above `factor` times the median of earlier days. */
export type LimitAnomaly = { readonly factor: number; readonly minimum: number };

/** Way in which crossings of a limit are reported. */
export type LimitChannel = 'webhook' | 'merchant_email' | 'customer_email' | 'portal';

/** Person who set a limit. */
export type LimitSetter = 'merchant' | 'customer';

/** Caller of operations that limits count. */
export type LimitedCaller = 'apiKey' | 'member';

/**
 * Limit of one node or of many nodes. If `each` is `null`, the node is the API key or the member, the customer, the customer's budget
 * `budgetKey`, or without any of them the plan `planId` or the organization. Otherwise the limit is a template: `customer` for each customer, a
 * kind of budgets, or `apiKey` or `member` for limits on operations. `planId` and `customerId` restrict the nodes of a template.
 */
export type LimitRow = {
  readonly id: string;
  readonly name: string | null;
  readonly customerId: string | null;
  readonly budgetKey: string | null;
  readonly each: string | null;
  readonly planId: string | null;
  readonly apiKeyId: string | null;
  readonly memberId: string | null;
  readonly measure: LimitMeasure;
  /** Lowercase currency of `spend` and of `value` in money. */
  readonly currency: string | null;
  /** Custom unit of `value`, or custom unit or lowercase currency of `drawn`. */
  readonly asset: string | null;
  readonly filter: LimitFilter;
  readonly window: LimitWindow;
  /** `null` if the limit only observes, or if it exempts its node from a template. */
  readonly amount: bigint | null;
  /**
   * Amounts per currency. Empty unless the limit applies to several currencies. `currency` and `amount` are then `null`, and the
   * first amount is converted for other currencies.
   */
  readonly amounts: readonly CurrencyAmount[];
  /** Share that determines the amount. `null` unless the amount is a share of another number. `amount` is then `null`. */
  readonly share: LimitShare | null;
  readonly action: LimitAction;
  /** Ways in which crossings are reported: `LimitChannel` values. */
  readonly channels: readonly string[];
  /** Email addresses of members for `merchant_email`. Empty if the notification recipient of the organization gets the emails. */
  readonly recipients: readonly string[];
  /** Whether an event is sent when the remaining amount is above every crossed threshold again. */
  readonly notifyResolved: boolean;
  readonly thresholds: readonly LimitThreshold[];
  /** Values of a day that are reported as unusual. `null` if unusual values aren't reported. */
  readonly anomaly: LimitAnomaly | null;
  /** ID of the template that the limit replaces for its node. */
  readonly replaces: string | null;
  readonly setBy: LimitSetter;
  readonly validFrom: Date;
  readonly validUntil: Date | null;
};

/** Budget of a customer. `parentId` is `null` if the budget is directly below the customer. */
export type BudgetRow = {
  readonly id: string;
  readonly customerId: string;
  readonly key: string;
  readonly parentId: string | null;
  readonly archivedAt: Date | null;
};

/** Amount that is added to a limit of one node until a time. */
export type RaiseRow = {
  readonly limitId: string;
  readonly nodeId: string;
  readonly amount: bigint;
  readonly until: Date;
};

/** Stored gauge. Times are in milliseconds, and amounts are decimals in the unit of the measure. */
export type StoredGauge = {
  /** Time of the latest movement. */
  readonly at: number;
  /** `null` if no window is open. */
  readonly start: number | null;
  /** `null` if the window doesn't end, or if no window is open. */
  readonly end: number | null;
  readonly used: string;
  /** Amount that open holds reserve. Absent if nothing is held. */
  readonly held?: string;
  /** Highest value in the window. */
  readonly peak: string;
  /** Highest sum of the used and the held amount in the window. Absent if it isn't higher than `peak`. */
  readonly heldPeak?: string;
  /** Sums by step of a rolling window, oldest first. */
  readonly parts: readonly (readonly [step: number, amount: string])[];
  /** Amounts of earlier days with usage, oldest first. Absent unless a limit with the gauge reports unusual values. */
  readonly days?: readonly string[];
};

/** Gauges by key, and the start of the window in which an event was last sent, by limit ID and kind of the event. */
export type StoredGauges = { readonly [key: string]: StoredGauge };
export type ReachedWindows = { readonly [limitId: string]: number };

/** Amounts that a hold reserves: decimals by the ID of a node and the key of a gauge. */
export type HeldGauges = { readonly [nodeId: string]: { readonly [gaugeKey: string]: string } };

/** All gauges of a node. The ID is the ID of the customer or the budget. */
export type LimitStateRow = {
  readonly id: string;
  readonly customerId: string;
  readonly gauges: StoredGauges;
  readonly reached: ReachedWindows;
};

/** Stored crossing of a threshold or of the amount of a limit. */
export type LimitCrossingRow = {
  readonly id: string;
  readonly seq: bigint | null;
  readonly limitId: string;
  readonly nodeId: string;
  /** `null` if the limit applies to the organization, a plan, an API key, or a member. */
  readonly customerId: string | null;
  readonly kind: 'threshold' | 'reached' | 'resolved' | 'anomaly' | 'overrun';
  /** Reason of `reached`: the value reached the amount, or usage was rejected. `null` if the kind isn't `reached`. */
  readonly cause: 'amount' | 'rejected' | null;
  /** Crossed threshold, amount of the limit, or highest usual value. A decimal in the unit of the measure. */
  readonly threshold: string;
  readonly value: string;
  /** Currency of the amounts. `null` unless the limit has amounts per currency. */
  readonly currency: string | null;
  readonly windowStart: Date | null;
  readonly windowEnd: Date | null;
  readonly createdAt: Date;
};

/** Window of a shared gauge that ended before its crossings were reported. Times are in milliseconds, and amounts are decimals. */
export type EndedGauge = {
  readonly start: number;
  readonly end: number | null;
  readonly peak: string;
  readonly heldPeak: string;
  readonly sentPeak: string;
  readonly sentHeldPeak: string;
  readonly rejected: readonly string[];
  readonly reached: readonly string[];
};

/** Fields of a limit that state whether it has a single node. */
type NodeFields = Pick<LimitRow, 'customerId' | 'each' | 'apiKeyId' | 'memberId'>;

/** Returns true if a limit bounds the usage of all customers of the organization or a plan together. */
export const isShared = ({ customerId, each, apiKeyId, memberId }: NodeFields): boolean =>
  customerId === null && each === null && apiKeyId === null && memberId === null;

/** Returns true if a limit counts operations instead of usage. */
export const countsOperations = ({ filter }: Pick<LimitRow, 'filter'>): boolean =>
  filter.operations !== undefined;

/**
 * Returns the type of the callers whose operations a limit counts. `null` if the limit counts usage, or operations of customers. In a limit on
 * usage, `member` is a kind of budgets.
 */
export function limitedCaller(
  limit: Pick<LimitRow, 'each' | 'apiKeyId' | 'memberId' | 'filter'>,
): LimitedCaller | null {
  const { each, apiKeyId, memberId } = limit;
  if (apiKeyId !== null || each === 'apiKey') return 'apiKey';
  return memberId !== null || (each === 'member' && countsOperations(limit)) ? 'member' : null;
}

/** Returns true if a limit bounds a value from below. */
export const isFalling = ({ measure }: Pick<LimitRow, 'measure'>): boolean => measure === 'remaining';

export const noFilter: LimitFilter = { features: [], dimensions: [] };

const unset = { minutes: null, steps: null, anchor: null, timeZone: null, weekStart: null } as const;

/** Returns a window with the parameters that its kind has. */
export const limitWindow = (
  kind: LimitWindowKind,
  parameters: Partial<Omit<LimitWindow, 'kind'>> = {},
): LimitWindow => ({ ...unset, ...parameters, kind });
