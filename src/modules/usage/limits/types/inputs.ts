import type {
  LimitAction as Action,
  LimitChannel as Channel,
  CurrencyAmount,
  LimitWindowKind as Kind,
  LastAmount,
  LimitAnomaly,
  LimitSetter,
  LimitShare,
  LimitMeasure as Measure,
  Rearm,
} from '../../../../domain/limits/limit.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { Currency } from '../../../organization/currencies/enums.ts';
import {
  LimitAction,
  LimitChannel,
  LimitLastAmount,
  LimitMeasure,
  LimitRearm,
  LimitWindowKind,
} from '../enums.ts';
import { anomalyText, LimitAnomalyInput } from './anomaly.ts';
import { LimitScopeInput } from './scope-input.ts';

type Optional<T> = { readonly [name in keyof T]?: T[name] | null | undefined };

/** Scope of a limit in a request. */
export type ScopeInput = Optional<{
  organization: boolean;
  plan: string;
  customer: string;
  budget: string;
  apiKey: string;
  member: string;
  each: string;
  in: Optional<{ organization: boolean; plan: string; customer: string }>;
}>;

/** Threshold in a request. */
export type ThresholdInput = Optional<{ amount: number; bps: number; of: LastAmount; rearm: Rearm }>;

/** Amount of a limit in a request: a number, or a share of another number. */
export type AmountInput = number | LimitShare;

/** Limit in a request. */
export type LimitInput = {
  /** Person who sets the limit. Defaults to the organization. */
  readonly setBy?: LimitSetter;
  readonly scope: ScopeInput;
  readonly measure: Measure;
  readonly action: Action;
  readonly window: { readonly kind: Kind } & Optional<{
    minutes: number;
    steps: number;
    anchor: Date;
    timeZone: string;
    weekStart: number;
  }>;
} & Optional<{
  name: string;
  currency: string;
  asset: string;
  filter: Optional<{
    operations: readonly string[];
    features: readonly string[];
    dimensions: readonly { readonly property: string; readonly values: readonly string[] }[];
  }>;
  amount: AmountInput;
  amounts: readonly CurrencyAmount[];
  notifyResolved: boolean;
  anomaly: LimitAnomaly;
  channels: readonly Channel[];
  recipients: readonly string[];
  thresholds: readonly ThresholdInput[];
  replaces: string;
  validFrom: Date;
  validUntil: Date;
  fireNow: boolean;
}>;

const LimitDimensionInput = builder.inputType('LimitDimensionInput', {
  description: 'Values of a property of usage events.',
  fields: (t) => ({
    property: t.string({
      required: true,
      rule: { minLength: 1, maxLength: 100 },
      description: 'Name of the property. From 1 to 100 characters.',
    }),
    values: t.stringList({
      required: true,
      rule: { minItems: 1, maxItems: 50 },
      description: 'Values to count. From 1 to 50 items.',
    }),
  }),
});

const LimitFilterInput = builder.inputType('LimitFilterInput', {
  description: 'Usage that a limit counts. All given parts must match.',
  fields: (t) => ({
    features: t.stringList({
      rule: { maxItems: 20 },
      description: 'Codes of features, up to 20. Defaults to all features.',
    }),
    dimensions: t.field({
      type: [LimitDimensionInput],
      rule: { maxItems: 3 },
      description: 'Properties of the events, up to 3. Defaults to all events.',
    }),
    operations: t.stringList({
      rule: { maxItems: 50 },
      description:
        'Operations to count instead of usage, for the measures `calls` and `money`. For customers, `credits_purchase` and `balance_topup`. For API keys and members, names of mutations and areas, which default to all mutations. By default, a limit of a customer counts usage, or the money of all these operations for `money`.',
    }),
  }),
});

const LimitWindowInput = builder.inputType('LimitWindowInput', {
  description: 'Time over which a limit sums usage.',
  fields: (t) => ({
    kind: t.field({ type: LimitWindowKind, required: true, description: 'Kind of the window.' }),
    minutes: t.int({
      description:
        'Length in minutes of `rolling`, `session`, and `fixed` windows. From 1 to 44,640, and from 60 for `fixed`.',
    }),
    steps: t.int({
      description: 'Number of steps of a `rolling` window, from 12 to 120. Defaults to 60.',
    }),
    anchor: t.field({
      type: 'DateTime',
      description:
        'Time from which `fixed` windows are counted. Defaults to the anchor of the template in `replaces`, or to the current time.',
    }),
    timeZone: t.field({
      type: 'Timezone',
      description: "Time zone of `day`, `week`, and `month`. Defaults to the customer's time zone.",
    }),
    weekStart: t.int({
      description: 'First day of a `week`, from 1 (Monday) to 7 (Sunday). Defaults to 1.',
    }),
  }),
});

const LimitThresholdInput = builder.inputType('LimitThresholdInput', {
  description: 'Value at which an event is sent. Set either `amount` or `bps`.',
  fields: (t) => ({
    amount: t.field({
      type: 'SafeInt',
      rule: { minimum: 0 },
      description: "Value in the unit of the limit's amount. 1 or more, or 0 or more for `remaining`.",
    }),
    bps: t.int({
      rule: { minimum: 1, maximum: 100_000 },
      description:
        "Basis points of the limit's amount, or of the number in `of` (10,000 = 100%). From 1 to 100,000.",
    }),
    of: t.field({
      type: LimitLastAmount,
      description: "Number of which `bps` is a share, only for `remaining`. Defaults to the limit's amount.",
    }),
    rearm: t.field({
      type: LimitRearm,
      description:
        'Time from which the threshold can be crossed again. Defaults to `refill` for `remaining`, and otherwise to `window`.',
    }),
  }),
});

const LimitCurrencyAmountInput = builder.inputType('LimitCurrencyAmountInput', {
  description: 'Amount of a limit in a currency.',
  fields: (t) => ({
    currency: t.field({ type: Currency, required: true, description: 'Currency of the amount.' }),
    amount: t.field({
      type: 'SafeInt',
      required: true,
      rule: { minimum: 0 },
      description: 'Maximum in the smallest currency unit. 0 or more.',
    }),
  }),
});

const amountsText =
  "Amounts per currency for `spend`, `value` in money, and `money`, instead of `currency` and `amount`. Up to 50 items. For other currencies, the first amount is converted at the exchange rate of the day on which the window starts. Without a rate, the limit doesn't apply.";

const recipientsText =
  'Email addresses for `merchant_email`, up to 5. Each must be the address of a member of the organization, or of its notification recipient. If empty, the notification recipient receives the emails.';

const fireNowText = (cause: string): string =>
  `Whether \`limit.threshold_reached\` is sent for the thresholds that the value is beyond ${cause}. Only for limits on the usage of one customer or budget. Defaults to \`false\`, which sends nothing until the value crosses the thresholds again.`;

const nameRule = { minLength: 1, maxLength: 80 } as const;
const amountText =
  'In the smallest currency unit for money, in the smallest amount of a custom unit, in ten-thousandths of the currency unit for `drawn` and `remaining` of a balance, and otherwise in whole units. An object with `bps` and `of` is a share of another number, calculated when the limit is evaluated.';
const thresholdsText =
  'Values at which events are sent, ascending. Up to 10 items. If the list is empty, limits that block `spend`, `value`, or `drawn` have thresholds of 80% and 100%, unless the window is `event`.';

export const LimitCreateInput = builder.inputType('LimitCreateInput', {
  description: 'Parameters for creating a limit.',
  fields: (t) => ({
    name: t.string({ rule: nameRule, description: 'Name of the limit. From 1 to 80 characters.' }),
    scope: t.field({
      type: LimitScopeInput,
      required: true,
      description: "Node to which the limit applies, or a template. Can't be changed later.",
    }),
    measure: t.field({
      type: LimitMeasure,
      required: true,
      description: "Number that the limit bounds. Can't be changed later.",
    }),
    currency: t.field({
      type: Currency,
      rule: { nullable: true },
      description:
        'Currency of `spend`, of `value` in money, and of `money`. Usage and operations in another currency are ignored. Must be `usd` for `money` of API keys and members, whose operations in other currencies are converted.',
    }),
    asset: t.string({
      rule: { minLength: 1, maxLength: 64, nullable: true },
      description:
        'Code of a custom unit for `drawn`, `remaining`, and `value`, or the lowercase code of the currency of a balance for `drawn` and `remaining`.',
    }),
    filter: t.field({
      type: LimitFilterInput,
      description: "Usage that the limit counts. Defaults to all usage. Can't be changed later.",
    }),
    window: t.field({
      type: LimitWindowInput,
      required: true,
      description: "Time over which usage is summed. Can't be changed later.",
    }),
    amount: t.field({
      type: 'LimitAmount',
      rule: { nullable: true },
      description: `Maximum of the measure, or minimum for \`remaining\`. ${amountText} If omitted or \`null\`, the limit only sends events at its thresholds. Required for the action \`block\`, unless \`replaces\` is set.`,
    }),
    amounts: t.field({
      type: [LimitCurrencyAmountInput],
      rule: { maxItems: 50 },
      description: amountsText,
    }),
    action: t.field({
      type: LimitAction,
      rule: { default: 'notify' },
      description: 'Effect of usage that exceeds the amount. Defaults to `notify`.',
    }),
    thresholds: t.field({ type: [LimitThresholdInput], rule: { maxItems: 10 }, description: thresholdsText }),
    channels: t.field({
      type: [LimitChannel],
      rule: { maxItems: 4 },
      description: `Ways in which crossings are reported. Defaults to \`webhook\`.`,
    }),
    recipients: t.stringList({
      rule: { maxItems: 5 },
      description: recipientsText,
    }),
    notifyResolved: t.boolean({
      rule: { default: false },
      description:
        'Whether `limit.resolved` is sent when the remaining amount is above every crossed threshold again. Only for `remaining`. Defaults to `false`.',
    }),
    anomaly: t.field({
      type: LimitAnomalyInput,
      rule: { nullable: true },
      description: `${anomalyText} By default, unusual values aren't reported.`,
    }),
    replaces: t.id({
      description:
        'ID of a template that the limit replaces for its customer or budget. The measure, the currency or asset, the filter, and the window must be the same. Without an amount, the customer or budget is exempt from the template.',
    }),
    validFrom: t.field({
      type: 'DateTime',
      description: 'Time from which the limit applies. Defaults to the current time.',
    }),
    validUntil: t.field({
      type: 'DateTime',
      rule: { nullable: true },
      description: 'Time from which the limit no longer applies. Defaults to no end.',
    }),
    fireNow: t.boolean({ rule: { default: false }, description: fireNowText('at the creation') }),
  }),
});

export const LimitUpdateInput = builder.inputType('LimitUpdateInput', {
  description: 'Parameters for changing a limit. Omitted fields keep their values.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'ID of the limit.' }),
    name: t.string({
      rule: { ...nameRule, nullable: true },
      description: 'Name of the limit. From 1 to 80 characters. `null` removes the name.',
    }),
    amount: t.field({
      type: 'LimitAmount',
      rule: { nullable: true },
      description: `Maximum of the measure, or minimum for \`remaining\`. ${amountText} If \`null\`, the limit only sends events at its thresholds.`,
    }),
    amounts: t.field({
      type: [LimitCurrencyAmountInput],
      rule: { maxItems: 50 },
      description: amountsText,
    }),
    action: t.field({ type: LimitAction, description: 'Effect of usage that exceeds the amount.' }),
    thresholds: t.field({ type: [LimitThresholdInput], rule: { maxItems: 10 }, description: thresholdsText }),
    channels: t.field({
      type: [LimitChannel],
      rule: { maxItems: 4 },
      description: `Ways in which crossings are reported.`,
    }),
    recipients: t.stringList({
      rule: { maxItems: 5 },
      description: recipientsText,
    }),
    notifyResolved: t.boolean({
      description:
        'Whether `limit.resolved` is sent when the remaining amount is above every crossed threshold again. Only for `remaining`.',
    }),
    anomaly: t.field({
      type: LimitAnomalyInput,
      rule: { nullable: true },
      description: `${anomalyText} If \`null\`, unusual values aren't reported.`,
    }),
    validUntil: t.field({
      type: 'DateTime',
      rule: { nullable: true },
      description: 'Time from which the limit no longer applies. `null` removes the end.',
    }),
    fireNow: t.boolean({ rule: { default: false }, description: fireNowText('because of the change') }),
  }),
});
