import type { FieldKind, SchemaTypes, ShapeFromTypeParam, TypeParam } from '@pothos/core';
import type { prismaModelName } from '@pothos/plugin-prisma';
import { foreignKeys, type ModelField, modelFields } from '../../platform/db/datamodel.ts';
import { isScale, type Scale } from './amount.ts';
import { addFieldMethod } from './computed.ts';

// Field builder methods for fields that return a column of a row, or a property of another object, without a resolver.

/** Options that override the column's description and nullability in the model. */
type ColumnOptions = { readonly description?: string; readonly nullable?: true };

/** Column names of a row. `never` for objects that aren't rows. */
type ColumnOf<Shape> = typeof prismaModelName extends keyof Shape ? keyof Shape & string : never;

/** TypeScript type of a field's value. Amounts are integers. */
type Value<Types extends SchemaTypes, Type, Nullable extends boolean> =
  Type extends TypeParam<Types>
    ? ShapeFromTypeParam<Types, Type, Nullable>
    : Type extends Scale
      ? number | bigint | (Nullable extends true ? null | undefined : never)
      : never;

/** Fields can return read-only lists, although Pothos's list types are mutable. */
type Mutable<Value> = Value extends readonly (infer Item)[] ? Item[] : Value;

/**
 * Names of the properties that a field with this type can return. Properties with promises are excluded, because
 * compiled operations read properties directly and promises need a resolver.
 */
type MemberOf<Types extends SchemaTypes, Shape, Type, Nullable extends boolean> = {
  [Name in keyof Shape]-?: Mutable<Shape[Name]> extends Value<Types, Type, Nullable> ? Name : never;
}[keyof Shape] &
  string;

/** Field that still lacks a description, which `describe` adds. */
type Undescribed<Field> = { readonly describe: (description: string) => Field };

declare global {
  export namespace PothosSchemaTypes {
    interface RootFieldBuilder<Types extends SchemaTypes, ParentShape, Kind extends FieldKind = FieldKind> {
      /** Fields with the same names as their columns. The model determines their types, nullability, scales and descriptions. */
      columns: <const Name extends ColumnOf<ParentShape>>(
        ...names: readonly Name[]
      ) => Record<Name, FieldRef<Types, unknown, Kind>>;

      /** Field for a column, if the field's name, description or nullability differs from the model. */
      column: (name: ColumnOf<ParentShape>, options?: ColumnOptions) => FieldRef<Types, unknown, Kind>;

      /** Field that returns a property of the object. For an amount, `type` is the scale. */
      member: <Type extends TypeParam<Types> | Scale, Name extends MemberOf<Types, ParentShape, Type, false>>(
        name: Name,
        type: Type,
      ) => Undescribed<FieldRef<Types, unknown, Kind>>;

      /** Nullable field that returns a property of the object. */
      maybe: <Type extends TypeParam<Types> | Scale, Name extends MemberOf<Types, ParentShape, Type, true>>(
        name: Name,
        type: Type,
      ) => Undescribed<FieldRef<Types, unknown, Kind>>;
    }
  }
}

const scalars: Readonly<Record<string, string>> = {
  String: 'String',
  Int: 'Int',
  BigInt: 'SafeInt',
  Boolean: 'Boolean',
  DateTime: 'DateTime',
  Json: 'Json',
};

/** Returns the GraphQL type of a column: the type in its mark, the enum of the same name, `ID` for keys, or a scalar. */
function typeOf(model: string, { name, kind, type, isList, marks }: ModelField): string {
  const isKey = name === 'id' || foreignKeys(model).includes(name);
  const found = marks.get('type') ?? (kind === 'enum' ? type : isKey ? 'ID' : scalars[type]);
  if (found === undefined || isList) throw new Error(`${model}.${name} has no GraphQL type.`);
  return found;
}

/** Returns the scale of an amount. Undefined for other columns. A big integer must be marked as an amount or a count. */
function scaleIn(model: string, { name, type, marks }: ModelField): Scale | undefined {
  const scale = marks.get('amount');
  if (isScale(scale)) return scale;
  if (type === 'BigInt' && !marks.has('count'))
    throw new Error(`${model}.${name} needs the mark @amount MINOR, @amount RATE or @count.`);
  return undefined;
}

/** Returns the field options that the model determines for a column. */
export function fieldOfColumn(model: string, name: string) {
  const column = modelFields.get(model)?.find((field) => field.name === name);
  if (column === undefined) throw new Error(`${model} has no column ${name}.`);
  return { type: typeOf(model, column), nullable: !column.isRequired, amount: scaleIn(model, column) };
}

addFieldMethod('column', function column(name: string, options: ColumnOptions = {}) {
  return this.expose(name, { ...fieldOfColumn(this.model ?? '', name), ...options });
});

addFieldMethod('columns', function columns(...names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, this.column(name)]));
});

const typed = (type: unknown): object => (isScale(type) ? { type: 'SafeInt', amount: type } : { type });

addFieldMethod('member', function member(name: string, type: unknown) {
  return { describe: (description: string) => this.expose(name, { ...typed(type), description }) };
});

addFieldMethod('maybe', function maybe(name: string, type: unknown) {
  const describe = (description: string) =>
    this.expose(name, { ...typed(type), nullable: true, description });
  return { describe };
});
