// Events about settings that affect payments and taxes (PLT-52). Payloads contain no secrets.

type SettingsEvent = {
  readonly kind: SettingsEventKind;
  readonly occurredAt: Date;
  readonly customerId: null;
  readonly subscriptionId: null;
  readonly data: Readonly<Record<string, unknown>>;
};

/** Event types that trigger an email to the organization's owner in the live environment. */
export const settingsEventKinds = [
  'payment_connection.created',
  'payment_connection.updated',
  'payment_route.updated',
  'tax_registration.created',
  'tax_registration.deleted',
  'payout_bank_account.created',
  'payout.created',
  'payout.canceled',
] as const;

export type SettingsEventKind = (typeof settingsEventKinds)[number];

const eventOf = (
  kind: SettingsEventKind,
  occurredAt: Date,
  data: Readonly<Record<string, unknown>>,
): SettingsEvent => ({ kind, occurredAt, customerId: null, subscriptionId: null, data });

/** Payment connection fields in event payloads. */
type Connection = {
  readonly id: string;
  readonly provider: string;
  readonly name: string;
  readonly isDefault: boolean;
};

const connectionData = ({ id, provider, name, isDefault }: Connection) => ({
  connectionId: id,
  provider,
  name,
  isDefault,
});

export const connectionCreated = (connection: Connection, at: Date): SettingsEvent =>
  eventOf('payment_connection.created', at, connectionData(connection));

/** Returns the event for an updated connection. The payload contains only the names of the changed fields. */
export const connectionUpdated = (
  connection: Connection,
  changedFields: readonly string[],
  at: Date,
): SettingsEvent =>
  eventOf('payment_connection.updated', at, { ...connectionData(connection), changedFields });

/** Destination of a payment route: connection ID, `platform`, or `null` if there's no route. */
type Destination = string | null;

export const routeUpdated = (
  country: string,
  provider: Destination,
  previousProvider: Destination,
  at: Date,
): SettingsEvent => eventOf('payment_route.updated', at, { country, provider, previousProvider });

/** Returns the event for a created or deleted tax registration. */
export const taxRegistrationEvent = (
  kind: 'tax_registration.created' | 'tax_registration.deleted',
  registration: {
    readonly id: string;
    readonly country: string;
    readonly region: string;
    readonly rateBps: number | null;
  },
  at: Date,
): SettingsEvent =>
  eventOf(kind, at, {
    taxRegistrationId: registration.id,
    country: registration.country,
    region: registration.region === '' ? null : registration.region,
    rateBps: registration.rateBps,
  });

/**
 * Returns the event for a new bank account. The payload contains only the last digits of the account number.
 */
export const bankAccountCreated = (
  account: {
    readonly id: string;
    readonly last4: string;
    readonly country: string;
    readonly currency: string;
    readonly isDefault: boolean;
  },
  at: Date,
): SettingsEvent =>
  eventOf('payout_bank_account.created', at, {
    bankAccountId: account.id,
    last4: account.last4,
    country: account.country,
    currency: account.currency,
    isDefault: account.isDefault,
  });
