import { type ReactNode, useId } from 'react';
import type { ApiError } from '../../../data/api-error.ts';
import { Button } from '../../../kit/button.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { Form } from '../../../kit/form.tsx';
import { Stack } from '../../../kit/layout.tsx';
import type { FormDraft } from '../../../kit/use-draft.ts';
import { Rejection } from '../../../shell/rejection.tsx';
import { useWords } from '../../../words/words.ts';

type FormDialogProps = {
  readonly title: string;
  readonly save: string;
  readonly error: ApiError | null;
  readonly isRunning: boolean;
  readonly draft: FormDraft;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

/** Dialog with a short form. An error is shown above the buttons. */
export function FormDialog({ title, save, error, isRunning, draft, onClose, children }: FormDialogProps) {
  const words = useWords('settings');
  const id = useId();
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button slot="close">{words.cancel}</Button>
          <Button kind="primary" type="submit" form={id} isPending={isRunning} isDisabled={!draft.isReady}>
            {save}
          </Button>
        </>
      }
    >
      <Form id={id} draft={draft} errors={error?.details ?? []}>
        <Stack gap={4}>
          {children}
          {error?.details.length === 0 && <Rejection error={error} />}
        </Stack>
      </Form>
    </Dialog>
  );
}
