import {
  count,
  flag,
  id,
  inGraphql,
  int,
  listOf,
  minor,
  type ObjectType,
  object,
  oneOf,
  orAbsent,
  orNull,
  rate,
  text,
  time,
} from './fields.ts';
import { commitment, lot } from './lot-fields.ts';
import {
  aboutConsumer,
  aboutInvoice,
  billingInterval,
  currency,
  customerId,
  featureCode,
  periodObject,
  plan,
  subscriptionId,
} from './shared.ts';

const asset = orAbsent(text('Code of the custom unit.', 'tokens'), 'the units are credits');

const quota = {
  ...aboutConsumer,
  featureCode,
  currentUsage: count('Units used in the current usage window.', 800),
  includedAmount: count('Included units.', 1_000),
  periodStart: time('Start of the usage window.', '2026-08-01T00:00:00.000Z'),
};

const remainingCredits = count('Remaining credits.', 90);
const currentBalance = rate('Remaining balance. 10,000 = 1.00.', 45_000);

const addon = {
  ...aboutConsumer,
  addon: object(
    {
      name: 'EventAddon',
      description: 'An add-on in an event.',
      fields: {
        id: inGraphql('addonId', id('adn', 'ID of the add-on.')),
        name: text('Name of the add-on.', 'Priority support'),
      },
    },
    'Add-on.',
  ),
  featureCode,
};

const window = { ...aboutConsumer, featureCode, windowStart: time('Start of the usage window.') };

const unitPrice = orAbsent(
  object(
    {
      name: 'EventUnitPrice',
      description: 'A unit price in an event.',
      fields: {
        amount: rate('Price of one unit. 10,000 = 1.00.', 200),
        currency,
        scale: int('Always 10000.', 10_000),
      },
    },
    'Price of one unit.',
  ),
  'units have no price',
);

const countedFields = {
  includedUnits: count('Included units.', 1_000),
  remainingUnits: orAbsent(count('Remaining included units.', 200), 'usage is unlimited'),
  unlimited: flag('Whether usage is unlimited.', false),
  overage: object(
    {
      name: 'EventOverage',
      description: 'Usage above the included amount, in an event.',
      fields: {
        enabled: flag('Whether usage can exceed the included amount.'),
        units: count('Units above the included amount.', 0),
        unitPrice,
      },
    },
    'Usage above the included amount.',
  ),
};
const used = {
  period: object(periodObject, 'Period in which the usage is counted.'),
  unitsUsed: count('Units used in the period.', 800),
};

const unlessCounted = 'usage draws on credits or a balance';
const counted: ObjectType = {
  name: 'EventUsage',
  description: 'Usage of a feature with a counted amount, in an event.',
  fields: {
    ...used,
    ...countedFields,
    billedUnits: orAbsent(
      count('Highest quota of the period, which is billed.', 800),
      "the feature isn't a quota",
    ),
  },
};

const consumption: ObjectType = {
  name: 'EventConsumption',
  description: 'Usage of a metered feature, in an event.',
  fields: {
    model: oneOf('ConsumptionModel', 'Consumption model. Determines the other fields.', 'metered'),
    ...used,
    includedUnits: orAbsent(countedFields.includedUnits, unlessCounted),
    remainingUnits: orAbsent(
      count('Remaining included units.', 200),
      `usage is unlimited, or ${unlessCounted}`,
    ),
    unlimited: orAbsent(countedFields.unlimited, unlessCounted),
    overage: orAbsent(countedFields.overage, unlessCounted),
    creditsPerUnit: orAbsent(count('Credits for one unit.', 1), "usage doesn't draw on credits"),
    creditsConsumed: orAbsent(count('Credits deducted in the period.', 0), "usage doesn't draw on credits"),
    availableUnits: orAbsent(count('Units that are still available.', 200), 'the number is unlimited'),
    spent: orAbsent(
      object(
        {
          name: 'EventMoney',
          description: 'An amount of money in an event.',
          fields: { amount: minor('Amount, in the smallest currency unit.', 0), currency },
        },
        'Amount deducted from the balance in the period.',
      ),
      "usage doesn't draw on a balance",
    ),
    unitPrice,
  },
};

const feature: ObjectType = {
  name: 'EventFeatureAccess',
  description: "A customer's access to a feature, in an event.",
  fields: {
    code: text('Code of the feature.', 'api_calls'),
    name: text('Name of the feature.', 'API calls'),
    unitName: orNull(text('Name of one unit.', 'call'), 'units have no name'),
    allowed: flag('Whether the customer can use the feature now.'),
    type: oneOf('FeatureType', 'Type of the feature. Determines the other fields.', 'usage'),
    enabled: orAbsent(flag('Whether the feature is enabled.'), "the feature isn't boolean"),
    usage: orAbsent(object(counted, 'Usage of the feature.'), "the feature isn't a quota and has no seats"),
    consumption: orAbsent(object(consumption, 'Usage of the feature.'), "the feature isn't metered"),
  },
};

const seats: ObjectType = {
  name: 'EventSeats',
  description: "A customer's seats, in an event.",
  fields: {
    code: text('Code of the feature.', 'seats'),
    current: count('Current number of seats.', 3),
    included: count('Included seats.', 5),
    remaining: orNull(count('Remaining included seats.', 2), 'seats are unlimited'),
    unlimited: flag('Whether seats are unlimited.', false),
  },
};

const withoutPlan = 'the customer has no subscription';

/** Payloads of events about usage, credits, balances, seats, and access. */
export const usagePayloads = {
  'customer.state_changed': {
    customerId,
    trigger: text('Reason why access can have changed.', 'plan_change'),
    status: text('Status of the subscription, or `none` if the customer has no subscription.', 'active'),
    subscriptionId: orNull(subscriptionId, withoutPlan),
    plan: orNull(plan('Current plan.'), withoutPlan),
    billingInterval,
    consumptionModel: orNull(
      oneOf('ConsumptionModel', 'Consumption model of the plan.', 'metered'),
      withoutPlan,
    ),
    features: listOf(object(feature, 'Access to each feature. Empty if the status gives no access.')),
    seats: listOf(object(seats, 'Seats of each seat feature.')),
    credits: orNull(
      object(
        {
          name: 'EventCredits',
          description: "A customer's credits, in an event.",
          fields: {
            planCredits: count('Remaining credits of the plan.', 90),
            purchasedCredits: count('Remaining purchased credits.', 0),
            totalCredits: count('Remaining credits in total.', 90),
          },
        },
        'Credits of the customer.',
      ),
      "the plan doesn't use credits",
    ),
    balance: orNull(
      object(
        {
          name: 'EventBalance',
          description: "A customer's prepaid balance, in an event.",
          fields: { currentBalance },
        },
        'Prepaid balance of the customer.',
      ),
      "the plan doesn't use a balance",
    ),
  },
  'credits.granted': {
    ...aboutConsumer,
    credits: count('Granted credits. Negative if credits were removed.', 1_000),
    reason: text('`period_reset` or `manual_adjustment`.', 'period_reset'),
    asset,
  },
  'credits.purchased': {
    ...aboutConsumer,
    ...aboutInvoice,
    creditPackName: text('Name of the credit pack.', 'Small pack'),
    credits: count('Purchased credits.', 500),
    asset,
  },
  'credits.low': {
    ...aboutConsumer,
    remainingCredits,
    thresholdCredits: count('Number of credits at which the event is sent.', 100),
    periodCredits: count('Credits granted per period.', 1_000),
    asset,
  },
  'credits.depleted': { ...aboutConsumer, remainingCredits, asset },
  'credits.expired': { ...aboutConsumer, expiredCredits: count('Expired credits.', 12), asset },
  'lot.granted': lot,
  'lot.expiring': lot,
  'lot.expired': lot,
  'lot.refunded': lot,
  'commitment.purchased': commitment,
  'commitment.ended': commitment,
  'balance.topped_up': {
    ...aboutConsumer,
    ...aboutInvoice,
    amount: rate('Added amount. 10,000 = 1.00.', 500_000),
    currency,
  },
  'balance.low': {
    ...aboutConsumer,
    currentBalance,
    thresholdBalance: rate('Balance at which the event is sent. 10,000 = 1.00.', 50_000),
    currency,
  },
  'balance.depleted': { ...aboutConsumer, currentBalance, currency },
  'quota.threshold_reached': quota,
  'quota.exceeded': { ...quota, overageEnabled: flag('Whether usage can exceed the included amount.') },
  'seats.updated': {
    ...aboutConsumer,
    featureCode,
    previousSeats: count('Number of seats before the change.', 3),
    currentSeats: count('Number of seats after the change.', 5),
  },
  'seats.limit_reached': {
    ...aboutConsumer,
    featureCode,
    currentSeats: count('Current number of seats.', 5),
    includedSeats: count('Included seats.', 5),
  },
  'addon.activated': {
    ...addon,
    proratedPrice: rate('Charge before tax. 10,000 = 1.00.', 90_000),
    currency,
  },
  'addon.deactivated': addon,
  'usage.recorded': {
    ...aboutConsumer,
    usageEventId: id('evt', 'ID of the usage event.'),
    featureCode,
    value: count('Recorded units.', 1),
    ts: time('Time of the usage.'),
    hold: orAbsent(id('hld', 'ID of the hold that the event settles.'), 'the event settles no hold'),
    isLate: orAbsent(
      flag('Whether the hold had expired before the event settled it.', false),
      'the event settles no hold',
    ),
    uncounted: orAbsent(
      object(
        {
          name: 'EventUncounted',
          description: "Part of the usage that isn't charged.",
          fields: {
            quantity: text('Quantity, as a decimal.', '12'),
            amount: text('Price in major units of the currency, or in the custom unit.', '0.12'),
          },
        },
        "Part of the usage that isn't charged.",
      ),
      'all usage is charged',
    ),
  },
  'usage.corrected': {
    ...aboutConsumer,
    correctionId: id('ucr', 'ID of the correction.'),
    kind: oneOf('UsageCorrectionKind', 'Type of the correction.', 'replace'),
    usageEventId: id('evt', 'ID of the corrected usage event.'),
    replacementId: orNull(id('evt', 'ID of the replacement.'), 'the usage event was voided'),
    featureCode,
    difference: count('Change in the used units.', -1),
    deducted: orNull(
      count('Change in the deducted amount. 10,000 = 1.00 if usage draws on a balance.', -1),
      "usage doesn't draw on credits or a balance",
    ),
    waived: orNull(
      count('Part of the change that was waived. 10,000 = 1.00 if usage draws on a balance.', 0),
      "usage doesn't draw on credits or a balance",
    ),
    amount: orNull(
      minor('Change in the charge, in the smallest currency unit.', -2),
      'the charge depends on the rest of the usage window',
    ),
  },
  'meter.dimensions_full': window,
  'meter.recounted': {
    ...window,
    dimensions: listOf(text('Names of the dimensions.', 'model')),
  },
};
