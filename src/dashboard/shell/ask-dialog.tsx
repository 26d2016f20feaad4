import type { ReactNode } from 'react';
import type { Document } from '../../ui/documents.ts';
import { ApiError } from '../data/api-error.ts';
import { useAction } from '../data/hooks.ts';
import { ConfirmDialog } from '../kit/dialog.tsx';
import { Text } from '../kit/text.tsx';
import { notify } from './notices.ts';
import { Rejection } from './rejection.tsx';

type AskDialogProps<Result, Input> = {
  /** The mutation that is sent once somebody agrees, and its input. */
  readonly document: Document<Result, { readonly input: Input }>;
  readonly input: Input;
  readonly title: ReactNode;
  /** What follows: one paragraph each. */
  readonly texts: readonly string[];
  /** What stands below the paragraphs. */
  readonly children?: ReactNode;
  /** The button says the outcome: "Refund $61.20". */
  readonly confirm: string;
  readonly kind?: 'primary' | 'danger';
  /** For what cannot be undone: this name has to be typed. */
  readonly typedName?: string;
  /** Words for codes of errors; the service's own where there are none. */
  readonly errors?: Readonly<Record<string, string>>;
  /** The sentence in the corner after it was done. */
  readonly done?: string;
  /** Called with the answer, before the dialog closes. */
  readonly onDone?: (result: Result) => void;
  readonly onClose: () => void;
};

/** Asks before a mutation, naming what follows, and sends it. A rejection is shown in the dialog, which stays open. */
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
