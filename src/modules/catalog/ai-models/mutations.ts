import { builder } from '../../../graphql/reading/builder.ts';
import { clearModelPrice, setModelPrice } from './set-price.ts';
import { ClearedModelPrice, OwnModelPrice } from './types.ts';

const modelId = { minLength: 1, maxLength: 400 } as const;

const modelWords = 'Model ID (`provider/name`), or the name of a model in the catalog.';

const TokenPricesInput = builder.inputType('TokenPricesInput', {
  description:
    'Prices per million tokens, in US dollars with up to 6 decimal places. A class without a price has the price of another class.',
  fields: (t) => ({
    input: t.field({ type: 'Decimal', required: true, description: 'Price of input tokens.' }),
    output: t.field({ type: 'Decimal', required: true, description: 'Price of output tokens.' }),
    cacheRead: t.field({
      type: 'Decimal',
      description: 'Price of input tokens read from a cache. Defaults to `input`.',
    }),
    cacheWrite: t.field({
      type: 'Decimal',
      description: 'Price of input tokens written to a cache for 5 minutes. Defaults to `input`.',
    }),
    cacheWrite1h: t.field({
      type: 'Decimal',
      description: 'Price of input tokens written to a cache for 1 hour. Defaults to `cacheWrite`.',
    }),
    audioInput: t.field({
      type: 'Decimal',
      description: 'Price of input tokens of audio. Defaults to `input`.',
    }),
    imageInput: t.field({
      type: 'Decimal',
      description: 'Price of input tokens of images. Defaults to `input`.',
    }),
    reasoning: t.field({
      type: 'Decimal',
      description: 'Price of output tokens of reasoning. Defaults to `output`.',
    }),
    audioOutput: t.field({
      type: 'Decimal',
      description: 'Price of output tokens of audio. Defaults to `output`.',
    }),
    imageOutput: t.field({
      type: 'Decimal',
      description: 'Price of output tokens of images. Defaults to `output`.',
    }),
  }),
});

const TokenPriceBandInput = builder.inputType('TokenPriceBandInput', {
  description:
    'Prices of events whose number of input tokens is above the previous band, up to and including `upTo`.',
  fields: (t) => ({
    upTo: t.field({
      type: 'SafeInt',
      rule: { minimum: 1, nullable: true },
      description: 'Highest number of input tokens, including cached tokens. `null` in the last band.',
    }),
    prices: t.field({
      type: TokenPricesInput,
      required: true,
      description: 'Prices of all tokens of the event.',
    }),
  }),
});

const AiModelPriceSetInput = builder.inputType('AiModelPriceSetInput', {
  description: 'Parameters for setting your own prices of an AI model.',
  fields: (t) => ({
    id: t.id({ required: true, rule: modelId, description: `${modelWords} A new ID adds a model.` }),
    prices: t.field({
      type: TokenPricesInput,
      description: "Prices for any number of input tokens. Can't be combined with `bands`.",
    }),
    bands: t.field({
      type: [TokenPriceBandInput],
      rule: { minItems: 1, maxItems: 10 },
      description: 'Prices by number of input tokens, in ascending order. From 1 to 10 items.',
    }),
    validFrom: t.field({
      type: 'DateTime',
      description: "Time from which the prices apply. Can't be in the past. Defaults to the current time.",
    }),
  }),
});

builder.mutationField('aiModelPriceSet', (t) =>
  t.field({
    type: OwnModelPrice,
    description:
      "Sets your environment's own prices of an AI model, which take precedence over the shared catalog. Replaces prices that apply from a later time. Recorded events don't change.",
    rest: { method: 'PUT', path: '/ai-models/{id}/price', view: 'OwnModelPrice' },
    errors: ['model_not_found'],
    access: { scope: 'write' },
    args: { input: t.arg({ type: AiModelPriceSetInput, required: true }) },
    resolve: (_root, { input }, ctx) => setModelPrice(ctx, input),
  }),
);

const AiModelPriceClearInput = builder.inputType('AiModelPriceClearInput', {
  description: 'Parameters for ending your own prices of an AI model.',
  fields: (t) => ({ id: t.id({ required: true, rule: modelId, description: modelWords }) }),
});

builder.mutationField('aiModelPriceClear', (t) =>
  t.field({
    type: ClearedModelPrice,
    description:
      "Ends your environment's own prices of an AI model. The prices in the shared catalog apply again.",
    rest: { method: 'DELETE', path: '/ai-models/{id}/price', view: 'ClearedModelPrice' },
    errors: ['model_not_found', ['not_found', "the environment doesn't have its own prices for the model"]],
    access: { scope: 'write' },
    args: { input: t.arg({ type: AiModelPriceClearInput, required: true }) },
    resolve: (_root, { input }, ctx) => clearModelPrice(ctx, input),
  }),
);
