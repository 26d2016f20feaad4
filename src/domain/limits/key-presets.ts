// Presets of API keys: scopes and limits for a common purpose (AGT-72). Amounts are in US cents.
import type { KeyPolicy } from './key-policy.ts';
import { openPolicy } from './open-policy.ts';

export const keyPresetNames = ['builder', 'reader', 'metering', 'support', 'catalog_agent'] as const;
export type KeyPresetName = (typeof keyPresetNames)[number];

type PresetScope = 'read' | 'write' | 'finance';

export type KeyPreset = {
  readonly scopes: readonly PresetScope[];
  /** `null` if the preset doesn't limit the key. */
  readonly policy: KeyPolicy | null;
};

type Preset = Omit<KeyPreset, 'policy'> & {
  readonly policy: Partial<KeyPolicy> | null;
  /** Limits that only apply in the live environment. */
  readonly livePolicy?: Partial<KeyPolicy>;
  readonly isSandboxOnly?: true;
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

const presets: Readonly<Record<KeyPresetName, Preset>> = {
  builder: { scopes: ['read', 'write'], policy: null, isSandboxOnly: true },
  reader: { scopes: ['read'], policy: null },
  metering: { scopes: ['read', 'write'], policy: { operations: { allow: metering } } },
  support: {
    scopes: ['read', 'write', 'finance'],
    policy: {
      operations: { allow: support },
      maxAmountPerCall: 5_000,
      maxAmountPerDay: 50_000,
      approveAbove: 2_500,
    },
  },
  catalog_agent: {
    scopes: ['read', 'write'],
    policy: { operations: { allow: ['catalog', 'catalogImpact', 'subscriptionPreview'] } },
    livePolicy: { approveOperations: ['catalog'] },
  },
};

/** Returns the scopes and limits of a preset. `null` if the preset doesn't exist in the environment. */
export function keyPreset(name: KeyPresetName, livemode: boolean): KeyPreset | null {
  const { scopes, policy, livePolicy, isSandboxOnly } = presets[name];
  if (livemode && isSandboxOnly === true) return null;
  if (policy === null) return { scopes, policy };
  return { scopes, policy: { ...openPolicy, ...policy, ...(livemode ? livePolicy : {}) } };
}
