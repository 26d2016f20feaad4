import { useAction } from '../../data/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Form, FormActions } from '../../kit/form.tsx';
import { TextField } from '../../kit/text-field.tsx';
import { useDraft } from '../../kit/use-draft.ts';
import { AskDialog } from '../../shell/ask-dialog.tsx';
import { notify } from '../../shell/notices.ts';
import { Rejection } from '../../shell/rejection.tsx';
import { useWords } from '../../words/words.ts';
import { AccountPasskeyRemoveDocument, AccountPasskeyUpdateDocument } from './page.graphql';

type DialogProps = {
  readonly id: string;
  readonly name: string;
  readonly onClose: () => void;
  readonly onChanged: () => void;
};

/** Dialog that renames a passkey. */
export function RenamePasskey({ id, name, onClose, onChanged }: DialogProps) {
  const words = useWords('account');
  const [update, { isRunning, error }] = useAction(AccountPasskeyUpdateDocument);
  const draft = useDraft(
    { name },
    {
      isReady: (typed) => typed.name.trim() !== '',
      send: (typed) => update({ input: { id, name: typed.name.trim() } }),
      onDone: () => {
        notify(words.passkeyRenamed);
        onChanged();
        onClose();
      },
    },
  );
  return (
    <Dialog isOpen onClose={onClose} title={words.renamePasskey} size="sm">
      <Form draft={draft} errors={error?.details ?? []}>
        <TextField
          name="name"
          label={words.passkeyName}
          value={draft.values.name}
          onChange={(typed) => draft.change({ name: typed })}
          maxLength={200}
          autoFocus
        />
        <Rejection error={error} />
        <FormActions>
          <Button type="submit" kind="primary" isDisabled={!draft.isReady} isPending={isRunning}>
            {words.rename}
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}

/** Confirmation before a passkey is removed. */
export function RemovePasskey({ id, name, onClose, onChanged }: DialogProps) {
  const words = useWords('account');
  return (
    <AskDialog
      document={AccountPasskeyRemoveDocument}
      input={{ id }}
      title={words.removePasskey({ name })}
      texts={[words.removePasskeyText]}
      confirm={words.removePasskeyAction}
      done={words.passkeyRemoved}
      onDone={onChanged}
      onClose={onClose}
    />
  );
}
