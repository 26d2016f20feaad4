import { getDatamodel } from '../../generated/pothos.ts';
import type { Prisma } from '../../generated/prisma/client.ts';

/** Column or relation of a model. `kind` is `object` for relations. */
export type ModelField = {
  readonly name: string;
  readonly kind: string;
  readonly type: string;
  readonly isList: boolean;
  readonly isRequired: boolean;
  /** Name of the relation, which both sides share. Undefined for columns. */
  readonly relationName?: string;
  /** Foreign key columns of a relation. Empty on the referenced side. */
  readonly relationFromFields?: readonly string[];
  /** Marks in the column's comment, by name. The mark of `/// @amount MINOR` is `amount`, with the value `MINOR`. */
  readonly marks: ReadonlyMap<string, string>;
};

/** Field whose comment this module rewrites. Pothos reads the description from `documentation`. */
type CommentedField = ModelField & { documentation?: string; marks: ModelField['marks'] };

/** Prisma schema as data, parsed once. The API uses the `///` comments of columns as descriptions. */
export const datamodel = getDatamodel();

/** Fields of each model. The cast is needed because the generated type doesn't declare the fields. */
export const modelFields = new Map(
  Object.entries(
    (
      datamodel as unknown as {
        datamodel: { models: Record<string, { fields: readonly CommentedField[] }> };
      }
    ).datamodel.models,
  ).map(([model, { fields }]) => [model, fields]),
);

const isMark = (line: string): boolean => line.startsWith('@');

/** Returns the name and value of a column's mark, such as `@amount MINOR`. */
function markOf(line: string): [string, string] {
  const [name = '', value = ''] = line.slice(1).split(' ');
  return [name, value];
}

// Separates marks from text, joins the lines of the text, and removes the `[Name]` prefix that declares the TypeScript type of a column.
for (const field of [...modelFields.values()].flat()) {
  const lines = field.documentation?.replace(/^\[\w+\]\s*/, '').split('\n') ?? [];
  const text = lines.filter((line) => !isMark(line)).join(' ');
  field.marks = new Map(lines.filter(isMark).map(markOf));
  if (text === '') delete field.documentation;
  else field.documentation = text;
}

/** Relation between rows in an environment: the column `by` of the related `model` equals the row's `column`. */
export type Relation = {
  readonly model: Prisma.ModelName;
  readonly column: string;
  readonly by: string;
  /** True if a related row always exists, and for lists of related rows. */
  readonly isRequired: boolean;
};

/** Returns the columns of a model that are part of a foreign key. */
export const foreignKeys = (model: string): readonly string[] =>
  (modelFields.get(model) ?? []).flatMap(({ relationFromFields = [] }) => relationFromFields);

/** Returns the foreign key column that isn't the environment ID. */
function keyColumn(model: string, { name, relationFromFields = [] }: ModelField): string {
  const [column, ...more] = relationFromFields.filter((field) => field !== 'environmentId');
  if (column === undefined || more.length > 0 || !relationFromFields.includes('environmentId'))
    throw new Error(`${model}.${name} is no relation of tables of one environment by an id.`);
  return column;
}

/** Returns a relation of a model. Throws if the relation leads to another environment or its foreign key has more than one ID. */
export function relationOf(model: string, name: string): Relation {
  const field = modelFields.get(model)?.find((one) => one.name === name);
  const target = modelFields.get(field?.type ?? '');
  if (field === undefined || target === undefined) throw new Error(`${model} has no relation ${name}.`);
  // The field's type is always a model, because both come from the same data model.
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

/** Returns the SQL type of a column. Throws for unsupported types. */
export function sqlTypeOf(model: string, { name, kind, type, isList }: ModelField): string {
  const sqlType = kind === 'enum' ? `"${type}"` : sqlTypes[type];
  if (sqlType === undefined)
    throw new Error(`${model}.${name} has the type ${type}, which statements do not know.`);
  return isList ? `${sqlType}[]` : sqlType;
}
