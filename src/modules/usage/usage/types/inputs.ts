import { InputFieldBuilder } from '@pothos/core';
import { builder } from '../../../../graphql/reading/builder.ts';

const t = new InputFieldBuilder(builder, 'InputObject');

export const UsagePropertyInput = builder.inputType('UsagePropertyInput', {
  description: 'Custom property of a usage event.',
  fields: (t) => ({
    property: t.string({
      required: true,
      rule: { maxLength: 200 },
      description: 'Name of the property. Up to 200 characters.',
    }),
    value: t.string({
      required: true,
      rule: { maxLength: 2_000, multiline: true },
      description: 'Value of the property. Up to 2,000 characters.',
    }),
  }),
});

const words = 'Must be 0 or more. Only allowed with `model`.';

const descriptions = {
  inputTokens: 'Number of input tokens, including tokens of audio and images.',
  outputTokens: 'Number of output tokens, including reasoning tokens and tokens of audio and images.',
  cacheReadTokens: 'Number of input tokens read from a cache.',
  cacheWriteTokens: 'Number of input tokens written to a cache for 5 minutes.',
  cacheWrite1hTokens: 'Number of input tokens written to a cache for 1 hour.',
  audioInputTokens: 'Number of input tokens of audio.',
  imageInputTokens: 'Number of input tokens of images.',
  reasoningTokens: 'Number of output tokens of reasoning.',
  audioOutputTokens: 'Number of output tokens of audio.',
  imageOutputTokens: 'Number of output tokens of images.',
} as const;

/** Returns the fields of an AI model call, with rules for its name and for each token count. */
function fieldsWith(
  name: { readonly minLength?: number; readonly maxLength?: number },
  tokens: { readonly minimum?: number; readonly maximum?: number },
  field: 'value' | 'quantity',
) {
  const count = (key: keyof typeof descriptions) =>
    t.field({ type: 'SafeInt', rule: tokens, description: `${descriptions[key]} ${words}` });
  return {
    model: t.string({
      rule: name,
      description: `AI model, as \`provider/name\` or the name alone. Can't be combined with \`${field}\`.`,
    }),
    inputTokens: count('inputTokens'),
    outputTokens: count('outputTokens'),
    cacheReadTokens: count('cacheReadTokens'),
    cacheWriteTokens: count('cacheWriteTokens'),
    cacheWrite1hTokens: count('cacheWrite1hTokens'),
    audioInputTokens: count('audioInputTokens'),
    imageInputTokens: count('imageInputTokens'),
    reasoningTokens: count('reasoningTokens'),
    audioOutputTokens: count('audioOutputTokens'),
    imageOutputTokens: count('imageOutputTokens'),
    inputIncludesCache: t.boolean({
      description:
        'Whether `inputTokens` includes the tokens that are read from or written to a cache. Set `false` if the provider of the model counts them separately. Only allowed with `model`. Defaults to `true`.',
    }),
  };
}

/** Returns the input fields of an AI model call. `field` is the name of the field that contains units instead. */
export const tokenInputs = (field: 'value' | 'quantity') =>
  fieldsWith({ minLength: 1, maxLength: 200 }, { minimum: 0, maximum: Number.MAX_SAFE_INTEGER }, field);

/** Input fields of an AI model call in a batch. Values are checked for each event of the batch. */
export const uncheckedTokenInputs = fieldsWith({}, {}, 'value');

/** Input fields that name the hold that an event settles. */
export const holdInputs = (options: {
  readonly rule?: { readonly minLength: number; readonly maxLength: number };
}) => ({
  hold: t.string({
    ...options,
    description:
      'ID of the hold that the usage settles, or the identifier that you assigned to the hold. Defaults to no hold.',
  }),
  final: t.boolean({
    description:
      'Whether the settlement ends the hold and frees the rest. Only allowed with `hold`. Defaults to `true`.',
  }),
});
