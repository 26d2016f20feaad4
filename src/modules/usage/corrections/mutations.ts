import { QuittanceError } from '../../../domain/errors/errors.ts';
import type { LevelKind } from '../../../domain/meters/level.ts';
import { correctUsage } from '../../../engine/usage/correct.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import type { Context } from '../../../request/context.ts';
import { UsageLevelKind } from '../usage/enums.ts';
import { type TokenInput, tokensIn } from '../usage/track.ts';
import { tokenInputs, UsagePropertyInput } from '../usage/types/inputs.ts';
import { requireCorrection } from './store.ts';
import { UsageCorrection } from './types.ts';

const maxReason = 1_000;

const UsageEventVoidInput = builder.inputType('UsageEventVoidInput', {
  description: 'Parameters for voiding a usage event.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'ID of the usage event.' }),
    reason: t.string({
      rule: { maxLength: maxReason, multiline: true },
      description: 'Reason for the correction. Up to 1,000 characters.',
    }),
  }),
});

const UsageEventReplaceInput = builder.inputType('UsageEventReplaceInput', {
  description:
    'Parameters for replacing a usage event. Fields that are omitted have the values of the replaced event.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'ID of the usage event.' }),
    timestamp: t.field({
      type: 'DateTime',
      description:
        'Time of the usage. At most 5 minutes in the future, and not before the start of the subscription. Defaults to the time of the replaced event.',
    }),
    properties: t.field({
      type: [UsagePropertyInput],
      rule: { maxItems: 100 },
      description: 'Custom properties. Up to 100 items. Defaults to the properties of the replaced event.',
    }),
    ...tokenInputs('value'),
    value: t.field({
      type: 'SafeInt',
      rule: { minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      description:
        'Number of units. At least 1. Defaults to the quantity of the replaced event, unless `model` or `quantity` is set.',
    }),
    quantity: t.field({
      type: 'Decimal',
      description:
        "Number of units as a decimal, instead of `value`. At least 0. Can't have more decimal places than the meter of the feature.",
    }),
    kind: t.field({
      type: UsageLevelKind,
      description:
        'Effect of the event on the level of the feature. Only for features whose meter has `persists`. Defaults to the kind of the replaced event.',
    }),
    reason: t.string({
      rule: { maxLength: maxReason, multiline: true },
      description: 'Reason for the correction. Up to 1,000 characters.',
    }),
  }),
});

/** Corrects an event and returns the correction. Throws the rejection. */
async function corrected(ctx: Context, request: Parameters<typeof correctUsage>[1]) {
  const result = await correctUsage(ctx, request);
  if ('rejection' in result) throw new QuittanceError(result.rejection);
  return requireCorrection(ctx, result.correction.id);
}

type ReplaceInput = {
  readonly timestamp?: Date | null | undefined;
  readonly properties?: readonly { readonly property: string; readonly value: string }[] | null | undefined;
  readonly value?: number | null | undefined;
  readonly quantity?: string | null | undefined;
  readonly kind?: LevelKind | null | undefined;
} & TokenInput;

const replacementIn = (input: ReplaceInput) => ({
  timestamp: input.timestamp ?? null,
  properties: input.properties?.map(({ property, value }) => ({ property, value })) ?? null,
  value: typeof input.value === 'number' ? BigInt(input.value) : null,
  quantity: input.quantity ?? null,
  levelKind: input.kind ?? null,
  ...tokensIn(input),
});

builder.mutationField('usageEventVoid', (t) =>
  t.field({
    type: UsageCorrection,
    description:
      "Voids a usage event from its usage window. The total is calculated as if the event had never been recorded, and the difference of the price is returned to the credits or the balance. The event itself doesn't change. If the event was already voided, the response contains the first correction. If the usage window has ended, the difference is added to the next invoice, and deducted amounts return to the customer's credits or balance. If the event was recorded more than 400 days ago, `details.reason` is `too_old`.",
    rest: { method: 'POST', path: '/usage/events/{id}/void', view: 'UsageCorrection' },
    errors: [
      ['not_found', "the usage event doesn't exist or was deleted"],
      ['duplicate', 'the event was already replaced'],
    ],
    access: { scope: 'write' },
    args: { input: t.arg({ type: UsageEventVoidInput, required: true }) },
    resolve: (_root, { input }, ctx) =>
      corrected(ctx, { id: input.id, replacement: null, reason: input.reason ?? null }),
  }),
);

builder.mutationField('usageEventReplace', (t) =>
  t.field({
    type: UsageCorrection,
    description:
      "Voids a usage event and records another event of the same customer and feature in its place, in one step. A limit doesn't reject the replacement. The difference of the price is deducted from or returned to the credits or the balance; the part that isn't covered is waived. If the usage window has ended, the window is priced again with its own terms, and the difference is added to the next invoice. If the event was recorded more than 400 days ago, or the window wasn't charged, `details.reason` is `too_old`.",
    rest: { method: 'POST', path: '/usage/events/{id}/replace', view: 'UsageCorrection' },
    errors: [
      ['not_found', "the usage event doesn't exist or was deleted"],
      ['duplicate', 'the event was already corrected'],
      'insufficient_balance',
      'pricing_mode_mismatch',
      'model_not_found',
    ],
    access: { scope: 'write' },
    args: { input: t.arg({ type: UsageEventReplaceInput, required: true }) },
    resolve: (_root, { input }, ctx) =>
      corrected(ctx, { id: input.id, replacement: replacementIn(input), reason: input.reason ?? null }),
  }),
);
