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
import type { Context } from '../context.ts';

// Fields that are worked out, and how plugins of ours add methods to builders of fields.

declare global {
  export namespace PothosSchemaTypes {
    interface RootFieldBuilder<Types extends SchemaTypes, ParentShape, Kind extends FieldKind = FieldKind> {
      /** A field whose resolver receives the named columns of its row and no others, so that only those are read. */
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

      /** Whether the environment is live, which every resource shows. It uses no column. */
      livemode: () => FieldRef<Types, boolean, Kind>;
    }
  }
}

/** A builder of fields, seen from a plugin, which is generic over builders. */
type AnyFieldBuilder = {
  readonly builder: PothosSchemaTypes.SchemaBuilder<SchemaTypes>;
  readonly model?: string;
  readonly arg: (options: object) => unknown;
  readonly field: (options: object) => unknown;
};

/** Gives every builder of fields another method. */
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
    description: 'True for live data.',
    columns: [],
    resolve: (_parent: unknown, _args: object, ctx: Context) => ctx.livemode,
  });
});
