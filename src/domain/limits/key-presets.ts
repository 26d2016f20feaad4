// Presets of API keys: scopes and limits for a common purpose (AGT-72). Amounts are in US cents.
import { type KeyPolicy, openPolicy } from './key-policy.ts';
import { type KeyPresetName, type PresetScope, presetScopes } from './preset-scopes.ts';

export type KeyPreset = {
  readonly scopes: readonly PresetScope[];
  /** `null` if the preset doesn't limit the key. */
  readonly policy: KeyPolicy | null;
};

type PresetPolicy = {
  readonly policy: Partial<KeyPolicy> | null;
  /** Limits that only apply in the live environment. */
  readonly livePolicy?: Partial<KeyPolicy>;
};

/** Operations that record and check usage. */
const metering = [
  'usageTrack',
  'usageTrackBatch',
  'usageCheck',
  'usageHold',
  'usageHoldExtend',
  'usageSettle',
  'usageRelease',
  'usageHoldById',
  'usageHolds',
  'featureAccess',
  'featureAccesses',
];

/**
 * Areas and operations of customer support. The list doesn't contain operations that redirect money or data: payment connections, payment
 * routes, bank accounts, payouts, webhook endpoints, API keys, and settings (AGT-73).
 */
const support = [
  'customers',
  'subscriptions',
  'invoices',
  'invoiceSend',
  'plan',
  'plans',
  'feature',
  'features',
  'addon',
  'addons',
  'featureAccess',
  'featureAccesses',
  'usageCheck',
  'usageEvents',
  'usageTotals',
  'usageSeries',
  'payment',
  'paymentCreate',
  'paymentCancel',
  'paymentCharge',
  'transaction',
  'transactions',
  'transactionRefund',
  'transactionRetry',
  'refunds',
  'disputes',
  'events',
  'emails',
  'portalSessionCreate',
];

const policies: Readonly<Record<KeyPresetName, PresetPolicy>> = {
  builder: { policy: null },
  reader: { policy: null },
  metering: { policy: { operations: { allow: metering } } },
  support: {
    policy: {
      operations: { allow: support },
      maxAmountPerCall: 5_000,
      maxAmountPerDay: 50_000,
      approveAbove: 2_500,
    },
  },
  catalog_agent: {
    policy: { operations: { allow: ['catalog', 'catalogImpact', 'subscriptionPreview'] } },
    livePolicy: { approveOperations: ['catalog'] },
  },
};

/** Returns the scopes and limits of a preset. `null` if the preset doesn't exist in the environment. */
export function keyPreset(name: KeyPresetName, livemode: boolean): KeyPreset | null {
  const scopes = presetScopes(name, livemode);
  if (scopes === null) return null;
  const { policy, livePolicy } = policies[name];
  if (policy === null) return { scopes, policy };
  return { scopes, policy: { ...openPolicy, ...policy, ...(livemode ? livePolicy : {}) } };
}
