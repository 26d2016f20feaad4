import type { Metadata } from '../../domain/json.ts';
import { builder } from '../../graphql/builder.ts';
import { DeletedObject } from '../../graphql/deleted.ts';
import { Viewer } from '../members/types.ts';
import { deleteView } from './delete.ts';
import { setPreferences } from './set-preferences.ts';
import { saveView } from './store-view.ts';
import { SavedView } from './types.ts';

const SavedViewSaveInput = builder.inputType('SavedViewSaveInput', {
  description: 'A view to save.',
  fields: (t) => ({
    id: t.id({ description: 'A view of the member to change; without it another one is made.' }),
    list: t.string({
      required: true,
      rule: { minLength: 1, maxLength: 64, pattern: /^[A-Za-z][A-Za-z0-9_-]*$/ },
      description: 'The list it belongs to: up to 64 letters, digits, `_` and `-`.',
    }),
    name: t.string({
      required: true,
      rule: { minLength: 1, maxLength: 100 },
      description: 'What it is called, 1 to 100 characters; once per list and person.',
    }),
    settings: t.field({
      type: 'Json',
      required: true,
      description: 'What it keeps, up to 16 KB as JSON.',
    }),
    isShared: t.boolean({ description: 'Whether every member sees it. Defaults to false.' }),
  }),
});

builder.mutationField('savedViewSave', (t) =>
  t.field({
    type: SavedView,
    description:
      'Saves a view of a list. `not_found` for an id that is not a view of the member, `duplicate` for a name the member has in the list already.',
    errors: ['not_found', 'duplicate'],
    access: { member: 'member' },
    args: { input: t.arg({ type: SavedViewSaveInput, required: true, description: 'The view.' }) },
    resolve: (_root, { input }, ctx) =>
      // JSON as it came in.
      saveView(ctx, { ...input, settings: input.settings as Metadata }),
  }),
);

const SavedViewDeleteInput = builder.inputType('SavedViewDeleteInput', {
  description: 'Which view to delete.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Id of the view.' }) }),
});

builder.mutationField('savedViewDelete', (t) =>
  t.field({
    type: DeletedObject,
    description: 'Deletes a view of the member; admins can also delete a shared one. `not_found`.',
    errors: ['not_found'],
    access: { member: 'member' },
    args: { input: t.arg({ type: SavedViewDeleteInput, required: true, description: 'The view.' }) },
    resolve: (_root, { input }, ctx) => deleteView(ctx, input.id),
  }),
);

const ViewerPreferencesSetInput = builder.inputType('ViewerPreferencesSetInput', {
  description: 'What a dashboard keeps for a person.',
  fields: (t) => ({
    preferences: t.field({
      type: 'Json',
      required: true,
      description: 'Replaces what is kept; up to 16 KB as JSON.',
    }),
  }),
});

builder.mutationField('viewerPreferencesSet', (t) =>
  t.field({
    type: Viewer,
    description: 'Keeps preferences of the person who is signed in, for every organization.',
    access: { person: true },
    args: {
      input: t.arg({ type: ViewerPreferencesSetInput, required: true, description: 'The preferences.' }),
    },
    resolve: (_root, { input }, ctx) =>
      // JSON as it came in.
      setPreferences(ctx, input.preferences as Metadata),
  }),
);
