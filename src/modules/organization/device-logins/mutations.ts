import { name } from '../../../graphql/declare/shapes.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { completeLogin } from './complete.ts';
import { approveLogin, denyLogin } from './decide.ts';
import { startLogin } from './start.ts';
import { ApiKeyPreset, DeviceLogin, DeviceLoginCodes, DeviceLoginResult } from './types.ts';

const entered = { minLength: 1, maxLength: 20 } as const;
const codeDescription = 'Code that the command line shows. Case, spaces, and hyphens are ignored.';
const codeErrors = [['not_found', "the code doesn't exist, has expired, or was already used"]] as const;

const DeviceLoginStartInput = builder.inputType('DeviceLoginStartInput', {
  description: 'Parameters for starting the sign-in of a command line.',
  fields: (t) => ({
    machineName: t.string({
      required: true,
      rule: name,
      description: 'Name of the machine, from 1 to 200 characters. Becomes the name of the API key.',
    }),
  }),
});

builder.mutationField('deviceLoginStart', (t) =>
  t.field({
    type: DeviceLoginCodes,
    description:
      'Starts the sign-in of a command line. A member approves it in the dashboard within 10 minutes. No API key is required. Limited by IP address like sign-ins with a password.',
    access: { anonymous: true, countedIn: 'password' },
    args: { input: t.arg({ type: DeviceLoginStartInput, required: true }) },
    resolve: (_root, { input }, ctx) => startLogin(ctx, input.machineName),
  }),
);

const DeviceLoginCompleteInput = builder.inputType('DeviceLoginCompleteInput', {
  description: 'Parameters for requesting the API key of a sign-in.',
  fields: (t) => ({
    deviceCode: t.string({
      required: true,
      rule: { minLength: 1, maxLength: 100 },
      description: 'Secret from the response of `deviceLoginStart`.',
    }),
  }),
});

builder.mutationField('deviceLoginComplete', (t) =>
  t.field({
    type: DeviceLoginResult,
    description:
      'Returns the status of a sign-in. The first call after the approval creates the API key and returns it. The key is returned only once; if the response is lost, delete the key in the dashboard and start again.',
    access: { anonymous: true },
    args: { input: t.arg({ type: DeviceLoginCompleteInput, required: true }) },
    resolve: (_root, { input }, ctx) => completeLogin(ctx, input.deviceCode),
  }),
);

const DeviceLoginApproveInput = builder.inputType('DeviceLoginApproveInput', {
  description: 'Parameters for approving the sign-in of a command line.',
  fields: (t) => ({
    userCode: t.string({ required: true, rule: entered, description: codeDescription }),
    preset: t.field({
      type: ApiKeyPreset,
      required: true,
      description: 'Permissions and limits of the API key.',
    }),
  }),
});

builder.mutationField('deviceLoginApprove', (t) =>
  t.field({
    type: DeviceLogin,
    description:
      'Approves the sign-in of a command line, which then receives an API key for the environment of this request. The key expires after 90 days. API keys can never approve sign-ins.',
    errors: [...codeErrors, ['sandbox_only', 'the preset is only available in the sandbox']],
    access: { member: 'admin', proof: true },
    args: { input: t.arg({ type: DeviceLoginApproveInput, required: true }) },
    resolve: (_root, { input }, ctx) => approveLogin(ctx, input.userCode, input.preset),
  }),
);

const DeviceLoginDenyInput = builder.inputType('DeviceLoginDenyInput', {
  description: 'Parameters for denying the sign-in of a command line.',
  fields: (t) => ({
    userCode: t.string({ required: true, rule: entered, description: codeDescription }),
  }),
});

builder.mutationField('deviceLoginDeny', (t) =>
  t.field({
    type: DeviceLogin,
    description: 'Denies the sign-in of a command line. No API key is created.',
    errors: codeErrors,
    access: { member: 'admin' },
    args: { input: t.arg({ type: DeviceLoginDenyInput, required: true }) },
    resolve: (_root, { input }, ctx) => denyLogin(ctx, input.userCode),
  }),
);
