import { operation } from '../../../engine/operation.ts';
import type { Issue } from '../../../graphql/declare/rules.ts';
import { amountAboveZero } from '../../../graphql/declare/shapes.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { DeletedObject } from '../../../graphql/reading/deleted.ts';
import { AutoTopUpSwitch } from './enums.ts';
import { loadTopUp, requireSetTopUp, requireSubscriptionOf, requireTopUp } from './store.ts';
import { AutoTopUp } from './types.ts';

const customer = 'ID or external ID of the customer.';
const assetRule = { minLength: 1, maxLength: 64 } as const;

const AutoTopUpRefillInput = builder.inputType('AutoTopUpRefillInput', {
  description:
    'Purchase of an automatic top-up. Set `creditPackId` for credits and other custom units, and `amount` or `target` for a balance.',
  fields: (t) => ({
    creditPackId: t.id({
      rule: { minLength: 1, maxLength: 200 },
      description: 'ID of the credit pack to purchase. Must contain units of the account.',
    }),
    quantity: t.int({
      rule: { minimum: 1, maximum: 100, default: 1 },
      description: 'Number of credit packs to purchase, from 1 to 100. Defaults to 1.',
    }),
    amount: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      rule: amountAboveZero,
      description:
        "Amount to add before tax, in the smallest unit of the subscription's currency. From 1 to 900,000,000,000,000.",
    }),
    target: t.field({
      type: 'SafeInt',
      rule: { minimum: 1 },
      description:
        'Balance to which the account is lifted, in ten-thousandths of the currency unit (10,000 = 1.00). 1 or more.',
    }),
  }),
});

const AutoTopUpConsentInput = builder.inputType('AutoTopUpConsentInput', {
  description: 'Consent of the customer to an automatic top-up.',
  fields: (t) => ({
    statement: t.string({
      required: true,
      rule: { minLength: 1, maxLength: 5_000, multiline: true },
      description:
        'Text that the customer accepted. It must name the threshold, the refill, both limits, and the pause. Up to 5,000 characters.',
    }),
    language: t.string({
      rule: { minLength: 2, maxLength: 35 },
      description: 'Language of the text, such as `en`.',
    }),
    acceptedAt: t.field({
      type: 'DateTime',
      description:
        'Time at which the customer agreed. At most the time of the request, which is the default.',
    }),
    acceptedBy: t.string({
      rule: { minLength: 1, maxLength: 200 },
      description: 'Person who agreed. Up to 200 characters.',
    }),
  }),
});

const AutoTopUpSetInput = builder.inputType('AutoTopUpSetInput', {
  description: 'Parameters for setting an automatic top-up.',
  fields: (t) => ({
    customerId: t.id({ required: true, description: customer }),
    asset: t.string({
      rule: assetRule,
      description:
        "Code of a custom unit, or the lowercase code of the subscription's currency. Required if the plan has several accounts.",
    }),
    status: t.field({
      type: AutoTopUpSwitch,
      rule: { default: 'on' },
      description: 'Whether the account is topped up. Defaults to `on`.',
    }),
    threshold: t.field({
      type: 'SafeInt',
      required: true,
      rule: { minimum: 0 },
      description:
        'Available amount at or below which the account is topped up, in the smallest amount of the unit or in ten-thousandths of the currency unit (10,000 = 1.00). 0 or more.',
    }),
    refill: t.field({
      type: AutoTopUpRefillInput,
      required: true,
      description: 'Purchase of the top-up. It must lift an empty account above the threshold.',
    }),
    maxPerMonth: t.int({
      rule: { minimum: 1, maximum: 100, default: 5 },
      description:
        "Maximum number of purchases in a calendar month of the customer's time zone. From 1 to 100. Defaults to 5.",
    }),
    maxAmountPerMonth: t.field({
      type: 'SafeInt',
      required: true,
      amount: 'MINOR',
      rule: amountAboveZero,
      description:
        "Maximum sum of purchases in a calendar month including tax, in the smallest unit of the subscription's currency. At least the price of one refill with tax.",
    }),
    minPause: t.int({
      rule: { minimum: 0, maximum: 1_440, default: 1 },
      description: 'Minimum number of minutes between two purchases. From 0 to 1,440. Defaults to 1.',
    }),
    consent: t.field({
      type: AutoTopUpConsentInput,
      description:
        'Consent of the customer. Required to turn the top-up on, and for a higher threshold, a higher refill, a higher limit, or a shorter pause.',
    }),
    consentReference: t.string({
      rule: { minLength: 1, maxLength: 500 },
      description:
        'Your reference of the consent, such as a contract, in place of `consent`. From 1 to 500 characters.',
    }),
  }),
});

type SetInput = (typeof AutoTopUpSetInput)['$inferInput'];

const refillKinds = ['creditPackId', 'amount', 'target'] as const;

/** Returns the problems of a refill that names several purchases or none, and of two forms of consent. */
function topUpIssues({
  refill,
  consent,
  consentReference,
}: Pick<SetInput, 'refill' | 'consent' | 'consentReference'>): Issue[] {
  const named = refillKinds.filter((kind) => refill[kind] != null);
  const issues: Issue[] = [];
  if (named.length !== 1)
    issues.push({ field: 'refill', message: 'must contain exactly one of creditPackId, amount, and target' });
  if (refill.quantity != null && refill.creditPackId == null)
    issues.push({ field: 'refill.quantity', message: 'requires creditPackId' });
  if (consent != null && consentReference != null)
    issues.push({ field: 'consentReference', message: "can't be combined with consent" });
  return issues;
}

/** Returns the stored form of a refill that `topUpIssues` accepts. */
function refillOf({ creditPackId, quantity, amount, target }: SetInput['refill']): Stored.Refill {
  if (creditPackId != null) return { creditPackId, quantity: quantity ?? 1 };
  return amount == null ? { target: target ?? 0 } : { amount };
}

const consentOf = ({ consent, consentReference }: SetInput) => {
  const nothing = { statement: null, language: null, acceptedAt: null, acceptedBy: null, reference: null };
  if (consentReference != null) return { ...nothing, reference: consentReference };
  if (consent == null) return null;
  const { statement, language = null, acceptedAt = null, acceptedBy = null } = consent;
  return { statement, language, acceptedAt, acceptedBy, reference: null };
};

/** Sets the automatic top-up of an account. */
export const autoTopUpSet = operation({
  input: AutoTopUpSetInput,
  issues: topUpIssues,
  find: (ctx, { customerId }, path) => requireSubscriptionOf(ctx, customerId, path),
  command: (input, { id: subscriptionId }) => ({
    kind: 'auto_topup.set',
    subscriptionId,
    asset: input.asset ?? null,
    status: input.status ?? 'on',
    threshold: BigInt(input.threshold),
    refill: refillOf(input.refill),
    maxPerMonth: input.maxPerMonth ?? 5,
    maxAmountPerMonth: BigInt(input.maxAmountPerMonth),
    minPause: input.minPause ?? 1,
    consent: consentOf(input),
  }),
  result: (ctx, { subject, command }) => requireSetTopUp(ctx, subject.id, command.asset),
});

builder.mutationField('autoTopUpSet', (t) =>
  t.operation(autoTopUpSet, {
    type: AutoTopUp,
    description:
      "Sets the automatic top-up of a customer's credits or balance. Enabling the top-up, a higher threshold, a higher refill, a higher limit, and a shorter pause require the consent of the customer. If the available amount is at or below the threshold, the refill is purchased within a second.",
    rest: {
      method: 'PUT',
      path: '/customers/{id}/auto-top-up',
      names: { customerId: 'id' },
      query: ['asset'],
      view: 'AutoTopUp',
    },
    errors: [
      'customer_not_found',
      'no_active_subscription',
      'subscription_not_active',
      'credit_pack_not_found',
      'missing_regional_price',
      'no_payment_method',
      'payment_failed',
    ],
    access: { scope: 'write' },
  }),
);

const AutoTopUpResumeInput = builder.inputType('AutoTopUpResumeInput', {
  description: 'Parameters for resuming an automatic top-up.',
  fields: (t) => ({
    customerId: t.id({ required: true, description: customer }),
    asset: t.string({
      rule: assetRule,
      description:
        'Code of a custom unit, or the lowercase code of a currency. Required if several accounts are topped up automatically.',
    }),
  }),
});

/** Resumes a paused automatic top-up. */
const resume = operation({
  input: AutoTopUpResumeInput,
  find: (ctx, { customerId, asset }, path) => requireTopUp(ctx, customerId, asset ?? null, path),
  command: (_input, { id: autoTopUpId, subscriptionId }) => ({
    kind: 'auto_topup.resume',
    subscriptionId,
    autoTopUpId,
  }),
  result: (ctx, { subject }) => loadTopUp(ctx, subject.id),
});

builder.mutationField('autoTopUpResume', (t) =>
  t.operation(resume, {
    type: AutoTopUp,
    description:
      "Resumes a paused automatic top-up. If the available amount is at or below the threshold, the refill is purchased within a second. Does nothing if the top-up isn't paused.",
    rest: {
      method: 'POST',
      path: '/customers/{id}/auto-top-up/resume',
      names: { customerId: 'id' },
      query: ['asset'],
      view: 'AutoTopUp',
    },
    errors: ['customer_not_found', ['not_found', "the account isn't topped up automatically"]],
    access: { scope: 'write' },
  }),
);

const AutoTopUpRemoveInput = builder.inputType('AutoTopUpRemoveInput', {
  description: 'Parameters for removing an automatic top-up.',
  fields: (t) => ({
    customerId: t.id({ required: true, description: customer }),
    asset: t.string({
      rule: assetRule,
      description:
        'Code of a custom unit, or the lowercase code of a currency. Required if several accounts are topped up automatically.',
    }),
  }),
});

/** Removes an automatic top-up. */
export const autoTopUpRemove = operation({
  input: AutoTopUpRemoveInput,
  find: (ctx, { customerId, asset }, path) => requireTopUp(ctx, customerId, asset ?? null, path),
  command: (_input, { id: autoTopUpId, subscriptionId }) => ({
    kind: 'auto_topup.remove',
    subscriptionId,
    autoTopUpId,
  }),
  result: (_ctx, { subject }) => ({ id: subject.id, object: 'auto_topup' }),
});

builder.mutationField('autoTopUpRemove', (t) =>
  t.operation(autoTopUpRemove, {
    type: DeletedObject,
    description:
      'Removes an automatic top-up. A purchase in progress still takes effect. A later setting counts the purchases of the month.',
    rest: {
      method: 'DELETE',
      path: '/customers/{id}/auto-top-up',
      names: { customerId: 'id' },
      view: 'DeletedObject',
    },
    errors: ['customer_not_found', ['not_found', "the account isn't topped up automatically"]],
    access: { scope: 'write' },
  }),
);
