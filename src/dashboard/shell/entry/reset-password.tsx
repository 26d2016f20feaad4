import { useState } from 'react';
import { resetPassword } from '../../data/session.ts';
import { Button } from '../../kit/button.tsx';
import { Form } from '../../kit/form.tsx';
import { Text } from '../../kit/text.tsx';
import { TextField } from '../../kit/text-field.tsx';
import { useWords } from '../../words/words.ts';
import { EntryPage } from './entry-page.tsx';
import { start } from './links.ts';
import { Problem } from './problem.tsx';
import { useAccountTask } from './use-account-task.ts';

/** Form that sets a new password after a user opened the link from the email. Ends all sessions. */
export default function ResetPassword({ token }: { readonly token: string }) {
  const words = useWords('entry');
  const [password, setPassword] = useState('');
  const [isDone, setDone] = useState(false);
  const { run, isRunning, problem, fields } = useAccountTask();
  const submit = async () => {
    if (await run(() => resetPassword(token, password))) setDone(true);
  };
  return (
    <EntryPage title={words.newPassword}>
      {isDone ? (
        <>
          <Text as="p">{words.resetDone}</Text>
          <Button kind="primary" wide onPress={() => location.assign(start)}>
            {words.signIn}
          </Button>
        </>
      ) : (
        <Form onSubmit={() => void submit()} errors={fields}>
          <Text as="p">{words.resetText}</Text>
          <TextField
            name="newPassword"
            type="password"
            label={words.newPassword}
            help={words.passwordHelp}
            autoComplete="new-password"
            value={password}
            onChange={setPassword}
            isRequired
          />
          <Problem text={problem} />
          <Button type="submit" kind="primary" wide isPending={isRunning}>
            {words.savePassword}
          </Button>
        </Form>
      )}
    </EntryPage>
  );
}
