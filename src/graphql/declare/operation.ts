import type { FieldKind, SchemaTypes, ShapeFromTypeParam, TypeParam } from '@pothos/core';
import type { Context } from '../../request/context.ts';
import { addFieldMethod } from './computed.ts';

// Field builder method for mutations that are declared as operations.

declare global {
  export namespace PothosSchemaTypes {
    interface RootFieldBuilder<Types extends SchemaTypes, ParentShape, Kind extends FieldKind = FieldKind> {
      /** Mutation field that executes an operation. Its only argument is the input of the operation. */
      operation: <Type extends TypeParam<Types>>(
        operation: {
          readonly input: object;
          readonly execute: (
            ctx: Types['Context'],
            input: never,
          ) => Promise<ShapeFromTypeParam<Types, Type, false>>;
        },
        options: Pick<
          PothosSchemaTypes.FieldOptions<Types, unknown, Type>,
          'type' | 'description' | 'access' | 'movesMoney' | 'rest' | 'errors'
        >,
      ) => FieldRef<Types, ShapeFromTypeParam<Types, Type, false>, Kind>;
    }
  }
}

type Executable = {
  readonly input: object;
  readonly execute: (ctx: Context, input: object) => Promise<unknown>;
};

addFieldMethod('operation', function operation({ input: type, execute }: Executable, options: object) {
  return this.field({
    ...options,
    args: { input: this.arg({ type, required: true }) },
    resolve: (_root: unknown, { input }: { readonly input: object }, ctx: Context) => execute(ctx, input),
  });
});
