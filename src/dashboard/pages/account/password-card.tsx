import { changePassword } from '../../data/session.ts';
import { Button } from '../../kit/button.tsx';
import { Form, FormActions, FormGrid } from '../../kit/form.tsx';
import { Card } from '../../kit/layout.tsx';
import { TextField } from '../../kit/text-field.tsx';
import { useDraft } from '../../kit/use-draft.ts';
import { Problem } from '../../shell/entry/problem.tsx';
import { useAccountTask } from '../../shell/entry/use-account-task.ts';
import { notify } from '../../shell/notices.ts';
import { useWords } from '../../words/words.ts';

const empty = { currentPassword: '', newPassword: '' };

/** Form that changes the password, which ends all other sessions. */
export function PasswordCard({ onChanged }: { readonly onChanged: () => void }) {
  const words = useWords('account');
  const { run, isRunning, problem, fields } = useAccountTask();
  const draft = useDraft(empty, {
    isReady: (values) => values.currentPassword !== '' && values.newPassword !== '',
    send: (values) => run(() => changePassword(values.currentPassword, values.newPassword)),
    onDone: () => {
      draft.reset();
      notify(words.passwordSaved);
      onChanged();
    },
  });
  const field = (name: keyof typeof empty) => ({
    name,
    type: 'password' as const,
    label: words[name],
    value: draft.values[name],
    onChange: (value: string) => draft.change({ [name]: value }),
  });
  return (
    <Card title={words.password}>
      <Form draft={draft} errors={fields}>
        <FormGrid>
          <TextField {...field('currentPassword')} autoComplete="current-password" />
          <TextField {...field('newPassword')} autoComplete="new-password" help={words.passwordHelp} />
        </FormGrid>
        <Problem text={problem} />
        <FormActions>
          <Button type="submit" isDisabled={!draft.isReady} isPending={isRunning}>
            {words.changePassword}
          </Button>
        </FormActions>
      </Form>
    </Card>
  );
}
