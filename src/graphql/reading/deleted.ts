import type { Context } from '../../request/context.ts';
import type { Access } from '../declare/access.ts';
import type { DeclaredError } from '../declare/field-errors.ts';
import { restView } from '../declare/rest.ts';
import { builder } from './builder.ts';

/** Result of a deletion: the ID of the deleted object and the name of its resource. */
export type DeletedShape = { readonly id: string; readonly object: string };

/** Object that every deletion mutation returns. */
export const DeletedObject = builder.objectRef<DeletedShape>('DeletedObject').implement({
  description: 'Confirmation of a deletion.',
  fields: (t) => ({
    deletedId: t.member('id', 'ID').describe('ID of the deleted object.'),
    deleted: t.boolean({ description: 'Always `true`.', resolve: () => true }),
    object: t.member('object', 'String').describe('Type of the deleted object, such as `plan`.'),
    livemode: t.livemode(),
  }),
});

restView('DeletedObject', 'DeletedObject', 'id: deletedId deleted object livemode');

/** Declaration of a deletion mutation. */
type Deletion = {
  /** Object with its article, such as `a plan`. */
  readonly of: string;
  /** Name and description of the input field that identifies the object. The name defaults to `id`. */
  readonly by?: 'code';
  readonly reference: string;
  readonly description: string;
  /** REST path. Absent if the mutation is available only over GraphQL. */
  readonly path?: string;
  /** REST view. Defaults to the view with all fields. */
  readonly view?: string;
  readonly errors: readonly DeclaredError[];
  readonly access: Access;
  readonly delete: (ctx: Context, reference: string) => Promise<DeletedShape>;
};

/** Adds a mutation that deletes an object, and the mutation's input type. */
export function deletionField(
  name: string,
  { of, by, reference, description, path, view = 'DeletedObject', delete: remove, ...options }: Deletion,
): void {
  const field = by ?? 'id';
  const Input = builder.inputType(`${name.charAt(0).toUpperCase()}${name.slice(1)}Input`, {
    description: `Parameters for deleting ${of}.`,
    fields: (t) => ({
      [field]: t.field({ type: by === undefined ? 'ID' : 'String', required: true, description: reference }),
    }),
  });
  builder.mutationField(name, (t) =>
    t.field({
      ...options,
      type: DeletedObject,
      description,
      ...(path !== undefined && { rest: { method: 'DELETE' as const, path, view } }),
      args: { input: t.arg({ type: Input, required: true }) },
      resolve: (_root, { input }, ctx) => remove(ctx, String(input[field])),
    }),
  );
}
