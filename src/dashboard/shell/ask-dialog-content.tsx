import type { ReactNode } from 'react';
import type { Document } from '../../ui/documents.ts';
import { ApiError } from '../data/api-error.ts';
import { useAction } from '../data/hooks.ts';
import { ConfirmDialog } from '../kit/dialog.tsx';
import { Text } from '../kit/text.tsx';
import { notify } from './notices.ts';
import { Rejection } from './rejection.tsx';

type AskDialogProps<Result, Input> = {
  /** Mutation to send after the confirmation. */
  readonly document: Document<Result, { readonly input: Input }>;
  readonly input: Input;
  readonly title: ReactNode;
  /** Consequences of the action, one paragraph each. */
  readonly texts: readonly string[];
  readonly children?: ReactNode;
  /** Label of the confirm button, which names the result: "Refund $61.20". */
  readonly confirm: string;
  /** Label of the button that closes the dialog. Defaults to "Cancel". */
  readonly dismiss?: string;
  readonly kind?: 'primary' | 'danger';
  /** Name that the user must type to confirm an irreversible action. */
  readonly typedName?: string;
  /** Messages by error code. For other codes, the API's message is shown. */
  readonly errors?: Readonly<Record<string, string>>;
  /** Toast shown after the mutation succeeds. */
  readonly done?: string;
  /** Called with the result before the dialog closes. */
  readonly onDone?: (result: Result) => void;
  readonly onClose: () => void;
};

/**
 * Dialog that shows the consequences of a mutation, and sends it after confirmation. If the mutation is rejected, the dialog stays open and shows the
 * error.
 */
export function AskDialog<Result, Input>({
  document,
  input,
  texts,
  children,
  errors,
  done,
  onDone,
  onClose,
  ...dialog
}: AskDialogProps<Result, Input>) {
  const [run, { isRunning, error }] = useAction(document);
  const send = async () => {
    const result = await run({ input });
    if (result instanceof ApiError) return;
    if (done !== undefined) notify(done);
    onDone?.(result);
    onClose();
  };
  return (
    <ConfirmDialog {...dialog} isOpen onClose={onClose} isPending={isRunning} onConfirm={() => void send()}>
      {texts.map((text) => (
        <Text key={text} as="p">
          {text}
        </Text>
      ))}
      {children}
      <Rejection error={error} texts={errors} />
    </ConfirmDialog>
  );
}
