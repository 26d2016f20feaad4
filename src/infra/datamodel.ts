import { getDatamodel } from '../generated/pothos.ts';

/** A column or relation of a model; `kind` is `object` for relations, `enum` or `scalar` for columns. */
export type ModelField = { readonly name: string; readonly kind: string; readonly type: string; readonly isList: boolean };

/** Prisma's description of the database, read once. */
export const datamodel = getDatamodel();

/** The fields of every model, by the model's name. The generated type keeps the description to itself. */
export const modelFields = new Map(
  Object.entries(
    (datamodel as unknown as { datamodel: { models: Record<string, { fields: readonly ModelField[] }> } }).datamodel.models,
  ).map(([model, { fields }]) => [model, fields]),
);
