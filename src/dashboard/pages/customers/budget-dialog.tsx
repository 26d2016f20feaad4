import { useId } from 'react';
import { useAction } from '../../data/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Form } from '../../kit/form.tsx';
import { Stack } from '../../kit/layout.tsx';
import { TextField } from '../../kit/text-field.tsx';
import { useDraft } from '../../kit/use-draft.ts';
import { useLimitWords } from '../../parts/limits/limit-words.ts';
import { notify } from '../../shell/notices.ts';
import { Rejection } from '../../shell/rejection.tsx';
import {
  type BudgetRowFragment,
  CustomerBudgetCreateDocument,
  CustomerBudgetUpdateDocument,
} from './limits.graphql';

type BudgetDialogProps = {
  readonly customerId: string;
  /** Budget to rename. `null` to create a budget. */
  readonly budget: BudgetRowFragment | null;
  readonly onClose: () => void;
  readonly onDone: () => void;
};

/** Dialog that creates or renames a budget of a customer. */
export function BudgetDialog({ customerId, budget, onClose, onDone }: BudgetDialogProps) {
  const form = useId();
  const words = useLimitWords();
  const [create, creating] = useAction(CustomerBudgetCreateDocument);
  const [update, updating] = useAction(CustomerBudgetUpdateDocument);
  const stored = { key: budget?.key ?? '', name: budget?.name ?? '', parentKey: budget?.parent?.key ?? '' };
  const draft = useDraft(stored, {
    isReady: ({ key }) => key.trim() !== '',
    needsChange: budget !== null,
    send: ({ key, name, parentKey }): Promise<unknown> => {
      const parent = parentKey.trim();
      if (budget !== null)
        return update({
          input: { customerId, key, name: name.trim() || null, parentKey: parent === '' ? null : parent },
        });
      return create({
        input: {
          customerId,
          key: key.trim(),
          ...(name.trim() !== '' && { name: name.trim() }),
          ...(parent !== '' && { parentKey: parent }),
        },
      });
    },
    onDone: () => {
      notify(budget === null ? words.budgetCreated : words.budgetSaved);
      onDone();
    },
  });
  const { isRunning, error } = budget === null ? creating : updating;
  const { field } = draft;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={budget === null ? words.newBudget : words.editBudget({ key: budget.key })}
      actions={
        <>
          <Button slot="close">{words.cancel}</Button>
          <Button kind="primary" type="submit" form={form} isPending={isRunning} isDisabled={!draft.isReady}>
            {budget === null ? words.createBudget : words.save}
          </Button>
        </>
      }
    >
      <Form id={form} draft={draft} errors={error?.details ?? []}>
        <Stack gap={4}>
          {budget === null && (
            <TextField
              name="key"
              label={words.key}
              help={words.keyHelp}
              code
              autoFocus
              maxLength={201}
              {...field('key')}
            />
          )}
          <TextField name="name" label={words.name} isOptional maxLength={200} {...field('name')} />
          <TextField
            name="parentKey"
            label={words.parent}
            help={words.parentHelp}
            code
            isOptional
            maxLength={201}
            {...field('parentKey')}
          />
          {error?.details.length === 0 && <Rejection error={error} />}
        </Stack>
      </Form>
    </Dialog>
  );
}
