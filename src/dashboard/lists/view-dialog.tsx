import { useId } from 'react';
import type { PlainPageName } from '../address.ts';
import { useAction } from '../data/hooks.ts';
import { Button } from '../kit/button.tsx';
import { Switch } from '../kit/choice.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { Form } from '../kit/form.tsx';
import { Stack } from '../kit/layout.tsx';
import { useKit } from '../kit/provider.tsx';
import { TextField } from '../kit/text-field.tsx';
import { useDraft } from '../kit/use-draft.ts';
import { AskDialog } from '../shell/ask-dialog.tsx';
import { Rejection } from '../shell/rejection.tsx';
import { useWords } from '../words/words.ts';
import {
  SavedViewKeepDocument,
  SavedViewRemoveDocument,
  type SavedViewRowFragment,
} from './saved-views.graphql';
import type { ViewSearch } from './view-search.ts';

type ViewDialogProps = {
  readonly list: PlainPageName;
  /** View to rename or share. `null` to create a view. */
  readonly view: SavedViewRowFragment | null;
  /** Query parameters that a new view stores. */
  readonly search: ViewSearch;
  readonly onClose: () => void;
  /** Called with the ID of the saved view. */
  readonly onDone: (id: string) => void;
};

/** Dialog that sets the name of a view and whether other members can see the view. */
export function ViewDialog({ list, view, search, onClose, onDone }: ViewDialogProps) {
  const words = useWords('lists');
  const { words: kit } = useKit();
  const id = useId();
  const [keep, { isRunning, error }] = useAction(SavedViewKeepDocument);
  const draft = useDraft(
    { name: view?.name ?? '', isShared: view?.isShared ?? false },
    {
      isReady: ({ name }) => name.trim() !== '',
      send: ({ name, isShared }) => {
        const settings = view === null ? { search } : view.settings;
        return keep({
          input: { ...(view !== null && { id: view.id }), list, name: name.trim(), isShared, settings },
        });
      },
      onDone: ({ savedViewSave }) => {
        onDone(savedViewSave.id);
        onClose();
      },
    },
  );
  const { choice, field } = draft;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={view === null ? words.saveTitle : words.editTitle}
      size="sm"
      actions={
        <>
          <Button slot="close">{kit.cancel}</Button>
          <Button kind="primary" type="submit" form={id} isDisabled={!draft.isReady} isPending={isRunning}>
            {words.saveView}
          </Button>
        </>
      }
    >
      <Form id={id} draft={draft} errors={error?.details ?? []}>
        <Stack gap={4}>
          <TextField name="name" label={words.name} {...field('name')} maxLength={100} isRequired autoFocus />
          <Switch {...choice('isShared')}>{words.share}</Switch>
          <Rejection error={error} />
        </Stack>
      </Form>
    </Dialog>
  );
}

type DeleteViewProps = Pick<ViewDialogProps, 'onClose'> & {
  readonly view: SavedViewRowFragment;
  readonly onDone: () => void;
};

export function DeleteView({ view, onClose, onDone }: DeleteViewProps) {
  const words = useWords('lists');
  return (
    <AskDialog
      document={SavedViewRemoveDocument}
      input={{ id: view.id }}
      title={words.removeTitle({ name: view.name })}
      texts={[view.isShared ? words.removeShared : words.removeOwn]}
      confirm={words.removeView}
      onDone={onDone}
      onClose={onClose}
    />
  );
}
