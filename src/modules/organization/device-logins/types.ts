import { type KeyPresetName, keyPresetNames } from '../../../domain/limits/preset-scopes.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { keyDays, type LoginKey, type LoginResult } from './complete.ts';
import type { LoginCodes } from './start.ts';
import type { PendingLogin } from './store.ts';

const descriptions: Readonly<Record<KeyPresetName, string>> = {
  builder: 'Reads and changes everything except financial data and API keys. Only available in the sandbox.',
  reader: 'Reads everything except financial data.',
  metering: 'Records and checks usage.',
  support:
    'Manages customers, subscriptions, and invoices, and refunds payments: up to 50.00 USD per call and 500.00 USD per UTC day. Calls that move more than 25.00 USD need the approval of a member.',
  catalog_agent:
    'Reads and changes the catalog. In the live environment, each change needs the approval of a member.',
};

export const ApiKeyPreset = builder.enumType('ApiKeyPreset', {
  description: 'Permissions and limits of an API key for a common purpose.',
  values: Object.fromEntries(
    keyPresetNames.map((name) => [name, { description: descriptions[name] }]),
  ) as Record<KeyPresetName, { description: string }>,
});

export const DeviceLoginCodes = builder.objectRef<LoginCodes>('DeviceLoginCodes').implement({
  description: 'Codes of a new sign-in of a command line.',
  fields: (t) => ({
    deviceCode: t
      .member('deviceCode', 'String')
      .describe('Secret with which the command line requests the API key. No other response contains it.'),
    userCode: t
      .member('userCode', 'String')
      .describe('Code that the member compares or enters in the dashboard, such as `BCDF-GHJK`.'),
    verificationUrl: t
      .member('verificationUrl', 'String')
      .describe('URL of the dashboard page where a member approves or denies the sign-in.'),
    expiresInSeconds: t
      .member('expiresInSeconds', 'Int')
      .describe('Number of seconds until both codes expire.'),
    intervalSeconds: t
      .member('intervalSeconds', 'Int')
      .describe('Number of seconds to wait between two calls of `deviceLoginComplete`.'),
  }),
});

export const DeviceLogin = builder.objectRef<PendingLogin>('DeviceLogin').implement({
  description: 'Sign-in of a command line that a member approves or denies.',
  fields: (t) => ({
    machineName: t
      .member('machineName', 'String')
      .describe('Name that the machine reported. Becomes the name of the API key.'),
    apiKeyExpiresInDays: t.int({
      description: 'Number of days until the API key expires.',
      resolve: () => keyDays,
    }),
    createdAt: t.member('createdAt', 'DateTime').describe('Time at which the sign-in was started.'),
    expiresAt: t.member('expiresAt', 'DateTime').describe('Time at which the code expires.'),
  }),
});

const DeviceLoginStatus = builder.enumType('DeviceLoginStatus', {
  description: 'Status of the sign-in of a command line.',
  values: {
    pending: { description: 'No member has approved or denied the sign-in yet.' },
    too_fast: { description: 'The previous request was made too recently. Wait `intervalSeconds` longer.' },
    denied: {
      description:
        'A member denied the sign-in, or the member who approved it can no longer create API keys.',
    },
    expired: { description: "The code doesn't exist, has expired, or was already used." },
    approved: { description: 'A member approved the sign-in. The response contains the API key.' },
  } satisfies Record<LoginResult['status'], { description: string }>,
});

const DeviceLoginKey = builder.objectRef<LoginKey>('DeviceLoginKey').implement({
  description: 'API key that a sign-in created.',
  fields: (t) => ({
    id: t.member('id', 'ID').describe('ID of the API key, starting with `key_`.'),
    apiKey: t
      .member('apiKey', 'String')
      .describe('Full secret, starting with `ck_live_` or `ck_sandbox_`. No other response contains it.'),
    name: t.member('name', 'String').describe('Name of the API key, which is the name of the machine.'),
    expiresAt: t.member('expiresAt', 'DateTime').describe('Time at which the API key expires.'),
    organizationId: t.member('organizationId', 'ID').describe('ID of the organization.'),
    organizationName: t.member('organizationName', 'String').describe('Name of the organization.'),
    livemode: t
      .member('livemode', 'Boolean')
      .describe('`true` if the API key belongs to the live environment, `false` for the sandbox.'),
  }),
});

export const DeviceLoginResult = builder.objectRef<LoginResult>('DeviceLoginResult').implement({
  description: 'Result of a request for the API key of a sign-in.',
  fields: (t) => ({
    status: t.member('status', DeviceLoginStatus).describe('Status of the sign-in.'),
    key: t.maybe('key', DeviceLoginKey).describe('API key. `null` unless the status is `approved`.'),
  }),
});
