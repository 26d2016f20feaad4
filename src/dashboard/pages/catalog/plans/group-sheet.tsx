import { useState } from 'react';
import { ApiError } from '../../../data/api-error.ts';
import { useAction } from '../../../data/hooks.ts';
import { Button } from '../../../kit/button.tsx';
import { Switch } from '../../../kit/choice.tsx';
import { ConfirmDialog } from '../../../kit/dialog.tsx';
import { Stack } from '../../../kit/layout.tsx';
import { Text } from '../../../kit/text.tsx';
import { TextArea, TextField } from '../../../kit/text-field.tsx';
import { Rejection } from '../../../parts/catalog/rejection.tsx';
import type { catalog } from '../../../words/en/catalog.ts';
import type { plans as planWords } from '../../../words/en/plans.ts';
import { useWords } from '../../../words/words.ts';
import { EditSheet } from '../parts/edit-sheet.tsx';
import {
  CatalogGroupCreateDocument,
  CatalogGroupDeleteDocument,
  CatalogGroupUpdateDocument,
} from './page.graphql';

type GroupSheetProps = {
  /** Null for a new group. */
  readonly group: {
    readonly id: string;
    readonly name: string;
    readonly description: string | null;
    readonly isPublic: boolean;
  } | null;
  readonly onClose: () => void;
  readonly onDone: () => void;
};

/** Makes a plan group, or edits or deletes one. Its plans join on their own pages. */
export function GroupSheet({ group, onClose, onDone }: GroupSheetProps) {
  const words = useWords<typeof planWords>('plans');
  const common = useWords<typeof catalog>('catalog');
  const [name, setName] = useState(group?.name ?? '');
  const [description, setDescription] = useState(group?.description ?? '');
  const [isPublic, setPublic] = useState(group?.isPublic ?? true);
  const [isAsking, setAsking] = useState(false);
  const [create, creating] = useAction(CatalogGroupCreateDocument);
  const [update, updating] = useAction(CatalogGroupUpdateDocument);
  const [remove, removing] = useAction(CatalogGroupDeleteDocument);
  const save = async () => {
    const values = { name, description: description || null, isPublic };
    const result =
      group === null ? await create({ input: values }) : await update({ input: { id: group.id, ...values } });
    if (!(result instanceof ApiError)) onDone();
  };
  const confirm = async () => {
    if (group === null) return;
    if (!((await remove({ input: { id: group.id } })) instanceof ApiError)) onDone();
  };
  return (
    <EditSheet
      title={group?.name ?? words.newGroup}
      save={group === null ? words.createGroup : common.verbs.save}
      isReady={name.trim() !== ''}
      onSave={() => void save()}
      onClose={onClose}
      isRunning={creating.isRunning || updating.isRunning}
      error={creating.error ?? updating.error}
      others={
        group !== null && (
          <Button kind="quiet" onPress={() => setAsking(true)}>
            {common.verbs.delete}
          </Button>
        )
      }
    >
      <Stack gap={4}>
        <TextField
          label={common.name}
          name="name"
          value={name}
          onChange={setName}
          maxLength={200}
          autoFocus
        />
        <TextArea
          label={common.description}
          name="description"
          isOptional
          value={description}
          onChange={setDescription}
          maxLength={2_000}
          rows={2}
        />
        <Switch isSelected={isPublic} onChange={setPublic} help={words.groupPublicHelp}>
          {words.groupPublic}
        </Switch>
        <Text color="muted">{words.groupText}</Text>
      </Stack>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={words.deleteGroup(group?.name ?? '')}
        confirm={common.verbs.delete}
        isPending={removing.isRunning}
        onConfirm={() => void confirm()}
      >
        <Stack gap={3}>
          <Text>{words.deleteGroupText}</Text>
          <Rejection error={removing.error} />
        </Stack>
      </ConfirmDialog>
    </EditSheet>
  );
}
