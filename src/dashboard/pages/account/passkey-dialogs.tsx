import { useState } from 'react';
import { ApiError } from '../../data/api-error.ts';
import { useAction } from '../../data/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Form, FormActions } from '../../kit/form.tsx';
import { TextField } from '../../kit/text-field.tsx';
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
  const [typed, setTyped] = useState(name);
  const [update, { isRunning, error }] = useAction(AccountPasskeyUpdateDocument);
  async function save(): Promise<void> {
    if ((await update({ input: { id, name: typed.trim() } })) instanceof ApiError) return;
    notify(words.passkeyRenamed);
    onChanged();
    onClose();
  }
  return (
    <Dialog isOpen onClose={onClose} title={words.renamePasskey} size="sm">
      <Form onSubmit={() => void save()} errors={error?.details ?? []}>
        <TextField
          name="name"
          label={words.passkeyName}
          value={typed}
          onChange={setTyped}
          maxLength={200}
          autoFocus
        />
        <Rejection error={error} />
        <FormActions>
          <Button type="submit" kind="primary" isDisabled={typed.trim() === ''} isPending={isRunning}>
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
