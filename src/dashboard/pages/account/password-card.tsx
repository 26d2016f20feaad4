import { useState } from 'react';
import { changePassword } from '../../data/session.ts';
import { Button } from '../../kit/button.tsx';
import { Form, FormActions, FormGrid } from '../../kit/form.tsx';
import { Card } from '../../kit/layout.tsx';
import { TextField } from '../../kit/text-field.tsx';
import { Problem } from '../../shell/entry/problem.tsx';
import { useAccountTask } from '../../shell/entry/use-account-task.ts';
import { notify } from '../../shell/notices.ts';
import { useWords } from '../../words/words.ts';

const empty = { currentPassword: '', newPassword: '' };

/** Form that changes the password, which ends all other sessions. */
export function PasswordCard({ onChanged }: { readonly onChanged: () => void }) {
  const words = useWords('account');
  const [values, setValues] = useState(empty);
  const { run, isRunning, problem, fields } = useAccountTask();
  const isReady = values.currentPassword !== '' && values.newPassword !== '';
  const save = async () => {
    if (!isReady || !(await run(() => changePassword(values.currentPassword, values.newPassword)))) return;
    setValues(empty);
    notify(words.passwordSaved);
    onChanged();
  };
  const field = (name: keyof typeof values) => ({
    name,
    type: 'password' as const,
    label: words[name],
    value: values[name],
    onChange: (value: string) => setValues((before) => ({ ...before, [name]: value })),
  });
  return (
    <Card title={words.password}>
      <Form onSubmit={() => void save()} errors={fields}>
        <FormGrid>
          <TextField {...field('currentPassword')} autoComplete="current-password" />
          <TextField {...field('newPassword')} autoComplete="new-password" help={words.passwordHelp} />
        </FormGrid>
        <Problem text={problem} />
        <FormActions>
          <Button type="submit" isDisabled={!isReady} isPending={isRunning}>
            {words.changePassword}
          </Button>
        </FormActions>
      </Form>
    </Card>
  );
}
