import { type ReactNode, useId } from 'react';
import type { ApiError } from '../../../data/api-error.ts';
import { Button } from '../../../kit/button.tsx';
import { Form } from '../../../kit/form.tsx';
import { Grow, Stack } from '../../../kit/layout.tsx';
import { Sheet } from '../../../kit/sheet.tsx';
import type { FormDraft } from '../../../kit/use-draft.ts';
import { Rejection } from '../../../parts/catalog/rejection.tsx';
import { useWords } from '../../../words/words.ts';

const noProblems: ApiError['details'] = [];

type EditSheetProps = {
  readonly title: string;
  readonly subtitle?: ReactNode;
  /** Label of the primary button, such as "Create feature". Omit if the form can't be saved. */
  readonly save?: string;
  readonly error?: ApiError | null;
  readonly isRunning?: boolean;
  /** Values of the form. Omit if the form has no values that can be lost. */
  readonly draft?: FormDraft;
  readonly onClose: () => void;
  /** Buttons on the left side of the footer, such as Delete. */
  readonly others?: ReactNode;
  readonly size?: 'md' | 'lg';
  readonly children?: ReactNode;
};

/** Sheet with a form for a new or existing object. */
export function EditSheet({
  title,
  subtitle,
  save,
  error = null,
  isRunning = false,
  draft,
  onClose,
  others,
  size = 'md',
  children,
}: EditSheetProps) {
  const id = useId();
  const { verbs } = useWords('catalog');
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={title}
      {...(subtitle !== undefined && { subtitle })}
      size={size}
      actions={
        <>
          {others}
          <Grow />
          <Button slot="close">{save === undefined ? verbs.close : verbs.cancel}</Button>
          {save !== undefined && (
            <Button
              kind="primary"
              type="submit"
              form={id}
              isPending={isRunning}
              isDisabled={draft?.isReady === false}
            >
              {save}
            </Button>
          )}
        </>
      }
    >
      <Stack gap={4}>
        <Form id={id} draft={draft} errors={error?.details ?? noProblems}>
          {children}
        </Form>
        <Rejection error={error} />
      </Stack>
    </Sheet>
  );
}
