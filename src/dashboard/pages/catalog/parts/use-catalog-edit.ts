import type { Document } from '../../../../ui/documents.ts';
import { ApiError } from '../../../data/api-error.ts';
import { type ActionState, useAction } from '../../../data/hooks.ts';
import type { Deletion } from './delete-button.tsx';

/** Mutations that create, update and delete a catalog object. */
type Mutations<Made, Changed, New, Changes> = {
  readonly create: Document<Made, { readonly input: New }>;
  readonly update: Document<Changed, { readonly input: Changes }>;
  readonly remove: Deletion<{ readonly id: string }>['document'];
};

/** Form state of a catalog object, and the actions that save and delete the object. */
export type CatalogEdit<New, Changes> = {
  /** Creates the object with the input `create`, or updates it with the input `update`. */
  readonly save: (input: { readonly create: New; readonly update: Omit<Changes, 'id'> }) => Promise<void>;
  readonly isNew: boolean;
  readonly saving: ActionState;
  /** Deletes the object. `null` for a new object. */
  readonly deletion: Deletion<{ readonly id: string }> | null;
};

/** Creates an object if `id` is `null`. Otherwise, updates or deletes the object with that ID. Calls `onDone` after success. */
export function useCatalogEdit<Made, Changed, New extends object, Changes extends { readonly id: string }>(
  id: string | null,
  mutations: Mutations<Made, Changed, New, Changes>,
  onDone: () => void,
): CatalogEdit<New, Changes> {
  const [create, creating] = useAction(mutations.create);
  const [update, updating] = useAction(mutations.update);
  const end = (result: unknown) => {
    if (!(result instanceof ApiError)) onDone();
  };
  return {
    isNew: id === null,
    save: async (input) =>
      end(
        id === null
          ? await create({ input: input.create })
          : // Adding the ID completes the input.
            await update({ input: { ...input.update, id } as Changes }),
      ),
    saving: id === null ? creating : updating,
    deletion: id === null ? null : { document: mutations.remove, input: { id }, onDone },
  };
}
