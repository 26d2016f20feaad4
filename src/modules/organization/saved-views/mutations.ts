import type { Metadata } from '../../../domain/text/json.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { deletionField } from '../../../graphql/reading/deleted.ts';
import { Viewer } from '../members/types.ts';
import { deleteView } from './delete.ts';
import { setPreferences } from './set-preferences.ts';
import { saveView } from './store-view.ts';
import { SavedView } from './types.ts';

const SavedViewSaveInput = builder.inputType('SavedViewSaveInput', {
  description: 'Parameters for saving a view.',
  fields: (t) => ({
    id: t.id({ description: 'ID of the view to update. If omitted, a new view is created.' }),
    list: t.string({
      required: true,
      rule: { minLength: 1, maxLength: 64, pattern: /^[A-Za-z][A-Za-z0-9_-]*$/ },
      description: 'List that the view belongs to. Up to 64 letters, digits, `_`, and `-`.',
    }),
    name: t.string({
      required: true,
      rule: { minLength: 1, maxLength: 100 },
      description: 'Name of the view, from 1 to 100 characters. Unique per list and person.',
    }),
    settings: t.field({
      type: 'Json',
      required: true,
      description: 'Settings of the view, up to 16 KiB as JSON.',
    }),
    isShared: t.boolean({ description: 'Whether every member sees the view. Defaults to `false`.' }),
  }),
});

builder.mutationField('savedViewSave', (t) =>
  t.field({
    type: SavedView,
    description: 'Creates or updates a saved view of a list.',
    errors: [
      ['not_found', 'the member has no view with this `id`'],
      ['duplicate', 'the member already has a view with this name for the list'],
    ],
    access: { member: 'any' },
    args: { input: t.arg({ type: SavedViewSaveInput, required: true }) },
    resolve: (_root, { input }, ctx) =>
      // The settings are stored as received, without validation of their content.
      saveView(ctx, { ...input, settings: input.settings as Metadata }),
  }),
);

deletionField('savedViewDelete', {
  of: 'a saved view',
  reference: 'ID of the view.',
  description:
    'Deletes a saved view of the signed-in member. Admins can also delete shared views of other members.',
  errors: ['not_found'],
  access: { member: 'any' },
  delete: (ctx, id) => deleteView(ctx, id),
});

const ViewerPreferencesSetInput = builder.inputType('ViewerPreferencesSetInput', {
  description: 'Parameters for setting the preferences of the signed-in person.',
  fields: (t) => ({
    preferences: t.field({
      type: 'Json',
      required: true,
      description: 'New preferences, up to 16 KiB as JSON. Replaces all existing preferences.',
    }),
  }),
});

builder.mutationField('viewerPreferencesSet', (t) =>
  t.field({
    type: Viewer,
    description: 'Sets the dashboard preferences of the signed-in person, for every organization.',
    access: { person: true },
    args: {
      input: t.arg({ type: ViewerPreferencesSetInput, required: true }),
    },
    resolve: (_root, { input }, ctx) =>
      // The preferences are stored as received, without validation of their content.
      setPreferences(ctx, input.preferences as Metadata),
  }),
);
