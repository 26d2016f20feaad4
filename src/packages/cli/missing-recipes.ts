import type { EventType } from '../sdk/index.ts';

/** Reasons why `trigger` can't cause event types, as the end of a sentence that begins with the type. */
export const missingRecipes = {
  'api_key.policy_changed': 'requires a member of the organization',
  'app.connected': 'requires a member of the organization',
  'approval.decided': 'requires a member of the organization',
  'customer.deleted': 'requires a member of the organization',
  'deadline.failed': 'requires an error of the service',
  'export.failed': 'requires a delivery that fails for hours, or an error of the service',
  'payment_connection.created': 'requires an account at another payment provider',
  'payment_connection.updated': 'requires an account at another payment provider',
  'payout_bank_account.created': 'requires the live environment',
  'subscription.charges_waived': 'requires usage above the amount that the service accepts',
} as const satisfies Partial<Record<EventType, string>>;

/** Returns the reason why no recipe causes an event type. `undefined` if the type is unknown or has a recipe. */
export const reasonFor = (type: string): string | undefined =>
  Object.entries(missingRecipes).find(([missing]) => missing === type)?.[1];
