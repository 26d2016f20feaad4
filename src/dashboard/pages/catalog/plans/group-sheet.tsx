import { Switch } from '../../../kit/choice.tsx';
import { Stack } from '../../../kit/layout.tsx';
import { Text } from '../../../kit/text.tsx';
import { useWords } from '../../../words/words.ts';
import { CatalogSheet, DescriptionField, NameField } from '../parts/catalog-sheet.tsx';
import { useCatalogEdit } from '../parts/use-catalog-edit.ts';
import {
  CatalogGroupCreateDocument,
  CatalogGroupDeleteDocument,
  CatalogGroupUpdateDocument,
} from './page.graphql';

type GroupSheetProps = {
  /** Plan group to edit. `null` to create a group. */
  readonly group: {
    readonly id: string;
    readonly name: string;
    readonly description: string | null;
    readonly isPublic: boolean;
  } | null;
  readonly onClose: () => void;
  readonly onDone: () => void;
};

/** Sheet that creates, edits or deletes a plan group. Plans are assigned to a group on their own pages. */
export function GroupSheet({ group, onClose, onDone }: GroupSheetProps) {
  const words = useWords('plans');
  const edit = useCatalogEdit(group?.id ?? null, {
    create: CatalogGroupCreateDocument,
    update: CatalogGroupUpdateDocument,
    remove: CatalogGroupDeleteDocument,
    stored: {
      name: group?.name ?? '',
      description: group?.description ?? '',
      isPublic: group?.isPublic ?? true,
    },
    isReady: ({ name }) => name.trim() !== '',
    inputOf: (values) => {
      const input = { ...values, description: values.description || null };
      return { create: input, update: input };
    },
    onDone,
  });
  const { choice, field } = edit.draft;
  return (
    <CatalogSheet
      edit={edit}
      title={group?.name ?? words.newGroup}
      create={words.createGroup}
      deletion={{ title: words.deleteGroup({ name: group?.name ?? '' }), texts: [words.deleteGroupText] }}
      onClose={onClose}
    >
      <Stack gap={4}>
        <NameField {...field('name')} />
        <DescriptionField {...field('description')} />
        <Switch {...choice('isPublic')} help={words.groupPublicHelp}>
          {words.groupPublic}
        </Switch>
        <Text color="muted">{words.groupText}</Text>
      </Stack>
    </CatalogSheet>
  );
}
