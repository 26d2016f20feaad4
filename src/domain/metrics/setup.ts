// Setup of an organization for live payments: the steps, and their states.

/** Setup steps in the order in which they are usually completed. */
const setupSteps = [
  'payment_provider',
  'business_details',
  'taxes',
  'branding',
  'emails',
  'api_key',
  'webhook',
  'first_payment',
] as const;

type SetupStepKey = (typeof setupSteps)[number];
type SetupState = 'open' | 'in_progress' | 'done';

export type SetupStep = {
  readonly key: SetupStepKey;
  readonly state: SetupState;
  readonly required: boolean;
};

/** Facts about an environment and its organization. */
type Setup = {
  /** Numbers of connected accounts at payment providers, in total and with a webhook secret. */
  readonly connections: number;
  readonly verifiedConnections: number;
  /** Verification for payouts, which payments through the platform require. */
  readonly isPayoutVerified: boolean;
  readonly isPayoutPending: boolean;
  readonly hasTaxes: boolean;
  readonly hasKey: boolean;
  readonly hasUsedKey: boolean;
  readonly hasWebhook: boolean;
  /** True if an endpoint that still exists has accepted an event. */
  readonly hasDelivery: boolean;
  readonly hasPayment: boolean;
  readonly country: string | null;
  readonly issuerAddress: string | null;
  readonly logoUrl: string | null;
  readonly accentColor: string | null;
  readonly replyTo: string | null;
  readonly notificationEmail: string | null;
};

/** Returns the state of a step with several conditions: done if all are met, and in progress if only some are met. */
function stateOf(...conditions: readonly boolean[]): SetupState {
  if (conditions.every(Boolean)) return 'done';
  return conditions.some(Boolean) ? 'in_progress' : 'open';
}

function providerState(setup: Setup): SetupState {
  if (setup.isPayoutVerified || setup.verifiedConnections > 0) return 'done';
  return setup.isPayoutPending || setup.connections > 0 ? 'in_progress' : 'open';
}

const states: Readonly<Record<SetupStepKey, (setup: Setup) => SetupState>> = {
  payment_provider: providerState,
  business_details: ({ country, issuerAddress }) => stateOf(country !== null, issuerAddress !== null),
  taxes: ({ hasTaxes }) => stateOf(hasTaxes),
  branding: ({ logoUrl, accentColor }) => stateOf(logoUrl !== null, accentColor !== null),
  emails: ({ replyTo, notificationEmail }) => stateOf(replyTo !== null, notificationEmail !== null),
  api_key: ({ hasKey, hasUsedKey }) => stateOf(hasKey, hasUsedKey),
  webhook: ({ hasWebhook, hasDelivery }) => stateOf(hasWebhook, hasDelivery),
  first_payment: ({ hasPayment }) => stateOf(hasPayment),
};

/** Steps without which an organization can't accept payments. */
const required: ReadonlySet<SetupStepKey> = new Set(['payment_provider', 'business_details', 'api_key']);

/** Returns all setup steps with their states. */
export const setupOf = (setup: Setup): SetupStep[] =>
  setupSteps.map((key) => ({ key, state: states[key](setup), required: required.has(key) }));
