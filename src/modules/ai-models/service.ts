import DataLoader from 'dataloader';
import type { Context } from '../../context.ts';
import { QuittanceError, validationError } from '../../domain/errors.ts';
import { defaultPageSize, type Page, type PageArguments, pageWith } from '../../graphql/pagination.ts';
import {
  type AiModelPriceRow,
  type AiModelRow,
  findModels,
  type ModelFilter,
  readModels,
  readPriceHistory,
} from '../../infra/ai-model-rows.ts';
import type { Query } from '../../infra/db.ts';

const queryOf = ({ app, transaction }: Context): Query => transaction?.query ?? app.database.query;

/** The opaque place of a model in its list. */
const encodeCursor = ({ id }: AiModelRow): string => Buffer.from(`model.${id}`).toString('base64url');

/** Reads a cursor. Throws `validation_error` on `after` for anything this list did not hand out. */
function decodeCursor(cursor: string): string {
  const text = /^[A-Za-z0-9_-]+$/.test(cursor) ? Buffer.from(cursor, 'base64url').toString('utf8') : '';
  if (!text.startsWith('model.') || text.includes('\u0000')) {
    throw validationError([{ field: 'after', message: 'is not a cursor of this list' }]);
  }
  return text.slice('model.'.length);
}

/** A page of the models that match, by id. One statement. */
export async function listModels(context: Context, filter: ModelFilter, args: PageArguments): Promise<Page<AiModelRow>> {
  const size = args.first ?? defaultPageSize;
  const after = args.after ? decodeCursor(args.after) : null;
  return pageWith(await readModels(queryOf(context), filter, after, size + 1), size, encodeCursor);
}

/**
 * The model with this id, inactive or not, else the active one with this bare name. Throws `model_not_found` when there is none and when
 * several providers have one of the name (CON-32).
 */
export async function requireModel(context: Context, name: string): Promise<AiModelRow> {
  const models = await findModels(queryOf(context), name);
  const [model, another] = models.some(({ id }) => id === name) ? models.filter(({ id }) => id === name) : models;
  if (model === undefined || another !== undefined) {
    throw new QuittanceError('model_not_found', `There is no one AI model named ${name}.`, { param: 'id' });
  }
  return model;
}

/** How many states of its prices a model shows. */
export const maxHistory = 100;

/** The latest states the prices of a model have had, newest first. Batched. */
export function loadPriceHistory(context: Context, modelId: string): Promise<AiModelPriceRow[]> {
  const loader = context.once('ai-model:history', () => {
    return new DataLoader<string, AiModelPriceRow[]>(async (ids) => {
      const rows = Map.groupBy(await readPriceHistory(queryOf(context), ids, maxHistory), (row) => row.modelId);
      return ids.map((id) => rows.get(id) ?? []);
    });
  });
  return loader.load(modelId);
}
