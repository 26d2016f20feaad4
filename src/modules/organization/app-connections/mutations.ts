import type { PolicyAmounts } from '../../../domain/limits/key-policy.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { ApiKeyPreset } from '../device-logins/types.ts';
import { approveConnection, denyConnection } from './decide.ts';
import { AppConnectionResult } from './types.ts';

const signed = { minLength: 1, maxLength: 10_000 } as const;
const requestDescription =
  "Value of the parameter `request` in the page's URL. Valid for 10 minutes after the app opened the page.";
const requestErrors = [['not_found', 'the request is invalid or has expired']] as const;
const cents = { minimum: 0, maximum: 99_999_999_999 } as const;

const AppConnectionLimitsInput = builder.inputType('AppConnectionLimitsInput', {
  description: 'Limits of an API key in addition to the limits of its preset. The lower limit applies.',
  fields: (t) => ({
    maxAmountPerCall: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      rule: cents,
      description:
        'Maximum amount of money that a call can move, in US cents. From 0 to 99,999,999,999. Defaults to the maximum of the preset.',
    }),
    maxAmountPerDay: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      rule: cents,
      description:
        'Maximum amount of money that calls can move on a UTC day, in US cents. From 0 to 99,999,999,999. Defaults to the maximum of the preset.',
    }),
    maxCallsPerHour: t.field({
      type: 'Int',
      rule: { minimum: 0, maximum: 1_000_000 },
      description: 'Maximum number of mutations in 60 minutes, from 0 to 1,000,000. Defaults to no maximum.',
    }),
    approveAbove: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      rule: cents,
      description:
        'Amount in US cents above which a call needs the approval of a member. From 0 to 99,999,999,999. Defaults to the amount of the preset.',
    }),
  }),
});

const AppConnectionApproveInput = builder.inputType('AppConnectionApproveInput', {
  description: 'Parameters for approving the request of an app.',
  fields: (t) => ({
    request: t.string({ required: true, rule: signed, description: requestDescription }),
    preset: t.field({
      type: ApiKeyPreset,
      required: true,
      description: 'Permissions and limits of the API key.',
    }),
    permissions: t.stringList({
      rule: { minItems: 1, maxItems: 52 },
      description:
        'Permissions of the preset that the API key keeps: an area and a scope, such as `usage:write`. `*` stands for all areas. From 1 to 52 values. Defaults to all permissions of the preset.',
    }),
    limits: t.field({
      type: AppConnectionLimitsInput,
      description: 'Additional limits of the API key. Defaults to the limits of the preset.',
    }),
  }),
});

/** Returns the limits in a request. Omitted limits are `null`. */
const limitsIn = (
  limits: { readonly [field in keyof PolicyAmounts]?: number | null | undefined } | null | undefined,
): PolicyAmounts => ({
  maxAmountPerCall: limits?.maxAmountPerCall ?? null,
  maxAmountPerDay: limits?.maxAmountPerDay ?? null,
  maxCallsPerHour: limits?.maxCallsPerHour ?? null,
  approveAbove: limits?.approveAbove ?? null,
});

builder.mutationField('appConnectionApprove', (t) =>
  t.field({
    type: AppConnectionResult,
    description:
      'Approves the request of an app for access to the environment of this request. The app then receives an access token that acts as a new API key with the preset and the limits. Delete the API key to end the connection. API keys can never approve requests.',
    errors: [...requestErrors, ['sandbox_only', 'the preset is only available in the sandbox']],
    access: { member: 'admin', proof: true },
    args: { input: t.arg({ type: AppConnectionApproveInput, required: true }) },
    resolve: async (_root, { input: { request, preset, permissions, limits } }, ctx) => ({
      redirectUrl: await approveConnection(ctx, request, {
        preset,
        permissions: permissions ?? null,
        limits: limitsIn(limits),
      }),
    }),
  }),
);

const AppConnectionDenyInput = builder.inputType('AppConnectionDenyInput', {
  description: 'Parameters for denying the request of an app.',
  fields: (t) => ({
    request: t.string({ required: true, rule: signed, description: requestDescription }),
  }),
});

builder.mutationField('appConnectionDeny', (t) =>
  t.field({
    type: AppConnectionResult,
    description: 'Denies the request of an app. No API key is created.',
    errors: requestErrors,
    access: { member: 'admin' },
    args: { input: t.arg({ type: AppConnectionDenyInput, required: true }) },
    resolve: async (_root, { input: { request } }, ctx) => ({
      redirectUrl: await denyConnection(ctx, request),
    }),
  }),
);
