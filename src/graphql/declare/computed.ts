import {
  type FieldKind,
  type FieldNullability,
  type FieldOptionsFromKind,
  type InputFieldMap,
  RootFieldBuilder,
  type SchemaTypes,
  type ShapeFromTypeParam,
  type TypeParam,
} from '@pothos/core';
import type { Context } from '../../request/context.ts';

// Field builder methods for computed fields, and a helper that adds methods to the field builder.

declare global {
  export namespace PothosSchemaTypes {
    interface RootFieldBuilder<Types extends SchemaTypes, ParentShape, Kind extends FieldKind = FieldKind> {
      /** Field whose resolver receives only the listed columns. No other columns are read for the field. */
      computed: <
        const Column extends keyof ParentShape & string,
        Type extends TypeParam<Types>,
        ResolveReturnShape,
        Nullable extends FieldNullability<Type> = Types['DefaultFieldNullability'],
        Args extends InputFieldMap = Record<never, never>,
      >(
        options: { readonly columns: readonly Column[] } & FieldOptionsFromKind<
          Types,
          Pick<ParentShape, Column>,
          Type,
          Nullable,
          Args,
          Kind,
          unknown,
          ResolveReturnShape
        >,
      ) => FieldRef<Types, ShapeFromTypeParam<Types, Type, Nullable>, Kind>;

      /** Field that is true in the live environment. Doesn't read a column. */
      livemode: () => FieldRef<Types, boolean, Kind>;

      /** Fields of every resource: `object` with the resource's name, and `livemode`. */
      resource: (name: string) => Record<'object' | 'livemode', FieldRef<Types, unknown, Kind>>;
    }
  }
}

/** Field builder type that generic plugins can use for any schema. */
type AnyFieldBuilder = {
  readonly builder: PothosSchemaTypes.SchemaBuilder<SchemaTypes>;
  readonly model?: string;
  readonly arg: (options: object) => unknown;
  readonly field: (options: object) => unknown;
  readonly expose: (name: string, options: object) => unknown;
  readonly column: (name: string) => unknown;
  readonly livemode: () => unknown;
};

export function addFieldMethod(
  name: string,
  method: (this: AnyFieldBuilder, ...args: never[]) => unknown,
): void {
  Object.defineProperty(RootFieldBuilder.prototype, name, { value: method });
}

addFieldMethod('computed', function computed(options: object) {
  return this.field(options);
});

addFieldMethod('livemode', function livemode() {
  return this.field({
    type: 'Boolean',
    description: '`true` in the live environment, `false` in the sandbox.',
    columns: [],
    resolve: (_parent: unknown, _args: object, ctx: Context) => ctx.livemode,
  });
});

addFieldMethod('resource', function resource(name: string) {
  const object = this.field({
    type: 'String',
    description: `Always \`${name}\`.`,
    resolve: () => name,
  });
  return { object, livemode: this.livemode() };
});
