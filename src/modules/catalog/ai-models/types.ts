import { rateScale } from '../../../domain/money/money.ts';
import { exactDecimal } from '../../../domain/rates/decimal.ts';
import { roundedTo } from '../../../domain/rates/exact.ts';
import { type TokenClass as TokenClassName, tokenClasses } from '../../../domain/usage/tokens.ts';
import type { OwnPriceRow } from '../../../engine/usage/models.ts';
import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';
import { TokenClass } from './enums.ts';
import type { AiModelPriceRow, AiModelRow } from './store.ts';
import { loadModel, loadPrice, loadPriceHistory, maxHistory } from './store.ts';

const perMillion = 'in ten-thousandths of a US dollar per million tokens (10,000 = 1.00 USD), rounded';
const cached = '`null` if the price of input tokens applies';

type StoredBand = Stored.ModelPrices[number];

const TokenClassPrice = builder
  .objectRef<{ readonly class: TokenClassName; readonly price: string }>('TokenClassPrice')
  .implement({
    description: 'Price of a class of tokens.',
    fields: (t) => ({
      class: t.member('class', TokenClass).describe('Class of the tokens.'),
      price: t.member('price', 'Decimal').describe('Price per million tokens, in US dollars.'),
    }),
  });

const AiModelPriceBand = builder.objectRef<StoredBand>('AiModelPriceBand').implement({
  description:
    'Token prices for events within a range of input tokens. The range contains the numbers above the previous range, up to and including `upTo`. All tokens of an event have the prices of the same range.',
  fields: (t) => ({
    upTo: t
      .maybe('upTo', 'SafeInt')
      .describe(
        'Highest number of input tokens of an event, including cached tokens. `null` if there is no upper bound.',
      ),
    classes: t.field({
      type: [TokenClassPrice],
      description:
        'Prices by class. A missing 1-hour cache write has the price of `cache_write`. Other missing classes of input tokens have the price of `input`, and missing classes of output tokens the price of `output`.',
      resolve: ({ prices }) =>
        tokenClasses.flatMap((name) => {
          const price = prices[name];
          return price === undefined ? [] : [{ class: name, price }];
        }),
    }),
  }),
});

const bandsText =
  'Exact prices by number of input tokens, in ascending order. The last range has no upper bound.';

/** Returns the price of a class without long context, rounded to ten-thousandths. `null` if the price of another class applies. */
function rateOf(prices: Stored.ModelPrices, name: TokenClassName): bigint | null {
  const text = prices[0]?.prices[name];
  return text === undefined ? null : roundedTo(exactDecimal(text), rateScale);
}

/** Returns the price of input or output tokens without long context, rounded to ten-thousandths. */
const requiredRate = (prices: Stored.ModelPrices, name: 'input' | 'output'): bigint =>
  rateOf(prices, name) ?? 0n;

const AiModelPrice = builder.objectRef<AiModelPriceRow>('AiModelPrice').implement({
  ...node({ prefix: 'amp', load: loadPrice }),
  description: "Version of an AI model's token prices. Valid from `validFrom` until the next version.",
  fields: (t) => ({
    id: t
      .member('id', 'ID')
      .describe('Unique identifier. Starts with `amp_`. Token costs contain this ID as `version`.'),
    validFrom: t
      .member('validFrom', 'DateTime')
      .describe("Time at which the prices were imported. Always real time, never the test clock's time."),
    inputRate: t.field({
      type: 'SafeInt',
      description: `Price of input tokens, ${perMillion}.`,
      resolve: ({ prices }) => requiredRate(prices, 'input'),
    }),
    outputRate: t.field({
      type: 'SafeInt',
      description: `Price of output tokens, ${perMillion}.`,
      resolve: ({ prices }) => requiredRate(prices, 'output'),
    }),
    cacheReadRate: t.field({
      type: 'SafeInt',
      nullable: true,
      description: `Price of input tokens that are read from a cache, ${perMillion}. ${cached}.`,
      resolve: ({ prices }) => rateOf(prices, 'cache_read'),
    }),
    cacheWriteRate: t.field({
      type: 'SafeInt',
      nullable: true,
      description: `Price of input tokens that are written to a cache, ${perMillion}. ${cached}.`,
      resolve: ({ prices }) => rateOf(prices, 'cache_write'),
    }),
    prices: t.member('prices', [AiModelPriceBand]).describe(bandsText),
  }),
});

export const AiModel = builder.objectRef<AiModelRow>('AiModel').implement({
  ...node({ prefix: '/', load: loadModel }),
  description:
    'An AI model with its current token prices. All organizations share one catalog of models. Your environment can set its own prices and models.',
  fields: (t) => ({
    id: t
      .member('id', 'ID')
      .describe(
        'Unique identifier: provider and name, such as `openai/gpt-4o`. Usage events can refer to the model by ID.',
      ),
    provider: t.member('provider', 'String').describe('Provider of the model.'),
    name: t
      .member('name', 'String')
      .describe(
        'Name of the model, without the provider. Usage events can refer to the model by name if no other active model has the name.',
      ),
    inputRate: t.field({
      type: 'SafeInt',
      description: `Current price of input tokens, ${perMillion}.`,
      resolve: ({ prices }) => requiredRate(prices, 'input'),
    }),
    outputRate: t.field({
      type: 'SafeInt',
      description: `Current price of output tokens, ${perMillion}.`,
      resolve: ({ prices }) => requiredRate(prices, 'output'),
    }),
    cacheReadRate: t.field({
      type: 'SafeInt',
      nullable: true,
      description: `Current price of input tokens that are read from a cache, ${perMillion}. ${cached}.`,
      resolve: ({ prices }) => rateOf(prices, 'cache_read'),
    }),
    cacheWriteRate: t.field({
      type: 'SafeInt',
      nullable: true,
      description: `Current price of input tokens that are written to a cache, ${perMillion}. ${cached}.`,
      resolve: ({ prices }) => rateOf(prices, 'cache_write'),
    }),
    prices: t.member('prices', [AiModelPriceBand]).describe(bandsText),
    isActive: t
      .member('isActive', 'Boolean')
      .describe(
        "Whether the price source still lists the model. Usage events can't refer to an inactive model.",
      ),
    createdAt: t
      .member('createdAt', 'DateTime')
      .describe(
        "Time at which the model was added to the catalog. Always real time, never the test clock's time.",
      ),
    updatedAt: t
      .member('updatedAt', 'DateTime')
      .describe(
        "Time at which the prices or the active state last changed. Always real time, never the test clock's time.",
      ),
    history: t.field({
      type: [AiModelPrice],
      description: `Past and current prices of the model, latest first. Up to ${maxHistory} values.`,
      resolve: ({ id }, _args, ctx) => loadPriceHistory(ctx, id),
    }),
    hasOwnPrices: t
      .member('hasOwnPrices', 'Boolean')
      .describe('Whether your environment set the prices itself. `history` contains only shared prices.'),
    object: t.string({ description: 'Always `ai_model`.', resolve: () => 'ai_model' }),
  }),
});

export const AiModelConnection = connectionOf('AiModel', AiModel, 'AI models', 'sorted by ID');

export const OwnModelPrice = builder.objectRef<OwnPriceRow>('OwnModelPrice').implement({
  description: 'Prices of an AI model that your environment set itself.',
  fields: (t) => ({
    modelId: t.member('modelId', 'ID').describe('ID of the model: provider and name.'),
    validFrom: t.member('validFrom', 'DateTime').describe('Time from which the prices apply.'),
    prices: t.field({
      type: [AiModelPriceBand],
      description: bandsText,
      resolve: ({ prices }) => prices ?? [],
    }),
    createdAt: t
      .member('createdAt', 'DateTime')
      .describe("Time at which the prices were set. In a sandbox, the test clock's time."),
    ...t.resource('ai_model_price'),
  }),
});

restView(
  'OwnModelPrice',
  'OwnModelPrice',
  'modelId validFrom prices { upTo classes { class price } } createdAt object livemode',
);

export const ClearedModelPrice = builder
  .objectRef<{ readonly modelId: string }>('ClearedModelPrice')
  .implement({
    description: "Confirmation that an environment's own prices of an AI model ended.",
    fields: (t) => ({
      modelId: t.member('modelId', 'ID').describe('ID of the model.'),
      cleared: t.boolean({ description: 'Always `true`.', resolve: () => true }),
      ...t.resource('ai_model_price'),
    }),
  });

restView('ClearedModelPrice', 'ClearedModelPrice', 'modelId cleared object livemode');
