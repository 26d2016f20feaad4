import type { Document } from '../../../../ui/documents.ts';
import { ApiError } from '../../../data/api-error.ts';
import { type ActionState, useAction } from '../../../data/hooks.ts';
import type { Deletion } from './delete-button.tsx';

/** The mutations of a thing of the catalog. */
type Mutations<Made, Changed, New, Changes> = {
  readonly create: Document<Made, { readonly input: New }>;
  readonly update: Document<Changed, { readonly input: Changes }>;
  readonly remove: Deletion<{ readonly id: string }>['document'];
};

/** A thing of the catalog that is made, changed or deleted. */
export type CatalogEdit<New, Changes> = {
  /** Makes it from one input, or changes it by the other. */
  readonly save: (input: { readonly create: New; readonly update: Omit<Changes, 'id'> }) => Promise<void>;
  readonly isNew: boolean;
  readonly saving: ActionState;
  /** How it is deleted; null for a new one. */
  readonly deletion: Deletion<{ readonly id: string }> | null;
};

/** Makes a new thing where `id` is null, else changes or deletes the one with the id. `onDone` is called once that was accepted. */
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
          : // With its id, the rest of an input is all of it.
            await update({ input: { ...input.update, id } as Changes }),
      ),
    saving: id === null ? creating : updating,
    deletion: id === null ? null : { document: mutations.remove, input: { id }, onDone },
  };
}
