import { type FieldProblem, specificError, validationError } from '../../../domain/errors/errors.ts';
import { readDecimal } from '../../../domain/rates/decimal.ts';
import {
  type ModelPrices,
  readPrices,
  type StoredPrices,
  storedPrices,
  type TokenClass,
} from '../../../domain/usage/tokens.ts';
import type { OwnPriceRow } from '../../../engine/usage/models.ts';
import { newId } from '../../../platform/ids.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction, nextSeq } from '../../../request/transaction.ts';
import { partsOfId } from './rules.ts';
import { findOwnPrices, requireModel } from './store.ts';

/** Prices per million tokens in US dollars, by class. A class without a price has the price of another class. */
type PricesInput = {
  readonly input: string;
  readonly output: string;
} & { readonly [name in keyof typeof classOf]?: string | null | undefined };

/** Input of a model's own prices: one set of prices, or prices by number of input tokens. */
export type OwnPriceInput = {
  readonly id: string;
  readonly prices?: PricesInput | null | undefined;
  readonly bands?:
    | readonly { readonly upTo?: number | null | undefined; readonly prices: PricesInput }[]
    | null
    | undefined;
  readonly validFrom?: Date | null | undefined;
};

const classOf = {
  input: 'input',
  output: 'output',
  cacheRead: 'cache_read',
  cacheWrite: 'cache_write',
  cacheWrite1h: 'cache_write_1h',
  audioInput: 'audio_input',
  imageInput: 'image_input',
  reasoning: 'reasoning',
  audioOutput: 'audio_output',
  imageOutput: 'image_output',
} as const satisfies Record<string, TokenClass>;

/** Maximum number of models with own prices in an environment. */
const mostModels = 1_000;

type StoredBand = StoredPrices[number];

/** Reads the prices of a band. Adds a problem for each invalid price. */
function pricesIn(input: PricesInput, path: string, problems: FieldProblem[]): StoredBand['prices'] {
  const read: { [name in TokenClass]?: string } = {};
  for (const [field, name] of Object.entries(classOf)) {
    // The entries contain the fields of the input.
    const text = input[field as keyof typeof classOf];
    if (text === undefined || text === null) continue;
    const decimal = readDecimal(text, { digits: 9, decimals: 6 });
    if (typeof decimal === 'string') problems.push({ field: `${path}.${field}`, message: decimal });
    else read[name] = text;
  }
  return { ...read, input: read.input ?? '0', output: read.output ?? '0' };
}

/** Reads own prices. Throws `validation_error` with all problems. */
function checkedPrices({ prices, bands }: OwnPriceInput): ModelPrices {
  const problems: FieldProblem[] = [];
  const isSingle = prices !== undefined && prices !== null;
  const given = bands ?? [];
  if (isSingle === given.length > 0)
    throw validationError([{ field: 'prices', message: 'Send either prices or bands.' }]);
  if (isSingle) {
    const band = { upTo: null, prices: pricesIn(prices, 'prices', problems) };
    if (problems.length > 0) throw validationError(problems);
    return readPrices([band]);
  }
  let lower = 0;
  const read = given.map(({ upTo = null, prices: one }, index): StoredBand => {
    const path = `bands.${index}`;
    const isLast = index === given.length - 1;
    if (isLast !== (upTo === null))
      problems.push({
        field: `${path}.upTo`,
        message: isLast ? 'must be null in the last band' : 'is required in every band except the last',
      });
    if (upTo !== null && upTo <= lower)
      problems.push({ field: `${path}.upTo`, message: 'must be greater than in the previous band' });
    lower = upTo ?? lower;
    return { upTo, prices: pricesIn(one, `${path}.prices`, problems) };
  });
  if (problems.length > 0) throw validationError(problems);
  return readPrices(read);
}

/** Returns the ID of the model: a model of the catalog by ID or name, or a new model with an ID in the format `provider/name`. */
async function modelIdOf(ctx: Context, id: string): Promise<string> {
  if (partsOfId(id) !== null) return id;
  return (await requireModel(ctx, id)).id;
}

/** Adds a price that applies from `validFrom`. Later prices of the model are removed. */
async function addPrice(
  tx: Context,
  modelId: string,
  prices: ModelPrices | null,
  validFrom: Date,
): Promise<OwnPriceRow> {
  await tx.db.ownModelPrice.deleteMany({ where: { modelId, validFrom: { gt: validFrom } } });
  return tx.db.ownModelPrice.create({
    data: {
      id: newId('omp'),
      seq: await nextSeq(tx),
      modelId,
      name: partsOfId(modelId)?.name ?? modelId,
      validFrom,
      prices: prices === null ? null : storedPrices(prices),
      createdAt: tx.clock.now(),
    },
  });
}

/**
 * Sets an environment's own prices of an AI model, which take precedence over the shared catalog (PRM-118). Replaces prices that were
 * scheduled for a later time. Fails with `model_not_found` if the ID has no provider and matches no model. Fails with
 * `validation_error` if the prices are invalid.
 */
export const setModelPrice = (ctx: Context, input: OwnPriceInput): Promise<OwnPriceRow> =>
  inTransaction(ctx, async (tx) => {
    const prices = checkedPrices(input);
    const now = tx.clock.now();
    const validFrom = input.validFrom ?? now;
    if (validFrom < now) throw validationError([{ field: 'validFrom', message: "can't be in the past" }]);
    const id = await modelIdOf(tx, input.id);
    const own = await findOwnPrices(tx, null);
    if (!own.has(id) && own.size >= mostModels)
      throw validationError([
        { field: 'id', message: `An environment can have up to ${mostModels} models with own prices.` },
      ]);
    return addPrice(tx, id, prices, validFrom);
  });

/**
 * Ends an environment's own prices of an AI model at the current time, and removes prices that were scheduled for a later time. Fails with
 * `model_not_found` if no model matches. Fails with `not_found` if the model has no own prices.
 */
export const clearModelPrice = (
  ctx: Context,
  input: { readonly id: string },
): Promise<{ readonly modelId: string }> =>
  inTransaction(ctx, async (tx) => {
    const modelId = await modelIdOf(tx, input.id);
    const now = tx.clock.now();
    const scheduled = await tx.db.ownModelPrice.deleteMany({ where: { modelId, validFrom: { gt: now } } });
    if ((await findOwnPrices(tx, [modelId])).has(modelId)) await addPrice(tx, modelId, null, now);
    else if (scheduled.count === 0) throw specificError('not_found', 'model_price', { param: 'id' });
    return { modelId };
  });
