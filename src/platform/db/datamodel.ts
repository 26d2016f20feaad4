import { getDatamodel } from '../../generated/pothos.ts';
import type { Prisma } from '../../generated/prisma/client.ts';

/** A column or relation of a model; `kind` is `object` for relations, `enum` or `scalar` for columns. */
export type ModelField = {
  readonly name: string;
  readonly kind: string;
  readonly type: string;
  readonly isList: boolean;
  readonly isRequired: boolean;
  /** What both sides of a relation are named by; on relations only. */
  readonly relationName?: string;
  /** The foreign key; empty on the side the key points to. */
  readonly relationFromFields?: readonly string[];
};

/** Prisma's description of the database, read once. */
export const datamodel = getDatamodel();

/** The fields of every model, by the model's name. The generated type keeps the description to itself. */
export const modelFields = new Map(
  Object.entries(
    (datamodel as unknown as { datamodel: { models: Record<string, { fields: readonly ModelField[] }> } })
      .datamodel.models,
  ).map(([model, { fields }]) => [model, fields]),
);

/** A relation inside an environment: related rows of `model` have in `by` what the row itself has in `column`. */
export type Relation = {
  readonly model: Prisma.ModelName;
  readonly column: string;
  readonly by: string;
  /** Whether there always is one; true for lists. */
  readonly isRequired: boolean;
};

/** The column of a foreign key beside the environment, which is part of every key. */
function keyColumn(model: string, { name, relationFromFields = [] }: ModelField): string {
  const [column, ...more] = relationFromFields.filter((field) => field !== 'environmentId');
  if (column === undefined || more.length > 0 || !relationFromFields.includes('environmentId'))
    throw new Error(`${model}.${name} is no relation of tables of one environment by an id.`);
  return column;
}

/** The relation of a model by its name in the Prisma schema. Throws for one that leaves the environment, or whose key is more than an id. */
export function relationOf(model: string, name: string): Relation {
  const field = modelFields.get(model)?.find((one) => one.name === name);
  const target = modelFields.get(field?.type ?? '');
  if (field === undefined || target === undefined) throw new Error(`${model} has no relation ${name}.`);
  // Names of models and of their fields come from the same generated datamodel.
  const related = field.type as Prisma.ModelName;
  const { isRequired, relationName } = field;
  if (!field.isList) return { model: related, column: keyColumn(model, field), by: 'id', isRequired };
  const back = target.find((one) => !one.isList && one.relationName === relationName);
  if (back === undefined) throw new Error(`${model}.${name} leads nowhere.`);
  return { model: related, column: 'id', by: keyColumn(related, back), isRequired };
}

const sqlTypes: Readonly<Record<string, string>> = {
  String: 'text',
  Int: 'integer',
  BigInt: 'bigint',
  Boolean: 'boolean',
  DateTime: 'timestamptz',
  Json: 'jsonb',
};

/** The SQL type of a column. Throws for one whose type statements do not know. */
export function sqlTypeOf(model: string, { name, kind, type, isList }: ModelField): string {
  const sqlType = kind === 'enum' ? `"${type}"` : sqlTypes[type];
  if (sqlType === undefined)
    throw new Error(`${model}.${name} has the type ${type}, which statements do not know.`);
  return isList ? `${sqlType}[]` : sqlType;
}
